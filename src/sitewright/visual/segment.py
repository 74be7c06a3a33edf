"""Segmentation: the blocks of one page, as a tree.

Each part of the page that could be a block is judged by its features (`features`), with boosted
trees that learned from pages on which people marked the blocks. Blocks may lie in blocks: the tree
of blocks is the tree of the page with everything else left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp, log
from typing import TYPE_CHECKING, Any

from sitewright.formats import parse
from sitewright.visual.boosting import Ensemble
from sitewright.visual.candidates import candidates
from sitewright.visual.features import feature_rows
from sitewright.visual.roles import Role, role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.visual.boxes import Box
    from sitewright.visual.candidates import Candidate
    from sitewright.visual.rendering import Rendering

GRANULARITY = 0.5
_USUAL = 0.26
"""The likelihood from which on a part is a block, at the usual granularity."""
_STEEPNESS = 4.0


@dataclass(frozen=True, slots=True)
class Block:
    """A rectangle of the page that belongs together."""

    number: int
    """From 1, in document order."""
    parent: int | None
    """The number of the block around it."""
    depth: int
    node: int
    """The node of the rendering that stands for it."""
    path: str
    tag: str
    role: Role
    box: Box
    likelihood: float
    text: str

    def as_json(self) -> dict[str, Any]:
        """A flat object."""
        box = self.box
        return {
            "number": self.number, "parent": self.parent, "depth": self.depth,
            "role": self.role.value, "lx": box.lx, "ly": box.ly, "dx": box.dx, "dy": box.dy,
            "path": self.path, "likelihood": round(self.likelihood, 3), "text": self.text,
        }  # fmt: skip


def segment(
    rendering: Rendering, *, granularity: float = GRANULARITY, judge: Ensemble | None = None
) -> list[Block]:
    """The blocks of a page, parents before their children.

    `granularity` is between 0 (few, sure blocks) and 1 (many); 0.5 is what people mark.
    """
    parts = candidates(rendering)
    if not parts:
        return []
    likelihoods = (judge or trained()).probabilities(feature_rows(parts))
    least = threshold(granularity)
    chosen = [part for part in parts[1:] if likelihoods[part.place] >= least]
    return _tree(rendering, parts, chosen, likelihoods.tolist())


def threshold(granularity: float) -> float:
    """The least likelihood of a block."""
    odds = log(_USUAL / (1 - _USUAL)) + _STEEPNESS * (GRANULARITY - granularity)
    return 1 / (1 + exp(-odds))


@cache
def trained() -> Ensemble:
    """What was learned from the marked pages, as it comes with the package."""
    saved = (files(__package__) / "blocks.json").read_bytes()
    return parse(saved, Ensemble, "blocks.json")


def _tree(
    rendering: Rendering,
    parts: Sequence[Candidate],
    chosen: Sequence[Candidate],
    likelihoods: Sequence[float],
) -> list[Block]:
    numbers = {part.place: number for number, part in enumerate(chosen, 1)}
    around = [_nearest(part, parts, numbers) for part in chosen]
    depths: dict[int, int] = {}
    blocks: list[Block] = []
    for number, (part, parent) in enumerate(zip(chosen, around, strict=True), 1):
        depths[number] = 0 if parent is None else depths[parent] + 1
        named = role(part, parts[0], holds_blocks=number in around)
        text = " ".join(leaf.text for leaf in part.leaves if leaf.text)
        node = part.node
        blocks.append(
            Block(
                number=number,
                parent=parent,
                depth=depths[number],
                node=node.number,
                path=rendering.paths[node.number],
                tag=node.tag,
                role=named,
                box=part.box,
                likelihood=likelihoods[part.place],
                text=text,
            )
        )
    return blocks


def _nearest(part: Candidate, parts: Sequence[Candidate], numbers: dict[int, int]) -> int | None:
    """The number of the block that a part lies in."""
    place = part.parent
    while place >= 0 and place not in numbers:
        place = parts[place].parent
    return numbers.get(place)
