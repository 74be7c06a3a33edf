"""`report.html`: what a site is made of, on one self-contained page for people.

It is made from the results in the project folder, so that its numbers are those of the files beside
it, and the same results give the same bytes.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote, unquote

from sitewright.errors import InvalidInput
from sitewright.export.folder import REPORT
from sitewright.export.report.drawings import class_drawing, content_links, curve_drawing
from sitewright.export.report.page_pictures import read_pictures
from sitewright.export.report.rendering import render
from sitewright.export.tables import URL
from sitewright.formats import complete_or_absent
from sitewright.page.url import host_of, is_index_page, split_url
from sitewright.settings import current
from sitewright.site import Reason
from sitewright.site.folder import NO_HOST
from sitewright.site.open import read_source
from sitewright.skeleton import shape_note
from sitewright.wrapper.wrapper import RAW

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from sitewright.export.results import ColumnSummary, ProjectClass, ProjectResults, Table
    from sitewright.site import Missing
    from sitewright.site.open import SiteSource
    from sitewright.skeleton import SkeletonNode
    from sitewright.wrapper import Field, RejectedColumn, Wrapper

_SAMPLE_ROWS = 5
_SAMPLE_COLUMNS = 7
_CELL_LENGTH = 60
_SAMPLE_LENGTH = 40
_EXAMPLES = 3
_SHOWN_LINKS = 40
_SHOWN_DROPPED = 40
_SHOWN_REASONS = 60
_PICTURES_BYTES = 1_100_000
"""All painted pages together: a report of fifty classes is a file that people can send."""
MAX_SHOWN = 3000
"""The most pages of the skeleton that are shown, for the same reason."""
SHOWN_CONTENT = 60
"""Content pages of one navigation page that are shown; the rest are counted."""
_OPEN_LEVELS = 1
_LONGEST_URL = 200
_OUR_COLUMNS = frozenset({"_doubtful", "_key", "_fetched", "_confidence", "_row"})
"""What is said of a record rather than what the page says."""


def write_report(
    project: ProjectResults,
    pictures: Mapping[str, tuple[str, str]] | None = None,
    missed: Collection[Missing] = (),
) -> None:
    """Write OUT/report.html from what the folder holds.

    `pictures` has the URL of a page and the page painted, by class; `missed` the pages that were
    not read.
    """
    report = site_report(project, pictures or {}, missed)
    page = render("report.html", {"report": report}).encode("utf-8", "replace").decode()
    with complete_or_absent(project.path / REPORT) as file:
        file.write(page)


@dataclass(frozen=True, slots=True)
class PageAddresses:
    """What people see and click of the URL of a page.

    A folder without a host has URLs that lead nowhere: links go to its files, as they lie from the
    folder of the results.
    """

    folder: str = ""
    """The way from the results to the folder of the site; empty if its URLs are real."""
    root: str = ""
    """Where the folder is now: what is not there gets no link."""

    @classmethod
    def of(cls, out: Path, source: SiteSource | None) -> PageAddresses:
        """The addresses of a project's pages."""
        if source is None or source.is_live:
            return cls()
        where = os.path.normpath(source.site)
        folder = where if os.path.isdir(where) else os.path.dirname(where)  # noqa: PTH112, PTH120
        relative = os.path.relpath(os.path.realpath(folder), os.path.realpath(out))
        return cls(quote(relative.replace(os.sep, "/")), folder)

    def href(self, url: str) -> str:
        """Where a click leads; empty if nowhere."""
        if not is_placeless(url):
            return url if url.startswith(("http://", "https://")) else ""
        if not self.folder:
            return ""
        path = split_url(url).path.lstrip("/")
        if path.endswith("/") or not path:
            path += "index.html"
        is_there = not self.root or os.path.isfile(os.path.join(self.root, unquote(path)))  # noqa: PTH113, PTH118
        return f"{self.folder}/{path}" if is_there else ""

    def shown(self, url: str) -> str:
        """What people read: the path alone where there is no host."""
        return unquote(url[len(NO_HOST) - 1 :]) if is_placeless(url) else url


