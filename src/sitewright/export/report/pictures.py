"""A page as a picture of itself: its template dimmed, its fields marked and named.

What comes out is HTML that neither runs nor fetches anything: it stands in a sandboxed frame of the
report, and the explorer shows the same marks on the page as it looks.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sitewright.export.class_tables import spread_sample
from sitewright.export.report.rendering import render
from sitewright.page import marked_tree, numbered_nodes, parser, source_tokens
from sitewright.page.page_index import ElementScope
from sitewright.template.stripping import matching_nodes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sitewright.page import Document, Tree
    from sitewright.page.page_index import SelectorScope
    from sitewright.template import Template
    from sitewright.wrapper import Field, Wrapper


MARK = "data-sitewright"
"""The attribute that marks nodes: the names of fields, or that the node is of the template."""
TEMPLATE_MARK = "~"
"""The mark of what all pages of the class share; no field has such a name."""
FIRST = "data-sitewright-first"
"""On the first node with a name: the name is written there, the others show it to a pointer."""
ROW = "[]"
"""Behind the name of a record set: the node is one of its records."""
ACTIVE = (
    "script, link, base, meta, iframe, frame, frameset, object, embed, audio, video, source, portal"
)
"""What could run, fetch or lead away."""
_LEADING_AWAY = frozenset(
    "action background data formaction href imagesrcset ping poster src srcdoc srcset "
    "xlink:href".split()
)
_UNSEEN = "style, svg, canvas, template, noscript, map"
"""What is nothing to look at without style sheets and pictures."""
_KEPT = frozenset(
    f"{MARK} {FIRST} alt colspan dir lang open rowspan span start title type value".split()
)
_LOOKED_AT = 7
"""Of so many pages the one with the most fields is shown."""
MAX_PICTURE = 300_000
"""A page of more bytes is not shown."""


def class_picture(
    wrapper: Wrapper, template: Template | None, pages: Sequence[Document]
) -> tuple[str, str]:
    """The URL of a typical page of a class, and the page painted; empty where none can be shown."""
    page = _fullest_page(wrapper, pages)
    return ("", "") if page is None else (page.url, painted_page(page, wrapper, template))


def painted_page(document: Document, wrapper: Wrapper, template: Template | None = None) -> str:
    """The page with its fields in yellow, those of its records in green, its template dimmed.

    It has no style of its own any more, and fetches nothing.
    """
    tree = marked_tree(document, page_marks(document, wrapper, template), MARK)
    write_names(tree)
    make_harmless(tree)
    tree.remove(_UNSEEN)
    for node in list(tree.descendants):
        if isinstance(node, parser.Element):
            for name in [name for name in node.attrs if name not in _KEPT]:
                del node.attrs[name]
        elif isinstance(node, parser.Text):
            collapsed = " ".join(node.data.split())
            if not collapsed and node.data:
                node.data = " "
        else:
            node.decompose()
    head = tree.select_one("head")
    if head is not None:
        head.insert_adjacent_html("afterbegin", render("picture_head.html", {}))
    return tree.html


def page_marks(
    document: Document, wrapper: Wrapper | None, template: Template | None
) -> dict[int, str]:
    """The marks of a page's nodes, by number: what is no field may be template."""
    marks: dict[int, str] = {}
    if template:
        shared = matching_nodes(source_tokens(document), template)
        marks = dict.fromkeys(sorted(shared), TEMPLATE_MARK)
    if wrapper is not None:
        marks |= field_marks(document, wrapper)
    return dict(sorted(marks.items()))


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
            names[numbers.of_element(row)].append(records.name + ROW)
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


def write_names(tree: Tree) -> None:
    """Show each name where it stands first, and to a pointer wherever it stands."""
    seen: set[str] = set()
    for element in tree.iter_elements():
        name = element.attr(MARK)
        if name is None or name == TEMPLATE_MARK:
            continue
        element.attrs["title"] = name
        if name not in seen:
            seen.add(name)
            element.attrs[FIRST] = ""


def make_harmless(tree: Tree) -> None:
    """Take everything out of a tree that could run, fetch or lead away."""
    tree.remove(ACTIVE)
    for element in tree.iter_elements():
        for name in [name for name in element.attrs if leads_away(name)]:
            del element.attrs[name]


def leads_away(attribute: str) -> bool:
    """Whether an attribute runs something, or names something to fetch or to go to."""
    return attribute.startswith("on") or attribute in _LEADING_AWAY


def _fullest_page(wrapper: Wrapper, pages: Sequence[Document]) -> Document | None:
    """Of some pages, the one with the most fields and record sets; None if none can be shown."""
    shown = [page for page in spread_sample(pages, _LOOKED_AT) if len(page.body) <= MAX_PICTURE]
    if not shown:
        return None
    return max(shown, key=lambda page: _filled(wrapper, page))


def _filled(wrapper: Wrapper, page: Document) -> int:
    rules = [field.rule for field in wrapper.fields]
    rules += [records.rule for records in wrapper.record_sets]
    return sum(bool(rule.texts(page.index)) for rule in rules)
