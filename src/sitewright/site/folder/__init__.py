"""A folder that mirrors a site."""

from sitewright.site.folder.site import FolderSite

__all__ = ["FolderSite"]
