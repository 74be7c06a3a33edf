"""Surveying a site: explore it, then ask the pages whose parent is in doubt.

Pages that an index lists, but that name another parent wherever one of them was fetched, belong
somewhere that exploring did not come to. Fetching a few of them tells where.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitewright.skeleton.evidence import FEATURES, candidates
from sitewright.skeleton.explore import WAVE, Explorer
from sitewright.skeleton.linkage import linkage

if TYPE_CHECKING:
    from collections.abc import Callable

    from sitewright.site import Site
    from sitewright.skeleton.explore import Survey
    from sitewright.skeleton.linkage import Linkage

MAX_ROUNDS = 12
_DISOWNED = FEATURES.index("disowned")
_DOUBT = 0.5


async def survey_site(
    site: Site, *, limit: int, progress: Callable[[int], None] | None = None
) -> Survey:
    """Fetch at most `limit` pages of a site: those that lead on, then those in doubt."""
    explorer = Explorer(site)
    await explorer.explore(limit, progress)
    for _ in range(MAX_ROUNDS):
        left = limit - explorer.fetched
        if left <= 0 or explorer.home not in explorer.readings:
            break
        asked = doubtful(linkage(explorer.survey(), site.address))
        if not asked:
            break
        # From all over the list: neighbours would name the same parent.
        step = -(-len(asked) // min(WAVE, left))
        await explorer.fetch(asked[::step])
        await explorer.explore(limit, progress)
    return explorer.survey()


def doubtful(site: Linkage) -> list[str]:
    """The pages that were not fetched and that no candidate can claim without contradiction."""
    return [
        choice.page
        for choice in candidates(site)
        if choice.page not in site.links and choice.rows[:, _DISOWNED].min() > _DOUBT
    ]
