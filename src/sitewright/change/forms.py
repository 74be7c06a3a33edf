"""How alike two fields are by their form: names, types, lengths, characters, shared values, places.

A logistic regression over some measures. What each is worth was learnt on pairs of one site at two
dates (`evaluate/form_training.py`), and ships as the few numbers of `forms.json`.
"""

from __future__ import annotations

import math
import re
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, ClassVar

from sitewright.change.columns import shared_values
from sitewright.formats import parse
from sitewright.page.steps import Attribute, HasClass
from sitewright.wrapper.values.types import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitewright.change.columns import ComparedColumn

_SHIPPED = "forms.json"
_DIGITS = 3
_NAME_PARTS = re.compile(r"[a-z]+")
_UNTELLING = frozenset("text url link page heading title image list item rows field value".split())
_KINDS = {ValueKind.INTEGER: "number", ValueKind.DECIMAL: "number"}
_HEAD = frozenset({"meta", "link"})
_HEADINGS = frozenset({"h1", "h2", "h3", "title"})
FEATURES = (
    "same_name", "name_words", "same_kind", "shared_values", "length", "digits", "spaces", "marks",
    "distinct", "many", "coverage", "same_shape", "rank", "same_marks", "both_headings",
    "same_head",
)  # fmt: skip


def form_features(old: ComparedColumn, new: ComparedColumn) -> list[float]:
    """The measures, each from 0 to about 1; more is more alike."""
    mine, theirs = old.profile, new.profile
    names = _name_words(old.name), _name_words(new.name)
    words = names[0] & names[1]
    either = names[0] | names[1]
    last, other_last = old.name.rpartition(".")[2], new.name.rpartition(".")[2]
    marks, other_marks = selector_marks(old), selector_marks(new)
    return [
        float(last == other_last and last not in _UNTELLING),
        len(words) / len(either) if either else 0.0,
        float(_kind(old) == _kind(new)),
        shared_values(old, new),
        -abs(mine.length - theirs.length),
        -abs(mine.digits - theirs.digits),
        -abs(mine.capitals - theirs.capitals),
        -abs(mine.marks - theirs.marks),
        -abs(mine.distinct - theirs.distinct),
        -abs(mine.many - theirs.many),
        -abs(mine.coverage - theirs.coverage),
        float(mine.shape == theirs.shape),
        -abs(old.rank - new.rank),
        len(marks & other_marks) / max(1, min(len(marks), len(other_marks))),
        float(bool(marks & _HEADINGS) and bool(other_marks & _HEADINGS)),
        float(marks.isdisjoint(_HEAD) == other_marks.isdisjoint(_HEAD)),
    ]


@dataclass(frozen=True, slots=True)
class FormModel:
    """The learnt numbers: what each measure is worth."""

    FORMAT: ClassVar[str] = "sitewright-form-weights"
    bias: float
    weights: dict[str, float]

    def __post_init__(self) -> None:
        """Refuse numbers of other measures: a file may say anything."""
        if wrong := set(FEATURES) ^ set(self.weights):
            raise ValueError(f"weights that are missing or unknown: {', '.join(sorted(wrong))}")

    def probability(self, features: Sequence[float]) -> float:
        """How likely two fields with these measures are the same, from 0 to 1."""
        worth = (self.weights[name] * x for name, x in zip(FEATURES, features, strict=True))
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, self.bias + sum(worth)))))

    def rounded(self) -> FormModel:
        """The numbers to the digits that matter, for a file."""
        weights = {name: round(weight, _DIGITS) for name, weight in self.weights.items()}
        return FormModel(round(self.bias, _DIGITS), weights)


@cache
def shipped_form_model() -> FormModel:
    """The numbers that come with the package."""
    text = files("sitewright.change").joinpath(_SHIPPED).read_bytes()
    return parse(text, FormModel, _SHIPPED)


_in_use: ContextVar[FormModel | None] = ContextVar("form_model", default=None)


@contextmanager
def using_form_model(model: FormModel) -> Iterator[None]:
    """Compare fields with other numbers: those that were learnt without a site."""
    token = _in_use.set(model)
    try:
        yield
    finally:
        _in_use.reset(token)


def form_score(old: ComparedColumn, new: ComparedColumn) -> float:
    """How likely two fields are the same, from 0 to 1."""
    if not old.values or not new.values:
        return 0.0
    if bool(old.record_set) != bool(new.record_set):
        return 0.0
    return (_in_use.get() or shipped_form_model()).probability(form_features(old, new))


def _kind(column: ComparedColumn) -> str:
    kind = column.field.type.kind
    return _KINDS.get(kind, str(kind))


def _name_words(name: str) -> frozenset[str]:
    return frozenset(_NAME_PARTS.findall(name.lower().rpartition(".")[2])) - _UNTELLING


def selector_marks(column: ComparedColumn) -> frozenset[str]:
    """The tags, classes and attributes that the selector of a field names, without positions."""
    found: set[str] = set()
    for step in column.field.rule.selector.steps():
        if step.test not in {"text()", "*", "..", "div", "span", "td", "tr", "tbody", "body"}:
            found.add(step.test)
        for predicate in step.predicates:
            if isinstance(predicate, HasClass):
                found.add("." + predicate.name)
            elif isinstance(predicate, Attribute):
                found.add(f"{predicate.name}={predicate.value}")
    return frozenset(found)
