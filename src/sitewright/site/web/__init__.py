"""A live web site, crawled politely."""

from sitewright.site.web.options import CrawlOptions
from sitewright.site.web.site import WebSite

__all__ = ["CrawlOptions", "WebSite"]
