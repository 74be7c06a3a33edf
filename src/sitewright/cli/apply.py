"""`sitewright apply`: corrections again, on what is there now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sitewright.cli.group import DONE_IN_PART
from sitewright.cli.options import json_option, out_argument, workers_option

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import RenderableType

    from sitewright.cli.console import Console
    from sitewright.edits.edit import EditOutcome


@click.command("apply")
@out_argument
@click.argument(
    "edits", metavar="[EDITS]", required=False, type=click.Path(exists=True, dir_okay=False)
)
@workers_option
@json_option
@click.pass_context
def command(
    context: click.Context,
    /,
    out: Path,
    edits: str | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Apply corrections to the results in OUT.

    EDITS is a file of corrections, one a line, as the explorer writes them to OUT/edits.jsonl. They
    are added to that file, and every later run and extract replays them. Without EDITS those in OUT
    are applied again. Each edit is applied, no longer needed, or failed with a reason; the others
    go on. The pages come from where OUT has them. Exit code 4: some edits failed.

    \b
    Example:
      sitewright apply out edits.jsonl
      sitewright apply new-out old-out/edits.jsonl --json
    """
    from pathlib import Path

    from sitewright.edits.edit import EditStatus, read_edits
    from sitewright.project import load

    console: Console = context.obj
    new = read_edits(Path(edits)) if edits is not None else []
    with console.watched() as progress:
        project = load(out)
        project.progress = progress
        project.apply(new, workers=workers)
    outcomes = project.edit_outcomes
    if console.speaks_json(as_json):
        for one in outcomes:
            console.write_json(one.as_json())
    else:
        console.show(_table(outcomes))
    console.note_edits(project)
    if any(one.status is EditStatus.FAILED for one in outcomes):
        context.exit(DONE_IN_PART)


def _table(outcomes: list[EditOutcome]) -> RenderableType:
    from rich.table import Table

    from sitewright.cli.tables import plain

    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("edit", "what became of it", "detail"):
        table.add_column(name, header_style="dim")
    for one in outcomes:
        table.add_row(plain(one.edit.summary(), 60), one.status.value, plain(one.detail, 80))
    return table
