"""Experiments on pages of one class: templates, texts without them, tables."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitewright.cli.evaluate.sites import plot_option, write_plot
from sitewright.cli.options import NumberRange, json_option, settings_option
from sitewright.errors import InputNotFound, InvalidInput, UnreadableInput
from sitewright.evaluate.extraction import (
    ExtractionCase,
    means,
    strangers_for,
    with_examples,
    without_labels,
)
from sitewright.evaluate.extraction_truth import labelled_sites
from sitewright.evaluate.measures import read_labels, unpacked
from sitewright.evaluate.plot import Series, line_plot
from sitewright.evaluate.template import (
    average,
    cluster_texts,
    read_true_template,
    run_site,
    site_sizes,
    template_sites,
)
from sitewright.methods import distill
from sitewright.page import Document
from sitewright.template import strip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitewright.choices import Method
    from sitewright.cli.console import Console
    from sitewright.evaluate.template import TemplateResult, TemplateSite
    from sitewright.template import Template


# template: templates against known ones.

_MOST_CURVES = 6
"""A drawing of more sites shows their mean alone."""

SIZES = (2, 4, 8, 16, 32, 64)
_TEMPLATE_COLUMNS = {
    "pages": "t",
    "precision": "P",
    "recall": "R",
    "f": "F",
    "ordered_f": "F in order",
    "tokens": "tokens",
    "jaccard": "Jaccard",
    "seconds": "seconds",
}


@click.command("template")
@click.argument("data", type=click.Path(path_type=Path))
@click.option(
    "--method",
    type=click.Choice(["default", "paper", "both"]),
    default="both",
    show_default=True,
    help="Our own method, the paper's, or one after the other.",
)
@click.option(
    "-t",
    "--pages",
    "sizes",
    type=click.IntRange(2),
    multiple=True,
    metavar="T",
    help="How many pages to distil; may be given several times.  [default: 2, 4, … 64]",
)
@click.option("--site", "only", metavar="NAME", multiple=True, help="Only this site.")
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="Which pages are drawn, and how the paper's method pairs them.",
)
@click.option(
    "--statistics", is_flag=True, help="Only the sizes of the sites: the paper's table 1."
)
@plot_option
@json_option
@settings_option
@click.pass_obj
def template_command(
    console: Console,
    /,
    data: Path,
    method: str,
    sizes: tuple[int, ...],
    only: tuple[str, ...],
    seed: int,
    statistics: bool,
    plot: Path | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Distil templates from t = 2 … 64 pages of sites whose template is known: the paper's table 2.

    DATA is a folder with a folder for each site, or such a folder packed as .tar.xz. P, R and F
    are over the multiset of tokens; F in order is over the longest common subsequence. Jaccard
    compares the template with that of the same pages in another order and with another seed. A
    site with fewer than t pages gives all it has. --plot draws F, and dashed the time, against t:
    the paper's figure 2.

    \b
    Example:
      sitewright evaluate template templates/sites.tar.xz -t 16
      sitewright evaluate template templates/sites.tar.xz --method paper --plot f.svg
    """
    methods: list[Any] = ["paper", "default"] if method == "both" else [method]
    with template_sites(data) as sites:
        chosen = [site for site in sites if not only or site.name in only]
        if not chosen:
            raise click.UsageError(f"no such site; there are: {', '.join(s.name for s in sites)}.")
        if statistics:
            _tell_rows(console, [site_sizes(site) for site in chosen], as_json=as_json)
            return
        rows = {
            each: _evaluate(console, chosen, each, sizes or SIZES, seed=seed, as_json=as_json)
            for each in methods
        }
    if plot is not None:
        write_plot(plot, _template_plot(rows))


def _tell_rows(console: Console, rows: list[dict[str, Any]], *, as_json: bool) -> None:
    if console.speaks_json(as_json):
        for row in rows:
            console.write_json(row)
        return
    from rich.table import Table

    table = Table(*(name.replace("_", " ") for name in rows[0]), box=None, header_style="dim")
    for row in rows:
        table.add_row(
            *(f"{value:,}" if isinstance(value, int) else value for value in row.values())
        )
    console.show(table)


