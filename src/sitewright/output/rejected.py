"""rejected.jsonl: the pages that no wrapper fits, each with the reason."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sitewright.formats import complete_or_absent, json_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FILE_NAME = "rejected.jsonl"


@contextmanager
def rejected_pages(out: Path) -> Iterator[Callable[[str, str | None, str], None]]:
    """Open OUT/rejected.jsonl; what is given takes the URL of a page, its class and the reason.

    The file is there without a line if every page fits: nothing was dropped in silence.
    """
    with complete_or_absent(out / FILE_NAME) as file:

        def reject(url: str, page_class: str | None, reason: str) -> None:
            file.write(json_line({"url": url, "class": page_class, "reason": reason}))

        yield reject
