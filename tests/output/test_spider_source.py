"""Page texts become string literals and nothing else, laid out as ruff lays them out."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.output.spider.names import identifiers, is_plain, package_name
from sitewright.output.spider.source import (
    Call,
    Name,
    Pattern,
    assignment,
    comment,
    literal,
    pattern_literal,
    source,
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


@given(st.recursive(TEXTS | TEXTS.map(Pattern), lambda some: st.lists(some).map(tuple)))
def test_data_of_any_size_means_itself(data):
    def plain(value):
        if isinstance(value, tuple):
            return tuple(map(plain, value))
        return value.text if isinstance(value, Pattern) else value

    assert eval(source(data)) == plain(data)


def test_an_expression_reads_as_a_person_would_write_it():
    assert pattern_literal(r"/players/[^/]+\.html") == r'r"/players/[^/]+\.html"'
    assert pattern_literal("/about") == '"/about"'
    assert pattern_literal('"\\d') == "'\"\\\\d'"
    assert literal('//a[@rel="next"]') == "'//a[@rel=\"next\"]'"


def test_what_does_not_fit_on_a_line_is_split():
    short = Call("Field", ("x",), {"rows": Name("Row")})
    assert source(short) == 'Field("x", rows=Name)'.replace("Name", "Row")
    long = Call("Field", (), {"one": "x" * 50, "two": "y" * 50})
    assert source(long) == f'Field(\n    one="{"x" * 50}",\n    two="{"y" * 50}",\n)'


def hard_data():
    quoted = ["it's", '"x"', "a\"'b", "\\", "\\'", '\'""', "\x00\n\u2028", "é𝔘漢", "\ud800", ""]
    lengths = [60, 70, *range(80, 100), 120]
    yield from quoted
    yield from ("x" * length for length in lengths)
    yield from ("漢" * (length // 2) for length in lengths)
    yield from (("x" * (length // 2), "y" * (length // 3)) for length in lengths)
    yield from ((("x" * length,),) for length in lengths)
    yield from (Call("f", (), {"a": "x" * length, "b": Call("g")}) for length in lengths)
    yield from (Pattern("\\d" + text) for text in quoted)


def test_ruff_finds_nothing_to_format(tmp_path):
    lines = [assignment(f"x{number}", value) for number, value in enumerate(hard_data())]
    lines += ["\n\nclass C:\n"]
    lines += [assignment(f"x{number}", value, 4) for number, value in enumerate(hard_data())]
    file = tmp_path / "data.py"
    file.write_text("".join(lines))
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
