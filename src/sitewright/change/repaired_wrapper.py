"""The wrapper of a new class under the names of the old one, put together from its parts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sitewright.settings import current
from sitewright.wrapper.wrapper import RAW, LearntFrom

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from sitewright.change.field_matching import FieldMatch
    from sitewright.change.two_sides import TwoSides
    from sitewright.wrapper import Field, RecordSet, Wrapper


class RepairedWrapper:
    """What is found of the old fields, what the new class has beside them, and its key."""

    def __init__(
        self, sides: TwoSides, matches: Sequence[FieldMatch], *, learns_rules: bool
    ) -> None:
        self.sides = sides
        self._matches = matches
        self._learns_rules = learns_rules

    def fields_of_rows(self, records: RecordSet, fields: Sequence[Field]) -> Iterator[Field]:
        """The fields of a record set that are known, then those that it did not have."""
        yield from fields
        taken = {match.new for match in self._matches if match.old is not None}
        names = {name for one in fields for name in one.columns()}
        names |= {one.name.rpartition(".")[2] for one in self.sides.old.columns if one.record_set}
        rules = {one.rule for one in fields}
        for one in records.fields:
            if f"{records.name}.{one.name}" not in taken and one.rule not in rules:
                free = replace(one, name=_free_name(one.name, names))
                names |= {*free.columns()}
                yield free

    def added(
        self,
        fields: Sequence[Field],
        sets: Sequence[tuple[str, RecordSet]],
        taken: set[str],
    ) -> list[Field]:
        """Fields that the old class did not have, under names that are free."""
        names = {one.name for one in fields} | {one.name for _, one in sets}
        names |= {one.name for one in self.sides.old.wrapper.fields}
        names |= {one.name for one in self.sides.old.wrapper.record_sets}
        rules = {one.rule for one in fields}
        added = []
        for one in self.sides.new.wrapper.fields:
            if one.name in taken or one.rule in rules:
                continue
            name = _free_name(one.name, names)
            names |= {name, name + RAW}
            added.append(replace(one, name=name))
        return added

    def wrapper(
        self,
        fields: Sequence[Field],
        sets: Sequence[tuple[str, RecordSet]],
        added: Sequence[Field],
        taken: Collection[str],
    ) -> Wrapper:
        """The new wrapper with the old fields and rows, and what was added to them."""
        new, old = self.sides.new.wrapper, self.sides.old.wrapper
        all_fields = (*fields, *added)
        homes = dict(sets)
        record_sets = [one for _, one in sets]
        names = {one.name for one in all_fields} | {one.name for one in record_sets}
        for one in new.record_sets:
            if one.name in homes:
                continue
            if not {f"{one.name}.{inner.name}" for inner in one.fields} <= set(taken):
                name = one.name if one.name not in names else f"new_{one.name}"
                names.add(name)
                record_sets.append(replace(one, name=name))
        rows = homes[new.rows].name if new.rows in homes else None
        if rows is None and old.rows in {one.name for _, one in sets}:
            rows = old.rows
        if rows is not None and old.rows is None:
            rows = None  # one record a page, as it was
        columns = {name for one in all_fields for name in one.columns()}
        inside = next((one for one in record_sets if one.name == rows), None)
        if inside is not None and columns & {n for one in inside.fields for n in one.columns()}:
            clash = {n for one in inside.fields for n in one.columns()}
            all_fields = tuple(one for one in all_fields if not clash & set(one.columns()))
        least = current().wrapper.min_required_share
        required = [one.name for one in all_fields if one.coverage >= least]
        required += [one.name for one in record_sets if one.coverage >= least]
        key_names = {one.name for one in (*all_fields, *(inside.fields if inside else ()))}
        return replace(
            new,
            fields=tuple(all_fields),
            record_sets=tuple(record_sets),
            rows=rows,
            key=self._key(key_names),
            required=tuple(required),
            learnt_from=LearntFrom.PAGES,
        )

    def _key(self, names: Collection[str]) -> tuple[str, ...]:
        """The old key, if all of it is there; one that was first found now, under its new names."""
        old, now = (
            self.sides.old.wrapper.key,
            {one.new: one.old for one in self._matches if one.new},
        )
        if old or not self._learns_rules:
            return old if set(old) <= set(names) else ()
        key = tuple(now.get(name) or name for name in self.sides.new.wrapper.key)
        return key if set(key) <= set(names) else ()


def _free_name(name: str, taken: Collection[str]) -> str:
    free = name if name not in taken else f"new_{name}"
    while free in taken:
        free += "_2"
    return free
