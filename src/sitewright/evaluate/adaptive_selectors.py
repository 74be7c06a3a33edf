"""A rival for `evaluate repair`: Scrapling's adaptive selectors, which find one element again.

They know one element of one old page: its tag, text, attributes and surroundings. In a page of the
new site the element that is most like it is taken. Here each field starts from the right element.
Scrapling is no dependency of sitewright: `pip install scrapling`.
"""

from __future__ import annotations

import importlib
import logging
from typing import TYPE_CHECKING, Any

from sitewright.classes.features import evenly
from sitewright.errors import SitewrightError
from sitewright.evaluate.run_tables import comparable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sitewright.evaluate.run_tables import PageValues


_STARTS = 5
"""Old pages on which the right element is looked for."""
_MOST_PAGES = 20
"""New pages of a field that are asked: a page takes it about a second."""
_LEAST_LIKENESS = 40
"""Scrapling's own default, in percent."""
_Element = Any
"""An element of lxml, which has no types."""


def relocated_values(
    before: Path, old: PageValues, after: Path, new: PageValues, *, is_list: bool
) -> dict[str, set[str]] | None:
    """What the element of an old value becomes on the new pages; None if no element has it.

    Pages are paths below the two folders; only the pages that were asked are in the answer.
    """
    page_type = _page_type()
    start = next(_starts(page_type, before, old), None)
    if start is None:
        return None
    found: dict[str, set[str]] = {}
    for place in evenly(sorted(new), _MOST_PAGES):
        page = page_type((after / place).read_bytes())
        elements = page.relocate(start, _LEAST_LIKENESS)
        found[place] = {_text(one) for one in (elements if is_list else elements[:1])} - {""}
    return found


def _page_type() -> Any:  # noqa: ANN401 - of a library that may be missing
    try:
        found = importlib.import_module("scrapling.parser").Selector
    except ImportError:
        raise SitewrightError(
            "to compare with Scrapling's adaptive selectors: pip install scrapling"
        ) from None
    logging.getLogger("scrapling").setLevel(logging.ERROR)
    return found


def _starts(page_type: Any, folder: Path, values: Mapping[str, set[str]]) -> Iterator[_Element]:  # noqa: ANN401
    """The innermost elements that hold a true value and nothing else."""
    for place in sorted(values)[:_STARTS]:
        root = page_type((folder / place).read_bytes())._root  # noqa: SLF001 - it has no other door
        inner = [one for one in root.iter() if isinstance(one.tag, str)]
        yield from [one for one in reversed(inner) if _text(one) in values[place]][:1]


def _text(element: _Element) -> str:
    return comparable(element.text_content())
