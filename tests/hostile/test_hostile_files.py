"""Project files that somebody edited or sent: refused in one line that says where, or read."""

from __future__ import annotations

import csv
import json
import os
import random
import re
import shutil
from time import process_time

import pytest
from click import ClickException
from click.testing import CliRunner

import sitewright
from sitewright.cli import sitewright as program
from sitewright.errors import SitewrightError, UnreadableInput
from sitewright.formats import check_pattern, check_xpath

WRONG = [None, True, -1, 10**30, 1.5e308, "", "x", "../../x", "\0\n\x1b[31m", [], {}, [[]], ["x"],
         {"x": 1}, "//*[", "(", "(a+)+$", "x" * 100_000]  # fmt: skip


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """A small project, with a class, a record set and a skeleton."""
    folder = tmp_path_factory.mktemp("site")
    home = "".join(f"<li><a href=thing{n}.html>Thing {n}</a>" for n in range(12))
    (folder / "index.html").write_text(f"<!doctype html><title>Home</title><ul>{home}</ul>")
    for n in range(12):
        rows = "".join(f"<tr><td>part {n}-{k}</td><td>{n * k} g</td></tr>" for k in range(4))
        (folder / f"thing{n}.html").write_text(
            f"<!doctype html><title>Thing {n}</title><h1>Thing {n}</h1><dl><dt>Size</dt>"
            f"<dd>{n}7 cm</dd><dt>Made</dt><dd>2024-01-{n + 1:02}</dd></dl><table>{rows}</table>"
            f"<a href=index.html>Home</a>"
        )
    out = tmp_path_factory.mktemp("made") / "out"
    sitewright.run(folder, out, workers=1)
    return folder, out


@pytest.fixture
def project(made, tmp_path):
    shutil.copytree(made[1], tmp_path / "out")
    return tmp_path / "out"


def places(value, path=()):
    """Every place in a JSON value."""
    if path:
        yield path
    inside = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, one in inside:
        yield from places(one, (*path, key))


def changed(value, path, new):
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = changed(value[path[0]], path[1:], new)
    return copy


def commands(project, site):
    page = str(site / "thing3.html")
    return [
        ["show", str(project)],
        ["classify", str(project), page],
        ["extract", str(project), str(site), "--workers", "1"],
        ["export", "sqlite", str(project), "-o", str(project / "x.db")],
        ["export", "scrapy", str(project), "-o", str(project / "spider")],
        ["export", "graphml", str(project), "-o", str(project / "x.graphml")],
        ["strip", page, "-t", str(next(project.glob("classes/*/template.json")))],
    ]


def run(arguments):
    """Run a command; whatever its files hold, it ends with an error of ours, or none."""
    result = CliRunner().invoke(program, arguments, standalone_mode=False)
    error = result.exception
    if error is not None and not isinstance(error, SitewrightError | ClickException | SystemExit):
        raise error
    message = str(error or "")
    assert "\n" not in message
    return message


def small_files(project):
    names = ["model.json", "site.json", "skeleton.json", "classes/*/wrapper.json",
             "classes/*/template.json", "classes/*/tables.json"]  # fmt: skip
    return [path for name in names for path in sorted(project.glob(name))]


def mutations(seed, count, project):
    """Some wrong values in some places of all files, the same ones every time."""
    chance = random.Random(seed)
    files = small_files(project)
    for _ in range(count):
        file = chance.choice(files)
        data = json.loads(file.read_text())
        path = chance.choice(list(places(data)))
        yield file, changed(data, path, chance.choice(WRONG))


def try_mutations(seed, count, made, project, capsys):
    site, _ = made
    chance = random.Random(seed)
    for file, data in mutations(seed, count, project):
        before = file.read_text()
        file.write_text(json.dumps(data))
        outside = set(project.parent.iterdir())
        run(chance.choice(commands(project, site)))
        assert set(project.parent.iterdir()) == outside
        if file.exists():
            file.write_text(before)


def test_one_wrong_value_never_ends_in_a_traceback(made, project, capsys):
    try_mutations(0, 40, made, project, capsys)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 7))
