"""A template for each page class, in the class's folder, and a page in two colours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitewright import formats
from sitewright.classes.spread import evenly
from sitewright.html import marked_tree, spelled_tokens
from sitewright.output.harmless import MARK, harmless_page
from sitewright.template import distill, template_nodes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sitewright.html import Document
    from sitewright.template import Template

SAMPLE = 64
"""How many pages of a class are distilled: more hardly change the template."""
_FEWEST = 2
_STYLE = """span[data-sitewright], img, input, button, svg, hr { border-radius: 2px; }
[data-sitewright=template]:is(span, button, input, textarea, select)
 { background: #d0e2ff !important; color: #1c3f94 !important; }
[data-sitewright=content]:is(span, button, input, textarea, select)
 { background: #ffe8a3 !important; color: #3d2b00 !important; }
[data-sitewright=template]:is(img, svg, hr) { outline: 3px solid #a6c8ff; }
[data-sitewright=content]:is(img, svg, hr) { outline: 3px solid #ffd24d; }
"""


def write_templates(
    out: Path, pages_by_class: Mapping[str, Sequence[Document]], *, model: str
) -> dict[str, Template]:
    """Distil each class's pages and write OUT/classes/NAME/template.json.

    A class of one page has no template; a class whose pages share nothing gets an empty one. Of a
    large class some pages are taken, evenly over their addresses, whatever order they came in.
    `model` is the id of the site model.
    """
    templates: dict[str, Template] = {}
    for name, pages in pages_by_class.items():
        if len(pages) < _FEWEST:
            continue
        templates[name] = distill(spread_sample(pages))
        folder = formats.output_folder(out / "classes" / name)
        formats.write(folder / "template.json", templates[name], model=model)
    return templates


def spread_sample(pages: Sequence[Document], size: int = SAMPLE) -> list[Document]:
    """Some pages, evenly over their addresses in order."""
    ordered = sorted(pages, key=lambda page: (page.url, page.body))
    return evenly(ordered, size)


def page_in_two_colours(document: Document, template: Template) -> str:
    """The page with its template in blue and its content in yellow: HTML that fetches nothing."""
    shared = template_nodes(document, template)
    numbers = {token.node for token in spelled_tokens(document)}
    marks = {number: "template" if number in shared else "content" for number in sorted(numbers)}
    return harmless_page(marked_tree(document, marks, MARK), _STYLE)
