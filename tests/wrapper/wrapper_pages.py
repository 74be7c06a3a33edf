"""Pages made for the tests of wrappers: books of a shop, in many layouts."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from sitewright.page import Document
from sitewright.wrapper import Record, Wrapper, extract, induce

SITE = "http://shop.example"
_FIRST = "Ada Bela Cleo Dora Ewa Fay Gus Hal Ida Jon Kit Lea".split()
_LAST = "Arden Brook Cole Dale Elm Ford Grove Hill Irving Jansen Knox Lake Moss".split()
_THINGS = "River Stone Lamp Winter Garden Letter Bridge Harbour Clock Mirror Island".split()
_LIKE = "silent broken golden hidden last little long lost northern old open red".split()
_HOUSES = ("Fig Press", "North Sons", "Paper Moon", "Quill House", "Tall Tree Books")
_MONTHS = "January February March April May June July August September October".split()


@dataclass(frozen=True, slots=True)
class Book:
    """What a page of the shop tells."""

    number: int
    title: str
    author: str
    price: str
    isbn: str
    pages: str
    publisher: str
    published: str
    """As the page writes it."""
    day: str
    """As a table has it."""

    @property
    def url(self) -> str:
        return f"{SITE}/book/{self.number}.html"


def book(number: int) -> Book:
    """The book with that number: always the same."""
    chance = random.Random(number)
    day, month, year = chance.randint(1, 28), chance.randint(1, 10), chance.randint(1980, 2024)
    return Book(
        number=number,
        title=f"{chance.choice(_LIKE).title()} {chance.choice(_THINGS)} {number}",
        author=f"{chance.choice(_FIRST)} {chance.choice(_LAST)}",
        price=f"${chance.randint(5, 60)}.{chance.randint(10, 99)}",
        isbn=f"978-{chance.randint(1, 9)}-{chance.randint(1000, 9999)}-{chance.randint(100, 999)}",
        pages=str(chance.randint(80, 900)),
        publisher=chance.choice(_HOUSES),
        published=f"{_MONTHS[month - 1]} {day}, {year}",
        day=f"{year}-{month:02}-{day:02}",
    )


def books(count: int, start: int = 1) -> list[Book]:
    """Some books."""
    return [book(number) for number in range(start, start + count)]


def rows_of(one: Book) -> list[tuple[str, str]]:
    """Labels and values, some of them not on every page, in an order of the page's own."""
    chance = random.Random(one.number + 1000)
    rows = [
        ("ISBN", one.isbn),
        ("Pages", one.pages),
        ("Publisher", one.publisher),
        ("Published", one.published),
    ]
    chance.shuffle(rows)
    missing = chance.choice(["ISBN", "Pages", "Publisher", "", "", ""])
    return [row for row in rows if row[0] != missing]


def document(body: str, url: str = f"{SITE}/page.html", head: str = "") -> Document:
    """A page of the shop around its main part."""
    text = (
        f"<!doctype html><html><head><meta charset=utf-8>{head}</head><body>"
        "<div id=top><a href=/>Home</a> <a href=/help.html>Help</a></div>"
        f"<div id=main>{body}</div>"
        "<div id=bottom><p>All rights reserved</p><a href=/terms.html>Terms of use</a></div>"
        "</body></html>"
    )
    return Document(text.encode(), url)


def table_page(one: Book) -> Document:
    """A title and a table of labels and values."""
    rows = "".join(f"<tr><th>{label}</th><td>{value}</td></tr>" for label, value in rows_of(one))
    return document(f"<h1>{one.title}</h1><table class=facts>{rows}</table>", one.url)


def definition_page(one: Book) -> Document:
    """A title and a list of definitions."""
    rows = "".join(f"<dt>{label}</dt><dd>{value}</dd>" for label, value in rows_of(one))
    return document(f"<h1>{one.title}</h1><dl>{rows}</dl>", one.url)


def one_text_page(one: Book) -> Document:
    """Labels and values that share their texts."""
    rows = "".join(f"<p>{label}: {value}</p>" for label, value in rows_of(one))
    return document(f"<h1>{one.title}</h1>{rows}", one.url)


def bold_page(one: Book) -> Document:
    """Bold labels with their values behind them, in one element, parted by line breaks."""
    rows = "".join(f"<b>{label}:</b> {value}<br>" for label, value in rows_of(one))
    return document(f"<h1>{one.title}</h1><div class=facts>{rows}</div>", one.url)


