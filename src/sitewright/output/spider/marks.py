"""What tells the pages of a class from others whose addresses look the same.

A mark is a kind of element, as an XPath expression, that the pages of the class have and those
others lack. Marks are looked for in Scrapy's own trees of the pages at hand.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scrapy.http import HtmlResponse

    from sitewright.output.spider.addresses import ClassAddresses
    from sitewright.output.spider.at_hand import PageAtHand

MOST_MARKS = 3
ALWAYS = 0.99
"""The share of the pages of its class that a mark must be on."""
MOST_RIVALS = 400
"""So many other pages are remembered for each class."""


class MarkSearch:
    """Looks for the marks of each class that shares addresses with other pages at hand."""

    def __init__(self, addresses: Mapping[str, ClassAddresses]) -> None:
        self._addresses = addresses
        self._evidence = {name: _Evidence() for name, one in addresses.items() if one.precision < 1}

    def see(self, page: PageAtHand) -> None:
        """Take a page into account."""
        doubtful = [name for name in self._evidence if self._addresses[name].fits(page.url)]
        kinds = frozenset(element_kinds(page.response)) if doubtful else frozenset[str]()
        for name in doubtful:
            self._evidence[name].add(kinds, is_own=name == page.page_class)

    def marks(self, name: str) -> tuple[str, ...]:
        """The marks of a class, after all pages."""
        return tuple(self._evidence[name].marks()) if name in self._evidence else ()


class _Evidence:
    """What was seen on the pages with the addresses of one class."""

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
