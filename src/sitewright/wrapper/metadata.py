"""What pages say of themselves for machines: JSON-LD and the metas of their heads."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sitewright.wrapper.naming import Name, slug

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitewright.html import Document
    from sitewright.wrapper.fields import Candidate

_MOST = 1 << 20
_DEEPEST = 6
_KEYS = 500
_AGREE = 0.8
_STRONGER = frozenset({"label", "microdata"})


def said_values(document: Document) -> dict[str, set[str]]:
    """Texts that a page gives a key to, by text: `{"Ada Example": {"name"}}`."""
    found: dict[str, set[str]] = {}
    for key, value in (*_linked_data(document), *_metas(document)):
        found.setdefault(" ".join(value.split()), set()).add(key)
    return found


def named_by_metadata(
    candidates: Sequence[Candidate], documents: Sequence[Document]
) -> list[Candidate]:
    """The candidates, those with a name from classes or tags after what the pages call them."""
    said = [said_values(document) for document in documents]
    return [_named(one, said) for one in candidates]


def _named(one: Candidate, said: Sequence[dict[str, set[str]]]) -> Candidate:
    if one.name.source in _STRONGER:
        return one
    keys: Counter[str] = Counter()
    filled = 0
    for texts, page in zip(one.texts, said, strict=True):
        if texts:
            filled += 1
            keys.update(
                page.get(one.rule.extract_group(texts[0]), set()) | page.get(texts[0], set())
            )
    if not keys:
        return one
    key, count = max(keys.items(), key=lambda item: (item[1], item[0]))
    name = slug(key)
    is_known = name and count >= max(2, _AGREE * filled)
    return replace(one, name=Name(name, "metadata")) if is_known else one


def _metas(document: Document) -> Iterator[tuple[str, str]]:
    for meta in document.tree.iter_elements(("meta",)):
        key = meta.attr("property") or meta.attr("itemprop")
        value = meta.attr("content")
        if key and value:
            yield key.rsplit(":", 1)[-1], value


def _linked_data(document: Document) -> Iterator[tuple[str, str]]:
    for script in document.tree.iter_elements(("script",)):
        if (script.attr("type") or "").strip().lower() != "application/ld+json":
            continue
        text = script.text
        if len(text) > _MOST:
            continue
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            continue
        yield from _flat(data)


def _flat(data: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - any JSON
    """The texts and numbers of JSON data, each under the nearest key around it."""
    waiting: list[tuple[str, Any, int]] = [("", data, 0)]
    given = 0
    while waiting and given < _KEYS:
        key, value, depth = waiting.pop()
        if isinstance(value, dict) and depth < _DEEPEST:
            waiting += [(str(name), inner, depth + 1) for name, inner in value.items()]
        elif isinstance(value, list) and depth < _DEEPEST:
            waiting += [(key, inner, depth + 1) for inner in value]
        elif isinstance(value, (str, int, float)) and not key.startswith("@"):
            given += 1
            yield key, str(value)
