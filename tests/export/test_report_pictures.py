"""Pages with their fields marked and their template dimmed."""

from __future__ import annotations

import re

import pytest

from sitewright.export.report.pictures import class_picture, field_marks, painted_page
from sitewright.methods import distill
from sitewright.page import Document
from sitewright.wrapper import Field, RecordSet, Rule, Wrapper
from sitewright.wrapper.values.types import FieldType, ValueKind

PAGE = b"""<body><ul><li>Menu</ul><h1>Ada <b>Example</b></h1><p class=born>Born: 1990</p>
<img class=face src=ada.png><a class=team href=/t/1>Reds</a>
<table><tr class=goal><td>12</td><td>Bob</td></tr><tr class=goal><td>88</td><td>Cy</td></tr></table>
"""
TEXT = FieldType()


def page(body: bytes = PAGE, number: int = 1) -> Document:
    return Document(body, f"http://s.example/{number}.html")


def wrapper(**changed) -> Wrapper:
    fields = (
        Field("name", Rule.parse("//h1"), TEXT, samples=("Ada Example",), named_by="heading"),
        Field(
            "born",
            Rule.parse("//p[@class='born']/text()", r"Born: (\d+)"),
            FieldType(ValueKind.INTEGER),
        ),
        Field("face", Rule.parse("//img/@src"), FieldType(ValueKind.IMAGE), coverage=0.5),
        Field("team", Rule.parse("//a/text()"), TEXT, confidence=0.72),
        Field("team_url", Rule.parse("//a/@href"), FieldType(ValueKind.URL), references="team"),
        Field(
            "minutes",
            Rule.parse("//td[1]/text()"),
            FieldType(ValueKind.DECIMAL, unit="min"),
            many=True,
        ),
    )
    goal = RecordSet(
        "goals", Rule.parse("//tr"), (Field("by", Rule.parse("./td[2]/text()"), TEXT),), rows=2.0
    )
    given = {"page_class": "player", "fields": fields, "record_sets": (goal,), "key": ("name",)}
    return Wrapper(**{**given, "pages": 8, **changed})


def marked(one: Wrapper, body: bytes = PAGE) -> list[tuple[str, str]]:
    tree = Document(painted_page(page(body), one).encode()).tree
    found = tree.select("[data-sitewright]")
    return [(one.attr("data-sitewright") or "", one.tag) for one in found]


def test_the_nodes_that_values_stand_in_are_marked_with_names():
    assert marked(wrapper(record_sets=())) == [
        ("name", "h1"),
        ("born", "span"),
        ("face", "img"),
        ("team_url", "a"),
        ("team", "span"),
        ("minutes", "span"),
        ("minutes", "span"),
    ]


def test_a_field_with_one_value_is_marked_once():
    one = wrapper(record_sets=(), fields=(Field("minute", Rule.parse("//td[1]/text()"), TEXT),))
    assert marked(one) == [("minute", "span")]


def test_what_does_not_match_the_pattern_is_not_marked():
    one = wrapper(record_sets=(), fields=(Field("x", Rule.parse("//td/text()", r"^(C.*)"), TEXT),))
    html = painted_page(page(), one)
    assert re.findall(r'<span data-sitewright="x"[^>]*>(\w+)', html) == ["Cy"]


def test_records_and_their_fields_are_marked():
    assert marked(wrapper(fields=())) == [("goals[]", "tr"), ("goals.by", "span")] * 2


def test_a_node_of_two_fields_has_both_names():
    fields = (Field("a", Rule.parse("//h1"), TEXT), Field("b", Rule.parse("//h1"), TEXT))
    assert list(field_marks(page(), wrapper(fields=fields, record_sets=())).values()) == ["a, b"]


def test_a_name_is_written_where_it_stands_first_and_shown_to_the_pointer_everywhere():
    html = painted_page(page(), wrapper(fields=()))
    assert html.count('title="goals.by"') == 2
    assert len(re.findall(r'data-sitewright="goals.by"[^>]*data-sitewright-first', html)) == 1


def test_a_marked_page_runs_fetches_and_leads_nowhere():
    hostile = b"<script>steal()</script><a href=http://evil.example onclick=steal()>x</a>"
    html = painted_page(page(PAGE + hostile), wrapper())
    assert "evil.example" not in html
    assert "steal" not in html
    assert "default-src 'none'" in html.partition("<style>")[0]


def test_deep_pages_and_empty_ones_are_marked_too():
    deep = b"<div>" * 400 + b"<h1>Ada</h1>"
    assert marked(wrapper(record_sets=()), deep)[0][0] == "name"
    assert marked(wrapper(), b"") == []


def test_the_page_with_the_most_fields_is_shown():
    pages = [page(b"<h1>Bare</h1>", 1), page(PAGE, 2), page(b"<p>no", 3)]
    url, html = class_picture(wrapper(), None, pages)
    assert url == "http://s.example/2.html"
    assert "Example" in html
    assert class_picture(wrapper(), None, []) == ("", "")
    huge = page(PAGE + b"x" * 400_000, 1)
    assert class_picture(wrapper(), None, [huge]) == ("", "")


def test_what_all_pages_share_is_dim_and_fields_are_not():
    pages = [page(PAGE.replace(b"Ada", name), 1) for name in (b"Bob", b"Cy", b"Dan", b"Eve")]
    html = painted_page(pages[0], wrapper(), distill(pages))
    assert '<span data-sitewright="~">Menu</span>' in html
    assert re.search(r'<h1 data-sitewright="name"', html)


def test_a_picture_is_small_without_what_nobody_sees():
    heavy = b"<!-- comment --><style>p{}</style><svg><path d='M0 0'/></svg><p class=x id=y>a</p>"
    html = painted_page(page(PAGE + heavy), wrapper())
    for gone in ("comment", "<svg", "p{}", "class=", "id="):
        assert gone not in html


@pytest.mark.parametrize(
    "start", [b"<!-- <head> -->", b"<!DOCTYPE html><!--<head x--><html>", b"<html x='<head>'>"]
)
def test_the_policy_of_a_picture_stands_in_its_head_whatever_comes_before(start):
    shown = Document(start + b"<title>t</title><p>x<img src=http://evil.example/x.png>")
    tree = Document(painted_page(shown, wrapper()).encode()).tree
    policy = tree.select_one("head > meta[http-equiv=Content-Security-Policy]")
    assert policy is not None
    assert (policy.attr("content") or "").startswith("default-src 'none'")
    assert "evil.example" not in tree.html
