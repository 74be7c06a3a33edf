"""A small shop to extract from: articles, shelves that list them, small talk, and a stub."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from sitewright import formats
from sitewright.crawl.waves import CrawlPlan
from sitewright.export import folder
from sitewright.methods import discover
from sitewright.site import open_site
from sitewright.wrapper import Field, RecordSet, Rule, Wrapper
from sitewright.wrapper.values.types import FieldType, ValueKind

if TYPE_CHECKING:
    from pathlib import Path

ITEMS = 40
SHELVES = 5


def page(mark: str, title: str, links: list[str], extra: str = "") -> str:
    """A page of one template, which `mark` names."""
    items = "".join(f"<li class={mark}-row><a href='/{link}'>{link}</a></li>" for link in links)
    return (
        f"<title>{title}</title><body class={mark}><h1 class={mark}-title>{title}</h1>{extra}"
        f"<div class={mark}-box><p class={mark}-text>Text</p><ul class={mark}-list>{items}</ul>"
    )


def item(number: int) -> str:
    """An article with a price and a size that not all of them have."""
    size = f"<dt>Size<dd class=size>{number} cm" if number % 2 else ""
    facts = f"<dl class=facts><dt>Price<dd class=price>{number}.50{size}</dl>"
    return page("item", f"Article {number}", [f"shelf/{number % SHELVES}.html"], facts)


def write_shop(folder: Path) -> Path:
    """Write the shop: 40 articles, 5 shelves, 60 pages of talk, a home page and a stub."""
    talk = [f"talk/{number}.html" for number in range(60)]
    shelves = [f"shelf/{number}.html" for number in range(SHELVES)]
    pages = {"index.html": page("home", "Home", [*talk[:10], *shelves, "old/1.html"])}
    for number, name in enumerate(shelves):
        own = [f"item/{one}.html" for one in range(ITEMS) if one % SHELVES == number]
        pages[name] = page("shelf", f"Shelf {number}", [*own, "item/gone.html"])
    pages |= {f"item/{number}.html": item(number) for number in range(ITEMS)}
    for number, name in enumerate(talk):
        pages[name] = page("talk", f"Talk {number}", talk[number + 1 : number + 8])
    pages["old/1.html"] = '<meta http-equiv=refresh content="0; url=/item/1.html">'
    for name, text in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def item_wrapper() -> Wrapper:
    """The wrapper of the articles: a page, a record."""
    price = FieldType(ValueKind.DECIMAL, decimal_mark=".")
    size = FieldType(ValueKind.INTEGER, unit="cm")
    return Wrapper(
        "item",
        (
            Field("name", Rule.parse("//h1"), FieldType()),
            Field("price", Rule.parse("//dd[@class='price']"), price),
            Field("size", Rule.parse("//dd[@class='size']"), size, raw=True),
        ),
        required=("name", "price"),
    )


def shelf_wrapper() -> Wrapper:
    """The wrapper of the shelves: a list, a record for each row."""
    rows = RecordSet(
        "rows",
        Rule.parse("//li[@class='shelf-row']"),
        (
            Field("link", Rule.parse(".//a/@href"), FieldType.of_url()),
            Field("text", Rule.parse(".//a"), FieldType()),
        ),
    )
    name = Field("name", Rule.parse("//h1"), FieldType())
    return Wrapper("shelf", (name,), (rows,), rows="rows", required=("rows",))


def discover_shop(site: Path, out: Path) -> Path:
    """Write the model of the shop, and wrappers for its articles and shelves."""
    out.mkdir(parents=True, exist_ok=True)
    model = asyncio.run(discover(open_site(str(site)), CrawlPlan(limit=200)))
    assert model is not None
    folder.write_model(out, model)
    assert {"item", "shelf", "talk"} <= {one.name for one in folder.read_model(out).classes}
    for wrapper in (item_wrapper(), shelf_wrapper()):
        write_wrapper(out, wrapper)
    return out


def write_wrapper(out: Path, wrapper: Wrapper) -> None:
    """Put a wrapper where it belongs."""
    place = out / "classes" / wrapper.page_class
    place.mkdir(parents=True, exist_ok=True)
    formats.write(place / "wrapper.json", wrapper, model=folder.model_id(out))
