"""A small sketch of the values that a wrapper reads: enough to know them again, not to read them.

For some of the pages that it was learnt from, wrapper.json keeps a short hash of each value,
as what it means. Where the old tables are gone, `diff` and `repair` still tell by it which field is
which.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from sitewright.classes.features import evenly
from sitewright.settings import current
from sitewright.wrapper.reading import Extractor, Record
from sitewright.wrapper.values.dates import read_date
from sitewright.wrapper.values.quantities import read_number
from sitewright.wrapper.values.types import ValueKind
from sitewright.wrapper.wrapper import ValueSketch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitewright.page import Document
    from sitewright.wrapper.reading import Value
    from sitewright.wrapper.wrapper import Field, Wrapper

_EDGES = " \t.,;:|/\\\u00b7\u2022-\u2013\u2014\"'()[]<>\u201c\u201d\u2018\u2019\u00ab\u00bb"
_ISO = re.compile(r"(\d{4}-\d\d-\d\d)(?:[T ].*)?")
_SPACE = re.compile(r"\s+")
_LONGEST_TYPED = 40
_ADDRESSES = (ValueKind.URL, ValueKind.IMAGE)


def with_sketch(wrapper: Wrapper, documents: Sequence[Document]) -> Wrapper:
    """The wrapper with a sketch of what it reads on some of these pages."""
    extractor = Extractor(wrapper)
    pages = evenly(documents, current().wrapper.sketch_pages)
    found = [extractor.extract(page) for page in pages]
    records = [one for one in found if isinstance(one, Record)]
    columns: dict[str, tuple[str, ...]] = {}
    for one in wrapper.fields:
        columns[one.name] = tuple(_hashes(one, [record.values]) for record in records)
    for part in wrapper.record_sets:
        for one in part.fields:
            columns[f"{part.name}.{one.name}"] = tuple(
                _hashes(one, rows if isinstance(rows := record.values[part.name], list) else [])
                for record in records
            )
    known = {name: hashes for name, hashes in columns.items() if any(hashes)}
    return replace(wrapper, sketch=ValueSketch(tuple(one.url for one in records), known))


def _hashes(one: Field, rows: Sequence[dict[str, Value]]) -> str:
    """The hashes of a field in some rows; links mean other things elsewhere, and have none."""
    if one.type.kind in _ADDRESSES:
        return ""
    values: list[object] = []
    for row in rows:
        value = row.get(one.name)
        values += value if isinstance(value, list) else [value]
    keys = (value_key(value) for value in values if value not in (None, ""))
    most = current().wrapper.sketch_values
    return " ".join(value_hash(key) for key in islice(_distinct(keys), most) if key)


def _distinct(keys: Iterable[str]) -> Iterator[str]:
    """Each of some keys once, as they come: of a long list only the first are wanted."""
    seen: set[str] = set()
    for key in keys:
        if key not in seen:
            seen.add(key)
            yield key


def value_hash(key: str) -> str:
    """The hash of a value in the form in which it is compared."""
    return f"{zlib.crc32(key.encode('utf-8', 'replace')):08x}"


def value_key(value: object) -> str:
    """A value in the form in which it is compared: dates and numbers as what they mean."""
    if isinstance(value, int | float):
        return f"{float(value):.10g}"
    return _text_key(str(value))


@lru_cache(maxsize=1 << 16)
def _text_key(text: str) -> str:
    text = _SPACE.sub(" ", unicodedata.normalize("NFKC", text)).strip(_EDGES)
    if found := _ISO.fullmatch(text):
        return found[1]
    if len(text) <= _LONGEST_TYPED and any(map(str.isdigit, text)):
        date = read_date(text, "")
        if date is not None and not date.is_doubtful:
            return date.iso[:10]
        number = read_number(text, ".")
        if number is not None:
            return f"{float(number.value):.10g}"
    return text.casefold()
