"""What no longer fits a site, in words: the alarms of a check and of an extraction."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


class AlarmKind(StrEnum):
    """What no longer fits. The text is what people and files see."""

    PAGES_GONE = "pages gone"
    """The pages of a class are no longer there, and no others that look like them."""
    NO_CLASS = "not recognised"
    """Its pages are there, and are taken for pages of another class or of none."""
    NO_RECORD = "no record"
    """The wrapper of the class makes no record of its pages."""
    EMPTY = "empty"
    """A field, or a record set, that has no value any more."""
    UNREADABLE = "not of its type"
    """A field that has a text, which cannot be read as a date, a number, ..."""
    OTHER_VALUES = "other values"
    """A field that told pages apart, and now says the same on all, or nothing that it said."""
    BROKEN = "broken letters"
    """A text that has letters of no language, or what a template left unfilled."""
    CUT_OFF = "cut off"
    """A text that ends in dots."""
    WRITTEN_OTHERWISE = "written otherwise"
    """A text with other words around it, or its words in another order."""
    FEWER_VALUES = "fewer values"
    """A list or rows that have half of their entries, or fewer."""
    DOUBLED = "doubled"
    """A list or rows that say everything twice."""
    MIXED_ROWS = "rows mixed"
    """A column whose values stand in rows of others."""
    OTHER_FIELD = "values of another field"
    """A field that says what another field of its class said of the same pages."""
    OTHER_SELECTOR = "found by another selector"
    """A field that its first selector misses: a small change, which was survived."""
    OTHER_TEXT = "no longer the same"
    """A labelled place where all pages that were learnt from say the same."""
    DISAGREEMENT = "selectors disagree"
    """A field of which a weaker selector says something else."""
    OUTVOTED = "outvoted"
    """A field that reads something else than its other selectors, or than a more lasting one."""
    NO_PAGES = "no pages"
    """Of all pages of the site, none is of the class."""
    MISFIT = "most pages fit no class"
    """Of the whole site."""


_WORDS = {
    AlarmKind.PAGES_GONE: "{lacking} of {pages} known pages are gone",
    AlarmKind.NO_CLASS: "{lacking} of {pages} known pages are not recognised as this class",
    AlarmKind.NO_RECORD: "{lacking} of {pages} pages give no record",
    AlarmKind.EMPTY: "empty on {lacking} of {pages} pages, where {expected:.0%} had it",
    AlarmKind.UNREADABLE: "not of its type on {lacking} of {pages} pages",
    AlarmKind.OTHER_VALUES: "something else on {lacking} of {pages} pages",
    AlarmKind.BROKEN: "broken letters on {lacking} of {pages} pages",
    AlarmKind.CUT_OFF: "cut off on {lacking} of {pages} pages",
    AlarmKind.WRITTEN_OTHERWISE: "written otherwise on {lacking} of {pages} pages",
    AlarmKind.FEWER_VALUES: "half of its values or fewer on {lacking} of {pages} pages",
    AlarmKind.DOUBLED: "everything twice on {lacking} of {pages} pages",
    AlarmKind.MIXED_ROWS: "values in other rows on {lacking} of {pages} pages",
    AlarmKind.OTHER_FIELD: "says what another field said on {lacking} of {pages} pages",
    AlarmKind.OTHER_SELECTOR: "read by another selector on {lacking} of {pages} pages",
    AlarmKind.OTHER_TEXT: "another text on {lacking} of {pages} pages, no column so far",
    AlarmKind.DISAGREEMENT: "its selectors disagree on {lacking} of {pages} pages",
    AlarmKind.OUTVOTED: "its other selectors say something else on {lacking} of {pages} pages",
    AlarmKind.NO_PAGES: "no page of this class; about {pages} were expected",
    AlarmKind.MISFIT: "{lacking} of {pages} pages fit no class, or not the wrapper of theirs",
}


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something that was learnt of a site and is true of it no more."""

    kind: AlarmKind
    page_class: str | None
    """None: the whole site."""
    field: str | None
    """None: the whole class; `SET.FIELD` for a field of a record set."""
    pages: int
    """How many pages tell of it."""
    lacking: int
    """How many of them do not have what they should."""
    expected: float
    """The share of the pages that had it."""
    url: str = ""
    """A page that shows it."""
    before: str = ""
    """What the page said when it was last read."""
    now: str = ""
    """What it says now."""
    since: str = ""
    """When it was last read, and there: a date and time in UTC."""

    def as_json(self) -> dict[str, Any]:
        """A flat object."""
        return {
            "class": self.page_class,
            "field": self.field,
            "kind": str(self.kind),
            "pages": self.pages,
            "lacking": self.lacking,
            "expected": round(self.expected, 3),
            "since": self.since,
            "url": self.url,
            "before": self.before,
            "now": self.now,
        }

    def __str__(self) -> str:
        place = self.page_class or "site"
        subject = f"{place}.{self.field}" if self.field else place
        said = _WORDS[self.kind].format(
            lacking=self.lacking, pages=self.pages, expected=self.expected
        )
        shown = f"; e.g. {self.url}" if self.url else ""
        was = f": was {self.before!r}" if self.before else ""
        now = f", is {self.now!r}" if self.now else ""
        since = f"; last seen {self.since}" if self.since else ""
        return f"{subject}: {said}{shown}{was}{now}{since}"


_LONGEST_SHOWN = 80


def shown_value(value: object) -> str:
    """A value for people: the first of a list, cut to size."""
    while isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, dict):
        value = next((one for one in value.values() if has_value(one)), "")
    text = "" if value in (None, []) else str(value)
    is_short = len(text) <= _LONGEST_SHOWN
    return text if is_short else text[: _LONGEST_SHOWN - 1] + "\N{HORIZONTAL ELLIPSIS}"


def has_value(value: object) -> bool:
    """Whether a cell of a table holds anything."""
    return value not in (None, [], "")


def told(alarms: Iterable[Alarm], most: int = 5) -> str:
    """The first alarms in a few words, for an error message."""
    texts = [str(alarm) for alarm in alarms]
    more = f" (and {len(texts) - most} more)" if len(texts) > most else ""
    return "; ".join(texts[:most]) + more
