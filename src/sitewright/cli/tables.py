"""Tables for people. What comes from a page is text, never markup or a terminal's commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from sitewright.cli.wording import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rich.console import RenderableType

    from sitewright.html import Inspection

_SHOWN_LINKS = 3
_SHOWN_PATHS = 12
_SHOWN_TOKENS = 20
_SHOWN_LABELS = 5


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
    """The end of a path: where a link stands is told by the labels next to it."""
    shown = " > ".join(label[:40] for label in labels[-_SHOWN_LABELS:])
    return plain(shown if len(labels) <= _SHOWN_LABELS else f"… > {shown}", 80)
