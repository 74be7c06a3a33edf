"""Old and new pages beside each other, the fields outlined under the old names on both sides.

`sitewright diff --report FILE` writes the page; the explorer shows `page_sides` itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sitewright.change.columns import project_columns
from sitewright.change.page_pairs import pair_pages
from sitewright.export.report.pictures import painted_page
from sitewright.export.report.rendering import render
from sitewright.extraction.alarms import has_value, shown_value
from sitewright.extraction.compared_pages import place_of
from sitewright.extraction.fit import page_values
from sitewright.site import Page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sitewright.change.columns import ClassColumns
    from sitewright.change.comparison import ClassMatch, Comparison
    from sitewright.change.page_pairs import PlacePair
    from sitewright.project import Project
    from sitewright.wrapper import Wrapper


@dataclass(frozen=True, slots=True)
class FieldSides:
    """A field on a page before, and on the same page now."""

    old: str
    new: str
    """Empty: the field is lost."""
    was: str
    now: str
    remark: str
    """The score of the match, or why the field is lost."""


@dataclass(frozen=True, slots=True)
class PageSides:
    """A page of a class before and now: each as harmless HTML with its fields outlined."""

    match: ClassMatch
    old_url: str
    new_url: str
    old_page: str
    new_page: str
    fields: tuple[FieldSides, ...]


def side_by_side_page(comparison: Comparison, sides: Sequence[PageSides]) -> str:
    """One self-contained page with all classes that have a page on both sides."""
    return str(render("side_by_side.html", {"comparison": comparison, "sides": sides}))


async def page_sides(old: Project, new: Project, comparison: Comparison) -> list[PageSides]:
    """For each class with a page on both sides that page, painted twice."""
    before, after = project_columns(old), project_columns(new)
    pairs = pair_pages(before, after)
    found = []
    async with (
        old.opened_site(local_only=True) as old_site,
        new.opened_site(local_only=True) as new_site,
    ):
        for match in comparison.classes:
            if match.old is None or not match.new:
                continue
            one, other = before[match.old], after[match.new[0]]
            pair = _telling_pair(one, other, pairs)
            if pair is None:
                continue
            urls = _url(one, pair.old), _url(other, pair.new)
            (mine,), (theirs,) = await old_site.fetch(urls[:1]), await new_site.fetch(urls[1:])
            if isinstance(mine, Page) and isinstance(theirs, Page):
                renamed = _under_old_names(other.wrapper, match)
                found.append(
                    PageSides(
                        match,
                        *urls,
                        painted_page(mine.document(), one.wrapper),
                        painted_page(theirs.document(), renamed),
                        tuple(_fields(match, one, other, pair)),
                    )
                )
    return found


def _telling_pair(
    old: ClassColumns, new: ClassColumns, pairs: Sequence[PlacePair]
) -> PlacePair | None:
    """The page of both classes that had the most fields."""
    mine, theirs = set(old.pages), set(new.pages)
    both = [pair for pair in pairs if pair.old in mine and pair.new in theirs]
    return max(both, key=lambda pair: (_filled(old, pair.old), pair.old), default=None)


def _filled(side: ClassColumns, place: str) -> int:
    return sum(map(has_value, page_values(side.wrapper, side.records[place]).values()))


def _url(side: ClassColumns, place: str) -> str:
    urls = (str(line.get("_url", "")) for line in side.records[place])
    return next((url for url in urls if place_of(url) == place), place)


def _under_old_names(wrapper: Wrapper, match: ClassMatch) -> Wrapper:
    """The new wrapper, its fields called as they were; those of record sets keep their names."""
    names = {one.new: one.old for one in match.fields if one.old and one.new and "." not in one.old}
    fields = [replace(one, name=names.get(one.name) or one.name) for one in wrapper.fields]
    return replace(wrapper, fields=tuple(fields))


def _fields(
    match: ClassMatch, old: ClassColumns, new: ClassColumns, pair: PlacePair
) -> Iterator[FieldSides]:
    was: Mapping[str, object] = page_values(old.wrapper, old.records[pair.old])
    now: Mapping[str, object] = page_values(new.wrapper, new.records[pair.new])
    for one in match.fields:
        if one.old is None:
            continue
        remark = one.reason or f"score {one.score:.2f}, {one.gap:+.2f} to the next"
        after = shown_value(now.get(one.new)) if one.new else ""
        yield FieldSides(one.old, one.new or "", shown_value(was.get(one.old)), after, remark)
