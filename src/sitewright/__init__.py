"""sitewright: how a web site is made, and what is in it.

What is listed here is the public API; everything else may change. Each name is imported when it is
first used, so that the command line answers at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    __version__: str
    from sitewright.classes import Classifier, Plan, SiteModel, discover, discover_all, read_model
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
        read_wrapper,
    )

_MODULES = {
    "Browser": "visual.browser",
    "Classifier": "classes.classify",
    "Document": "html.document",
    "Extractor": "wrapper.extract",
    "Inspection": "html.inspection",
    "Labelling": "html.labels",
    "Link": "html.links",
    "LinkCollection": "html.links",
    "Misfit": "wrapper.extract",
    "Missing": "site.base",
    "Page": "site.base",
    "PathVocabulary": "html.paths",
    "Plan": "classes.explore",
    "Reason": "site.base",
    "Record": "wrapper.extract",
    "Rendering": "visual.rendering",
    "Schema": "html.paths",
    "Site": "site.base",
    "SiteModel": "classes.model",
    "SitewrightError": "errors",
    "Skeleton": "skeleton.build",
    "SkeletonNode": "skeleton.tree",
    "Template": "template.template",
    "Token": "html.tokens",
    "TokenSequence": "html.sequence",
    "TokenVocabulary": "html.tokens",
    "Tokeniser": "html.sequence",
    "Wrapper": "wrapper.wrapper",
    "breadth_first": "site.breadth_first",
    "by_example": "wrapper.example",
    "discover": "classes.discover",
    "discover_all": "classes.discover",
    "distill": "template.distill",
    "extract": "wrapper.extract",
    "extract_skeleton": "skeleton.extract",
    "induce": "wrapper.induce",
    "inspect": "html.inspection",
    "link_collections": "html.links",
    "match": "visual.match",
    "node_schema": "html.paths",
    "open_site": "site.open",
    "page_schema": "html.links",
    "read_model": "classes.model",
    "read_wrapper": "wrapper.wrapper",
    "segment": "visual.segment",
    "strip": "template.strip",
}
"""Each public name with the module that defines it."""

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
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415 - few ask, and it takes a while

        return version(__name__)
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
