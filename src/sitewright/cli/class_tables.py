"""Tables of page classes for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table

from sitewright.cli.tables import plain

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sitewright.classes import SiteModel


def class_table(model: SiteModel) -> Table:
    """The classes of a model, the largest first."""
    title = f"{plain(model.home, 80).plain}: {len(model.classes)} classes, {model.visited:,} pages"
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    for column in ("class", "address"):
        table.add_column(column, header_style="dim")
    for column in ("visited", "about", "precision", "recall"):
        table.add_column(column, justify="right", header_style="dim")
    for one in model.classes:
        table.add_row(
            plain(one.name, 30),
            plain(one.url_template, 50),
            f"{one.visited:,}",
            f"{one.size:,}",
            f"{one.url_precision:.2f}",
            f"{one.url_recall:.2f}",
        )
    return table


def model_summary(model: SiteModel, output: Path) -> dict[str, Any]:
    """A discovered site in one flat object."""
    return {
        "site": model.home,
        "output": str(output),
        "pages": model.visited,
        "classes": len(model.classes),
        "class_links": len(model.links),
        "names": [one.name for one in model.classes],
    }


def confusion_table(rows: Mapping[str, Mapping[object, int]], scores: Mapping[str, float]) -> Table:
    """True classes with their F and where their pages went."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("true class", header_style="dim")
    table.add_column("pages", justify="right", header_style="dim")
    table.add_column("F", justify="right", header_style="dim")
    table.add_column("went to", header_style="dim")
    for true, row in rows.items():
        went = ", ".join(f"{name or 'none'} {count}" for name, count in list(row.items())[:6])
        total = str(sum(row.values()))
        table.add_row(plain(true, 30), total, f"{scores[true]:.2f}", plain(went, 80))
    return table
