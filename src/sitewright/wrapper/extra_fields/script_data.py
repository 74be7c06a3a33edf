"""Fields that only the page's scripts have: JSON-LD, and the state that programs are given.

`sku`, `gtin`, a currency or the number of reviews stand in no text of the page. A key whose values
no field has becomes one; where a field has them, the key has given it its name.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, NamedTuple

from sitewright.page.selector import Selector
from sitewright.page.steps import DataPath
from sitewright.settings import current
from sitewright.wrapper.columns import Statistics, ValueColumn, statistics
from sitewright.wrapper.fields import FieldCandidate
from sitewright.wrapper.naming.names import FieldName, slug
from sitewright.wrapper.naming.value_names import telling_key
from sitewright.wrapper.wrapper import Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sitewright.page import Document


_DATA = "data()"
"""The part of a column that stands in no element."""
_OF_THE_PROGRAM = frozenset(
    "hash token nonce csrf buildid requestid sessionid timestamp version locale lang language "
    "typename width height position assetprefix runtimeconfig".split()
)
"""Last words of keys that say nothing of what the page is about."""
_SAME = 0.9


class _DataKey(NamedTuple):
    name: str
    texts: tuple[tuple[str, ...], ...]
    """For each page its values."""
    known: Statistics


def with_script_data(
    candidates: Sequence[FieldCandidate], documents: Sequence[Document], width: int
) -> list[FieldCandidate]:
    """The candidates, and a field for each key of the scripts that none of them holds."""
    settings = current().wrapper.script_data
    found = list(candidates)
    if len(documents) < settings.min_pages:
        return found
    left = min(settings.max_keys, width - sum(one.width() for one in candidates))
    known = [_plain_texts(one.texts) for one in candidates]
    known += [_plain_texts([_values(one) for one in pages]) for pages in _typed(candidates)]
    for key in sorted(_keys(documents), key=_rank):
        plain = _plain_texts(key.texts)
        if left <= 0 or any(_is_same(plain, other) for other in known):
            continue
        if candidate := _candidate(key, documents):
            found.append(candidate)
            known.append(plain)
            left -= 1
    return found


def _typed(
    candidates: Iterable[FieldCandidate],
) -> list[list[list[str | int | float | None]]]:
    return [one.values() for one in candidates]


def _values(values: Iterable[str | int | float | None]) -> tuple[str, ...]:
    return tuple(str(value) for value in values if value is not None)


def _rank(key: _DataKey) -> tuple[int, int, str]:
    """What describes the page for everybody first, then what lies least deep."""
    is_state = not key.name[:1].isupper()
    return is_state, key.name.count("."), key.name


def _keys(documents: Sequence[Document]) -> list[_DataKey]:
    settings = current().wrapper.script_data
    data = [document.index.data() for document in documents]
    names = dict.fromkeys(name for page in data for name in page)
    found = []
    for name in names:
        if name.rpartition(".")[2].casefold().strip("_") in _OF_THE_PROGRAM:
            continue
        texts = tuple(
            tuple(" ".join(text.split()) for text in page.get(name, ()) if text.strip())
            for page in data
        )
        known = statistics(texts)
        is_telling = not known.fault(len(documents)) and known.worth() >= settings.min_worth
        if is_telling and _is_value(texts, documents):
            found.append(_DataKey(name, texts, known))
    return found


def _is_value(texts: Sequence[tuple[str, ...]], documents: Sequence[Document]) -> bool:
    """Whether a key has a few short texts, and not the page's own address."""
    settings = current().wrapper.script_data
    filled = [page for page in texts if page]
    counts = sorted(map(len, filled))
    lengths = sorted(len(text) for page in filled for text in page)
    own = sum(document.url in page for page, document in zip(texts, documents, strict=True))
    return (
        counts[len(counts) // 2] <= settings.max_texts_of_key
        and lengths[len(lengths) // 2] <= settings.max_length
        and 2 * own < len(filled)
    )


def _candidate(key: _DataKey, documents: Sequence[Document]) -> FieldCandidate | None:
    name = slug(telling_key(key.name))
    if not name or any(mark in key.name for mark in "'\""):
        return None
    crowded = sum(len(page) > 1 for page in key.texts)
    many = crowded > current().wrapper.columns.max_crowded_share * key.known.filled
    texts = key.texts if many else tuple(page[:1] for page in key.texts)
    end = 1 << 30  # behind all that stands in the page
    cells = {page: [end] for page in range(len(documents)) if texts[page]}
    column = ValueColumn("label", 0, _DATA, cells, many)
    rule = Rule(Selector((DataPath(key.name),)))
    return FieldCandidate(column, rule, 1.0, texts, key.known, FieldName(name, "metadata"))


def _plain_texts(texts: Iterable[Sequence[str]]) -> list[frozenset[str]]:
    return [frozenset(_plain(text) for text in page) for page in texts]


def _plain(text: str) -> str:
    """A text as it is compared: entities, white space and the form of numbers aside."""
    text = " ".join(html.unescape(text).split()).casefold()
    try:
        return f"{float(text):g}"
    except ValueError:
        return text


def _is_same(one: Sequence[frozenset[str]], other: Sequence[frozenset[str]]) -> bool:
    """Whether nearly all values of the one are values of the other."""
    filled = [(mine, theirs) for mine, theirs in zip(one, other, strict=True) if mine]
    return sum(mine <= theirs for mine, theirs in filled) >= _SAME * len(filled)
