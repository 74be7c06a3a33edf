"""A page with the fields of its wrapper marked, each under its name."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sitewright.html import dom, marked_tree, numbered_nodes
from sitewright.html.page_index import ElementScope
from sitewright.output.harmless import MARK, harmless_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitewright.html import Document, Tree
    from sitewright.html.page_index import SelectorScope
    from sitewright.wrapper import Field, Wrapper

_FIRST = "data-sitewright-first"
"""On the first node with a name: the name is written there, the others show it to a pointer."""
_ROW = "[]"
"""Behind the name of a record set: the node is one of its records."""
_STYLE = """:is(ul, ol, dl, nav, aside, form):not(:has([data-sitewright]), [data-sitewright] *) {
 max-height: 2.6em; overflow: hidden; opacity: .5; }
[data-sitewright] { background: #ffe8a3 !important; color: #3d2b00 !important;
 border-radius: 2px; outline: 1px solid #e0a800; }
[data-sitewright*="."] { background: #c9f2d5 !important; color: #0b3d1c !important;
 outline-color: #3fa35f; }
[data-sitewright$="[]"] { background: none !important; outline: 1px dashed #3fa35f; }
[data-sitewright]:is(img, svg, input, hr) { outline-width: 3px; }
[data-sitewright-first]:not(tr, tbody, thead, table, ul, ol, dl, html, body)::before {
 content: attr(data-sitewright); display: inline-block; font: 600 10px/13px system-ui, sans-serif;
 color: #fff; background: #8a6500; border-radius: 2px; padding: 0 4px 2px; margin-right: 4px;
 text-transform: none; text-indent: 0; white-space: nowrap; }
[data-sitewright-first][data-sitewright*="."]::before,
[data-sitewright-first][data-sitewright$="[]"]::before { background: #1e7a3d; }
"""


def page_with_fields(document: Document, wrapper: Wrapper) -> str:
    """The page with its fields in yellow, those of its records in green: it fetches nothing."""
    tree = marked_tree(document, field_marks(document, wrapper), MARK)
    _write_names(tree)
    return harmless_page(tree, _STYLE)


def field_marks(document: Document, wrapper: Wrapper) -> dict[int, str]:
    """The names of the fields that stand in each node, by the node's number."""
    names: dict[int, list[str]] = defaultdict(list)
    numbers = _Numbers(document.tree)
    index = document.index
    for field in wrapper.fields:
        for number in numbers.of_field(field, index):
            names[number].append(field.name)
    for records in wrapper.record_sets:
        for row, _text in index.select_with_elements(records.rule.selector):
            inside = ElementScope(row)
            for field in records.fields:
                for number in numbers.of_field(field, inside):
                    names[number].append(f"{records.name}.{field.name}")
            names[numbers.of_element(row)].append(records.name + _ROW)
    return {number: ", ".join(dict.fromkeys(found)) for number, found in sorted(names.items())}


class _Numbers:
    """The numbers of a page's nodes."""

    def __init__(self, tree: Tree) -> None:
        self._nodes = numbered_nodes(tree)
        self._elements = {id(node): number for number, node in enumerate(self._nodes)}
        self._texts: dict[tuple[int, str], int] = {}
        for number, node in enumerate(self._nodes):
            if isinstance(node, dom.Text):
                self._texts.setdefault((id(node.parent), " ".join(node.data.split())), number)

    def of_element(self, element: dom.Element) -> int:
        return self._elements[id(element)]

    def of_field(self, field: Field, scope: SelectorScope) -> Iterator[int]:
        """The nodes that a field's values stand in: the text itself, or the element around it."""
        found = [
            (element, text)
            for element, text in scope.select_with_elements(field.rule.selector)
            if text and field.rule.matches(text)
        ]
        for element, text in found if field.many else found[:1]:
            yield self._texts.get((id(element), text), self._elements[id(element)])


def _write_names(tree: Tree) -> None:
    """Show each name where it stands first, and to a pointer wherever it stands."""
    seen: set[str] = set()
    for element in tree.iter_elements():
        name = element.attr(MARK)
        if name is None:
            continue
        element.attrs["title"] = name
        if name not in seen:
            seen.add(name)
            element.attrs[_FIRST] = ""
