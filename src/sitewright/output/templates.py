"""A template for each page class, in the class's folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitewright.classes.spread import evenly
from sitewright.output.files import complete_or_absent, json_line, output_folder
from sitewright.template import distill

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sitewright.html import Document
    from sitewright.template import Template

SAMPLE = 64
"""How many pages of a class are distilled: more hardly change the template."""
_FEWEST = 2


def write_templates(
    out: Path, pages_by_class: Mapping[str, Sequence[Document]]
) -> dict[str, Template]:
    """Distil each class's pages and write OUT/classes/NAME/template.json.

    A class of one page has no template; a class whose pages share nothing gets an empty one. Of a
    large class some pages are taken, evenly over their addresses, whatever order they came in.
    """
    templates: dict[str, Template] = {}
    for name, pages in pages_by_class.items():
        if len(pages) < _FEWEST:
            continue
        templates[name] = distill(spread_sample(pages))
        folder = output_folder(out / "classes" / name)
        with complete_or_absent(folder / "template.json") as file:
            file.write(json_line(templates[name].as_json()))
    return templates


def spread_sample(pages: Sequence[Document], size: int = SAMPLE) -> list[Document]:
    """Some pages, evenly over their addresses in order."""
    ordered = sorted(pages, key=lambda page: (page.url, page.body))
    return evenly(ordered, size)
