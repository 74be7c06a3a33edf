"""`report.html`: one self-contained page for people, put together from sections."""

from sitewright.output.report.rendering import Section, render_report
from sitewright.output.report.sections import (
    class_sections,
    skeleton_section,
    templates_section,
    wrappers_section,
    write_report,
)

__all__ = [
    "Section",
    "class_sections",
    "render_report",
    "skeleton_section",
    "templates_section",
    "wrappers_section",
    "write_report",
]
