"""`report.html`: one self-contained page for people, put together from sections."""

from sitewright.export.report.report import Section, render_report
from sitewright.export.report.sections import (
    TemplateRow,
    WrapperEntry,
    class_sections,
    skeleton_section,
    template_row,
    templates_section,
    wrapper_entry,
    wrappers_section,
    write_report,
)

__all__ = [
    "Section",
    "TemplateRow",
    "WrapperEntry",
    "class_sections",
    "render_report",
    "skeleton_section",
    "template_row",
    "templates_section",
    "wrapper_entry",
    "wrappers_section",
    "write_report",
]
