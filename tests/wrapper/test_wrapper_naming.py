"""Names of columns: from labels first, then from what the page says, headers, classes and tags."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wrapper_pages import document, learnt

from sitewright.wrapper.names import slug, telling_name, unique


def names(make):
    return {field.name: field.named_by for field in learnt(make, 16).fields}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Author", "author"),
        ("Date of Birth:", "date_of_birth"),
        ("Prix (€)", "prix"),
        ("Größe", "grösse"),
        ("2nd author", "n_2nd_author"),
        ("author's name", "authors_name"),
        ("作者", "作者"),
        ("!!!", ""),
        ("a" * 100, "a" * 40),
    ],
)
def test_a_name_is_words_in_lower_case(text, expected):
    assert slug(text) == expected


@given(st.text(max_size=80))
def test_a_name_is_an_identifier_or_nothing(text):
    name = slug(text)
    assert name == "" or f"x{name}".isidentifier()
    assert len(name) <= 42


@given(st.lists(st.sampled_from(["a", "b", "a_2", "a_raw", "b_raw", "a_2_raw"]), max_size=12))
def test_no_two_columns_have_one_name(wanted):
    found = unique(wanted)
    columns = [column for name in found for column in (name, f"{name}_raw")]
    assert len(columns) == len(set(columns))
    assert len(found) == len(wanted)


@pytest.mark.parametrize(
    ("classes", "expected"),
    [
        (["col-md-3", "playerName"], "player_name"),
        (["left", "box", "price"], "price"),
        (["bk-author"], "author"),
        (["x1", "r2"], ""),
    ],
)
def test_a_class_that_says_how_a_thing_looks_is_no_name(classes, expected):
    assert telling_name(classes) == expected


def test_a_label_names_before_microdata():
    def make(one):
        other = f"<tr><th>Pages</th><td>{one.pages}</td></tr>"
        row = f"<tr><th>Writer</th><td itemprop=author>{one.author}</td></tr>"
        return document(f"<table>{row + other if one.number % 2 else other + row}</table>", one.url)

    assert names(make)["writer"] == "label"


def test_microdata_names_before_classes():
    def make(one):
        return document(f"<h1>{one.title}</h1><p class=who itemprop=author>{one.author}</p>")

    assert names(make)["author"] == "microdata"


def test_open_graph_names_what_stands_in_the_head():
    def make(one):
        head = f'<meta property="og:description" content="{one.author}, {one.isbn}">'
        return document(f"<h1>{one.title}</h1>", one.url, head)

    assert "description" in names(make)


def test_tags_name_where_nothing_else_does():
    def make(one):
        return document(f"<h1>{one.title}</h1><p>{one.isbn}</p>", one.url)

    assert names(make)["title"] == "tag"


def test_no_field_takes_the_name_of_a_column_of_ours():
    def make(one):
        return document(
            f"<h1>{one.title}</h1><p class=_url>{one.isbn}</p><p class=_row>{one.pages}</p>"
        )

    assert not {"_url", "_row", "url", "row"} & set(names(make))
