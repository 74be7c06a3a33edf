"""`sitewright evaluate repair`: what check and repair make of sites at two dates."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitewright.cli.options import json_option, settings_option

if TYPE_CHECKING:
    from sitewright.cli.console import Console
    from sitewright.evaluate.repair import PairOutcome


@click.command("repair")
@click.argument("pairs", metavar="PAIRS", type=click.Path(path_type=Path))
@click.option(
    "--setting",
    "settings",
    type=click.Choice(["shared", "moved", "disjoint"]),
    multiple=True,
    help="What the two sides have in common; all three without it.",
)
@click.option("--pair", "names", metavar="NAME", multiple=True, help="Only this pair.")
@click.option(
    "--scrapling",
    "with_rival",
    is_flag=True,
    help="Try Scrapling's adaptive selectors on the same fields (pip install scrapling).",
)
@click.option(
    "--left-out",
    "is_left_out",
    is_flag=True,
    help="Compare fields by form with what the pairs of other sites teach, not as we ship it.",
)
@click.option("--fields", "with_fields", is_flag=True, help="Show every field.")
@json_option
@settings_option
@click.pass_obj
def repair_command(
    console: Console,
    /,
    pairs: Path,
    settings: tuple[str, ...],
    names: tuple[str, ...],
    with_rival: bool,
    is_left_out: bool,
    with_fields: bool,
    as_json: bool,
) -> None:
    """Check and repair pairs of one site at two dates, and compare with known values.

    PAIRS is a folder of pairs, each with before/, after/, pair.json, classes.tsv and truth.tsv.
    Beside the repair stands the old wrapper as it is, and with --scrapling another tool.

    \b
    Example:
      sitewright evaluate repair redesigns --setting shared
    """
    from sitewright.change.forms import shipped_form_model, using_form_model
    from sitewright.evaluate.form_training import form_cases, left_out_models
    from sitewright.evaluate.repair import RepairSetting, evaluate_pair, read_pairs, totals

    known = read_pairs(pairs)
    chosen = [one for one in known if not names or one.name in names]
    models = left_out_models(list(form_cases(known))) if is_left_out else {}
    is_json = console.speaks_json(as_json)
    for setting in map(RepairSetting, settings or ("shared", "moved", "disjoint")):
        outcomes: list[PairOutcome] = []
        for pair in chosen:
            with using_form_model(models.get(pair.name) or shipped_form_model()):
                outcomes.append(evaluate_pair(pair, setting, with_rival=with_rival))
            _print_result(console, outcomes[-1], is_json=is_json, with_fields=with_fields)
        total = {"pair": "all", "setting": str(setting), **totals(outcomes)}
        _print_item(console, total, is_json=is_json)


def _print_result(
    console: Console, outcome: PairOutcome, *, is_json: bool, with_fields: bool
) -> None:
    _print_item(console, outcome.scores(), is_json=is_json)
    for one in outcome.fields if with_fields else ():
        counts = {"right": one.right, "wrong": one.wrong, "missing": one.missing}
        shown = {"field": f"{one.page_class}.{one.field}", "column": one.column, **counts}
        _print_item(console, {**shown, "said": one.is_said}, is_json=is_json)


def _print_item(console: Console, item: dict[str, Any], *, is_json: bool) -> None:
    rounded = {
        name: round(value, 4) if isinstance(value, float) else value for name, value in item.items()
    }
    if is_json:
        console.write_json(rounded)
    else:
        click.echo("  ".join(f"{name} {value}" for name, value in rounded.items()))
