"""Pages out of all proportion are skipped with a reason; what others cost is bounded."""

from __future__ import annotations

import json
import resource
from time import process_time

import pytest
from click.testing import CliRunner

import sitewright
from benchmarks.hostile import PAGES
from sitewright.cli import sitewright as program
from sitewright.page import Document
from sitewright.settings import Settings, using
from sitewright.site.base import Reason

URL = "http://site.invalid/"
MB = 1_000_000

BOMBS = {
    "formatting": "".join(f"<b a{n}><p>" for n in range(7000)).encode(),
    "formatting in cells": b"<table><tr>"
    + "".join(f"<td><i a{n}><p></td></b>" for n in range(3000)).encode()
    + "".join(f"<b a{n}></td><p>" for n in range(5000)).encode(),
    "formatting behind stray ends": b"</b>" * 9000
    + "".join(f"<b a{n}><!-- </b> --><p>" for n in range(6000)).encode(),
    "font": "".join(f"<p><font size={n}>x</p>" for n in range(4000)).encode(),
    "short paragraphs": b"<p>x" * 200_000,
    "nested": b"<div>" * 150_000,
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_tree_out_of_proportion_is_never_built(name):
    body = BOMBS[name]
    before = process_time()
    document = Document(body, URL)
    assert document.refused
    assert document.body == b""
    assert (document.links, document.title) == ((), "")
    assert process_time() - before < 1 + 2 * len(body) / MB


def test_the_limits_of_memory_are_as_before_after_a_page():
    before = resource.getrlimit(resource.RLIMIT_AS)
    assert Document(BOMBS["formatting"], URL).refused
    assert not Document(b"<p>x" * 5_000, URL).refused
    assert resource.getrlimit(resource.RLIMIT_AS) == before


@pytest.mark.parametrize(
    "body",
    [
        b"<table>" + (b"<tr>" + b"<td>12</td>" * 10) * 9_000,
        b"<li><a href=x>one</a>" * 25_000,
        b"<div>" * 400 + b"<p>x",
        ("<p>" + "\N{GRINNING FACE} word " * 50_000).encode(),
        b"<p " + b" ".join(b"a%d=1" % n for n in range(20_000)) + b">",
    ],
    ids=["a long table", "25,000 links", "deep", "wide letters", "many attributes"],
)
def test_large_but_ordinary_pages_are_read(body):
    assert Document(body, URL).refused == ""


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("short paragraphs", {"limits.max_elements": 900_000, "parser_memory_per_byte": 500}),
        ("font", {"limits.max_elements": 90_000_000, "limits.parser_memory": 3_000_000_000}),
    ],
)
def test_every_limit_can_be_raised(name, changes):
    with using(Settings.of(changes)):
        assert Document(BOMBS[name], URL).refused == ""


def test_links_beyond_the_limit_are_left_out_and_told(caplog):
    body = b"".join(b"<a href=%d>x</a>" % n for n in range(30))
    with using(Settings.of({"limits.max_links": 20})):
        assert len(Document(body, URL).links) == 20
    assert "more than 20 links" in caplog.text


@pytest.fixture
def site(tmp_path):
    """A site of ordinary pages with a bomb among them."""
    folder = tmp_path / "site"
    folder.mkdir()
    links = "".join(f"<li><a href={n}.html>{n}</a>" for n in range(6))
    (folder / "index.html").write_text(f"<!doctype html><title>Home</title><ul>{links}</ul>")
    for n in range(6):
        (folder / f"{n}.html").write_text(f"<!doctype html><title>{n}</title><h1>Thing {n}</h1>")
    (folder / "3.html").write_bytes(BOMBS["formatting"])
    return folder


def test_a_bomb_in_a_site_is_rejected_with_its_reason_and_in_the_report(site, tmp_path):
    project = sitewright.run(site, tmp_path / "out")
    [rejected] = [one for one in project.rejected if one["url"].endswith("/3.html")]
    assert rejected["reason"].startswith(f"{Reason.TOO_LARGE}: more than ")
    assert "bytes to parse it" in rejected["reason"]
    report = (tmp_path / "out" / "report.html").read_text()
    assert "Pages not read" in report
    assert "too large" in report


@pytest.mark.parametrize("verb", ["inspect", "classify", "strip", "template"])
def test_a_bomb_is_refused_in_one_line_by_every_verb(verb, site, tmp_path):
    out = tmp_path / "out"
    sitewright.run(site, out)
    page, good = str(site / "3.html"), str(site / "1.html")
    template = str(tmp_path / "template.json")
    told = CliRunner().invoke(program, ["template", good, str(site / "2.html"), "-o", template])
    assert told.exit_code in {0, 1}, told.output
    arguments = {
        "inspect": [page],
        "classify": [str(out), page],
        "strip": [page, "-t", template],
        "template": [page, good, "-o", template],
    }[verb]
    run = CliRunner().invoke(program, [verb, *arguments], standalone_mode=False)
    assert run.exception is not None
    assert "too large: more than" in str(run.exception)
    assert "\n" not in str(run.exception)


def test_inspect_writes_the_same_line_in_pieces(tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<p>x" * 3000 + "<a href=y>z</a>")
    run = CliRunner().invoke(program, ["inspect", str(page), "--json"])
    from sitewright.page.document import inspect  # noqa: PLC0415

    document = Document(page.read_bytes(), page.resolve().as_uri())
    assert json.loads(run.output) == inspect(document).as_json()


QUICK = [name for name in PAGES if "MB" not in name and "100,000" not in name]


@pytest.mark.parametrize("name", QUICK)
def test_hostile_pages_are_read_or_refused(name):
    document = Document(PAGES[name](), URL)
    assert isinstance(document.title, str)
    assert len(document.links) <= 50_000
