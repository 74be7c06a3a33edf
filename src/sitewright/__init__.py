"""sitewright: how a web site is made, and what is in it.

::

    import sitewright

    project = sitewright.run("https://example.org/", "out")
    project["player"].to_pandas()

What is listed here is the public API; everything else may change. Each name is imported from its
module when it is first used, so that the command line answers at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    __version__: str
    from sitewright.change.checking import CheckReport
    from sitewright.change.comparison import Comparison, diff
    from sitewright.change.repairing import RepairReport
    from sitewright.classes.classification import Classification
    from sitewright.classes.model import SiteModel
    from sitewright.errors import SitewrightError
    from sitewright.export.results import ProjectClass, Table
    from sitewright.methods import distill, match
    from sitewright.page.document import Document
    from sitewright.project import Project, arun, load, run
    from sitewright.project_steps import Exploring, Progress
    from sitewright.site.base import Missing, Page, Site
    from sitewright.site.open import open_site
    from sitewright.site.web import CrawlOptions
    from sitewright.skeleton.tree import SkeletonNode
    from sitewright.template.stripping import strip
    from sitewright.template.template import Template
    from sitewright.visual.segmentation import segment
    from sitewright.wrapper.induction import induce
    from sitewright.wrapper.reading import Misfit, extract
    from sitewright.wrapper.wrapper import Wrapper

_MODULES = {
    "CheckReport": "change.checking",
    "Classification": "classes.classification",
    "Comparison": "change.comparison",
    "CrawlOptions": "site.web",
    "Document": "page.document",
    "Exploring": "project_steps",
    "Misfit": "wrapper.reading",
    "Missing": "site.base",
    "Page": "site.base",
    "Progress": "project_steps",
    "Project": "project",
    "ProjectClass": "export.results",
    "RepairReport": "change.repairing",
    "Site": "site.base",
    "SiteModel": "classes.model",
    "SitewrightError": "errors",
    "SkeletonNode": "skeleton.tree",
    "Table": "export.results",
    "Template": "template.template",
    "Wrapper": "wrapper.wrapper",
    "arun": "project",
    "diff": "change.comparison",
    "distill": "methods",
    "extract": "wrapper.reading",
    "induce": "wrapper.induction",
    "load": "project",
    "match": "methods",
    "open_site": "site.open",
    "run": "project",
    "segment": "visual.segmentation",
    "strip": "template.stripping",
}
"""Each public name with the module that defines it."""

__all__ = [
    "CheckReport",
    "Classification",
    "Comparison",
    "CrawlOptions",
    "Document",
    "Exploring",
    "Misfit",
    "Missing",
    "Page",
    "Progress",
    "Project",
    "ProjectClass",
    "RepairReport",
    "Site",
    "SiteModel",
    "SitewrightError",
    "SkeletonNode",
    "Table",
    "Template",
    "Wrapper",
    "arun",
    "diff",
    "distill",
    "extract",
    "induce",
    "load",
    "match",
    "open_site",
    "run",
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
    return sorted({*__all__, *(name for name in globals() if name.startswith("__")), "__version__"})
