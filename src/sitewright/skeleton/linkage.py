"""The links of a surveyed site with stubs, later pages and foreign pages taken out."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitewright.skeleton.marks import Role
from sitewright.skeleton.targets import folder_steps, may_be_page
from sitewright.skeleton.views import Folding

if TYPE_CHECKING:
    from collections.abc import Callable

    from sitewright.skeleton.explore import Survey
    from sitewright.skeleton.reading import PageLink


@dataclass(frozen=True, slots=True)
class Linkage:
    """Which page links to which, each page under one address."""

    home: str
    links: dict[str, dict[str, list[PageLink]]]
    """For each fetched page the pages that it links to, with the links, in their order."""
    above: dict[str, str]
    """The parent that a fetched page names, where it names one."""
    titles: dict[str, str]
    distances: dict[str, int]
    """How many links each page is away from the home page."""

    @property
    def pages(self) -> list[str]:
        """Every page that is known, the nearest to the home page first."""
        return list(self.distances)


def linkage(survey: Survey, address: Callable[[str], str | None]) -> Linkage:
    """Fold a survey: stubs into their targets, the pages of a list into the list.

    Pages that are missing, and pages in another language than the home page, are left out.
    """
    one = Folding(survey, address)
    gone = set(survey.missing) | _foreign(survey)
    gone |= _probably_gone(survey, gone)
    links: dict[str, dict[str, list[PageLink]]] = {}
    above: dict[str, str] = {}
    titles: dict[str, str] = {}
    for url, reading in survey.readings.items():
        page = one(url)
        if url in gone or page in gone:
            continue
        to = links.setdefault(page, {})
        for target, link in ((one(link.target), link) for link in reading.links):
            if target != page and target not in gone and may_be_page(target):
                to.setdefault(target, []).append(link)
        if page == url:
            titles[page] = reading.title
            if reading.above is not None:
                above[page] = one(reading.above)
    home = one(survey.home)
    return Linkage(home, links, above, titles, _distances(home, links))


def _foreign(survey: Survey) -> set[str]:
    language = survey.readings[survey.home].language if survey.home in survey.readings else ""
    if not language:
        return set()
    return {
        url for url, reading in survey.readings.items() if reading.language not in {"", language}
    }


def _probably_gone(survey: Survey, gone: set[str]) -> set[str]:
    """Pages that were not fetched, at places where every page that was fetched is gone.

    A place is a path that the link stands at, or the top folder that the page lies in.
    """
    paths: dict[str, set[str]] = defaultdict(set)
    for reading in survey.readings.values():
        for link in reading.links:
            paths[link.target].add(link.path)
    fetched = survey.readings.keys() | survey.redirects.keys()
    told: dict[object, Counter[bool]] = defaultdict(Counter)
    for page, places in paths.items():
        if page in gone or page in fetched:
            for place in (*places, folder_steps(page)[:2]):
                told[place][page in gone] += 1
    dead = {place for place, seen in told.items() if seen[True] > 1 and not seen[False]}
    return {
        page
        for page, places in paths.items()
        if page not in fetched and (places <= dead or folder_steps(page)[:2] in dead)
    }


def _distances(home: str, links: dict[str, dict[str, list[PageLink]]]) -> dict[str, int]:
    """Steps from the home page, going down nested lists item by item.

    First by plain links only; what those do not reach is reached by links into the middle of
    pages and by links to the next page.
    """
    below: dict[str, list[str]] = defaultdict(list)
    other: dict[str, list[str]] = defaultdict(list)
    for page, targets in links.items():
        for target, ways in targets.items():
            plain = [link for link in ways if link.role is Role.NONE and not link.is_part]
            for link in plain:
                below[link.head or page].append(target)
            if not plain:
                other[page].append(target)
    distances = {home: 0}
    _spread_out(distances, below)
    for page, others in other.items():
        below[page].extend(others)
    _spread_out(distances, below)
    return distances


def _spread_out(distances: dict[str, int], below: dict[str, list[str]]) -> None:
    waiting = deque(distances)
    while waiting:
        page = waiting.popleft()
        for target in below.get(page, ()):
            if target not in distances:
                distances[target] = distances[page] + 1
                waiting.append(target)
