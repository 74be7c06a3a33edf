"""A WARC or WACZ file as the site that it keeps."""

from sitewright.site.archive.site import ArchiveSite

__all__ = ["ArchiveSite"]
