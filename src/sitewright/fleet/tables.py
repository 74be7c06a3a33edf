"""The Parquet files of a fleet: written row by row, the same bytes for the same rows."""

from __future__ import annotations

import glob
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sitewright.errors import UnreadableInput
from sitewright.export.parquet import confined_database, missing_parquet
from sitewright.formats import json_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Self

    from duckdb import DuckDBPyConnection


Columns = dict[str, str]
"""The names and SQL types of a table's columns."""

INDEX: Columns = {
    "bucket": "INTEGER",
    "site": "VARCHAR",
    "rank": "UBIGINT",
    "url": "VARCHAR",
    "file": "INTEGER",
    "member": "INTEGER",
    "offset": "UBIGINT",
    "inner": "UBIGINT",
    "length": "UBIGINT",
    "status": "INTEGER",
    "type": "VARCHAR",
    "date": "BIGINT",
    "digest": "VARCHAR",
    "is_page": "BOOLEAN",
}
PAGES: Columns = {
    "site": "VARCHAR",
    "url": "VARCHAR",
    "class": "VARCHAR",
    "cost": "DOUBLE",
    "confidence": "DOUBLE",
    "problem": "VARCHAR",
    "model": "VARCHAR",
    "date": "BIGINT",
    "file": "VARCHAR",
    "offset": "UBIGINT",
    "length": "UBIGINT",
    "digest": "VARCHAR",
}
TEXT: Columns = {
    "site": "VARCHAR",
    "url": "VARCHAR",
    "class": "VARCHAR",
    "title": "VARCHAR",
    "text": "VARCHAR",
    "by_template": "BOOLEAN",
}
RECORDS: Columns = {
    "site": "VARCHAR",
    "class": "VARCHAR",
    "url": "VARCHAR",
    "fields": "VARCHAR",
}
THEMES: Columns = {
    "site": "VARCHAR",
    "theme": "VARCHAR",
    "classes": "VARCHAR",
}
SITES: Columns = {
    "site": "VARCHAR",
    "project": "VARCHAR",
    "theme": "VARCHAR",
    "urls": "BIGINT",
    "sampled": "BIGINT",
    "pages": "BIGINT",
    "classified": "BIGINT",
    "records": "BIGINT",
    "classes": "STRUCT(name VARCHAR, url_template VARCHAR, pages BIGINT, fields BIGINT)[]",
    "templates": "BIGINT",
    "problems": "STRUCT(problem VARCHAR, pages BIGINT)[]",
}
CATALOGUE: Columns = {
    "site": "VARCHAR",
    "class": "VARCHAR",
    "record_set": "VARCHAR",
    "field": "VARCHAR",
    "type": "VARCHAR",
    "unit": "VARCHAR",
    "many": "BOOLEAN",
    "coverage": "DOUBLE",
    "references": "VARCHAR",
    "learnt_at": "VARCHAR",
    "example": "VARCHAR",
}

_GROUP_ROWS = {"index": 16_384, "text": 2_048, "records": 8_192}
_MEMORY = "700MB"
_MOST_BYTES = 1 << 24
_NOT_STORED = re.compile("[\x00\ud800-\udfff]")
_COPY = """
    COPY (SELECT * FROM read_json($lines, format = 'newline_delimited', columns = $columns,
                                  hive_partitioning = false, maximum_object_size = $longest)
          {order})
    TO $target (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {group}, USE_TMP_FILE false)
"""


def check_parquet() -> None:
    """Refuse to begin what could not be written."""
    missing = missing_parquet()
    if missing is not None:
        raise missing


def stored(text: str) -> str:
    """A text without what no table can hold: broken pages have halves of characters, and NUL."""
    return _NOT_STORED.sub("\N{REPLACEMENT CHARACTER}", text)


class TableFile:
    """A Parquet file in the making: rows go to a file of lines, and from there into their columns.

    `order` is what the rows are sorted by; without it they stay in the order in which they came.
    """

    def __init__(self, path: Path, columns: Columns, *, order: str = "") -> None:
        self.path = path
        self.rows = 0
        self._columns = columns
        self._order = f"ORDER BY {order}" if order else ""
        self._lines = path.with_name(f"{path.name}.lines")
        self._longest = 0

    def __enter__(self) -> Self:
        self._file = self._lines.open("w", encoding="utf-8", newline="\n")
        return self

    def add(self, row: Mapping[str, Any]) -> None:
        """One more row; columns that it does not have are empty."""
        line = json_line(dict(row))
        self._longest = max(self._longest, 4 * len(line))
        self._file.write(line)
        self.rows += 1

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._file.close()
        if kind is None:
            self._convert()
        self._lines.unlink(missing_ok=True)

    def _convert(self) -> None:
        values = {
            "lines": glob.escape(str(self._lines)),
            "columns": self._columns,
            "longest": max(self._longest + 1024, _MOST_BYTES),
            "target": str(self.path),
        }
        group = _GROUP_ROWS.get(self.path.stem.partition("-")[0], 16_384)
        with database([self.path.parent], self.path.parent) as connection:
            connection.execute(_COPY.format(order=self._order, group=group), values)


@contextmanager
def database(
    folders: Sequence[Path], spill: Path | None = None, files: Sequence[Path] = ()
) -> Iterator[DuckDBPyConnection]:
    """A database that reaches these folders and files alone; what memory cannot hold is spilled.

    What goes wrong inside the block is told in one line: tables can be damaged.
    """
    import duckdb  # noqa: PLC0415 - an extra, and 60 MB

    # A file is written as a pattern, too, where it is read from.
    paths = sorted({form for one in files for form in (str(one), glob.escape(str(one)))})
    connection = confined_database(paths, [str(one) for one in folders], str(spill or ""))
    try:
        connection.execute(f"SET memory_limit = '{_MEMORY}'")
        connection.execute("SET enable_progress_bar = false")
        yield connection
    except duckdb.Error as error:
        why = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
        place = files[0] if len(files) == 1 else [*folders, *files][0].parent
        advice = "if a table is damaged, remove it and its marker in done/, and it is made anew"
        raise UnreadableInput(str(place), f"{why}; {advice}") from None
    finally:
        connection.close()


def read_rows(
    paths: Sequence[Path], what: str, where: str = "", values: Mapping[str, Any] | None = None
) -> Iterator[dict[str, Any]]:
    """The rows of Parquet files of ours: `what` names columns, `where` the rest of a query."""
    if not paths:
        return
    query = f"SELECT {what} FROM read_parquet($paths) {where}"  # noqa: S608 - both are our own
    given = {"paths": [glob.escape(str(path)) for path in paths], **(values or {})}
    with database([], None, paths) as connection:
        answer = connection.execute(query, given)
        names = [column[0] for column in answer.description or ()]
        while rows := answer.fetchmany(1000):
            yield from (dict(zip(names, row, strict=True)) for row in rows)
