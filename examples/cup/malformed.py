"""Pages that were spoilt on their way: each is spoilt in one of the ways of real sites."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from examples.cup.page import Page

_ENDS = re.compile(r"</(?:li|p|td|th|tr|dt|dd|option)>")
_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)((?:\s[^<>]*)?)>")
_ATTRIBUTE = re.compile(r'([a-z-]+)="([^"]*)"')
_PLAIN = re.compile(r"[^\s\"'<>=`]+")


def _without_end_tags(html: str) -> bytes:
    return _ENDS.sub("", html).encode()


def _wrongly_nested(html: str) -> bytes:
    """Cross the borders of elements, and leave some open."""
    html = html.replace("<h1>", "<h1><b><i>", 1).replace("</h1>", "</b></h1></i>", 1)
    html = html.replace("</dl>", "</div></dl>", 1).replace("<table", "<p><table", 1)
    return html.replace("</article>", "</div></span>", 1).encode()


def _in_latin_1(html: str) -> bytes:
    html = html.replace('<meta charset="utf-8">', '<meta charset="iso-8859-1">', 1)
    return html.encode("iso-8859-1", "xmlcharrefreplace")


def _with_a_mark(html: str) -> bytes:
    return html.encode("utf-8-sig")


def _shouting(html: str) -> bytes:
    """Write names in capitals, and values without quotes where they need none."""
    return _TAG.sub(_shouted, html).encode()


def _shouted(tag: re.Match[str]) -> str:
    slash, name, attributes = tag.groups()
    return f"<{slash}{name.upper()}{_ATTRIBUTE.sub(_unquoted, attributes)}>"


def _unquoted(attribute: re.Match[str]) -> str:
    name, value = attribute.groups()
    return f"{name.upper()}={value}" if _PLAIN.fullmatch(value) else f'{name.upper()}="{value}"'


def _cut_off(html: str) -> bytes:
    """End in the middle of a tag of the footer, as after a lost connection."""
    return html[: html.index("imprint.html")].encode()


def _without_frame(html: str) -> bytes:
    """Leave out the doctype and the tags of html, head and body."""
    return re.sub(r"<!DOCTYPE html>\n|</?(?:html|head|body)\b[^>]*>\n?", "", html).encode()


def _with_strays(html: str) -> bytes:
    """Add stray ends, a doubled attribute, a bare ampersand and a comment that ends badly."""
    html = html.replace("<main", "</div></table>\n<main", 1)
    html = html.replace('<p class="lead">', '<p class="lead" class="second">R&D & more: ', 1)
    return html.replace("<footer", "<!-- old footer --!>\n<footer", 1).encode()


_WAYS: tuple[tuple[str, Callable[[str], bytes]], ...] = (
    ("news", _without_end_tags),
    ("squad", _without_end_tags),
    ("team", _wrongly_nested),
    ("player", _in_latin_1),
    ("match", _with_a_mark),
    ("help", _shouting),
    ("player", _shouting),
    ("photo", _cut_off),
    ("schedule", _without_frame),
    ("news", _with_strays),
)
"""The class of each page that gets spoilt, and how."""


def choose(pages: Sequence[Page], seed: int) -> dict[str, Callable[[str], bytes]]:
    """Choose the pages to spoil: by path, what to do with the HTML."""
    rng = Random(f"{seed} malformed")
    chosen: dict[str, Callable[[str], bytes]] = {}
    for page_class, spoil in _WAYS:
        candidates = [
            page.path
            for page in pages
            if page.page_class == page_class
            and page.path not in chosen
            and not page.orphan
            and not page.broken
        ]
        chosen[rng.choice(candidates)] = spoil
    return chosen
