"""A class's tables: JSON lines, CSV and Parquet that say the same, complete or absent."""

import csv
import errno
import json
import os
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitewright import formats
from sitewright.errors import UnreadableInput
from sitewright.export import parquet as parquet_export
from sitewright.export import tables
from sitewright.export.class_tables import rejected_pages
from sitewright.export.parquet import confined_database
from sitewright.export.tables import RecordSetColumns, TableColumn, TableWriter
from sitewright.wrapper.values.types import ValueKind

COLUMNS = [
    TableColumn("name", ValueKind.TEXT),
    TableColumn("caps", ValueKind.INTEGER),
    TableColumn("height", ValueKind.DECIMAL),
    TableColumn("height_raw", ValueKind.TEXT),
    TableColumn("born", ValueKind.DATE),
    TableColumn("photo", ValueKind.IMAGE),
    TableColumn("clubs", ValueKind.TEXT, many=True),
]
MATCHES = RecordSetColumns(
    "matches", (TableColumn("date", ValueKind.DATE), TableColumn("goals", ValueKind.INTEGER))
)
ADA = {
    "_url": "http://x.example/ada",
    "name": "Ada",
    "caps": 3,
    "height": 1.88,
    "height_raw": "1.88 m",
    "born": "1990-05-01",
    "photo": "http://x.example/ada.png",
    "clubs": ["Rovers", "Wanderers"],
    "matches": [{"date": "2031-06-07", "goals": 1}, {"date": "2031-06-09", "goals": None}],
}
BEA = {"_url": "http://x.example/bea", "name": "Bea", "height": 2, "matches": []}


def write(folder, records, columns=COLUMNS, record_sets=(MATCHES,)):
    with TableWriter(folder, columns, record_sets) as table:
        for record in records:
            table.write(record)
    return table


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def parquet(path):
    """The types and the rows of a Parquet file."""
    with duckdb.connect() as database:
        found = database.execute("SELECT * FROM read_parquet(?)", [str(path)])
        types = {name: str(kind) for name, kind, *_ in found.description}
        return types, found.fetchall()


