"""The report's sections on page classes: the graph, the table, the quality curve."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from sitewright.output.report.drawing import class_graph, curve
from sitewright.output.report.frame import Section

if TYPE_CHECKING:
    from sitewright.classes import PageClass, SiteModel

_SHOWN_LINKS = 40


def class_sections(model: SiteModel) -> list[Section]:
    """What the model says, for people."""
    sections = [
        Section("Graph of classes", class_graph(model)),
        Section("Page classes", _table(model)),
        Section("Class links", _links(model)),
    ]
    if len(model.curve) > 1:
        sections.append(Section("Quality against pages visited", _quality(model)))
    return sections


def _table(model: SiteModel) -> str:
    head = (
        "<tr><th>class</th><th>address</th><th class=n>visited</th><th class=n>about</th>"
        "<th class=n>precision</th><th class=n>recall</th><th>more</th></tr>"
    )
    return f'<div class="wide"><table>{head}{"".join(map(_row, model.classes))}</table></div>'


def _row(one: PageClass) -> str:
    return (
        f"<tr><td><b>{escape(one.name)}</b></td><td><code>{escape(one.url_template)}</code></td>"
        f"<td class=n>{one.visited:,}</td><td class=n>{one.size:,}</td>"
        f"<td class=n>{one.url_precision:.2f}</td><td class=n>{one.url_recall:.2f}</td>"
        f"<td>{_details(one)}</td></tr>"
    )


def _details(one: PageClass) -> str:
    parts = [
        ("pages", one.samples),
        ("entry points", one.entry_points),
        (f"unlike {one.nearest}", one.distinguishing),
    ]
    lists = "".join(
        f"<p class=soft>{escape(title)}</p>"
        + "".join(f"<div><code>{escape(i)}</code></div>" for i in items)
        for title, items in parts
        if items
    )
    return f"<details><summary>show</summary>{lists}</details>"


def _links(model: SiteModel) -> str:
    rows = "".join(
        f"<tr><td>{escape(link.source)}</td><td>{escape(link.target)}</td>"
        f"<td class=n>{link.links:,}</td><td class=n>{link.pages:,}</td>"
        f"<td><code>{escape(link.path)}</code></td></tr>"
        for link in model.links[:_SHOWN_LINKS]
    )
    more = len(model.links) - _SHOWN_LINKS
    rest = f"<p class=soft>and {more:,} more in model.json</p>" if more > 0 else ""
    head = (
        "<tr><th>from</th><th>to</th><th class=n>links</th><th class=n>pages</th><th>path</th></tr>"
    )
    return f'<div class="wide"><table>{head}{rows}</table></div>{rest}'


def _quality(model: SiteModel) -> str:
    text = (
        "Q of each model on the way, with the final one as the reference. No page has all paths of "
        "its class, so Q ends below 1: where the curve is level, more pages changed nothing."
    )
    return f"<p class=soft>{text}</p>{curve(model.curve)}"
