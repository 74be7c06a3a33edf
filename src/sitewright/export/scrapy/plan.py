"""What a project will consist of: names, URLs, places of links and items of every class."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitewright.export.scrapy.runtime.page_classes import page_links
from sitewright.export.scrapy.source import camel_case, identifiers, is_plain, package_name, take
from sitewright.page.url import INDEX_NAMES
from sitewright.page.url_pattern import learn_url_pattern, path_and_query
from sitewright.wrapper.types import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scrapy import Item
    from scrapy.http import HtmlResponse

    from sitewright.classes import PageClass, SiteModel
    from sitewright.export.scrapy.check import Agreement, Checked
    from sitewright.export.scrapy.project import LocalPage, LocalPages
    from sitewright.export.scrapy.runtime.page_classes import SpiderClass
    from sitewright.wrapper import Field, RecordSet, Wrapper
    from sitewright.wrapper.types import FieldType


# How a spider knows the pages of a class: by URL, by the place of links, and by marks.
#
# A mark is a kind of element, as an XPath expression, that the pages of the class have and others
# with such URLs lack. Marks are looked for in Scrapy's own trees of the local pages.

PRECISE = 0.95
"""Where so many of the pages with such a URL are of the class, the URL is enough."""
MOST_REGIONS = 12
MOST_MARKS = 3
ALWAYS = 0.99
"""The share of the pages of its class that a mark must be on."""
MOST_RIVALS = 400
"""So many other pages are remembered for each class."""
_FEW = 8
"""So many odd URLs are written out; more of them get a pattern of their own."""
_MOSTLY = 0.9
_CUT_LABEL = "~"
_TAG = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_LABEL_PART = re.compile(r"(?:\\.|[^.\\])+")
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class ClassAddresses:
    """The URLs of a class, measured on the local pages."""

    patterns: tuple[str, ...]
    """Regular expressions for all of a URL behind its host; every local page has one."""
    precision: float
    """The share of the local pages with such a URL that are of the class."""
    pages: int
    """How many local pages the class has."""

    def fits(self, url: str) -> bool:
        """Whether a URL looks like those of the class."""
        return any(_matches(pattern, url) for pattern in self.patterns)


def class_addresses(
    model: SiteModel, classes: Mapping[str, str | None]
) -> dict[str, ClassAddresses]:
    """The URLs of each class, the surest first, those of redirect pages last.

    `classes` says of each local URL which class its page belongs to.
    """
    own: dict[str, list[str]] = {one.name: [] for one in model.classes}
    for url, name in classes.items():
        if name in own:
            own[name].append(url)
    stubs = {one.name for one in model.classes if one.is_stub}
    found = {one.name: _addresses(one, own[one.name], classes) for one in model.classes}
    order = sorted(
        found, key=lambda name: (name in stubs, -found[name].precision, -found[name].pages, name)
    )
    return {name: found[name] for name in order}


def folder_index(urls: Iterable[str]) -> str:
    """The index page that stands for a folder, where pages of folders are known by it only."""
    names = Counter(url.rpartition("/")[2].lower() for url in urls)
    known = [(count, name) for name, count in names.items() if name in INDEX_NAMES]
    return "" if names[""] or not known else max(known)[1]


def link_regions(model: SiteModel, name: str) -> tuple[str, ...]:
    """Where in pages links to a class stand, as XPath; nothing if that cannot be said briefly."""
    regions = [region(link.path) for link in model.links if link.target == name]
    found = tuple(dict.fromkeys(filter(None, regions)))
    return found if None not in regions and len(found) <= MOST_REGIONS else ()


def region(path: str) -> str | None:
    """The part of a page that a path of links leads into: the innermost with a class.

    >>> region("html > body.news > ul.menu.top > li > a")
    '//ul[has-class("menu", "top")]'
    """
    above = [_LABEL_PART.findall(label) for label in path.split(" > ")[:-1]]
    if not above or not all(map(_can_be_written, above)):
        return None
    for tag, *classes in reversed(above):
        if classes:
            quoted = ", ".join(f'"{_ESCAPED.sub(_bare, one)}"' for one in classes)
            return f"//{tag}[has-class({quoted})]"
    # Scrapy's tree has a table's body only where the page writes one.
    return "/" + "/".join(tag for tag, *_ in above if tag != "tbody").replace("table/", "table//")


def _can_be_written(parts: list[str]) -> bool:
    """Whether a label can stand in an expression: of whole names, without odd characters."""
    if not parts or not _TAG.fullmatch(parts[0]):
        return False
    return all(one.isprintable() and not set(one) & {'"', _CUT_LABEL} for one in parts[1:])


def _bare(escaped: re.Match[str]) -> str:
    return escaped[1]


def _patterns(page_class: PageClass, own: Sequence[str]) -> tuple[str, ...]:
    """The model's pattern, if it holds for most; what it does not hold for is added."""
    matching = sum(_matches(page_class.url_pattern, url) for url in own)
    holds = matching >= _MOSTLY * len(own)
    patterns = [page_class.url_pattern if holds else learn_url_pattern(own).pattern]
    rest = [url for url in own if not _matches(patterns[0], url)]
    if len(rest) > _FEW:
        patterns.append(learn_url_pattern(rest).pattern)
        rest = [url for url in rest if not _matches(patterns[-1], url)]
    return (*patterns, *sorted({re.escape(path_and_query(url)) for url in rest}))