def test_many_wrong_values_never_end_in_a_traceback(seed, made, project, capsys):
    try_mutations(seed, 120, made, project, capsys)


WHOLE = {
    "empty": b"",
    "no JSON": b"{",
    "a list": b"[]",
    "nested": b"[" * 100_000,
    "nested objects": b'{"format":' * 50_000,
    "not UTF-8": b'{"format": "\xff\xfe"}',
    "a number of 5,000 digits": b'{"format": "sitewright-model", "version": ' + b"9" * 5000 + b"}",
    "another version": b'{"format": "sitewright-model", "version": 99, "model": null}',
    "another format": b'{"format": "sitewright-template", "version": 2, "model": null}',
    "NaN": b'{"format": NaN, "version": Infinity}',
    "20 MB": b'{"format": "sitewright-model", "x": "' + b"y" * 20_000_000 + b'"}',
}


@pytest.mark.parametrize("name", ["model.json", "site.json", "wrapper.json", "template.json"])
@pytest.mark.parametrize("what", WHOLE)
def test_a_file_that_is_something_else_is_refused(what, name, made, project):
    file = next(iter([*project.glob(name), *project.glob(f"classes/*/{name}")]))
    file.write_bytes(WHOLE[what])
    for arguments in commands(project, made[0])[: 2 if name == "model.json" else 3]:
        run(arguments)


@pytest.mark.parametrize("name", ["model.json", "wrapper.json"])
def test_a_pipe_a_device_or_a_folder_in_place_of_a_file_is_refused(name, made, project):
    file = next(iter([*project.glob(name), *project.glob(f"classes/*/{name}")]))
    for make in (os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/zero")):
        file.rmdir() if file.is_dir() else file.unlink()
        make(file)
        run(["extract", str(project), str(made[0]), "--workers", "1"])


def test_the_error_names_the_file_the_place_and_what_was_expected(made, project):
    file = next(project.glob("classes/*/wrapper.json"))
    data = json.loads(file.read_text())
    data["fields"][0]["name"] = ["a list"]
    file.write_text(json.dumps(data))
    message = run(["extract", str(project), str(made[0])])
    assert str(file) in message
    assert "Expected `str`, got `array`" in message
    assert "$.fields[0].name" in message


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+$", "(.*)*x", "((a|b)*)*c", "(?:x+x+)+y", ".*.*.*.*=.*", "(a{2000,})+", "(", "[", "*",
     "(?P<x", "a" * 6000, "(?:" * 3000],
)  # fmt: skip
def test_regular_expressions_that_explode_are_refused(pattern):
    before = process_time()
    with pytest.raises(ValueError, match="regular expression"):
        check_pattern(pattern)
    assert process_time() - before < 2


@pytest.mark.parametrize(
    "pattern",
    ["", r"^Price: (.*)$", r"(\d+) of \d+", r"/players/[^/]+\.html", r"^(.*?)\s*\|.*$",
     r"/[a-z]+/\d{4}/\d{2}/[^/]*", r"(?:a|b)(c*)d"],
)  # fmt: skip
def test_ordinary_expressions_are_not(pattern):
    check_pattern(pattern)


@pytest.mark.parametrize(
    "xpath",
    ["//*[//*[//*[//*]]]", "//a[.//b[.//c]]", "/*" * 500, "//p[ancestor::*[descendant::*]]",
     "//*[count((//*)[(//*)])]", "x" * 6000, "//*[" + " or ".join([".='x'"] * 600) + "]",
     "//*[" + "normalize-space(" * 150 + ")" * 150 + "]", "//*" + "[.!='x']" * 400],
)  # fmt: skip
def test_xpath_that_explodes_is_refused(xpath):
    with pytest.raises(ValueError, match="XPath"):
        check_xpath(xpath)


@pytest.mark.parametrize(
    "xpath",
    ["//h1", '//tr[th[normalize-space()="A // [b"]]/td[1]/text()', "//dl[.//dt]/dd",
     "(//table)[2]//tr", "//dt[" + " or ".join([f".='{n}'" for n in range(40)]) + "]",
     "//div[contains(concat(' ', @class, ' '), ' x ')]/@href"],
)  # fmt: skip
def test_ordinary_xpath_is_not(xpath):
    check_xpath(xpath)


DAMAGED_LINES = {
    "half an object": b"{\n",
    "a list": b"[1]\n",
    "no UTF-8": b"\xff\xfe\n",
    "nested too deeply": b'{"a":' * 100_000 + b"\n",
    "a number of 5,000 digits": b'{"_url": 1' + b"0" * 5000 + b"}\n",
    "other types": b'{"_url": {"a": 1}, "url": [1], "class": {}, "reason": 5, "change": []}\n',
    "half a character": b'{"_url": "\\ud800", "url": "\\ud800", "reason": "\\ud800"}\n',
}


@pytest.mark.parametrize("damage", DAMAGED_LINES.values(), ids=DAMAGED_LINES)
@pytest.mark.parametrize("file", ["table.jsonl", "rejected.jsonl", "changes.jsonl", "edits.jsonl"])
def test_damaged_lines_are_told_in_one_line_by_every_verb_that_reads_them(
    file, damage, made, project
):
    site, whole = made
    path = next(project.rglob(file), project / file)
    path.write_bytes((path.read_bytes() if path.is_file() else b"") + damage)
    out = str(project.parent / "written")
    for arguments in (
        ["show", str(project), "thing"],
        ["check", str(project), str(site)],
        ["diff", str(whole), str(project), "-o", out],
        ["diff", str(project), str(whole), "-o", out],
        ["export", "sqlite", str(project), "-o", out],
        ["apply", str(project), str(path)] if file == "edits.jsonl" else ["show", str(project)],
    ):
        run(arguments)


def test_a_line_of_a_file_that_is_damaged_is_named(project):
    path = next(project.rglob("table.jsonl"))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"[1]\n" + b"".join(lines[1:]))
    assert f"{path}: line 2: Expected `object`, got `array`" in run(
        ["export", "sqlite", str(project)]
    )
    with pytest.raises(UnreadableInput, match="a damaged table"):
        sitewright.load(project).sql(f'select * from "{path.parent.name}"')


