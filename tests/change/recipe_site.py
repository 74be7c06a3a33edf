"""A site of recipes in two designs: facts of many kinds, lists, rows, pictures, data."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.change.lamp_shop import MONTHS, WORDS

if TYPE_CHECKING:
    from pathlib import Path

COOKS = ("Ana Pérez", "Björn Ask", "Chloé Dorn", "Dag Ødegård", "Éva Tóth")
KITCHENS = ("Åland", "Provençal", "Köln", "Málaga")
RECIPES = 28


@dataclass(frozen=True)
class Recipe:
    """What is known of a recipe."""

    number: int
    title: str
    cook: str
    kitchen: str
    price: str
    minutes: str
    calories: str
    month: str
    day: int
    text: str
    tags: tuple[str, ...]
    picture: str
    rows: tuple[tuple[str, str], ...]
    """The ingredients: what, and how much of it."""
    notes: tuple[str, ...] = ()
    """What readers write below it."""

    @property
    def date(self) -> str:
        return f"2014-{MONTHS.index(self.month) + 1:02}-{self.day:02}"


def recipe(number: int) -> Recipe:
    """One of the recipes, by its number."""
    one, other, third = (WORDS[number * step % 14] for step in (1, 5, 3))
    rows = tuple(
        (
            f"{WORDS[(number * 3 + turn * 5) % 14]} purée {turn + number % 5}",
            str(10 * turn + 5 + number),
        )
        for turn in range(4 + number % 3)
    )
    return Recipe(
        number,
        f"{one.title()} {other} soufflé {number}",
        COOKS[number * 7 % 5],
        KITCHENS[(number * 5 + number // 4) % 4],
        f"{4 + number * 7 % 31}.{(number * 13) % 90 + 10}",
        f"{15 + number * 11 % 97}",
        f"{210 + number * 37 % 499}",
        MONTHS[number % 7],
        1 + number * 5 % 27,
        f"Stir the {other} with {number + 2} spoons of {third}; "
        f"let the {one} à la crème rest well.",
        tuple(dict.fromkeys((one, third, WORDS[(number * 9 + 4) % 14], WORDS[(number + 6) % 14]))),
        f"img/{one}-{number}.jpg",
        rows,
    )


def plain_page(one: Recipe) -> str:
    """A recipe in a design of tables and labels, with hardly a class."""
    rows = "".join(f"<tr><td>{what}</td><td>{much}</td></tr>" for what, much in one.rows)
    tags = "".join(f"<li><a href=tag-{tag}.html>{tag}</a></li>" for tag in one.tags)
    notes = "".join(f"<blockquote>{note}</blockquote>" for note in one.notes)
    return (
        f"<html lang=en><head><title>{one.title} - Pots</title></head><body>"
        "<div id=nav><a href=index.html>Home</a></div>"
        f"<h1>{one.title}</h1><img src={one.picture} alt=picture>"
        f"<table id=facts><tr><td>Cook:</td><td>{one.cook}</td></tr>"
        f"<tr><td>Kitchen:</td><td>{one.kitchen}</td></tr>"
        f"<tr><td>Price:</td><td>{one.price} EUR</td></tr>"
        f"<tr><td>Time:</td><td>{one.minutes} min</td></tr>"
        f"<tr><td>Calories:</td><td>{one.calories}</td></tr>"
        f"<tr><td>Added:</td><td>{one.day} {one.month[:3]} 2014</td></tr></table>"
        f"<p>{one.text}</p><h2>Ingredients</h2><table id=parts>{rows}</table>"
        f"<h2>Tags</h2><ul id=tags>{tags}</ul>{notes}<div id=foot>All recipes are free.</div>"
        "</body></html>"
    )


def modern_page(one: Recipe) -> str:
    """A recipe in a design of classes, with data for machines."""
    rows = "".join(
        f"<li class=part><span class=what>{what}</span> <em class=much>{much}</em></li>"
        for what, much in one.rows
    )
    tags = "".join(f"<a class=tag href=tag-{tag}.html>{tag}</a> " for tag in one.tags)
    notes = "".join(f"<div class=note>{note}</div>" for note in one.notes)
    data = {"@type": "Recipe", "name": one.title, "datePublished": one.date}
    return (
        f"<html lang=en><head><title>{one.title}</title>"
        f"<script type=application/ld+json>{json.dumps(data)}</script></head><body>"
        "<header><a href=index.html>Home</a></header><main><article>"
        f"<h1 class=title>{one.title}</h1><figure><img class=photo src={one.picture}></figure>"
        f"<div class=byline><span class=cook>{one.cook}</span>"
        f"<time class=date>{one.month} {one.day}, 2014</time></div>"
        f"<div class=lead>{one.text}</div>"
        f"<dl class=facts><dt>Kitchen</dt><dd class=kitchen>{one.kitchen}</dd>"
        f"<dt>Price</dt><dd class=price>{one.price} EUR</dd>"
        f"<dt>Time</dt><dd class=minutes>{one.minutes} min</dd>"
        f"<dt>Calories</dt><dd class=calories>{one.calories}</dd></dl>"
        f"<section class=parts><h2>Ingredients</h2><ul>{rows}</ul></section>"
        f"<p class=tags>{tags}</p>{notes}</article></main>"
        "<footer>All recipes are free.</footer></body></html>"
    )


Page = Callable[[Recipe], str]


def write_recipes(folder: Path, page: Page, numbers: range = range(RECIPES)) -> Path:
    """Write the site into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    all_ = [recipe(number) for number in numbers]
    links = "".join(f"<li><a href=recipe-{one.number}.html>{one.title}</a></li>" for one in all_)
    (folder / "index.html").write_text(f"<body><h1>Pots</h1><ul>{links}</ul></body>")
    for one in all_:
        (folder / f"recipe-{one.number}.html").write_text(page(one))
    return folder
