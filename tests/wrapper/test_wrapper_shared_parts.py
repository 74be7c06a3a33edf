"""Columns that say the same on pages of all classes: no single class can tell."""

from wrapper_pages import books, document, read

from sitewright.wrapper import Record, induce, lines
from sitewright.wrapper.choice.shared_parts import without_shared_parts
from sitewright.wrapper.wrapper import SHARED

_SPONSORS = "acorn birch cedar dogwood elder fir".split()
_HOUSES = "fig north paper".split()


def _site(own):
    """Pages of five classes, each with what `own` puts beside the title of its books."""
    pages = {}
    for turn, name in enumerate(("book", "author", "shelf", "event", "post")):
        pages[name] = [
            document(
                f"<h1>{one.title} {name}</h1><p class=fact>{one.isbn}</p>{own(name, one)}",
                f"{one.url}?{name}",
            )
            for one in books(12, start=1 + 20 * turn)
        ]
    wrappers = {name: induce(documents, name) for name, documents in pages.items()}
    records = {
        name: [
            line
            for one in documents
            for line in lines(wrappers[name], Record(one.url, read(wrappers[name], one)))
        ]
        for name, documents in pages.items()
    }
    return wrappers, records


def test_sponsors_that_take_turns_on_all_pages_are_no_columns():
    def sponsor(_name, one):
        firm = _SPONSORS[one.number * 7 % 6]
        return f"<div class=firm><a href='/go/{firm}'><img src='/logos/{firm}.png'></a></div>"

    wrappers, records = _site(sponsor)
    assert any("firm" in field.name for field in wrappers["book"].fields)
    found = without_shared_parts(wrappers, records)
    assert found.keys() == wrappers.keys()
    for one in found.values():
        assert {field.name for field in one.fields} == {"title", "fact"}
        assert {column.reason for column in one.dropped} >= {SHARED}
        assert one.dropped[: len(one.shared_columns())] == one.shared_columns()


def test_facts_that_some_classes_share_stay():
    def house(name, one):
        said = f"<p class=house>{_HOUSES[one.number % 3]}</p>"
        return said if name in {"book", "shelf"} else ""

    assert without_shared_parts(*_site(house)) == {}


def test_facts_with_a_label_stay_though_all_classes_have_them():
    def house(_name, one):
        return f"<dl><dt>House:</dt><dd>{_HOUSES[one.number % 3]}</dd></dl>"

    assert without_shared_parts(*_site(house)) == {}