def is_placeless(url: str) -> bool:
    """Whether a URL is of a folder whose pages have none of their own."""
    return url.startswith(NO_HOST)


@dataclass(frozen=True, slots=True)
class ShownLink:
    """A link: what it says and where it leads."""

    text: str
    href: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class ColumnRow:
    """A column of a table, as people read it."""

    name: str
    type: str
    filled: float
    distinct: int
    samples: tuple[str, ...]
    marks: tuple[str, ...]
    confidence: float | None
    stability: float | None


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table: its columns, its first rows, and its files."""

    name: str
    rows: int
    columns: tuple[ColumnRow, ...]
    head: tuple[str, ...]
    sample: tuple[tuple[ShownLink, ...], ...]
    files: tuple[ShownLink, ...]


@dataclass(frozen=True, slots=True)
class SelectorRow:
    """Where the values of a column stand in a page."""

    name: str
    named_by: str
    xpath: str
    pattern: str


@dataclass(frozen=True, slots=True)
class ClassCard:
    """Everything that the report says of one class."""

    name: str
    number: int
    url_template: str
    is_stub: bool
    pages: int
    """Pages that were read: those with records, and those without."""
    known: int
    """Pages that links tell of, where that are more; else 0."""
    rejected: int
    samples: tuple[ShownLink, ...]
    rows: str
    """The record set that is the class's table, where its pages are lists."""
    tables: tuple[ShownTable, ...]
    confidence: float | None
    nearest: str | None
    distinguishing: tuple[str, ...]
    small_picture: str
    """A JPEG picture of a page in base64; empty if there is none."""
    picture: str
    picture_page: ShownLink | None
    selectors: tuple[SelectorRow, ...]
    template: tuple[int, int, int] | None
    """Pages, tokens, tokens that every page has."""
    shared: tuple[str, ...]
    """A sample of each column that was left out because pages of other classes say the same."""
    constants: tuple[tuple[str, str], ...]
    """What all pages say that were learnt from: the name of the place, and the text."""


@dataclass(frozen=True, slots=True)
class ReasonRow:
    """Pages that were left out for one reason."""

    reason: str
    page_class: str
    pages: int
    examples: tuple[ShownLink, ...]


@dataclass(frozen=True, slots=True)
class DroppedColumns:
    """The columns of a class that were seen and left out."""

    page_class: str
    reasons: tuple[tuple[str, int], ...]
    columns: tuple[RejectedColumn, ...]
    count: int


@dataclass(frozen=True, slots=True)
class TreeLine:
    """A line of the skeleton: a page, or the end of the list below one."""

    kind: Literal["leaf", "open", "folded", "end"]
    url: str = ""
    title: str = ""
    count: int = 0
    """Pages directly below; at the end of a list, those that it does not show."""


