"""What a Scrapy project will consist of: the names and items of every class."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sitewright.export.scrapy.recognition import (
    PRECISE,
    ClassURLs,
    MarkSearch,
    ReachTrial,
    RegionTrial,
    class_urls,
    folder_index,
    link_regions,
)
from sitewright.export.scrapy.source import camel_case, identifiers, is_plain, package_name, take
from sitewright.page.url import split_url
from sitewright.site.identity import FILTER, PARAMETER
from sitewright.wrapper.values.types import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scrapy import Item

    from sitewright.classes import SiteModel
    from sitewright.export.scrapy.check import Agreement, Checked
    from sitewright.export.scrapy.project import LocalPages
    from sitewright.export.scrapy.runtime.page_classes import SpiderClass
    from sitewright.site.identity import SameContent
    from sitewright.wrapper import Field, RecordSet, Wrapper
    from sitewright.wrapper.values.types import FieldType
    from sitewright.wrapper.wrapper import Rule


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
    alternatives: tuple[str, ...] = ()
    """Other ways to the same values."""

    @property
    def is_bare(self) -> bool:
        """Whether nothing is known of it but its name."""
        return not self.xpath and not self.many

    @property
    def is_url(self) -> bool:
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
        if self.is_url:
            found["input_processor"] = loaders.AbsoluteURL()
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
    urls: ClassURLs
    marks: tuple[str, ...]
    """What tells its pages from others with such URLs."""
    regions: tuple[str, ...]
    """Where links to it are looked for; empty: everywhere."""
    wrapper: Wrapper | None
    """With the selectors for Scrapy; None: its pages only lead on."""
    items: ClassItems | None
    left_out: tuple[Agreement, ...]
    is_followed: bool = True
    """Whether links to it are followed: its pages hold fields, or lead to pages that do."""

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
    rules: tuple[SameContent, ...] = ()
    """What a crawl has learnt of parameters."""

    @property
    def same_content(self) -> list[SameContent]:
        """Parameters that change nothing; where only some values do so, `page=1` for a name."""
        return [
            replace(rule, name=name)
            for rule in self.rules
            if rule.kind == PARAMETER
            for name in ([f"{rule.name}={one}" for one in rule.values] or [rule.name])
        ]

    @property
    def filters(self) -> list[SameContent]:
        """Parameters that only choose among what is known."""
        return [one for one in self.rules if one.kind == FILTER]

    @property
    def recorded(self) -> list[PlannedClass]:
        """The classes whose pages hold records."""
        return [one for one in self.classes if one.items]

    @property
    def followed(self) -> list[PlannedClass]:
        """The classes that links are followed to."""
        return [one for one in self.classes if one.is_followed]

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
                classes.append(SpiderClass(one.name, one.urls.patterns))
                continue
            made = made_items(items.classes)
            classes.append(
                SpiderClass(
                    one.name,
                    one.urls.patterns,
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
    found = class_urls(model, classes)
    index = folder_index(classes)
    marks = MarkSearch(found)
    regions = RegionTrial(_regions(model, found), classes, index)
    without_fields = [name for name in found if not _has_fields(checked, name)]
    reach = ReachTrial(without_fields, classes, model.home, index)
    for page in pages.all():
        marks.see(page)
        regions.see(page)
        reach.see(page)
    needless = reach.needless()
    named = identifiers(found)
    items = _items(named, checked)
    hosts = dict.fromkeys(split_url(url).netloc for url in (model.home, *classes))
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
                urls=urls,
                marks=marks.marks(name),
                regions=regions.sufficient(name),
                wrapper=checked.theirs.get(name),
                items=items[name],
                left_out=tuple(checked.left_out(name)),
                is_followed=name not in needless,
            )
            for name, urls in found.items()
        ),
    )


def _has_fields(checked: Checked, name: str) -> bool:
    wrapper = checked.theirs.get(name)
    return wrapper is not None and any(True for _ in wrapper.all_fields())


def _regions(model: SiteModel, urls: Mapping[str, ClassURLs]) -> dict[str, tuple[str, ...]]:
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
                used.add("AbsoluteURL" if item_field.is_url else "Typed")
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
            _field_comment(one),
            one.rule.selector.scrapy(),
            one.rule.pattern,
            one.type,
            many=one.many,
            raw=raw,
            alternatives=_alternatives(one.rule),
        )
        if raw:
            yield ItemField(raw, many=one.many)


def _set_field(records: RecordSet, row_class: str) -> ItemField:
    remark = f"on {records.coverage:.0%} of the pages, {records.rows:.3g} rows"
    return ItemField(
        records.name,
        remark,
        records.rule.selector.scrapy(),
        rows=row_class,
        many=True,
        alternatives=_alternatives(records.rule),
    )


def _alternatives(rule: Rule) -> tuple[str, ...]:
    """The other ways to the same values that Scrapy can go."""
    return tuple(other.scrapy() for other in rule.alternatives if not other.data_key())


def _field_comment(one: Field) -> str:
    sample = f", as {one.samples[0][:_SHOWN]!r}" if one.samples else ""
    return f"{one.type.kind}, on {one.coverage:.0%}{sample}"
