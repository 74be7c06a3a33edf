"""`sitewright template`: what pages share."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitewright import formats
from sitewright.cli.group import NOTHING_FOUND
from sitewright.cli.options import (
    WORKERS,
    NumberRange,
    PageOptions,
    crawl_options,
    encoding_option,
    json_option,
    output_option,
    pages_argument,
    seed_option,
    settings_option,
)
from sitewright.cli.pages import open_page
from sitewright.cli.tables import facts, plain
from sitewright.methods import distill
from sitewright.site.open import is_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitewright.cli.console import Console
    from sitewright.page import Document
    from sitewright.site.web import CrawlOptions
    from sitewright.template import Template


_PAGE_ENDINGS = {".html", ".htm", ".xhtml"}
_SHOWN_TOKENS = 12


@click.command("template")
@pages_argument
@output_option("FILE", "File that gets the template as JSON: tokens and their support.")
@click.option(
    "--method",
    type=click.Choice(["default", "paper"]),
    default="default",
    show_default=True,
    help="Our own, or the consensus tree of the 2011 paper.",
)
@click.option(
    "--threshold",
    type=NumberRange(0, 1, min_open=True),
    metavar="PART",
    help="Share of the pages that must have a token.  [default: 2/3; paper: 1/2]",
)
@click.option(
    "--sample",
    type=click.IntRange(2),
    metavar="N",
    help="Use a random sample of N pages.  [default: all]",
)
@seed_option
@click.option(
    "--workers",
    type=WORKERS,
    default=1,
    show_default=True,
    help="Worker processes for the paper's method; the result is the same.",
)
@encoding_option
@json_option
@settings_option
@crawl_options
@click.pass_context
def command(
    context: click.Context,
    /,
    pages: tuple[str, ...],
    output: Path | None,
    sample: int | None,
    as_json: bool,
    method: Any,
    threshold: float | None,
    seed: int,
    workers: int,
    encoding: str | None,
    crawl: CrawlOptions,
) -> None:
    """Find the template that pages share: navigation, headers, footers, frames.

    PAGE is a file, a URL, or a folder with .html files. Give pages of one kind, 16 or so; `run`
    finds out for itself which pages are of one kind. The exit code is 1 if they share nothing.

    \b
    Example:
      sitewright template articles/*.html -o template.json
      sitewright strip -t template.json article17.html
    """
    console: Console = context.obj
    named = _sampled(list(_page_names(pages)), sample, seed)
    documents = list(_pages_only(console, named, crawl, PageOptions(encoding=encoding)))
    template = distill(documents, method=method, threshold=threshold, seed=seed, workers=workers)
    if output:
        formats.write(formats.output_folder(output.parent) / output.name, template)
    _print_result(console, template, output, as_json)
    if not template:
        console.note(f"These {len(documents)} pages have no template in common.")
    context.exit(0 if template else NOTHING_FOUND)


def _page_names(given: Sequence[str]) -> Iterator[str]:
    """Files and URLs as they are; of a folder the pages in it."""
    for where in given:
        path = Path(where)
        if where != "-" and not is_url(where) and path.is_dir():
            yield from (str(file) for file in sorted(path.iterdir()) if _is_page(file))
        else:
            yield where


def _is_page(file: Path) -> bool:
    return file.is_file() and file.suffix.lower() in _PAGE_ENDINGS


def _sampled(names: list[str], sample: int | None, seed: int) -> list[str]:
    if sample is None or sample >= len(names):
        return names
    return sorted(random.Random(seed).sample(names, sample))  # noqa: S311 - a sample is no secret


def _pages_only(
    console: Console, names: list[str], crawl: CrawlOptions, page: PageOptions
) -> Iterator[Document]:
    """Read pages; what is none is left out, and said to be."""
    for where in names:
        document = open_page(where, crawl, page)
        if b"\0" in document.body[:1024] and document.encoding.upper()[:6] != "UTF-16":
            console.note(f"{where}: not a page, left out")
        elif not document.body.strip():
            console.note(f"{where}: empty, left out")
        else:
            yield document


def _print_result(console: Console, template: Template, output: Path | None, as_json: bool) -> None:
    if not console.speaks_json(as_json):
        console.show(*_for_people(template, output))
    elif output is None:
        console.write_json(formats.contents(template))
    else:
        console.write_json({"output": str(output), **_summary(template)})


def _summary(template: Template) -> dict[str, Any]:
    supports = [token.support for token in template]
    return {
        "method": template.method,
        "pages": template.pages,
        "tokens": len(template),
        "in_all_pages": sum(support == 1 for support in supports),
        "mean_support": round(sum(supports) / len(supports), 4) if supports else 0.0,
    }


def _for_people(template: Template, output: Path | None) -> list[Any]:
    from rich.table import Table

    table = Table(title="First texts", title_justify="left", title_style="bold", box=None)
    table.add_column("pages", justify="right", header_style="dim")
    table.add_column("text", header_style="dim")
    texts = [token for token in template if token.kind.name == "TEXT"]
    for token in texts[:_SHOWN_TOKENS]:
        table.add_row(f"{token.support:.0%}", plain(token.spelling, 80))
    named = {name.replace("_", " "): value for name, value in _summary(template).items()}
    shown: list[Any] = [facts(str(output or "Template"), named)]
    return [*shown, table] if texts else shown
