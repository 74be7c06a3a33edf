"""The whole report: one file, without script or request, whatever the pages say."""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import jinja2
import pytest
from small_shop import write_shop

import sitewright
from sitewright import formats
from sitewright.classes import ClassLink
from sitewright.export.report.drawings import class_drawing, content_links
from sitewright.export.report.rendering import percent, render
from sitewright.export.report.report import (
    MAX_SHOWN,
    SHOWN_CONTENT,
    PageAddresses,
    page_name,
    site_name,
    site_report,
    tree_lines,
    write_report,
)
from sitewright.page import Document
from sitewright.site import Missing, Reason
from sitewright.site.account import ClassCoverage, CrawlAccount
from sitewright.site.open import write_source
from sitewright.skeleton import SkeletonNode
from sitewright.wrapper import RejectedColumn
from sitewright.wrapper.wrapper import SHARED

HOSTILE = [
    "<script>steal()</script>",
    "\"><img src=x onerror=steal()><p title=\"",
    "' onmouseover='steal()",
    "</title></style></svg></textarea><iframe src=//evil.example>",
    "{{ 7 * 7 }}{% raw %}{# #}",
    "]]>--><!-- \x00\ud800 \u202e",
    "&lt;script&gt;&quot;",
]  # fmt: skip
ALLOWED = frozenset(
    "html head meta title style body header main h1 h2 h3 p nav a section article svg g defs "
    "marker path rect circle text line polyline div dl dt dd table thead tbody tr th td b code "
    "details summary ul li span br iframe".split()
)


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """A run on a folder that has no URL of its own."""
    folder = tmp_path_factory.mktemp("shop")
    write_shop(folder / "site")
    return sitewright.run(folder / "site", folder / "out")


def report_of(project, pictures=None, missed=()):
    return render("report.html", {"report": site_report(project, pictures or {}, missed)})


def hostile_project(shop, text):
    """The same project, with a model, a wrapper and rejected pages full of such text."""
    project = sitewright.load(shop.path)
    one, wrappers = project.model.classes[0], project.wrappers
    bad = replace(
        one, url_template=text, samples=(text,), entry_points=(text,), distinguishing=(text,),
        nearest=text,
    )  # fmt: skip
    other = replace(bad, name=project.model.classes[1].name)
    links = (ClassLink(one.name, other.name, text, 3, 2), ClassLink(other.name, text, text, 3, 2))
    project.model = replace(
        project.model, classes=(bad, other), links=links, curve=((1, 0), (9, 1))
    )
    wrapper = wrappers[one.name]
    fields = tuple(replace(field, references=text, named_by=text) for field in wrapper.fields)
    dropped = (RejectedColumn(text, text, text), RejectedColumn(text, SHARED, text))
    constants = (replace(fields[0], name=text, samples=(text,)),)
    wrappers[one.name] = replace(wrapper, fields=fields, dropped=dropped, constants=constants)
    return project


def elements(html):
    return list(Document(html.encode("utf-8", "replace")).tree.iter_elements())


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_of_a_page_becomes_markup(shop, text):
    missed = [Missing(text, Reason.TIMED_OUT, text)]

    def made(words):
        name = shop.model.classes[0].name
        picture = {name: (words, f"<p>{words}")}
        return report_of(hostile_project(shop, words), picture, missed)

    report = made(text)
    for element in elements(report):
        assert element.tag in ALLOWED
        assert not any(name.startswith("on") for name in element.attrs)
        assert "src" not in element.attrs
    assert [one.tag for one in elements(report)] == [one.tag for one in elements(made("x"))]
    (frame,) = [one for one in elements(report) if one.tag == "iframe"]
    assert frame.attr("sandbox") == ""


def test_a_card_says_what_its_table_lacks_because_other_classes_or_all_pages_say_it(shop):
    report = report_of(hostile_project(shop, "Acme"))
    assert "1 column left out, because pages of other classes say the same: “Acme”" in report
    assert "so no columns: Acme “Acme”" in report


