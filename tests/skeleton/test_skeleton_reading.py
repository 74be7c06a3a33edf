from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.page import Document
from sitewright.skeleton.navigation import LinkRole, page_navigation

HERE = "http://site.example/docs/page.html"


def address(url):
    return url if url.startswith("http://site.example/") else None


def read(html):
    return page_navigation(Document(html.encode(), HERE), address)


def named(reading):
    return {link.target.rpartition("/")[2]: link for link in reading.links}


def test_links_to_the_site_are_read_and_others_are_not():
    reading = read("<a href=a.html>A</a><a href='http://other.example/'>B</a><a href='#x'>C</a>")
    assert [(link.target, link.text) for link in reading.links] == [
        ("http://site.example/docs/a.html", "A")
    ]


def test_an_image_is_called_by_its_alternative_text():
    assert named(read('<a href=a.html><img alt="Maps"></a>'))["a.html"].text == "Maps"


def test_a_nested_list_tells_the_parent_of_its_links():
    links = named(read("<ul><li><a href=part>Part</a><ul><li><a href=chapter>1</a></ul></ul>"))
    assert links["part"].list_parent is None
    assert links["chapter"].list_parent == "http://site.example/docs/part"


def test_a_definition_list_nests_what_follows_its_term():
    links = named(
        read(
            "<dl><dt><a href=one>I</a></dt><dd><dl><dt><a href=two>1</a></dt></dl></dd>"
            "<dt><a href=three>II</a></dt><dd><dl><dt><a href=four>2</a></dt></dl></dd></dl>"
        )
    )
    assert links["two"].list_parent == "http://site.example/docs/one"
    assert links["three"].list_parent is None
    assert links["four"].list_parent == "http://site.example/docs/three"


def test_an_item_without_a_page_of_its_own_heads_nothing():
    links = named(read("<ul><li>About<ul><li><a href=a>A</a><li><a href=b>B</a></ul></ul>"))
    assert links["a"].list_parent is None
    assert links["b"].list_parent is None


@pytest.mark.parametrize(
    ("html", "role"),
    [
        ("<a href=x rel=next>4</a>", LinkRole.NEXT),
        ("<a href=x accesskey=u>Part</a>", LinkRole.UP),
        ("<a href=x>« Previous</a>", LinkRole.PREVIOUS),
        ("<a href=x>→</a>", LinkRole.NEXT),
        ("<a href=x>Next Generation Sequencing</a>", LinkRole.NONE),
    ],
)
def test_links_that_lead_on_or_up_are_known(html, role):
    assert named(read(html))["x"].role is role


def test_a_page_names_its_parent_by_an_up_link():
    assert (
        read("<link rel=up href=index.html>").declared_parent
        == "http://site.example/docs/index.html"
    )
    assert read("<a href=part.html accesskey=U>Part</a>").declared_parent.endswith("/part.html")


def test_a_page_names_its_parent_by_the_last_step_of_its_trail():
    trail = "<p><a href=/>Home</a> » <a href=index.html>Docs</a> » Page"
    assert read(trail).declared_parent == "http://site.example/docs/index.html"
    said = "<ol class=breadcrumb><li><a href=/>Home</a><li><a href=x>X</a><li>Page</ol>"
    assert read(said).declared_parent == "http://site.example/docs/x"


def test_a_link_in_running_text_stands_in_prose():
    links = named(
        read("<p>A long text that says a lot around <a href=a>a link</a>.<ul><li><a href=b>B</a>")
    )
    assert links["a"].prose > 0.7
    assert links["b"].prose == 0


def test_links_into_the_middle_of_a_page_are_parts():
    links = named(read("<a href='a.html#x'>A</a><a href=b.html>B</a>"))
    assert links["a.html"].has_fragment
    assert not links["b.html"].has_fragment


def test_links_of_one_list_have_one_path_whatever_item_is_marked():
    links = read("<ul class=menu><li class=active><a href=a>A</a><li><a href=b>B</a></ul>").links
    assert links[0].path == links[1].path


@given(st.text(alphabet="<>/ alidutrb='#\"hef", max_size=300))
def test_no_page_makes_reading_fail(html):
    read(html)
    read(f"<ul><li><a href=x>{html}<dl><dd><a href=y>")


def test_deep_pages_are_read_in_bounded_time():
    read("<div>" * 3000 + "<ul><li><a href=a>A</a>" * 500)
