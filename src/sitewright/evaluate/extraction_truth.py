"""Sites whose values are known: the form of the SWDE set (Hao et al. 2011).

`VERTICAL/VERTICAL-SITE/ID.htm` are the pages of a site, one thing each. The true values of an
attribute stand in `groundtruth/VERTICAL/VERTICAL-SITE-ATTRIBUTE.txt`: two lines about the file,
then a line for each page, `id<TAB>number of values<TAB>value<TAB>...`, with `<NULL>` for none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING, TypeAlias

from sitewright.errors import UnreadableInput
from sitewright.html import Document

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Truth: TypeAlias = "Mapping[str, tuple[str, ...]]"
"""For each page, by its id, the true values of an attribute in their order; empty for none."""
_NONE = "<NULL>"
_ABOUT = 2
"""Lines at the head of a file of true values."""
_COUNTED = re.compile(r"\(\d+\)$")
"""The full set writes the number of pages behind the name of a site."""


@dataclass(frozen=True, slots=True)
class LabelledSite:
    """A site of one vertical: its pages, and the true values of a few attributes."""

    name: str
    vertical: str
    files: tuple[Path, ...]
    truth: Mapping[str, Truth]
    """By attribute; attributes without any true value on the site are left out."""

    def documents(self) -> dict[str, Document]:
        """The pages by their ids, parsed."""
        return {
            file.stem: Document(file.read_bytes(), f"http://{self.name}.invalid/{file.name}")
            for file in self.files
        }


def normalised(text: str) -> str:
    """White space collapsed, no-break spaces too, and entities replaced: nothing else.

    Files of true values hold entities as pages write them, some of them written twice over
    (`&amp;amp;`), so that a value of a page, which a parser has read, is told the same.
    """
    return " ".join(unescape(unescape(text)).split())


def labelled_sites(folder: Path) -> list[LabelledSite]:
    """The sites of a folder, in the order of their names."""
    truths: dict[str, dict[str, Truth]] = {}
    for file in sorted(folder.glob("**/groundtruth/*/*.txt")):
        site, _, attribute = file.stem.rpartition("-")
        truths.setdefault(site, {})[attribute] = _read_truth(file)
    folders = {_COUNTED.sub("", path.name): path for path in folder.rglob("*") if path.is_dir()}
    found = [_site(name, folders[name], truths[name]) for name in sorted(truths) if name in folders]
    sites = [site for site in found if site.files and site.truth]
    if not sites:
        raise UnreadableInput(str(folder), "no pages with true values (groundtruth) in it")
    return sites


def _site(name: str, folder: Path, truth: Mapping[str, Truth]) -> LabelledSite:
    files = tuple(sorted(folder.glob("*.htm*")))
    ids = {file.stem for file in files}
    here = {
        attribute: {page: values for page, values in pages.items() if page in ids}
        for attribute, pages in truth.items()
    }
    told = {attribute: pages for attribute, pages in here.items() if any(pages.values())}
    return LabelledSite(name, name.partition("-")[0], files, told)


def _read_truth(file: Path) -> Truth:
    try:
        lines = file.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableInput(str(file), f"not a file of true values: {error}") from None
    rows = [line.split("\t") for line in lines[_ABOUT:] if line.strip()]
    return {row[0].strip(): _values(row[2:]) for row in rows}


def _values(written: list[str]) -> tuple[str, ...]:
    values = (normalised(value) for value in written if value.strip() != _NONE)
    return tuple(filter(None, values))
