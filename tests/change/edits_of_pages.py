"""Changes of a site, small and large, made of its old pages by a rule: what `check` must see."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.change.lamp_shop import MONTHS, new_page, old_page

Page = Callable[[dict[str, str]], str]
Change = Callable[[Page], Page]


def _replaced(*pairs: tuple[str, str]) -> Change:
    def change(page: Page) -> Page:
        def changed(one: dict[str, str]) -> str:
            html = page(one)
            for pattern, text in pairs:
                html = re.sub(pattern, text, html)
            return html

        return changed

    return change


def _swapped(first: str, second: str) -> Change:
    """Two parts of a page change places."""

    def change(page: Page) -> Page:
        def changed(one: dict[str, str]) -> str:
            html = page(one)
            ours, theirs = re.search(first, html), re.search(second, html)
            assert ours, first
            assert theirs, second
            return html.replace(ours[0], "\0").replace(theirs[0], ours[0]).replace("\0", theirs[0])

        return changed

    return change


def _a_third_anew(page: Page) -> Page:
    other = new_page if page is old_page else old_page

    def changed(one: dict[str, str]) -> str:
        return (other if len(one["title"]) % 3 == 0 else page)(one)

    return changed


def _every_second_anew(page: Page) -> Page:
    other = new_page if page is old_page else old_page

    def changed(one: dict[str, str]) -> str:
        return (other if int(one["title"].split()[-1]) % 2 else page)(one)

    return changed


def _maker_and_title_swapped(page: Page) -> Page:
    return lambda one: page({**one, "title": one["maker"], "maker": one["title"]})


def _dates_turned(page: Page) -> Page:
    def changed(one: dict[str, str]) -> str:
        number = MONTHS.index(one["month"]) + 1
        html = page(one)
        for text in (f"{one['day']} {one['month'][:3]} 2014", f"{one['month']} {one['day']}, 2014"):
            html = html.replace(text, f"2014-{number:02}-{int(one['day']):02}")
        return html

    return changed


CHANGES: dict[str, Change] = {
    "labels renamed": _replaced(
        ("Maker:|Made by", "Producer"), ("Price:", "Costs"), ("Since:|On sale since", "From")
    ),
    "classes renamed": _replaced((r"class=(\w+)", r"class=x-\1")),
    "classes gone": _replaced((r" class=\w+", "")),
    "divs added": _replaced(("<body>", "<body><div><div>"), ("</body>", "</div></div></body>")),
    "divs around each part": _replaced((r"(<(h1|h2|table|dl|p)\b)", r"<div>\1")),
    "heading of another level": _replaced(("<(/?)h[12]", r"<\1h3")),
    "columns swapped": _swapped(
        r"<tr><td>Maker:.*?</tr>|<dt>Made by.*?</dd>",
        r"<tr><td>Since:.*?</tr>|<dt>On sale since.*?</dd>",
    ),
    "dates written otherwise": _dates_turned,
    "a field removed": _replaced((r"<tr><td>Maker:.*?</tr>|<dt>Made by.*?</dd>", "")),
    "a field emptied": _replaced((r"(<td>Maker:</td><td>|<dt>Made by</dt><dd>)[^<]*", r"\1")),
    "a text removed": _replaced(("<p.*?</p>", "")),
    "prices in pounds": _replaced((r"[\d.]+ EUR", "ask us")),
    "a row before all": _replaced(
        ("(<table.*?>)", r"\1<tr><td>Stock:</td><td>12</td></tr>"),
        ("<dl>", "<dl><dt>Stock</dt><dd>12</dd>"),
    ),
    "a third in another layout": _a_third_anew,
    "every second page in another layout": _every_second_anew,
    "two values in each other's place": _maker_and_title_swapped,
    "makers all the same": lambda page: lambda one: page({**one, "maker": "Various"}),
    "another design": lambda page: new_page if page is old_page else old_page,
}
