"""Pairs of blocks: a correspondence of nodes, told in blocks that a person would name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sitewright.visual.candidates import candidates
from sitewright.visual.segment import GRANULARITY, segment
from sitewright.visual.views import container, leaves

if TYPE_CHECKING:
    from sitewright.visual.associate import Correspondence
    from sitewright.visual.rendering import Rendering
    from sitewright.visual.views import View


@dataclass(frozen=True, slots=True)
class Pair:
    """Two parts of two pages that play the same part."""

    number: int
    """From 1, in the order of the first page."""
    role: str
    first: View
    second: View
    first_path: str
    second_path: str

    def as_json(self) -> dict[str, Any]:
        """A flat object: what ends in `_a` is of the first page, in `_b` of the second."""
        found: dict[str, Any] = {"number": self.number, "role": self.role}
        for end, view, path in (
            ("a", self.first, self.first_path),
            ("b", self.second, self.second_path),
        ):
            box = view.box
            found |= {
                f"path_{end}": path, f"text_{end}": view.text,
                f"lx_{end}": box.lx, f"ly_{end}": box.ly,
                f"dx_{end}": box.dx, f"dy_{end}": box.dy,
            }  # fmt: skip
        return found


def block_pairs(
    first: Rendering,
    second: Rendering,
    correspondence: Correspondence,
    *,
    granularity: float = GRANULARITY,
) -> list[Pair]:
    """The blocks of the first page that correspond to something in the second."""
    partners = dict(correspondence.pairs)
    wrappers = {part.node.number: part.nodes for part in candidates(first)}
    found: list[tuple[str, int, int]] = []
    for block in segment(first, granularity=granularity):
        same = (node.number for node in reversed(wrappers[block.node]))
        matched = next((number for number in same if number in partners), None)
        if matched is not None:
            found.append((block.role.value, matched, partners[matched]))
    return _pairs(first, second, found)


def leaf_pairs(first: Rendering, second: Rendering, correspondence: Correspondence) -> list[Pair]:
    """The leaves that correspond."""
    kinds = {leaf.number: leaf.kind for leaf in leaves(first)}
    found = [(kinds[a], a, b) for a, b in correspondence.pairs if a in kinds]
    return _pairs(first, second, found)


def _pairs(first: Rendering, second: Rendering, found: list[tuple[str, int, int]]) -> list[Pair]:
    pairs: list[Pair] = []
    for role, a, b in found:
        view_a, view_b = container(first, a, 0), container(second, b, 0)
        if view_a is not None and view_b is not None:
            number = len(pairs) + 1
            pairs.append(Pair(number, role, view_a, view_b, first.paths[a], second.paths[b]))
    return pairs
