"""Tables for people. What comes from a page is text, never markup or a terminal's commands."""

from __future__ import annotations

from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from sitewright.cli.group import printable
from sitewright.site.account import duration
from sitewright.site.identity import FILTER, VERSION
from sitewright.skeleton import PageKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from rich.console import RenderableType

    from sitewright.classes import PageClass, SiteModel
    from sitewright.page import Inspection
    from sitewright.site.account import CrawlAccount
    from sitewright.skeleton import Skeleton, SkeletonNode


_SHOWN_LINKS = 3
_SHOWN_PATHS = 12
_SHOWN_TOKENS = 20
_SHOWN_LABELS = 5
_SHOWN_TRAPS = 5


def inspection_tables(inspection: Inspection) -> list[RenderableType]:
    """Everything that a page tells, the long parts shortened."""
    return [
        _overview(inspection),
        _collections(inspection),
        _paths(inspection),
        _tokens(inspection),
    ]


def plain(text: str, limit: int = 60, style: str = "") -> Text:
    """Text from a page, made safe for a terminal and cut to size."""
    shown = printable(text)
    return Text(shown if len(shown) <= limit else shown[: limit - 1] + "…", style=style)


def facts(title: str, rows: Mapping[str, object]) -> RenderableType:
    """Names and values, one a line."""
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    for name, value in rows.items():
        number = f"{value:,}" if isinstance(value, int) else str(value)
        table.add_row(Text(name, style="dim"), plain(number, 100))
    return Group(Text(title, style="bold"), table, "")


def _table(title: str, *columns: str) -> Table:
    table = Table(
        title=title, title_justify="left", title_style="bold", box=None, padding=(0, 2, 0, 0)
    )
    for column in columns:
        right = column in {"links", "times", "node"}
        table.add_column(column, justify="right" if right else "left", header_style="dim")
    return table


def _overview(inspection: Inspection) -> RenderableType:
    summary = inspection.summary()
    url = summary.pop("url")
    return facts(plain(url, 100).plain, summary)


def _collections(inspection: Inspection) -> RenderableType:
    table = _table("Link collections", "links", "path", "first links")
    for collection in inspection.collections:
        texts = [link.text or link.url for link in collection.links[:_SHOWN_LINKS]]
        more = ", …" if len(collection.links) > _SHOWN_LINKS else ""
        table.add_row(
            str(len(collection.links)),
            _short_path(inspection.paths.labels(collection.path)),
            plain(", ".join(text[:30] for text in texts) + more),
        )
    return Group(table if inspection.collections else Text("No links.", style="bold"), "")


def _paths(inspection: Inspection) -> RenderableType:
    counted = sorted(
        zip(inspection.nodes.counts.tolist(), inspection.nodes.paths.tolist(), strict=True),
        key=lambda pair: -pair[0],
    )
    table = _table("Schema of all nodes, most frequent paths", "times", "path")
    for count, path in counted[:_SHOWN_PATHS]:
        table.add_row(str(count), _short_path(inspection.paths.labels(path)))
    return Group(table, *_and_more(len(counted) - _SHOWN_PATHS, "paths"), "")


def _tokens(inspection: Inspection) -> RenderableType:
    table = _table("Tokens", "node", "token")
    vocabulary, sequence = inspection.tokeniser.vocabulary, inspection.tokens
    first = zip(
        sequence.nodes[:_SHOWN_TOKENS].tolist(), sequence.ids[:_SHOWN_TOKENS].tolist(), strict=True
    )
    for node, token_id in first:
        table.add_row(str(node), plain(vocabulary[token_id].text, 90))
    return Group(table, *_and_more(len(sequence) - _SHOWN_TOKENS, "tokens"))


def _and_more(count: int, what: str) -> Iterable[Text]:
    return (
        [Text(f"… and {count:,} more {what} (--json shows all)", style="dim")] if count > 0 else []
    )


def _short_path(labels: tuple[str, ...]) -> Text:
    """The end of a path: the labels next to a link say where it stands."""
    shown = " > ".join(label[:40] for label in labels[-_SHOWN_LABELS:])
    return plain(shown if len(labels) <= _SHOWN_LABELS else f"… > {shown}", 80)


# Tables of page classes for people.


