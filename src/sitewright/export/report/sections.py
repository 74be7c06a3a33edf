"""What each section of the report shows: data for its template, prepared from a run's results."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sitewright.export.class_tables import spread_sample
from sitewright.export.report.report import (
    Section,
    class_drawing,
    curve_drawing,
    render,
    render_report,
)
from sitewright.formats import complete_or_absent
from sitewright.page import marked_tree, numbered_nodes, parser, source_tokens
from sitewright.page.page_index import ElementScope
from sitewright.skeleton import shape_note
from sitewright.template import strip, template_nodes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sitewright.classes import SiteModel
    from sitewright.page import Document, Tree
    from sitewright.page.page_index import SelectorScope
    from sitewright.skeleton import SkeletonNode
    from sitewright.template import Template
    from sitewright.wrapper import Field, RecordSet, RejectedColumn, Wrapper


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


# What each section of the report shows: data for its template, prepared from a run's results.

MAX_PICTURE = 300_000
"""A page of more bytes is not shown: the report is one file that people send around."""
MAX_SHOWN = 5000
"""The most pages of the skeleton that are shown, for the same reason."""
SHOWN_CONTENT = 100
"""Content pages of one navigation page that are shown; the rest are counted."""
_OPEN_LEVELS = 1
_SHOWN_LINKS = 40
_LOOKED_AT = 7
"""Of so many pages the one with the most fields is shown."""
_SAMPLES = 3
_SAMPLE_LENGTH = 48
_SHOWN_DROPPED = 100


def write_report(folder: Path, model: SiteModel, more: Sequence[Section] = ()) -> None:
    """Write report.html: the classes, the sections of later steps, and the details of the model."""
    lead = (
        f"{len(model.classes)} page classes and {len(model.links)} class links, "
        f"from {model.visited:,} visited pages."
    )
    classes, details = class_sections(model)
    page = render_report(model.home, lead, [*classes, *more, *details])
    with complete_or_absent(folder / "report.html") as file:
        file.write(page)


def class_sections(model: SiteModel) -> tuple[list[Section], list[Section]]:
    """What the model says: the graph and the classes; their links and the quality curve."""
    shown = {
        "links": model.links[:_SHOWN_LINKS],
        "more": len(model.links) - _SHOWN_LINKS,
    }
    classes = [
        Section("Graph of classes", "class_graph.html", {"drawing": class_drawing(model)}),
        Section("Page classes", "classes.html", {"classes": model.classes}),
    ]
    details = [Section("Class links", "class_links.html", shown)]
    if len(model.curve) > 1:
        drawing = {"drawing": curve_drawing(model.curve)}
        details.append(Section("Quality against pages visited", "quality.html", drawing))
    return classes, details


@dataclass(frozen=True, slots=True)
class TreeLine:
    """A line of the skeleton: a page, or the end of the list below one."""

    kind: Literal["leaf", "open", "folded", "end"]
    url: str = ""
    title: str = ""
    count: int = 0
    """Pages directly below; at the end of a list, those that it does not show."""


def skeleton_section(root: SkeletonNode) -> Section:
    """The tree as nested lists, navigation pages folded below the first level."""
    pages = sum(1 for _ in root.walk())
    note = (
        shape_note(root) or f"{pages:,} pages; {len(root.children):,} directly below the home page"
    )
    return Section("Skeleton", "skeleton.html", {"note": note, "lines": list(_tree_lines(root))})


def _tree_lines(root: SkeletonNode) -> Iterator[TreeLine]:
    """The tree line by line: trees of hostile sites are deeper than Python and Jinja2 recurse."""
    left = MAX_SHOWN
    waiting: list[tuple[SkeletonNode, int] | TreeLine] = [(root, 0)]
    while waiting:
        item = waiting.pop()
        if isinstance(item, TreeLine):
            yield item
            continue
        node, level = item
        left -= 1
        title, count = node.title or node.url, len(node.children)
        if not node.children:
            yield TreeLine("leaf", node.url, title)
            continue
        yield TreeLine("open" if level < _OPEN_LEVELS else "folded", node.url, title, count)
        shown = _shown_children(node)[: max(0, left)]
        waiting.append(TreeLine("end", count=count - len(shown)))
        waiting += [(child, level + 1) for child in reversed(shown)]


def _shown_children(node: SkeletonNode) -> list[SkeletonNode]:
    content = [child for child in node.children if not child.children][:SHOWN_CONTENT]
    kept = {child.url for child in content}
    return [child for child in node.children if child.children or child.url in kept]


@dataclass(frozen=True, slots=True)
class TemplateRow:
    """A template in numbers, and a page in two colours."""

    name: str
    pages: int
    tokens: int
    in_all: int
    """Tokens that every page has."""
    share: float | None
    """Of the page that is shown; None where the pages share nothing."""
    url: str
    picture: str
    """Empty: the page is too large, or there is no template."""


def templates_section(rows: Sequence[TemplateRow]) -> Section:
    """A table of all templates, and under it a page of each class in two colours."""
    return Section("Templates", "templates.html", {"classes": rows})


def template_row(name: str, template: Template, pages: Sequence[Document]) -> TemplateRow:
    """What the report shows of the template of a class that has these pages."""
    # A page in the middle: neither the first nor the last of anything.
    page = sorted(pages, key=lambda page: (page.url, page.body))[len(pages) // 2]
    is_shown = bool(template) and len(page.body) <= MAX_PICTURE
    return TemplateRow(
        name=name,
        pages=template.pages,
        tokens=len(template),
        in_all=sum(token.support == 1 for token in template),
        share=strip(page, template).fraction if template else None,
        url=page.url,
        picture=page_in_two_colours(page, template) if is_shown else "",
    )


@dataclass(frozen=True, slots=True)
class FieldRow:
    """A field of a wrapper as people read it."""

    name: str
    named_by: str
    marks: tuple[str, ...]
    type: str
    shares: tuple[float, float, float]
    """Coverage, confidence, stability."""
    samples: tuple[str, ...]
    xpath: str
    short_xpath: str
    pattern: str


@dataclass(frozen=True, slots=True)
class RecordSetTable:
    """A record set and its fields."""

    name: str
    rows: float
    coverage: float
    fields: tuple[FieldRow, ...]


@dataclass(frozen=True, slots=True)
class DroppedRow:
    """A column that was left out, and why."""

    reason: str
    sample: str
    xpath: str


@dataclass(frozen=True, slots=True)
class WrapperEntry:
    """A class: its fields and record sets, what was left out, and a page with marks."""

    page_class: str
    pages: int
    columns: int
    rows: str
    """The record set that is the class's table, where pages are lists."""
    fields: tuple[FieldRow, ...]
    record_sets: tuple[RecordSetTable, ...]
    picture_url: str
    picture: str
    dropped: tuple[DroppedRow, ...]
    dropped_count: int


