"""The pages of each class that templates and wrappers are learnt from, each parsed once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitewright.site import Page

if TYPE_CHECKING:
    from sitewright.classes.model import PageClass, SiteModel
    from sitewright.html import Document
    from sitewright.site import Site


async def sample_pages(model: SiteModel, site: Site) -> dict[str, list[Document]]:
    """The documents of some pages of each class; a class of stubs has nothing to show.

    The model names these pages, so none is classified again. Memory holds no more than them: at
    most 64 a class, however large the site.
    """
    return {one.name: await documents_of(one, site) for one in model.classes if not one.is_stub}


async def documents_of(one: PageClass, site: Site) -> list[Document]:
    """The documents of one class alone, for who wants to hold no more than these."""
    outcomes = await site.fetch(one.pages or one.samples)
    return [outcome.located_document() for outcome in outcomes if isinstance(outcome, Page)]
