"""The front door: a site in, tables out, in a script, a notebook, and later from the folder."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import sitewright
from examples.cup import generate
from examples.cup.faults import Answer
from examples.cup.server import serve
from sitewright import formats
from sitewright.cli.tables import class_table
from sitewright.errors import InputNotFound, InvalidInput, MissingExtra, NoPages
from sitewright.page import Document, LocatedDocument, parser
from sitewright.site.account import ClassCoverage, CrawlAccount
from sitewright.site.folder import FolderFiles, FolderSite
from sitewright.site.open import read_source, write_source

if TYPE_CHECKING:
    from pathlib import Path

ITEMS = 40
SITE_FILES = frozenset({"/robots.txt", "/sitemap.xml", "/.well-known/tdmrep.json"})
SHELVES = 5


def page(mark: str, title: str, links: list[str], extra: str = "") -> str:
    rows = "".join(f"<li class={mark}-row><a href='/{link}'>{link}</a></li>" for link in links)
    return (
        f"<title>{title}</title><body class={mark}><h1 class={mark}-title>{title}</h1>{extra}"
        f"<div class={mark}-box><p class={mark}-text>Text</p><ul class={mark}-list>{rows}</ul>"
    )


def item(number: int) -> str:
    facts = f"<dl class=facts><dt>Price<dd class=price>{number}.50<dt>Weight<dd>{number} kg</dl>"
    return page("item", f"Article {number}", [f"shelf/{number % SHELVES}.html"], facts)


@pytest.fixture(scope="module")
def shop(tmp_path_factory) -> Path:
    """A shop: a home page, shelves, and articles with a price and a weight."""
    folder = tmp_path_factory.mktemp("shop")
    shelves = [f"shelf/{number}.html" for number in range(SHELVES)]
    pages = {"index.html": page("home", "Home", shelves)}
    for number in range(SHELVES):
        items = [f"item/{one}.html" for one in range(ITEMS) if one % SHELVES == number]
        pages[shelves[number]] = page("shelf", f"Shelf {number}", [*items, "index.html"])
    pages |= {f"item/{number}.html": item(number) for number in range(ITEMS)}
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return folder


@pytest.fixture(scope="module")
def project(shop, tmp_path_factory) -> sitewright.Project:
    return sitewright.run(shop, tmp_path_factory.mktemp("out"))


def test_a_folder_gives_a_table_for_each_class(project):
    assert "item" in project
    assert [one.name for one in project.classes] == list(project)
    items = project["item"]
    assert items.url_template == "/item/{id}.html"
    assert len(items.table) == ITEMS
    prices = {record["_url"]: record["price"] for record in items.records()}
    assert prices["http://folder.invalid/item/7.html"] == 7.5


def test_a_table_is_a_data_frame_with_types(project):
    frame = project["item"].to_pandas()
    assert list(frame.columns) == project["item"].table.columns
    assert frame["price"].dtype == "float64"
    assert frame["price"].sum() == sum(number + 0.5 for number in range(ITEMS))


def test_a_table_is_an_arrow_table(project):
    table = project["item"].to_arrow()
    assert table.num_rows == ITEMS
    assert table.column_names == project["item"].table.columns


def test_tables_answer_sql_under_the_name_of_their_class(project):
    [(count, most)] = project["item"].sql("select count(*), max(price) from item").fetchall()
    assert (count, most) == (ITEMS, ITEMS - 0.5)


def test_sql_reaches_no_other_file(project, tmp_path):
    (tmp_path / "secret.csv").write_text("a\n1\n")
    with pytest.raises(Exception, match=r"disabled|allowed|ermission"):
        project["item"].sql(f"select * from '{tmp_path / 'secret.csv'}'").fetchall()


def test_what_is_not_installed_names_the_command_that_installs_it(project, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtra, match=r"pip install 'sitewright\[pandas\]'"):
        project["item"].to_pandas()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'sitewright\[pandas\]'"):
        project["item"].to_arrow()


def test_one_page_gives_a_record_or_a_reason(project):
    record = project["item"].extract(item(99), "http://folder.invalid/item/99.html")
    assert record["price"] == 99.5
    assert record["_url"] == "http://folder.invalid/item/99.html"
    misfit = project["item"].extract(b"<p>Nothing here</p>")
    assert isinstance(misfit, sitewright.Misfit)
    assert misfit.reason


def test_a_page_is_classified_as_text_and_as_bytes(project):
    for html in (item(3), item(3).encode()):
        found = project.classify(html, "http://folder.invalid/item/3.html")
        assert found.page_class == "item"


def test_the_results_of_a_run_are_known_later(project):
    later = sitewright.load(str(project.path))
    assert list(later) == list(project)
    assert list(later["item"].records()) == list(project["item"].records())
    assert later.skeleton == project.skeleton
    assert later.graph == project.graph
    assert later.rejected == project.rejected


def test_an_unknown_class_is_a_key_error_with_the_known_names(project):
    with pytest.raises(KeyError, match="item"):
        project["nosuch"]


def test_the_steps_one_by_one_give_what_run_gives(project, shop, tmp_path):
    steps = sitewright.Project(tmp_path / "out", shop)
    steps.discover()
    steps.find_skeleton()
    steps.learn_wrappers()
    summary = steps.extract()
    assert summary.records["item"] == ITEMS
    for name in ("model.json", "classes/item/wrapper.json", "classes/item/table.jsonl"):
        assert (steps.path / name).read_bytes() == (project.path / name).read_bytes()


def test_a_step_takes_its_own_budget(shop, tmp_path):
    model = sitewright.Project(tmp_path / "out", shop).discover(pages=10)
    assert model.visited <= 10


def test_a_wrapper_is_learnt_from_an_example(shop, tmp_path):
    project = sitewright.run(shop, tmp_path)
    wrapper = project.learn({"cost": "7.50"}, page_class="item")
    assert [field.name for field in wrapper.fields] == ["cost"]
    project.extract(["item"])
    assert {record["cost"] for record in project["item"].records()} == {
        number + 0.5 for number in range(ITEMS)
    }


def test_a_class_of_redirects_has_a_table_without_records(shop, tmp_path):
    site = shutil.copytree(shop, tmp_path / "site")
    links = ""
    for number in range(6):
        links += f"<a href=old/{number}.html>{number}</a>"
        (site / "old").mkdir(exist_ok=True)
        to = f"<meta http-equiv=refresh content='0; url=../item/{number}.html'>"
        (site / f"old/{number}.html").write_text(f"<!doctype html><title>Moved</title>{to}")
    home = site / "index.html"
    home.write_text(home.read_text() + links)
    project = sitewright.run(site, tmp_path / "out")
    without = [name for name in project if project[name].wrapper is None]
    assert without
    assert [list(project[name].records()) for name in without] == [[] for _ in without]
    assert project[without[0]].to_pandas().empty
    assert (project["redirect"].size, project["redirect"].is_counted) == (6, True)


@pytest.fixture(scope="module")
def taught(shop, tmp_path_factory) -> Path:
    """A copy of the shop, and its results with a wrapper by example."""
    folder = tmp_path_factory.mktemp("taught")
    shutil.copytree(shop, folder / "site")
    project = sitewright.run(folder / "site", folder / "out")
    project.learn({"cost": "7.50"}, page_class="item")
    return folder


def fields_after_run(out: Path, site: Path, **options: bool) -> list[str]:
    project = sitewright.run(site, out, **options)
    return [field.name for field in project.wrappers["item"].fields]


def test_a_wrapper_by_example_is_kept_for_a_copy_of_the_folder_elsewhere(taught, tmp_path):
    out = shutil.copytree(taught / "out", tmp_path / "out")
    copy = shutil.copytree(taught / "site", tmp_path / "copied" / "under another name")
    assert fields_after_run(out, copy) == ["cost"]
    home = copy / "index.html"
    home.write_text(home.read_text().replace("Text", "A later text"))
    assert fields_after_run(out, copy) == ["cost"]


def test_a_wrapper_by_example_is_kept_for_whatever_lies_at_the_same_place(taught, tmp_path):
    folder = shutil.copytree(taught, tmp_path / "moved")
    (folder / "site/index.html").write_text(page("home", "Redesigned", ["item/1.html"]))
    assert fields_after_run(folder / "out", folder / "site") == ["cost"]


def test_a_wrapper_by_example_is_none_of_another_folder_with_the_same_file_names(taught, tmp_path):
    out = shutil.copytree(taught / "out", tmp_path / "out")
    other = shutil.copytree(taught / "site", tmp_path / "other")
    for file in other.rglob("*.html"):
        words = file.read_text().replace("Shelf", "Room").replace("shelf/", "room/")
        file.write_text(words.replace("Text", "Welt").replace("Home", "Museum"))
    (other / "shelf").rename(other / "room")
    assert "cost" not in fields_after_run(out, other)


def test_relearn_replaces_wrappers_by_example(taught, tmp_path):
    folder = shutil.copytree(taught, tmp_path / "moved")
    assert fields_after_run(folder / "out", folder / "site") == ["cost"]
    relearnt = fields_after_run(folder / "out", folder / "site", relearn=True)
    assert relearnt != ["cost"]
    assert len(relearnt) > 1
    assert fields_after_run(folder / "out", folder / "site") == relearnt


def test_no_path_of_this_machine_is_in_the_results(taught):
    for file in (taught / "out").rglob("*"):
        assert str(taught).encode() not in (file.read_bytes() if file.is_file() else b"")


def test_it_works_where_an_event_loop_runs_already(shop, tmp_path):
    async def notebook_cell() -> sitewright.Project:
        return sitewright.run(shop, tmp_path)

    assert len(asyncio.run(notebook_cell())["item"].table) == ITEMS


def test_programs_with_a_loop_await_it(shop, tmp_path):
    project = asyncio.run(sitewright.arun(shop, tmp_path))
    assert len(project["item"].table) == ITEMS


def test_a_script_without_a_main_guard_may_use_processes(shop, tmp_path):
    script = tmp_path / "five_lines.py"
    script.write_text(
        "import sitewright\n"
        f"project = sitewright.run({str(shop)!r}, {str(tmp_path / 'out')!r}, workers=2)\n"
        'print(len(project["item"].table))\n'
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, str(script)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.stdout, done.returncode) == (f"{ITEMS}\n", 0), done.stderr


def test_progress_is_told_to_a_callback(shop, tmp_path):
    seen = []
    sitewright.run(shop, tmp_path, progress=seen.append)
    assert {one.step for one in seen} == {
        "visiting pages",
        "finding the navigation tree",
        "learning templates and wrappers",
        "extracting records",
    }


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"method": "papr"}, "paper"),
        ({"strategy": "densets"}, "densest"),
        ({"scope": "site"}, "host"),
        ({"pages": 0}, "at least one"),
    ],
)
def test_wrong_arguments_fail_before_anything_is_read(options, names, shop, tmp_path, monkeypatch):
    monkeypatch.setattr(FolderSite, "__init__", lambda *_, **__: pytest.fail("the site was opened"))
    with pytest.raises(InvalidInput, match=names):
        sitewright.run(shop, tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()


def test_a_site_that_is_not_there_and_an_empty_folder_are_refused(tmp_path):
    with pytest.raises(InputNotFound):
        sitewright.run(tmp_path / "nosuch", tmp_path / "out")
    with pytest.raises(InputNotFound):
        sitewright.load(tmp_path)


def test_notebooks_show_small_static_html(project):
    shown = [project, project["item"], project["item"].table, project["item"].template]
    shown += [project.skeleton, project.graph]
    for one in shown:
        html = one._repr_html_()
        assert "<script" not in html
        assert 0 < len(html) < 100_000
    assert "7.5" in project["item"]._repr_html_()


def test_what_pages_say_is_escaped_in_notebooks(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    for number in range(8):
        text = f"<title>T</title><body><h1><b>&lt;script&gt;alert({number})&lt;/script&gt;</b></h1>"
        (site / f"{number}.html").write_text(text)
    project = sitewright.run(site, tmp_path / "out")
    for one in (project, *project.classes, project.skeleton):
        assert "<script" not in one._repr_html_()


class Counted:
    """How often each file was read, and each page parsed."""

    def __init__(self, monkeypatch) -> None:
        self.reads: Counter[str] = Counter()
        self.parses: Counter[bytes] = Counter()
        self.sites = 0
        self.loops = 0
        self._watch(monkeypatch)

    def _watch(self, monkeypatch) -> None:
        read, opened, runner = FolderFiles.read, FolderSite.__init__, asyncio.Runner.__init__

        def counted_read(files, name, *rest):
            self.reads[name] += 1
            return read(files, name, *rest)

        def counted_site(site, *rest, **options):
            self.sites += 1
            opened(site, *rest, **options)

        def counted_loop(loop, *rest, **options):
            self.loops += 1
            runner(loop, *rest, **options)

        monkeypatch.setattr(FolderFiles, "read", counted_read)
        monkeypatch.setattr(FolderSite, "__init__", counted_site)
        monkeypatch.setattr(asyncio.Runner, "__init__", counted_loop)
        for kind in (Document, LocatedDocument):
            counted = staticmethod(self._counted_parse(kind._parse))
            monkeypatch.setattr(kind, "_parse", counted)
        monkeypatch.setattr(parser, "parse_located", self._counted_parse(parser.parse_located))

    def _counted_parse(self, parse):
        def counted(body, *rest):
            self.parses[body] += 1
            return parse(body, *rest)

        return counted


def test_a_whole_run_opens_the_site_once_and_reads_each_page_once(shop, tmp_path, monkeypatch):
    counted = Counted(monkeypatch)
    sitewright.run(shop, tmp_path, workers=1)
    assert (counted.sites, counted.loops) == (1, 1)
    pages = 1 + SHELVES + ITEMS
    assert counted.reads == Counter(dict.fromkeys(counted.reads, 1))
    assert len(counted.reads) == pages
    assert max(counted.parses[path.read_bytes()] for path in shop.rglob("*.html")) <= 2


def test_the_budget_is_one_for_all_steps(tmp_path, shop):
    with serve(shop) as server:
        sitewright.run(server.url, tmp_path / "out", pages=12)
        asked = [path for path in server.paths if path not in SITE_FILES]
    assert len(asked) <= 12
    assert json.loads((tmp_path / "out" / "model.json").read_bytes())["visited"] <= 12


def test_all_tables_answer_sql_together(project):
    assert list(project.tables)[: len(project.classes)] == list(project)
    query = "select i.price, s._url from item i join shelf s on i.link_url = s._url"
    columns = project["item"].table.columns
    link = next(name for name in columns if name.endswith("url") and name != "_url")
    found = project.sql(query.replace("link_url", link)).fetchall()
    assert len(found) >= ITEMS


@pytest.mark.parametrize("form", ["graphml", "dot", "json"])
def test_a_graph_is_given_as_text_or_written(project, form, tmp_path):
    text = project.export(form).text
    made = project.export(form, tmp_path / "graph")
    assert made.files == (tmp_path / "graph",)
    assert made.files[0].read_text() == text


def test_a_project_becomes_a_site_map_and_a_spider(project, tmp_path):
    assert len(project.export("sitemap", tmp_path / "map.xml").files) == 1
    made = project.export("scrapy", tmp_path / "spider")
    assert (tmp_path / "spider/scrapy.cfg").is_file()
    assert made.summary["same_records"] > 0
    with pytest.raises(InvalidInput, match="is not empty"):
        project.export("scrapy", tmp_path / "spider")
    project.export("scrapy", tmp_path / "spider", force=True)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"pages": True}, "pages=True: not a whole number"),
        ({"pages": "5"}, "pages='5': not a whole number"),
        ({"seed": "5"}, "seed='5': not a whole number"),
        ({"workers": 0}, "workers=0: at least one is needed"),
        ({"site": 5}, "site=5: must be text or a path"),
        ({"site": b"site"}, "site=b'site': must be text or a path"),
        ({"site": ""}, "site='': is empty"),
        ({"out": None}, "out=None: must be text or a path"),
        ({"out": "FILE"}, "is a file; name the folder for the results"),
        ({"out": "FILE/out"}, "cannot be the output folder"),
        ({"out": "/proc/out"}, "/proc/out: cannot be the output folder"),
        ({"out": "SITE"}, "is the site itself; choose another folder for the results"),
        ({"crawl": {"delay": 3}}, "must be sitewright.CrawlOptions"),
        ({"progress": 3}, "progress=3: not a function"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused_in_one_line(options, why, shop, tmp_path, monkeypatch):
    monkeypatch.setattr(FolderSite, "__init__", lambda *_, **__: pytest.fail("the site was opened"))
    file = tmp_path / "file"
    file.write_text("")
    given = {"site": shop, "out": tmp_path / "out", **options}
    if isinstance(given["out"], str):
        given["out"] = given["out"].replace("FILE", str(file)).replace("SITE", str(shop))
    with pytest.raises(InvalidInput) as caught:
        sitewright.run(**given)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_everything_that_a_project_shows_is_documented(project):
    shown = [name for name in dir(project) if not name.startswith("_")]
    assert {"classes", "tables", "sql", "export", "skeleton", "graph", "rejected"} <= set(shown)
    assert not [name for name in shown if callable(getattr(project, name)) and
                not getattr(type(project), name, getattr(project, name)).__doc__]  # fmt: skip


def test_no_more_pages_are_asked_for_than_the_budget_has(tmp_path):
    redirecting = shop_that_redirects(tmp_path / "site")
    with serve(redirecting) as server:
        sitewright.run(server.url, tmp_path / "out", pages=10)
        asked = [path for path in server.paths if path not in SITE_FILES]
    assert len(asked) <= 10
    assert any(not path.endswith("/") and "section" in path for path in asked)


def shop_that_redirects(folder: Path) -> Path:
    """Sections are folders that are linked without the slash: each costs two requests."""
    names = [f"section{number}" for number in range(12)]
    folder.mkdir()
    (folder / "index.html").write_text(page("home", "Home", names))
    for name in names:
        (folder / name).mkdir()
        (folder / name / "index.html").write_text(page("section", name, ["index.html"]))
    return folder


def test_fifty_pages_of_the_demo_site_are_fifty_requests(tmp_path):
    generate(tmp_path / "cup", scale=0.1)
    with serve(tmp_path / "cup/site") as server:
        sitewright.run(server.url, tmp_path / "out", pages=50)
        asked = [path for path in server.paths if path not in SITE_FILES]
    assert 40 <= len(asked) <= 50


def test_local_pages_of_a_live_site_need_an_archive_of_it(tmp_path):
    with pytest.raises(InputNotFound, match=r"no pages.warc.gz here, so no local page of http"):
        sitewright.run("http://127.0.0.1:1/", tmp_path / "out", local_only=True)
    assert not (tmp_path / "out").exists()


def test_local_pages_of_a_live_site_are_those_that_were_fetched(tmp_path, shop):
    with serve(shop) as server:
        sitewright.run(server.url, tmp_path / "out", pages=30)
        server.requests.clear()
        again = sitewright.run(server.url, tmp_path / "out", local_only=True)
        assert server.requests == []
    assert again.source.site == server.url
    assert again.model.visited == 29
    assert again.model.home == server.url


def test_an_archive_starts_where_home_says(tmp_path, shop):
    with serve(shop) as server:
        sitewright.Project(tmp_path / "out", server.url).discover()
        home = f"{server.url}shelf/1.html"
    archive = tmp_path / "out/pages.warc.gz"
    again = sitewright.Project(tmp_path / "again", archive, home=home)
    assert again.discover().home == home
    with pytest.raises(InvalidInput, match="of an archive is the same as home"):
        sitewright.Project(tmp_path / "again", archive, home=home, base_url=server.url)


def test_a_site_that_cannot_be_reached_leaves_no_folder_behind(tmp_path):
    with pytest.raises(NoPages):
        sitewright.run("http://127.0.0.1:1/", tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


ANSWERS = {
    "/missing": Answer(b"<p>none", status=404),
    "/forbidden": Answer(b"<p>no", status=403),
    "/paper.pdf": Answer(b"%PDF-1.7", type="application/pdf"),
    "/away": Answer(b"", status=302, headers={"Location": "http://elsewhere.example/"}),
    "/closed": Answer(b"<p>no", status=401),
    "/broken": Answer(b"<p>oh", status=500),
}


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/missing", "1 request, 1 not found (404). Check the path of the URL."),
        ("/closed", "1 request, 1 refused (401). Give a name and password: --auth USER:PASSWORD."),
        ("/forbidden", "1 request, 1 refused (403). Try --user-agent, --contact or a longer"),
        ("/paper.pdf", "1 request, 1 not html (application/pdf). Name the URL of an HTML page."),
        ("/away", "1 request, 1 bad redirect (to http://elsewhere.example/: "),
        ("/broken", "1 request, 1 http error (500). Try again later."),
    ],
)
def test_why_there_is_no_page_and_what_to_do(path, why, tmp_path):
    (tmp_path / "site").mkdir()
    quick = sitewright.CrawlOptions(retries=0)
    with serve(tmp_path / "site") as server:
        server.answer = lambda target, _: ANSWERS.get(target, ANSWERS["/missing"])
        url = server.url.rstrip("/") + path
        for do in ("discover", "find_skeleton"):
            with pytest.raises(NoPages) as caught:
                getattr(sitewright.Project(tmp_path / "out", url, crawl=quick), do)()
            assert str(caught.value).startswith(f"{url}: no pages found: {why}")


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://127.0.0.1:1/", "connection refused). Check the port of the URL"),
        ("http://nosuch.invalid/", "no such host). Check the host name of the URL."),
    ],
)
def test_why_nobody_answers_and_what_to_do(url, why, tmp_path):
    quick = sitewright.CrawlOptions(retries=0, delay=0)
    with pytest.raises(NoPages, match=r"no pages found: 1 request, 1 no answer \(") as caught:
        sitewright.run(url, tmp_path / "out", crawl=quick)
    assert why in str(caught.value)


def test_sizes_of_classes_are_counted_where_all_pages_were_read(tmp_path):
    """Two pages in three are never visited while classes are learnt; they count all the same."""
    for n in range(60):
        page = f"<title>Town {n}</title><h1>Town {n}</h1><p class=size>{n * 7}</p>"
        (tmp_path / f"town-{n:02}.html").write_text(page)
    links = "".join(f"<li><a href=town-{n:02}.html>{n}</a>" for n in range(60))
    (tmp_path / "index.html").write_text(f"<ul>{links}</ul>")
    project = sitewright.run(tmp_path, tmp_path.parent / "counted", pages=20)
    town = project["town"]
    assert (town.size, town.is_counted) == (60, True)
    assert "60 pages" in repr(town)
    assert "about" not in repr(town)
    assert sitewright.load(tmp_path.parent / "counted")["town"].size == 60


def test_a_class_of_a_crawl_that_ended_early_is_as_large_as_what_links_lead_to(tmp_path):
    """What was learnt first knew of fewer pages than the rest of the crawl found."""
    for n in range(9):
        (tmp_path / f"town-{n}.html").write_text(f"<title>Town {n}</title><h1>Town {n}</h1>")
    project = sitewright.run(tmp_path, tmp_path.parent / "partial")
    [town] = project.classes
    source = read_source(project.path)
    crawl = CrawlAccount(10, False, 11, 0.0, {}, {}, (ClassCoverage(town.name, 20, 9, 11, 0.0),))
    write_source(project.path, replace(source, crawl=crawl), model=formats.identity(project.model))
    known = sitewright.load(project.path)
    assert (known[town.name].size, known[town.name].is_counted) == (20, False)
    assert known.known_sizes == {town.name: 20}
    table = class_table(known.model, known=known.known_sizes)
    assert list(table.columns[3].cells) == ["20"]
