"""Web archives: writing them, and reading their responses in order or by URL."""

from __future__ import annotations

from sitewright.site.warc_writer import Headers, Location, WarcWriter

__all__ = ["Headers", "Location", "WarcWriter"]