def test_the_report_forbids_script_and_requests(shop):
    tree = Document((shop.path / "report.html").read_bytes()).tree
    policy = tree.select_one("head > meta[http-equiv=Content-Security-Policy]")
    assert policy.attr("content") == (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    )
    assert tree.select_one("script, link, img, object") is None


def test_the_same_results_give_the_same_bytes(shop):
    before = (shop.path / "report.html").read_bytes()
    again = sitewright.run(shop.source.site, shop.path)
    assert (again.path / "report.html").read_bytes() == before


def test_links_lead_to_the_files_of_a_folder_and_none_to_a_host_that_is_not_there(shop):
    report = (shop.path / "report.html").read_text()
    assert "folder.invalid" not in report
    links = [one.attr("href") for one in elements(report) if one.tag == "a"]
    files = [link for link in links if not link.startswith("#")]
    assert len(files) > 20
    for link in files:
        assert (shop.path / link).exists(), link


def test_a_page_of_the_web_keeps_its_url():
    web = PageAddresses()
    assert web.href("https://a.example/x") == "https://a.example/x"
    assert web.href("javascript:steal()") == ""
    assert web.href("http://folder.invalid/x") == ""
    folder = PageAddresses("../my%20site")
    assert folder.href("http://folder.invalid/a%20b.html") == "../my%20site/a%20b.html"
    assert folder.shown("http://folder.invalid/a%20b.html") == "/a b.html"


def test_what_is_not_in_the_folder_gets_no_link(tmp_path):
    (tmp_path / "a b.html").touch()
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "index.html").touch()
    folder = PageAddresses("../site", str(tmp_path))
    assert folder.href("http://folder.invalid/a%20b.html") == "../site/a%20b.html"
    assert folder.href("http://folder.invalid/c/") == "../site/c/index.html"
    assert folder.href("http://folder.invalid/gone.html") == ""
    assert folder.href("http://folder.invalid/c") == ""


def test_pages_are_named_by_what_tells_them_apart():
    assert page_name("/a/agonis/index.html") == "agonis/"
    assert page_name("/a/agonis.html") == "agonis.html"
    assert page_name("/a/agonis/") == "agonis"
    assert page_name("/index.html") == "index.html"


def test_the_numbers_are_those_of_the_files(shop):
    report = site_report(shop, {}, ())
    for card in report["cards"]:
        lines = (shop.path / "classes" / card.name / "table.csv").read_text().splitlines()
        (main, *sets) = card.tables
        assert main.rows == len(lines) - 1
        assert len(main.columns) == len(lines[0].split(",")) - 1
        assert [one.name for one in sets] == list(shop[card.name].record_sets)
    rejected = (shop.path / "rejected.jsonl").read_text().splitlines()
    assert report["rejected"] == len(rejected)
    with_record = sum(card.pages for card in report["cards"])
    none = sum(json.loads(one)["class"] is None for one in rejected)
    assert report["pages"] == with_record + none == 19


def test_a_card_has_rows_columns_and_files(shop):
    (card,) = [one for one in site_report(shop, {}, ())["cards"] if one.name == "good"]
    table = card.tables[0]
    assert len(table.sample) == 5
    assert [one.text for one in table.files] == ["CSV", "parquet", "JSON lines"]
    name = next(one for one in table.columns if one.distinct == 12)
    assert name.filled == 1.0


def test_running_times_and_dates_are_not_in_it(shop):
    text = (shop.path / "report.html").read_text()
    assert not re.search(r"\d+ ?(s|ms|seconds)\b", re.sub(r"(?s)<style>.*?</style>", "", text))


