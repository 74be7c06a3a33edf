"""The columns that are compared with true values: those of records, and the floor.

The floor is a table that takes no skill: a column for every place of a text in the pages.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, TypeAlias

from sitewright.evaluate.extraction_truth import normalised
from sitewright.html import dom
from sitewright.wrapper import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sitewright.html import Document
    from sitewright.wrapper import Misfit

Column: TypeAlias = "Mapping[str, list[str]]"
"""The values on each page that has any."""
Columns: TypeAlias = "Mapping[str, Column]"
_UNSEEN = frozenset({"script", "style"})


def record_columns(records: Mapping[str, Record | Misfit]) -> Columns:
    """Every name in the records is a column; `SET.FIELD` has the values of all rows of a page.

    A page that the wrapper does not fit has no values.
    """
    values = (
        (page, name, value)
        for page, record in records.items()
        if isinstance(record, Record)
        for name, value in _named_values(record.values)
    )
    return _columns(values)


def floor_columns(documents: Mapping[str, Document]) -> Columns:
    """The positional XPath of every text in the pages is a column."""
    values = (
        (page, xpath, text)
        for page, document in documents.items()
        for xpath, text in positional_texts(document)
    )
    return _columns(values)


def positional_texts(document: Document) -> Iterator[tuple[str, str]]:
    """Every text of a page with its XPath by positions alone, without recursion."""
    waiting: list[tuple[dom.Tree | dom.Element, str]] = [(document.tree, "")]
    while waiting:
        holder, path = waiting.pop()
        counts: dict[str, int] = defaultdict(int)
        for child in holder.children:
            if isinstance(child, dom.Text):
                counts["text()"] += 1
                yield f"{path}/text()[{counts['text()']}]", child.data
            elif isinstance(child, dom.Element):
                counts[child.tag] += 1
                if child.tag not in _UNSEEN:
                    waiting.append((child, f"{path}/{child.tag}[{counts[child.tag]}]"))


def _columns(values: Iterable[tuple[str, str, str]]) -> Columns:
    columns: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for page, name, value in values:
        if told := normalised(value):
            columns[name].setdefault(page, []).append(told)
    return columns


def _named_values(values: Mapping[str, Any], inside: str = "") -> Iterator[tuple[str, str]]:
    """The values of a record under their names, one by one."""
    for name, held in values.items():
        for value in held if isinstance(held, list) else [held]:
            if isinstance(value, dict):
                yield from _named_values(value, f"{name}.")
            elif value is not None:
                yield inside + name, str(value)
