"""Labelled places where all learnt pages say the same: another text is flagged, and learnt."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from sitewright import Document, extract, formats, induce
from sitewright.wrapper import Wrapper, add_columns

NAMES = "Aldby Borgå Cerwin Dormund Elvane Farrow Gildea Hove Ister Jorund Kelda Lorn".split()


def school(number, kind="Private", menu="Log in"):
    """A page of a class with a labelled fact that may say the same on all pages."""
    html = (
        f"<nav><b>You:</b><i>{menu}</i></nav><h1>{NAMES[number % 12]} College {number}</h1>"
        f"<table><tr><td>Type:</td><td>{kind}</td></tr>"
        f"<tr><td>Founded:</td><td>{1800 + 7 * number}</td></tr>"
        f"<tr><td>Students:</td><td>{500 + 13 * number * number}</td></tr></table>"
    )
    return Document(html.encode(), f"http://x.invalid/{number}")


PAGES = [school(number) for number in range(12)]


def doubtful(wrapper: Wrapper, page: Document):
    return extract(wrapper, page).values.get("_doubtful")


def test_a_labelled_place_that_says_the_same_on_all_pages_is_kept_and_is_no_column():
    wrapper = induce(PAGES, "school")
    assert [(one.name, one.samples) for one in wrapper.constants] == [("type", ("Private",))]
    assert "type" not in [one.name for one in wrapper.fields]


def test_a_page_that_says_something_else_there_is_flagged():
    wrapper = induce(PAGES, "school")
    assert doubtful(wrapper, school(20, "Public")) == ["type"]
    assert doubtful(wrapper, school(20, "Private")) is None
    assert doubtful(wrapper, school(20, menu="Log out")) is None
    lacking = Document(PAGES[3].body.replace(b"Type:", b"Kind:"), "http://x.invalid/30")
    assert doubtful(wrapper, lacking) is None


@settings(max_examples=8)
@given(st.permutations(range(12)))
def test_the_order_of_pages_does_not_matter_and_learnt_pages_are_never_flagged(order):
    wrapper = induce([PAGES[place] for place in order], "school")
    assert wrapper.constants == induce(PAGES, "school").constants
    assert all(doubtful(wrapper, page) is None for page in PAGES)


def test_a_wrapper_file_keeps_the_places_and_an_older_file_has_none(tmp_path):
    wrapper = induce(PAGES, "school")
    path = tmp_path / "wrapper.json"
    formats.write(path, wrapper)
    assert formats.read(path, Wrapper).constants == wrapper.constants
    older = json.loads(path.read_text())
    del older["constants"]
    path.write_text(json.dumps(older))
    assert formats.read(path, Wrapper).constants == ()


def test_pages_that_say_something_else_make_a_column_of_the_place():
    wrapper = induce(PAGES, "school")
    others = [school(30, "Public"), school(31, "Public"), school(32, "Church")]
    found = add_columns(wrapper, [*PAGES, *others], ["type"])
    assert [one.name for one in found.fields][:2] == ["title", "type"]
    assert found.constants == ()
    record = extract(found, school(40, "Public"))
    assert record.values["type"] == "Public"
    assert "_doubtful" not in record.values
    kept = [one for one in found.fields if one.name != "type"]
    assert [one.rule.selector for one in kept] == [one.rule.selector for one in wrapper.fields]
