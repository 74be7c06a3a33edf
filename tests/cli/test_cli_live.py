"""`run` on a live site: what it says of what it did, and of what it did not."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

import sitewright
from examples.cup.faults import Faults
from examples.cup.server import serve
from sitewright.cli import sitewright as program
from sitewright.cli.tables import crawl_notes
from sitewright.errors import InvalidInput
from sitewright.site.account import CrawlAccount, UrlAccount
from sitewright.site.open import read_source

WORDS = "amber birch cedar dune ember fern grove heath iris jade kelp lark moss nettle".split()


def write_shop(folder, items=60):
    """Write a shop whose items are listed ten a page, under several URLs each."""
    (folder / "list").mkdir(parents=True)
    (folder / "item").mkdir()
    (folder / "doc").mkdir()
    pages = items // 10
    menu = "".join(f'<li><a href="/list/{n}.html">List {n}</a></li>' for n in range(pages))
    head = f'<!doctype html><body><nav><a href="/index.html">Shop</a><ul>{menu}</ul></nav>'
    (folder / "index.html").write_text(f"{head}<title>Shop</title><h1>Welcome</h1>")
    for page in range(pages):
        rows = "".join(
            f'<li class="row"><a href="/item/{n}.html">{WORDS[n % 14]} {n}</a>'
            f' <a href="/doc/{n}.pdf">data</a></li>'
            for n in range(10 * page, 10 * page + 10)
        )
        sorts = "".join(f'<a href="?sort={key}">{key}</a> ' for key in ("name", "price", "age"))
        (folder / f"list/{page}.html").write_text(
            f"{head}<title>List</title><h1>List {page}</h1><p>{sorts}</p><ul>{rows}</ul>"
        )
    for n in range(items):
        (folder / f"doc/{n}.pdf").write_bytes(b"%PDF-1.4")
        word = WORDS[n % 14]
        (folder / f"item/{n}.html").write_text(
            f"{head}<title>{word} {n}</title><h1>{word} {n}</h1>"
            f"<dl><dt>Price</dt><dd>{n + 3}.50 EUR</dd><dt>Weight</dt><dd>{n + 7} g</dd></dl>"
        )
    return folder


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    return write_shop(tmp_path_factory.mktemp("shop") / "site")


def call(*arguments):
    return CliRunner().invoke(program, [str(one) for one in arguments])


def test_a_run_says_what_it_left_out_and_complete_fetches_it(shop, tmp_path):
    out = tmp_path / "out"
    with serve(shop) as server:
        project = sitewright.run(server.url, out, pages=20)
        account = project.account
        assert not account.is_complete
        assert 40 <= account.unread <= 60
        assert "tables are partial" in account.sentence()
        assert "--complete" in account.sentence()
        item = next(one for one in account.classes if "item" in one.name)
        assert item.known >= 50 > item.read > 0
        assert item.requests == item.known - item.read
        source = read_source(out)
        assert source.crawl == account
        assert "known pages were read, so tables are partial" in (out / "report.html").read_text()
        fetched = {one.url for one in account.urls if one.outcome == "fetched"}
        asked = {server.url[:-1] + path for path in server.paths} - {
            server.url + name for name in ("robots.txt", "sitemap.xml", ".well-known/tdmrep.json")
        }
        assert fetched <= asked
        assert {one.url for one in account.urls} >= asked
        before = len(server.requests)
        whole = sitewright.run(server.url, out, pages=20, complete=True)
        assert whole.account.is_complete
        assert whole.account.sentence() == ""
        table = next(one for one in whole.classes if "item" in one.name)
        assert len(list(whole[table.name].records())) == 60
        new = server.paths[before:]
        assert len(new) == len(set(new))
        assert not set(new) & set(server.paths[:before]) - {"/robots.txt"}


def test_a_complete_run_leaves_nothing_that_its_last_step_has_found(shop, tmp_path):
    with serve(shop) as server:
        # The tree of navigation asks for the folder that the home page stands for.
        whole = sitewright.run(server.url + "index.html", tmp_path / "out", complete=True)
        assert whole.account.is_complete
        assert whole.account.sentence() == ""


def test_a_small_budget_does_not_shrink_the_model_of_a_complete_site(shop, tmp_path):
    with serve(shop) as server:
        small = sitewright.run(server.url, tmp_path / "small", pages=8, complete=True, workers=1)
        usual = sitewright.run(server.url, tmp_path / "usual", complete=True, workers=1)
        assert small.model.visited == usual.model.visited > 8
        assert {one.name: one.size for one in small.classes} == {
            one.name: one.size for one in usual.classes
        }
        assert small.account.budget == 8
        # Once complete, a site stays so: whoever leaves out the option is told of no change.
        later = sitewright.run(server.url, tmp_path / "small", refresh=True, workers=1)
        assert later.account.is_complete
        assert not later.changes
        partial = sitewright.run(server.url, tmp_path / "small", pages=8, complete=False, workers=1)
        assert partial.model.visited <= 8


def test_files_are_not_asked_for_once_some_turned_out_to_be_no_pages(shop, tmp_path):
    with serve(shop) as server:
        sitewright.run(server.url, tmp_path / "out", complete=True)
        documents = [path for path in server.paths if path.endswith(".pdf")]
    assert len(documents) <= 5


def test_parameters_that_change_nothing_are_named(shop, tmp_path):
    with serve(shop) as server:
        project = sitewright.run(server.url, tmp_path / "out")
        asked = [path for path in server.paths if "sort=" in path]
    [rule] = [one for one in project.account.same_content if one.name == "sort"]
    assert rule.left_out + len(asked) == 18
    pages = {one.url for one in project.account.urls if one.outcome == "fetched"}
    assert not [url for url in pages if "sort=" in url]


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("nope.html", "1 request, 1 not found (404). Check the path of the URL."),
        ("doc/1.pdf", "1 not html (application/pdf). Name the URL of an HTML page."),
        ("_faults/error/403", "1 refused (403). Try --user-agent"),
    ],
)
def test_no_page_says_why_and_leaves_no_folder(shop, tmp_path, path, why):
    with serve(shop, faults=Faults(paths=True)) as server:
        result = call("run", server.url + path, "-o", tmp_path / "out")
    assert why in str(result.exception)
    assert not (tmp_path / "out").exists()


def test_robots_that_forbid_all_are_the_reason(shop, tmp_path):
    with serve(shop, faults=Faults(robots="User-agent: *\nDisallow: /")) as server:
        result = call("run", server.url, "-o", tmp_path / "out")
    assert "1 disallowed by robots.txt. If it is your own site, try --ignore-robots" in str(
        result.exception
    )
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("where", ["127.0.0.1:8000", "localhost:8000/a", "localhost", "box:80"])
def test_a_host_without_a_scheme_gets_a_suggestion(tmp_path, where):
    result = call("run", where, "-o", tmp_path / "out")
    assert f"if it is a web site: http://{where}" in str(result.exception)
    with pytest.raises(InvalidInput, match="if it is a web site"):
        sitewright.run(where, tmp_path / "out")


@pytest.mark.parametrize(
    ("typed", "hint"),
    [("rum", "Do you mean run?"), ("dicover", "Do you mean discover?"), ("exprot", "export?"),
     ("https://a.example/", "Do you mean: run https://a.example/ -o OUT?")],
)  # fmt: skip
def test_a_mistyped_verb_gets_a_suggestion(typed, hint):
    result = call(typed, "x")
    assert hint in result.output


def test_the_output_for_programs_says_what_is_left(shop, tmp_path):
    with serve(shop) as server:
        result = call("run", server.url, "-o", tmp_path / "out", "--pages", "15", "--json")
    answer = json.loads(result.stdout)
    assert answer["complete"] is False
    assert answer["unread"] > 0
    assert sum(read for read, _ in answer["coverage"].values()) <= 15
    assert "known pages were read, so tables are partial" in result.stderr


def test_ignored_robots_are_not_called_obeyed():
    account = CrawlAccount(
        budget=9, is_complete=True, unread=0, seconds=0.0, counts={"fetched": 3}, reasons={},
        opt_outs={"tdm-reservation": 2},
    )  # fmt: skip
    [obeyed] = [line for line in crawl_notes(account) if "owners" in line]
    [ignored] = [line for line in crawl_notes(account, obeys_robots=False) if "owners" in line]
    assert obeyed.endswith("tdm-reservation (2); nofollow and tdm-reservation are obeyed")
    assert "tdm-reservation (2); --ignore-robots: neither" in ignored
    assert "are obeyed" not in ignored


def test_pages_that_did_not_come_are_named_with_what_to_do():
    account = CrawlAccount(
        budget=9, is_complete=True, unread=0, seconds=0.0, counts={}, reasons={},
        urls=(
            *(UrlAccount(f"http://a/{n}", "failed", "no answer: connection refused") for n in "12"),
            UrlAccount("http://a/3", "failed", "not found: 404"),
        ),
    )  # fmt: skip
    assert account.failures() == (
        "2 pages did not come (connection refused): run the same command again to ask for them"
    )
    closed = replace(account, urls=(UrlAccount("http://a/4", "failed", "http error: 403"),))
    assert closed.failures().startswith("1 page did not let us in (403): --auth")
    assert replace(account, urls=account.urls[2:]).failures() == ""
