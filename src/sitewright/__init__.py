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
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sitewright.classes.classify import Classification
    from sitewright.classes.model import PageClass, SiteModel
    from sitewright.errors import SitewrightError
    from sitewright.html.document import Document
    from sitewright.output.table import ProjectClass, Table
    from sitewright.project import Exploring, Progress, Project, arun, load, run
    from sitewright.site.base import Missing, Page, Site
    from sitewright.site.open import open_site
    from sitewright.site.web.options import CrawlOptions
    from sitewright.skeleton.tree import SkeletonNode
    from sitewright.template.template import Template
    from sitewright.wrapper.extract import Misfit
    from sitewright.wrapper.wrapper import Wrapper

__version__ = version("sitewright")

_MODULES = {
    "Classification": "classes.classify",
    "CrawlOptions": "site.web.options",
    "Document": "html.document",
    "Exploring": "project",
    "Misfit": "wrapper.extract",
    "Missing": "site.base",
    "Page": "site.base",
    "PageClass": "classes.model",
    "Progress": "project",
    "Project": "project",
    "ProjectClass": "output.table",
    "Site": "site.base",
    "SiteModel": "classes.model",
    "SitewrightError": "errors",
    "SkeletonNode": "skeleton.tree",
    "Table": "output.table",
    "Template": "template.template",
    "Wrapper": "wrapper.wrapper",
    "arun": "project",
    "load": "project",
    "open_site": "site.open",
    "run": "project",
}
"""Every public name, and the module that defines it."""

__all__ = [*_MODULES]  # noqa: PLE0604 - names, from one table


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any of the names above
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__"})