def _template_plot(rows: dict[str, list[dict[str, Any]]]) -> str:
    """Figure 2: F of each site against t, or with two methods their means; dashed the time."""
    series: list[Series] = []
    colour = 0
    for method, found in rows.items():
        names = sorted({row["site"] for row in found}, key=lambda name: (name == "all", name))
        shown = names if len(rows) == 1 and len(names) <= _MOST_CURVES else ["all"]
        for name in shown:
            own = [row for row in found if row["site"] == name]
            label = method if name == "all" else name
            f = tuple((row["pages"], row["f"]) for row in own)
            series.append(Series(f"F, {label}", f, colour=colour))
            colour += 1
        means = tuple((row["pages"], row["seconds"]) for row in found if row["site"] == "all")
        series.append(Series(f"seconds, {method}", means, on_right=True, colour=colour - 1))
    title = "Templates of t pages against true ones"
    return line_plot(title, ("t", "F"), series, "seconds a site")


def _evaluate(
    console: Console,
    sites: list[TemplateSite],
    method: Method,
    sizes: tuple[int, ...],
    *,
    seed: int,
    as_json: bool,
) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    with console.progress() as progress:
        task = progress.add_task(f"distilling ({method})", total=len(sites) * len(sizes))
        for size in sizes:
            trials: list[TemplateResult] = []
            for site in sites:
                trials.append(run_site(site, size, method, seed))
                progress.advance(task)
            rows += [trial.as_json() for trial in trials]
            rows.append({**average(trials), "pages": size})
    if console.speaks_json(as_json):
        for row in rows:
            console.write_json({"method": method, **row})
    else:
        console.show(_template_table(method, rows))
    return rows


def _template_table(method: str, rows: list[dict[str, Any]]) -> Any:
    from rich.table import Table

    title = f"method: {method}"
    table = Table("site", title=title, title_justify="left", title_style="bold", box=None)
    for name in _TEMPLATE_COLUMNS.values():
        table.add_column(name, justify="right", header_style="dim")
    for row in sorted(rows, key=lambda row: (row["site"] == "all", row["site"], row["pages"])):
        style = "bold" if row["site"] == "all" else ""
        table.add_row(row["site"], *(_shown(row[name]) for name in _TEMPLATE_COLUMNS), style=style)
    return table


def _shown(value: float) -> str:
    return f"{value:,}" if value == int(value) and value > 1 else f"{value:.3f}"


# clustering: text clustering before and after templates are removed.

_CLUSTERING_SIZES = (8, 16)
"""The paper's."""


