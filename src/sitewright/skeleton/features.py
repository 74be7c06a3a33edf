"""The six features of a link set (Liu et al. 2004, section 3.3.1)."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.skeleton.candidates import LinkNode

FEATURE_NAMES = (
    "NumWordName",
    "LenName",
    "VarLenName",
    "URLType",
    "VarURLNumDir",
    "URLContain",
)
OTHER_LEVELS = 1000
"""The number of levels that the paper gives to URLs of type *others*."""
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def feature_values(links: Sequence[LinkNode], page: str, home: str) -> tuple[float, ...]:
    """The values of the six features, in the paper's order, for a link set of the page."""
    lengths = [len(link.name) for link in links]
    levels = [directory_levels(link, home) for link in links]
    types = Counter(url_type(link.href) for link in links)
    return (
        _mean([len(link.name.split()) for link in links]),
        _mean(lengths),
        _variance(lengths),
        max(types.values(), default=0) / max(1, len(links)),
        _variance(levels),
        _mean([float(_is_below(link, page)) for link in links]),
    )


def url_type(href: str) -> str:
    """One of the paper's five types of URL."""
    written = href.strip()
    if written.startswith("#"):
        return "anchor"
    if written.startswith("//") or written.lower().startswith(("http:", "https:")):
        return "cross-site"
    if _SCHEME.match(written):
        return "others"
    return "absolute" if written.startswith("/") else "relative"


def directory_levels(link: LinkNode, home: str) -> int:
    """How many levels of directories the URL has.

    Relative and anchor URLs count from the home page's directory, the others from the root.
    """
    kind = url_type(link.href)
    if kind == "others" or (not link.url and kind != "anchor"):
        return OTHER_LEVELS
    # A place in the page itself is in the page's directory, which is what `.` leads to.
    levels = _directories(link.url) if link.url else 0
    return levels - _directories(home) if kind in {"relative", "anchor"} and link.url else levels


def _is_below(link: LinkNode, page: str) -> bool:
    return bool(link.url) and link.url.startswith(urljoin(page, "."))


def _directories(url: str) -> int:
    return len([step for step in urlsplit(url).path.split("/")[:-1] if step])


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _variance(values: Sequence[float]) -> float:
    mean = _mean(values)
    return _mean([(value - mean) ** 2 for value in values])
