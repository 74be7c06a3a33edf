"""`sitewright show`: what is known of a site, or of one of its classes."""

from __future__ import annotations

from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from sitewright.cli.group import NOTHING_FOUND
from sitewright.cli.options import json_option, out_argument

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rich.console import RenderableType

    from sitewright.cli.console import Console
    from sitewright.export.results import ProjectClass, Table
    from sitewright.export.search import SearchHit
    from sitewright.project import Project


_ROWS = 5
_ROW_COLUMNS = 6
_WIDEST = 24


@click.command("show")
@out_argument
@click.argument("name", metavar="[CLASS]", required=False)
@click.option(
    "--search",
    "query",
    metavar="QUERY",
    help="The blocks of text that an FTS5 query finds, as: 'penalty AND (goal OR save)'.",
)
@json_option
@click.pass_context
def command(
    context: click.Context, /, out: Path, name: str | None, query: str | None, as_json: bool
) -> None:
    """Show what is in a folder of results: its classes, or the table of one class.

    Without CLASS: the page classes, with how many pages and records each has. With CLASS: the
    columns of its table and of its record sets, each with its type, the share of the records that
    have a value, and samples; then the first records. With --json or in a pipe: one object a
    class; or one a column, then one a record. --search needs the index that `sitewright export
    search OUT` makes, and gives hits with their page, class and a snippet.

    \b
    Example:
      sitewright show out
      sitewright show out --search penalty
      sitewright show out player
      sitewright show out | jq -r '[.name, .url_template, .records] | @tsv'
    """
    from sitewright.project import load

    console: Console = context.obj
    project = load(out)
    to_program = console.speaks_json(as_json)
    if query is not None:
        hits = [hit for hit in project.search(query) if name in {None, hit.page_class}]
        _tell_hits(console, hits, to_program=to_program)
        context.exit(0 if hits else NOTHING_FOUND)
    if name is None and to_program:
        for one in _classes(project):
            console.write_json(one)
    elif name is None:
        from sitewright.cli.tables import class_table

        records = [len(one.table) for one in project.classes]
        console.show(
            class_table(project.model, records, project.counted_sizes, project.known_sizes)
        )
    elif to_program:
        for one in _contents(project[name]):
            console.write_json(one)
    else:
        console.show(*_tables_of(project[name]))
    if not any(table.path.is_file() for table in project.tables.values()):
        console.note(f"no records were extracted yet; next: sitewright run SITE -o {out}")


def _tell_hits(console: Console, hits: list[SearchHit], *, to_program: bool) -> None:
    from sitewright.cli.tables import plain

    for hit in hits:
        if to_program:
            console.write_json(hit.as_json())
        else:
            console.show(plain(f"{hit.page_class}  {hit.title}  {hit.url}", 200))
            console.show(plain(f"  {' '.join(hit.snippet.split())}", 400))


def _classes(project: Project) -> Iterator[dict[str, Any]]:
    """What is known of each class, without what only classification needs."""
    from sitewright import formats

    tables = {one.name: len(one.table) for one in project.classes}
    for one in formats.plain(project.model)["classes"]:
        for hidden in (
            "schema",
            "scores",
            "prior",
            "shares",
            "least_fit",
            "pages",
            "structure_deficit",
        ):
            del one[hidden]
        yield {**one, "records": tables[one["name"]]}


def _contents(page_class: ProjectClass) -> Iterator[dict[str, Any]]:
    """The columns of all tables of a class, then its first records."""
    for table in (page_class.table, *page_class.record_sets.values()):
        for column in table.describe():
            yield {"table": table.name, **asdict(column)}
    for record in _first(page_class.table):
        yield {"table": page_class.name, "record": record}


def _first(table: Table) -> Iterator[dict[str, Any]]:
    return islice(table.records(), _ROWS) if table.path.is_file() else iter(())


def _tables_of(page_class: ProjectClass) -> Iterator[RenderableType]:
    from sitewright.cli.tables import facts

    yield facts(
        page_class.name,
        {
            "URL pattern": page_class.url_template,
            "pages": page_class.size,
            "records": len(page_class.table),
            "sample": page_class.samples[0] if page_class.samples else "",
            **dict(_left_out(page_class)),
        },
    )
    for table in (page_class.table, *page_class.record_sets.values()):
        yield from (_columns(table), "")
    yield _rows(page_class.table)


def _left_out(page_class: ProjectClass) -> Iterator[tuple[str, str]]:
    """What the table does not have though pages say it: shared parts, and what never varies."""
    wrapper = page_class.wrapper
    shared = wrapper.shared_columns() if wrapper else ()
    if shared:
        samples = "; ".join(one.sample for one in shared)
        yield "other classes say it, too", f"{len(shared)} left out: {samples}"
    if wrapper and wrapper.constants:
        said = "; ".join(f"{one.name}: {one.samples[0]}" for one in wrapper.constants)
        yield "all pages say it", said


def _columns(table: Table) -> RenderableType:
    from rich.table import Table as RichTable

    from sitewright.cli.tables import plain

    title = f"{plain(table.name).plain}: {len(table):,} records"
    shown = RichTable(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    shown.add_column("column", header_style="dim")
    shown.add_column("type", header_style="dim")
    shown.add_column("filled", header_style="dim", justify="right")
    shown.add_column("samples", header_style="dim")
    for one in table.describe():
        samples = ", ".join(_text(value) for value in one.samples)
        shown.add_row(plain(one.name, 30), one.type, f"{one.filled:.0%}", plain(samples, 70))
    return shown


def _rows(table: Table) -> RenderableType:
    """The first records, as many columns as fit on a terminal."""
    from rich.table import Table as RichTable

    from sitewright.cli.tables import plain

    names = table.columns[:_ROW_COLUMNS]
    shown = RichTable(box=None, padding=(0, 2, 0, 0))
    for name in names:
        shown.add_column(plain(name, _WIDEST), header_style="dim", no_wrap=True)
    for record in _first(table):
        shown.add_row(*(plain(_text(record.get(name)), _WIDEST) for name in names))
    return shown


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        is_records = bool(value) and isinstance(value[0], dict)
        return f"{len(value)} records" if is_records else ", ".join(map(str, value))
    return str(value)
