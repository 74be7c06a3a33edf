"""How a spider knows the pages of a class before it has read them: by address and by place."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitewright.classes.address_pattern import address_pattern, path_and_query
from sitewright.site.url import INDEX_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sitewright.classes import PageClass, SiteModel

PRECISE = 0.95
"""Where so many of the pages with such an address are of the class, the address is enough."""
MOST_REGIONS = 12
_FEW = 8
"""So many odd addresses are written out; more of them get a pattern of their own."""
_MOSTLY = 0.9
_CUT_LABEL = "~"
_TAG = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_LABEL_PART = re.compile(r"(?:\\.|[^.\\])+")
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class ClassAddresses:
    """The addresses of a class, measured on the pages at hand."""

    patterns: tuple[str, ...]
    """Regular expressions for all of an address behind its host; every page at hand has one."""
    precision: float
    """The share of the pages at hand with such an address that are of the class."""
    pages: int
    """How many pages of the class are at hand."""

    def fits(self, url: str) -> bool:
        """Whether an address looks like those of the class."""
        return any(_matches(pattern, url) for pattern in self.patterns)


def class_addresses(
    model: SiteModel, classes: Mapping[str, str | None]
) -> dict[str, ClassAddresses]:
    """The addresses of each class, the surest first, those of stubs last.

    `classes` says of each address at hand which class its page belongs to.
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
    patterns = [page_class.url_pattern if holds else address_pattern(own).pattern]
    rest = [url for url in own if not _matches(patterns[0], url)]
    if len(rest) > _FEW:
        patterns.append(address_pattern(rest).pattern)
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
