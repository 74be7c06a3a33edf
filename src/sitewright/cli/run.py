"""`sitewright run`: the whole job on one site. So far: visit its pages and inspect each."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitewright.cli.options import (
    crawl_options,
    crawl_settings,
    json_option,
    label_option,
    scope_option,
)
from sitewright.cli.tables import facts
from sitewright.html import Inspector, Labelling
from sitewright.output.files import complete_or_absent, json_line, output_folder
from sitewright.site import Missing, Scope, ScopeKind, breadth_first, open_site
from sitewright.site.open import is_url

if TYPE_CHECKING:
    from typing import IO

    from sitewright.cli.console import Console
    from sitewright.html import Inspection
    from sitewright.site import Site

NOTHING_FOUND = 1


@click.command("run")
@click.argument("site", metavar="SITE")
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    required=True,
    type=click.Path(path_type=Path),
    help="The folder for the results; it is made if it is not there.",
)
@click.option(
    "--pages", type=click.IntRange(1), default=300, show_default=True, help="Most pages to visit."
)
@click.option(
    "--base-url",
    metavar="URL",
    help="The address that a folder's pages had, or the page of an archive to start at.",
)
@scope_option
@label_option
@json_option
@crawl_options
@click.pass_context
def command(
    context: click.Context,
    /,
    site: str,
    output: Path,
    pages: int,
    base_url: str | None,
    scope: str,
    label: str,
    as_json: bool,
    **crawling: Any,
) -> None:  # fmt: skip
    """Do the whole job: visit a site's pages and find out what they are made of.

    OUT gets pages.jsonl, one JSON object for each visited page and each one that could not be
    had, and for a live site pages.warc.gz, all that was fetched. Stop it whenever you like: the
    same command goes on from there and fetches nothing twice.

    \b
    Example:
      sitewright run https://example.org/ -o out
      sitewright run demo/cup/site -o demo/out --pages 2000
    """
    console: Console = context.obj
    if is_url(site):
        Scope(site, ScopeKind(scope))  # a bad address is refused before a folder is made for it
        output_folder(output)
    opened = open_site(
        site,
        archive=output / "pages.warc.gz",
        base_url=base_url,
        scope=ScopeKind(scope),
        options=crawl_settings(max_pages=pages, **crawling),
    )
    with complete_or_absent(output_folder(output) / "pages.jsonl") as file:
        totals = asyncio.run(_visit(opened, pages, Labelling(label), file, console))
    if console.speaks_json(as_json):
        console.write_json({"site": opened.home, "output": str(output), **totals.as_json()})
    else:
        console.show(facts(opened.home, totals.for_people()))
    context.exit(0 if totals.pages else NOTHING_FOUND)


class _Totals:
    """What a visit adds up to."""

    def __init__(self) -> None:
        self.pages = self.links = self.tokens = 0
        self.schemas: set[bytes] = set()
        self.missing: Counter[str] = Counter()

    def add(self, inspection: Inspection) -> None:
        self.pages += 1
        self.links += inspection.link_count
        self.tokens += len(inspection.tokens)
        self.schemas.add(inspection.schema.key)

    def as_json(self) -> dict[str, Any]:
        return {
            "pages": self.pages,
            "schemas": len(self.schemas),
            "links": self.links,
            "tokens": self.tokens,
            "missing": dict(sorted(self.missing.items())),
        }

    def for_people(self) -> dict[str, Any]:
        shown = self.as_json()
        reasons = shown.pop("missing")
        return {**shown, **{f"missing, {reason}": count for reason, count in reasons.items()}}


async def _visit(
    site: Site, pages: int, labelling: Labelling, file: IO[str], console: Console
) -> _Totals:
    totals = _Totals()
    inspector = Inspector(labelling)
    with console.progress() as progress:
        task = progress.add_task("visiting pages", total=pages)
        async with aclosing(site), aclosing(breadth_first(site, limit=pages)) as visits:
            async for visit in visits:
                if isinstance(visit, Missing):
                    totals.missing[visit.reason] += 1
                    file.write(json_line({"url": visit.url, "missing": visit.reason}))
                else:
                    inspection = inspector.inspect(visit.document)
                    totals.add(inspection)
                    file.write(json_line(inspection.summary()))
                    progress.advance(task)
    return totals
