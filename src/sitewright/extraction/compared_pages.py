"""What pages say now beside what the sketch of their wrapper, or an older table, has of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sitewright.extraction.alarms import Alarm, AlarmKind, has_value, shown_value
from sitewright.extraction.value_changes import (
    NUMBERS,
    ValueChange,
    broken_letters,
    cut_off,
    doubled_values,
    fewer_values,
    mixed_rows,
    now_constant,
    other_numbers,
    other_words,
    written_otherwise,
)
from sitewright.page.url import folder_url, split_url
from sitewright.settings import current
from sitewright.wrapper.values.sketch import value_hash, value_key
from sitewright.wrapper.values.types import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sitewright.wrapper import Wrapper


FieldValues = dict[str, Any]
"""What a page says: each field by its name; those of record sets, too, as `SET.FIELD`."""
_Keys = tuple[str, ...]
"""The values of a field on a page, as hashes of what they mean."""
_Detector = Callable[[Sequence[ValueChange], ValueKind], list[ValueChange]]
_ODD: tuple[tuple[AlarmKind, _Detector], ...] = (
    (AlarmKind.BROKEN, broken_letters),
    (AlarmKind.CUT_OFF, cut_off),
    (AlarmKind.WRITTEN_OTHERWISE, written_otherwise),
    (AlarmKind.OTHER_VALUES, now_constant),
    (AlarmKind.OTHER_VALUES, other_words),
    (AlarmKind.OTHER_VALUES, other_numbers),
)

_ODD_LISTS = (
    (AlarmKind.FEWER_VALUES, fewer_values),
    (AlarmKind.DOUBLED, doubled_values),
)


_ADDRESSES = frozenset({ValueKind.URL, ValueKind.IMAGE})


@dataclass(frozen=True, slots=True)
class _ComparedPage:
    """A page that is known: its fields before and now."""

    url: str
    before: dict[str, _Keys]
    now: dict[str, _Keys]
    texts_before: dict[str, tuple[str, ...]] | None
    """None: only hashes are known."""
    texts: dict[str, tuple[str, ...]]

    def change(self, name: str) -> ValueChange | None:
        """What became of a field that had a value and has one."""
        before, now = self.before.get(name), self.now.get(name)
        if not before or not now:
            return None
        known = None if self.texts_before is None else self.texts_before.get(name, ())
        return ValueChange(self.url, before, now, self.texts.get(name, ()), known)


class ComparedPages:
    """Known pages: what their fields said when they were last read or learnt from, and say now.

    Of pages that nobody has the old values of, the sketch in wrapper.json knows some.
    """

    def __init__(self, wrapper: Wrapper) -> None:
        self._class = wrapper.page_class
        self._kinds = {one.name: one.type.kind for one in wrapper.fields}
        self._lists = {one.name for one in wrapper.fields if one.many}
        self._references = {one.name for one in wrapper.fields if one.references}
        for records in wrapper.record_sets:
            inner = {f"{records.name}.{one.name}": one.type.kind for one in records.fields}
            self._kinds |= inner
            self._lists |= inner.keys()
        self._sketch: dict[str, dict[str, _Keys]] = {}
        for turn, url in enumerate(wrapper.sketch.urls):
            hashes = ((name, of[turn : turn + 1]) for name, of in wrapper.sketch.values.items())
            self._sketch[place_of(url)] = {
                name: tuple(held[0].split()) for name, held in hashes if held
            }
        self._pages: list[_ComparedPage] = []

    def add(self, url: str, now: FieldValues, before: FieldValues | None) -> None:
        """Count a page, if it is known what it said."""
        texts = None if before is None else self._shown(before)
        known = self._sketch.get(place_of(url)) if texts is None else _hashed(texts)
        if known is not None:
            shown = self._shown(now)
            self._pages.append(_ComparedPage(url, known, _hashed(shown), texts, shown))

    def learnt_with(self, url: str) -> Mapping[str, _Keys]:
        """The values of this page that the wrapper was learnt with, by the field's name."""
        return self._sketch.get(place_of(url), {})

    def _shown(self, values: FieldValues) -> dict[str, tuple[str, ...]]:
        found = {}
        for name in self._kinds:
            value = values.get(name)
            held = value if isinstance(value, list) else [value]
            found[name] = tuple(str(one) for one in held if has_value(one))
        return found

    def _changes(self, name: str) -> list[ValueChange]:
        """The pages where a field had a value and has one."""
        found = (page.change(name) for page in self._pages)
        return [one for one in found if one is not None]

    def is_unchanged(self, name: str) -> bool:
        """Whether a field says what it said on practically all known pages."""
        settings = current().change
        changes = self._changes(name)
        same = sum(not one.is_changed for one in changes)
        return same >= settings.min_pairs and same >= settings.other_share * len(changes)

    def is_number_in_doubt(self, name: str) -> bool:
        """Whether a number is another one on all pages, and these are too few to rank them."""
        changes = self._changes(name) if self._kinds.get(name) in NUMBERS else []
        few = len(changes) < current().change.min_ranked_pages
        return few and len(changes) > 1 and all(one.is_changed for one in changes)

    def odd_values(self, name: str) -> Iterator[Alarm]:
        """An alarm for a field that has values of its type, which cannot be right."""
        changes = self._changes(name)
        kind = self._kinds.get(name)
        if not changes or kind is None:
            return
        for alarm, is_odd in _ODD:
            is_told = is_odd is not other_words or name not in self._references
            if is_told and (found := is_odd(changes, kind)):
                yield self._alarm(alarm, name, len(changes), found)
                return
        if name in self._lists and kind not in _ADDRESSES:
            yield from self._odd_lists(name, changes)

    def _odd_lists(self, name: str, changes: Sequence[ValueChange]) -> Iterator[Alarm]:
        for alarm, is_odd in _ODD_LISTS:
            if found := is_odd(changes):
                yield self._alarm(alarm, name, len(changes), found)
                return
        for other in self._kinds:
            is_same_set = "." in name and other.rpartition(".")[0] == name.rpartition(".")[0]
            if is_same_set and (found := mixed_rows(changes, self._changes(other))):
                yield self._alarm(AlarmKind.MIXED_ROWS, name, len(changes), found)
                return

    def of_another_field(self, name: str) -> Iterator[Alarm]:
        """An alarm for a field that says what another said: two changed places, or one is gone."""
        settings = current().change
        changed = [
            page
            for page in self._pages
            if (change := page.change(name)) and not set(change.now) & set(change.before)
        ]
        pages = len(self._changes(name))
        if len(changed) < max(settings.min_pairs, settings.min_moved_share * pages):
            return
        for other in self._kinds:
            moved = [page for page in changed if other != name and self._is_of(page, name, other)]
            values = {page.now[name] for page in moved}
            if len(values) >= settings.min_pairs and (
                len(moved) >= settings.min_moved_share * pages
            ):
                found = [one for page in moved if (one := page.change(name))]
                yield self._alarm(AlarmKind.OTHER_FIELD, name, pages, found)
                return

    def _is_of(self, page: _ComparedPage, name: str, other: str) -> bool:
        """Whether a field says on a page what another said there.

        Numbers and dates are equal by chance: those must have changed places with each other, or
        stand where a text stood.
        """
        said, own = set(page.before.get(other, ())), set(page.before[name])
        if not said or said & own or 2 * len(said & set(page.now[name])) < len(said):
            return False
        now = set(page.now.get(other, ()))
        is_text = self._kinds[name] is ValueKind.TEXT
        is_sure = is_text and (self._kinds[other] is ValueKind.TEXT or not now)
        return is_sure or bool(now & own)

    def _alarm(self, kind: AlarmKind, name: str, pages: int, found: Sequence[ValueChange]) -> Alarm:
        first = found[0]
        before, now = shown_value(list(first.texts_before or ())), shown_value(list(first.texts))
        return Alarm(kind, self._class, name, pages, len(found), 1.0, first.url, before, now)


def _hashed(texts: Mapping[str, Sequence[str]]) -> dict[str, _Keys]:
    """The hashes of the values of each field; a text without a letter or number is its own."""
    most = current().wrapper.sketch_values
    found = {}
    for name, held in texts.items():
        keys = dict.fromkeys(value_key(one) or one.strip() for one in held)
        found[name] = tuple(value_hash(key) for key in list(keys)[:most])
    return found


def place_of(url: str) -> str:
    """A page's place in its site, whatever copy of the site it was read from."""
    parts = split_url(folder_url(url))
    return f"{parts.path}?{parts.query}" if parts.query else parts.path
