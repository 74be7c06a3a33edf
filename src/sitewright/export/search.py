"""A search index of a project: the text of every page without its template, block by block.

A SQLite file with the full-text index `blocks` (FTS5): `text` is searched; `url`, `class`, `title`
and `number`, the place of the block in its page, come with each hit::

    select class, url, snippet(blocks, 0, '[', ']', '…', 12)
    from blocks where blocks match 'goal' order by rank limit 10
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitewright import formats
from sitewright.errors import InputNotFound, InvalidInput, UnreadableInput
from sitewright.export.folder import TEMPLATE
from sitewright.formats import check_replaceable
from sitewright.methods import site_classifier
from sitewright.template import Template, strip

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitewright.classes import SiteModel
    from sitewright.page import Document
    from sitewright.site import Page


MIN_BLOCK = 200
"""Characters below which a block takes in the paragraph that follows, unless that is a heading."""
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_SCHEMA = """create virtual table blocks using fts5(
    text, title, url unindexed, class unindexed, number unindexed, tokenize = 'unicode61')"""


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A block that a query finds."""

    url: str
    page_class: str
    title: str
    number: int
    """The place of the block in its page, from 1."""
    snippet: str

    def as_json(self) -> dict[str, Any]:
        """One flat object."""
        data = asdict(self)
        return {"url": data.pop("url"), "class": data.pop("page_class"), **data}


def write_search_index(
    path: Path, model: SiteModel, templates: dict[str, Template], pages: Iterable[Page]
) -> dict[str, int]:
    """Write an index, complete or not at all; gives the number of pages and of blocks."""
    if path.is_dir():
        raise UnreadableInput(str(path), "is a folder; name a file")
    check_replaceable(path)
    classifier = site_classifier(model)
    counts = {"pages": 0, "blocks": 0}
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, partial = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    try:
        with closing(sqlite3.connect(partial)) as database, database:
            database.execute(_SCHEMA)
            for page in pages:
                document = page.document()
                name = classifier.classify(document).page_class or ""
                rows = [
                    (_storable(text), _storable(document.title), page.url, name, number)
                    for number, text in enumerate(page_blocks(document, templates.get(name)), 1)
                ]
                database.executemany("insert into blocks values (?, ?, ?, ?, ?)", rows)
                counts["pages"] += 1
                counts["blocks"] += len(rows)
            database.execute("insert into blocks(blocks) values ('optimize')")
        Path(partial).replace(path)
    finally:
        Path(partial).unlink(missing_ok=True)
    return counts


def page_blocks(document: Document, template: Template | None) -> Iterator[str]:
    """The text of a page without its template, cut before headings and between paragraphs."""
    tree = strip(document, template).tree if template else document.tree
    headings = {" ".join(one.text.split()) for one in tree.iter_elements(_HEADINGS)}
    block, is_headed = "", False
    for paragraph in filter(str.strip, tree.to_text().split("\n\n")):
        is_heading = " ".join(paragraph.split()) in headings
        is_long = len(block) >= MIN_BLOCK
        if block and (is_long or (is_heading and not is_headed)):
            yield block
            block = ""
        block = f"{block}\n\n{paragraph}" if block else paragraph
        is_headed = is_heading
    if block:
        yield block


def read_templates(out: Path, model: SiteModel) -> dict[str, Template]:
    """The templates of a project's classes, of those that have one."""
    files = {one.name: out / "classes" / one.name / TEMPLATE for one in model.classes}
    return {name: formats.read(file, Template) for name, file in files.items() if file.is_file()}


def search_blocks(path: Path, query: str, limit: int = 10) -> list[SearchHit]:
    """The blocks that an FTS5 query finds, the best first, with a snippet of each.

    What is no such query (`shoot-out`, `what?`) is taken for words that must all be there.
    """
    if not path.is_file():
        raise InputNotFound(str(path), "no search index here: sitewright export search OUT")
    statement = (
        "select url, class, title, number, snippet(blocks, 0, '[', ']', '…', 16) "
        "from blocks where blocks match ? order by rank limit ?"
    )
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            try:
                found = database.execute(statement, (query, limit)).fetchall()
            except sqlite3.OperationalError:
                found = database.execute(statement, (_as_words(query), limit)).fetchall()
    except sqlite3.DatabaseError as error:
        raise InvalidInput(query, f"not a query that SQLite understands: {error}") from None
    return [SearchHit(*row) for row in found]


def _as_words(query: str) -> str:
    """Each word in quotation marks, in which nothing has a meaning of its own."""
    words = query.replace('"', " ").replace("\0", " ").split()
    return " ".join(f'"{word}"' for word in words)


def _storable(text: str) -> str:
    """A broken page can hold half a character, which no file can."""
    return text.encode("utf-8", "replace").decode()
