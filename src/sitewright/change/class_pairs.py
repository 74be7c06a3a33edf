"""Which class became which: by their pages, else by what their fields, sizes and URLs are like."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from sitewright.change.assignment import assign
from sitewright.change.field_matching import MatchedBy
from sitewright.change.forms import form_score
from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sitewright.change.columns import ClassColumns
    from sitewright.change.page_pairs import PlacePair


class ClassPair(NamedTuple):
    """A part of an old class, in the new project."""

    old: str
    new: str
    pairs: tuple[PlacePair, ...]
    matched_by: MatchedBy
    score: float
    recognised: float = 0.0
    """The share of the pages of the new class that the old model takes for this class."""
    is_merged: bool = False
    """Whether more of the new class was another old class."""


Recognised: TypeAlias = "Mapping[str, Mapping[str, float]]"
"""For new classes the shares of their pages that the old model takes for pages of its classes."""


def pair_classes(
    old: Mapping[str, ClassColumns],
    new: Mapping[str, ClassColumns],
    pairs: Sequence[PlacePair],
    recognised: Recognised = MappingProxyType({}),
) -> list[ClassPair]:
    """For each new class the old one that most of its known pages were of; the rest by form."""
    of_old = {place: one.name for one in old.values() for place in one.pages}
    of_new = {place: one.name for one in new.values() for place in one.pages}
    common: dict[tuple[str, str], list[PlacePair]] = defaultdict(list)
    for pair in pairs:
        common[of_old[pair.old], of_new[pair.new]].append(pair)
    found: list[ClassPair] = []
    for name in new:
        votes = [(len(own), mine) for (mine, theirs), own in common.items() if theirs == name]
        if votes:
            count, mine = max(votes, key=lambda vote: (vote[0], vote[1]))
            share = count / sum(one for one, _ in votes)
            own = tuple(common[mine, name])
            found.append(ClassPair(mine, name, own, MatchedBy.PAGES, share))
    found += _paired_by_form(old, new, found, recognised)
    known = {pair.new for pair in found}
    for name, shares in recognised.items():  # further parts of a class
        best, share = max(shares.items(), key=lambda one: (one[1], one[0]), default=("", 0.0))
        if best in old and name not in known and share >= current().change.min_recognised:
            found.append(ClassPair(best, name, (), MatchedBy.MODEL, share))
    return [
        pair._replace(recognised=recognised.get(pair.new, {}).get(pair.old, 0.0)) for pair in found
    ]


def merged_classes(
    old: Mapping[str, ClassColumns],
    new: Mapping[str, ClassColumns],
    pairs: Sequence[PlacePair],
    found: Sequence[ClassPair],
) -> list[ClassPair]:
    """Old classes that no new class is made of, whose pages are mostly in one that others made."""
    settings = current().change
    of_new = {place: one.name for one in new.values() for place in one.pages}
    known = {pair.old for pair in found}
    merged = []
    for name, one in old.items():
        places = set(one.pages)
        own = [pair for pair in pairs if pair.old in places]
        if name in known or len(own) < settings.min_merged_pages:
            continue
        homes = Counter(of_new[pair.new] for pair in own)
        home, count = max(homes.items(), key=lambda each: (each[1], each[0]))
        inside = tuple(pair for pair in own if of_new[pair.new] == home)
        if count > settings.min_paired_share * len(own):
            share = count / len(own)
            merged.append(ClassPair(name, home, inside, MatchedBy.PAGES, share, is_merged=True))
    return merged


def _paired_by_form(
    old: Mapping[str, ClassColumns],
    new: Mapping[str, ClassColumns],
    known: Sequence[ClassPair],
    recognised: Recognised,
) -> Iterator[ClassPair]:
    settings = current().change
    ours = [name for name in old if name not in {pair.old for pair in known}]
    theirs = [name for name in new if name not in {pair.new for pair in known}]
    if not ours or not theirs:
        return
    total_old = max(1, sum(len(one.pages) for one in old.values()))
    total_new = max(1, sum(len(one.pages) for one in new.values()))
    scores = np.zeros((len(ours), len(theirs)))
    for row, mine in enumerate(ours):
        for column, other in enumerate(theirs):
            size, other_size = len(old[mine].pages) / total_old, len(new[other].pages) / total_new
            alike = min(size, other_size) / max(size, other_size, 1e-9)
            fields = class_form(old[mine], new[other])
            scores[row, column] = (
                settings.class_fields_weight * fields
                + settings.class_size_weight * alike
                + settings.class_name_weight * (mine == other)
                + settings.class_url_weight * url_form(old[mine], new[other])
            )
            share = recognised.get(other, {}).get(mine, 0.0)
            scores[row, column] += settings.class_model_weight * share
    for row, column in assign(scores):
        if scores[row, column] >= settings.min_class_form:
            by = MatchedBy.FORM
            yield ClassPair(ours[row], theirs[column], (), by, float(scores[row, column]))


def class_form(old: ClassColumns, new: ClassColumns) -> float:
    """How alike the fields of two classes are: the mean over the old fields of their best."""
    weights = total = 0.0
    for one in old.columns:
        if one.record_set or not one.values:
            continue
        weight = one.profile.coverage
        best = max((form_score(one, other) for other in new.columns if other.values), default=0.0)
        total += weight * best
        weights += weight
    return total / weights if weights else 0.0


def url_form(old: ClassColumns, new: ClassColumns) -> float:
    """The share of the pages of a class whose URLs look like those of another class.

    A pattern that pages of other classes match, too, says less.
    """
    if not new.pages:
        return 0.0
    pattern = re.compile(old.url_pattern)
    matching = sum(pattern.fullmatch(place) is not None for place in new.full_places)
    return old.url_precision * matching / len(new.pages)
