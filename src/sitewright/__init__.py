"""sitewright: how a web site is made, and what is in it.

What is listed here is the public API; everything else may change. Each name is imported when it is
first used, so that the command line answers at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sitewright.errors import SitewrightError
    from sitewright.html import (
        Document,
        Inspection,
        Labelling,
        Link,
        LinkCollection,
        PathVocabulary,
        Schema,
        Token,
        Tokeniser,
        TokenSequence,
        TokenVocabulary,
        inspect,
        link_collections,
        node_schema,
        page_schema,
    )
    from sitewright.site import Missing, Page, Reason, Site, breadth_first, open_site

_PACKAGES = ("sitewright.errors", "sitewright.html", "sitewright.site")

__all__ = [
    "Document",
    "Inspection",
    "Labelling",
    "Link",
    "LinkCollection",
    "Missing",
    "Page",
    "PathVocabulary",
    "Reason",
    "Schema",
    "Site",
    "SitewrightError",
    "Token",
    "TokenSequence",
    "TokenVocabulary",
    "Tokeniser",
    "breadth_first",
    "inspect",
    "link_collections",
    "node_schema",
    "open_site",
    "page_schema",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any of the names above
    if name in __all__:
        for package in _PACKAGES:
            module = import_module(package)
            if hasattr(module, name):
                return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