def cells(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_json_lines_have_every_column_in_order_and_record_sets_nested(tmp_path):
    table = write(tmp_path, [ADA, BEA])
    ada, bea = lines(tmp_path / "table.jsonl")
    assert ada == ADA
    assert list(bea) == list(ada)
    assert bea["caps"] is bea["clubs"] is None
    assert bea["matches"] == []
    assert table.records == 2
    assert sorted(path.name for path in table.files) == sorted(contents(tmp_path))


def test_parquet_is_typed(tmp_path):
    write(tmp_path, [ADA, BEA])
    types, rows = parquet(tmp_path / "table.parquet")
    assert types == {
        "_url": "VARCHAR",
        "name": "VARCHAR",
        "caps": "BIGINT",
        "height": "DOUBLE",
        "height_raw": "VARCHAR",
        "born": "DATE",
        "photo": "VARCHAR",
        "clubs": "VARCHAR[]",
        "matches": "STRUCT(date DATE, goals BIGINT)[]",
    }
    assert [str(cell) for cell in rows[0][:6]] == [str(ADA[name]) for name in list(ADA)[:6]]
    assert rows[0][7] == ["Rovers", "Wanderers"]
    assert [row["goals"] for row in rows[0][8]] == [1, None]
    assert rows[1][2:5] == (None, 2.0, None)


def test_each_record_set_is_a_table_of_its_own(tmp_path):
    write(tmp_path, [ADA, BEA])
    url = "http://x.example/ada"
    first, second = lines(tmp_path / "matches.jsonl")
    assert list(first.items())[:2] == [("_url", url), ("_row", 1)]
    assert second == {"_url": url, "_row": 2, "date": "2031-06-09", "goals": None}
    assert cells(tmp_path / "matches.csv") == [
        ["_url", "_row", "date", "goals"],
        [url, "1", "2031-06-07", "1"],
        [url, "2", "2031-06-09", ""],
    ]
    types, rows = parquet(tmp_path / "matches.parquet")
    assert types == {"_url": "VARCHAR", "_row": "BIGINT", "date": "DATE", "goals": "BIGINT"}
    assert len(rows) == 2


def test_csv_has_lists_as_json_and_of_records_inside_the_number(tmp_path):
    write(tmp_path, [ADA, BEA])
    header, ada, bea = cells(tmp_path / "table.csv")
    assert header == list(ADA)
    assert ada[-1] == str(len(ADA["matches"]))  # matches.csv has them
    assert json.loads(ada[-2]) == ADA["clubs"]
    assert bea[1:4] == ["Bea", "", "2"]


@pytest.mark.parametrize(
    ("dates", "kind"),
    [
        (["2010-05-01", None], "DATE"),
        (["2010-05-01T12:30", "2010-05-01T12:30:45.5"], "TIMESTAMP"),
        (["2010-05-01", "2010-05-01T12:30"], "VARCHAR"),
        (["2010-05", "2010-05-01"], "VARCHAR"),
        (["2010-05-01T12:30Z"], "VARCHAR"),
        ([None], "VARCHAR"),
    ],
)
def test_dates_are_dates_where_every_value_allows_it(tmp_path, dates, kind):
    columns = [TableColumn("day", ValueKind.DATE), TableColumn("days", ValueKind.DATE, many=True)]
    write(tmp_path, [{"_url": "u", "day": day, "days": [day]} for day in dates], columns, ())
    types, rows = parquet(tmp_path / "table.parquet")
    assert types == {"_url": "VARCHAR", "day": kind, "days": f"{kind}[]"}
    assert [row[1] is None for row in rows] == [day is None for day in dates]


def test_a_class_without_records_has_empty_tables(tmp_path):
    write(tmp_path, [])
    assert (tmp_path / "table.jsonl").read_text() == ""
    assert cells(tmp_path / "table.csv") == [list(ADA)]
    assert parquet(tmp_path / "matches.parquet")[1] == []


def test_a_list_may_have_a_text_that_is_no_number(tmp_path):
    schema = tables.TableSchema((TableColumn("number", ValueKind.INTEGER, many=True),))
    record = {"_url": "http://x.org/", "number": [7, None]}
    assert tables.record_decoder(schema)(json.dumps(record).encode()) == record


def test_the_same_records_give_the_same_bytes(tmp_path):
    records = [{**ADA, "_url": f"http://x.example/{n}", "caps": n} for n in range(5_000)]
    write(tmp_path / "one", records)
    write(tmp_path / "two, elsewhere", records)
    assert contents(tmp_path / "one") == contents(tmp_path / "two, elsewhere")
    assert [row[2] for row in parquet(tmp_path / "one" / "table.parquet")[1]] == [*range(5_000)]


@pytest.mark.parametrize(
    "name", ['a"; DROP', "a'b", "$lines", "a) FROM x --", "SELECT", "日 ,\\", "?"]
)
def test_names_from_hostile_pages_are_only_names(tmp_path, name):
    folder = tmp_path / name
    inner = RecordSetColumns(f"{name} rows", (TableColumn(name, ValueKind.INTEGER),))
    record = {"_url": "u", name: "x", f"{name} rows": [{name: 7}]}
    table = write(folder, [record], [TableColumn(name, ValueKind.TEXT)], [inner])
    assert {path.parent for path in table.files} == {folder}
    assert lines(folder / "table.jsonl") == [record]
    assert cells(folder / "table.csv")[0] == ["_url", name, f"{name} rows"]
    types, rows = parquet_of_one(folder / "table.parquet", tmp_path)
    assert list(types) == ["_url", name, f"{name} rows"]
    assert rows == [("u", "x", [{name: 7}])]


def parquet_of_one(path, folder):
    """The same for a path that may be a pattern."""
    plain = folder / "plain.parquet"
    plain.write_bytes(path.read_bytes())
    return parquet(plain)


def test_only_the_given_file_is_read_where_its_path_is_a_pattern(tmp_path):
    for name in ("a*", "ab", "[a]", "a?"):
        write(tmp_path / name, [{"_url": name}], [], ())
    for name in ("a*", "ab", "[a]", "a?"):
        assert parquet_of_one(tmp_path / name / "table.parquet", tmp_path)[1] == [(name,)]


def test_the_files_of_record_sets_stay_in_the_folder_and_apart(tmp_path):
    names = ["../../x", "table", "Table ", "a/b", "a b", ".", "x" * 300]
    sets = [RecordSetColumns(name, (TableColumn("n", ValueKind.INTEGER),)) for name in names]
    write(tmp_path / "in", [{"_url": "u"}], [], sets)
    assert list(tmp_path.iterdir()) == [tmp_path / "in"]
    stems = {path.stem for path in (tmp_path / "in").glob("*.jsonl")}
    assert stems == {"table", "x", "table-2", "Table-3", "a_b", "a_b-2", "records", "x" * 60}


@pytest.mark.parametrize(
    "names", [["a", "A"], ["_url"], ["_URL"], ["a", "a"], ["matches"], [""], ["a\0"], ["\ud800"]]
)
def test_names_that_are_no_names_are_refused(tmp_path, names):
    with pytest.raises(ValueError, match="name"):
        TableWriter(tmp_path, [TableColumn(name, ValueKind.TEXT) for name in names], [MATCHES])


def test_a_record_set_needs_columns_of_its_own(tmp_path):
    with pytest.raises(ValueError, match="without columns"):
        RecordSetColumns("rows", ())
    with pytest.raises(ValueError, match="two columns"):
        RecordSetColumns("rows", (TableColumn("_row", ValueKind.TEXT),))


def test_what_the_table_has_no_column_for_is_not_dropped_in_silence(tmp_path):
    for record in ({"_url": "u", "more": 1}, {"_url": "u", "matches": [{"more": 1}]}):
        with pytest.raises(ValueError, match="no column for \\['more'\\]"):
            write(tmp_path, [record])
    assert list(tmp_path.iterdir()) == []


HARD = st.text(st.characters() | st.sampled_from('\ud800\udc00\0",\r\n\\u\u2028\x85'), max_size=20)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(HARD, st.lists(HARD, max_size=2)), max_size=4))
def test_every_format_says_the_same_whatever_the_texts(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("tables")
    columns = [TableColumn("text", ValueKind.TEXT), TableColumn("texts", ValueKind.TEXT, many=True)]
    write(folder, [{"_url": "u", "text": one, "texts": more} for one, more in rows], columns, ())
    read = [tuple(record.values()) for record in lines_only(folder / "table.jsonl")]
    assert parquet(folder / "table.parquet")[1] == read
    written = cells(folder / "table.csv")[1:]
    assert [(url, text, json.loads(texts)) for url, text, texts in written] == read
    for (_, text, _), (given_text, _) in zip(read, rows, strict=True):
        assert text == given_text or "\ufffd" in text


def lines_only(path):
    """The records between line feeds."""
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]


