from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError

from examples.cup.templating import environment, page_template
from examples.cup.tokens import outline, template_tokens, tokenize


def _made(text, included=None, **constants):
    return page_template(environment({**(included or {}), "page": text}), "page", constants)


def _rendered(text, view, **constants):
    return _made(text, **constants).render(view)


def _template(text, *views):
    found = template_tokens(outline(_made(text).nodes), views)
    return [(each.token, each.pages) for each in found]


def test_values_are_escaped_unless_they_are_asked_for_as_they_are():
    assert _rendered("{{ x }} {{ x | safe }}", {"x": "a & b"}) == "a &amp; b a & b"
    assert _rendered("{{ x }}", {"x": '"it\'s"'}) == "&quot;it&#x27;s&quot;"


def test_a_part_is_repeated_for_a_list_and_optional_for_anything_else():
    rows = "{% for row in x %}<{{ row.y }}>{% endfor %}"
    assert _rendered(rows, {"x": [{"y": "1"}, {"y": "2"}]}) == "<1><2>"
    assert _rendered(rows, {}) == ""
    optional = "{% if x %}-{{ x }}-{% else %}none{% endif %}"
    assert _rendered(optional, {"x": "1"}) == "-1-"
    assert _rendered(optional, {"x": None}) == _rendered(optional, {}) == "none"


def test_a_mark_alone_on_a_line_leaves_no_line_behind():
    text = "a\n  {% if x %}\nb\n  {% endif %}\nc\n"
    assert _rendered(text, {"x": True}) == "a\nb\nc\n"


def test_constants_are_template_and_so_is_what_is_included():
    made = _made('{% include "part" %}!</b>', {"part": "<b>{{ site.c }}{{ x }}"}, c="<i>const</i>")
    assert made.render({"x": "<1>"}) == "<b><i>const</i>&lt;1&gt;!</b>"
    assert [each.token for each in template_tokens(outline(made.nodes), [{}])] == [
        "<b>", "<i>", "const", "</i>", "</b>",
    ]  # fmt: skip


def test_a_missing_value_is_an_error_where_it_is_printed():
    with pytest.raises(UndefinedError):
        _rendered("{{ x }}", {})


@pytest.mark.parametrize(
    "text", ["{% set x = 1 %}", "{% if a == b %}{% endif %}", "{% if a %}{% elif b %}{% endif %}"]
)
def test_what_has_no_outline_is_refused(text):
    with pytest.raises(ValueError, match="line 1"):
        _made(text)


def test_tokens_are_normalised():
    html = '<!DOCTYPE html><P b="2" A=\'x "y"\'>Some <!-- no -->\n TEXT &amp; more<BR/></p>'
    assert tokenize(html) == ['<p a="x &quot;y&quot;" b="2">', "some text & more", "<br>", "</p>"]


def test_a_token_that_holds_a_value_is_not_template():
    text = '<p class="a"><a href="{{ url }}">More</a>By {{ name }}</p>'
    expected = ['<p class="a">', "more", "</a>", "</p>"]
    assert [token for token, _ in _template(text, {"url": "x", "name": "y"})] == expected


def test_a_tag_that_is_written_differently_on_some_pages_is_not_template():
    text = '<li{% if here %} class="active"{% endif %}><b>x</b></li>'
    assert [token for token, _ in _template(text, {})] == ["<b>", "x", "</b>", "</li>"]


def test_optional_tokens_count_the_pages_that_have_them():
    text = "<b></b>{% if x %}<i>{{ x }}</i>{% endif %}"
    assert _template(text, {"x": "1"}, {}, {"x": "2"}) == [
        ("<b>", 3),
        ("</b>", 3),
        ("<i>", 2),
        ("</i>", 2),
    ]


def test_repeated_tokens_count_row_by_row():
    text = "{% for row in rows %}<li>{% endfor %}"
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
    note = "{% if note %}<p>Note: <b>{{ note }}</b></p>{% else %}<hr>{% endif %}"
    rows = "<ul>{% for row in rows %}<li>{{ row }}</li>{% endfor %}</ul>"
    made = _made("<h1>{{ name }}</h1>" + note + rows)
    rest = iter(tokenize(made.render(view)))
    assert all(each.token in rest for each in template_tokens(outline(made.nodes), [view]))
