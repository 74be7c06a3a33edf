"""`sitewright diff`: what is different between two projects, or a project and a site."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sitewright.cli.group import one_line
from sitewright.cli.options import json_option, settings_option

if TYPE_CHECKING:
    from sitewright.change.comparison import Comparison
    from sitewright.cli.console import Console


@click.command("diff")
@click.argument("old", metavar="OLD", type=click.Path(path_type=Path))
@click.argument("new", metavar="NEW")
@click.option(
    "--changes",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write every record that is new, changed or gone to this file, as JSON lines.",
)
@click.option(
    "--report",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a page for people: a page of each class before and now, its fields outlined.",
)
@json_option
@settings_option
@click.pass_obj
def command(
    console: Console,
    /,
    old: Path,
    new: str,
    changes: Path | None,
    report: Path | None,
    as_json: bool,
) -> None:
    """Say what is different between two projects, or between a project and a SITE.

    OLD and NEW are folders as `sitewright run` makes them; if NEW is a site, it is learnt first.
    Classes are the same, moved, split, merged, gone or new; each field is matched with a score and
    the gap to the runner-up, or lost. Of two sites it says whether one is a replica of the other,
    or merely has the same theme.

    \b
    Example:
      sitewright diff out-2023 out-2024
      sitewright diff demo/out demo/cup/site --changes changes.jsonl --report diff.html
    """
    from sitewright.change.comparison import compared
    from sitewright.export.changes import write_changes
    from sitewright.formats import complete_or_absent

    with console.watched() as progress:
        comparison, records, page = compared(
            old, new, progress=progress, with_page=report is not None
        )
    if report is not None:
        with complete_or_absent(report) as file:
            file.write(page)
    if changes is not None:
        write_changes(changes, records)
    if console.speaks_json(as_json):
        console.write_json(comparison.as_json())
        return
    _show(comparison)


def _show(comparison: Comparison) -> None:
    counts = ", ".join(f"{count:,} {name}" for name, count in comparison.records.items())
    click.echo(f"{comparison.level}; records: {counts or 'all as they were'}")
    click.echo(
        f"{comparison.relation}: {comparison.same_pages:.0%} of the pages say the same, "
        f"{comparison.same_marks:.0%} of the markup is shared"
    )
    for one in comparison.classes:
        parts = f" -> {', '.join(one.new)}" if one.old and one.new and one.new != (one.old,) else ""
        shown = f"{one.old or one.new[0]}: {one.fate}{parts}; {one.level}"
        click.echo(one_line(shown))
        for match in one.fields:
            if match.old is None:
                click.echo("  " + one_line(f"new: {match.new}"))
            elif match.new is None:
                click.echo("  " + one_line(f"lost: {match.old}: {match.reason}"))
            elif match.old != match.new:
                gap = f"score {match.score:.2f}, {match.gap:+.2f} to the next"
                click.echo("  " + one_line(f"{match.old} -> {match.new}: {gap}"))
