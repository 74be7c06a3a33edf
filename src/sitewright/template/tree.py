"""Pages as trees of nodes whose parts are numbers, so that nodes of many pages compare at once."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from sitewright.page import TokenKind
from sitewright.page.source_code import source_columns
from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from sitewright.page import Document, Token
    from sitewright.settings import TemplateSettings


NOTHING = 0
"""The number of no text at all."""


class TemplateNode:
    """An element or a text of a page.

    The numbers are of a `NodeReader`: equal numbers, equal things, over all pages it has read.
    """

    __slots__ = (
        "children", "content", "end_written", "in_source", "is_bare", "is_text", "label",
        "name", "spelling", "start", "text", "token",
    )  # fmt: skip

    def __init__(
        self, token: Token, spelling: str, known: _KnownToken, *, in_source: bool, is_text: bool
    ) -> None:
        self.token = token
        self.spelling = spelling
        """The token as the source has it."""
        self.in_source = in_source
        """Whether the source has it; if not, the parser added it."""
        self.is_text = is_text
        """Whether it is a text."""
        # What an element holds is known when it is read to its end.
        self.name, self.start, self.content, self.label, self.is_bare = known
        self.text = self.start if is_text else NOTHING
        """All text in it."""
        self.children = _NO_CHILDREN
        self.end_written = False


_NO_CHILDREN: list[TemplateNode] = []
"""Those of a text, and of an element before its children are read: nobody adds to it."""


class _KnownToken(NamedTuple):
    """What a text, or an element that holds nothing, is numbered as."""

    name: int
    """The tag; all texts have one name."""
    start: int
    """The start tag with its attributes, or the text."""
    content: int
    """Everything in it, itself included."""
    label: int
    """The first text in it: what names a row, an item or a box."""
    is_bare: bool
    """Whether there is neither a text nor an attribute in it."""


class NodeReader:
    """Reads pages into nodes, and numbers what they are made of."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {None: NOTHING}
        # By what they spell: to hash a token would call its kind, and most tokens come back.
        self._of_tag: dict[str, _KnownToken] = {}
        self._of_text: dict[str, _KnownToken] = {}

    def read(self, document: Document) -> tuple[list[TemplateNode], list[str]]:
        """The top nodes of a page, and all its tokens but the end tags."""
        tokens: list[str] = []
        top: list[TemplateNode] = []
        still_open: list[TemplateNode] = []
        siblings = top
        of_tag, of_text = self._of_tag, self._of_text
        columns = source_columns(document)
        for token, spelling, in_source in zip(
            columns.tokens, columns.spellings, columns.in_source, strict=True
        ):
            kind, text = token
            if kind is TokenKind.END:
                node = still_open.pop()
                node.end_written = in_source
                if node.children:
                    self._complete(node)
                siblings = still_open[-1].children if still_open else top
                continue
            tokens.append(text)
            is_text = kind is TokenKind.TEXT
            known = of_text.get(text) if is_text else of_tag.get(text)
            if known is None:
                known = self._known_text(token) if is_text else self._known_tag(token)
            node = TemplateNode(token, spelling, known, in_source=in_source, is_text=is_text)
            siblings.append(node)
            if kind is TokenKind.START:
                still_open.append(node)
                node.children = siblings = []
        return top, tokens

    def _known_text(self, token: Token) -> _KnownToken:
        name, start = self._number(("name", token.tag)), self._number((True, token.text))
        # A number names nothing: it is the rank of a row, or how often.
        label = start if _has_letter(token.text) else NOTHING
        found = _KnownToken(name, start, self._number((start,)), label, is_bare=False)
        self._of_text[token.text] = found
        return found

    def _known_tag(self, token: Token) -> _KnownToken:
        name, start = self._number(("name", token.tag)), self._number((False, token.text))
        is_bare = " " not in token.text
        found = _KnownToken(name, start, self._number((start,)), NOTHING, is_bare)
        self._of_tag[token.text] = found
        return found

    def _complete(self, node: TemplateNode) -> None:
        """Number what an element holds, once all of it is known."""
        contents, texts = [node.start], []
        label, is_bare = NOTHING, node.is_bare
        for child in node.children:
            contents.append(child.content)
            if child.text != NOTHING:
                texts.append(child.text)
            label = label or child.label
            is_bare = is_bare and child.is_bare
        node.content = self._number(tuple(contents))
        node.label = label
        node.is_bare = is_bare and not texts
        if len(texts) == 1:
            node.text = texts[0]
        elif texts:
            node.text = self._number(("texts", tuple(texts)))

    def _number(self, thing: Hashable) -> int:
        return self._numbers.setdefault(thing, len(self._numbers))


