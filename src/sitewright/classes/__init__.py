"""Page classes: which pages of a site are made alike, and how the classes link to each other.

`SiteModel` is what is learnt of a site; `Classifier` says of any page which class it belongs to.
docs/classes.md describes the method.
"""

from sitewright.classes.classification import Classification, Classifier
from sitewright.classes.model import ClassLink, PageClass, SiteModel, VoidPages

__all__ = [
    "ClassLink",
    "Classification",
    "Classifier",
    "PageClass",
    "SiteModel",
    "VoidPages",
]
