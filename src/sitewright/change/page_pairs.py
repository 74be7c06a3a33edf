"""Pages of two projects that are one page: by their address, else by values that few have."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sitewright.change.columns import ClassColumns


class PlacePair(NamedTuple):
    """The place of a page before, and its place now."""

    old: str
    new: str


def pair_pages(old: Mapping[str, ClassColumns], new: Mapping[str, ClassColumns]) -> list[PlacePair]:
    """Pair the pages of two projects, each at most once."""
    ours = {place for one in old.values() for place in one.pages}
    theirs = {place for one in new.values() for place in one.pages}
    shared = sorted(ours & theirs)
    moved = _moved_pages(old, new, ours - theirs, theirs - ours)
    believed = _believed(moved, old, new)
    return [*(PlacePair(place, place) for place in shared), *believed]


def _believed(
    pairs: Sequence[PlacePair], old: Mapping[str, ClassColumns], new: Mapping[str, ClassColumns]
) -> Iterator[PlacePair]:
    """Pairs of classes whose pages mostly have a partner: a few values meet by accident."""
    settings = current().change
    of_old = {place: one.name for one in old.values() for place in one.pages}
    of_new = {place: one.name for one in new.values() for place in one.pages}
    known = {place for one in old.values() for place in one.pages}
    known &= {place for one in new.values() for place in one.pages}
    common: dict[tuple[str, str], list[PlacePair]] = defaultdict(list)
    for pair in pairs:
        common[of_old[pair.old], of_new[pair.new]].append(pair)
    for (mine, theirs), own in common.items():
        left = [sum(place not in known for place in old[mine].pages)]
        left.append(sum(place not in known for place in new[theirs].pages))
        alike = len(own) >= settings.min_believed_pairs or settings.max_size_ratio * min(
            left
        ) >= max(left)
        if alike and len(own) >= settings.min_paired_share * min(left):
            yield from own


def _moved_pages(
    old: Mapping[str, ClassColumns],
    new: Mapping[str, ClassColumns],
    ours: set[str],
    theirs: set[str],
    least: float = 0.01,
) -> list[PlacePair]:
    """Pages whose telling values stand on one page of the other side, and on no other."""
    mine, others = _telling_values(old, ours), _telling_values(new, theirs)
    owners: dict[str, list[str]] = defaultdict(list)
    for place, keys in others.items():
        for key in keys:
            owners[key].append(place)
    best = {}
    for place, keys in mine.items():
        if (found := _best_owner(keys, owners)) is not None:
            best[place] = found
    claimed: dict[str, tuple[float, str]] = {}
    for place, (score, owner) in sorted(best.items()):
        if owner not in claimed or score > claimed[owner][0]:
            claimed[owner] = score, place
    moved = [PlacePair(place, owner) for owner, (_, place) in sorted(claimed.items())]
    return [pair for pair in moved if _shared_share(mine[pair.old], others[pair.new]) >= least]


def _shared_share(mine: set[str], theirs: set[str]) -> float:
    """The share of the values of two pages that both have; one value alone is no evidence."""
    both = len(mine & theirs)
    share = both / min(len(mine), len(theirs))
    return share if both > 1 or share >= 0.5 else 0.0


def _best_owner(
    keys: Iterable[str], owners: Mapping[str, Sequence[str]]
) -> tuple[float, str] | None:
    """The page that has the most of these values, if it has far more than any other."""
    scores: dict[str, float] = defaultdict(float)
    for key in keys:
        for owner in owners.get(key, ()):
            scores[owner] += 1 / len(owners[key])
    ranked = sorted(((score, owner) for owner, score in scores.items()), reverse=True)[:2]
    margin = current().change.pair_margin
    if not ranked or (len(ranked) > 1 and ranked[0][0] <= margin * ranked[1][0]):
        return None
    return ranked[0]


def _telling_values(classes: Mapping[str, ClassColumns], places: set[str]) -> dict[str, set[str]]:
    """For each page the values that few pages have, long enough to be no accident."""
    settings = current().change
    held: dict[str, set[str]] = defaultdict(set)
    counts: Counter[str] = Counter()
    for one in classes.values():
        for column in one.columns:
            for place, keys in column.values.items():
                if place in places:
                    long = (key for key in keys if len(key) >= settings.min_telling_length)
                    # Dates and numbers meet by accident.
                    held[place].update(key for key in long if any(map(str.isalpha, key)))
    for telling in held.values():
        counts.update(telling)
    return {
        place: {key for key in telling if counts[key] <= settings.max_telling_pages}
        for place, telling in held.items()
    }


def same_pages(old: Mapping[str, ClassColumns], new: Mapping[str, ClassColumns]) -> float:
    """The share of the pages of the smaller side that say what one page of the other says."""
    ours = {place for one in old.values() for place in one.pages}
    theirs = {place for one in new.values() for place in one.pages}
    pairs = _moved_pages(old, new, ours, theirs, current().change.min_same_share)
    return len(pairs) / max(1, min(len(ours), len(theirs)))
