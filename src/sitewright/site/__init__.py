"""Pages from anywhere: a live site, a folder that mirrors one, an archive."""

from sitewright.site.base import Missing, Page, Reason, Site
from sitewright.site.open import open_site
from sitewright.site.scope import Scope, ScopeKind

__all__ = [
    "Missing",
    "Page",
    "Reason",
    "Scope",
    "ScopeKind",
    "Site",
    "open_site",
]
