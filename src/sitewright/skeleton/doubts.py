"""Surveying a site: explore it, then fetch what would settle how things hang together.

Pages that an index lists, but that name another parent wherever one of them was fetched, belong
somewhere that exploring did not come to: a few of them are asked. And where the fetched pages of
a list lead on to others, the rest of the list is fetched too: the list leads to navigation.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from sitewright.skeleton.evidence import FEATURES, PRIOR, candidates
from sitewright.skeleton.explore import WAVE, Explorer
from sitewright.skeleton.linkage import linkage
from sitewright.skeleton.marks import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sitewright.site import Site
    from sitewright.skeleton.evidence import Candidates
    from sitewright.skeleton.explore import ReadPage, Survey
    from sitewright.skeleton.linkage import Linkage

MAX_ROUNDS = 16
EXPLORING = 0.75
"""The share of the fetches that exploring may use; the rest settles doubts."""
MAX_LIST = 200
"""Longer lists are not fetched whole, whatever they lead to."""
_DISOWNED, _PART, _SEQUENCE = map(FEATURES.index, ("disowned", "part", "sequence"))
_DOUBT = 0.5


async def survey_site(
    site: Site,
    *,
    limit: int,
    known: Mapping[str, ReadPage] = MappingProxyType({}),
    progress: Callable[[int], None] | None = None,
) -> Survey:
    """Read at most `limit` pages of a site: those that lead on, then those that settle doubts.

    Pages that are `known` come first of those of their list, and are not fetched.
    """
    explorer = Explorer(site, known)
    await explorer.explore(max(1, round(limit * EXPLORING)), progress)
    for _ in range(MAX_ROUNDS):
        left = limit - explorer.fetched
        if left <= 0 or explorer.home not in explorer.readings:
            break
        links = linkage(explorer.survey(), site.address)
        choices = list(candidates(links))
        asked = _spread(doubtful(links, choices), min(WAVE, left))
        asked += unfinished(links, choices)[: min(WAVE, left - len(asked))]
        asked = explorer.unasked(asked)
        if not asked:
            break
        await explorer.fetch(asked)
        await explorer.explore(min(limit, explorer.fetched + WAVE), progress)
    await explorer.explore(limit, progress)
    return explorer.survey()


def doubtful(site: Linkage, choices: Sequence[Candidates]) -> list[str]:
    """The pages that were not fetched and that no candidate can claim without contradiction."""
    found = []
    for choice in choices:
        lists = choice.rows[(choice.rows[:, _PART] < 1) & (choice.rows[:, _SEQUENCE] < 1)]
        is_claimed = len(lists) and lists[:, _DISOWNED].min() <= _DOUBT
        if choice.page not in site.links and not is_claimed:
            found.append(choice.page)
    return found


def unfinished(site: Linkage, choices: Sequence[Candidates]) -> list[str]:
    """The pages that were not fetched, of lists whose fetched pages mostly have pages below them.

    What is below a page is taken from the best candidates under the prior weights.
    """
    prior = np.array(list(PRIOR.values()))
    below = Counter(choice.parents[int(np.argmax(choice.rows @ prior))] for choice in choices)
    lists: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for source, targets in site.links.items():
        for target, links in targets.items():
            for link in links:
                if link.role is Role.NONE and not link.is_part:
                    lists[source, link.path][target] = None
    found: dict[str, None] = {}
    for listed in lists.values():
        fetched = [page for page in listed if page in site.links]
        leading = sum(below[page] > 0 for page in fetched)
        if len(listed) <= MAX_LIST and leading > _DOUBT * len(fetched):
            found.update(dict.fromkeys(page for page in listed if page not in site.links))
    nearest = site.distances
    return sorted(found, key=lambda page: nearest.get(page, len(nearest)))


def _spread(pages: list[str], most: int) -> list[str]:
    """Some of the pages, from all over the list: neighbours would name the same parent."""
    return pages[:: -(-len(pages) // most)] if pages else []