def test_a_record_may_be_longer_than_the_reader_s_buffer(tmp_path):
    write(
        tmp_path,
        [{"_url": "u", "name": "x" * (20 << 20)}],
        [TableColumn("name", ValueKind.TEXT)],
        (),
    )
    assert len(parquet(tmp_path / "table.parquet")[1][0][1]) == 20 << 20


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_interrupted_write_leaves_the_old_tables_whole(tmp_path, error):
    write(tmp_path, [ADA])
    before = contents(tmp_path)

    def interrupted():
        with TableWriter(tmp_path, COLUMNS, [MATCHES]) as table:
            table.write(BEA)
            raise error

    with pytest.raises(error):
        interrupted()
    assert contents(tmp_path) == before


def test_a_parquet_that_fails_leaves_the_old_tables_whole(tmp_path):
    write(tmp_path, [ADA])
    before = contents(tmp_path)
    with pytest.raises(duckdb.Error):
        write(tmp_path, [{"_url": "u", "caps": "no number"}])
    assert contents(tmp_path) == before


def test_tables_of_record_sets_that_are_no_more_are_taken_away(tmp_path):
    (tmp_path / "mine.csv").write_text("_url,x\n")
    (tmp_path / "wrapper.json").write_text("{}")
    write(tmp_path, [BEA])
    write(tmp_path, [{"_url": "u"}], [], ())
    assert sorted(contents(tmp_path)) == [
        "mine.csv", "table.csv", "table.jsonl", "table.parquet", "tables.json", "wrapper.json",
    ]  # fmt: skip


