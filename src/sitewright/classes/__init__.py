"""Page classes: which pages of a site are made alike, and how the classes link to each other.

`discover` explores a site and gives its `SiteModel`; `Classifier` says of any page which class it
belongs to. docs/classes.md describes the method.
"""

from sitewright.classes.classification import Classification, Classifier
from sitewright.classes.model import ClassLink, PageClass, SiteModel
from sitewright.classes.sampling import documents_of, sample_pages

__all__ = [
    "ClassLink",
    "Classification",
    "Classifier",
    "PageClass",
    "SiteModel",
    "documents_of",
    "sample_pages",
]
