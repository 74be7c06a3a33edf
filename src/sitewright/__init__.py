"""sitewright: how a web site is made, and what is in it.

What is listed here is the public API; everything else may change. Each name is imported when it is
first used, so that the command line answers at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sitewright.classes import Classifier, Plan, SiteModel, discover, discover_all
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
    from sitewright.output.folder import read_model, read_wrapper
    from sitewright.site import Missing, Page, Reason, Site, breadth_first, open_site
    from sitewright.skeleton import Skeleton, SkeletonNode, extract_skeleton
    from sitewright.template import Template, distill, strip
    from sitewright.visual import Browser, Rendering, match, segment
    from sitewright.wrapper import (
        Extractor,
        Misfit,
        Record,
        Wrapper,
        by_example,
        extract,
        induce,
    )

_PACKAGES = (
    "errors", "html", "site", "classes", "template", "skeleton", "visual", "wrapper",
    "output.folder",
)  # fmt: skip

__all__ = [
    "Browser",
    "Classifier",
    "Document",
    "Extractor",
    "Inspection",
    "Labelling",
    "Link",
    "LinkCollection",
    "Misfit",
    "Missing",
    "Page",
    "PathVocabulary",
    "Plan",
    "Reason",
    "Record",
    "Rendering",
    "Schema",
    "Site",
    "SiteModel",
    "SitewrightError",
    "Skeleton",
    "SkeletonNode",
    "Template",
    "Token",
    "TokenSequence",
    "TokenVocabulary",
    "Tokeniser",
    "Wrapper",
    "breadth_first",
    "by_example",
    "discover",
    "discover_all",
    "distill",
    "extract",
    "extract_skeleton",
    "induce",
    "inspect",
    "link_collections",
    "match",
    "node_schema",
    "open_site",
    "page_schema",
    "read_model",
    "read_wrapper",
    "segment",
    "strip",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any of the names above
    if name in __all__:
        for package in _PACKAGES:
            module = import_module(f"{__name__}.{package}")
            if hasattr(module, name):
                return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
