"""What the tables of a project hold, for those who load them: JSON Schema and SQL.

NAME.schema.json describes one line of the table's JSON lines; schema.sql makes all tables, with the
keys that hold for the records that are there.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitewright.export.parquet import date_types
from sitewright.export.sqlite import write_sqlite
from sitewright.export.tables import URL
from sitewright.formats import complete_or_absent, output_folder
from sitewright.wrapper.values.types import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sitewright.export.results import Table
    from sitewright.export.tables import TableColumn
    from sitewright.wrapper import Wrapper


_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_KINDS: dict[ValueKind, dict[str, Any]] = {
    ValueKind.INTEGER: {"type": "integer"},
    ValueKind.DECIMAL: {"type": "number"},
}
_FORMATS = {"DATE": "date", "TIMESTAMP": "date-time"}


def write_schemas(
    folder: Path, tables: Mapping[str, Table], wrappers: Mapping[str, Wrapper]
) -> Iterator[Path]:
    """Write a JSON Schema for each table, and one file of SQL for all."""
    output_folder(folder)
    written = {name: one for name, one in tables.items() if one.is_there}
    for name, table in written.items():
        path = folder / f"{name}.schema.json"
        with complete_or_absent(path) as file:
            file.write(json.dumps(json_schema(table, name), indent=1, ensure_ascii=False) + "\n")
        yield path
    path = folder / "schema.sql"
    statements = sql_schema(written, wrappers)
    with complete_or_absent(path) as file:
        file.write(statements)
    yield path


def json_schema(table: Table, name: str) -> dict[str, Any]:
    """The JSON Schema of the records of a table."""
    dates = date_types(table.path, table.schema)
    properties: dict[str, Any] = {
        column.name: _column(column, dates.get(("", column.name)))
        for column in table.schema.columns
    }
    for records in table.schema.record_sets:
        inner = {
            column.name: _column(column, dates.get((records.name, column.name)))
            for column in records.columns
        }
        properties[records.name] = {"type": "array", "items": _object(inner)}
    return {"$schema": _DIALECT, "title": name, **_object(properties)}


def sql_schema(tables: Mapping[str, Table], wrappers: Mapping[str, Wrapper]) -> str:
    """The statements that make the tables: those of `export sqlite`, for any database."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "site.db"
        write_sqlite(path, tables, wrappers)
        with closing(sqlite3.connect(path)) as database:
            query = "SELECT sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid"
            rows = database.execute(query).fetchall()
    return "".join(f"{sql};\n" for (sql,) in rows)


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _column(column: TableColumn, of_dates: str | None) -> dict[str, Any]:
    single = dict(_KINDS.get(column.kind, {"type": "string"}))
    if column.kind is ValueKind.DATE and of_dates in _FORMATS:
        single["format"] = _FORMATS[of_dates]
    if column.name == URL:
        return {"type": "string", "format": "uri"}
    if column.many:
        return {"type": ["array", "null"], "items": _or_null(single)}
    return _or_null(single)


def _or_null(kind: dict[str, Any]) -> dict[str, Any]:
    return {**kind, "type": [kind["type"], "null"]}
