from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples.cup.mustache import parse, render
from examples.cup.tokens import outline, template_tokens, tokenize


def _rendered(text, view, **constants):
    return render(parse(text, {}, constants), view)


def _template(text, *views):
    found = template_tokens(outline(parse(text, {}, {})), views)
    return [(each.token, each.pages) for each in found]


def test_values_are_escaped_unless_they_are_asked_for_as_they_are():
    assert _rendered("{{x}} {{{x}}}", {"x": "a & b"}) == "a &amp; b a & b"


def test_a_section_is_repeated_for_a_list_and_present_once_for_anything_true():
    assert _rendered("{{#x}}<{{y}}>{{/x}}", {"x": [{"y": "1"}, {"y": "2"}]}) == "<1><2>"
    assert _rendered("{{#x}}[{{.}}]{{/x}}", {"x": ["1", "2"]}) == "[1][2]"
    assert _rendered("{{#x}}-{{x}}-{{/x}}", {"x": "1"}) == "-1-"
    assert _rendered("{{#x}}-{{/x}}{{^x}}none{{/x}}", {"x": None}) == "none"


def test_a_mark_alone_on_a_line_leaves_no_line_behind():
    assert _rendered("a\n  {{#x}}\nb\n  {{/x}}\nc\n", {"x": True}) == "a\nb\nc\n"


def test_partials_and_constants_are_written_into_the_template():
    nodes = parse("{{>p}}!", {"p": "[[c]]{{x}}"}, {"c": "const "})
    assert render(nodes, {"x": "1"}) == "const 1!"


def test_a_missing_value_and_a_crossed_section_are_errors():
    with pytest.raises(KeyError):
        _rendered("{{x}}", {})
    with pytest.raises(ValueError, match="closed by"):
        parse("{{#a}}{{#b}}{{/a}}{{/b}}", {}, {})
    with pytest.raises(ValueError, match="never closed"):
        parse("{{#a}}", {}, {})


def test_tokens_are_normalised():
    html = '<!DOCTYPE html><P b="2" A=\'x "y"\'>Some <!-- no -->\n TEXT &amp; more<BR/></p>'
    assert tokenize(html) == ['<p a="x &quot;y&quot;" b="2">', "some text & more", "<br>", "</p>"]


def test_a_token_that_holds_a_value_is_not_template():
    text = '<p class="a"><a href="{{url}}">More</a>By {{name}}</p>'
    expected = ['<p class="a">', "more", "</a>", "</p>"]
    assert [token for token, _ in _template(text, {"url": "x", "name": "y"})] == expected


def test_a_tag_that_is_written_differently_on_some_pages_is_not_template():
    text = '<li{{#here}} class="active"{{/here}}><b>x</b></li>'
    assert [token for token, _ in _template(text, {})] == ["<b>", "x", "</b>", "</li>"]


def test_optional_tokens_count_the_pages_that_have_them():
    text = "<b></b>{{#x}}<i>{{x}}</i>{{/x}}"
    assert _template(text, {"x": "1"}, {}, {"x": "2"}) == [
        ("<b>", 3),
        ("</b>", 3),
        ("<i>", 2),
        ("</i>", 2),
    ]


def test_repeated_tokens_count_row_by_row():
    text = "{{#rows}}<li>{{/rows}}"
    assert _template(text, {"rows": [{}, {}, {}]}, {"rows": [{}]}) == [
        ("<li>", 2),
        ("<li>", 1),
        ("<li>", 1),
    ]


_words = st.text("abc<>&\"' ", max_size=8)
_views = st.fixed_dictionaries(
    {"name": _words, "note": st.none() | _words, "rows": st.lists(_words, max_size=4)}
)


@given(_views)
def test_what_is_template_stands_on_the_page_in_order(view):
    note = "{{#note}}<p>Note: <b>{{note}}</b></p>{{/note}}"
    rows = "<ul>{{#rows}}<li>{{.}}</li>{{/rows}}</ul>"
    nodes = parse("<h1>{{name}}</h1>" + note + rows, {}, {})
    rest = iter(tokenize(render(nodes, view)))
    assert all(each.token in rest for each in template_tokens(outline(nodes), [view]))
