"""Pages as pictures of themselves, with marks: HTML that runs, fetches and leads nowhere."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sitewright.export.report.rendering import render
from sitewright.page import marked_tree, numbered_nodes, parser, source_tokens
from sitewright.page.page_index import ElementScope
from sitewright.template import template_nodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitewright.page import Document, Tree
    from sitewright.page.page_index import SelectorScope
    from sitewright.template import Template
    from sitewright.wrapper import Field, Wrapper


_MARK = "data-sitewright"
"""The attribute that marks nodes for the style of the picture."""
_FIRST = "data-sitewright-first"
"""On the first node with a name: the name is written there, the others show it to a pointer."""
_ROW = "[]"
"""Behind the name of a record set: the node is one of its records."""
_ACTIVE = "script, link, base, meta, iframe, frame, object, embed, audio, video, source, portal"
"""What could run, fetch or lead away."""
_LEADING_AWAY = frozenset(
    "action background data formaction href ping poster srcset xlink:href".split()
)


def page_in_two_colours(document: Document, template: Template) -> str:
    """The page with its template in blue and its content in yellow: HTML that fetches nothing."""
    shared = template_nodes(document, template)
    numbers = {token.node for token in source_tokens(document)}
    marks = {number: "template" if number in shared else "content" for number in sorted(numbers)}
    return _sanitized(marked_tree(document, marks, _MARK), "two_colours.css")


def page_with_fields(document: Document, wrapper: Wrapper) -> str:
    """The page with its fields in yellow, those of its records in green: it fetches nothing."""
    tree = marked_tree(document, field_marks(document, wrapper), _MARK)
    _write_names(tree)
    return _sanitized(tree, "fields.css")


def field_marks(document: Document, wrapper: Wrapper) -> dict[int, str]:
    """The names of the fields that stand in each node, by the node's number."""
    names: dict[int, list[str]] = defaultdict(list)
    numbers = _NodeNumbers(document.tree)
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


class _NodeNumbers:
    """The numbers of a page's nodes."""

    def __init__(self, tree: Tree) -> None:
        self._nodes = numbered_nodes(tree)
        self._elements = {id(node): number for number, node in enumerate(self._nodes)}
        self._texts: dict[tuple[int, str], int] = {}
        for number, node in enumerate(self._nodes):
            if isinstance(node, parser.Text):
                self._texts.setdefault((id(node.parent), " ".join(node.data.split())), number)

    def of_element(self, element: parser.Element) -> int:
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
        name = element.attr(_MARK)
        if name is None:
            continue
        element.attrs["title"] = name
        if name not in seen:
            seen.add(name)
            element.attrs[_FIRST] = ""


def _sanitized(tree: Tree, style: str) -> str:
    """The HTML of a tree of one's own, in this style: it changes the tree.

    Everything that could run, fetch or lead away is taken out; a policy in its head forbids the
    rest. It still belongs into a frame with the `sandbox` attribute.
    """
    tree.remove(_ACTIVE)
    for element in tree.iter_elements():
        for name in [name for name in element.attrs if _leads_away(name)]:
            del element.attrs[name]
    head = tree.select_one("head")
    if head is not None:
        head.insert_adjacent_html("afterbegin", render("picture_head.html", {"style": style}))
    return tree.html


def _leads_away(attribute: str) -> bool:
    return attribute.startswith("on") or attribute in _LEADING_AWAY