def _has_letter(text: str) -> bool:
    # Most texts begin with a letter.
    return text[:1].isalpha() or any(map(str.isalpha, text))


# Child lists of many pages, aligned: each column holds the nodes that play one part.
#
# Lists are taken in one after the other, each aligned with the columns so far so that the
# similarity
# of what comes together is greatest. Nodes with different tags never share a column. How similar
# two
# elements are is decided by what they hold first, then by their text, then by the text they begin
# with, then by their start tags: a menu item with another class or URL is still that menu item,
# and a row that begins with `Height` is the row of heights.

_MAX_CELLS = 1 << 22
"""The largest table of similarities: 16 MB."""
_FEW_CELLS = 100
"""A table that is faster filled in without arrays."""

IndexPair: TypeAlias = tuple[int, int]


class AlignedColumn:
    """The nodes that play one part, by page, and the features that most of them have."""

    __slots__ = ("_modes", "_uncounted", "content", "label", "members", "name", "start", "text")

    def __init__(self, page: int, node: TemplateNode) -> None:
        self.members = {page: node}
        self._uncounted = [node]
        self._modes: tuple[Mode, Mode, Mode, Mode] | None = None
        self.name = node.name
        self.start = node.start
        self.label = node.label
        self.text = node.text
        self.content = node.content

    def add(self, page: int, node: TemplateNode) -> None:
        """Take in one more page's node."""
        self.members[page] = node
        self._uncounted.append(node)
        if node.content != self.content:
            self._count()

    def _count(self) -> None:
        """Find the features that most nodes have, once they differ at all: often they never do."""
        if self._modes is None:
            self._modes = Mode(), Mode(), Mode(), Mode()
        starts, labels, texts, contents = self._modes
        for node in self._uncounted:
            starts.add(node.start)
            labels.add(node.label)
            texts.add(node.text)
            contents.add(node.content)
        self._uncounted.clear()
        self.start, self.label = starts.value, labels.value
        self.text, self.content = texts.value, contents.value

    @property
    def example(self) -> TemplateNode:
        """Its first node."""
        return next(iter(self.members.values()))

    @property
    def is_text(self) -> bool:
        """Whether it is a column of texts."""
        return self.example.is_text


class Mode:
    """The most frequent of the values so far; of several, the one that came first."""

    __slots__ = ("_counts", "_most", "_ranks", "value")

    def __init__(self) -> None:
        self.value = NOTHING
        self._most = 0
        self._counts: dict[int, int] = {}
        self._ranks: dict[int, int] = {}

    def add(self, value: int) -> None:
        """Count one more value."""
        count = self._counts[value] = self._counts.get(value, 0) + 1
        rank = self._ranks.setdefault(value, len(self._ranks))
        if count > self._most or (count == self._most and rank < self._ranks[self.value]):
            self._most, self.value = count, value


def align_lists(
    lists: Sequence[tuple[int, list[TemplateNode]]], need: float
) -> list[AlignedColumn]:
    """Align the child lists of pages into columns; leave out those that fewer than `need` share."""
    columns: list[AlignedColumn] = []
    # The longest first: what is optional has its column before lists without it come.
    longest_first = sorted(lists, key=lambda each: -len(each[1]))
    for taken, (page, nodes) in enumerate(longest_first):
        pairs = list(_aligned(columns, nodes))
        columns = _interleaved(columns, nodes, page, pairs)
        # What the pages to come can no longer lift over the limit is only in the way.
        to_come = len(lists) - taken - 1
        columns = [column for column in columns if len(column.members) + to_come >= need]
    return columns


def are_equal(lists: Sequence[tuple[int, list[TemplateNode]]]) -> bool:
    """Whether all pages have the same nodes here, with all that is in them."""
    first = [node.content for node in lists[0][1]]
    return all([node.content for node in nodes] == first for _page, nodes in lists)


