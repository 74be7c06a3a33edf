"""What a field's values tell of a change, and what they do not."""

import pytest

from sitewright.extraction.value_changes import (
    ValueChange,
    broken_letters,
    cut_off,
    doubled_values,
    fewer_values,
    mixed_rows,
    other_numbers,
    other_words,
    written_otherwise,
)
from sitewright.wrapper.values.sketch import value_hash, value_key
from sitewright.wrapper.values.types import ValueKind


def hashes(texts):
    return tuple(value_hash(key) for key in dict.fromkeys(map(value_key, texts)))


def changes(before, now, is_known=True):
    """One page for each pair of values, or of lists of values."""
    found = []
    for number, pair in enumerate(zip(before, now, strict=True)):
        was, is_now = ((one,) if isinstance(one, str) else tuple(one) for one in pair)
        url = f"http://x.org/{number}"
        known = was if is_known else None
        found.append(ValueChange(url, hashes(was), hashes(is_now), is_now, known))
    return found


NAMES = [f"{one} {other}" for one in ("Ada", "Bo", "Cy") for other in ("Ash", "Birch", "Cole")]


@pytest.mark.parametrize("is_known", [True, False])
def test_words_around_values_are_seen_by_hashes_too(is_known):
    now = [f"written by {name} today" for name in NAMES]
    assert len(written_otherwise(changes(NAMES, now, is_known), ValueKind.TEXT)) == 9


@pytest.mark.parametrize("now", [NAMES, [name.upper() for name in NAMES],
                                 [name.replace(" ", "") for name in NAMES]])  # fmt: skip
def test_case_and_white_space_are_no_change(now):
    found = changes(NAMES, now)
    assert not written_otherwise(found, ValueKind.TEXT)
    assert not broken_letters(found, ValueKind.TEXT)


def test_texts_that_share_most_words_and_stay_are_no_other_words():
    texts = [f"the long text of all these pages, number {number}" for number in range(12)]
    assert not other_words(changes(texts, texts), ValueKind.TEXT)
    assert len(other_words(changes(texts, texts[1:] + texts[:1]), ValueKind.TEXT)) == 12


def test_a_name_with_a_question_mark_is_not_broken_but_letters_are():
    before = ["José", "Zoë", "Chloé", "Anaïs"]
    assert not broken_letters(changes(before, ["Who? Me"] * 4), ValueKind.TEXT)
    broken = ["JosÃ©", "Zo?s", "Chlo\ufffd", "Ana&iuml;s"]
    assert len(broken_letters(changes(before, broken), ValueKind.TEXT)) == 4


def test_texts_that_always_ended_in_dots_are_not_cut_off():
    teasers = [f"{name} and so on ..." for name in NAMES]
    later = [f"{name} and others ..." for name in NAMES]
    assert not cut_off(changes(teasers, later), ValueKind.TEXT)
    assert cut_off(changes(NAMES, [name[:5] + "..." for name in NAMES]), ValueKind.TEXT)


def test_prices_that_rise_are_the_same_numbers():
    before = [str(10 + number * number) for number in range(15)]
    rising = [f"{float(price) * (1.1 + turn % 3 / 20):.2f}" for turn, price in enumerate(before)]
    assert not other_numbers(changes(before, rising), ValueKind.DECIMAL)
    drawn = [str(100 + turn * 37 % 101) for turn in range(15)]
    assert len(other_numbers(changes(before, drawn), ValueKind.DECIMAL)) >= 14


def test_lists_that_change_their_order_or_grow_are_well():
    before = [[f"{name} {turn}" for turn in range(4)] for name in NAMES]
    turned = [one[::-1] for one in before]
    grown = [[*one, "another"] for one in before]
    for now in (turned, grown):
        assert not fewer_values(changes(before, now))
        assert not doubled_values(changes(before, now))
    assert not mixed_rows(changes(before, turned), changes(before, turned))
    assert len(mixed_rows(changes(before, turned), changes(before, before))) == 9
