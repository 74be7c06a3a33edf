"""Sites whose values are known: the form of the SWDE set (Hao et al. 2011).

`VERTICAL/VERTICAL-SITE/ID.htm` are the pages of a site, one thing each. The true values of an
attribute stand in `groundtruth/VERTICAL/VERTICAL-SITE-ATTRIBUTE.txt`: two lines about the file,
then a line for each page, `id<TAB>number of values<TAB>value<TAB>...`, with `<NULL>` for none.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from html import unescape
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sitewright.errors import UnreadableInput
from sitewright.page import Document, parser
from sitewright.wrapper import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from sitewright.wrapper import Misfit


Truth: TypeAlias = "Mapping[str, tuple[str, ...]]"
"""For each page, by its id, the true values of an attribute in their order; empty for none."""
_NONE = "<NULL>"
_ABOUT = 2
"""Lines at the head of a file of true values."""
_COUNTED = re.compile(r"\(\d+\)$")
"""The full set writes the number of pages behind the name of a site."""


@dataclass(frozen=True, slots=True)
class ExtractionSite:
    """A site of one vertical: its pages, and the true values of a few attributes."""

    name: str
    vertical: str
    files: tuple[Path, ...]
    truth: Mapping[str, Truth]
    """By attribute; attributes without any true value on the site are left out."""

    def documents(self) -> dict[str, Document]:
        """The pages by their ids, parsed."""
        return {
            file.stem: Document(file.read_bytes(), f"http://{self.name}.invalid/{file.name}")
            for file in self.files
        }


def normalised(text: str) -> str:
    """White space collapsed, no-break spaces too, and entities replaced: nothing else.

    Files of true values hold entities as pages write them, some of them written twice over
    (`&amp;amp;`), so that a value of a page, which a parser has read, compares equal.
    """
    return " ".join(unescape(unescape(text)).split())


def labelled_sites(folder: Path) -> list[ExtractionSite]:
    """The sites of a folder, in the order of their names."""
    truths: dict[str, dict[str, Truth]] = {}
    for file in sorted(folder.glob("**/groundtruth/*/*.txt")):
        site, _, attribute = file.stem.rpartition("-")
        truths.setdefault(site, {})[attribute] = _read_truth(file)
    folders = {_COUNTED.sub("", path.name): path for path in folder.rglob("*") if path.is_dir()}
    found = [_site(name, folders[name], truths[name]) for name in sorted(truths) if name in folders]
    sites = [site for site in found if site.files and site.truth]
    if not sites:
        raise UnreadableInput(str(folder), "no pages with true values (groundtruth) in it")
    return sites


def _site(name: str, folder: Path, truth: Mapping[str, Truth]) -> ExtractionSite:
    files = tuple(sorted(folder.glob("*.htm*")))
    ids = {file.stem for file in files}
    here = {
        attribute: {page: values for page, values in pages.items() if page in ids}
        for attribute, pages in truth.items()
    }
    labelled = {attribute: pages for attribute, pages in here.items() if any(pages.values())}
    return ExtractionSite(name, name.partition("-")[0], files, labelled)


def _read_truth(file: Path) -> Truth:
    try:
        lines = file.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableInput(str(file), f"not a file of true values: {error}") from None
    rows = [line.split("\t") for line in lines[_ABOUT:] if line.strip()]
    return {row[0].strip(): _values(row[2:]) for row in rows}


def _values(written: list[str]) -> tuple[str, ...]:
    values = (normalised(value) for value in written if value.strip() != _NONE)
    return tuple(filter(None, values))


# The columns that are compared with true values: those of records, and the floor.
#
# The floor is a table that takes no skill: a column for every place of a text in the pages.

ColumnValues: TypeAlias = "Mapping[str, list[str]]"
"""The values on each page that has any."""
ColumnsByName: TypeAlias = "Mapping[str, ColumnValues]"
_UNSEEN = frozenset({"script", "style"})


def record_columns(records: Mapping[str, Record | Misfit]) -> ColumnsByName:
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


def floor_columns(documents: Mapping[str, Document]) -> ColumnsByName:
    """The positional XPath of every text in the pages is a column."""
    values = (
        (page, xpath, text)
        for page, document in documents.items()
        for xpath, text in positional_texts(document)
    )
    return _columns(values)


def positional_texts(document: Document) -> Iterator[tuple[str, str]]:
    """Every text of a page with its XPath by positions alone, without recursion."""
    waiting: list[tuple[parser.Tree | parser.Element, str]] = [(document.tree, "")]
    while waiting:
        holder, path = waiting.pop()
        counts: dict[str, int] = defaultdict(int)
        for child in holder.children:
            if isinstance(child, parser.Text):
                counts["text()"] += 1
                yield f"{path}/text()[{counts['text()']}]", child.data
            elif isinstance(child, parser.Element):
                counts[child.tag] += 1
                if child.tag not in _UNSEEN:
                    waiting.append((child, f"{path}/{child.tag}[{counts[child.tag]}]"))


def _columns(values: Iterable[tuple[str, str, str]]) -> ColumnsByName:
    columns: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for page, name, value in values:
        if text := normalised(value):
            columns[name].setdefault(page, []).append(text)
    return columns


def _named_values(values: Mapping[str, Any], inside: str = "") -> Iterator[tuple[str, str]]:
    """The values of a record under their names, one by one."""
    for name, held in values.items():
        for value in held if isinstance(held, list) else [held]:
            if isinstance(value, dict):
                yield from _named_values(value, f"{name}.")
            elif value is not None:
                yield inside + name, str(value)


# How well the columns of a table agree with attributes whose true values are known.
#
# For each attribute the column that fits it best counts. On a page it is right when it holds a true
# value; every other value in it counts against it. The value must be the field: a field that merely
# contains it is wrong.

MIXED = 0.1
"""The share of the pages that each of two attributes has in a column that mixes them."""


class ColumnFit(NamedTuple):
    """The column that fits an attribute best, and how well."""

    f: float
    column: str


class Harm(NamedTuple):
    """What those who use the table would hate."""

    mixed: int
    """Columns that hold one attribute on some pages and another on others."""
    cut: int
    """Values in the best columns that are only a part of a true value."""
    glued: int
    """Values in the best columns that hold a true value and more."""


def f_measure(column: ColumnValues, truth: Truth) -> float:
    """F1 of right pages, against all wrong values and against all pages that have a true value."""
    right = wrong = 0
    for page, true in truth.items():
        values = column.get(page, ())
        right += any(value in true for value in values)
        wrong += sum(value not in true for value in values)
    expected = sum(1 for true in truth.values() if true)
    return 2 * right / (right + wrong + expected) if right else 0.0


def best_fits(columns: ColumnsByName, truths: Mapping[str, Truth]) -> dict[str, ColumnFit]:
    """For each attribute the column that fits it best; of equals the first."""
    return {attribute: best_fit(columns, truth) for attribute, truth in truths.items()}


def best_fit(columns: ColumnsByName, truth: Truth) -> ColumnFit:
    """The column that fits an attribute best."""
    fits = (ColumnFit(f_measure(column, truth), name) for name, column in columns.items())
    return max(fits, key=lambda fit: fit.f, default=ColumnFit(0.0, ""))


def harm(
    columns: ColumnsByName, truths: Mapping[str, Truth], fits: Mapping[str, ColumnFit]
) -> Harm:
    """Count mixed columns, and values that are cut or glued in the best ones."""
    wrong = [
        pair
        for attribute, fit in fits.items()
        for pair in _wrong_values(columns.get(fit.column, {}), truths[attribute])
    ]
    return Harm(
        mixed=sum(mixes(column, truths) for column in columns.values()),
        cut=sum(any(value in one for one in true) for value, true in wrong),
        glued=sum(any(one in value for one in true) for value, true in wrong),
    )


def mixes(column: ColumnValues, truths: Mapping[str, Truth]) -> bool:
    """Whether two attributes stand in a column, each on a tenth of the pages without the other."""
    held = [_pages_with(column, truth) for truth in truths.values()]
    least = MIXED * max(map(len, truths.values()), default=0)
    return any(
        min(len(one - other), len(other - one)) >= max(least, 1)
        for one, other in combinations(held, 2)
    )


def _pages_with(column: ColumnValues, truth: Truth) -> set[str]:
    """The pages on which a column holds a true value."""
    return {
        page for page, true in truth.items() if any(value in true for value in column.get(page, ()))
    }


def _wrong_values(column: ColumnValues, truth: Truth) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each wrong value with the values that are true on its page."""
    for page, true in truth.items():
        yield from ((value, true) for value in column.get(page, ()) if value not in true)
