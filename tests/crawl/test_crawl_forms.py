"""Search forms and opt-outs: what is asked, what is never asked, and what owners say."""

from __future__ import annotations

import json
from urllib.parse import parse_qs

import pytest

import sitewright
from examples.cup.faults import Answer, Faults
from examples.cup.server import serve
from sitewright.crawl.forms import search_forms, words_of
from sitewright.page import Document
from sitewright.site.http import Reply
from sitewright.site.optouts import content_signals, page_signals, reservations

HERE = "http://a.example/find"
FORM = '<form action="/search">{}</form>'


def forms(markup):
    return list(search_forms(Document(markup.encode(), HERE)))


def test_a_search_form_is_read():
    [form] = forms(
        FORM.format(
            "<input type=hidden name=lang value=en><input type=search name=q><select name=kind>"
            "<option value=''>all<option value=a>A<option>B</select><button>Go</button>"
        )
    )
    assert (form.action, form.words) == ("http://a.example/search", "q")
    assert form.choices == (("kind", ("a", "B")),)
    assert list(form.questions(["tea", "two words"])) == [
        "http://a.example/search?lang=en&kind=a",
        "http://a.example/search?lang=en&kind=B",
        "http://a.example/search?lang=en&q=tea",
        "http://a.example/search?lang=en&q=two+words",
    ]


@pytest.mark.parametrize(
    "form",
    ["<form method=post><input name=q></form>", "<form><input name=a><input name=b></form>",
     "<form><input name=q><input type=password name=p></form>", "<form><button>x</button></form>",
     "<form><input name=username></form>", "<form action=/login><input name=q></form>",
     "<form><input name=q><textarea name=t></textarea></form>",
     "<form action='mailto:a@b'><input name=q></form>",
     "<form action=/logout><input name=q></form>",
     "<form action='/account/sign-out?next=/'><input name=q></form>",
     "<form action=/item/7/delete/><select name=why><option>old</select></form>"],
)  # fmt: skip
def test_other_forms_are_never_asked(form):
    assert forms(form) == []


@pytest.mark.parametrize("action", ["/design/search", "/blog/outlook", "/votes", "/removals"])
def test_words_inside_of_words_make_no_form_one_that_acts(action):
    assert len(forms(f"<form action={action}><input name=q></form>")) == 1


def test_words_come_from_each_class_in_turn_the_common_ones_first():
    groups = [["Green tea 2031", "Black tea", "of"], ["Ada Holm"], []]
    assert words_of(groups, 4) == ["tea", "ada", "black", "holm"]


WORDS = "amber birch cedar dune ember fern grove heath iris jade".split()