def test_pages_that_were_not_read_are_told_with_their_reasons(shop):
    missed = [Missing(f"https://a.example/{n}", Reason.TIMED_OUT, "30 s") for n in range(9)]
    html = report_of(shop, missed=missed)
    assert "Pages not read" in html
    assert "timed out" in html
    assert "a.example let 9 requests time out" in html


def test_pictures_of_many_classes_stay_below_two_megabytes(shop):
    names = [one.name for one in shop.model.classes]
    picture = "<p>" + "word " * 60_000
    html = report_of(shop, dict.fromkeys(names, ("http://a.example/", picture)))
    assert len(html) < 2_000_000
    assert "<iframe" in html


# The graph.


def link(source, target, path, pages, targets=5):
    return ClassLink(source, target, path, pages, pages, targets)


@pytest.fixture
def linked(shop):
    """Six classes with a menu on all their pages, and one way from the home page on."""
    one = shop.model.classes[0]
    names = ["home", "list", "good", "news", "help", "odd"]
    classes = tuple(replace(one, name=name, visited=10, samples=(f"http://s/{name}",), pages=())
                    for name in names)  # fmt: skip
    menu = [link(a, b, f"html > body.{a} > nav > a", 10) for a in names for b in ("home", "help")]
    way = [
        link("home", "list", "html > body.home > main > a", 9),
        link("list", "good", "html > body.list > main > a", 9, 90),
        link("good", "list", "html > body.good > p > a", 9),
        link("good", "news", "html > body.good > aside > a", 4),
    ]
    links = (*menu, *way)
    return replace(shop.model, home="http://s/home", classes=classes, links=links)


def test_links_of_menus_are_no_content_links(linked):
    pairs = {(one.source, one.target) for one in content_links(linked)}
    assert pairs == {("home", "list"), ("list", "good"), ("good", "list"), ("good", "news")}


def test_classes_stand_in_layers_from_the_home_page_on(linked):
    drawing = class_drawing(linked, {"good": 90})
    at = {one.name: one.x for one in drawing.classes}
    assert at["home"] < at["list"] < at["good"] < at["news"] < at["help"] == at["odd"]
    assert [arc.title for arc in drawing.arcs] == [
        "list to good: 90 pages", "good to news: 5 pages", "home to list: 5 pages",
    ]  # fmt: skip
    boxes = {(one.x, one.y) for one in drawing.classes}
    assert len(boxes) == 6
    assert all(0 <= y <= drawing.height - drawing.box[1] for _, y in boxes)


def test_a_home_page_that_only_sends_its_readers_on_is_not_drawn(linked):
    stub = replace(linked.classes[0], is_stub=True)
    assert stub.name == "home"
    model = replace(linked, classes=(stub, *linked.classes[1:]))
    drawing = class_drawing(model, {})
    assert "home" not in {one.name for one in drawing.classes}
    assert len(drawing.classes) == len(linked.classes) - 1


def test_a_model_without_links_is_drawn_too(linked):
    alone = replace(linked, classes=linked.classes[:1], links=())
    assert len(class_drawing(alone, {}).classes) == 1


# The tree.


def leaf(name):
    return SkeletonNode(f"http://s.example/{name}", name)


def test_navigation_pages_fold_and_the_home_page_is_open():
    inner = SkeletonNode("http://s.example/a", "A", (leaf("b"),))
    root = SkeletonNode("http://s.example/", "Home", (inner, leaf("c")))
    lines = [(one.kind, one.title) for one in tree_lines(root, PageAddresses())]
    assert lines == [
        ("open", "Home"), ("folded", "A"), ("leaf", "b"), ("end", ""), ("leaf", "c"), ("end", ""),
    ]  # fmt: skip


def test_long_lists_are_cut_and_counted():
    many = tuple(leaf(f"p{number}") for number in range(SHOWN_CONTENT + 7))
    lines = list(tree_lines(SkeletonNode("http://s.example/", "Home", many), PageAddresses()))
    assert lines[-1].count == 7


