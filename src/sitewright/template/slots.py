"""Our own template: the pages' trees aligned from the top down, all pages at once.

The roots of all pages belong together; then the children of what belongs together are aligned
(`columns`), and so on down. A column that enough pages share is a slot of the template. So a token
is compared only with tokens in the same place of the same element: tags of the content do not meet
by chance, an end tag always goes with its start tag, and no pairing of pages matters.

A column is telling if enough pages have the same in it, or at least begin it with a text that none
of its siblings begins with (`Height: `). The others are doubtful; between two telling ones they
are content

- where the pages differ in how many there are of a kind: paragraphs, rows, items of a list;
- beside a text that differs from page to page: `<em>` in a sentence belongs to the sentence.

Pages are taken in an order of their own, the most typical first, whatever the order they came in:
the same pages give the same template.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitewright.page import TokenKind
from sitewright.settings import current
from sitewright.template.template import TemplateToken
from sitewright.template.tree import NOTHING, NodeReader, align_lists, are_equal, equal_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitewright.page import Document
    from sitewright.template.tree import AlignedColumn, TemplateNode

    ChildLists = list[tuple[int, list[TemplateNode]]]


def shared_tokens(
    documents: Iterable[Document], threshold: float | None = None
) -> list[TemplateToken]:
    """The tokens that the pages share, in document order; empty if only the bare frame is shared.

    Any two pages have `<html>`, `<head>` and `<body>`: a template is more than that.
    """
    share = current().template.min_share if threshold is None else threshold
    reader = NodeReader()
    pages = _most_typical_first([reader.read(document) for document in documents])
    tokens = list(_Slots(len(pages), share).tokens(pages))
    return [token for token, _in_body in tokens] if _is_more_than_a_frame(tokens) else []


def _most_typical_first(
    pages: list[tuple[list[TemplateNode], list[str]]],
) -> list[list[TemplateNode]]:
    """Sort pages by how many others have their tokens; ties by the tokens themselves."""
    frequency = Counter(token for _top, tokens in pages for token in set(tokens))

    def key(page: tuple[list[TemplateNode], list[str]]) -> tuple[float, list[str]]:
        distinct = set(page[1])
        return -sum(map(frequency.__getitem__, distinct)) / max(1, len(distinct)), page[1]

    return [top for top, _tokens in sorted(pages, key=key)]


def _is_more_than_a_frame(tokens: list[tuple[TemplateToken, bool]]) -> bool:
    """Whether the pages share a text, or a tag with an attribute, in their bodies."""
    return any(
        in_body and (token.kind is TokenKind.TEXT or " " in token.spelling)
        for token, in_body in tokens
    )


@dataclass(frozen=True, slots=True)
class _Slots:
    """The way down through the trees of some pages."""

    pages: int
    threshold: float

    @property
    def need(self) -> float:
        # 2/3 of 3 pages is 2 of them, whatever the last bit of a float says.
        return self.threshold * self.pages - 1e-9

    def tokens(self, tops: list[list[TemplateNode]]) -> Iterator[tuple[TemplateToken, bool]]:
        """The template's tokens, each with whether it stands in the body of the pages."""
        # A stack, not recursion: pages nest as deep as they like.
        to_do: list[AlignedColumn | TemplateToken] = [*reversed(self._slots(list(enumerate(tops))))]
        in_body = False
        while to_do:
            item = to_do.pop()
            if isinstance(item, TemplateToken):
                yield item, in_body
                continue
            yield from ((token, in_body) for token in self._start(item))
            in_body = in_body or item.example.token.tag in {"body", "frameset"}
            to_do += self._end(item)
            lists = [(page, node.children) for page, node in item.members.items()]
            to_do += self._slots(lists)[::-1]

    def _start(self, slot: AlignedColumn) -> Iterator[TemplateToken]:
        """The start tag or text in the form that most pages have, if these are enough."""
        forms = Counter(node.spelling for node in slot.members.values() if node.in_source)
        for form, count in forms.most_common(1):
            if count >= self.need:
                yield TemplateToken(slot.example.token.kind, form, count / self.pages)

    def _end(self, slot: AlignedColumn) -> Iterator[TemplateToken]:
        count = sum(node.end_written for node in slot.members.values())
        if count >= self.need:
            spelling = f"</{slot.example.token.tag}>"
            yield TemplateToken(TokenKind.END, spelling, count / self.pages)

    def _slots(self, lists: ChildLists) -> list[AlignedColumn]:
        """The columns of child lists that belong to the template."""
        if are_equal(lists):
            # Equally many of every kind, and no text of a page's own: all of it is shared.
            return equal_columns(lists)
        columns = align_lists(lists, self.need)
        names = _Names(lists)
        telling = [column for column in columns if self._is_telling(column, names)]
        told = {
            id(node): place
            for place, column in enumerate(telling)
            for node in column.members.values()
        }
        stretches = [_TokenStretch() for _ in range(len(telling) + 1)]
        for page, children in lists:
            place = len(telling)
            for child in children:
                if id(child) in told:
                    place = told[id(child)]
                else:
                    stretches[place].add(page, child)
        kept, place = [], len(telling)
        for column in columns:
            if id(column.example) in told:
                place = told[id(column.example)]
                kept.append(column)
            elif stretches[place].is_fixed(self._kind(column), len(lists)):
                kept.append(column)
        return kept

    def _kind(self, column: AlignedColumn) -> int:
        """What its elements are alike in: the start tag if enough pages share it, else the tag.

        A page may have one more `<div>` for an ad, but it has one `<div class="story">`.
        """
        shared = _share(column.start, (node.start for node in column.members.values()))
        return column.start if shared >= self.need else column.name

    def _is_telling(self, column: AlignedColumn, names: _Names) -> bool:
        """Whether enough pages have the same in it, or begin it with what names it."""
        if column.is_text:
            return True  # its texts are all the same, or they would not be together
        nodes = column.members.values()
        same_text = column.text != NOTHING and _share(column.text, (n.text for n in nodes))
        same = not column.example.is_bare and _share(column.content, (n.content for n in nodes))
        named = names.number(column)
        return max(named, same_text, same) >= self.need


def _share(value: int, values: Iterable[int]) -> int:
    return sum(value == other for other in values)


class _Names:
    """What elements begin with, where that tells each from its siblings."""

    def __init__(self, lists: ChildLists) -> None:
        self._counts = {page: Counter(node.label for node in nodes) for page, nodes in lists}

    def number(self, column: AlignedColumn) -> int:
        """In how many pages the column's label names one element, and that one is in the column.

        What several siblings begin with is no name of any of them.
        """
        return column.label != NOTHING and sum(
            node.label == column.label and self._counts[page][node.label] == 1
            for page, node in column.members.items()
        )


class _TokenStretch:
    """What stands between two telling columns, or before the first or after the last."""

    def __init__(self) -> None:
        self._numbers: defaultdict[int, Counter[int]] = defaultdict(Counter)
        self._own_texts: set[int] = set()

    def add(self, page: int, node: TemplateNode) -> None:
        """Take in a node that no telling column has."""
        self._numbers[node.name][page] += 1
        self._numbers[node.start][page] += 1
        if node.is_text:
            self._own_texts.add(page)

    def is_fixed(self, kind: int, pages: int) -> bool:
        """Whether elements of this kind here are no list, nor markup in a page's own text."""
        settings = current().template
        if 2 * len(self._own_texts) >= pages:
            return False
        numbers = Counter(self._numbers[kind].values())
        numbers[0] = pages - numbers.total()
        most_usual = max(numbers.values())
        return max(numbers) <= 1 or most_usual >= settings.min_same_number * pages