def library(path, query, _headers):
    """Books of which a few are linked; the others only the search finds."""
    asked = parse_qs(query)
    if path == "/":
        links = "".join(f'<li><a href="/book/{n}">{WORDS[n]} book</a></li>' for n in range(5))
        return Answer(
            f"<!doctype html><title>Library</title><ul>{links}</ul><form action=/search>"
            "<input name=q></form><form action=/dull><select name=x><option>1<option>2<option>3"
            "</select></form><form method=post action=/buy><input name=q></form>".encode()
        )
    if path.startswith("/book/") and path[6:].isdecimal() and int(path[6:]) < 50:
        n = int(path[6:])
        return Answer(
            f"<!doctype html><title>{WORDS[n % 10]} {WORDS[n // 10]}</title><h1>{WORDS[n % 10]} "
            f"{WORDS[n // 10]}</h1><dl><dt>Pages</dt><dd>{100 + n}</dd><dt>Shelf</dt><dd>S{n % 7}"
            "</dd></dl>".encode()
        )
    if path == "/search":
        word = asked.get("q", [""])[0].lower()
        found = [n for n in range(50) if word in (WORDS[n % 10], WORDS[n // 10])]
        rows = "".join(f'<li><a href="/book/{n}">Book {n}</a></li>' for n in found)
        return Answer(f"<!doctype html><title>Results</title><ol>{rows}</ol>".encode())
    return Answer(b"<!doctype html><title>Dull</title><p>Nothing.") if path == "/dull" else None


def test_books_that_only_the_search_finds_are_found(tmp_path):
    (tmp_path / "site").mkdir()
    with serve(tmp_path / "site", dynamic=library) as server:
        plain = sitewright.run(server.url, tmp_path / "plain", complete=True)
        assert not [path for path in server.paths if path.startswith(("/search", "/dull"))]
        assert plain.account.behind_forms == 0
        project = sitewright.run(server.url, tmp_path / "out", forms=True, complete=True)
        assert "/buy" not in {path.partition("?")[0] for path in server.paths}
        asked = server.paths[-1:]
        books = next(one for one in project.classes if "book" in one.name)
        assert len(list(project[books.name].records())) == 50
        assert project.account.behind_forms == 45
        search, dull = sorted(project.account.forms, key=lambda one: -one.pages)
        assert (search.fields, search.is_informative, search.pages) == (("q",), True, 45)
        assert not dull.is_informative
        count = len(server.requests)
        sitewright.run(server.url, tmp_path / "out", forms=True, complete=True)
        assert len(server.requests) == count, asked


# Opt-outs.


def signals(body=b"", *headers):
    return set(page_signals(Reply(HERE, 200, headers, body), body))


def test_signals_are_read_from_headers_and_pages():
    assert signals(b"<meta name=robots content='noindex, NoFollow'>") == {"noindex", "nofollow"}
    assert signals(b"", ("X-Robots-Tag", "none")) == {"none", "nofollow", "noindex"}
    assert signals(b"", ("X-Robots-Tag", "otherbot: nofollow")) == set()
    assert signals(b"", ("X-Robots-Tag", "sitewright: nofollow")) == {"nofollow"}
    assert signals(b'<meta name="tdm-reservation" content="1">') == {"tdm-reservation"}
    assert signals(b"", ("TDM-Reservation", "1")) == {"tdm-reservation"}
    assert signals(b"<meta name=robots content=noai>") == {"noai"}
    assert content_signals("User-agent: *\nContent-Signal: search=yes, ai-train=no\n") == {
        "content-signal search=yes",
        "content-signal ai-train=no",
    }


def test_preferences_for_uses_are_noted_wherever_they_stand():
    assert content_signals("Content-Usage: /a/ train-ai=n\nContent-signal: ai-train = no") == {
        "content-usage train-ai=n",
        "content-signal ai-train=no",
    }
    assert signals(b"", ("Content-Usage", "train-ai=n, search=y")) == {
        "content-usage train-ai=n",
        "content-usage search=y",
    }


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ([{"location": "/a/*", "tdm-reservation": 1}], {"/a/x"}),
        ([{"location": "/a/*", "tdm-reservation": 0}], set()),
        ([{"location": "*", "tdm-reservation": 1}], {"/", "/a/x", "/b.pdf", "/b.html"}),
        ([{"location": "/*.pdf$", "tdm-reservation": 1, "tdm-policy": "/p"}], {"/b.pdf"}),
        ([{"location": 7, "tdm-reservation": 1}, "odd", {"tdm-reservation": 1}], set()),
        ({"location": "/", "tdm-reservation": 1}, set()),
    ],
)
def test_parts_of_a_site_that_are_reserved(rules, expected):
    read = reservations(json.dumps(rules).encode())
    paths = ("/", "/a/x", "/b.pdf", "/b.html")
    reserved = {
        path
        for path in paths
        if read is not None and not read.can_fetch(f"http://a.example{path}", "*")
    }
    assert reserved == expected


def test_what_is_reserved_is_not_asked_for(tmp_path):
    def answer(path, _query, _headers):
        if path == "/.well-known/tdmrep.json":
            body = b'[{"location": "/mine/", "tdm-reservation": 1}]'
            return Answer(body, type="application/json")
        return Answer(b"<a href=/mine/1>mine</a> <a href=/open/1>open</a><p>" + path.encode())

    with serve(tmp_path, dynamic=answer) as server:
        project = sitewright.run(server.url, tmp_path / "out", complete=True)
        assert "/open/1" in server.paths
        assert "/mine/1" not in server.paths
        assert project.account.opt_outs == {"tdm-reservation": 1}
        assert project.account.reasons == {"opted out by its owner": 1}
        options = sitewright.CrawlOptions(obey_robots=False)
        project = sitewright.run(server.url, tmp_path / "all", complete=True, crawl=options)
        assert "/mine/1" in server.paths
        assert project.account.opt_outs == {"tdm-reservation": 1}


def closed_site(path, _query, _headers):
    """Pages that may be followed, and pages that may not."""
    pages = {
        "/": "<a href=/a>a</a> <a rel=nofollow href=/hidden>no</a> <a href=/list>l</a>",
        "/list": "<meta name=robots content=nofollow><a href=/below>b</a><a href=/a>a</a>",
        "/mine": "never",
    }
    if path == "/mine":
        return Answer(b"<p>mine", headers={"tdm-reservation": "1"})
    if path in pages:
        return Answer((pages[path] + "<a href=/mine>m</a>").encode())
    return Answer(f"<p>{path}".encode()) if path in {"/a", "/hidden", "/below"} else None


def test_what_owners_ask_for_is_obeyed_and_said(tmp_path):
    (tmp_path / "site").mkdir()
    robots = Faults(robots="User-agent: *\nContent-Signal: ai-train=no")
    with serve(tmp_path / "site", dynamic=closed_site, faults=robots) as server:
        project = sitewright.run(server.url, tmp_path / "out", complete=True)
        assert "/hidden" not in server.paths
        assert "/below" not in server.paths
        assert "/a" in server.paths
        account = project.account
        assert account.opt_outs == {
            "content-signal ai-train=no": 1, "nofollow": 1, "tdm-reservation": 1,
        }  # fmt: skip
        assert account.reasons == {"opted out by its owner": 3}
        options = sitewright.CrawlOptions(obey_robots=False)
        sitewright.run(server.url, tmp_path / "all", complete=True, crawl=options)
        assert {"/hidden", "/below"} <= set(server.paths)
