"""What a project will consist of: names, addresses, places of links and items of every class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sitewright.output.spider.addresses import (
    PRECISE,
    class_addresses,
    folder_index,
    link_regions,
)
from sitewright.output.spider.items import class_items, made_items
from sitewright.output.spider.marks import MarkSearch
from sitewright.output.spider.names import identifiers, package_name
from sitewright.output.spider.reach import RegionTrial

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitewright.classes import SiteModel
    from sitewright.output.spider.addresses import ClassAddresses
    from sitewright.output.spider.at_hand import PagesAtHand
    from sitewright.output.spider.check import Agreement, Checked
    from sitewright.output.spider.items import ClassItems
    from sitewright.output.spider.runtime.page_classes import PageClass
    from sitewright.wrapper import Wrapper


@dataclass(frozen=True, slots=True)
class SpiderClass:
    """A page class as the spider knows it."""

    name: str
    identifier: str
    url_template: str
    addresses: ClassAddresses
    marks: tuple[str, ...]
    """What tells its pages from others with such addresses."""
    regions: tuple[str, ...]
    """Where links to it are looked for; empty: everywhere."""
    wrapper: Wrapper | None
    """With the selectors for Scrapy; None: its pages only lead on."""
    items: ClassItems | None
    left_out: tuple[Agreement, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """A project before it is written."""

    package: str
    home: str
    hosts: tuple[str, ...]
    folder_index: str
    classes: tuple[SpiderClass, ...]
    """In the order in which they are tried."""

    def runtime_classes(self) -> list[PageClass]:
        """The page classes, as the project will make them."""
        from sitewright.output.spider.runtime.page_classes import (  # noqa: PLC0415 - needs Scrapy
            PageClass,
        )

        classes = []
        for one in self.classes:
            wrapper, items = one.wrapper, one.items
            if wrapper is None or items is None:
                classes.append(PageClass(one.name, one.addresses.patterns))
                continue
            made = made_items(items.classes)
            classes.append(
                PageClass(
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


def planned(model: SiteModel, checked: Checked, pages: PagesAtHand) -> Plan:
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
    return Plan(
        package=package_name(model.home),
        home=model.home,
        hosts=tuple(filter(None, hosts)),
        folder_index=index,
        classes=tuple(
            SpiderClass(
                name=name,
                identifier=named[name],
                url_template=model.by_name(name).url_template,
                addresses=addresses,
                marks=marks.marks(name),
                regions=regions.sufficient(name),
                wrapper=checked.theirs.get(name),
                items=items[name],
                left_out=tuple(checked.left_out(name)),
            )
            for name, addresses in found.items()
        ),
    )


def _regions(
    model: SiteModel, addresses: Mapping[str, ClassAddresses]
) -> dict[str, tuple[str, ...]]:
    """Where to look for links to classes whose addresses alone do not tell enough."""
    doubtful = [name for name, one in addresses.items() if one.precision < PRECISE]
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
