"""Learning from labelled sites, and how good that is on a site left out."""

from __future__ import annotations

from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sitewright import formats
from sitewright.cli.options import settings_option
from sitewright.event_loop import run_async

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sitewright.change.forms import FormModel
    from sitewright.classes.similarity import PairModel
    from sitewright.cli.console import Console
    from sitewright.evaluate.class_training import LeftOut, MethodComparison, PairCase
    from sitewright.evaluate.classes import ClassSite
    from sitewright.evaluate.column_training import LabelledPages
    from sitewright.wrapper.choice.column_model import ColumnModel
    from sitewright.wrapper.values.value_model import ValueModel

_Case = TypeVar("_Case")
_SITES = click.argument(
    "sites", metavar="SITES...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
_MOST_LEARNT_FROM = 300
"""Pages of a site from which numbers are learnt, as those that ship: what longer explorations of
the site that is left out are worth is to be seen, not what they teach."""
_PAGES = click.option("--pages", type=click.IntRange(1), default=_MOST_LEARNT_FROM,
                      show_default=True, help="Most pages to visit of each site.")  # fmt: skip


def compare_classes(
    console: Console,
    sites: tuple[str, ...],
    size: tuple[int, int],
    columns: str,
    workers: int,
    as_json: bool,
) -> None:
    """Print a row for each site, whose classes were found with what the others taught.

    `size` has the most pages to visit of a site, and how many times.
    """
    from sitewright.evaluate.class_training import ComparedMethod, MethodComparison

    try:
        methods = tuple(ComparedMethod(name.strip()) for name in columns.split(","))
    except ValueError as error:
        raise click.BadParameter(f"{error}; there are {', '.join(ComparedMethod)}") from None
    labelled = _labelled(tuple(map(Path, sites)))
    asked = MethodComparison(*size, methods)
    rows = []
    for one in _left_out(labelled, asked, workers, console):
        rows.append(one.as_json())
        if console.speaks_json(as_json):
            console.write_json(rows[-1])
    if console.speaks_json(as_json):
        return
    from rich.table import Table

    table = Table(*(name.replace("_", " ") for name in rows[0]), box=None)
    for row in [*rows, _mean(rows)]:
        table.add_row(*(f"{cell:.3f}" if isinstance(cell, float) else str(cell)
                        for cell in row.values()))  # fmt: skip
    console.show(table)


def _mean(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The means of the columns; of the lowest, the lowest."""
    mean = {name: sum(row[name] for row in rows) / len(rows) for name in rows[0] if name != "site"}
    if "lowest" in mean:
        mean["lowest"] = min(row["lowest"] for row in rows)
    return {"site": f"mean of {len(rows)}"} | mean


def _left_out(
    sites: list[ClassSite], asked: MethodComparison, workers: int, console: Console
) -> Iterator[LeftOut]:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from sitewright.evaluate.class_training import compare_methods, left_out_models

    pages = min(asked.pages, _MOST_LEARNT_FROM)
    models = left_out_models(run_async(_cases(sites, pages, console)))
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    apply = map if workers == 1 else pool.map
    with console.progress() as progress, pool:
        task = progress.add_task("leaving sites out", total=len(sites))
        for one in apply(compare_methods, sites, models, repeat(asked)):
            progress.update(task, advance=1)
            yield one


async def _cases(sites: list[ClassSite], pages: int, console: Console) -> list[PairCase]:
    from sitewright.crawl.waves import CrawlPlan
    from sitewright.evaluate.class_training import pair_case
    from sitewright.evaluate.skeleton_truth import minimizer

    minimizer()  # says what is missing before any site is explored
    cases = []
    with console.progress() as progress:
        task = progress.add_task("exploring sites", total=len(sites))
        for one in sites:
            cases.append(await pair_case(one, CrawlPlan(limit=pages)))
            progress.update(task, advance=1)
    return cases


@click.command("train")
@click.argument("what", type=click.Choice(["classes", "columns", "names", "values", "forms"]))
@_SITES
@_PAGES
@click.option("--choose-thresholds", is_flag=True,
              help="For classes: choose the thresholds, too, on sites left out.")  # fmt: skip
@click.option("-o", "--output", metavar="FILE", required=True, type=click.Path(path_type=Path),
              help="Where the numbers go.")  # fmt: skip
@settings_option
@click.pass_obj
def train_command(
    console: Console,
    /,
    what: str,
    sites: tuple[Path, ...],
    pages: int,
    choose_thresholds: bool,
    output: Path,
) -> None:
    """Learn from labelled sites the numbers that we ship.

    `classes`: what makes two pages of one class; SITES are as in `sitewright evaluate classes`.
    In which order they are given changes nothing.
    `columns`: which columns of a table somebody wants; SITES are data as in `sitewright evaluate
    extraction --method run`. `names`: which of the names that a column could have is a good one,
    for comparison only: the rules that we ship do better. `values`: which values are unlike those
    of their column; SITES as for columns. `forms`: what makes two fields the same
    where no values can be compared; SITES are pairs as in `sitewright evaluate repair`. What the
    numbers are worth on sites left out is printed.

    \b
    Example:
      sitewright evaluate train classes cms-sites cms-sites-2 more-sites.tsv -o pairs.json
      sitewright evaluate train columns swde-dev swde-dev-2 redesigns demo/cup -o columns.json
      sitewright evaluate train names swde-dev swde-dev-2 redesigns demo/cup -o names.json
      sitewright evaluate train values swde-dev swde-dev-2 redesigns demo/cup -o values.json
      sitewright evaluate train forms redesigns -o forms.json
    """
    from sitewright.evaluate.class_training import train_pairs, train_weights

    if choose_thresholds and what != "classes":
        raise click.UsageError("--choose-thresholds is for classes.")
    train = train_pairs if choose_thresholds else train_weights
    of_data: dict[str, Callable[..., ColumnModel | FormModel | ValueModel]] = {
        "columns": _trained_columns,
        "names": _trained_names,
        "values": _trained_values,
        "forms": _trained_forms,
    }
    model: PairModel | ColumnModel | FormModel | ValueModel
    if what == "classes":
        model = train(run_async(_cases(_labelled(sites), pages, console)))
    else:
        model = of_data[what](sites, console)
    formats.write(formats.output_folder(output.parent) / output.name, model.rounded())
    console.note(f"wrote {output}")


def _trained_columns(data: tuple[Path, ...], console: Console) -> ColumnModel:
    from sitewright.evaluate.column_training import column_case, left_out, train_columns

    cases = _cases_of_columns(data, column_case, console)
    model = train_columns(cases)
    likely, wanted = left_out(cases)
    kept = likely >= model.keep_from
    console.note(
        f"{len(cases)} classes, each site left out: {kept[wanted].mean():.1%} of {wanted.sum()}"
        f" wanted columns kept, {1 - kept.mean():.1%} of {len(kept)} columns left out"
    )
    return model


def _trained_names(data: tuple[Path, ...], console: Console) -> ColumnModel:
    from sitewright.evaluate.name_training import compare_names, name_case, train_names

    cases = _cases_of_columns(data, name_case, console)
    shares = compare_names(cases)
    console.note(
        f"{shares.columns} columns with known data, each site left out: a good name has"
        f" {shares.rules:.1%} by the rules, {shares.learnt:.1%} by what is learnt;"
        f" {shares.possible:.1%} have one among their candidates"
    )
    return train_names(cases)


def _trained_values(data: tuple[Path, ...], console: Console) -> ValueModel:
    from sitewright.evaluate.alarm_training import alarm_case, alarm_shares, train_alarms

    cases = _cases_of_columns(data, alarm_case, console)
    model, odds = train_alarms(cases)
    for which, counted in (("all columns", False), ("those whose selectors count", True)):
        shares = alarm_shares(cases, odds, model.doubt_from, counted=counted)
        console.note(
            f"{which}, {shares.sites} sites, each left out: {shares.false_alarms:.2%} of the right"
            f" values doubted, {shares.beside_noticed:.1%} of the texts beside them, and"
            f" {shares.wrong_noticed} of {shares.wrong} that differ from what is known"
        )
    return model


def _cases_of_columns(
    data: tuple[Path, ...], make: Callable[[LabelledPages], _Case], console: Console
) -> list[_Case]:
    from sitewright.evaluate.column_training import labelled_pages, logistic_regression
    from sitewright.evaluate.measures import unpacked

    logistic_regression()  # says what is missing before any page is read
    cases = []
    for place in data:
        with unpacked(place) as folder, console.progress() as progress:
            labelled = list(labelled_pages(folder))
            task = progress.add_task("finding columns", total=len(labelled))
            for one in labelled:
                cases.append(make(one))
                progress.update(task, advance=1)
    return cases


def _trained_forms(data: tuple[Path, ...], console: Console) -> FormModel:
    from sitewright.evaluate.form_training import form_cases, left_out_forms, train_forms
    from sitewright.evaluate.measures import unpacked
    from sitewright.evaluate.repair import read_pairs

    cases = []
    for place in data:
        with unpacked(place) as folder, console.progress() as progress:
            pairs = read_pairs(folder)
            task = progress.add_task("learning both sides of pairs", total=len(pairs))
            for one in form_cases(pairs):
                cases.append(one)
                progress.update(task, advance=1)
    kinds = {case.name: case.kind for case in cases}
    for kind in ("redesign", "minor", "quiet"):
        found = [one for name, one in left_out_forms(cases).items() if kinds[name] == kind]
        kept, right, wrong, invented = (
            sum(getattr(one, name) for one in found)
            for name in ("kept", "found", "wrong", "invented")
        )
        console.note(
            f"{kind}, each site left out: {right} of {kept} fields that were kept are found,"
            f" {wrong} taken for others; {invented} without a partner get one"
        )
    return train_forms(cases)


def _labelled(paths: tuple[Path, ...]) -> list[ClassSite]:
    from sitewright.evaluate.classes import read_sites, refuse_copies

    sites = [site for path in paths for site in read_sites(path)]
    refuse_copies(sites)
    return sites