@pytest.mark.parametrize("name", ["../../evil", "/etc/evil", "..", "", "a\0b", "a\nb", "x" * 400])
def test_the_name_of_a_class_never_leads_out_of_the_project(name, made, project):
    file = project / "model.json"
    data = json.loads(file.read_text())
    for one in data["classes"]:
        one["name"] = name
    file.write_text(json.dumps(data))
    before = set(project.parent.rglob("*"))
    for arguments in commands(project, made[0])[:5]:
        assert "no name of a class" in run(arguments)
    assert set(project.parent.rglob("*")) == before


FORMULAS = ["=1+1", "+1+1", "-1+cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("x")']


def test_cells_that_a_spreadsheet_would_run_are_text_in_the_csv_file(tmp_path):
    """CSV has no types: a cell that begins as a formula is one to a spreadsheet."""
    site = tmp_path / "site"
    site.mkdir()
    links = "".join(f"<a href=p{n}.html>{n}</a>" for n in range(14))
    (site / "index.html").write_text(f"<title>Home</title>{links}")
    for n in range(14):
        formula = FORMULAS[n % len(FORMULAS)]
        (site / f"p{n}.html").write_text(
            f"<title>P{n}</title><h1>Page {n}</h1><dl><dt>Code</dt><dd>{formula} {n}</dd></dl>"
        )
    project = sitewright.run(site, tmp_path / "out", workers=1)
    cells = [
        cell
        for file in (tmp_path / "out").rglob("*.csv")
        for row in csv.reader(file.read_text(encoding="utf-8").splitlines())
        for cell in row
    ]
    assert any("SUM" in cell for cell in cells)
    assert [cell for cell in cells if re.match(r"[=+@\t\r]|-\D", cell)] == []
    assert project.classes


def edited(project, name, change):
    """One entry of a file of a project changed, as a slip of a person's would."""
    file = next(iter([*project.glob(name), *project.glob(f"classes/thing/{name}")]))
    data = json.loads(file.read_text())
    change(data)
    file.write_text(json.dumps(data))


@pytest.mark.parametrize("share", [10**30, -1, float("nan"), float("inf")])
@pytest.mark.parametrize("what", ["coverage", "confidence", "stability"])
def test_a_share_that_is_none_is_refused(made, project, what, share):
    edited(project, "wrapper.json", lambda data: data["fields"][0].update({what: share}))
    assert "fields[0]" in run(["check", str(project), str(made[0])])


def test_a_count_below_nothing_is_refused(made, project):
    edited(project, "wrapper.json", lambda data: data.update(pages=-3))
    assert "pages" in run(["check", str(project), str(made[0])])


def test_columns_of_one_name_in_the_list_of_tables_end_in_no_traceback(made, project):
    def twice(data):
        data["tables"][0]["columns"].append(data["tables"][0]["columns"][0])

    edited(project, "tables.json", twice)
    (project / "none.jsonl").write_text("")
    for arguments in [
        *commands(project, made[0]),
        ["apply", str(project), str(project / "none.jsonl")],
    ]:
        run(arguments)


WRONG_RECORDS = {
    "a list for a number": {"size": [1]},
    "a text for a number": {"size": "x"},
    "a number of 30 digits": {"thing": 10**30},
    "no number": {"size": float("inf")},
    "a number for a text": {"title": 5},
    "a list of numbers": {"rows": [1]},
    "a row that is wrong": {"rows": [{"part": {}}]},
    "no address": {"_url": None},
    "an address without host": {"_url": "//["},
    "another column": {"x": 1},
}


@pytest.mark.parametrize("wrong", WRONG_RECORDS.values(), ids=WRONG_RECORDS)
def test_a_record_of_other_types_is_named_when_it_is_taken_over(made, project, wrong):
    """What was read before is taken over by `apply`, and written again."""
    table = next(project.glob("classes/thing/table.jsonl"))
    first, *others = table.read_text().splitlines()
    record = json.loads(first) | wrong
    table.write_text("\n".join([json.dumps(record), *others]) + "\n")
    (project / "none.jsonl").write_text("")
    message = run(["apply", str(project), str(project / "none.jsonl")])
    assert (f"{table}: line 1: " in message) == (wrong not in [{"x": 1}, {"_url": "//["}])


def test_a_record_without_address_or_day_is_told_or_done_without(made, project):
    table = next(project.glob("classes/thing/table.jsonl"))
    for name in ("_fetched", "_url"):
        records = [json.loads(line) for line in table.read_text().splitlines()]
        for record in records:
            del record[name]
        table.write_text("".join(json.dumps(record) + "\n" for record in records))
        (project / "none.jsonl").write_text("")
        message = run(["apply", str(project), str(project / "none.jsonl")])
        assert ("line 1" in message) == (name == "_url")
        run(["repair", str(project), str(made[0]), "-o", str(project.parent / f"new{name}")])


@pytest.mark.parametrize(
    "change",
    [lambda data: data["paths"].insert(1, [5, "html"]), lambda data: data["paths"].clear(),
     lambda data: data["classes"][0]["scores"].update({"99999": 1.0}),
     lambda data: data["classes"][0]["shares"].update({"-1": 1.0}),
     lambda data: data["classes"][0].update(samples=["//["], pages=["//["], entry_points=["//["])],
    ids=["a path too far", "no path", "a score", "a share", "addresses without host"],
)  # fmt: skip
def test_a_model_whose_numbers_lead_nowhere_is_refused(made, project, change):
    edited(project, "model.json", change)
    for arguments in [*commands(project, made[0]), ["check", str(project), str(made[0])]]:
        run(arguments)


def test_a_tree_with_a_page_without_address_ends(made, project):
    """An empty address stood for the place above the home page, so the tree began anew below it."""
    edited(project, "skeleton.json", lambda data: data["pages"][-1].update(url=""))
    (project / "none.jsonl").write_text("")
    before = process_time()
    run(["apply", str(project), str(project / "none.jsonl")])
    assert sitewright.load(project).skeleton is not None
    assert process_time() - before < 20
