"""`report.html`: one self-contained page for people, put together from sections."""

from sitewright.output.report.frame import Section, render_report
from sitewright.output.report.write import write_report

__all__ = ["Section", "render_report", "write_report"]