def behind_page(one: Book) -> Document:
    """Labels behind their values."""
    rows = "".join(
        f"<div class=stat><span class=n>{value}</span> <span class=l>{label}</span></div>"
        for label, value in rows_of(one)
    )
    return document(f"<h1>{one.title}</h1>{rows}", one.url)


def linked_page(one: Book) -> Document:
    """A table whose values are links on some pages and plain on others."""
    rows = "".join(
        f"<tr><th>{label}</th><td>{_maybe_linked(one, value)}</td></tr>"
        for label, value in rows_of(one)
    )
    return document(f"<h1>{one.title}</h1><table class=facts>{rows}</table>", one.url)


def _maybe_linked(one: Book, value: str) -> str:
    return f"<a href=/find>{value}</a>" if one.number % 3 == 0 else value


def class_page(one: Book) -> Document:
    """No labels: classes name what there is, a date and a picture have it in attributes."""
    return document(
        f"<h1>{one.title}</h1><p class=author>{one.author}</p><b class=price>{one.price}</b>"
        f"<time datetime={one.day}>{one.published}</time>"
        f"<img class=cover src=/covers/{one.number}.jpg>"
        f"<a class=house href=/house/{one.number % 5}.html>{one.publisher}</a>",
        one.url,
    )


def microdata_page(one: Book) -> Document:
    """A page that says what its values are."""
    head = (
        f'<title>{one.title} - Shop</title><meta property="og:title" content="{one.title}">'
        f'<meta property="og:image" content="{SITE}/covers/{one.number}.jpg">'
    )
    body = (
        f"<h1 itemprop=name>{one.title}</h1><p class=x itemprop=author>{one.author}</p>"
        f"<meta itemprop=isbn content={one.isbn}><b itemprop=price>{one.price}</b>"
    )
    return document(f"<div itemscope>{body}</div>", one.url, head)


def shelf_books(shelf: int) -> list[Book]:
    """What stands on a shelf: no two shelves have the same number of books in turn."""
    return books(6 + shelf % 4, start=20 * shelf)


def card_page(shelf: int) -> Document:
    """A list of cards."""
    cards = "".join(
        f"<div class=card><h3><a href=/book/{one.number}.html>{one.title}</a></h3>"
        f"<span class=author>{one.author}</span> <b class=price>{one.price}</b>"
        f"<img src=/covers/{one.number}.jpg></div>"
        for one in shelf_books(shelf)
    )
    return document(f"<h1>Shelf {shelf}</h1>{cards}", f"{SITE}/shelf/{shelf}.html")


def header_table_page(shelf: int) -> Document:
    """A list as a table with titles over its columns."""
    rows = "".join(
        f"<tr><td><a href=/book/{one.number}.html>{one.title}</a><td>{one.author}"
        f"<td>{one.price}<td>{one.published}</tr>"
        for one in shelf_books(shelf)
    )
    titles = "<tr><th>Title<th>Author<th>Price<th>Published</tr>"
    return document(
        f"<h1>Shelf {shelf}</h1><table>{titles}{rows}</table>", f"{SITE}/shelf/{shelf}.html"
    )


def item_page(shelf: int) -> Document:
    """A list of one text and one link a row."""
    rows = "".join(
        f"<li><a href=/book/{one.number}.html>{one.title}</a> {one.author}</li>"
        for one in shelf_books(shelf)
    )
    return document(
        f"<h1>Shelf {shelf}</h1><ul class=books>{rows}</ul>", f"{SITE}/shelf/{shelf}.html"
    )


def read(wrapper: Wrapper, page: Document) -> dict[str, Any]:
    """The values of a page that fits."""
    found = extract(wrapper, page)
    assert isinstance(found, Record), found
    return found.values


def learnt(make: Any, count: int = 12, **options: Any) -> Wrapper:
    """The wrapper of the first pages that a function makes of books."""
    return induce([make(one) for one in books(count)], "book", **options)


def learnt_list(make: Any, count: int = 8, **options: Any) -> Wrapper:
    """The wrapper of the first shelves."""
    return induce([make(shelf) for shelf in range(1, count + 1)], "shelf", **options)


def column(wrapper: Wrapper, pages: list[Document], truth: list[Any]) -> str:
    """The name of the field that holds just these values on these pages; empty if none does."""
    found = [read(wrapper, page) for page in pages]
    for name in found[0]:
        if [values[name] for values in found] == truth:
            return name
    return ""