def class_table(
    model: SiteModel,
    records: Sequence[int] = (),
    counted: Mapping[str, int] = MappingProxyType({}),
    known: Mapping[str, int] = MappingProxyType({}),
) -> Table:
    """The classes of a model, the largest first, and where they are known how many records.

    Sizes are those that were `counted`, else estimates, and no less than is `known` of.
    """
    title = f"{plain(model.home, 80).plain}: {len(model.classes)} classes, {model.visited:,} pages"
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    for column in ("class", "URL pattern"):
        table.add_column(column, header_style="dim")
    numbers = ("visited", "pages" if counted else "about", "precision", "recall")
    for column in (*numbers, "records") if records else numbers:
        table.add_column(column, justify="right", header_style="dim")
    for number, one in sorted(enumerate(model.classes), key=lambda place: -place[1].visited):
        table.add_row(
            plain(one.name, 30),
            plain(one.url_template, 50).append(" (no content of its own)" if one.is_void else ""),
            f"{one.visited:,}",
            f"{counted[one.name]:,}"
            if one.name in counted
            else _estimated(one, known.get(one.name, 0)),
            f"{one.url_precision:.2f}",
            f"{one.url_recall:.2f}",
            *(f"{count:,}" for count in records[number : number + 1]),
        )
    return table


def _estimated(one: PageClass, known: int) -> str:
    """The pages that are known of, and how many there may be."""
    size = max(one.size, known)
    more = f" to {one.size_at_most:,}" if one.size_at_most > size else ""
    return f"{size:,}{more}"


def void_notes(model: SiteModel) -> Iterator[str]:
    """A line for each page that stands under many URLs."""
    for one in model.void_pages:
        title = plain(one.title, 60).plain or "(no title)"
        classes = ", ".join(one.classes)
        yield f"{one.visited:,} pages say the same, so they give no records: {title} ({classes})"


def model_summary(model: SiteModel, output: Path) -> dict[str, Any]:
    """A discovered site in one flat object."""
    return {
        "site": model.home,
        "output": str(output),
        "pages": model.visited,
        "classes": len(model.classes),
        "class_links": len(model.links),
        "names": [one.name for one in model.classes],
        "void_pages": sum(one.visited for one in model.void_pages),
    }


def coverage_table(account: CrawlAccount) -> list[RenderableType]:
    """For each class of a live site how many pages are known and read, and what the rest costs."""
    partial = [one for one in account.classes if one.requests]
    if not partial:
        return []
    table = _table("Classes that were read in part", "class")
    for column in ("known", "read", "left", "time"):
        table.add_column(column, justify="right", header_style="dim")
    for one in partial:
        numbers = (f"{count:,}" for count in (one.known, one.read, one.requests))
        table.add_row(plain(one.name, 30), *numbers, duration(one.seconds) if one.seconds else "")
    return ["", table, ""]


def crawl_summary(account: CrawlAccount) -> dict[str, Any]:
    """How a crawl went, for programs."""
    return {
        "urls": account.counts,
        "reasons": account.reasons,
        "complete": account.is_complete,
        "unread": account.unread,
        "seconds_left": account.seconds,
        "coverage": {one.name: [one.read, one.known] for one in account.classes if one.requests},
    }


def crawl_notes(account: CrawlAccount, *, obeys_robots: bool = True) -> Iterable[str]:
    """How a crawl went, a line each: what is missing and why, what was folded, what is left."""
    counts = ", ".join(f"{count:,} {outcome}" for outcome, count in account.counts.items())
    if account.reasons:
        counts += f" ({_counted(account.reasons)})"
    yield f"URLs: {counts}"
    yield from _found_elsewhere(account)
    for rule in (one for one in account.same_content if one.kind not in {FILTER, VERSION}):
        yield f"not followed, since it changes nothing: {rule}"
    if account.opt_outs or not obeys_robots:
        signals = _counted(account.opt_outs) or "nothing on the pages"
        obeyed = "nofollow and tdm-reservation are obeyed"
        ignored = "--ignore-robots: neither these nor what robots.txt disallows were obeyed"
        yield f"what owners ask for: {signals}; {obeyed if obeys_robots else ignored}"
    traps = account.traps()
    for why, urls in islice(traps.items(), _SHOWN_TRAPS):
        yield f"left out, {urls:,} URLs: {why}"
    if (others := len(traps) - _SHOWN_TRAPS) > 0:
        yield f"left out for {others:,} more such reasons: see crawl.urls in site.json"
    yield from filter(None, (account.failures(), account.sentence() or account.hint()))


