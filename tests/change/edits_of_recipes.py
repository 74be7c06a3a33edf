"""Some eighty changes of a site of recipes, made by a rule, each with what is true after it.

A *quiet* change is what happens to any site in a year, and is no alarm. A change that *keeps* the
facts, only written or placed otherwise, must be read right or give an alarm, like all others.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from tests.change.lamp_shop import MONTHS, WORDS
from tests.change.recipe_site import Page, Recipe, modern_page, plain_page

Facts = Callable[[Recipe], Recipe]
Markup = Callable[[str], str]
NAME = "pear pine quince rowan sedge thyme umber violet".split()


@dataclass(frozen=True)
class Edit:
    """A change: of what is true of a recipe, of what the pages show, of how they show it."""

    true: Facts = lambda one: one
    """What the site says now: its content changed."""
    shown: Facts = lambda one: one
    """What the pages show in its place: something went wrong."""
    markup: Markup = lambda html: html
    page: Callable[[Page], Page] = lambda page: page
    is_part: Callable[[Recipe], bool] = lambda one: True
    """The recipes whose pages are changed."""

    def made(self, page: Page) -> Page:
        """The pages of a design after the change."""

        def changed(one: Recipe) -> str:
            if not self.is_part(one):
                return page(one)
            return self.markup(self.page(page)(self.shown(self.true(one))))

        return changed

    def truth(self, one: Recipe) -> Recipe:
        """What is true of a recipe after the change."""
        return self.true(one) if self.is_part(one) else one


def _sub(*pairs: tuple[str, str]) -> Markup:
    def markup(html: str) -> str:
        for pattern, text in pairs:
            html = re.sub(pattern, text, html, flags=re.DOTALL)
        return html

    return markup


def _share(tenths: int) -> Callable[[Recipe], bool]:
    """So many tenths of the recipes, spread over all."""
    return lambda one: one.number * 7 % 10 < tenths


def _swapped(first: str, second: str) -> Markup:
    def markup(html: str) -> str:
        ours, theirs = re.search(first, html, re.DOTALL), re.search(second, html, re.DOTALL)
        assert ours, first
        assert theirs, second
        return html.replace(ours[0], "\0").replace(theirs[0], ours[0]).replace("\0", theirs[0])

    return markup


def _fact(label: str) -> str:
    """The row of a fact in either design."""
    return rf"<tr><td>{label}:</td>.*?</tr>|<dt>{label}</dt>.*?</dd>"


def _in_fact(label: str, pattern: str, text: str) -> Markup:
    """Write the value of a fact otherwise."""
    value = rf"(<td>{label}:</td><td>|<dt>{label}</dt><dd[^>]*>)([^<]*)"

    def markup(html: str) -> str:
        return re.sub(value, lambda found: found[1] + re.sub(pattern, text, found[2]), html)

    return markup


def _mojibake(text: str) -> str:
    return text.encode().decode("cp1252", "replace")


def _dates(form: Callable[[int, int], str]) -> Callable[[Page], Page]:
    """Dates in another form, made of the month and the day."""

    def change(page: Page) -> Page:
        def changed(one: Recipe) -> str:
            new = form(MONTHS.index(one.month) + 1, one.day)
            html = page(one)
            for old in (f"{one.day} {one.month[:3]} 2014", f"{one.month} {one.day}, 2014"):
                html = html.replace(old, new)
            return html

        return changed

    return change


def _other_number(one: Recipe, low: int, size: int) -> str:
    """A number that has nothing to do with what there was."""
    return str(low + Random(one.number).randrange(size))


def _moved_price(one: Recipe) -> Recipe:
    return replace(one, price=f"{float(one.price) * (0.9 + one.number % 5 / 20):.2f}")


def _next_rows(one: Recipe) -> Recipe:
    """The second column of the rows belongs to the row before."""
    much = [row[1] for row in one.rows]
    return replace(
        one, rows=tuple((row[0], m) for row, m in zip(one.rows, much[1:] + much[:1], strict=True))
    )


def _neighbour(one: Recipe) -> Recipe:
    """Each page shows the text of the next one."""
    word = WORDS[(one.number + 5) % 14]
    return replace(
        one, text=f"Bake the {word} for {one.number} hours; serve {WORDS[one.number % 14]} cold."
    )


def _other(page: Page) -> Page:
    return modern_page if page is plain_page else plain_page


_WALL = "<html><body><h1>Before you go on</h1><p>We value your privacy.</p></body></html>"
_DOWN = "<html><body><h1>Back soon</h1><p>We are at work.</p></body></html>"
_ROWS = r"<tr><td>[^<:]*</td><td>\d+</td></tr>|<li class=part>.*?</li>"
_BOX = "<div class=box><p>Sign up for our letter</p><form><input name=mail></form></div>"
_VALUE = r"(<td>[A-Z][a-z]+:</td><td>|<dd[^>]*>)"

QUIET: dict[str, Edit] = {
    "nothing": Edit(),
    "prices move": Edit(true=_moved_price),
    "all prices rise": Edit(true=lambda one: replace(one, price=f"{float(one.price) * 1.07:.2f}")),
    "some calories corrected": Edit(
        true=lambda one: replace(one, calories=str(int(one.calories) + 3)), is_part=_share(3)
    ),
    "new comments": Edit(
        true=lambda one: replace(
            one,
            notes=tuple(f"So {NAME[(one.number + turn) % 8]}." for turn in range(one.number % 3)),
        )
    ),
    "tags added": Edit(true=lambda one: replace(one, tags=(*one.tags, "new"))),
    "texts edited": Edit(
        true=lambda one: replace(one, text=one.text.replace("rest well", "rest for long")),
        is_part=_share(4),
    ),
    "titles recased": Edit(
        true=lambda one: replace(one, title=one.title.upper()), is_part=_share(4)
    ),
    "ingredients added": Edit(true=lambda one: replace(one, rows=(*one.rows, ("salt", "1")))),
    "an ingredient fewer": Edit(true=lambda one: replace(one, rows=one.rows[:-1])),
    "pictures renewed": Edit(
        true=lambda one: replace(one, picture=one.picture.replace(".jpg", "-b.jpg"))
    ),
    "some prices gone": Edit(
        markup=_in_fact("Price", ".*", ""), is_part=lambda one: one.number == 7
    ),
}
"""No alarm, and all is read right."""

EDITS: dict[str, Edit] = {
    # labels and headings
    "a label renamed": Edit(markup=_sub(("Kitchen", "Cuisine"))),
    "all labels renamed": Edit(
        markup=_sub(
            *(
                (label, other)
                for label, other in (
                    ("Cook:", "Chef:"),
                    ("Kitchen", "Cuisine"),
                    ("Price", "Costs"),
                    ("Time", "Takes"),
                    ("Calories", "Energy"),
                    ("Added:", "Since:"),
                    ("Ingredients", "You need"),
                    ("Tags", "Topics"),
                )
            )
        )
    ),
    "labels without colons": Edit(markup=_sub(("([A-Z][a-z]+):</td>", r"\1</td>"))),
    "labels bold": Edit(markup=_sub(("<(td|dt)>([A-Z][a-z]+:?)</", r"<\1><b>\2</b></"))),
    "labels in capitals": Edit(
        markup=_sub(("<(td|dt)>([A-Z][a-z]+:?)</", lambda m: f"<{m[1]}>{m[2].upper()}</"))
    ),
    "labels in another language": Edit(
        markup=_sub(
            ("Cook:", "Koch:"),
            ("Kitchen", "Küche"),
            ("Price", "Preis"),
            ("Time", "Dauer"),
            ("Calories", "Kalorien"),
            ("Added:", "Seit:"),
            ("Ingredients", "Zutaten"),
            ("Tags", "Themen"),
            ("Home", "Start"),
        )
    ),
    "label and value in one cell": Edit(
        markup=_sub(
            (r"<tr><td>([A-Z][a-z]+:)</td><td>(.*?)</td></tr>", r"<tr><td>\1 \2</td></tr>"),
            (r"<dt>([A-Z][a-z]+)</dt><dd[^>]*>(.*?)</dd>", r"<dd>\1: \2</dd>"),
        )
    ),
    "a heading renamed": Edit(markup=_sub(("Ingredients", "You need"))),
    # classes, ids, tags
    "classes renamed": Edit(markup=_sub((r"class=(\w+)", r"class=css-\1"))),
    "classes gone": Edit(markup=_sub((r" class=\w+", ""))),
    "ids renamed": Edit(markup=_sub((r"id=(\w+)", r"id=x-\1"))),
    "ids and classes gone": Edit(markup=_sub((r" (class|id)=\w+", ""))),
    "classes added": Edit(markup=_sub((r"class=(\w+)", r'class="mt-2 \1 lh"'))),
    "headings a level down": Edit(markup=_sub(("<(/?)h2", r"<\1h3"), ("<(/?)h1", r"<\1h2"))),
    "title no heading": Edit(markup=_sub(("<h1", "<div"), ("</h1", "</div"))),
    "paragraphs to divs": Edit(markup=_sub(("<p>", "<div>"), ("</p>", "</div>"))),
    "tables to divs": Edit(markup=_sub(("<(/?)(table|tr|td)", r"<\1div"))),
    "definitions to divs": Edit(markup=_sub(("<(/?)(dl|dt|dd)", r"<\1div"))),
    "lists to divs": Edit(markup=_sub(("<(/?)(ul|li)", r"<\1div"))),
    "values in spans": Edit(markup=_sub((_VALUE + "([^<]*)", r"\1<span>\2</span>"))),
    "values linked": Edit(
        markup=_sub((_VALUE + r"([A-Z][^<\d]*)<", r"\1<a href=about.html>\2</a><"))
    ),
    "wrapper around all": Edit(
        markup=_sub(("<body>", "<body><div><div>"), ("</body>", "</div></div></body>"))
    ),
    "wrapper around each part": Edit(markup=_sub((r"(<(h1|h2|table|dl|p|ul)\b)", r"<div>\1"))),
    # order and neighbours
    "two facts swapped": Edit(markup=_swapped(_fact("Kitchen"), _fact("Time"))),
    "two numbers swapped": Edit(markup=_swapped(_fact("Price"), _fact("Calories"))),
    "a fact before all": Edit(
        markup=_sub(
            ("(<table id=facts>)", r"\1<tr><td>Rating:</td><td>4</td></tr>"),
            ("(<dl[^>]*>)", r"\1<dt>Rating</dt><dd>4</dd>"),
        )
    ),
    "facts after the text": Edit(
        markup=_swapped(
            "<table id=facts>.*?</table>|<dl.*?</dl>", r"<p>Stir.*?</p>|<div class=lead>.*?</div>"
        )
    ),
    "a box before all": Edit(markup=_sub(("<body>", "<body>" + _BOX))),
    "a box before the title": Edit(markup=_sub(("<h1", _BOX + "<h1"))),
    "a notice in the text's place": Edit(
        markup=_sub(("<p>Stir.*?</p>|<div class=lead>.*?</div>", "<p>Only for members.</p>"))
    ),
    "a second heading first": Edit(markup=_sub(("<h1", "<h1>Pots</h1><h1"))),
    # values of others
    "kitchen says the cook": Edit(shown=lambda one: replace(one, kitchen=one.cook)),
    "cook and kitchen changed places": Edit(
        shown=lambda one: replace(one, kitchen=one.cook, cook=one.kitchen)
    ),
    "title and text changed places": Edit(
        shown=lambda one: replace(one, title=one.text, text=one.title)
    ),
    "time and calories changed places": Edit(
        markup=lambda html: re.sub(
            r"(\d+) min(.*?)(Calories:?</\w+><\w+[^>]*>)(\d+)",
            r"\4 min\2\3\1",
            html,
            flags=re.DOTALL,
        )
    ),
    # constants and gaps
    "kitchens all the same": Edit(shown=lambda one: replace(one, kitchen="Any")),
    "titles all the same": Edit(shown=lambda one: replace(one, title="Recipe")),
    "prices all nought": Edit(shown=lambda one: replace(one, price="0.00")),
    "calories all the same": Edit(shown=lambda one: replace(one, calories="100")),
    "dates all the same": Edit(shown=lambda one: replace(one, month="March", day=19)),
    "pictures all the same": Edit(shown=lambda one: replace(one, picture="img/none.gif")),
    "pictures lazy": Edit(markup=_sub(("src=(img/[^ >]*)", r"src=img/blank.gif data-src=\1"))),
    "tags all the same": Edit(shown=lambda one: replace(one, tags=("recipes",))),
    "a fact emptied": Edit(markup=_in_fact("Kitchen", ".+", "")),
    "a fact emptied on most pages": Edit(markup=_in_fact("Kitchen", ".+", ""), is_part=_share(6)),
    "a fact emptied on three of ten pages": Edit(
        markup=_in_fact("Kitchen", ".+", ""), is_part=_share(3)
    ),
    "a fact dashed": Edit(markup=_in_fact("Kitchen", ".+", "-")),
    "prices unknown": Edit(markup=_in_fact("Price", ".+", "n/a")),
    "a fact gone": Edit(markup=_sub((_fact("Kitchen"), ""))),
    "a fact gone on most pages": Edit(markup=_sub((_fact("Calories"), "")), is_part=_share(6)),
    "title gone": Edit(markup=_sub(("<h1.*?</h1>", ""))),
    "text gone": Edit(markup=_sub(("<p>Stir.*?</p>|<div class=lead>.*?</div>", ""))),
    "tags gone": Edit(markup=_sub(("(<ul id=tags>|<p class=tags>).*?(</ul>|</p>)", r"\1\2"))),
    "pictures gone": Edit(markup=_sub(("<img[^>]*>", ""))),
    # forms of values
    "prices in dollars": Edit(markup=_in_fact("Price", "EUR", "USD")),
    "prices with a sign": Edit(markup=_in_fact("Price", "(.*) EUR", "€\\1")),
    "prices in cents": Edit(markup=_in_fact("Price", r"(\d+)\.(\d+) EUR", r"\1\2 cents")),
    "prices with a decimal comma": Edit(markup=_in_fact("Price", r"\.", ",")),
    "prices on request": Edit(markup=_in_fact("Price", ".*", "on request")),
    "prices without a unit": Edit(markup=_in_fact("Price", " EUR", "")),
    "times in seconds": Edit(
        markup=_in_fact("Time", r"(\d+) min", lambda found: f"{int(found[1]) * 60} s")
    ),
    "times in words": Edit(markup=_in_fact("Time", r"(\d+) min", r"PT\1M")),
    "dates of numbers": Edit(page=_dates(lambda month, day: f"2014-{month:02}-{day:02}")),
    "dates in points": Edit(page=_dates(lambda month, day: f"{day}.{month}.2014")),
    "dates in slashes": Edit(page=_dates(lambda month, day: f"{month}/{day}/2014")),
    "dates relative": Edit(page=_dates(lambda month, day: f"{month} months ago")),
    "dates without a year": Edit(page=_dates(lambda month, day: f"{MONTHS[month - 1]} {day}")),
    "words before dates": Edit(
        page=_dates(lambda month, day: f"Published: {day} {MONTHS[month - 1]} 2014")
    ),
    "words before names": Edit(shown=lambda one: replace(one, cook="by " + one.cook)),
    "words after titles": Edit(shown=lambda one: replace(one, title=one.title + " | Pots")),
    "titles in quotes": Edit(shown=lambda one: replace(one, title=f"\u00ab{one.title}\u00bb")),
    "a number before titles": Edit(
        shown=lambda one: replace(one, title=f"{one.number + 3}. {one.title}")
    ),
    "names turned": Edit(
        shown=lambda one: replace(one, cook=", ".join(reversed(one.cook.split())))
    ),
    "texts cut": Edit(shown=lambda one: replace(one, text=one.text[:30] + "\u2026")),
    "texts cut in dots": Edit(shown=lambda one: replace(one, text=one.text[:30] + "...")),
    "titles cut": Edit(shown=lambda one: replace(one, title=one.title[:9] + "\u2026")),
    "broken letters everywhere": Edit(markup=_mojibake),
    "broken letters in rows": Edit(
        shown=lambda one: replace(one, rows=tuple((_mojibake(a), b) for a, b in one.rows))
    ),
    "broken letters in a name": Edit(
        shown=lambda one: replace(one, cook=one.cook.encode().decode("ascii", "replace"))
    ),
    "entities shown": Edit(
        shown=lambda one: replace(one, title=one.title.replace("é", "&amp;eacute;"))
    ),
    "raw template tags": Edit(shown=lambda one: replace(one, title="{{ title }}")),
    "numbers of a column replaced": Edit(
        shown=lambda one: replace(one, calories=_other_number(one, 210, 499))
    ),
    "other texts": Edit(shown=_neighbour),
    "texts in another language": Edit(
        shown=lambda one: replace(
            one,
            text=f"Mit {one.number} L\u00f6ffeln {NAME[one.number % 8]}öl verrühren.",
        )
    ),
    # rows
    "rows gone": Edit(markup=_sub((_ROWS, ""))),
    "only the first rows": Edit(shown=lambda one: replace(one, rows=one.rows[:2])),
    "only the first tag": Edit(shown=lambda one: replace(one, tags=one.tags[:1])),
    "rows doubled": Edit(shown=lambda one: replace(one, rows=one.rows * 2)),
    "rows with a column before": Edit(
        markup=_sub(
            (
                r"<tr><td>([^<:]*)</td><td>(\d+)</td></tr>",
                r"<tr><td>1</td><td>\1</td><td>\2</td></tr>",
            ),
            ("<li class=part>", "<li class=part><b>1</b>"),
        )
    ),
    "columns of rows turned": Edit(
        markup=_sub(
            (r"<tr><td>([^<:]*)</td><td>(\d+)</td></tr>", r"<tr><td>\2</td><td>\1</td></tr>"),
            (r"(<span class=what>.*?</span>) (<em.*?</em>)", r"\2 \1"),
        )
    ),
    "a column of rows shifted": Edit(shown=_next_rows),
    "a column of rows emptied": Edit(
        shown=lambda one: replace(one, rows=tuple((a, "") for a, _ in one.rows))
    ),
    "a column of rows constant": Edit(
        shown=lambda one: replace(one, rows=tuple((a, "1") for a, _ in one.rows))
    ),
    "rows as text": Edit(
        markup=_sub(
            (
                "<table id=parts>.*?</table>|(<section class=parts><h2>.*?</h2>)<ul>.*?</ul>",
                r"\1<p>See the book.</p>",
            )
        )
    ),
    "a row of headings": Edit(
        markup=_sub(
            ("<table id=parts>", "<table id=parts><tr><th>What</th><th>How much</th></tr>"),
        )
    ),
    # links
    "links absolute": Edit(
        markup=_sub(("(href|src)=(tag|img|index)", r"\1=http://folder.invalid/\2"))
    ),
    "links with a mark": Edit(markup=_sub((r"href=(tag-\w+\.html)", r"href=\1?ref=page"))),
    "links without an end": Edit(markup=_sub((r"href=(tag-\w+)\.html", r"href=\1"))),
    "links to one page": Edit(markup=_sub((r"href=tag-\w+\.html", "href=index.html"))),
    # all of a page
    "a consent wall": Edit(markup=lambda html: _WALL),
    "a consent wall over the page": Edit(
        markup=_sub(
            (
                "<body>",
                "<body><div><h1>Before you go on</h1><p>We ask.</p><button>Yes</button></div>",
            )
        )
    ),
    "closed for work": Edit(markup=lambda html: _DOWN, is_part=_share(7)),
    "pages without a body": Edit(
        markup=_sub(("<body>.*</body>", "<body><div id=app></div></body>"))
    ),
    "another design": Edit(page=_other),
    "every second page in another design": Edit(
        page=_other, is_part=lambda one: one.number % 2 == 0
    ),
    "three of ten pages in another design": Edit(page=_other, is_part=_share(3)),
    "minified": Edit(markup=_sub((r"\s+", " "), ("> <", "><"))),
}
"""Read right, or an alarm that names the field."""
