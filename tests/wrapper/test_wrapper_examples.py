"""Which page an example comes from, and the field that it chooses."""

from __future__ import annotations

import pytest

from sitewright.errors import InvalidInput
from sitewright.page import Document
from sitewright.wrapper import Record, extract, induce
from sitewright.wrapper.examples import added_to, found_examples, induce_from_examples

NAMES = [f"{one} {other}" for one in ("Ada", "Berta", "Clara") for other in ("Ulm", "Kiel", "Jena")]


def player(number: int, heading: str) -> Document:
    """A player, with links to the one before and the one behind."""
    before, behind = NAMES[number - 1], NAMES[(number + 1) % len(NAMES)]
    html = (
        f"<title>{NAMES[number]} - Club</title><body><nav class=pager>"
        f"<a class=prev href=/{number - 1}>{before}</a> <a class=next href=/{number + 1}>{behind}"
        f"</a></nav><h1>{heading.format(NAMES[number])}</h1><p>Born in {1980 + number}</p>"
    )
    return Document(html.encode(), f"http://example.org/{number}")


def test_a_value_is_taken_from_its_own_page_not_from_a_neighbours_link():
    pages = [player(number, "{}") for number in range(len(NAMES))]
    examples = found_examples(pages, {"name": [NAMES[4]]})
    assert examples == {"name": {4: NAMES[4]}}
    (field,) = induce_from_examples(pages, examples, "player").fields
    assert "h1" in field.rule.xpath


def test_a_heading_that_holds_the_value_counts_before_a_link_that_is_it():
    pages = [player(number, "The player {}") for number in range(len(NAMES))]
    assert found_examples(pages, {"name": [NAMES[4]]}) == {"name": {4: NAMES[4]}}


def test_a_value_that_only_links_have_is_taken_from_a_link():
    pages = [player(number, "Player") for number in range(len(NAMES))]
    (place,) = found_examples(pages[:4], {"neighbour": [NAMES[4]]})["neighbour"]
    assert place == 3


def test_kept_fields_are_renamed_or_added_to():
    pages = [player(number, "{}") for number in range(len(NAMES))]
    known = induce(pages, "player")
    examples = found_examples(pages, {"who": [NAMES[4]], "year": ["1984"]})
    learnt = induce_from_examples(pages, examples, "player")
    both = added_to(known, learnt, pages)
    names = [field.name for field in both.fields]
    assert {"who", "year"} <= set(names)
    assert "title" not in names
    assert len(names) == len(set(names)) >= len(known.fields)
    record = extract(both, pages[2])
    assert isinstance(record, Record)
    assert (record.values["who"], record.values["year"]) == (NAMES[2], 1982)


def test_what_is_learnt_gives_the_examples_back_on_their_own_pages():
    pages = [player(number, "{}") for number in range(len(NAMES))]
    wrapper = induce_from_examples(pages, {"name": {4: NAMES[4]}, "born": {2: "1982"}}, "player")
    for place, name, value in ((4, "name", NAMES[4]), (2, "born", 1982)):
        record = extract(wrapper, pages[place])
        assert isinstance(record, Record)
        assert record.values[name] == value


def figures(number):
    """A page with two figures that are the same on the first."""
    return Document(
        f"<h1>Player {number}</h1><dl><dt>Goals</dt><dd>{2 + number}</dd>"
        f"<dt>Assists</dt><dd>{2 + 3 * number % 7}</dd><dt>Cards</dt><dd>{9 - number % 4}</dd></dl>"
        .encode(),
        f"http://x.invalid/{number}",
    )  # fmt: skip


def test_of_two_fields_with_the_value_the_one_that_the_page_calls_so_is_meant():
    pages = [figures(number) for number in range(12)]
    wrapper = induce_from_examples(pages, {"assists": {0: "2"}}, "player")
    assert extract(wrapper, pages[1]).values["assists"] == 5
    wrapper = induce_from_examples(pages, {"goals": {0: "2"}}, "player")
    assert extract(wrapper, pages[1]).values["goals"] == 3


def test_an_example_that_could_mean_two_fields_is_asked_about():
    pages = [figures(number) for number in range(12)]
    with pytest.raises(InvalidInput, match=r"'2' stands under assists, goals"):
        induce_from_examples(pages, {"number": {0: "2"}}, "player")
    wrapper = induce_from_examples(pages, {"number": {0: "2", 1: "5"}}, "player")
    assert extract(wrapper, pages[2]).values["number"] == 8


def test_a_value_is_not_looked_for_in_the_link_to_the_next_page():
    pages = [
        Document(f"<p><a href=/by>{name}</a></p><nav class=prev-next><a rel=next href=/n>{after}"
                 f"</a></nav>".encode(), f"http://x.invalid/{name}")
        for name, after in (("Ada", "Bea"), ("Bea", "Cleo"), ("Cleo", "Dora"))
    ]  # fmt: skip
    assert found_examples(pages, {"author": ["Bea"]}) == {"author": {1: "Bea"}}
