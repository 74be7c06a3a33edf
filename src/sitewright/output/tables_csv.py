"""CSV from JSON lines: RFC 4180 with plain line feeds, in UTF-8, lists and records as JSON."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

_NEEDS_QUOTES = re.compile('[",\r\n]')
_as_json = json.JSONEncoder(ensure_ascii=False).encode


def write_csv(lines: Path, target: Path, names: Sequence[str]) -> None:
    """Write the records of a file of JSON lines as CSV, the names of the columns on top.

    A value that is missing is an empty cell, and so is an empty text.
    """
    with (
        lines.open(encoding="utf-8") as records,
        target.open("w", encoding="utf-8", newline="") as file,
    ):
        file.write(csv_line(names))
        for line in records:
            record = json.loads(line)
            file.write(csv_line(record[name] for name in names))


def csv_line(values: Iterable[Any]) -> str:
    """One line of CSV. The csv module of Python 3.11 leaves a carriage return without quotes."""
    return ",".join(map(_cell, values)) + "\n"


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else _as_json(value)
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text
