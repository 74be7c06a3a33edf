"""The wrapper of a page class: fields, record sets and what was left out, as plain data."""

from __future__ import annotations

import re
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

import msgspec

from sitewright.formats import check_pattern, check_xpath
from sitewright.page.page_index import text_of
from sitewright.page.selector import Selector
from sitewright.wrapper.values.expectation import Expectation  # noqa: TC001 - msgspec reads the types
from sitewright.wrapper.values.types import FieldType, ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitewright.page.page_index import SelectorScope


# A rule: the selector of a value, and the part of the selected text that is the value.
#
# Both are what a Scrapy spider takes, so that a rule means the same in an exported project.

PART = "?P<part>"
"""The group of a pattern that parts a line into several values."""
ITEM = "?P<item>"
"""The group of a pattern that finds each value of a line that lists several."""
_compiled = lru_cache(maxsize=4096)(re.compile)


@dataclass(frozen=True, slots=True)
class Rule:
    """Where a value stands."""

    selector: Selector
    """Selects elements, texts or attributes, from the page or from the record around the field."""
    pattern: str = ""
    """The value is the first group of this expression in the selected text; empty: all of it."""
    alternatives: tuple[Selector, ...] = dataclass_field(default=(), compare=False)
    """Other ways to the same values, for pages where the selector finds nothing."""

    @classmethod
    def parse(cls, xpath: str, pattern: str = "") -> Rule:
        """Read the XPath of a rule; ValueError if it is none."""
        return cls(Selector.parse(xpath), pattern)

    @property
    def xpath(self) -> str:
        """The selector in XPath."""
        return self.selector.xpath()

    def texts(self, scope: SelectorScope) -> list[str]:
        """The texts that the rule finds, white space collapsed, as they stand in the page."""
        found = (text_of(one) for one in scope.select(self.selector))
        return [own for text in found if text for own in self.split(text)]

    def split(self, text: str) -> list[str]:
        """The texts of the values in a selected text: each of a line that lists several, or it."""
        if ITEM in self.pattern:
            return [found["item"] for found in _compiled(self.pattern).finditer(text)]
        return [text] if self.matches(text) else []

    def matches(self, text: str) -> bool:
        """Whether a text has the form that the rule asks for."""
        return not self.pattern or _compiled(self.pattern).search(text) is not None

    def own_text(self, text: str) -> str:
        """What of a text is the value's own: of a line that is parted, only its part.

        Words that all pages have around a value belong to its text.
        """
        return self.extract_group(text) if PART in self.pattern else text

    def extract_group(self, text: str) -> str:
        """The value inside a text that matches."""
        is_cut = self.pattern and ITEM not in self.pattern
        found = _compiled(self.pattern).search(text) if is_cut else None
        return (found[1] or "").strip() if found else text


DOUBTFUL = "_doubtful"
"""The fields of a page whose values were left out because they are unlike all that was learnt, and
the places where it does not say what all pages said that were learnt from."""
RAW = "_raw"
"""Behind a field's name: the text as it stands in the page, where the value is not simply it."""


class LearntFrom(StrEnum):
    """What a wrapper was learnt from."""

    PAGES = "pages"
    """The pages of the class alone."""
    EXAMPLES = "examples"
    """Values that a person gave: such a wrapper is not replaced unasked."""


@dataclass(frozen=True, slots=True)
class ValueSketch:
    """Hashes of the values of some pages."""

    urls: tuple[str, ...] = ()
    values: dict[str, tuple[str, ...]] = dataclass_field(default_factory=dict)
    """For each column (`FIELD`, or `SET.FIELD`) and each page its values' hashes, with blanks
    between them; empty where the page has none."""


class TypeForm(msgspec.Struct, frozen=True):
    """A type as wrapper.json has it: a plugin is named where there is one."""

    kind: ValueKind = ValueKind.TEXT
    unit: str = ""
    decimal_mark: str = ""
    day_order: str = ""
    plugin: str | msgspec.UnsetType = msgspec.UNSET

    @classmethod
    def of(cls, column: FieldType) -> Self:
        """Take a type apart."""
        plugin = column.plugin or msgspec.UNSET
        return cls(column.kind, column.unit, column.decimal_mark, column.day_order, plugin)

    def restored(self) -> FieldType:
        """The type again."""
        plugin = self.plugin or ""
        return FieldType(self.kind, self.unit, self.decimal_mark, self.day_order, plugin)


StoredShare = Annotated[float, msgspec.Meta(ge=0, le=1)]
StoredCount = Annotated[int, msgspec.Meta(ge=0)]


class FieldForm(msgspec.Struct, frozen=True):
    """A field as wrapper.json has it: the selector in plain sight."""

    name: str
    xpath: str
    pattern: str
    type: TypeForm
    many: bool
    raw: bool
    coverage: StoredShare
    confidence: StoredShare
    stability: StoredShare
    named_by: str
    references: str | None
    samples: tuple[str, ...]
    alternatives: tuple[str, ...] = ()
    expected: Expectation | msgspec.UnsetType = msgspec.UNSET

    @classmethod
    def of(cls, field: Field) -> Self:
        """Take a field apart."""
        rule = field.rule
        same = _shared(field, cls) | {"type": TypeForm.of(field.type)}
        same["expected"] = field.expected or msgspec.UNSET
        others = tuple(one.xpath() for one in rule.alternatives)
        return cls(xpath=rule.xpath, pattern=rule.pattern, alternatives=others, **same)

    def restored(self) -> Field:
        """The field again."""
        same = _shared(self, Field) | {"type": self.type.restored()}
        same["expected"] = self.expected or None
        _check(self.xpath, self.pattern)
        for xpath in self.alternatives:
            _check(xpath)
        others = tuple(map(Selector.parse, self.alternatives))
        rule = Rule(Selector.parse(self.xpath), self.pattern, others)
        return Field(rule=rule, **same)