def test_the_tables_are_listed_with_their_model_columns_and_rows(tmp_path):
    write(tmp_path, [ADA, BEA])
    listing = formats.read(tmp_path / "tables.json", tables.TableListing)
    assert [(one.name, one.record_set) for one in listing.tables] == [
        ("table", None), ("matches", "matches"),
    ]  # fmt: skip
    for one in listing.tables:
        assert one.rows == len(lines(tmp_path / f"{one.name}.jsonl"))
        with (tmp_path / f"{one.name}.csv").open(newline="") as file:
            header = next(csv.reader(file))
        assert [column.name for column in one.columns] + list(one.record_sets) == header
        assert all((tmp_path / file).is_file() for file in one.files)


def test_without_the_extra_there_is_all_but_parquet(tmp_path, monkeypatch):
    write(tmp_path, [ADA])
    monkeypatch.setattr(parquet_export, "find_spec", lambda name: None)
    assert str(parquet_export.missing_parquet()).endswith("pip install 'sitewright[tables]'")
    before = contents(tmp_path)
    write(tmp_path, [ADA])
    now = contents(tmp_path)
    assert sorted(now) == [
        "matches.csv", "matches.jsonl", "table.csv", "table.jsonl", "tables.json",
    ]  # fmt: skip
    listed = [table["files"] for table in json.loads(now.pop("tables.json"))["tables"]]
    assert listed == [["table.csv", "table.jsonl"], ["matches.csv", "matches.jsonl"]]
    assert now == {name: before[name] for name in now}


def test_files_can_be_read_by_whom_the_user_lets(tmp_path):
    plain = tmp_path / "plain"
    plain.write_text("x")
    for path in write(tmp_path / "tables", [ADA]).files:
        assert path.stat().st_mode == plain.stat().st_mode


def test_what_cannot_be_written_is_said_in_one_line(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("x")
    with pytest.raises(UnreadableInput, match="cannot be the output folder"):
        write(tmp_path / "file", [ADA])

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(UnreadableInput, match="cannot be written: No space left"):
        write(tmp_path / "tables", [ADA])
    assert list((tmp_path / "tables").iterdir()) == []


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM read_text('{other}')",
        "SELECT * FROM glob('{folder}/*')",
        "SELECT * FROM read_json('http://127.0.0.1:9/x.json')",
        "COPY (SELECT 1) TO '{folder}/new.csv'",
        "ATTACH '{folder}/new.db'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET allowed_paths = ['{other}']",
    ],
)
def test_the_database_reaches_its_two_files_and_nothing_else(tmp_path, statement):
    (tmp_path / "given.txt").write_text("given")
    other = tmp_path / "other.txt"
    other.write_text("other")
    with confined_database([str(tmp_path / "given.txt")]) as database:
        database.execute("SELECT content FROM read_text(?)", [str(tmp_path / "given.txt")])
        with pytest.raises(duckdb.Error):
            database.execute(statement.format(other=other, folder=tmp_path)).fetchall()
    assert sorted(contents(tmp_path)) == ["given.txt", "other.txt"]


def test_rejected_pages_are_listed_with_the_reason(tmp_path):
    with rejected_pages(tmp_path) as reject:
        reject("http://x.example/a", "player", "no field has a value")
        reject("http://x.example/b", None, "no class fits")
    assert lines(tmp_path / "rejected.jsonl") == [
        {"url": "http://x.example/a", "class": "player", "reason": "no field has a value"},
        {"url": "http://x.example/b", "class": None, "reason": "no class fits"},
    ]
