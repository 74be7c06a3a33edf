"""`sitewright evaluate sensitivity`: what each setting is worth."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitewright.cli.options import json_option, output_option, settings_option

if TYPE_CHECKING:
    from sitewright.cli.console import Console
    from sitewright.evaluate.sensitivity import SettingScore


@click.command("sensitivity")
@click.argument("data", metavar="DATA...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--set-only", "prefix", metavar="PREFIX", default="", help="Only settings that begin so."
)
@click.option("--fast", is_flag=True, help="Four sites of each DATA, and few of their pages.")
@click.option("--extremes", is_flag=True, help="The lowest and highest values, too.")
@click.option(
    "--workers",
    type=click.IntRange(1),
    metavar="N",
    default=2,
    show_default=True,
    help="Worker processes.",
)
@output_option("FILE", "Write the list of all settings with these scores, as Markdown.")
@json_option
@settings_option
@click.pass_obj
def command(
    console: Console,
    /,
    data: tuple[Path, ...],
    prefix: str,
    fast: bool,
    extremes: bool,
    workers: int,
    output: Path | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Score labelled sites with each setting lowered and raised by 20%, one at a time.

    DATA is a folder (or one packed as .tar.xz) of one of these forms: sites and labels of page
    classes; the SWDE set; sites with known templates; the demo site with its truth. It measures the
    settings that decide there. The score is F* of page classes, F1 of the best column, F of a
    template's tokens or F of a skeleton's edges; "changed" is the number of sites where anything
    came out differently.

    \b
    Example:
      sitewright evaluate sensitivity demo/cup --fast --set-only wrapper.labels
    """
    from sitewright.evaluate.measures import unpacked
    from sitewright.evaluate.sensitivity import (
        FAST,
        Effort,
        measure_sensitivity,
        sensitivity_cases,
        settings_page,
        undecided_settings,
    )

    effort = FAST if fast else Effort()
    with ExitStack() as folders, console.progress() as progress:
        cases = [
            case
            for path in data
            for case in sensitivity_cases(folders.enter_context(unpacked(path)), effort)
        ]
        task = progress.add_task("measuring sites", total=len(cases))
        scores = measure_sensitivity(
            cases,
            prefix=prefix,
            with_extremes=extremes,
            workers=workers,
            progress=lambda done, all_of_them: progress.update(
                task, completed=done, total=all_of_them
            ),
        )
    if output is not None:
        output.write_text(settings_page(scores), encoding="utf-8")
    if console.speaks_json(as_json):
        for one in scores:
            console.write_json(one.as_json())
        return
    console.show(_table(scores))
    undecided = undecided_settings(scores)
    if undecided:
        console.note(f"changed nothing: {', '.join(undecided)}")


def _table(scores: list[SettingScore]) -> Any:
    from rich.table import Table

    table = Table(box=None, padding=(0, 1, 0, 0))
    table.add_column("setting", no_wrap=True)
    for heading in ("default", "change", "value", "score", "±", "columns ±", "changed"):
        table.add_column(heading, justify="right", header_style="dim")
    for row in (one.as_json() for one in scores):
        table.add_row(
            row["setting"],
            f"{row['default']}",
            row["change"],
            f"{row['value']}",
            f"{row['score']:.4f}",
            f"{row['difference']:+.4f}",
            f"{row['columns_difference']:+.1f}",
            f"{row['sites_changed']} of {row['sites']}",
        )
    return table