def site_report(
    project: ProjectResults,
    pictures: Mapping[str, tuple[str, str]],
    missed: Collection[Missing],
) -> dict[str, object]:
    """All that the report shows, as data for its template."""
    model = project.model
    source = None
    with suppress(InvalidInput):
        source = read_source(project.path)
    addresses = PageAddresses.of(project.path, source)
    rejected = project.rejected
    without = Counter(one["class"] for one in rejected)
    small = _small_pictures(project, pictures)
    left = _PICTURES_BYTES - sum(map(len, small.values()))
    shown = _within_budget(pictures, [one.name for one in project.classes], left)
    cards = [
        _card(
            one,
            number,
            without[one.name],
            addresses,
            shown.get(one.name, ("", "")),
            small.get(one.name, ""),
            project,
            source,
        )
        for number, one in enumerate(project.classes)
    ]
    pages = {card.name: card.pages for card in cards}
    tree = None
    with suppress(InvalidInput):
        tree = project.skeleton
    records = sum(card.tables[0].rows for card in cards if card.tables)
    read = sum(pages.values()) + without[None]
    links = content_links(model)
    return {
        "site": site_name(model.home, source, tree),
        "home": ShownLink(addresses.shown(model.home), addresses.href(model.home)),
        "fetched": _newest_fetch(project),
        "pages": read,
        "records": records,
        "rejected": len(rejected),
        "with_record": (read - len(rejected)) / read if read else None,
        "confidence": _mean([one.confidence for one in cards if one.confidence is not None]),
        "has_tables": any(card.tables for card in cards),
        "cards": sorted((c for c in cards if not c.is_stub), key=lambda card: -card.pages),
        "redirects": [card for card in cards if card.is_stub],
        "drawing": class_drawing(model, pages),
        "tree": None if tree is None else _tree(tree, addresses),
        "reasons": _reasons(rejected, addresses),
        "dropped": list(_dropped(project.classes)),
        "not_read": _not_read(missed, addresses),
        "stalling": _stalling(missed),
        "partial": source.crawl.sentence() if source is not None and source.crawl else "",
        "same_content": source.crawl.same_content if source is not None and source.crawl else (),
        "links": links[:_SHOWN_LINKS],
        "more_links": len(model.links) - len(links[:_SHOWN_LINKS]),
        "visited": model.visited,
        "curve": curve_drawing(model.curve) if len(model.curve) > 1 else None,
    }


def site_name(home: str, source: SiteSource | None, tree: SkeletonNode | None) -> str:
    """What people call the site: its host; without one the title of its home page."""
    if not is_placeless(home):
        return host_of(home) or home
    if tree is not None and tree.title and is_index_page(home):  # else it is a page like others
        return _shared_part(tree.title)
    return os.path.basename(os.path.realpath(source.site)) if source else "the site"  # noqa: PTH119


_PARTS = re.compile(r"\s+[|\u00b7\u2013\u2014\u00bb-]\s+")
"""What stands between the title of a page and the name of its site."""
_GREETINGS = frozenset({"home", "welcome", "start", "index", "homepage", "home page"})


def _shared_part(title: str) -> str:
    """The title of a home page without its greeting: `Welcome | Halcyon Cup` is Halcyon Cup."""
    parts = [part for part in _PARTS.split(title) if part.casefold() not in _GREETINGS]
    return parts[0] if len(parts) == 1 else title


def _card(  # noqa: PLR0913, PLR0917 - all that is known of a class
    one: ProjectClass,
    number: int,
    without: int,
    addresses: PageAddresses,
    picture: tuple[str, str],
    small_picture: str,
    project: ProjectResults,
    source: SiteSource | None,
) -> ClassCard:
    described = project.model.by_name(one.name)
    tables = [one.table, *one.record_sets.values()] if one.wrapper and one.table.is_there else []
    template = one.template
    read = _pages_with_records(one.table) + without if tables else described.visited
    fields = list(one.wrapper.all_fields()) if one.wrapper else []
    return ClassCard(
        name=one.name,
        number=number,
        url_template=one.url_template,
        is_stub=described.is_stub,
        pages=read,
        known=known if (known := _known_pages(one, source)) > read else 0,
        rejected=without,
        samples=tuple(
            ShownLink(addresses.shown(url), addresses.href(url)) for url in one.samples[:_EXAMPLES]
        ),
        rows=(one.wrapper.rows or "") if one.wrapper else "",
        tables=tuple(_shown_table(table, one, addresses) for table in tables),
        confidence=_mean([field.confidence for field in fields]),
        nearest=described.nearest,
        distinguishing=described.distinguishing,
        small_picture=small_picture,
        picture=picture[1],
        picture_page=(
            ShownLink(addresses.shown(picture[0]), addresses.href(picture[0]))
            if picture[0]
            else None
        ),
        selectors=tuple(_selectors(one.wrapper)) if one.wrapper else (),
        template=(
            (template.pages, len(template), sum(token.support == 1 for token in template))
            if template
            else None
        ),
        shared=tuple(column.sample for column in one.wrapper.shared_columns())
        if one.wrapper
        else (),
        constants=tuple((place.name, place.samples[0]) for place in one.wrapper.constants)
        if one.wrapper
        else (),
    )


