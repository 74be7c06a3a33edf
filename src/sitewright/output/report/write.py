"""Writing the report of an output folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitewright.formats import complete_or_absent
from sitewright.output.report.classes import class_sections
from sitewright.output.report.frame import Section, render_report

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sitewright.classes import SiteModel


def write_report(folder: Path, model: SiteModel, more: Sequence[Section] = ()) -> None:
    """Write report.html: the classes, then the sections of later steps."""
    lead = (
        f"{len(model.classes)} page classes and {len(model.links)} class links, "
        f"from {model.visited:,} visited pages."
    )
    page = render_report(model.home, lead, [*class_sections(model), *more])
    with complete_or_absent(folder / "report.html") as file:
        file.write(page)