def _found_elsewhere(account: CrawlAccount) -> Iterable[str]:
    """What sitemaps, scripts and forms gave."""
    if account.collections:
        listed = sum(account.collections.values())
        lists = ", ".join(account.collections) if len(account.collections) < 3 else ""
        of = lists or f"{len(account.collections):,} sitemaps and feeds"
        yield f"{of}: {listed:,} pages listed, {account.orphans:,} that no link was seen to lead to"
    if account.rendered:
        yield f"{account.rendered:,} pages were rendered by a browser, since scripts fill them"
    if account.shells:
        yield (
            f"{account.shells:,} pages show nothing without their scripts and were not rendered: "
            "pip install 'sitewright[visual]', and run again with --render auto"
        )
    for form in account.forms:
        verdict = "" if form.is_informative else "; its answers do not differ"
        yield (
            f"the form {form.action} ({', '.join(form.fields)}): {form.asked:,} questions, "
            f"{form.pages:,} pages that no link leads to{verdict}"
        )
    for one in account.endpoints:
        fields = ", ".join(one.fields[:5]) or "nothing that is shown"
        yield f"data of {one.page_class or 'no class'}: {one.url} ({one.pages:,} pages; {fields})"


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{what} ({count:,})" for what, count in counts.items())


def confusion_table(
    rows: Mapping[str, Mapping[object, int]],
    scores: Mapping[str, float],
    support: Mapping[str, int],
) -> Table:
    """True classes with their pages in the site, those tested, their F, and where these went."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("true class", header_style="dim")
    for name in ("support", "tested", "F"):
        table.add_column(name, justify="right", header_style="dim")
    table.add_column("went to", header_style="dim")
    for true, row in rows.items():
        went = ", ".join(f"{name or 'none'} {count}" for name, count in list(row.items())[:6])
        total = str(sum(row.values()))
        numbers = f"{support[true]:,}", total, f"{scores[true]:.2f}"
        table.add_row(plain(true, 30), *numbers, plain(went, 80))
    return table


# A skeleton on the terminal: a tree that fits, and what it adds up to.

SHOWN_NAVIGATION = 40
SHOWN_CONTENT = 5
"""How many children of a page are shown, if they lead on and if they do not."""


def skeleton_tree(skeleton: Skeleton, depth: int) -> list[RenderableType]:
    """The tree to a depth, long lists cut, and a table of totals."""
    tree = Tree(_line(skeleton.root), guide_style="dim")
    waiting = [(tree, skeleton.root, 0)]
    while waiting:
        branch, node, level = waiting.pop()
        if level >= depth:
            continue
        shown = _shown(node)
        waiting += [(branch.add(_line(child)), child, level + 1) for child in shown]
        if len(shown) < len(node.children):
            branch.add(Text(f"… and {len(node.children) - len(shown):,} more", style="dim"))
    return [tree, "", facts("Skeleton", summary(skeleton))]


def summary(skeleton: Skeleton) -> dict[str, Any]:
    """How many pages of each kind there are, how deep they go, and what was fetched for them."""
    kinds = dict.fromkeys(PageKind, 0)
    depth = 0
    for level, _, node in skeleton.root.walk():
        kinds[node.kind] += 1
        depth = max(depth, level)
    return {
        "site": skeleton.root.url,
        "pages": sum(kinds.values()),
        "navigation": kinds[PageKind.NAVIGATION],
        "content": kinds[PageKind.CONTENT],
        "depth": depth,
        "fetched": skeleton.fetched,
        "missing": skeleton.missing,
    }


def _shown(node: SkeletonNode) -> list[SkeletonNode]:
    """The children that are shown, in their order: those that lead on before those that do not."""
    navigation = [child for child in node.children if child.children][:SHOWN_NAVIGATION]
    content = [child for child in node.children if not child.children][:SHOWN_CONTENT]
    chosen = {child.url for child in navigation + content}
    return [child for child in node.children if child.url in chosen]


def _line(node: SkeletonNode) -> Text:
    line = plain(node.title, 60, style="bold" if node.children else "")
    if node.children:
        line.append(f"  {len(node.children):,}", style="cyan")
    return line.append(f"  {plain(node.url, 80).plain}", style="dim")
