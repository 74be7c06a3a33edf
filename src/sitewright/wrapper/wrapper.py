"""The wrapper of a page class: fields, record sets and what was left out, as plain data."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sitewright.errors import InputNotFound, UnreadableInput, WrongFormatVersion
from sitewright.wrapper.rule import Rule
from sitewright.wrapper.types import FieldType

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FORMAT = "sitewright-wrapper"
VERSION = 1
FILE_NAME = "wrapper.json"
RAW = "_raw"
"""Behind a field's name: the text as it stands in the page, where the value is not simply it."""


@dataclass(frozen=True, slots=True)
class Field:
    """One column: where its values stand and what they are."""

    name: str
    rule: Rule
    type: FieldType
    many: bool = False
    """Whether a page (or record) has a list of values."""
    raw: bool = False
    """Whether the table keeps the text of the page beside the value."""
    coverage: float = 1.0
    """The share of the pages (or records) that have a value."""
    confidence: float = 1.0
    """Between 0 and 1: how sure it is that these values are one attribute."""
    stability: float = 1.0
    """The share of the pages where the rule selects exactly the right nodes."""
    named_by: str = ""
    """What the name was taken from: label, microdata, header, class, ..."""
    references: str | None = None
    """The page class that its links lead to: a foreign key."""
    samples: tuple[str, ...] = ()

    def columns(self) -> tuple[str, ...]:
        """The names that it has in a table."""
        return (self.name, self.name + RAW) if self.raw else (self.name,)

    def as_json(self) -> dict[str, Any]:
        """Plain data, the rule in plain sight."""
        return {
            "name": self.name,
            "xpath": self.rule.xpath,
            "pattern": self.rule.pattern,
            "type": self.type.as_json(),
            "many": self.many,
            "raw": self.raw,
            "coverage": self.coverage,
            "confidence": self.confidence,
            "stability": self.stability,
            "named_by": self.named_by,
            "references": self.references,
            "samples": list(self.samples),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Field:
        """Read what `as_json` wrote."""
        rest = {name: value for name, value in data.items() if name not in {"xpath", "pattern"}}
        rest["type"] = FieldType.from_json(data["type"])
        rest["samples"] = tuple(data["samples"])
        return cls(rule=Rule.parse(data["xpath"], data["pattern"]), **rest)


@dataclass(frozen=True, slots=True)
class RecordSet:
    """A repeated part of a page: list items, table rows, cards."""

    name: str
    rule: Rule
    """Selects the elements that hold one record each."""
    fields: tuple[Field, ...]
    coverage: float = 1.0
    """The share of the pages that have any."""
    rows: float = 0.0
    """Records on a page, in the mean over the pages that have any."""

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "name": self.name,
            "xpath": self.rule.xpath,
            "coverage": self.coverage,
            "rows": self.rows,
            "fields": [field.as_json() for field in self.fields],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> RecordSet:
        """Read what `as_json` wrote."""
        fields = tuple(map(Field.from_json, data["fields"]))
        return cls(data["name"], Rule.parse(data["xpath"]), fields, data["coverage"], data["rows"])


@dataclass(frozen=True, slots=True)
class Dropped:
    """A column that was seen and left out."""

    xpath: str
    reason: str
    """constant, empty, boilerplate, the same as another, too rare, too many."""
    sample: str


@dataclass(frozen=True, slots=True)
class Wrapper:
    """What turns a page of a class into records."""

    page_class: str
    fields: tuple[Field, ...]
    record_sets: tuple[RecordSet, ...] = ()
    rows: str | None = None
    """The record set whose rows are the class's records: the class is a list. None: its pages."""
    key: tuple[str, ...] = ()
    """The fields that tell one record from every other."""
    required: tuple[str, ...] = ()
    """Fields and record sets that (nearly) every page of the class has."""
    pages: int = 0
    """How many pages it was learnt from."""
    dropped: tuple[Dropped, ...] = ()

    def width(self) -> int:
        """How many columns its tables have, the page's address aside."""
        return sum(len(field.columns()) for field in self.all_fields())

    def all_fields(self) -> Iterator[Field]:
        """The fields of pages, then those of their record sets."""
        yield from self.fields
        for records in self.record_sets:
            yield from records.fields

    def as_json(self) -> dict[str, Any]:
        """Plain data, always in the same order."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "class": self.page_class,
            "pages": self.pages,
            "rows": self.rows,
            "key": list(self.key),
            "required": list(self.required),
            "fields": [field.as_json() for field in self.fields],
            "record_sets": [records.as_json() for records in self.record_sets],
            "dropped": [
                {"xpath": one.xpath, "reason": one.reason, "sample": one.sample}
                for one in self.dropped
            ],
        }


def dump_wrapper(wrapper: Wrapper) -> str:
    """The text of wrapper.json, for people too: the same bytes for the same wrapper."""
    # Lone surrogates can come out of broken pages; escaped they are JSON.
    return json.dumps(wrapper.as_json(), ensure_ascii=True, indent=1) + "\n"


def read_wrapper(path: Path) -> Wrapper:
    """Read a wrapper.json."""
    try:
        data = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise InputNotFound(str(path), "no such wrapper") from None
    except (OSError, ValueError) as error:
        raise UnreadableInput(str(path), f"not a wrapper: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise UnreadableInput(str(path), "not a wrapper")
    if data.get("version") != VERSION:
        raise WrongFormatVersion(str(path), data.get("version"), VERSION)
    try:
        return _wrapper(data)
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadableInput(str(path), f"a damaged wrapper: {error!r}") from None


def _wrapper(data: dict[str, Any]) -> Wrapper:
    return Wrapper(
        page_class=data["class"],
        fields=tuple(map(Field.from_json, data["fields"])),
        record_sets=tuple(map(RecordSet.from_json, data["record_sets"])),
        rows=data["rows"],
        key=tuple(data["key"]),
        required=tuple(data["required"]),
        pages=data["pages"],
        dropped=tuple(Dropped(**one) for one in data["dropped"]),
    )
