"""Whether links to a class can all be found where the model says that they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitewright.output.spider.runtime.page_classes import page_links

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sitewright.output.spider.at_hand import PageAtHand


class RegionTrial:
    """Follows the links of the pages at hand, with and without the regions of each class."""

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

    def see(self, page: PageAtHand) -> None:
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
        """The regions of a class, if every page at hand that is linked to is reached by them."""
        enough = name in self._regions and self._linked[name] <= self._reached[name]
        return tuple(self._regions[name]) if enough else ()

    def _own(self, name: str, urls: Iterable[str]) -> Iterator[str]:
        return (url for url in urls if self._classes.get(url) == name)

    def _links(self, page: PageAtHand, places: Sequence[str]) -> Iterator[str]:
        return page_links(page.response, page.url, places, self._folder_index)
