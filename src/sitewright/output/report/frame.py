"""The frame of the report: a head, a list of contents, and the sections."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class Section(NamedTuple):
    """A part of the report; whatever comes from pages is escaped in its HTML already."""

    title: str
    html: str


_STYLE = """
:root { --ink: #1c2430; --soft: #5b6675; --line: #dfe4ea; --accent: #1f6feb; --back: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6eaf0; --soft: #9aa6b5; --line: #303a47; --accent: #6ea8ff; --back: #12171e; }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back);
  max-width: 1100px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
p.lead, .soft { color: var(--soft); }
nav a { margin-right: 1rem; } a { color: var(--accent); }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th { text-align: left; color: var(--soft); font-weight: 500; }
th, td { padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
code { font-size: .85em; overflow-wrap: anywhere; }
details { margin: .2rem 0; } .wide { overflow-x: auto; }
svg { max-width: 100%; height: auto; } svg text { fill: var(--ink); font: 12px system-ui; }
svg .soft { fill: var(--soft); font-size: 11px; }
svg .edge { fill: none; stroke: var(--soft); stroke-opacity: .45; }
svg .node { fill: var(--accent); fill-opacity: .85; }
svg .axis { stroke: var(--line); } svg .curve { fill: none; stroke: var(--accent);
  stroke-width: 2; } svg .dot { fill: var(--accent); }
"""


def render_report(title: str, lead: str, sections: Sequence[Section]) -> str:
    """The whole page: no script, nothing fetched from anywhere."""
    contents = "".join(
        f'<a href="#s{number}">{escape(section.title)}</a>'
        for number, section in enumerate(sections)
    )
    body = "".join(
        f'<section id="s{number}"><h2>{escape(section.title)}</h2>\n{section.html}</section>\n'
        for number, section in enumerate(sections)
    )
    page = f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>{escape(title)}</title><style>{_STYLE}</style></head>
<body><h1>{escape(title)}</h1><p class="lead">{escape(lead)}</p><nav>{contents}</nav>
{body}</body></html>
"""
    return page.encode("utf-8", "replace").decode()
