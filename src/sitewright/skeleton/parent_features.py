"""What speaks for a page being the parent of another: one row of numbers for each candidate."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

import numpy as np

from sitewright.settings import current
from sitewright.skeleton.navigation import LinkRole, folder_steps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from sitewright.skeleton.graph import LinkGraph
    from sitewright.skeleton.navigation import PageLink

PRIOR = {
    "named": 1.0,
    "disowned": -1.0,
    "nested": 1.0,
    "deeper": -1.0,
    "menu_of_home": 1.0,
    "menu_elsewhere": -1.0,
    "folder": 1.0,
    "owner": 0.5,
    "root": 0.5,
    "upward": -1.0,
    "named_after": 1.0,
    "coverage": 0.5,
    "purity": 0.5,
    "echo": -1.0,
    "sibling": -1.0,
    "prose": -1.0,
    "part": -1.0,
    "sequence": -1.0,
}
"""Each kind of evidence, with the weight that it has before anything is learnt.

- `named`, `disowned`: the page names this parent, or another one, by an up link or a breadcrumb
  trail. For a page that was not fetched, those fetched from the same place in a page speak.
- `nested`: of the lists that nest the page under another one, the share that nest it under this.
- `deeper`: the candidate itself lists the page only below some other page.
- `menu_of_home`, `menu_elsewhere`: how many pages have this same link at this same place, for the
  home page and for any other. A menu on every page is the home page's.
- `folder`: the page's file lies in, or below, the folder of the candidate; `owner`: the candidate
  is that folder's own page; `root`: it is the top folder's; `upward`: the other way round.
