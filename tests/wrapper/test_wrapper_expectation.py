"""Values that are unlike all that was learnt are left out, and flagged."""

from sitewright import Document, extract
from sitewright.wrapper import Wrapper
from sitewright.wrapper.examples import induce_from_examples
from sitewright.wrapper.values.expectation import Expectation

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


def test_a_text_of_another_kind_is_more_surprising_than_one_of_the_same():
    expected = Expectation.of(PEOPLE)
    assert expected.surprise("Greta Gerwig") < 2
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
