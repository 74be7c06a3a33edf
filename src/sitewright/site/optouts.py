"""What owners say against crawling, following and mining: read from pages, headers, robots.txt.

| signal | where | by default |
|---|---|---|
| `nofollow`, `none` | X-Robots-Tag, meta robots, `rel` of a link | obeyed: links are not followed |
| `tdm-reservation` | header, meta | obeyed: the page is not used |
| `noindex`, `noai`, `noimageai` | X-Robots-Tag, meta robots | noted: we make no index, train none |
| `Content-Signal` | robots.txt | noted |
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

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
_SIGNAL = re.compile(r"^\s*content-signal\s*:\s*([^\r\n]{1,500})", re.IGNORECASE | re.MULTILINE)
_AGENT = "sitewright"


def page_signals(reply: Reply, body: bytes) -> frozenset[str]:
    """The signals of a page and of the headers that it came with."""
    found: set[str] = set()
    for name, value in (*reply.headers, *_metas(body)):
        if name.lower() in {"x-robots-tag", "robots", _AGENT}:
            found |= _directives(value)
        elif name.lower() == RESERVED and value.strip() == "1":
            found.add(RESERVED)
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
    return frozenset(
        f"content-signal {one.strip().lower()}"
        for line in _SIGNAL.findall(robots)
        for one in line.split(",")
        if "=" in one
    )


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