def _addresses(
    page_class: PageClass, own: Sequence[str], classes: Mapping[str, str | None]
) -> ClassAddresses:
    if not own:
        return ClassAddresses((page_class.url_pattern,), page_class.url_precision, 0)
    patterns = _patterns(page_class, own)
    compiled = re.compile("|".join(f"(?:{pattern})" for pattern in patterns))
    matching = [one for url, one in classes.items() if compiled.fullmatch(path_and_query(url))]
    return ClassAddresses(patterns, matching.count(page_class.name) / len(matching), len(own))


def _matches(pattern: str, url: str) -> bool:
    return re.fullmatch(pattern, path_and_query(url)) is not None


class MarkSearch:
    """Looks for the marks of each class that shares URLs with other local pages."""

    def __init__(self, urls: Mapping[str, ClassAddresses]) -> None:
        self._addresses = urls
        self._evidence = {name: _Evidence() for name, one in urls.items() if one.precision < 1}

    def see(self, page: LocalPage) -> None:
        """Take a page into account."""
        doubtful = [name for name in self._evidence if self._addresses[name].fits(page.url)]
        kinds = frozenset(element_kinds(page.response)) if doubtful else frozenset[str]()
        for name in doubtful:
            self._evidence[name].add(kinds, is_own=name == page.page_class)

    def marks(self, name: str) -> tuple[str, ...]:
        """The marks of a class, after all pages."""
        return tuple(self._evidence[name].marks()) if name in self._evidence else ()


class _Evidence:
    """What was seen on the pages with the URLs of one class."""

    def __init__(self) -> None:
        self.own: Counter[str] = Counter()
        self.pages = 0
        self.rivals: list[frozenset[str]] = []

    def add(self, kinds: frozenset[str], *, is_own: bool) -> None:
        if is_own:
            self.own.update(kinds)
            self.pages += 1
        elif len(self.rivals) < MOST_RIVALS:
            self.rivals.append(kinds)

    def marks(self) -> Iterator[str]:
        """Each time the kind that most of the rivals lack which are still left."""
        always = sorted(kind for kind, seen in self.own.items() if seen >= ALWAYS * self.pages)
        left: Sequence[frozenset[str]] = self.rivals
        for _ in range(MOST_MARKS):
            with_kind = {kind: sum(kind in rival for rival in left) for kind in always}
            # Of equally good ones, that with a name says most, and the shorter one more.
            ranks = {kind: (with_kind[kind], "[" not in kind, len(kind)) for kind in always}
            best = min(always, key=ranks.__getitem__, default="")
            if not left or not best or with_kind[best] == len(left):
                return
            yield best
            left = [rival for rival in left if best in rival]


