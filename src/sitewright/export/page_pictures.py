"""A template for each page class, in the class's folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitewright import formats
from sitewright.classes.features import evenly
from sitewright.methods import distill

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sitewright.page import Document
    from sitewright.template import Template


SAMPLE = 64
"""How many pages of a class are distilled: more hardly change the template."""
_FEWEST = 2


def write_templates(
    out: Path, pages_by_class: Mapping[str, Sequence[Document]], *, model: str
) -> dict[str, Template]:
    """Distil each class's pages and write OUT/classes/NAME/template.json.

    A class of one page has no template; a class whose pages share nothing gets an empty one. Of a
    large class some pages are taken, evenly over their URLs, whatever order they came in.
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
    """Some pages, evenly over their URLs in order."""
    ordered = sorted(pages, key=lambda page: (page.url, page.body))
    return evenly(ordered, size)
