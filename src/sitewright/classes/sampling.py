"""The pages of each class that templates and wrappers are learnt from, each parsed once."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from sitewright.site import Page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.classes.model import PageClass, SiteModel
    from sitewright.page import Document
    from sitewright.site import Site


async def sample_pages(model: SiteModel, site: Site) -> dict[str, list[Document]]:
    """The documents of some pages of each class; a class of stubs has nothing to show.

    The model names these pages, so none is classified again. Memory holds no more than them: at
    most 64 a class, however large the site.
    """
    return {one.name: await documents_of(one, site) for one in model.classes if not one.is_stub}


async def documents_of(one: PageClass, site: Site) -> list[Document]:
    """Fetch and parse the sample pages of one class."""
    outcomes = await site.fetch(one.pages or one.samples)
    return [outcome.located_document() for outcome in outcomes if isinstance(outcome, Page)]


# Some of many, evenly: what is learnt from them holds for all, whatever order they came in.

Item = TypeVar("Item")


def evenly(items: Sequence[Item], size: int) -> list[Item]:
    """At most so many of the items, in their order, as far apart as they can be."""
    taken = min(size, len(items))
    return [items[place * len(items) // taken] for place in range(taken)]
