"""Some of many, evenly: what is learnt from them holds for all, whatever order they came in."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

Item = TypeVar("Item")


def evenly(items: Sequence[Item], size: int) -> list[Item]:
    """At most so many of the items, in their order, as far apart as they can be."""
    taken = min(size, len(items))
    return [items[place * len(items) // taken] for place in range(taken)]