def _known_pages(one: ProjectClass, source: SiteSource | None) -> int:
    """How many pages of a class links lead to, as the crawl counted them or the model estimates."""
    counted = source.crawl.classes if source is not None and source.crawl is not None else ()
    return next((coverage.known for coverage in counted if coverage.name == one.name), one.size)


def _pages_with_records(table: Table) -> int:
    """How many pages the records of a table are from."""
    return len({record[URL] for record in table.records()}) if table.is_there else 0


def pictured_page(project: ProjectResults, name: str, painted: tuple[str, str]) -> str:
    """The page of a class that a small picture is taken of: the one that is painted."""
    samples = project.model.by_name(name).samples
    return painted[0] or (samples[0] if samples else "")


def _small_pictures(
    project: ProjectResults, painted: Mapping[str, tuple[str, str]]
) -> dict[str, str]:
    """The pictures that were taken of pages of the classes, by class."""
    taken = read_pictures(project.path)
    names = [one.name for one in project.classes] if taken else []
    found = {}
    for name in names:
        pages = (pictured_page(project, name, painted.get(name, ("", ""))),
                 *project.model.by_name(name).pages)  # fmt: skip
        found[name] = next((taken[url] for url in pages if url in taken), "")
    return found


def _within_budget(
    pictures: Mapping[str, tuple[str, str]], names: Sequence[str], left: int
) -> dict[str, tuple[str, str]]:
    """As many pictures as fit, those of the largest classes first; no class takes all the room."""
    kept: dict[str, tuple[str, str]] = {}
    room = max(left // max(len(pictures), 1), 40_000)
    for name in names:
        url, html = pictures.get(name, ("", ""))
        if html and len(html.encode("utf-8", "replace")) <= min(4 * room, left):
            left -= len(html.encode("utf-8", "replace"))
            kept[name] = url, html
    return kept


def _shown_table(table: Table, one: ProjectClass, addresses: PageAddresses) -> ShownTable:
    summaries = table.describe()
    fields = _fields_of(one.wrapper, table, one) if one.wrapper else {}
    key = one.wrapper.key if one.wrapper else ()
    key = key if _tells_apart(key, summaries, len(table)) else ()
    columns = [_column(one, fields.get(one.name), key, addresses) for one in summaries]
    chosen = _telling([one for one in summaries if one.name != URL])
    sample = [
        tuple(_cell(record.get(name), addresses) for name in (URL, *chosen))
        for record in islice(table.records(), _SAMPLE_ROWS)
    ]
    files = [table.path.with_suffix(ending) for ending in (".csv", ".parquet", ".jsonl")]
    return ShownTable(
        name=table.name,
        rows=len(table),
        columns=tuple(column for column in columns if column.name != URL),
        head=("page", *chosen),
        sample=tuple(sample),
        files=tuple(
            ShownLink(
                file.suffix[1:].replace("jsonl", "JSON lines").replace("csv", "CSV"),
                f"classes/{quote(one.name)}/{quote(file.name)}",
            )
            for file in files
            if file.is_file()
        ),
    )


def _tells_apart(key: Sequence[str], columns: Sequence[ColumnSummary], rows: int) -> bool:
    """Whether a key holds for the whole table: it was chosen by the pages that were learnt from."""
    distinct = [one.distinct for one in columns if one.name in key]
    return len(distinct) > 1 or distinct == [rows]


def _fields_of(wrapper: Wrapper, table: Table, one: ProjectClass) -> dict[str, Field]:
    """The fields whose columns a table has, by the column's name."""
    sets = [records for records in wrapper.record_sets if records.name == wrapper.rows]
    if table is not one.table:
        sets = [records for records in wrapper.record_sets if records.name == table.name]
    fields = [*wrapper.fields] if table is one.table else []
    fields += [field for records in sets for field in records.fields]
    return {field.name: field for field in fields}


def _column(
    summary: ColumnSummary, field: Field | None, key: Sequence[str], addresses: PageAddresses
) -> ColumnRow:
    marks = []
    if summary.name in key:
        marks.append("key")
    if field is not None and field.references:
        marks.append(f"leads to {field.references}")
    unit = f", {field.type.unit}" if field is not None and field.type.unit else ""
    return ColumnRow(
        name=summary.name,
        type=_type(summary.type) + unit,
        filled=summary.filled,
        distinct=summary.distinct,
        samples=tuple(
            _short(_cell(value, addresses).text, _SAMPLE_LENGTH) for value in summary.samples
        ),
        marks=tuple(marks),
        confidence=field.confidence if field is not None else None,
        stability=field.stability if field is not None else None,
    )


def _type(name: str) -> str:
    """`text[]` is a list of text."""
    return f"list of {name[:-2]}" if name.endswith("[]") else name


def _telling(columns: Sequence[ColumnSummary]) -> list[str]:
    """The columns that say most of a record, in their order: full, different, and short."""

    def score(column: ColumnSummary) -> float:
        is_odd = column.type.endswith("[]") or column.type in {"records", "image", "url"}
        is_copy = column.name.endswith(RAW) or column.name in _OUR_COLUMNS
        return column.filled * (column.distinct > 1) - 0.6 * is_odd - 1.0 * is_copy

    best = sorted(columns, key=score, reverse=True)[:_SAMPLE_COLUMNS]
    names = {column.name for column in best}
    return [column.name for column in columns if column.name in names]


def _cell(value: object, addresses: PageAddresses) -> ShownLink:
    """A value of a table; a URL becomes a link."""
    if value is None:
        return ShownLink("", "")
    if isinstance(value, list):
        if value and isinstance(value[0], dict):
            return ShownLink(f"{len(value)} record{'s' * (len(value) != 1)}", "")
        text = " · ".join(_cell(one, addresses).text for one in value)
        return ShownLink(_short(text, _CELL_LENGTH), "", text[:500])
    text = str(int(value) if isinstance(value, float) and value.is_integer() else value)
    if text.startswith(("http://", "https://")):
        href = addresses.href(text)
        shown = addresses.shown(text)
        return ShownLink(_short(page_name(shown), _CELL_LENGTH), href, shown[:500])
    return ShownLink(_short(text, _CELL_LENGTH), "", text[:500] if len(text) > _CELL_LENGTH else "")


def page_name(url: str) -> str:
    """The end of a URL that tells it from its neighbours: `index.html` does not."""
    folder, _, last = url.rstrip("/").rpartition("/")
    if is_index_page(url) and folder.rpartition("/")[2]:
        return f"{folder.rpartition('/')[2]}/"
    return last or url


def _short(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def _selectors(wrapper: Wrapper) -> Iterator[SelectorRow]:
    for field in wrapper.fields:
        yield SelectorRow(field.name, field.named_by, field.rule.xpath, field.rule.pattern)
    for records in wrapper.record_sets:
        yield SelectorRow(records.name, "", records.rule.xpath, "")
        for field in records.fields:
            name = f"{records.name}.{field.name}"
            yield SelectorRow(name, field.named_by, field.rule.xpath, field.rule.pattern)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _newest_fetch(project: ProjectResults) -> str:
    """The day of the newest page, where the tables say when each was fetched."""
    newest = ""
    for table in (one.table for one in project.classes):
        if "_fetched" in table.columns and table.is_there:
            newest = max([newest, *(str(one.get("_fetched") or "") for one in table.records())])
    return newest[:10]


# What was left out, and why.


def _reasons(
    rejected: Sequence[Mapping[str, str | None]], addresses: PageAddresses
) -> list[ReasonRow]:
    """The pages without a record by class and reason, the most frequent first."""
    groups: dict[tuple[str, str], list[Mapping[str, str | None]]] = {}
    for one in rejected:
        kind = str(one["reason"]).partition(":")[0]
        groups.setdefault((one["class"] or "", kind), []).append(one)
    rows = [
        ReasonRow(
            reason=str(members[0]["reason"])[:_LONGEST_URL] if len(members) == 1 else kind,
            page_class=name,
            pages=len(members),
            examples=tuple(
                ShownLink(
                    addresses.shown(str(one["url"])),
                    addresses.href(str(one["url"])),
                    str(one["reason"])[:500],
                )
                for one in members[:_EXAMPLES]
            ),
        )
        for (name, kind), members in groups.items()
    ]
    return sorted(rows, key=lambda row: -row.pages)[:_SHOWN_REASONS]


def _dropped(classes: Sequence[ProjectClass]) -> Iterator[DroppedColumns]:
    for one in classes:
        if one.wrapper and one.wrapper.dropped:
            dropped = one.wrapper.dropped
            reasons = Counter(column.reason for column in dropped)
            yield DroppedColumns(
                one.name, tuple(reasons.most_common()), dropped[:_SHOWN_DROPPED], len(dropped)
            )


_ORDINARY = frozenset({Reason.OUT_OF_SCOPE, Reason.NOT_FOUND, Reason.NOT_HTML, Reason.OVER_LIMIT})
"""Why links lead nowhere on any site: nothing that a person need look at."""


def _not_read(missed: Collection[Missing], addresses: PageAddresses) -> list[dict[str, Any]]:
    """The URLs that were refused or not read, by reason."""
    counts = Counter(one.reason for one in missed)
    first = {one.reason: one for one in reversed(list(missed))}
    ordered = sorted(counts, key=lambda reason: (reason in _ORDINARY, -counts[reason]))
    return [
        {
            "why": reason.value,
            "pages": counts[reason],
            "url": ShownLink(
                addresses.shown(first[reason].url)[:_LONGEST_URL],
                addresses.href(first[reason].url)[:_LONGEST_URL],
            ),
            "detail": first[reason].detail[:_LONGEST_URL],
        }
        for reason in ordered
    ]


def _stalling(missed: Collection[Missing]) -> list[tuple[str | None, int]]:
    """The hosts that let many requests time out."""
    hosts = Counter(host_of(one.url) for one in missed if one.reason is Reason.TIMED_OUT)
    least = current().limits.stalled_requests
    return [(host, pages) for host, pages in hosts.most_common() if pages >= least]


# The navigation tree, line by line.


def _tree(root: SkeletonNode, addresses: PageAddresses) -> dict[str, object]:
    """The tree as nested lists, navigation pages folded below the first level."""
    pages = sum(1 for _ in root.walk())
    note = (
        shape_note(root) or f"{pages:,} pages; {len(root.children):,} directly below the home page"
    )
    return {"note": note, "lines": list(tree_lines(root, addresses))}


def tree_lines(root: SkeletonNode, addresses: PageAddresses) -> Iterator[TreeLine]:
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
        url, count = addresses.href(node.url), len(node.children)
        title = node.title or addresses.shown(node.url)
        if not node.children:
            yield TreeLine("leaf", url, title)
            continue
        yield TreeLine("open" if level < _OPEN_LEVELS else "folded", url, title, count)
        shown = _shown_children(node)[: max(0, left)]
        waiting.append(TreeLine("end", count=count - len(shown)))
        waiting += [(child, level + 1) for child in reversed(shown)]


def _shown_children(node: SkeletonNode) -> list[SkeletonNode]:
    content = [child for child in node.children if not child.children][:SHOWN_CONTENT]
    kept = {child.url for child in content}
    return [child for child in node.children if child.children or child.url in kept]
