"""A form of export: the page classes as a Markdown table."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from sitewright import Project


def markdown(project: Project, _target: Path | None, *, records: bool = True) -> str:
    """One line a class; text that is returned goes to the target, or to standard output."""
    lines = ["| class | URL pattern | records |", "|---|---|---|"]
    for one in project.classes:
        count = f"{len(one.table):,}" if records else ""
        lines.append(f"| {one.name} | {one.url_template} | {count} |")
    return "\n".join(lines) + "\n"