def equal_columns(lists: Sequence[tuple[int, list[TemplateNode]]]) -> list[AlignedColumn]:
    """The columns of lists that are equal: what menus and footers are, in most pages."""
    page, nodes = lists[0]
    columns = [AlignedColumn(page, node) for node in nodes]
    pages = [page for page, _nodes in lists]
    for column, members in zip(columns, zip(*(nodes for _page, nodes in lists), strict=True),
                               strict=True):  # fmt: skip
        column.members = dict(zip(pages, members, strict=True))
    return columns


def _interleaved(
    columns: list[AlignedColumn], nodes: list[TemplateNode], page: int, pairs: list[IndexPair]
) -> list[AlignedColumn]:
    """All columns in order: those that get a node, those that do not, and new ones."""
    merged: list[AlignedColumn] = []
    next_column = next_node = 0
    for column, node in [*pairs, (len(columns), len(nodes))]:
        merged += columns[next_column:column]
        merged += (AlignedColumn(page, new) for new in nodes[next_node:node])
        if column < len(columns):
            columns[column].add(page, nodes[node])
            merged.append(columns[column])
        next_column, next_node = column + 1, node + 1
    return merged


def _aligned(columns: list[AlignedColumn], nodes: list[TemplateNode]) -> Iterator[IndexPair]:
    """Which column each node belongs to; equal ends and, in long lists, equal parts come first."""
    begin, end = _equal_ends(columns, nodes)
    yield from ((place, place) for place in range(begin))
    inner = columns[begin : len(columns) - end], nodes[begin : len(nodes) - end]
    small_enough = len(inner[0]) * len(inner[1]) <= _MAX_CELLS
    pairs = most_similar(*inner) if small_enough else _between_anchors(*inner)
    yield from ((column + begin, node + begin) for column, node in pairs)
    yield from ((len(columns) - back, len(nodes) - back) for back in range(end, 0, -1))


def _equal_ends(columns: list[AlignedColumn], nodes: list[TemplateNode]) -> tuple[int, int]:
    shorter = min(len(columns), len(nodes))
    begin = 0
    while begin < shorter and columns[begin].content == nodes[begin].content:
        begin += 1
    end = 0
    while end < shorter - begin and columns[-1 - end].content == nodes[-1 - end].content:
        end += 1
    return begin, end


def _between_anchors(
    columns: list[AlignedColumn], nodes: list[TemplateNode]
) -> Iterator[IndexPair]:
    """Very long lists: pair what stands once in both, then what stands between two such pairs."""
    last_column = last_node = -1
    for column, node in [*_anchors(columns, nodes), (len(columns), len(nodes))]:
        gap = columns[last_column + 1 : column], nodes[last_node + 1 : node]
        if len(gap[0]) * len(gap[1]) <= _MAX_CELLS:
            pairs = most_similar(*gap)
            yield from ((i + last_column + 1, j + last_node + 1) for i, j in pairs)
        if column < len(columns):
            yield column, node
        last_column, last_node = column, node


def _anchors(columns: list[AlignedColumn], nodes: list[TemplateNode]) -> list[IndexPair]:
    """The longest run of pairs, in both lists' order, with a content that stands once in each."""
    in_columns = Counter(column.content for column in columns)
    in_nodes = Counter(node.content for node in nodes)
    places = {column.content: place for place, column in enumerate(columns)}
    pairs = [
        (places[node.content], place)
        for place, node in enumerate(nodes)
        if in_columns[node.content] == in_nodes[node.content] == 1
    ]
    return _longest_increasing(pairs)


def _longest_increasing(pairs: list[IndexPair]) -> list[IndexPair]:
    """The longest subsequence whose first numbers increase."""
    tails: list[int] = []
    chain: list[int] = []
    before: list[int] = []
    for place, (column, _node) in enumerate(pairs):
        length = bisect_left(tails, column)
        tails[length : length + 1] = [column]
        before.append(chain[length - 1] if length else -1)
        chain[length : length + 1] = [place]
    found: list[IndexPair] = []
    place = chain[-1] if chain else -1
    while place >= 0:
        found.append(pairs[place])
        place = before[place]
    return found[::-1]


