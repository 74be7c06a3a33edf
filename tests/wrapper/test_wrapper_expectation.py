"""Values that are unlike all that was learnt are left out, and flagged."""

import math

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from sitewright import Document, extract
from sitewright.wrapper import Wrapper
from sitewright.wrapper.examples import induce_from_examples
from sitewright.wrapper.values.expectation import Expectation
from sitewright.wrapper.values.value_model import current_value_model, shipped_value_model

PEOPLE = ["David Lean", "Jane Campion", "Mira Nair", "Agnes Varda", "Lynne Ramsay", "Sofia Coppola",
          "Wim Wenders", "Claire Denis", "Kelly Reichardt", "Spike Jonze"]  # fmt: skip


def film(number, person, before="", after=""):
    """A page whose values only their places tell apart."""
    html = (
        f"<h1>Film {number}</h1><div class=c>{before}<p class=d>{19 * number} min</p>"
        f"<p class=d>{person}</p><p class=d>Save this film</p>{after}</div>"
    )
    return Document(html.encode(), f"http://x.invalid/{number}")


def films():
    return [film(number, person) for number, person in enumerate(PEOPLE, 2)]


def learnt() -> Wrapper:
    pages = films()
    examples = {"title": {0: "Film 2"}, "director": {0: PEOPLE[0], 1: PEOPLE[1]}}
    return induce_from_examples(pages, examples, "film")


def director(page):
    record = extract(learnt(), page)
    return record.values["director"], record.values.get("_doubtful")


def test_a_text_of_another_kind_is_odder_than_one_of_the_same():
    expected = Expectation.of(PEOPLE)
    odds = current_value_model().odds
    assert odds(expected.measures("Greta Gerwig")) < odds(expected.measures("Dec 7, 2007"))
    assert expected.is_unlike("Dec 7, 2007")
    assert expected.is_unlike(",")
    assert not expected.is_unlike("Greta Gerwig")


def test_from_a_few_texts_nothing_is_unlike_but_what_stands_beside_them():
    expected = Expectation.of(PEOPLE[:3], ["Save this film", PEOPLE[0]])
    assert not expected.is_unlike("Dec 7, 2007")
    assert expected.is_unlike("Save this film")
    assert not expected.is_unlike(PEOPLE[0])


def test_a_dash_says_that_there_is_no_value_and_is_no_alarm():
    assert not Expectation.of(PEOPLE).is_unlike("-")


def test_on_pages_like_the_learnt_ones_values_are_read_as_they_are():
    assert director(film(30, "Greta Gerwig")) == ("Greta Gerwig", None)


def test_a_shifted_place_gives_no_value_and_is_flagged():
    assert director(film(31, "Greta Gerwig", before="<p class=d>3 h, 1 h</p>")) == (
        None,
        ["director"],
    )
    fewer = Document(
        b"<h1>Film 9</h1><div class=c><p class=d>90 min</p><p class=d>Save this film</p></div>"
    )
    assert director(fewer) == (None, ["director"])


def test_what_a_label_names_is_never_doubted():
    pages = [
        Document(f"<h1>{n}</h1><dl><dt>Director:</dt><dd>{one}</dd></dl>".encode())
        for n, one in enumerate(PEOPLE)
    ]
    wrapper = induce_from_examples(pages, {"director": {0: PEOPLE[0], 1: PEOPLE[1]}}, "film")
    assert wrapper.fields[0].expected is None


TEXTS = st.lists(st.text(min_size=1, max_size=30).map(str.strip).filter(bool), min_size=1)


@given(TEXTS)
def test_what_was_learnt_from_is_never_unlike_it(texts):
    expected = Expectation.of(texts, ["Save this film", ","])
    assert not any(map(expected.is_unlike, texts))


@given(TEXTS, st.randoms(use_true_random=False))
def test_the_order_of_the_texts_does_not_matter(texts, random):
    shuffled = random.sample(texts, len(texts))
    assert Expectation.of(shuffled) == Expectation.of(texts)


@given(TEXTS, st.text())
def test_any_text_has_the_same_measures_as_any_other(texts, text):
    measures = Expectation.of(texts).measures(text)
    assert measures.keys() == Expectation.of(PEOPLE).measures("Mira Nair").keys()
    assert measures.keys() >= shipped_value_model().weights.keys()
    assert all(map(math.isfinite, measures.values()))


def test_what_is_kept_is_bounded_and_keeps_the_oddest():
    texts = [f"{number} words of some text" for number in range(500)] + ["Dec 7, 2007!"]
    expected = Expectation.of(texts)
    assert len(msgspec.json.encode(expected)) < 4000
    assert not expected.is_unlike("Dec 7, 2007!")
    assert not any(map(expected.is_unlike, texts))


def test_a_file_without_words_and_marks_is_judged_by_its_traits():
    known = Expectation.of(PEOPLE)
    older = Expectation(known.texts, known.traits, ("Save this film",))
    assert older.is_unlike("Save this film")
    assert older.is_unlike("A page of prose, with 12 things in it, about 13 others (and more): $7")
    assert not older.is_unlike("Greta Gerwig")
