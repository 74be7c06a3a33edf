"""The report's section on tables, and pages with their fields marked."""

from __future__ import annotations

import re

from sitewright.export.report.report import render_report
from sitewright.export.report.sections import (
    field_marks,
    page_with_fields,
    wrapper_entry,
    wrappers_section,
)
from sitewright.page import Document
from sitewright.wrapper import Field, RecordSet, RejectedColumn, Rule, Wrapper
from sitewright.wrapper.types import FieldType, ValueKind

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
    tree = Document(page_with_fields(page(body), one).encode()).tree
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
    html = page_with_fields(page(), one)
    assert re.findall(r'<span data-sitewright="x"[^>]*>(\w+)', html) == ["Cy"]


def test_records_and_their_fields_are_marked():
    assert marked(wrapper(fields=())) == [("goals[]", "tr"), ("goals.by", "span")] * 2


def test_a_node_of_two_fields_has_both_names():
    fields = (Field("a", Rule.parse("//h1"), TEXT), Field("b", Rule.parse("//h1"), TEXT))
    assert list(field_marks(page(), wrapper(fields=fields, record_sets=())).values()) == ["a, b"]


def test_a_name_is_written_where_it_stands_first_and_shown_to_the_pointer_everywhere():
    html = page_with_fields(page(), wrapper(fields=()))
    assert html.count('title="goals.by"') == 2
    assert len(re.findall(r'data-sitewright="goals.by"[^>]*data-sitewright-first', html)) == 1


def test_a_marked_page_runs_fetches_and_leads_nowhere():
    hostile = b"<script>steal()</script><a href=http://evil.example onclick=steal()>x</a>"
    html = page_with_fields(page(PAGE + hostile), wrapper())
    assert "evil.example" not in html
    assert "steal" not in html
    assert "default-src 'none'" in html.partition("<style>")[0]


def test_deep_pages_and_empty_ones_are_marked_too():
    deep = b"<div>" * 400 + b"<h1>Ada</h1>"
    assert marked(wrapper(record_sets=()), deep)[0][0] == "name"
    assert marked(wrapper(), b"") == []


def section(one: Wrapper, *pages: Document) -> str:
    return wrappers_section([wrapper_entry(one, pages)]).html


def test_the_section_tells_the_fields_of_each_class():
    html = section(wrapper(), page())
    text = " ".join(Document(html.encode()).tree.to_text().split())
    assert "player one record a page; 7 columns, learnt from 8 pages" in text
    assert "Ada Example" in html
    assert "list of decimal, min" in html
    assert "→ team" in html
    assert html.count(">key<") == 1
    assert '<td class="n">72%</td>' in html
    assert 'title="named by its heading"' in html


def test_a_record_set_is_a_table_of_its_own():
    html = section(wrapper(), page())
    assert '<h4>goals <span class="soft">2.0 a page, on 100% of the pages</span></h4>' in html
    assert "a list of goals, one record each" in section(wrapper(rows="goals"), page())


def test_what_was_left_out_is_folded_and_counted():
    dropped = tuple(RejectedColumn(f"//p[{n}]", "constant", f"sample {n}") for n in range(107))
    html = section(wrapper(dropped=dropped), page())
    assert "<details><summary>107 columns left out</summary>" in html
    assert "sample 99" in html
    assert "sample 100" not in html
    assert "and 7 more in wrapper.json" in html


def test_one_page_of_a_class_is_shown_the_one_with_the_most_fields():
    html = section(wrapper(), page(b"<h1>Bare</h1>", 1), page(PAGE, 2), page(b"<p>no", 3))
    assert html.count('<iframe sandbox=""') == 1
    assert "http://s.example/2.html" in html


def test_a_class_without_pages_or_fields_has_no_picture():
    assert "<iframe" not in section(wrapper())
    bare = section(wrapper(fields=(), record_sets=(), key=()), page())
    assert "<iframe" not in bare
    assert "no fields in 8 pages" in bare


def test_what_comes_from_pages_is_escaped():
    bad = "<script>alert(1)</script>"
    field = Field(bad, Rule.parse(f"//p[.='{bad}']"), TEXT, samples=(bad,), references=bad)
    one = wrapper(page_class=bad, fields=(field,), dropped=(RejectedColumn(bad, bad, bad),))
    assert "<script" not in section(one, page(PAGE + bad.encode()))


def test_the_section_fits_into_the_report():
    found = wrappers_section([wrapper_entry(wrapper(), [page()])])
    document = Document(render_report("Site", "lead", [found]).encode())
    assert found.title == "Tables"
    assert len(document.tree.select("details.wrapper")) == 1


def test_rules_are_shown_in_short():
    field = Field("born", Rule.parse("//b[text()[normalize-space()='Born:']]/../td[1]"), TEXT)
    assert "<summary><code>//b[&#39;Born:&#39;]/../td[1]</code></summary>" in section(
        wrapper(fields=(field,)), page()
    )
