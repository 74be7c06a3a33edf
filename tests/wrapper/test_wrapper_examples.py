"""Which page an example comes from, and the field that it chooses."""

from __future__ import annotations

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
