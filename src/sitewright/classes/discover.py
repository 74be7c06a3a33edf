"""Discovering how a site is made: explore, find the classes, build the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sitewright.choices import Method
from sitewright.classes.build import Origin, build_model
from sitewright.classes.explore import Exploration, Plan, explore, take_all
from sitewright.classes.fit import Fit, fit
from sitewright.classes.quality import model_quality
from sitewright.classes.settle import Settling

if TYPE_CHECKING:
    from collections.abc import Callable

    from sitewright.classes.model import SiteModel
    from sitewright.html import Document
    from sitewright.site import Site


async def discover(
    site: Site,
    plan: Plan,
    *,
    method: Method | str = Method.DEFAULT,
    on_wave: Callable[[Exploration], None] = lambda _: None,
    on_document: Callable[[Document], None] = lambda _: None,
) -> SiteModel | None:
    """Explore a site and give its model; None if none of its pages could be fetched.

    With the papers' method the exploration ends with the queue or the limit, as theirs does.
    """
    method = Method(method)
    settling = Settling()

    def is_settled(exploration: Exploration) -> bool:
        on_wave(exploration)
        return method is not Method.PAPER and settling(exploration)

    exploration = await explore(site, plan, is_settled, on_document)
    if not exploration.pages:
        return None
    parameters = {
        "limit": plan.limit,
        "strategy": plan.strategy.value,
        "wave_size": plan.wave_size,
        "seed": plan.seed,
    }
    if method is Method.PAPER:
        found = paper_fit(exploration)
        return build_model(exploration, found, Origin(site.home, method.value, parameters))
    found = fit(exploration.pages, exploration.vocabulary)
    curve = quality_curve(exploration, settling.fits, found)
    return build_model(exploration, found, Origin(site.home, method.value, parameters, curve))


def discover_all(site: Site, *, method: Method | str = Method.DEFAULT) -> SiteModel | None:
    """The model of every page at hand, without fetching."""
    method = Method(method)
    exploration = take_all(site.pages(), site.address)
    if not exploration.pages:
        return None
    if method is Method.PAPER:
        schemas = [page.schema for page in exploration.pages]
        exploration.paper_class = list(exploration.paper.update(schemas))
        found = paper_fit(exploration)
    else:
        found = fit(exploration.pages, exploration.vocabulary)
    origin = Origin(site.home, method.value, {"all_pages": True})
    return build_model(exploration, found, origin)


def paper_fit(exploration: Exploration) -> Fit:
    """The papers' classes; pages that only menus led to go where `enc(p|C)` is least."""
    numbers = [
        exploration.paper.best_class(page.schema) if number is None else number
        for page, number in zip(exploration.pages, exploration.paper_class, strict=True)
    ]
    ours = fit(exploration.pages[:1], exploration.vocabulary)
    classes = np.array([number or 0 for number in numbers], dtype=np.int64)
    scores = np.zeros((int(classes.max()) + 1, len(ours.columns)))
    return Fit(ours.columns, classes, scores, has_stubs=False)


def quality_curve(
    exploration: Exploration, fits: list[tuple[int, Fit]], final: Fit
) -> tuple[tuple[int, float], ...]:
    """Q of each model on the way, with the final one as the reference."""
    schemas = [set(page.nodes.paths.tolist()) for page in exploration.pages]
    references = [
        set().union(
            *(schema for schema, c in zip(schemas, final.class_of_page, strict=True) if c == n)
        )
        for n in np.flatnonzero(final.sizes).tolist()
    ]
    points = [*fits, (len(schemas), final)] if not fits or fits[-1][0] < len(schemas) else fits
    curve = []
    for visited, found in points:
        computed: dict[int, list[set[int]]] = {}
        for schema, number in zip(schemas[:visited], found.class_of_page.tolist(), strict=True):
            computed.setdefault(number, []).append(schema)
        curve.append((visited, round(model_quality(references, list(computed.values())), 4)))
    return tuple(curve)
