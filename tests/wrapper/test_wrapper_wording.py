"""Words that all values of a column have around them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.wrapper.naming.affixes import affix_pattern

PEOPLE = ["Ada Cole", "Bela Dale", "Cleo Elm", "Dora Ford", "Ewa Grove", "Fay Hill", "Gus Lake"]


def cut(pattern, text):
    found = re.search(pattern, text)
    return found[1] if found else None


def test_a_label_before_all_values_is_cut_off():
    pattern = affix_pattern([f"Written by: {name}" for name in PEOPLE])
    assert cut(pattern, "Written by: Hal Moss") == "Hal Moss"


def test_an_end_whose_dash_is_written_to_the_value_is_cut_too():
    pattern = affix_pattern([f"{name}- The Shop" for name in PEOPLE])
    assert [re.search(pattern, f"{name}- The Shop")[1] for name in PEOPLE] == list(PEOPLE)


def test_the_name_of_the_site_behind_a_dash_is_cut_off():
    pattern = affix_pattern([f"{name} - The Shop" for name in PEOPLE])
    assert cut(pattern, "Hal Moss - The Shop") == "Hal Moss"


def test_a_unit_stays():
    assert affix_pattern([f"{number} kg" for number in range(10, 30)]) == ""


@pytest.mark.parametrize("form", ["{} \u00b7", "| {}", "\u00bb {} |"])
def test_a_mark_between_texts_of_a_line_is_no_part_of_them(form):
    pattern = affix_pattern([form.format("Public domain"), form.format("In copyright")])
    assert re.match(pattern, form.format("Public domain"))[1] == "Public domain"
    assert re.match(pattern, "Unknown")[1] == "Unknown"
    assert not affix_pattern(["\u00b7", "| \u00b7"])


def test_a_year_that_all_share_stays():
    assert affix_pattern([f"2024 {name}" for name in PEOPLE]) == ""


@pytest.mark.parametrize("texts", [[], ["a b"], ["a b", "a c"], ["x 1", "x 1", "x 1"]])
def test_few_different_values_say_nothing(texts):
    assert affix_pattern(texts) == ""


def test_parts_of_words_are_not_cut():
    assert affix_pattern([f"Street{name}" for name in PEOPLE]) == ""


@given(st.lists(st.text(max_size=20), max_size=12))
def test_something_is_left_of_every_text(texts):
    collapsed = [" ".join(text.split()) for text in texts]
    kept = [text for text in collapsed if text]
    pattern = affix_pattern(kept)
    if pattern:
        for text in kept:
            value = cut(pattern, text)
            assert value
            assert value in text