def most_similar(columns: list[AlignedColumn], nodes: list[TemplateNode]) -> list[IndexPair]:
    """The pairs, in both lists' order, with the greatest similarity in all."""
    if not columns or not nodes:
        return []
    if len(columns) == len(nodes) == 1:
        column, node = columns[0], nodes[0]
        is_similar = column.name == node.name and (column.start == node.start or not node.is_text)
        return [(0, 0)] if is_similar else []
    if len(columns) * len(nodes) <= _FEW_CELLS:
        return _most_similar_of_few(columns, nodes)
    return most_similar_of_many(columns, nodes)


def most_similar_of_many(
    columns: list[AlignedColumn], nodes: list[TemplateNode]
) -> list[IndexPair]:
    """The same with arrays, which take longer for a few."""
    similar = similarities(columns, nodes)
    best = np.zeros((len(nodes) + 1, len(columns) + 1), dtype=np.int32)
    for above, row, gains in zip(best, best[1:], similar, strict=False):
        np.maximum.accumulate(np.maximum(above[1:], above[:-1] + gains), out=row[1:])
    return _path(best, similar)


def _path(best: NDArray[np.int32], similar: NDArray[np.int32]) -> list[IndexPair]:
    pairs: list[IndexPair] = []
    i, j = similar.shape
    while i and j:
        gain = similar[i - 1, j - 1]
        if gain and best[i, j] == best[i - 1, j - 1] + gain:
            i, j = i - 1, j - 1
            pairs.append((j, i))
        elif best[i, j] == best[i - 1, j]:
            i -= 1
        else:
            j -= 1
    return pairs[::-1]


def _most_similar_of_few(
    columns: list[AlignedColumn], nodes: list[TemplateNode]
) -> list[IndexPair]:
    weights = current().template
    similar: list[list[int]] = []
    best = [[0] * (len(columns) + 1)]
    for node in nodes:
        above, row, gains = best[-1], [0], list[int]()
        for place, column in enumerate(columns):
            gain = _similarity(column, node, weights)
            gains.append(gain)
            row.append(max(row[-1], above[place + 1], above[place] + gain))
        similar.append(gains)
        best.append(row)
    pairs: list[IndexPair] = []
    i, j = len(nodes), len(columns)
    while i and j:
        gain = similar[i - 1][j - 1]
        if gain and best[i][j] == best[i - 1][j - 1] + gain:
            i, j = i - 1, j - 1
            pairs.append((j, i))
        elif best[i][j] == best[i - 1][j]:
            i -= 1
        else:
            j -= 1
    return pairs[::-1]


def _similarity(column: AlignedColumn, node: TemplateNode, weights: TemplateSettings) -> int:
    """How similar a node is to a column: one entry of `similarities`."""
    is_same_start = column.start == node.start
    if column.name != node.name or (node.is_text and not is_same_start):
        return NOTHING
    found = 1
    if is_same_start:
        found += weights.start_tag_weight
    if node.label and column.label == node.label:
        found += weights.first_text_weight
    if node.text and column.text == node.text:
        found += weights.text_weight
    if column.content == node.content:
        found += weights.content_weight
    return found


def similarities(
    columns: Sequence[AlignedColumn], nodes: Sequence[TemplateNode]
) -> NDArray[np.int32]:
    """How similar each node is to each column: a row for each node."""
    weights = current().template
    start = _equal([n.start for n in nodes], [c.start for c in columns])
    found: NDArray[np.int32] = np.ones(start.shape, dtype=np.int32)
    # A table may have millions of entries: one of 64 bits for each feature would be too large.
    found += np.int32(weights.start_tag_weight) * start
    label = _equal([n.label for n in nodes], [c.label or -1 for c in columns])
    found += np.int32(weights.first_text_weight) * label
    text = _equal([n.text for n in nodes], [c.text or -1 for c in columns])
    found += np.int32(weights.text_weight) * text
    content = _equal([n.content for n in nodes], [c.content for c in columns])
    found += np.int32(weights.content_weight) * content
    # Two different texts have nothing in common but being texts.
    start |= ~np.array([node.is_text for node in nodes])[:, None]
    start &= _equal([n.name for n in nodes], [c.name for c in columns])
    found *= start
    return found


def _equal(rows: list[int], columns: list[int]) -> NDArray[np.bool_]:
    equal: NDArray[np.bool_] = np.array(rows)[:, None] == np.array(columns)[None, :]
    return equal
