"""What owners say against crawling, following and mining: read from pages, headers, robots.txt.

| signal | where | by default |
|---|---|---|
| `nofollow`, `none` | X-Robots-Tag, meta robots, `rel` of a link | obeyed: links are not followed |
| `tdm-reservation` | header, meta, `/.well-known/tdmrep.json` | obeyed: the page is not used |
| `noindex`, `noai`, `noimageai` | X-Robots-Tag, meta robots | noted: we make no index, train none |
| `Content-Signal`, `Content-Usage` | robots.txt, header | noted |
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from protego import Protego

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitewright.page import Document
    from sitewright.site.http import Reply


NOFOLLOW = "nofollow"
RESERVED = "tdm-reservation"
_NOTED = frozenset({"noindex", "nofollow", "none", "noai", "noimageai", "noarchive", "nosnippet"})
_HEAD = 1 << 16
_META = re.compile(rb"<meta\b([^>]{0,2000})>", re.IGNORECASE)
_NAME = re.compile(rb"""\bname\s*=\s*["']?([\w.-]+)""", re.IGNORECASE)
_CONTENT = re.compile(rb"""\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_USE = frozenset({"content-signal", "content-usage"})
_SIGNAL = re.compile(
    r"^[ \t]*(content-signal|content-usage)[ \t]*:[ \t]*([^\r\n]{1,500})",
    re.IGNORECASE | re.MULTILINE,
)
TDM_FILE = "/.well-known/tdmrep.json"
"""Where a site reserves text and data mining for parts of it (TDM Reservation Protocol)."""
_MAX_RESERVATIONS = 500
_AGENT = "sitewright"


def page_signals(reply: Reply, body: bytes) -> frozenset[str]:
    """The signals of a page and of the headers that it came with."""
    found: set[str] = set()
    for name, value in (*reply.headers, *_metas(body)):
        if name.lower() in {"x-robots-tag", "robots", _AGENT}:
            found |= _directives(value)
        elif name.lower() == RESERVED and value.strip() == "1":
            found.add(RESERVED)
        elif name.lower() in _USE:
            found |= _preferences(name, value)
    if "none" in found:
        found |= {NOFOLLOW, "noindex"}
    return frozenset(found)


def _metas(body: bytes) -> Iterator[tuple[str, str]]:
    """The names and contents of a page's meta tags."""
    for tag in _META.finditer(body, 0, _HEAD):
        name, content = _NAME.search(tag[1]), _CONTENT.search(tag[1])
        if name is not None and content is not None:
            value = next(filter(None, content.groups()), b"")
            yield name[1].decode("latin-1"), value.decode("latin-1")


def content_signals(robots: str) -> frozenset[str]:
    """The content signals of a robots.txt: `ai-train=no`."""
    return frozenset().union(*(_preferences(*line) for line in _SIGNAL.findall(robots)))


def _preferences(name: str, value: str) -> frozenset[str]:
    """What a signal says of each use; a path may stand before: `Content-Usage: /a train-ai=n`."""
    uses = re.findall(r"[\w-]{1,40}\s{0,3}=\s{0,3}[\w-]{1,40}", value[:500])
    return frozenset(f"{name.lower()} {''.join(one.split()).lower()}" for one in uses)


def reservations(body: bytes) -> Protego | None:
    """The rules of a site's tdmrep.json: what they forbid is reserved; None if nothing is."""
    try:
        listed = json.loads(body)
    except (ValueError, RecursionError):
        return None
    rules = []
    for one in listed[:_MAX_RESERVATIONS] if isinstance(listed, list) else ():
        place = one.get("location") if isinstance(one, dict) else None
        if isinstance(place, str) and place.startswith(("/", "*")) and place.isprintable():
            is_reserved = str(one.get(RESERVED)) == "1"
            rules.append(f"{'Disallow' if is_reserved else 'Allow'}: {place[:500]}")
    if not any(rule.startswith("Disallow") for rule in rules):
        return None
    return Protego.parse("\n".join(["User-agent: *", *rules]))


def _directives(value: str) -> set[str]:
    """The directives of a robots header; those for another agent are not ours."""
    agent, colon, rest = value.partition(":")
    if colon and agent.strip().lower() not in {_AGENT, "*"} and "," not in agent:
        return set()
    words = (word.strip().lower() for word in (rest if colon else value).split(","))
    return {word for word in words if word in _NOTED}


def unfollowed(document: Document) -> set[str]:
    """The URLs that a page leads to, but asks crawlers not to follow."""
    return {link.url for link in document.links if link.url and NOFOLLOW in link.relations}
