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


def test_what_readers_wrote_is_no_content_though_it_may_be_longer():
    replies = "".join(f"<article class=comment><p>{n}! I disagree. {PROSE}</p></article>" * 3
                      for n in range(5))  # fmt: skip
    page = f"<article><p>{PROSE}</p><section id=comments>{replies}</section></article>"
    assert main_text(document(page)).text.strip() == PROSE


def test_a_page_of_nothing_but_replies_is_read_for_them():
    assert PROSE in main_text(document(f"<div class=comments><p>{PROSE}</p></div>")).text


@pytest.mark.parametrize(
    "beside",
    [
        "<div class='sharedaddy sd-sharing'><h3>Share this:</h3><ul><li>Post it to X</ul></div>",
        "<div class=post-meta><span>Filed under rivers by A. Bell</span></div>",
        "<ul class='post-tags'><li>river<li>town</ul>",
        "<div class='yarpp-related'><p>Read about a bridge that fell into the river.</p></div>",
        "<section id=related-posts><p>Read about a bridge that fell.</p></section>",
        "<p class=byline>Words: A. Bell</p>",
        "<nav class=post-navigation><a href=b>The bridge</a></nav>",
        "<div class=newsletter-box>Get our letter every Monday.</div>",
        "<div class=toc><p>Contents</p><ul><li><a href=#a>One</a></ul></div>",
        "<ul><li><a href=#a>The hills</a><li><a href=#b>The mills</a><li><a href=#c>Sea</a></ul>",
    ],
)
def test_what_themes_put_around_an_article_is_known_by_its_name_or_its_links(beside):
    page = f"<div class=entry><p>{PROSE}</p><p>{PROSE} Again.</p>{beside}</div>"
    assert main_text(document(page)).text.split("\n\n") == [PROSE, f"{PROSE} Again."]
    page = f"<div class=entry>{beside}<p>{PROSE}</p><p>{PROSE} Again.</p></div>"
    assert main_text(document(page)).text.split("\n\n") == [PROSE, f"{PROSE} Again."]


@pytest.mark.parametrize(
    "inside",
    [
        "<figure><img src=m><figcaption>The last mill.</figcaption></figure>",
        "<ul><li><a href=m>Upper mill</a><li><a href=n>Lower mill</a><li><a href=o>Lock</a></ul>",
        "<pre><code><span class='hljs-comment'># the last mill</span> x = 1</code></pre>",
        "<section id=cookie-objects><h2>Cookie objects</h2><p>The last mill.</p></section>",
        "<section id=tags-and-meta><h2>Tags and meta</h2><p>The last mill.</p></section>",
    ],
)
def test_what_an_author_wrote_stays(inside):
    page = f"<div class=entry><p>{PROSE}</p>{inside}<p>{PROSE} Again.</p></div>"
    text = main_text(document(page)).text.lower()
    assert "mill" in text.replace(PROSE.lower(), "")
    assert text.count("past mills") == 2


def test_a_class_that_tells_of_a_sidebar_is_no_sidebar():
    page = f"<div class='page has-sidebar'><p>{PROSE}</p></div><div><p>Two words</p></div>"
    assert PROSE in main_text(document(page)).text


@pytest.mark.parametrize(
    ("byline", "author", "date"),
    [
        ("<p class=by>By A. Bell</p><time datetime=2014-08-26T10:00>x</time>", "", "2014-08-26"),
        ("<p class=byline>By A. Bell on May 3, 2014</p>", "A. Bell", "2014-05-03"),
        ("<div class=submitted>Submitted by bell on 3rd June 2011 - 19:54</div>", "bell",
         "2011-06-03"),
        ("<a rel=author href=/b>Ann Bell</a> <span class=posted>3.6.2011</span>", "Ann Bell",
         "2011-06-03"),
        ("<abbr class=published title=2021-09-07T00:00>Tue</abbr>", "", "2021-09-07"),
        ("<aside><time datetime=2014-08-26>x</time></aside>", "", ""),
        ("<p class=meta>Updated 31 February 2011</p>", "", ""),
        ("<p class=meta>Up to 12.2.3.2011 and 1/2/2011</p>", "", ""),
        ("<div class=comments><i class=author>Troll</i><time datetime=2014-08-26>x</time></div>",
         "", ""),
    ],
)  # fmt: skip
def test_date_and_author_are_read_where_the_page_shows_them(byline, author, date):
    found = main_text(document(f"<article><p>{PROSE}</p>{byline}<p>{PROSE}</p></article>"))
    assert (found.author, found.date) == (author, date)


def test_the_address_may_have_the_date():
    page = Document(f"<p>{PROSE}</p>".encode(), "http://x.example/2014/08/26/a-river/")
    assert main_text(page).date == "2014-08-26"


def test_headings_that_all_pages_share_stay_in_the_text():
    """They are of the template, but a text without them cannot be read."""

    def manual(number: int) -> str:
        return (
            f"<title>Tool {number}</title>{MENU}<div class=body><h1>Tool {number}</h1>"
            f"<p>{number} {PROSE}</p><h2>Options</h2><p>{PROSE} {number}</p></div><p>Imprint</p>"
        )

    shared = distill([document(manual(number)) for number in range(1, 9)])
    assert main_text(document(manual(30)), shared).text.split("\n\n") == [
        f"30 {PROSE}", "Options", f"{PROSE} 30",
    ]  # fmt: skip


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


def test_a_short_sentence_below_the_date_is_the_first_paragraph():
    page = document(
        "<title>A day out</title><article><h1>A day out</h1>"
        "<p class=meta><time>6 June 2031</time> By A. Bell</p>"
        f"<p class=lead>The visitors found the town and like it.</p><p>{PROSE}</p></article>"
    )
    assert main_text(page).text.split("\n\n") == ["The visitors found the town and like it.", PROSE]
