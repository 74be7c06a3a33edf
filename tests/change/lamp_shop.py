"""A small shop, as it is and after a redesign."""

from collections.abc import Callable
from pathlib import Path

WORDS = "amber birch cedar dune ember fjord glade heath isle jade knoll lagoon marsh north".split()
MAKERS = ("Askbyr", "Bolt & Sons", "Crane Works", "Dorn")
MONTHS = ("January", "February", "March", "April", "May", "June", "July")
PRODUCTS = 40


def product(number: int) -> dict[str, str]:
    """What is known of a product."""
    one, other = WORDS[number % 14], WORDS[(number * 5 + 3) % 14]
    return {
        "title": f"{one.title()} {other} lamp {number}",
        "maker": MAKERS[number * 7 % 4],
        "price": f"{10 + number * 3}.50",
        "day": str(1 + number % 27),
        "month": MONTHS[number % 7],
        "text": f"The {other} lamp gives light in {number + 2} colours, and was made of {one}.",
    }


def old_page(one: dict[str, str]) -> str:
    """A product in the old design."""
    return (
        f"<body><div id=nav><a href=index.html>Home</a></div><h1 class=name>{one['title']}</h1>"
        f"<table class=facts><tr><td>Maker:</td><td>{one['maker']}</td></tr>"
        f"<tr><td>Price:</td><td>{one['price']} EUR</td></tr>"
        f"<tr><td>Since:</td><td>{one['day']} {one['month'][:3]} 2014</td></tr></table>"
        f"<p class=about>{one['text']}</p></body>"
    )


def new_page(one: dict[str, str]) -> str:
    """The same product in the new design: other tags, labels, classes, another form of dates."""
    return (
        "<body><header><nav><ul><li><a href=index.html>Start</a></li></ul></nav></header>"
        f"<main><article><header><h2>{one['title']}</h2></header>"
        f"<section class=description><p>{one['text']}</p></section>"
        f"<dl><dt>Made by</dt><dd>{one['maker']}</dd>"
        f"<dt>On sale since</dt><dd>{one['month']} {one['day']}, 2014</dd></dl>"
        f"<aside><span class=amount>{one['price']} EUR</span></aside></article></main></body>"
    )


def write_shop(
    folder: Path,
    page: Callable[[dict[str, str]], str] = old_page,
    *,
    numbers: range = range(PRODUCTS),
    name: str = "item-{}.html",
) -> Path:
    """Write the pages of the shop into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {name.format(number): product(number) for number in numbers}
    links = "".join(f"<li><a href={file}>{one['title']}</a></li>" for file, one in files.items())
    (folder / "index.html").write_text(f"<body><h1>The lamps</h1><ul>{links}</ul></body>")
    for file, one in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(page(one))
    return folder