def element_kinds(response: HtmlResponse) -> Iterator[str]:
    """The kinds of elements of a page, each as the expression that selects them."""
    seen: set[tuple[str, str]] = set()
    for element in response.selector.root.iter():
        if isinstance(element.tag, str) and element.tag.isalnum():
            seen.add((element.tag, element.get("class") or ""))
    for tag, classes in seen:
        yield f"//{tag}"
        for name in classes.split():
            if name.isprintable() and '"' not in name:
                yield f'//{tag}[has-class("{name}")]'


# Whether links to a class can all be found where the model says that they stand.


class RegionTrial:
    """Follows the links of the local pages, with and without the regions of each class."""

    def __init__(
        self,
        regions: Mapping[str, Sequence[str]],
        classes: Mapping[str, str | None],
        folder_index: str,
    ) -> None:
        self._regions = {name: one for name, one in regions.items() if one}
        self._classes = classes
        self._folder_index = folder_index
        self._linked: dict[str, set[str]] = {name: set() for name in self._regions}
        self._reached: dict[str, set[str]] = {name: set() for name in self._regions}

    def see(self, page: LocalPage) -> None:
        """Take the links of a page into account."""
        if not self._regions:
            return
        for url in self._links(page, ()):
            if (name := self._classes.get(url)) in self._linked:
                self._linked[name or ""].add(url)
        for name, regions in self._regions.items():
            if len(self._reached[name]) < len(self._linked[name]):
                self._reached[name].update(self._own(name, self._links(page, regions)))

    def sufficient(self, name: str) -> tuple[str, ...]:
        """The regions of a class, if every local page that is linked to is reached by them."""
        enough = name in self._regions and self._linked[name] <= self._reached[name]
        return tuple(self._regions[name]) if enough else ()

    def _own(self, name: str, urls: Iterable[str]) -> Iterator[str]:
        return (url for url in urls if self._classes.get(url) == name)

    def _links(self, page: LocalPage, places: Sequence[str]) -> Iterator[str]:
        return page_links(page.response, page.url, places, self._folder_index)


_SHOWN = 60
_LONGEST_END = 30
"""Of the name of a record set in the name of its item: a class fits on a line."""


@dataclass(frozen=True, slots=True)
class ItemField:
    """A field of an item: where its values stand, how they are read, and a remark for people."""

    name: str
    remark: str = ""
    xpath: str = ""
    pattern: str = ""
    value_type: FieldType | None = None
    rows: str = ""
    """The name of the item of the rows that `xpath` selects."""
    many: bool = False
    raw: str = ""
    """The field that gets the texts as they stand in the page."""

    @property
    def is_bare(self) -> bool:
        """Whether nothing is known of it but its name."""
        return not self.xpath and not self.many

    @property
    def is_address(self) -> bool:
        """Whether its values are links or pictures."""
        return self.value_type is not None and self.value_type.kind in {
            ValueKind.URL,
            ValueKind.IMAGE,
        }

    @property
    def reading(self) -> dict[str, str]:
        """What is set of its type beside the kind."""
        names = ("unit", "decimal_mark", "day_order", "plugin")
        return {name: value for name in names if (value := getattr(self.value_type, name))}

    def metadata(self, items: Mapping[str, type[Item]]) -> dict[str, object]:
        """The metadata that items.py gives to the field."""
        from sitewright.export.scrapy.runtime import loaders  # noqa: PLC0415 - needs Scrapy

        found: dict[str, object] = {"xpath": self.xpath, "pattern": self.pattern, "raw": self.raw}
        if self.rows:
            found["rows"] = items[self.rows]
        if self.is_address:
            found["input_processor"] = loaders.Address()
        elif self.value_type is not None:
            found["input_processor"] = loaders.Typed(str(self.value_type.kind), **self.reading)
        if self.many:
            found["output_processor"] = loaders.All()
        return {key: value for key, value in found.items() if value != ""}


@dataclass(frozen=True, slots=True)
class ItemClass:
    """A class of items."""

    name: str
    description: str
    fields: tuple[ItemField, ...]
    left_out: tuple[str, ...] = ()
    """Lines on fields that are not here."""

    @property
    def attributes(self) -> list[ItemField]:
        """The fields that are declared in the class."""
        return [one for one in self.fields if is_plain(one.name)]

    @property
    def additions(self) -> list[ItemField]:
        """The fields that are added behind the class: their names cannot be attributes."""
        return [one for one in self.fields if not is_plain(one.name)]


