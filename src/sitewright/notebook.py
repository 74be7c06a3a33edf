"""What a notebook shows of our objects: static HTML, small, without scripts."""

from __future__ import annotations

from html import escape
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


MAX_ROWS = 20
MAX_COLUMNS = 30
MAX_TEXT = 80
"""A cell holds no more characters: with the limits above a page stays far below 100 kB."""


def html_table(
    caption: str, columns: Sequence[str], rows: Iterable[Sequence[object]], total: int | None = None
) -> str:
    """A table of the first rows and columns; `total` says how many rows there are."""
    shown = list(islice(rows, MAX_ROWS))
    head = "".join(f"<th>{_cell(name)}</th>" for name in columns[:MAX_COLUMNS])
    body = "".join(
        "<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row[:MAX_COLUMNS]) + "</tr>"
        for row in shown
    )
    left = "" if total is None or total <= len(shown) else f"<p>… {total - len(shown):,} more</p>"
    return (
        '<div style="overflow-x:auto"><table style="white-space:nowrap;text-align:left">'
        f'<caption style="text-align:left">{_cell(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{left}</div>"
    )


def html_tree(lines: Iterable[tuple[int, str]], total: int) -> str:
    """A tree, as titles with their depth in the order of reading."""
    shown = list(islice(lines, MAX_ROWS * 5))
    items = "".join(
        f'<div style="padding-left:{min(depth, 20) * 1.5}em">{_cell(title)}</div>'
        for depth, title in shown
    )
    left = f"<p>… {total - len(shown):,} more</p>" if total > len(shown) else ""
    return f"<div>{items}{left}</div>"


def _cell(value: object) -> str:
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    text = "" if value is None else " ".join(str(value).split())
    short = text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"
    # Lone surrogates come out of broken pages, and no notebook can save them.
    return escape(short.encode("utf-8", "replace").decode())