@click.command("clustering")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--labels",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Lines of path<TAB>category; or records as .jsonl, with --field.",
)
@click.option(
    "--field",
    default="category",
    show_default=True,
    metavar="NAME",
    help="The field of the records that is the category.",
)
@click.option(
    "--category",
    metavar="REGEX",
    help="The category is what this finds in the page's path: its first group.",
)
@click.option("--only", metavar="REGEX", help="Only pages whose category this finds something in.")
@click.option(
    "-t",
    "--pages",
    "sizes",
    type=click.IntRange(2),
    multiple=True,
    metavar="T",
    help="How many pages to distil; may be given several times.  [default: 8, 16]",
)
@click.option(
    "--baseline",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A template made by hand (JSON with tokens), to be removed for comparison.",
)
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="Which pages are distilled, and which centres clustering starts from.",
)
@plot_option
@json_option
@settings_option
@click.pass_obj
def clustering_command(
    console: Console,
    /,
    folder: Path,
    labels: Path | None,
    field: str,
    category: str | None,
    only: str | None,
    sizes: tuple[int, ...],
    baseline: Path | None,
    seed: int,
    plot: Path | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Cluster pages by their words, with their template and without it: the paper's table 4.

    FOLDER holds the pages; categories come from a file or from the pages' paths. The clustering
    is Furthest-Point-First; the measures are F, purity, NMI and NCE, with the size of all texts
    and the time. Redirect pages are left out. --baseline adds the paper's last column: the true
    template removed. --set starts=N changes how many clusterings are averaged. --plot draws the
    time, and dashed the size of the texts, against t: the paper's figure 3; 0 is with the template.

    \b
    Example:
      sitewright evaluate clustering flink-web/content --category '^(20\\d\\d)/../../'
      sitewright evaluate clustering demo/cup/site --labels demo/cup/truth/records/news.jsonl
    """
    if (labels is None) == (category is None):
        raise click.UsageError("give either --labels or --category.")
    found = _labelled(labels, field) if labels else _matched(folder, category or "")
    pages = list(_articles(folder, found, only))
    categories = [label for _document, label in pages]
    if len(set(categories)) < 2:
        raise InvalidInput(str(folder), "pages of two categories at least are needed")
    true_template = read_true_template(baseline) if baseline else None
    rows = []
    with console.progress() as progress:
        chosen = sizes or _CLUSTERING_SIZES
        task = progress.add_task("clustering", total=1 + 2 * len(chosen) + bool(true_template))
        documents = [document for document, _label in pages]
        for row in _variants(documents, categories, seed, chosen, true_template):
            rows.append({"pages": len(pages), "categories": len(set(categories)), **row})
            progress.advance(task)
    if plot:
        write_plot(plot, _clustering_plot(rows))
    if console.speaks_json(as_json):
        for row in rows:
            console.write_json(row)
    else:
        console.show(_clustering_table(rows))


def _clustering_plot(rows: list[dict[str, Any]]) -> str:
    """Seconds and kilobytes against t, from the pages as they are."""
    series = []
    for colour, method in enumerate(("paper", "default")):
        points = [row for row in rows if row["method"] in {"none", method}]
        seconds = tuple((row["t"], row["seconds"]) for row in points)
        size = tuple((row["t"], row["bytes"] / 1000) for row in points)
        series.append(Series(f"seconds, {method}", seconds, colour=colour))
        series.append(Series(f"kB, {method}", size, on_right=True, colour=colour))
    return line_plot("Clustering without the template", ("t", "seconds"), series, "kB of text")


def _variants(
    documents: list[Document],
    categories: list[str],
    seed: int,
    sizes: tuple[int, ...],
    baseline: Template | None,
) -> Iterator[dict[str, Any]]:
    """The pages as they are; without the template of t of them, by both methods; the true one."""
    texts = [document.tree.to_text() for document in documents]
    yield {"template": "none", "method": "none", "t": 0} | cluster_texts(
        texts, categories, seed=seed
    )
    for method in ("paper", "default"):
        for size in sizes:
            sample = random.Random(seed).sample(documents, min(size, len(documents)))  # noqa: S311
            template = distill(sample, method=method, seed=seed)
            texts = [strip(document, template).text for document in documents]
            about = {"template": f"{method}, t = {size}", "method": method, "t": size}
            yield about | cluster_texts(texts, categories, seed=seed)
    if baseline is not None:
        texts = [strip(document, baseline).text for document in documents]
        yield {"template": "baseline", "method": "baseline", "t": 0} | cluster_texts(
            texts, categories, seed=seed
        )


def _labelled(file: Path, field: str) -> dict[str, str]:
    if file.suffix != ".jsonl":
        return read_labels(file)
    try:
        records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        return {record["_url"]: str(record[field]) for record in records if field in record}
    except FileNotFoundError:
        raise InputNotFound(str(file)) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UnreadableInput(str(file), f"not records with _url: {error}") from None


def _matched(folder: Path, pattern: str) -> dict[str, str]:
    if not folder.is_dir():
        raise InputNotFound(str(folder))
    try:
        search = re.compile(pattern).search
    except re.error as error:
        raise InvalidInput(pattern, f"not a regular expression: {error}") from None
    paths = [path.relative_to(folder).as_posix() for path in folder.rglob("*.htm*")]
    matches = {path: search(path) for path in paths}
    return {path: (found[1] if found.re.groups else found[0]) or ""
            for path, found in matches.items() if found}  # fmt: skip


def _articles(
    folder: Path, labels: dict[str, str], only: str | None
) -> Iterator[tuple[Document, str]]:
    """Pages with their categories; redirect pages are no articles."""
    for path, label in sorted(labels.items()):
        if not (folder / path).is_file() or (only and not re.search(only, label)):
            continue
        document = Document((folder / path).read_bytes(), f"file:///{path}")
        if document.refresh is None:
            yield document, label


def _clustering_table(rows: list[dict[str, Any]]) -> Any:
    from rich.table import Table

    table = Table("template", box=None)
    names = [name for name in rows[0] if name not in {"template", "pages", "categories"}]
    for name in names:
        table.add_column(name.replace("_", " "), justify="right", header_style="dim")
    for row in rows:
        table.add_row(row["template"], *(f"{row[name]:,}" for name in names))
    table.title = f"{rows[0]['pages']} pages of {rows[0]['categories']} categories"
    return table


# extraction: tables against known values.

_EXTRACTION_COLUMNS = {
    "f": ("F", ".3f"),
    "columns": ("columns", ",.0f"),
    "floor_f": ("floor", ".3f"),
    "floor_columns": ("columns", ",.0f"),
    "mixed": ("mixed", ","),
    "cut": ("cut", ","),
    "glued": ("glued", ","),
    "misfits": ("misfits", ","),
    "wrong_values": ("wrong", ","),
    "noticed": ("noticed", ","),
    "false_alarms": ("false alarms", ","),
    "without_column": ("without column", ","),
    "told_without_column": ("told", ","),
}
"""For people: the heading of each measure, and how it is written."""
_RUN_COLUMNS = {
    "best": "best",
    "named": "named",
    "columns": "columns",
    "faulty": "faulty",
    "rejected": "rejected",
    "relations": "relations",
    "relations_named": "named",
    "fields": "fields",
    "fields_named": "named",
    "values": "values",
    "values_named": "named",
    "wrong_values": "wrong",
}
_METHODS = {"default": without_labels, "example": with_examples}
_RUN = "run"
_GOOD = 0.97
_LINE = 120


@click.command("extraction")
@click.argument("data", type=click.Path(path_type=Path))
@click.option(
    "--method",
    type=click.Choice([*_METHODS, _RUN]),
    default="default",
    show_default=True,
    help="Without labels, with one value of each attribute from three pages, or the whole run.",
)
@click.option(
    "--names",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="With --method run: lines of vertical, attribute and the words that name it.",
)
@click.option(
    "--pages",
    type=click.IntRange(1),
    metavar="N",
    help="Learn from the first N pages of each site.  [default: all]",
)
@click.option(
    "--foreign",
    type=NumberRange(0, 0.9),
    default=0.0,
    metavar="SHARE",
    help="Mix pages of another site in, this share of all.",
)
@click.option("--site", "only", metavar="NAME", multiple=True, help="Only this site.")
@json_option
@settings_option
@click.pass_obj
def extraction_command(
    console: Console,
    /,
    data: Path,
    method: str,
    names: Path | None,
    pages: int | None,
    foreign: float,
    only: tuple[str, ...],
    as_json: bool,
) -> None:  # fmt: skip
    """Compare the columns that wrappers give with the true values of the SWDE set.

    DATA is the set's folder, or the folder packed as .tar.xz. For each attribute the best column
    counts: a page is right when the field holds a true value, and every other value in the field
    counts against it. F1 is averaged over attributes, then sites, then verticals. Beside it stand
    the number of columns, and the floor: the best of all places of texts, with their number.

    Mixed columns hold one attribute on a tenth of the pages and another on another tenth. Cut
    values are a part of a true one; glued values hold a true one and more.

    Wrong values are noticed when they are left out, or flagged as unlike what was learnt; a right
    value that is flagged is a false alarm. Values of an attribute that no column holds are counted
    apart, as without a column.

    By example, three pages give one value of each attribute; the column that gets the attribute's
    name counts, on the other pages.

    With --method run the pages of each site go through the whole of `sitewright run`, unsorted.
    DATA may be pairs of a site at two dates or the demo site, too. Named: in a column whose name
    has a word for it (--names), a relation's own label, or the field's name. Faulty: columns that
    are constant, a copy of another, or a constant and another.

    \b
    Example:
      sitewright evaluate extraction swde-dev.tar.xz
      sitewright evaluate extraction swde-dev-2.tar.xz --method run --names swde-names.tsv
      sitewright evaluate extraction redesigns.tar.xz --method run --json
      sitewright evaluate extraction swde-dev.tar.xz --method example
      sitewright evaluate extraction swde-dev.tar.xz --pages 5 --foreign 0.1
    """
    is_json = console.speaks_json(as_json)
    if method == _RUN:
        if pages is not None or foreign:
            raise click.UsageError("--pages and --foreign are not for the whole run.")
        _evaluate_runs(console, data, names, only, is_json=is_json)
        return
    if names is not None:
        raise click.UsageError("--names is for --method run.")
    with unpacked(data) as folder:
        sites = labelled_sites(folder)
        chosen = [site for site in sites if not only or site.name in only]
        if not chosen:
            raise click.UsageError(f"no such site; there are: {', '.join(s.name for s in sites)}.")
        rows = []
        with console.progress() as progress:
            task = progress.add_task("learning and extracting", total=len(chosen))
            for site in chosen:
                case = ExtractionCase.of(site, pages, strangers_for(site, sites, foreign, pages))
                rows.append({"method": method, **_METHODS[method](case).as_json()})
                progress.advance(task)
                if is_json:
                    console.write_json(rows[-1])
    if is_json:
        console.write_json({"method": method, **means(rows)})
    else:
        from sitewright.cli.tables import plain

        doubts = (plain(doubt, _LINE) for doubt in _doubtful(rows))
        console.show(_extraction_table([*rows, means(rows)]), *doubts)


def _evaluate_runs(
    console: Console, data: Path, names: Path | None, only: tuple[str, ...], *, is_json: bool
) -> None:
    from sitewright.evaluate.run_tables import run_cases, run_means, run_scores

    rows: list[dict[str, Any]] = []
    with unpacked(data) as folder, console.progress() as progress:
        cases = run_cases(folder, names)
        chosen = [case for case in cases if not only or case.name in only]
        if not chosen:
            known = ", ".join(case.name for case in cases)
            raise click.UsageError(f"no such site; there are: {known}.")
        task = progress.add_task("running", total=len(chosen))
        for case in chosen:
            found = [_rounded(row) for row in run_scores(case)]
            progress.advance(task)
            rows += found
            for row in found if is_json else ():
                console.write_json({"method": _RUN, **row})
    mean = _rounded(run_means(rows))
    if is_json:
        console.write_json({"method": _RUN, **mean})
    else:
        console.show(_run_table([*rows, mean]))


def _rounded(row: dict[str, Any]) -> dict[str, Any]:
    return {
        name: round(value, 4) if isinstance(value, float) else value for name, value in row.items()
    }


def _run_table(rows: list[dict[str, Any]]) -> Any:
    from rich.table import Table

    table = Table(box=None, padding=(0, 1, 0, 0))
    table.add_column("site", no_wrap=True)
    there = [name for name in _RUN_COLUMNS if name in rows[-1]]
    for name in there:
        table.add_column(_RUN_COLUMNS[name], justify="right", header_style="dim")
    for row in rows:
        style = "bold" if row["site"] == "all" else ""
        cells = (f"{row[name]:.3f}".removesuffix(".000") if name in row else "" for name in there)
        table.add_row(row["site"], *cells, style=style)
    return table


def _extraction_table(rows: list[dict[str, Any]]) -> Any:
    from rich.table import Table

    table = Table(box=None, padding=(0, 1, 0, 0))
    table.add_column("site", no_wrap=True)
    for heading, _form in _EXTRACTION_COLUMNS.values():
        table.add_column(heading, justify="right", header_style="dim")
    for row in rows:
        style = "bold" if row["site"] == "all" else ""
        cells = (format(row[name], form) for name, (_heading, form) in _EXTRACTION_COLUMNS.items())
        table.add_row(row["site"], *cells, style=style)
    return table


def _doubtful(rows: list[dict[str, Any]]) -> list[str]:
    """The attributes that were not found well, in sentences, with the columns that came nearest."""
    return [
        f"{row['site']}: {name[2:]} has F {f:.3f} in its best column, {row['column' + name[1:]]}"
        for row in rows
        for name, f in row.items()
        if name.startswith("f_") and f < _GOOD
    ]
