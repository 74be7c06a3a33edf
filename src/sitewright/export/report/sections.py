"""What each section of the report shows: data for its template, prepared from a run's results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sitewright.export.page_pictures import spread_sample
from sitewright.export.report.pictures import page_in_two_colours, page_with_fields
from sitewright.export.report.rendering import Section, render_report
from sitewright.export.report.report import class_drawing, curve_drawing
from sitewright.formats import complete_or_absent
from sitewright.skeleton import shape_note
from sitewright.template import strip

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sitewright.classes import SiteModel
    from sitewright.page import Document
    from sitewright.skeleton import SkeletonNode
    from sitewright.template import Template
    from sitewright.wrapper import Field, RecordSet, RejectedColumn, Wrapper


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
    """Write report.html: the classes, then the sections of later steps."""
    lead = (
        f"{len(model.classes)} page classes and {len(model.links)} class links, "
        f"from {model.visited:,} visited pages."
    )
    page = render_report(model.home, lead, [*class_sections(model), *more])
    with complete_or_absent(folder / "report.html") as file:
        file.write(page)


def class_sections(model: SiteModel) -> list[Section]:
    """What the model says: the graph, the classes, their links, the quality curve."""
    shown = {
        "links": model.links[:_SHOWN_LINKS],
        "more": len(model.links) - _SHOWN_LINKS,
    }
    sections = [
        Section("Graph of classes", "class_graph.html", {"drawing": class_drawing(model)}),
        Section("Page classes", "classes.html", {"classes": model.classes}),
        Section("Class links", "class_links.html", shown),
    ]
    if len(model.curve) > 1:
        drawing = {"drawing": curve_drawing(model.curve)}
        sections.append(Section("Quality against pages visited", "quality.html", drawing))
    return sections


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
