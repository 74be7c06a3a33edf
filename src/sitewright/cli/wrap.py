"""`sitewright wrap`: a wrapper from example values."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from sitewright.cli.options import (
    Place,
    SiteOptions,
    base_url_option,
    crawl_options,
    home_option,
    json_option,
    out_argument,
    refuse,
    refuse_without_effect,
    scope_option,
)
from sitewright.cli.running import run_async
from sitewright.errors import InvalidInput
from sitewright.site.scope import ScopeKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from rich.table import Table

    from sitewright.classes import SiteModel
    from sitewright.cli.console import Console
    from sitewright.html import Document
    from sitewright.site import Site
    from sitewright.site.web.options import CrawlOptions
    from sitewright.wrapper import Wrapper
    from sitewright.wrapper.example_records import Examples

_PAGES = 200
"""The most pages that are asked of a live site; those of the class are in its archive."""


@click.command("wrap")
@out_argument
@click.option(
    "--class", "name", metavar="NAME", help="Page class. Default: that of the first --page."
)
@click.option(
    "--field",
    "fields",
    metavar="NAME=VALUE",
    multiple=True,
    required=True,
    help="Name of a field and a value that it has on a page. May be repeated.",
)
@click.option(
    "--page",
    "pages",
    metavar="URL",
    multiple=True,
    help="Page that has the values. Default: the pages that the class was learnt from.",
)
@click.option(
    "--site",
    metavar="SITE",
    type=Place(),
    help="Where the pages are. Default: where they were when OUT was made.",
)
@base_url_option
@home_option
@scope_option
@json_option
@crawl_options
@click.pass_context
def command(
    context: click.Context,
    /,
    out: Path,
    name: str | None,
    fields: tuple[str, ...],
    pages: tuple[str, ...],
    site: str | None,
    base_url: str | None,
    home: str | None,
    scope: str,
    as_json: bool,
    crawl: CrawlOptions,
) -> None:
    """Make the wrapper of a class from examples: one or a few values choose and name its fields.

    OUT is a folder with model.json, as `sitewright run` makes it. The wrapper takes the place of
    the one that was learnt without examples; `sitewright extract` then fills the tables.

    \b
    Example:
      sitewright wrap out --class player --field name="Ada Example" --field birth=1990-05-01 \\
          --page https://example.org/players/ada
    """
    from sitewright.classes import read_model

    console: Console = context.obj
    model = read_model(out)
    values = _values(fields)
    if site is None:
        refuse(context, ("base_url", "home", "scope"), "needs --site")
        source = _source(out)
        refuse_without_effect(context, [source.where])
    else:
        source = SiteOptions(where=site, base_url=base_url, home=home, scope=ScopeKind(scope))
    opened = source.open(replace(crawl, max_pages=_PAGES), out)
    wrapper = run_async(_wrapped(model, opened, name, values, pages))
    from sitewright.output.wrappers import write_wrapper

    write_wrapper(out, wrapper)
    if console.speaks_json(as_json):
        for field in wrapper.all_fields():
            console.write_json(field.as_json())
        return
    console.show(_table(wrapper))
    where = f"{out} {source.where} --class {wrapper.page_class}"
    console.note(f"fill its table with: sitewright extract {where}")


def _values(fields: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for field in fields:
        name, equals, value = field.partition("=")
        if not equals or not value.strip() or not name.strip().isidentifier():
            raise InvalidInput(f"--field {field}", "write it as NAME=VALUE")
        if name.strip().endswith("_raw") or name.strip().startswith("_"):
            raise InvalidInput(f"--field {field}", "names like _x and x_raw are taken")
        found.setdefault(name.strip(), []).append(value)
    return found


def _source(out: Path) -> SiteOptions:
    """The site that OUT was made from."""
    from sitewright.output.source import read_source

    source = read_source(out)
    return SiteOptions(
        where=source.site, base_url=source.base_url, home=source.home, scope=source.scope
    )


async def _wrapped(
    model: SiteModel,
    site: Site,
    name: str | None,
    values: Mapping[str, Sequence[str]],
    pages: Sequence[str],
) -> Wrapper:
    from sitewright.classes import documents_of
    from sitewright.wrapper import by_example

    async with aclosing(site):
        named = await _named_pages(site, pages)
        page_class = _class(model, name, named)
        sample = await documents_of(model.by_name(page_class), site)
    known = {document.url for document in named}
    documents = [*named, *(one for one in sample if one.url not in known)]
    examples = _examples(documents, len(named) or len(documents), values)
    return by_example(documents, examples, page_class)


async def _named_pages(site: Site, pages: Sequence[str]) -> list[Document]:
    from urllib.parse import urljoin

    from sitewright.site import Missing
    from sitewright.site.open import is_url

    # A page of a folder may be named by the way from its home page.
    absolute = [page if is_url(page) else urljoin(site.home, page) for page in pages]
    addresses = [site.address(page) or page for page in absolute]
    documents: list[Document] = []
    for page, outcome in zip(pages, await site.fetch(addresses), strict=True):
        if isinstance(outcome, Missing):
            raise InvalidInput(page, outcome.reason)
        documents.append(outcome.document())
    return documents


def _class(model: SiteModel, name: str | None, pages: Sequence[Document]) -> str:
    from sitewright.classes import Classifier

    known = [one.name for one in model.classes if not one.is_stub]
    if name is None and pages:
        name = Classifier(model).classify(pages[0]).page_class
    if name is None:
        raise InvalidInput("--class", "name one of " + ", ".join(known))
    if name not in known:
        raise InvalidInput(name, "no such class; there are " + ", ".join(known))
    return name


def _examples(
    documents: Sequence[Document], among: int, values: Mapping[str, Sequence[str]]
) -> Examples:
    """For each field a page that has its value, for each of its values."""
    from sitewright.wrapper.sought import page_texts, pages_with

    pages = [page_texts(document) for document in documents[:among]]
    found: dict[str, dict[int, str]] = {}
    for name, wanted in values.items():
        found[name] = {}
        for value in wanted:
            places = pages_with(pages, value)
            free = [place for place in places if place not in found[name]]
            if not free:
                why = "no page has this value; name one that has it: --page URL"
                raise InvalidInput(f"{name}={value}", why)
            found[name][free[0]] = value
    return found


def _table(wrapper: Wrapper) -> Table:
    from rich.table import Table

    from sitewright.cli.tables import plain

    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("field", "type", "coverage", "stability", "samples", "rule"):
        table.add_column(column, header_style="dim")
    for field in wrapper.all_fields():
        table.add_row(
            plain(field.name, 30),
            str(field.type.kind),
            f"{field.coverage:.0%}",
            f"{field.stability:.0%}",
            plain(", ".join(field.samples[:3]), 40),
            plain(field.rule.xpath, 60),
        )
    return table