- `named_after`: the page's name begins with the candidate's name.
- `coverage`, `purity`: how much of the page's folder the list covers, and how little else.
- `echo`: the share of the candidate's list that the home page links to as well: a site map.
- `sibling`: the share of the lists with this page that have the candidate in them too.
- `prose`: the link stands in running text. `part`: it leads into the middle of the page.
- `sequence`: it only leads on to the next page, back, or up.
"""
FEATURES = tuple(PRIOR)


@dataclass(frozen=True, slots=True)
class ParentCandidates:
    """The candidate parents of one page, each with its evidence."""

    page: str
    parents: tuple[str, ...]
    rows: NDArray[np.float64]


def parent_candidates(graph: LinkGraph) -> Iterator[ParentCandidates]:
    """The candidate parents of every page but the home page."""
    table = _Tables(graph)
    for page in graph.pages:
        if page == graph.home:
            continue
        parents = table.parents(page)
        if parents:
            rows = np.array([table.row(parent, page) for parent in parents], dtype=np.float64)
            yield ParentCandidates(page, parents, rows)


class _Tables:
    """Counts over the whole site that the evidence of one link is weighed with."""

    def __init__(self, graph: LinkGraph) -> None:
        self._site = graph
        self._fetched = len(graph.links)
        self._spread: Counter[tuple[str, str]] = Counter()
        self._lists: dict[tuple[str, str], set[str]] = defaultdict(set)
        self._heads: dict[str, Counter[str]] = defaultdict(Counter)
        self._sources: dict[str, list[str]] = defaultdict(list)
        self._folders: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for page in graph.pages:
            self._folders[folder_steps(page)[:-1]].add(page)
        for source, targets in graph.links.items():
            for target, links in targets.items():
                self._sources[target].append(source)
                self._count(source, target, links)
        self._named_share = self._naming()
        self._listed_by_home = {
            page
            for (source, _), listed in self._lists.items()
            if source == graph.home
            for page in listed
        }
        self._echo_counts: dict[tuple[str, str], int] = {}
        self._folder_counts: dict[tuple[str, str], Counter[tuple[str, ...]]] = {}
        self._lists_of: dict[str, set[int]] = defaultdict(set)
        for number, listed in enumerate(self._lists.values()):
            for target in listed:
                self._lists_of[target].add(number)

    def _count(self, source: str, target: str, links: list[PageLink]) -> None:
        for path in {link.path for link in links}:
            self._spread[path, target] += 1
        for link in links:
            if not link.has_fragment and link.role is LinkRole.NONE:
                self._lists[source, link.path].add(target)
        for list_parent in {link.list_parent for link in links if link.list_parent is not None}:
            if list_parent != target:
                self._heads[target][list_parent] += 1

    def _naming(self) -> dict[str, float]:
        """For each path, the share of the fetched pages listed at it that name the lister."""
        counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        for (source, path), targets in self._lists.items():
            for target in targets:
                if target in self._site.declared_parent:
                    counts[path][0] += self._site.declared_parent[target] == source
                    counts[path][1] += 1
        return {path: named / asked for path, (named, asked) in counts.items() if asked}

    def parents(self, page: str) -> tuple[str, ...]:
        """The pages that link to a page, that head an item which lists it, or that it names."""
        known = self._site.distances
        heads = [list_parent for list_parent in self._heads.get(page, ()) if list_parent in known]
        # A parent that was fetched and does not link to the page is only said to be one.
        declared_parent = self._site.declared_parent.get(page)
        named = (
            [declared_parent]
            if declared_parent is not None and declared_parent not in self._site.links
            else []
        )
        found = dict.fromkeys([*self._sources.get(page, ()), *heads, *named])
        parents = (parent for parent in found if parent != page and parent in known)
        # The nearest to the home page first: of equal candidates the first is chosen.
        return tuple(sorted(parents, key=known.__getitem__))

    def row(self, parent: str, page: str) -> list[float]:
        links = self._site.links.get(parent, {}).get(page, [])
        plain = [link for link in links if link.role is LinkRole.NONE]
        named, disowned = self._naming_of(parent, page, links)
        return [
            named,
            disowned,
            self._nested(parent, page),
            float(bool(links) and all(link.list_parent not in {None, parent} for link in links)),
            *self._menu(parent, page, links),
            *_folder_row(parent, page),
            *self._list_row(parent, page, plain),
            self._sibling(parent, page),
            min((link.prose for link in plain), default=0.0),
            sum(link.has_fragment for link in plain) / max(1, len(plain)),
            float(bool(links) and not plain),
        ]

    def _naming_of(self, parent: str, page: str, links: list[PageLink]) -> tuple[float, float]:
        """Whether the page names this parent, or another; its list speaks for it if not fetched."""
        if page in self._site.declared_parent:
            own = float(self._site.declared_parent[page] == parent)
            return own, 1.0 - own
        shares = [self._named_share[link.path] for link in links if link.path in self._named_share]
        share = max(shares, default=None)
        return (0.0, 0.0) if share is None else (share, 1.0 - share)

    def _nested(self, parent: str, page: str) -> float:
        heads = self._heads.get(page)
        return heads[parent] / heads.total() if heads else 0.0

    def _menu(self, parent: str, page: str, links: list[PageLink]) -> tuple[float, float]:
        """How many other pages have the same link at the same place."""
        spread = min((self._spread[link.path, page] for link in links), default=1)
        share = log(spread) / log(self._fetched) if self._fetched > 1 else 0.0
        return (share, 0.0) if parent == self._site.home else (0.0, share)

    def _sibling(self, parent: str, page: str) -> float:
        """The share of the lists with this page that the parent is in too."""
        if parent == self._site.home:
            return 0.0
        lists = self._lists_of.get(page, set())
        return len(lists & self._lists_of.get(parent, set())) / len(lists) if lists else 0.0

    def _list_row(self, parent: str, page: str, links: list[PageLink]) -> tuple[float, ...]:
        folder = folder_steps(page)[:-1]
        kin = self._folders[folder]
        best = (0.0, 0.0, 0.0)
        for path in {link.path for link in links}:
            size = max(1, len(self._lists.get((parent, path), ())))
            common = self._common(parent, path, folder)
            echo = 0.0 if parent == self._site.home else self._echoes(parent, path) / size
            best = max(best, (common / len(kin), common / size, echo))
        return best

    def _echoes(self, parent: str, path: str) -> int:
        """How many pages of a list the home page lists too."""
        if (parent, path) not in self._echo_counts:
            listed = self._lists.get((parent, path), set())
            self._echo_counts[parent, path] = len(listed & self._listed_by_home)
        return self._echo_counts[parent, path]

    def _common(self, parent: str, path: str, folder: tuple[str, ...]) -> int:
        """How many pages of a folder a list leads to."""
        if (parent, path) not in self._folder_counts:
            listed = self._lists.get((parent, path), ())
            self._folder_counts[parent, path] = Counter(folder_steps(one)[:-1] for one in listed)
        return self._folder_counts[parent, path][folder]


def _folder_row(parent: str, page: str) -> tuple[float, ...]:
    declared_parent, below = folder_steps(parent), folder_steps(page)
    holder = below[:-1]
    is_root = len(declared_parent) <= 1
    owns = declared_parent == holder
    # Everything lies below the top folder: that tells nothing.
    inside = (
        owns
        or declared_parent[:-1] == holder
        or (not is_root and holder[: len(declared_parent)] == declared_parent)
    )
    return (
        float(inside),
        float(owns and not is_root),
        float(owns and is_root),
        float(declared_parent[: len(below)] == below),
        float(
            not is_root
            and declared_parent[:-1] == holder
            and _starts(below[-1], declared_parent[-1])
        ),
    )


def _starts(name: str, start: str) -> bool:
    return name != start and name.startswith(start) and not name[len(start)].isalnum()


# Which pages to fetch next: those that would settle how things hang together.
#
# Pages that an index lists, but that name another parent wherever one of them was fetched, belong
# somewhere that exploring did not come to: a few of them are asked. And where the fetched pages of
# a list lead on to others, the rest of the list is fetched too: the list leads to navigation.

_DISOWNED, _PART, _SEQUENCE = map(FEATURES.index, ("disowned", "part", "sequence"))


def uncertain_pages(site: LinkGraph, choices: Sequence[ParentCandidates]) -> list[str]:
    """The pages that were not fetched and that no candidate can claim without contradiction."""
    settings = current().skeleton
    found = []
    for choice in choices:
        lists = choice.rows[(choice.rows[:, _PART] < 1) & (choice.rows[:, _SEQUENCE] < 1)]
        is_claimed = len(lists) and lists[:, _DISOWNED].min() <= settings.uncertain_share
        if choice.page not in site.links and not is_claimed:
            found.append(choice.page)
    return found


def unfinished(site: LinkGraph, choices: Sequence[ParentCandidates]) -> list[str]:
    """The pages that were not fetched, of lists whose fetched pages mostly have pages below them.

    What is below a page is taken from the best candidates under the prior weights.
    """
    settings = current().skeleton
    prior = np.array(list(PRIOR.values()))
    below = Counter(choice.parents[int(np.argmax(choice.rows @ prior))] for choice in choices)
    lists: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for source, targets in site.links.items():
        for target, links in targets.items():
            for link in links:
                if link.role is LinkRole.NONE and not link.has_fragment:
                    lists[source, link.path][target] = None
    found: dict[str, None] = {}
    for listed in lists.values():
        fetched = [page for page in listed if page in site.links]
        leading = sum(below[page] > 0 for page in fetched)
        if len(listed) <= settings.max_list and leading > settings.uncertain_share * len(fetched):
            found.update(dict.fromkeys(page for page in listed if page not in site.links))
    nearest = site.distances
    return sorted(found, key=lambda page: nearest.get(page, len(nearest)))