@dataclass(frozen=True, slots=True)
class ClassItems:
    """The items of a page class."""

    page: str
    """The name of the item that a page fills."""
    record: str
    """The name of the item that is a record: the same, or in a list that of a row."""
    classes: tuple[ItemClass, ...]


@dataclass(frozen=True, slots=True)
class PlannedClass:
    """A page class as the spider knows it."""

    name: str
    identifier: str
    url_template: str
    addresses: ClassAddresses
    marks: tuple[str, ...]
    """What tells its pages from others with such URLs."""
    regions: tuple[str, ...]
    """Where links to it are looked for; empty: everywhere."""
    wrapper: Wrapper | None
    """With the selectors for Scrapy; None: its pages only lead on."""
    items: ClassItems | None
    left_out: tuple[Agreement, ...]

    @property
    def constant(self) -> str:
        """The name of its `SpiderClass` in spiders/site.py."""
        return self.identifier.upper()

    @property
    def callback(self) -> str:
        """The method of the spider that gets its pages."""
        return f"parse_{self.identifier}" if self.items else "parse_other"


@dataclass(frozen=True, slots=True)
class SpiderPlan:
    """A project before it is written."""

    package: str
    home: str
    hosts: tuple[str, ...]
    folder_index: str
    classes: tuple[PlannedClass, ...]
    """In the order in which they are tried."""

    @property
    def recorded(self) -> list[PlannedClass]:
        """The classes whose pages hold records."""
        return [one for one in self.classes if one.items]

    @property
    def item_classes(self) -> list[ItemClass]:
        """All items, in the order in which items.py has them."""
        return [item for one in self.classes if one.items for item in one.items.classes]

    def runtime_classes(self) -> list[SpiderClass]:
        """The page classes, as the project will make them."""
        from sitewright.export.scrapy.runtime.page_classes import SpiderClass  # noqa: PLC0415 - needs Scrapy

        classes = []
        for one in self.classes:
            wrapper, items = one.wrapper, one.items
            if wrapper is None or items is None:
                classes.append(SpiderClass(one.name, one.addresses.patterns))
                continue
            made = made_items(items.classes)
            classes.append(
                SpiderClass(
                    one.name,
                    one.addresses.patterns,
                    item=made[items.page],
                    required=wrapper.required,
                    marks=one.marks,
                    row_set=wrapper.rows or "",
                    row_item=made[items.record] if wrapper.rows else None,
                )
            )
        return classes


def planned(model: SiteModel, checked: Checked, pages: LocalPages) -> SpiderPlan:
    """Plan the project of a site whose selectors were checked."""
    classes = pages.known_classes()
    found = class_addresses(model, classes)
    index = folder_index(classes)
    marks = MarkSearch(found)
    regions = RegionTrial(_regions(model, found), classes, index)
    for page in pages.all():
        marks.see(page)
        regions.see(page)
    named = identifiers(found)
    items = _items(named, checked)
    hosts = dict.fromkeys(urlsplit(url).netloc for url in (model.home, *classes))
    return SpiderPlan(
        package=package_name(model.home),
        home=model.home,
        hosts=tuple(filter(None, hosts)),
        folder_index=index,
        classes=tuple(
            PlannedClass(
                name=name,
                identifier=named[name],
                url_template=model.by_name(name).url_template,
                addresses=urls,
                marks=marks.marks(name),
                regions=regions.sufficient(name),
                wrapper=checked.theirs.get(name),
                items=items[name],
                left_out=tuple(checked.left_out(name)),
            )
            for name, urls in found.items()
        ),
    )


def _regions(model: SiteModel, urls: Mapping[str, ClassAddresses]) -> dict[str, tuple[str, ...]]:
    """Where to look for links to classes whose URLs alone do not tell enough."""
    doubtful = [name for name, one in urls.items() if one.precision < PRECISE]
    return {name: link_regions(model, name) for name in doubtful}


