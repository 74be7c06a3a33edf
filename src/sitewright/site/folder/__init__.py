"""A folder that mirrors a site."""

from sitewright.site.folder.saved import saved_from
from sitewright.site.folder.site import FolderSite, is_page_file

__all__ = ["FolderSite", "is_page_file", "saved_from"]
