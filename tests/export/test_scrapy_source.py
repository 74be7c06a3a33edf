"""Page texts become string literals and nothing else, laid out as ruff lays them out."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError

from sitewright.export.scrapy.source import (
    _environment,
    code_span,
    comment,
    identifiers,
    is_plain,
    literal,
    package_name,
    pattern_literal,
)

TEXTS = st.text() | st.text(alphabet="\\'\"{}#\n\t ab/[].\u202e\ud800")


@given(TEXTS)
def test_a_literal_means_its_text(text):
    assert eval(literal(text)) == text
    assert eval(pattern_literal(text)) == text


@given(TEXTS)
def test_a_literal_and_a_comment_are_one_line_that_can_be_written(text):
    for written in (literal(text), comment(text)):
        assert len(written.splitlines()) == 1
        assert written.encode()


@given(TEXTS, st.lists(TEXTS), st.integers(0, 4).map(lambda levels: 4 * levels))
def test_whatever_a_template_prints_is_a_text_unless_a_filter_makes_it_code(text, texts, indent):
    template = _environment(literal).from_string(
        "[{{ text }}, {{ texts | texts(indent) }}, {{ texts | patterns(indent) }},"
        " {{ text | pattern }}, {{ text | assigned(indent, 'home') }}, {{ text | upper }},"
        " {{ 'x' ~ text }}]  {{ text | comment }}"
    )
    written = template.render(text=text, texts=texts, indent=indent)
    assert eval(written) == [text, texts, texts, text, text, text.upper(), "x" + text]


@pytest.mark.parametrize("text", ["x y", "x()", "", "class", "é", "x\n", "1x", 'x"'])
def test_what_is_no_name_is_not_written_as_one(text):
    template = _environment(literal).from_string("{{ text | name }}")
    with pytest.raises(ValueError, match="not a name"):
        template.render(text=text)


@pytest.mark.parametrize("text", ['"""', "a\nb", "back\\slash", "\x00"])
def test_a_docstring_says_only_plain_sentences(text):
    with pytest.raises(ValueError, match="not a plain sentence"):
        _environment(literal).from_string("{{ text | prose }}").render(text=text)


@pytest.mark.parametrize("value", [None, ["x"], {"x": 1}, 0.5, object()])
def test_what_is_neither_text_nor_number_nor_code_is_refused(value):
    with pytest.raises(TypeError):
        _environment(literal).from_string("{{ value }}").render(value=value)


def test_a_missing_value_is_refused():
    with pytest.raises(UndefinedError):
        _environment(literal).from_string("{{ value }}").render()


@given(TEXTS)
def test_a_text_in_markdown_ends_neither_its_code_nor_its_line_nor_its_cell(text):
    span = _environment(code_span).from_string("{{ text }}").render(text=text)
    assert span[0] == span[-1] == "`"
    assert "`" not in span[1:-1]
    assert len(span.splitlines()) == 1
    assert "|" not in span.replace("\\|", "")
    assert span.encode()


def test_an_expression_reads_as_a_person_would_write_it():
    assert pattern_literal(r"/players/[^/]+\.html") == r'r"/players/[^/]+\.html"'
    assert pattern_literal("/about") == '"/about"'
    assert pattern_literal('"\\d') == "'\"\\\\d'"
    assert literal('//a[@rel="next"]') == "'//a[@rel=\"next\"]'"


def hard_texts():
    yield from ["it's", '"x"', "a\"'b", "\\", "\\'", '\'""', "\x00\n\u2028", "é𝔘漢", "\ud800", ""]
    for length in (60, 70, *range(80, 100), 120):
        yield "x" * length
        yield "漢" * (length // 2)
        yield "\\d" * (length // 2)


def test_ruff_finds_nothing_to_format(tmp_path):
    template = _environment(literal).from_string(
        "class C:\n"
        "{% for text in texts %}\n"
        "    x{{ loop.index }} = {{ [text] | texts(4) }}\n"
        "    y{{ loop.index }} = {{ texts[:loop.index0] | patterns(4) }}\n"
        "    {{ text | comment }}\n"
        "{% if text.isascii() %}\n"
        "    home = {{ text | assigned(4, 'home') }}\n"
        "{% endif %}\n"
        "{% endfor %}\n"
    )
    file = tmp_path / "data.py"
    file.write_text(template.render(texts=list(hard_texts())))
    (tmp_path / "ruff.toml").write_text("line-length = 100\n")
    run = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--diff", str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout == ""


@given(st.lists(TEXTS, unique=True))
def test_every_name_gets_an_identifier_of_its_own(names):
    found = identifiers(names)
    assert list(found) == names
    assert len(set(found.values())) == len(names)
    assert all(f"parse_{one}".isidentifier() and one.isascii() for one in found.values())
    assert not {"start_url", "with_rules", "other"} & set(found.values())


@pytest.mark.parametrize(
    ("home", "name"),
    [
        ("https://www.example.org/x", "example_org"),
        ("http://127.0.0.1:8000/", "n127_0_0_1"),
        ("http://json/", "json_site"),
        ("http://bücher.example/", "bucher_example"),
    ],
)
def test_a_package_is_named_after_the_host_and_never_hides_a_module(home, name):
    assert package_name(home) == name


@pytest.mark.parametrize(
    "name", ["fields", "class", "__init__", "__x", "born on", "", "ﬁeld", "x)\n", "_values"]
)
def test_a_field_with_an_odd_name_is_no_attribute(name):
    assert not is_plain(name)
