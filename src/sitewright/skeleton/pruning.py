"""The paper's pruning heuristics, in its order (Liu et al. 2004, section 3.2.2 and figure 2)."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Sequence

    from sitewright.skeleton.candidates import LinkNode

MAX_NUM_WORD = 4
"""A set whose names have this many words on average, or more, is no navigation."""
FAR = 3.0
"""A distance is much larger than the rest if it is this many standard deviations above them."""


def prune_link_set(
    links: Sequence[LinkNode], found_before: Collection[frozenset[str]]
) -> list[LinkNode]:
    """PRUNELINKSET: the six heuristics, one after the other."""
    kept = prune_by_anchor(links)
    kept = prune_duplicates(kept)
    kept = prune_by_style(kept)
    kept = prune_by_distance(kept)
    kept = prune_by_words(kept)
    return prune_known_sets(kept, found_before)


def prune_by_anchor(links: Sequence[LinkNode]) -> list[LinkNode]:
    """Anchor: texts or images, whichever are more."""
    return _largest_group(links, lambda link: link.is_image)


def prune_duplicates(links: Sequence[LinkNode]) -> list[LinkNode]:
    """LinkDup: of links with the same name or URL, only the first is kept.

    Links without any name are not the same because of that.
    """
    names: set[str] = set()
    urls: set[str] = set()
    kept = []
    for link in links:
        url = link.url or link.href
        if url in urls or (link.name and link.name in names):
            continue
        kept.append(link)
        names.add(link.name)
        urls.add(url)
    return kept


def prune_by_style(links: Sequence[LinkNode]) -> list[LinkNode]:
    """Style: the largest group with the same presentation attributes along the path."""
    return _largest_group(links, lambda link: link.style)


def prune_by_distance(links: Sequence[LinkNode]) -> list[LinkNode]:
    """DisDiff: what stands before the largest distance, if that is much larger than the rest.

    The distance of two links is the difference of their numbers. Much larger: above the mean of
    the other distances by three of their standard deviations, taken as 1 where they are smaller.
    """
    distances = [after.number - link.number for link, after in pairwise(links)]
    if len(distances) < 2:
        return list(links)
    largest = max(range(len(distances)), key=distances.__getitem__)
    rest = distances[:largest] + distances[largest + 1 :]
    mean = sum(rest) / len(rest)
    deviation = sqrt(sum((one - mean) ** 2 for one in rest) / len(rest))
    if distances[largest] > mean + FAR * max(deviation, 1.0):
        return list(links[: largest + 1])
    return list(links)


def prune_by_words(links: Sequence[LinkNode]) -> list[LinkNode]:
    """MaxNumWord: nothing is kept if the names have 4 words or more on average."""
    words = sum(len(link.name.split()) for link in links)
    return [] if links and words >= MAX_NUM_WORD * len(links) else list(links)


def prune_known_sets(
    links: Sequence[LinkNode], found_before: Collection[frozenset[str]]
) -> list[LinkNode]:
    """LinkSetDup: nothing is kept if another page's navigation link set is the same."""
    return [] if url_set(links) in found_before else list(links)


def url_set(links: Sequence[LinkNode]) -> frozenset[str]:
    """What makes two link sets the same: the URLs that they lead to."""
    return frozenset(link.url or link.href for link in links)


def _largest_group(
    links: Sequence[LinkNode], kind: Callable[[LinkNode], Hashable]
) -> list[LinkNode]:
    """The first of the largest groups."""
    groups: dict[Hashable, list[LinkNode]] = defaultdict(list)
    for link in links:
        groups[kind(link)].append(link)
    return max(groups.values(), key=len, default=[])
