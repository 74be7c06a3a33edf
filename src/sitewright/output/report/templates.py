"""The report's section on templates: a page of each class, template and content in two colours."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from sitewright.output.harmless import MAX_PAGE, sandboxed
from sitewright.output.report.frame import Section
from sitewright.output.templates import page_in_two_colours
from sitewright.template import strip

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitewright.html import Document
    from sitewright.template import Template

_LEGEND = (
    '<p>What the pages of a class share is <span style="background:#d0e2ff;color:#1c3f94">&nbsp;'
    "template&nbsp;</span>; the rest is the page's own <span"
    ' style="background:#ffe8a3;color:#3d2b00">&nbsp;content&nbsp;</span>. Pages are shown as a'
    " browser lays them out without their style sheets, images and scripts.</p>\n"
)
_HEAD = (
    '<div class="wide"><table><tr><th>class</th><th class="n">pages</th><th class="n">tokens</th>'
    '<th class="n">in all pages</th><th class="n">of the sample page</th></tr>\n'
)


def templates_section(
    templates: Mapping[str, Template], pages_by_class: Mapping[str, Sequence[Document]]
) -> Section:
    """A table of all templates, and under it a page of each class in two colours."""
    samples = {name: page_to_paint(pages_by_class[name]) for name in templates}
    rows = "".join(_row(name, templates[name], page) for name, page in samples.items())
    pictures = "".join(_picture(name, templates[name], page) for name, page in samples.items())
    return Section("Templates", f"{_LEGEND}{_HEAD}{rows}</table></div>\n{pictures}")


def page_to_paint(pages: Sequence[Document]) -> Document:
    """A page in the middle: neither the first nor the last of anything."""
    return sorted(pages, key=lambda page: (page.url, page.body))[len(pages) // 2]


def _row(name: str, template: Template, page: Document) -> str:
    in_all = sum(token.support == 1 for token in template)
    numbers = (template.pages, len(template), in_all)
    cells = "".join(f'<td class="n">{number:,}</td>' for number in numbers)
    share = f"{strip(page, template).fraction:.0%}" if template else "no common template"
    return f'<tr><td>{escape(name)}</td>{cells}<td class="n">{share}</td></tr>\n'


def _picture(name: str, template: Template, page: Document) -> str:
    if not template or len(page.body) > MAX_PAGE:
        return ""
    frame = sandboxed(page_in_two_colours(page, template), f"A page of {name} in two colours")
    summary = f"{escape(name)}: <code>{escape(page.url)}</code>"
    return f"<details><summary>{summary}</summary>{frame}</details>\n"
