"""Tracking model quality during generation (Crescenzi et al. 2005, section 4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitewright.classes import explore
from sitewright.classes.facts import page_facts
from sitewright.classes.fit import fit
from sitewright.evaluate.classes import labels_by_address
from sitewright.evaluate.measures import model_quality
from sitewright.site import Page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitewright.classes import Plan
    from sitewright.html import PathVocabulary
    from sitewright.site import Site

POINTS = 8
_PAGES_OF_A_CLASS = 10
"""How many pages of a true class make up its reference schema."""


async def convergence(site: Site, labels: Mapping[str, str], plan: Plan) -> list[tuple[int, float]]:
    """Pages visited, and Q of our model of them against the true classes.

    The reference schema of a class is the union of the link paths of some of its pages.
    """
    exploration = await explore(site, plan)
    truth = labels_by_address(site, labels)
    references = await _references(site, truth, exploration.vocabulary)
    schemas = [set(page.schema.paths.tolist()) for page in exploration.pages]
    curve = []
    for point in range(1, POINTS + 1):
        visited = len(schemas) * point // POINTS
        if not visited:
            continue
        found = fit(exploration.pages[:visited], exploration.vocabulary)
        computed: dict[int, list[set[int]]] = {}
        for schema, number in zip(schemas[:visited], found.class_of_page.tolist(), strict=True):
            computed.setdefault(number, []).append(schema)
        curve.append((visited, round(model_quality(references, list(computed.values())), 4)))
    return curve


async def _references(
    site: Site, truth: Mapping[str, str], vocabulary: PathVocabulary
) -> list[set[int]]:
    chosen: dict[str, list[str]] = {}
    for address, label in sorted(truth.items()):
        addresses = chosen.setdefault(label, [])
        if len(addresses) < _PAGES_OF_A_CLASS:
            addresses.append(address)
    references = []
    for addresses in chosen.values():
        paths: set[int] = set()
        for outcome in await site.fetch(addresses):
            if isinstance(outcome, Page):
                facts = page_facts(outcome.document(), vocabulary, site.address)
                paths.update(facts.schema.paths.tolist())
        if paths:
            references.append(paths)
    return references
