"""A page of the site as it looks, made harmless: for a sandboxed frame, from a port of its own.

Nothing of the page runs: scripts, handlers, frames, objects, forms' targets, refreshes and bases
are taken out. Style sheets and images come from where the page came from, through us; a policy
forbids every other request. One script of ours, known by its nonce, tells the explorer what was
clicked and shows what the explorer asks for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin

from sitewright.export.report.pictures import (
    ACTIVE,
    MARK,
    leads_away,
    page_marks,
    write_names,
)
from sitewright.export.report.rendering import render
from sitewright.page import marked_tree, parser

if TYPE_CHECKING:
    from collections.abc import Callable

    from sitewright.page import Document
    from sitewright.template import Template
    from sitewright.wrapper import Wrapper

_STYLE_URL = re.compile(r"""url\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^"'()\s]*))\s*\)""", re.IGNORECASE)
_IMPORT = re.compile(r"""@import\s+(?:"([^"\n]*)"|'([^'\n]*)')""", re.IGNORECASE)
MAX_STYLE = 4 << 20
"""A longer style sheet is left out."""
_KEPT_TYPES = ("image/", "font/", "text/css", "application/font", "application/x-font")


def policy(origin: str, frame_of: str, nonce: str) -> str:
    """The Content-Security-Policy of a page: nothing but our script and files from our port."""
    return (
        f"sandbox allow-scripts; default-src 'none'; script-src 'nonce-{nonce}'; "
        f"style-src {origin} 'unsafe-inline'; img-src {origin} data:; font-src {origin}; "
        f"base-uri 'none'; form-action 'none'; frame-ancestors {frame_of}"
    )


def shown_page(
    document: Document,
    wrapper: Wrapper | None,
    template: Template | None,
    resource: Callable[[str], str],
    nonce: str,
) -> str:
    """The HTML of a page, its fields marked; `resource` makes a URL of ours of one of its own."""
    tree = marked_tree(document, page_marks(document, wrapper, template), MARK)
    write_names(tree)
    sheets = _style_sheets(tree, document, resource)
    images = _images(tree, document, resource)
    tree.remove(f"{ACTIVE}, animate, set, animateMotion, animateTransform")
    base = document.base_url
    for element in tree.iter_elements():
        for name in [name for name in element.attrs if leads_away(name)]:
            del element.attrs[name]
        style = element.attr("style")
        if style:
            element.attrs["style"] = rewritten_style(style, base, resource)
    for element in tree.iter_elements(("style",)):
        text = rewritten_style(element.text, base, resource)
        for child in list(element.children):
            child.decompose()
        element.append(parser.Text(text.replace("</", "<\\/")))
    for element, src in images:
        element.attrs["src"] = src
    head = tree.select_one("head")
    if head is not None:
        head.insert_adjacent_html("afterbegin", "".join([_FIRST_STYLE, *sheets]))
        head.insert_adjacent_html(
            "beforeend", render("explorer_head.html", {"nonce": nonce, "script": _script()})
        )
    return tree.html


def rewritten_style(style: str, base: str, resource: Callable[[str], str]) -> str:
    """A style sheet whose URLs lead to us."""
    if len(style) > MAX_STYLE:
        return ""

    def swapped(found: re.Match[str]) -> str:
        url = next((part for part in found.groups() if part), "")
        if url.startswith(("data:", "#")):
            return found[0]
        return f'url("{resource(_joined(base, url))}")'

    def imported(found: re.Match[str]) -> str:
        url = next((part for part in found.groups() if part), "")
        return f'@import "{resource(_joined(base, url))}"'

    return _IMPORT.sub(imported, _STYLE_URL.sub(swapped, style))


def may_be_served(content_type: str) -> bool:
    """Whether a file of the site is something that a page shows: no page, no script."""
    return content_type.lower().startswith(_KEPT_TYPES)


def _joined(base: str, url: str) -> str:
    try:
        return urljoin(base, url.strip())
    except ValueError:
        return ""


def _style_sheets(
    tree: parser.Tree, document: Document, resource: Callable[[str], str]
) -> list[str]:
    sheets = []
    for link in tree.iter_elements(("link",)):
        kinds = (link.attr("rel") or "").lower().split()
        href = link.attr("href")
        if "stylesheet" in kinds and "alternate" not in kinds and href:
            url = document.resolve(href)
            if url:
                sheets.append(f'<link rel="stylesheet" href="{quote(resource(url), safe=_SAFE)}">')
    return sheets


_SAFE = "/:?=&%+-._~"
_FIRST_STYLE = "<style>:where(svg:not([width])) { width: 1.5em; height: 1.5em }</style>"
"""Before the page's own style: an icon whose style sheet is not here would fill the window."""


def _images(
    tree: parser.Tree, document: Document, resource: Callable[[str], str]
) -> list[tuple[parser.Element, str]]:
    found = []
    for image in tree.iter_elements(("img",)):
        src = (image.attr("src") or "").strip()
        if src.lower().startswith("data:image/"):
            found.append((image, src))
        elif src and (url := document.resolve(src)):
            found.append((image, resource(url)))
    return found


def _script() -> str:
    from importlib.resources import files  # noqa: PLC0415 - once a page

    return files("sitewright.explorer").joinpath("static", "frame.js").read_text("utf-8")
