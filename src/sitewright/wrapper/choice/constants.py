"""Labelled places where all pages that are learnt from say the same: no columns, so far.

"Type: Private" may be said of every page of a site, or of those only that were learnt from. A
wrapper keeps where such a text stands. When a page says another one there it is flagged
(`_doubtful`), and `run` makes a column of the place once there are a few such pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitewright.settings import current
from sitewright.wrapper.choice.column_choice import is_aside
from sitewright.wrapper.columns import statistics
from sitewright.wrapper.fields import candidate
from sitewright.wrapper.pages import TEXT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitewright.page.page_index import SelectorScope
    from sitewright.wrapper.class_pages import ClassPages
    from sitewright.wrapper.columns import ValueColumn
    from sitewright.wrapper.fields import FieldCandidate

_NO_FACTS = frozenset(
    "nav header footer aside form select option button label legend a h1 h2 h3 h4 h5 h6".split()
)
"""What stands in these on all pages is part of the site, and no fact of a page."""


def constant_places(
    view: ClassPages, columns: Sequence[ValueColumn], scopes: Sequence[SelectorScope]
) -> Iterator[FieldCandidate]:
    """The places behind labels that say the same on (nearly) all pages, with their rules."""
    settings = current().wrapper.columns
    if len(view.readings) <= settings.min_filled_pages:
        return
    left = settings.max_constants
    for column in columns:
        if left and _is_constant_fact(view, column):
            found = candidate(view, column, scopes, {})
            if found is not None and _is_anchored(found) and found.statistics.distinct == 1:
                left -= 1
                yield found


def _is_constant_fact(view: ClassPages, column: ValueColumn) -> bool:
    settings = current().wrapper
    if column.kind != "label" or column.part != TEXT or column.many:
        return False
    least = settings.min_required_share * len(view.readings)
    steps = view.paths.steps(column.path)
    if len(column.cells) < least or is_aside(steps) or {one.tag for one in steps} & _NO_FACTS:
        return False
    found = statistics([column.texts(view, page) for page in range(len(view.readings))])
    text = column.texts(view, min(column.cells))[0]
    return found.distinct == 1 and len(text) <= settings.labels.max_label_length


def _is_anchored(found: FieldCandidate) -> bool:
    """Whether the rule holds on to the label, and not to a place that something else may take."""
    anchor = found.rule.selector.anchor()
    return anchor is not None and not anchor.attribute
