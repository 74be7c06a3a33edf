"""Page classes: which pages of a site are made alike, and how the classes link to each other.

`discover` explores a site and gives its `SiteModel`; `Classifier` says of any page which class it
belongs to. docs/classes.md describes the method.
"""

from sitewright.classes.class_pages import documents_of, sample_pages
from sitewright.classes.classify import Classification, Classifier
from sitewright.classes.discover import discover, discover_all
from sitewright.classes.explore import Exploration, Plan, explore
from sitewright.classes.model import (
    ClassLink,
    PageClass,
    SiteModel,
)
from sitewright.classes.queue import Strategy

__all__ = [
    "ClassLink",
    "Classification",
    "Classifier",
    "Exploration",
    "PageClass",
    "Plan",
    "SiteModel",
    "Strategy",
    "discover",
    "discover_all",
    "documents_of",
    "explore",
    "sample_pages",
]