def _items(named: Mapping[str, str], checked: Checked) -> dict[str, ClassItems | None]:
    """The items of each class, all with names of their own."""
    taken: set[str] = set()
    found: dict[str, ClassItems | None] = {}
    for name, identifier in named.items():
        wrapper = checked.theirs.get(name)
        remarks = [
            f"left out: {one.trial.name}, right on {one.share:.1%}"
            for one in checked.left_out(name)
        ]
        found[name] = class_items(identifier, wrapper, taken, remarks) if wrapper else None
    return found


def class_items(
    identifier: str, wrapper: Wrapper, taken: set[str], left_out: Sequence[str] = ()
) -> ClassItems:
    """The items of a wrapper: of its pages, of each record set, and of the rows of a list.

    `taken` has the names of all items so far: `news` and `news-page` are two classes.
    """
    stem = camel_case(identifier)
    record = take(f"{stem}Item", taken)
    page = take(f"{stem}PageItem", taken) if wrapper.rows else record
    ends = identifiers(one.name for one in wrapper.record_sets)
    sets = {
        name: take(f"{stem}{camel_case(end)[:_LONGEST_END]}Row", taken)
        for name, end in ends.items()
    }
    classes = [_row_class(sets[one.name], one) for one in wrapper.record_sets]
    fields = [ItemField("_url"), *_fields(wrapper.fields)]
    fields += [_set_field(one, sets[one.name]) for one in wrapper.record_sets]
    classes.append(ItemClass(page, f"A page of class {identifier}.", tuple(fields), (*left_out,)))
    if wrapper.rows:
        classes.append(_list_class(record, identifier, wrapper))
    return ClassItems(page, record, tuple(classes))


def made_items(classes: Iterable[ItemClass]) -> dict[str, type[Item]]:
    """The classes themselves, as importing items.py would make them."""
    import scrapy  # noqa: PLC0415 - it takes a while to load

    made: dict[str, type[Item]] = {}
    for one in classes:
        made[one.name] = type(one.name, (scrapy.Item,), {})
        for item_field in one.fields:
            made[one.name].fields[item_field.name] = scrapy.Field(item_field.metadata(made))
    return made


def loaders_used(classes: Iterable[ItemClass]) -> list[str]:
    """What items.py imports from loaders.py, in order."""
    used: set[str] = set()
    for one in classes:
        used.update("add_field" for _ in one.additions)
        for item_field in one.fields:
            used.update(["All"] if item_field.many else [])
            if item_field.value_type is not None:
                used.add("Address" if item_field.is_address else "Typed")
    return sorted(used)


def _row_class(name: str, records: RecordSet) -> ItemClass:
    return ItemClass(name, "A row of a page's list.", tuple(_fields(records.fields)))


def _list_class(name: str, identifier: str, wrapper: Wrapper) -> ItemClass:
    """What is known of a row: its own fields before those of its page of the same name."""
    columns = [column for one in wrapper.fields for column in one.columns()]
    for records in wrapper.record_sets:
        own = [column for one in records.fields for column in one.columns()]
        columns += own if records.name == wrapper.rows else [records.name]
    fields = tuple(ItemField(column) for column in dict.fromkeys(["_url", *columns]))
    return ItemClass(name, f"A row of a list of class {identifier}, with its page.", fields)


def _fields(fields: Iterable[Field]) -> Iterator[ItemField]:
    for one in fields:
        raw = one.columns()[1] if one.raw else ""
        yield ItemField(
            one.name,
            _remark(one),
            one.rule.selector.scrapy(),
            one.rule.pattern,
            one.type,
            many=one.many,
            raw=raw,
        )
        if raw:
            yield ItemField(raw, many=one.many)


def _set_field(records: RecordSet, row_class: str) -> ItemField:
    remark = f"on {records.coverage:.0%} of the pages, {records.rows:.3g} rows"
    return ItemField(
        records.name, remark, records.rule.selector.scrapy(), rows=row_class, many=True
    )


def _remark(one: Field) -> str:
    sample = f", as {one.samples[0][:_SHOWN]!r}" if one.samples else ""
    return f"{one.type.kind}, on {one.coverage:.0%}{sample}"
