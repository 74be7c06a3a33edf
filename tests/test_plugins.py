"""Points to extend: a site, a type of value and a form of export, by entry points."""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

import sitewright
from sitewright.cli import sitewright as program
from sitewright.errors import BrokenPlugin, InvalidInput, UnknownName
from sitewright.export.exporters import export_names
from sitewright.plugins import plugin_names
from sitewright.wrapper.values.types import FieldType, infer_type

ROOT = Path(__file__).parent.parent
BOOKS = ["978-0-306-40615-7", "978-3-16-148410-0", "ISBN 9780131103627", "978-1-86197-876-9"]
EXAMPLES = {
    "sitewright.sites": "dump = examples.plugins.site:DumpSite",
    "sitewright.types": "isbn = examples.plugins.value_type:isbn",
    "sitewright.exporters": "markdown = examples.plugins.exporter:markdown",
}


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Makes an installed package with these entry points and modules."""

    def make(points: dict[str, str], **modules: str) -> None:
        place = tmp_path / "site-packages"
        info = place / "my_plugins-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-plugins\nVersion: 1.0\n")
        lines = "".join(f"[{group}]\n{line}\n" for group, line in points.items())
        (info / "entry_points.txt").write_text(lines)
        for name, text in modules.items():
            (place / f"{name}.py").write_text(text)
        monkeypatch.syspath_prepend(place)

    return make


def documented() -> list[str]:
    """The Python of docs/extending.md: the site, the type, the exporter."""
    text = (ROOT / "docs/extending.md").read_text()
    return re.findall(r"```python\n(.+?)```", text, re.DOTALL)


@pytest.fixture(params=["examples", "docs"])
def plugins(request, install):
    """The three plugins, as the examples have them and as the documentation does."""
    if request.param == "examples":
        install(EXAMPLES)
        return
    names = ("documented_site", "documented_type", "documented_exporter")
    points = {
        group: re.sub(r"examples\.plugins\.\w+", module, line)
        for (group, line), module in zip(EXAMPLES.items(), names, strict=True)
    }
    install(points, **dict(zip(names, documented(), strict=True)))


def book(number: int) -> str:
    return (
        f"<title>Book {number}</title><body class=book><h1 class=title>Book {number}</h1>"
        f"<dl><dt>ISBN<dd class=isbn>{BOOKS[number % 4]}<dt>Price<dd class=price>{number}.50</dl>"
        "<p><a href=/index.html>Home</a>"
    )


@pytest.fixture
def dump(tmp_path) -> Path:
    """A database with the pages of a small shop."""
    path = tmp_path / "shop.pages"
    links = "".join(f"<li class=row><a href=/book/{one}.html>{one}</a>" for one in range(40))
    pages = {"http://books.example/index.html": f"<title>Books</title><body><ul>{links}</ul>"}
    pages |= {f"http://books.example/book/{one}.html": book(one) for one in range(40)}
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE page (url, html)")
        database.executemany("INSERT INTO page VALUES (?, ?)", pages.items())
    return path


@pytest.mark.usefixtures("plugins")
def test_a_package_adds_a_site_a_type_and_a_form(dump, tmp_path):
    project = sitewright.run(f"dump://{dump}", tmp_path / "out", workers=1)
    books = project["book"]
    types = {field.name: field.type for field in books.wrapper.fields}
    assert types["isbn"] == FieldType(plugin="isbn")
    assert {record["isbn"] for record in books.records()} == {
        "9780306406157", "9783161484100", "9780131103627", "9781861978769",
    }  # fmt: skip
    assert project.export("markdown").text.splitlines()[2].startswith("| book | /book/{")
    project.export("markdown", tmp_path / "classes.md", records=False)
    assert (tmp_path / "classes.md").read_text().endswith("|  |\n")
    later = sitewright.load(tmp_path / "out")
    assert later.source.site == f"dump://{dump}"
    assert later.extract(workers=1).records["book"] == 40


@pytest.mark.usefixtures("plugins")
def test_the_examples_work_from_the_command_line(dump, tmp_path):
    def run(*words: object):
        return CliRunner().invoke(program, [*map(str, words)], standalone_mode=False)

    assert run("discover", f"dump://{dump}", "-o", tmp_path / "out").exit_code == 0
    assert run("export", "markdown", tmp_path / "out").stdout.startswith("| class |")
    refused = run("discover", f"dump://{dump}", "-o", tmp_path / "out", "--delay", "1")
    assert "--delay has no effect" in str(refused.exception)
    refused = run("export", "markdown", tmp_path / "out", "--force")
    assert "--force has no effect on markdown" in str(refused.exception)


def test_a_site_is_recognized_by_what_is_named(install, dump, tmp_path):
    install({"sitewright.sites": "dump = own_site:Own"}, own_site=(
        "from examples.plugins.site import DumpSite\n"
        "class Own(DumpSite):\n"
        "    @staticmethod\n"
        "    def recognizes(where): return where.endswith('.pages')\n"
    ))  # fmt: skip
    sitewright.Project(tmp_path / "out", dump).discover()
    assert json.loads((tmp_path / "out/site.json").read_bytes())["site"] == "../shop.pages"
    assert sitewright.load(tmp_path / "out").source.site == str(dump)


def test_a_spider_reads_the_types_of_plugins(install, dump, tmp_path):
    install(EXAMPLES)
    project = sitewright.run(f"dump://{dump}", tmp_path / "out", workers=1)
    folder = tmp_path / "pages"
    for page in sitewright.open_site(f"dump://{dump}").pages():
        path = folder / page.url.removeprefix("http://books.example/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(page.body)
    made = project.export("scrapy", site=folder, base_url="http://books.example/")
    assert made.summary["left_out"] == {}
    items = next(tmp_path.glob("out/spider/*/items.py")).read_text()
    assert "plugin='isbn'" in items.replace('"', "'")


def test_without_plugins_there_are_ours():
    assert plugin_names("sitewright.types") == []
    ours = ["scrapy", "sqlite", "schema", "search", "graphml", "dot", "json", "sitemap"]
    assert export_names() == ours
    assert infer_type(BOOKS) == FieldType()


def test_types_of_plugins_have_kinds(install):
    text = "def shout(text): return len(text) if text.isupper() else None\nshout.kind = 'integer'\n"
    install({"sitewright.types": "shout = shouting:shout"}, shouting=text)
    found = infer_type(["AB", "ABC", "ABCD"])
    assert (found.kind, found.plugin, found.value("ABCDE")) == ("integer", "shout", 5)
    assert infer_type(["AB", "abc", "abcd"]) == FieldType()


@pytest.mark.parametrize(
    ("module", "why"),
    [
        ("raise RuntimeError('no\\nluck')", "cannot be loaded: RuntimeError: no luck"),
        ("", "cannot be loaded: AttributeError"),
        ("read = 3", "broken_one:read cannot be called"),
        ("def read(text): raise ValueError(text)", "ValueError: AB"),
        ("def read(text): return 3", "returned 3, which is no text"),
        ("def read(text): return True\nread.kind = 'integer'", "returned True"),
        ("def read(text): return text\nread.kind = 'image'", "kind is 'image'"),
    ],
)
def test_a_broken_type_is_named_in_one_line(install, monkeypatch, module, why):
    monkeypatch.delitem(sys.modules, "broken_one", raising=False)
    install({"sitewright.types": "odd = broken_one:read"}, broken_one=module)
    with pytest.raises(BrokenPlugin) as caught:
        infer_type(["AB", "ABC"])
    assert str(caught.value).startswith("plugin odd (sitewright.types): ")
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_type_that_is_no_longer_installed_is_named():
    with pytest.raises(BrokenPlugin, match=r"plugin gone .*no installed package has it"):
        FieldType(plugin="gone").value("text")


def test_a_site_without_the_members_of_a_site_is_refused(install, tmp_path):
    install({"sitewright.sites": "bad = bad_site:open_it"}, bad_site="def open_it(where): return 5")
    with pytest.raises(BrokenPlugin, match=r"plugin bad .*int is no site: it has no is_live"):
        sitewright.run("bad://here", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_what_an_exporter_must_not_return_is_refused(install, tmp_path):
    install({"sitewright.exporters": "odd = odd_export:write"}, odd_export=(
        "def write(project, target): return 5\n"
    ))  # fmt: skip
    with pytest.raises(BrokenPlugin, match=r"plugin odd .*returned 5, neither text nor paths"):
        sitewright.Project(tmp_path).export("odd")
    with pytest.raises(InvalidInput, match="force=True: no option of odd; it has none"):
        sitewright.Project(tmp_path).export("odd", force=True)
    with pytest.raises(UnknownName, match=r"xlsx: no such form; there are scrapy, .*odd"):
        sitewright.Project(tmp_path).export("xlsx")
