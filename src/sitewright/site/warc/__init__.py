"""WARC files: read past their damage, written so that a kill loses nothing."""

from sitewright.site.warc.index import WarcIndex
from sitewright.site.warc.records import Record, read_record, read_records
from sitewright.site.warc.writer import WarcWriter

__all__ = ["Record", "WarcIndex", "WarcWriter", "read_record", "read_records"]
