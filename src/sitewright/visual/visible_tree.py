"""What a matcher knows of one page: its visible tree, and what each part of it is made of."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sitewright.page.rendering import TEXT
from sitewright.visual.elements import leaves

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from numpy.typing import NDArray

    from sitewright.page.rendering import Rendering
    from sitewright.visual.elements import VisualElement


DrawnShape: TypeAlias = tuple[object, ...]
"""The tags from an element down to one of its leaves, and how the leaf is drawn."""

_CODE = frozenset({"pre", "code"})
_LONGEST = 16
_HIGHEST = 64
"""How many tags a shape has at most, and how far up it is told: pages can be made very deep."""
_PROSE = 8
"""Texts of more words than this are prose."""


@dataclass(frozen=True)
class VisibleTree:
    """The visible tree of a page; every list is indexed by the numbers of its nodes."""

    rendering: Rendering
    leaves: dict[int, VisualElement]
    children: list[list[int]]
    """Children that are visible leaves or contain some."""
    shapes: list[frozenset[DrawnShape]]
    """The shapes of the leaves in each part."""
    text_styles: list[frozenset[DrawnShape]]
    """The same, and for texts also their colours and what kinds of text they are."""
    texts: list[frozenset[str]]
    """What the leaves in each part say."""
    anchors: dict[DrawnShape, int]
    """Leaves that are the only ones to say what they say, where they stand, by both."""

    def tag(self, number: int) -> str:
        """The tag of a node."""
        return self.rendering.nodes[number].tag

    def is_running_text(self, number: int) -> bool:
        """Whether it is text to be read in one go: words, with or without inline elements; code.

        What is emphasised or linked in it depends on what it says, not on the page's template.
        """
        inside = [self.rendering.nodes[child] for child in self.children[number]]
        if self.tag(number) in _CODE or [node.tag for node in inside] == [TEXT]:
            return True
        elements = [node for node in inside if node.tag != TEXT]
        has_words = any(node.tag == TEXT and _has_letters(node.text) for node in inside)
        return has_words and all(node.style.is_inline for node in elements)

    @cached_property
    def wholes(self) -> dict[int, int]:
        """For each leaf what a reader sees as one: the running text that it is in, or itself."""
        found: dict[int, int] = {}
        waiting = [0]
        while waiting:
            number = waiting.pop()
            if self.is_running_text(number):
                inside = range(number, self.rendering.ends[number])
                found.update((leaf, number) for leaf in inside if leaf in self.leaves)
            elif number in self.leaves:
                found[number] = number
            else:
                waiting.extend(self.children[number])
        return found


def build_visible_tree(rendering: Rendering) -> VisibleTree:
    """Take a page apart."""
    found = {leaf.number: leaf for leaf in leaves(rendering)}
    size = len(rendering.nodes)
    shapes: list[set[DrawnShape]] = [set() for _ in range(size)]
    text_styles: list[set[DrawnShape]] = [set() for _ in range(size)]
    texts: list[set[str]] = [set() for _ in range(size)]
    said: dict[DrawnShape, list[int]] = {}
    for leaf in found.values():
        text = " ".join(leaf.text.lower().split())
        path = _ancestry(rendering, leaf.number)
        tags = tuple(rendering.nodes[number].tag for number in path)
        drawing, fine = _drawing(leaf), (leaf.style.colour, text_style(leaf.text))
        for depth, number in enumerate(path[-_HIGHEST:], max(0, len(path) - _HIGHEST)):
            below = tags[max(depth, len(tags) - _LONGEST) :]
            shapes[number].add((below, drawing))
            text_styles[number].add((below, drawing, fine))
            if text:
                texts[number].add(text)
        if len(text) > 1 and _has_letters(text):
            said.setdefault((tags, text), []).append(leaf.number)
    return VisibleTree(
        rendering,
        found,
        _visible_children(rendering, found),
        [frozenset(part) for part in shapes],
        [frozenset(part) for part in text_styles],
        [frozenset(part) for part in texts],
        {key: places[0] for key, places in said.items() if len(places) == 1},
    )


def _visible_children(rendering: Rendering, found: Iterable[int]) -> list[list[int]]:
    """For each node the children that are visible leaves or contain some."""
    children: list[list[int]] = [[] for _ in rendering.nodes]
    for leaf in found:
        number, parent = leaf, rendering.nodes[leaf].parent
        while parent >= 0 and (not children[parent] or children[parent][-1] != number):
            children[parent].append(number)
            number, parent = parent, rendering.nodes[parent].parent
    return children


def _ancestry(rendering: Rendering, number: int) -> list[int]:
    """The numbers of the nodes from the root down to this one."""
    path: list[int] = []
    while number >= 0:
        path.append(number)
        number = rendering.nodes[number].parent
    return path[::-1]


def _drawing(leaf: VisualElement) -> tuple[object, ...]:
    tag = TEXT if leaf.kind in {"text", "link"} else leaf.tag
    return tag, leaf.kind, leaf.style.font_size, leaf.style.font_weight


def text_style(text: str) -> str:
    """What kind of text it is, by its characters: signs, a number, a word, or prose."""
    if not any(map(str.isalnum, text)):
        return "signs"
    if not _has_letters(text):
        return "number"
    return "prose" if len(text.split()) > _PROSE else "words"


def _has_letters(text: str) -> bool:
    return any(map(str.isalpha, text))


# Two lists side by side: how alike their members are, and the best pairs that keep the order.


def align(scores: NDArray[np.float64]) -> list[tuple[int, int]]:
    """The pairs, rising in both places, whose scores have the greatest sum; 0 is no pair."""
    rows, columns = scores.shape
    best = np.zeros((rows + 1, columns + 1))
    for i in range(rows):
        reached = np.maximum(best[i, 1:], best[i, :-1] + scores[i])
        best[i + 1, 1:] = np.maximum.accumulate(reached)
    pairs: list[tuple[int, int]] = []
    i, j = rows, columns
    while i > 0 and j > 0:
        if best[i, j] == best[i, j - 1]:
            j -= 1
        elif best[i, j] == best[i - 1, j]:
            i -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    return pairs[::-1]


def longest_rising(numbers: Sequence[int]) -> list[int]:
    """The places of a longest rising subsequence."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for place, number in enumerate(numbers):
        length = bisect_left(tails, number)
        before.append(ends[length - 1] if length else -1)
        tails[length:] = [number, *tails[length + 1 :]]
        ends[length:] = [place, *ends[length + 1 :]]
    found: list[int] = []
    place = ends[-1] if ends else -1
    while place >= 0:
        found.append(place)
        place = before[place]
    return found[::-1]


def similarity(
    left: Sequence[frozenset[Hashable]], right: Sequence[frozenset[Hashable]]
) -> NDArray[np.float64]:
    """Dice's coefficient of each set with each: twice what is shared over the sum of the sizes."""
    words = {word: place for place, word in enumerate(frozenset().union(*left))}
    sizes = np.array([[len(a) + len(b) for b in right] for a in left], dtype=np.float64)
    shared = _indicators(left, words) @ _indicators(right, words).T
    return np.divide(2.0 * shared, sizes, out=np.zeros_like(sizes), where=sizes > 0)


def _indicators(
    sets: Sequence[frozenset[Hashable]], words: dict[Hashable, int]
) -> NDArray[np.float64]:
    matrix = np.zeros((len(sets), len(words)))
    for row, members in enumerate(sets):
        matrix[row, [words[word] for word in members if word in words]] = 1.0
    return matrix
