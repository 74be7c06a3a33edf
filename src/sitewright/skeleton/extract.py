"""The way in: a site's skeleton, by our method or the paper's."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from sitewright.choices import Method
from sitewright.skeleton.build import site_skeleton
from sitewright.skeleton.sew import sew_skeleton
from sitewright.skeleton.trained import shipped

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sitewright.site import Site
    from sitewright.skeleton.build import Skeleton
    from sitewright.skeleton.explore import ReadPage
    from sitewright.skeleton.trained import Trained
    from sitewright.skeleton.tree import SkeletonNode

DEFAULT_LIMIT = 400
"""The most pages to fetch: enough for a site of 20,000 pages."""


async def extract_skeleton(  # noqa: PLR0913 - each of them is optional
    site: Site,
    *,
    method: Method | str = Method.DEFAULT,
    trained: Trained | None = None,
    limit: int = DEFAULT_LIMIT,
    known: Mapping[str, ReadPage] = MappingProxyType({}),
    progress: Callable[[int], None] | None = None,
) -> Skeleton:
    """Find the skeleton of a site, fetching at most `limit` pages.

    `trained` are the learnt numbers, the package's own if not given; `progress` is told how many
    pages were fetched so far. Pages that are `known` count to the limit, and are not fetched again;
    the paper's method fetches its own.
    """
    method, numbers = Method(method), trained or shipped()
    if method is Method.PAPER:
        skeleton, _ = await sew_skeleton(site, numbers.paper, limit=limit, progress=progress)
        return skeleton
    return await site_skeleton(site, numbers.evidence, limit=limit, known=known, progress=progress)


def shape_note(root: SkeletonNode) -> str | None:
    """What to say of a tree that is none: a single page, or a flat list."""
    if not root.children:
        return "a single page, no tree: the home page links to no other page of the site"
    if not any(child.children for child in root.children):
        return f"a flat list: {len(root.children)} pages under the home page, and none below them"
    return None