def test_a_tree_of_any_depth_is_shown():
    node = leaf("leaf")
    for number in range(2 * MAX_SHOWN):
        node = SkeletonNode(f"http://s.example/{number}", f"level {number}", (node,))
    lines = list(tree_lines(node, PageAddresses()))
    assert MAX_SHOWN <= len([one for one in lines if one.kind == "folded"]) + 1 <= MAX_SHOWN + 1


# The templates.


def test_shares_are_all_or_nothing_only_where_they_are():
    assert [percent(one) for one in (0, 0.004, 0.5, 0.996, 1)] == [
        "0%",
        "<1%",
        "50%",
        ">99%",
        "100%",
    ]


def test_a_template_that_asks_for_what_is_not_there_fails():
    with pytest.raises(jinja2.UndefinedError):
        render("report.html", {"report": {}})


def test_jinja2_is_loaded_only_when_something_is_rendered():
    program = (
        "import sys, sitewright.export.report.report, sitewright.export.scrapy, sitewright.cli\n"
        "sys.exit('jinja2' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_wheel_has_every_template(tmp_path):
    root = Path(__file__).parents[2]
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=root, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    templates = {
        str(path.relative_to(root / "src"))
        for folder in (
            "export/report/templates",
            "export/scrapy/templates",
            "explorer/templates",
            "explorer/static",
        )
        for path in (root / "src" / "sitewright" / folder).iterdir()
    }
    assert len(templates) > 25
    assert templates <= set(zipfile.ZipFile(wheel).namelist())


def test_pages_that_were_not_read_yet_are_counted(shop, tmp_path):
    shutil.copytree(shop.path, tmp_path / "out")
    account = CrawlAccount(
        budget=20, is_complete=False, unread=7, seconds=7.0, counts={}, reasons={},
        classes=(ClassCoverage("good", 19, 12, 7, 7.0),),
    )  # fmt: skip
    source = replace(shop.source, crawl=account)
    write_source(tmp_path / "out", source, model=formats.identity(shop.model))
    html = report_of(sitewright.load(tmp_path / "out"))
    assert "so tables are partial" in html
    assert "12 pages of about 19 that links lead to" in html


def test_the_report_is_that_of_the_last_extraction(shop, tmp_path):
    out, site = tmp_path / "out", tmp_path / "site"
    shutil.copytree(shop.path, out)
    shutil.copytree(shop.source.site, site)
    (site / "good" / "11.html").unlink()
    sitewright.Project(out, site).extract()
    (card,) = [
        one for one in site_report(sitewright.load(out), {}, ())["cards"] if one.name == "good"
    ]
    assert card.tables[0].rows == 11
    text = (out / "report.html").read_text()
    assert "11 records" in text
    assert "<iframe" in text


def test_a_report_of_classes_alone_needs_no_tables(shop, tmp_path):
    project = sitewright.Project(tmp_path, shop.source.site)
    project.discover()
    text = (tmp_path / "report.html").read_text()
    assert "good" in text
    assert (
        "records"
        not in re.sub(r"(?s)<p class=\"soft\">A <b>page class.*?</p>", "", text)
        .split("</header>")[0]
        .split("<body>")[1]
    )
    write_report(project)
    assert (tmp_path / "report.html").read_text() == text


@pytest.mark.parametrize(
    ("home", "title", "name"),
    [
        ("http://folder.invalid/index.html", "Welcome | Halcyon Cup", "Halcyon Cup"),
        ("http://folder.invalid/index.html", "MidCamp", "MidCamp"),
        ("http://folder.invalid/index.html", "Books - Fiction", "Books - Fiction"),
        ("http://folder.invalid/0000.htm", "Canon PowerShot", "the site"),
        ("http://cup.example/x.html", "Welcome", "cup.example"),
    ],
)
def test_a_site_has_the_name_that_people_call_it(home, title, name):
    assert site_name(home, None, SkeletonNode(home, title, ())) == name
