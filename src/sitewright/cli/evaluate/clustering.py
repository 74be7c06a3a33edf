"""`sitewright evaluate clustering`: text clustering before and after templates are removed."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitewright.cli.options import json_option, settings_option
from sitewright.errors import InputNotFound, InvalidInput, UnreadableInput
from sitewright.evaluate.clustering import cluster_texts
from sitewright.evaluate.measures import read_labels
from sitewright.methods import distill
from sitewright.page import Document
from sitewright.template import strip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitewright.cli.console import Console


_SIZES = (8, 16)


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
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="Which pages are distilled, and which centres clustering starts from.",
)
@json_option
@settings_option
@click.pass_obj
def command(
    console: Console,
    /,
    folder: Path,
    labels: Path | None,
    field: str,
    category: str | None,
    only: str | None,
    seed: int,
    as_json: bool,
) -> None:  # fmt: skip
    """Cluster pages by their words, with their template and without it: the paper's table 4.

    FOLDER holds the pages; categories come from a file or from the pages' paths. The clustering
    is Furthest-Point-First; the measures are F, purity, NMI and NCE, with the size of all texts
    and the time. Redirect stubs are left out.

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
    rows = []
    with console.progress() as progress:
        task = progress.add_task("clustering", total=5)
        for row in _variants([document for document, _label in pages], categories, seed):
            rows.append({"pages": len(pages), "categories": len(set(categories)), **row})
            progress.advance(task)
    if console.speaks_json(as_json):
        for row in rows:
            console.write_json(row)
    else:
        console.show(_table(rows))


def _variants(
    documents: list[Document], categories: list[str], seed: int
) -> Iterator[dict[str, Any]]:
    """The pages as they are, then without the template of 8 and of 16 of them, by both methods."""
    texts = [document.tree.to_text() for document in documents]
    yield {"template": "none", **cluster_texts(texts, categories, seed=seed)}
    for method in ("paper", "default"):
        for size in _SIZES:
            sample = random.Random(seed).sample(documents, min(size, len(documents)))  # noqa: S311
            template = distill(sample, method=method, seed=seed)
            texts = [strip(document, template).text for document in documents]
            name = f"{method}, t = {size}"
            yield {"template": name, **cluster_texts(texts, categories, seed=seed)}


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
    """Pages with their categories; stubs that send the reader on are no articles."""
    for path, label in sorted(labels.items()):
        if not (folder / path).is_file() or (only and not re.search(only, label)):
            continue
        document = Document((folder / path).read_bytes(), f"file:///{path}")
        if document.refresh is None:
            yield document, label


def _table(rows: list[dict[str, Any]]) -> Any:
    from rich.table import Table

    table = Table("template", box=None)
    names = [name for name in rows[0] if name not in {"template", "pages", "categories"}]
    for name in names:
        table.add_column(name.replace("_", " "), justify="right", header_style="dim")
    for row in rows:
        table.add_row(row["template"], *(f"{row[name]:,}" for name in names))
    table.title = f"{rows[0]['pages']} pages of {rows[0]['categories']} categories"
    return table
