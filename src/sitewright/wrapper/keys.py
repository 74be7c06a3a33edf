"""The key of a list: the field that tells its rows apart."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sitewright.wrapper.extract import Extractor, Record
from sitewright.wrapper.types import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.html import Document
    from sitewright.wrapper.wrapper import Field, Wrapper

_ORDER = (Kind.URL, Kind.TEXT)


def with_row_key(wrapper: Wrapper, documents: Sequence[Document]) -> Wrapper:
    """The wrapper of a class of lists with a key for its rows; any other as it is."""
    records = next((one for one in wrapper.record_sets if one.name == wrapper.rows), None)
    if records is None:
        return wrapper
    extractor = Extractor(wrapper)
    rows: list[dict[str, Any]] = []
    for document in documents:
        found = extractor.extract(document)
        if isinstance(found, Record):
            value = found.values[records.name]
            rows += value if isinstance(value, list) else []
    keys = [field for field in records.fields if _tells_apart(field, rows)]
    keys.sort(key=lambda field: field.type.kind not in _ORDER)
    return replace(wrapper, key=tuple(field.name for field in keys[:1]))


def _tells_apart(field: Field, rows: Sequence[dict[str, Any]]) -> bool:
    if field.many or len(rows) < 2:
        return False
    values = [row.get(field.name) for row in rows]
    return None not in values and len(set(values)) == len(values)