def _check(xpath: str, pattern: str = "") -> None:
    """Refuse expressions of a file that could take time without end."""
    check_xpath(xpath)
    if pattern:
        check_pattern(pattern, groups=1)


class RecordSetForm(msgspec.Struct, frozen=True):
    """A record set as wrapper.json has it."""

    name: str
    xpath: str
    coverage: StoredShare
    rows: float
    fields: tuple[FieldForm, ...]
    alternatives: tuple[str, ...] = ()

    @classmethod
    def of(cls, records: RecordSet) -> Self:
        """Take a record set apart."""
        rule, fields = records.rule, tuple(map(FieldForm.of, records.fields))
        others = tuple(one.xpath() for one in rule.alternatives)
        return cls(records.name, rule.xpath, records.coverage, records.rows, fields, others)

    def restored(self) -> RecordSet:
        """The record set again."""
        fields = tuple(field.restored() for field in self.fields)
        for xpath in (self.xpath, *self.alternatives):
            _check(xpath)
        others = tuple(map(Selector.parse, self.alternatives))
        rule = Rule(Selector.parse(self.xpath), alternatives=others)
        return RecordSet(self.name, rule, fields, self.coverage, self.rows)


class WrapperForm(msgspec.Struct, frozen=True, rename={"page_class": "class"}):
    """What wrapper.json holds."""

    page_class: str
    learnt_from: LearntFrom
    pages: StoredCount
    rows: str | None
    key: tuple[str, ...]
    required: tuple[str, ...]
    fields: tuple[FieldForm, ...]
    record_sets: tuple[RecordSetForm, ...]
    dropped: tuple[RejectedColumn, ...]
    sketch: ValueSketch = ValueSketch()
    constants: tuple[FieldForm, ...] = ()

    @classmethod
    def of(cls, wrapper: Wrapper) -> Self:
        """Take a wrapper apart."""
        same = _shared(wrapper, cls)
        same["fields"] = tuple(map(FieldForm.of, wrapper.fields))
        same["record_sets"] = tuple(map(RecordSetForm.of, wrapper.record_sets))
        same["constants"] = tuple(map(FieldForm.of, wrapper.constants))
        return cls(**same)

    def restored(self) -> Wrapper:
        """The wrapper again."""
        same = _shared(self, Wrapper)
        same["fields"] = tuple(field.restored() for field in self.fields)
        same["record_sets"] = tuple(records.restored() for records in self.record_sets)
        same["constants"] = tuple(field.restored() for field in self.constants)
        return Wrapper(**same)


def _shared(value: object, kind: type[msgspec.Struct | Field | Wrapper]) -> dict[str, Any]:
    """What one type has of another's fields."""
    names = kind.__struct_fields__ if issubclass(kind, msgspec.Struct) else kind.__slots__
    return {name: getattr(value, name) for name in names if hasattr(value, name)}


@dataclass(frozen=True, slots=True)
class Field:
    """One column: where its values stand and what they are."""

    FILE_FORM: ClassVar[type[FieldForm]] = FieldForm
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
    expected: Expectation | None = None
    """What its values look like, where only their place in the page tells them from others."""

    def columns(self) -> tuple[str, ...]:
        """The names that it has in a table."""
        return (self.name, self.name + RAW) if self.raw else (self.name,)


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


SHARED = "the same on pages of other classes"
"""Why a column that is data by itself is left out once all classes are learnt."""


@dataclass(frozen=True, slots=True)
class RejectedColumn:
    """A column that was seen and left out."""

    xpath: str
    reason: str
    """constant, empty, boilerplate, the same as another, too rare, too many."""
    sample: str


@dataclass(frozen=True, slots=True)
class Wrapper:
    """What turns a page of a class into records."""

    FORMAT: ClassVar[str] = "sitewright-wrapper"
    FILE_FORM: ClassVar[type[WrapperForm]] = WrapperForm
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
    dropped: tuple[RejectedColumn, ...] = ()
    learnt_from: LearntFrom = LearntFrom.PAGES
    sketch: ValueSketch = dataclass_field(default=ValueSketch(), compare=False, repr=False)
    """What it read on some of the pages that it was learnt from, as hashes."""
    constants: tuple[Field, ...] = ()
    """Labelled places that all of these pages say the same at, their only sample: no columns."""

    def width(self) -> int:
        """How many columns its tables have, the page's URL aside."""
        return sum(len(field.columns()) for field in self.all_fields())

    def shared_columns(self) -> tuple[RejectedColumn, ...]:
        """The columns that were left out because pages of other classes say the same."""
        return tuple(one for one in self.dropped if one.reason == SHARED)

    def all_fields(self) -> Iterator[Field]:
        """The fields of pages, then those of their record sets."""
        yield from self.fields
        for records in self.record_sets:
            yield from records.fields
