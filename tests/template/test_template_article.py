"""The main text of a page: the template off, then what stands beside the content."""

from __future__ import annotations

import json
import sys

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from sitewright.cli import sitewright as program
from sitewright.errors import MissingExtra
from sitewright.methods import distill
from sitewright.page import Document
from sitewright.template.article import finished_by_trafilatura, main_text

MENU = (
    "<header><p>Our journal</p><ul><li><a href=/>Home</a><li><a href=/a>About us</a></ul></header>"
)
PROSE = (
    "The river rises in the hills above the town and runs for forty miles to the sea, past mills "
    "that have not turned for a century."
)


def article(number: int) -> str:
    return (
        f"<html><head><title>Story {number} | Journal</title><meta name=author content='A. Bell'>"
        f"<meta property=article:published_time content=2024-05-0{number % 9 + 1}></head>"
        f"<body>{MENU}"
        f"<div class=page><div class=body><h1>Story {number}<a href=#s>#</a></h1>"
        f"<p class=by>May {number}, 2024 - <a href=/bell>A. Bell</a></p>"
        f"<p>{number} {PROSE}</p><ul><li>One point of {number}<li>Another {number}</ul>"
        f"<p>{PROSE} {number}</p>"
        f"</div><aside><ul><li><a href=#1>First part {number}</a></ul></aside>"
        f"<div class=more><a href=x>More {number}</a> <a href=y>And {number}</a> <a href=z>Last</a>"
        f"</div></div><footer>Imprint</footer></body></html>"
    )


def document(text: str) -> Document:
    return Document(text.encode(), "http://journal.example/x.html")


@pytest.fixture(scope="module")
def template():
    return distill([document(article(number)) for number in range(1, 9)])


def test_the_main_text_is_the_article_alone(template):
    found = main_text(document(article(12)), template)
    assert found.text.split("\n\n") == [
        f"12 {PROSE}", "* One point of 12\n* Another 12", f"{PROSE} 12",
    ]  # fmt: skip
    assert (found.title, found.author, found.date) == ("Story 12", "A. Bell", "2024-05-04")


def test_a_page_that_nothing_else_is_known_of_is_read_by_the_same_rules():
    found = main_text(document(article(3)))
    assert f"3 {PROSE}" in found.text
    for beside in ("About us", "Imprint", "First part", "More 3", "May 3, 2024", "Story 3"):
        assert beside not in found.text


def test_a_text_in_a_form_is_the_content_after_all():
    """Whole pages of some generators stand in one form."""
    assert PROSE in main_text(document(f"<form><div><p>{PROSE}</p></div></form>")).text


def test_a_list_of_links_in_the_text_stays_if_there_is_more_than_links_in_it():
    items = "".join(
        f"<li><a href=i{n}>[BUG-{n}]</a> - the river did not flow at {n}" for n in range(9)
    )
    assert "river did not flow at 8" in main_text(document(f"<p>{PROSE}</p><ul>{items}</ul>")).text


@given(st.text(alphabet="<>/abph1 =\"'&;\n2024", max_size=120))
def test_no_page_is_too_broken_for_a_main_text(html):
    assert isinstance(main_text(document(html)).text, str)


def test_a_finisher_is_an_extra(template, monkeypatch):
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    with pytest.raises(MissingExtra, match=r"sitewright\[text\]"):
        finished_by_trafilatura(main_text(document(article(3)), template))


def test_trafilatura_finishes_what_is_left(template):
    pytest.importorskip("trafilatura", reason="needs the extra: pip install 'sitewright[text]'")
    found = finished_by_trafilatura(main_text(document(article(3)), template))
    assert PROSE in found.text
    assert "Imprint" not in found.text


def test_pages_become_a_corpus_of_json_lines(tmp_path):
    for number in range(1, 7):
        (tmp_path / f"{number}.html").write_text(article(number))
    pages = sorted(map(str, tmp_path.glob("*.html")))
    ran = CliRunner().invoke(program, ["strip", "--main", *pages, "-f", "text", "--json"])
    assert ran.exit_code == 0, ran.output
    rows = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [row["title"] for row in rows] == [f"Story {number}" for number in range(1, 7)]
    assert {"page", "author", "date", "text"} <= rows[0].keys()
    assert "Home" not in rows[0]["text"]


def test_options_without_effect_are_refused(tmp_path):
    (tmp_path / "1.html").write_text(article(1))
    for arguments in (["--finish"], [], ["--main", "--finish", "-f", "html"]):
        ran = CliRunner().invoke(program, ["strip", str(tmp_path / "1.html"), *arguments])
        assert ran.exit_code == 2, arguments