def wrappers_section(entries: Sequence[WrapperEntry]) -> Section:
    """For each class its fields and record sets, what was left out, and a page with marks."""
    return Section("Tables", "wrappers.html", {"wrappers": entries})


def wrapper_entry(wrapper: Wrapper, pages: Sequence[Document]) -> WrapperEntry:
    """What the report shows of the wrapper of a class that has these pages."""
    page = _fullest_page(wrapper, pages)
    return WrapperEntry(
        page_class=wrapper.page_class,
        pages=wrapper.pages,
        columns=wrapper.width(),
        rows=wrapper.rows or "",
        fields=_field_rows(wrapper.fields, wrapper.key),
        record_sets=tuple(_record_set_table(one, wrapper.key) for one in wrapper.record_sets),
        picture_url=page.url if page else "",
        picture=page_with_fields(page, wrapper) if page else "",
        dropped=tuple(map(_dropped_row, wrapper.dropped[:_SHOWN_DROPPED])),
        dropped_count=len(wrapper.dropped),
    )


def _record_set_table(records: RecordSet, key: Sequence[str]) -> RecordSetTable:
    fields = _field_rows(records.fields, key)
    return RecordSetTable(records.name, records.rows, records.coverage, fields)


def _field_rows(fields: Sequence[Field], key: Sequence[str]) -> tuple[FieldRow, ...]:
    return tuple(_field_row(field, is_key=field.name in key) for field in fields)


def _field_row(field: Field, *, is_key: bool) -> FieldRow:
    marks = ["key"] if is_key else []
    marks += [f"→ {field.references}"] if field.references else []
    unit = f", {field.type.unit}" if field.type.unit else ""
    return FieldRow(
        name=field.name,
        named_by=field.named_by,
        marks=tuple(marks),
        type=f"{'list of ' if field.many else ''}{field.type.kind}{unit}",
        shares=(field.coverage, field.confidence, field.stability),
        samples=tuple(map(_short, field.samples[:_SAMPLES])),
        xpath=field.rule.xpath,
        short_xpath=field.rule.selector.short(),
        pattern=field.rule.pattern,
    )


def _dropped_row(dropped: RejectedColumn) -> DroppedRow:
    return DroppedRow(dropped.reason, _short(dropped.sample), dropped.xpath)


def _fullest_page(wrapper: Wrapper, pages: Sequence[Document]) -> Document | None:
    """Of some pages, the one with the most fields and record sets; None if none can be shown."""
    shown = [page for page in spread_sample(pages, _LOOKED_AT) if len(page.body) <= MAX_PICTURE]
    if not shown or not wrapper.width():
        return None
    return max(shown, key=lambda page: _filled(wrapper, page))


def _filled(wrapper: Wrapper, page: Document) -> int:
    rules = [field.rule for field in wrapper.fields]
    rules += [records.rule for records in wrapper.record_sets]
    return sum(bool(rule.texts(page.index)) for rule in rules)


def _short(text: str) -> str:
    return text if len(text) <= _SAMPLE_LENGTH else text[: _SAMPLE_LENGTH - 1] + "…"
