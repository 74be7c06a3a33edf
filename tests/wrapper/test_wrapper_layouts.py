"""Two layouts in one class: one field with a selector for each; foreign pages stay out."""

from __future__ import annotations

import pytest
from wrapper_pages import SITE, books, document

from sitewright.page import Document
from sitewright.wrapper import Extractor, Record, add_layouts, extract, induce

_NAMES = "Ada Bea Cleo Dora Elsa Fay Gwen Hedy Ines Jana Kira Lena Mona Nele Olga Pia".split()
_CITIES = "Arvik Borlen Calda Dunmar Erlo Fenwick Grava Holm".split()
_ROLES = "Keeper Defender Forward".split()


def _new(turn: int) -> Document:
    name = f"{_NAMES[turn % 16]} New{turn}"
    html = (
        f"<title>{name} | Cup</title><body><div class=head><h1>{name}</h1></div><dl>"
        f"<dt>Position</dt><dd>{_ROLES[turn % 3]}</dd>"
        f"<dt>Place of birth</dt><dd>{_CITIES[turn % 8]}</dd>"
        f"<dt>Height</dt><dd>{170 + turn} cm</dd><dt>Weight</dt><dd>{60 + turn} kg</dd>"
        f"<dt>Born</dt><dd>{1 + turn} July 2001</dd></dl></body>"
    )
    return Document(html.encode(), f"http://site.example/new/{turn}")


def _old(turn: int) -> Document:
    name = f"{_NAMES[turn % 16]} Old{turn}"
    html = (
        f"<title>{name} | Cup</title><body><table>"
        f"<tr><td colspan=2><font size=5>{name}</font></td></tr>"
        f"<tr><td><b>Position:</b></td><td>{_ROLES[turn % 3]}</td></tr>"
        f"<tr><td><b>Birthplace:</b></td><td>{_CITIES[(turn + 3) % 8]}</td></tr>"
        f"<tr><td><b>Height / weight:</b></td><td>1.{60 + turn} m / {70 + turn} kg</td></tr>"
        f"<tr><td><b>Date of birth:</b></td><td>{13 + turn}/09/2002</td></tr>"
        "</table></body>"
    )
    return Document(html.encode(), f"http://site.example/old/{turn}")


def _foreign(turn: int) -> Document:
    html = (
        f"<title>Shop {turn}</title><body><div class=shop><span>item {turn}</span>"
        f"<em>{turn * 7} pieces</em><i>{_CITIES[turn % 8]} depot</i></div></body>"
    )
    return Document(html.encode(), f"http://site.example/shop/{turn}")


def _records(pages: list[Document]) -> list[dict[str, object]]:
    extractor = Extractor(induce(pages, "player"))
    found = [extractor.extract(page) for page in pages]
    return [one.values if isinstance(one, Record) else {} for one in found]


def test_pages_of_an_older_design_fill_the_same_columns() -> None:
    records = _records([*map(_new, range(24)), *map(_old, range(4))])
    first, last = records[0], records[-1]
    assert all(records)
    assert first["position"] == "Keeper"
    assert last["position"] == "Keeper"
    assert first["title"] == "Ada New0"
    assert last["title"] == "Dora Old3"
    assert last["place_of_birth"] == _CITIES[6]


def test_a_label_with_two_names_gives_two_values_in_the_units_of_the_column() -> None:
    last = _records([*map(_new, range(24)), *map(_old, range(4))])[-1]
    assert last["height"] == 163
    assert last["weight"] == 73
    assert last["height_raw"] == "1.63 m"


def test_the_only_date_of_both_layouts_is_one_field() -> None:
    records = _records([*map(_new, range(24)), *map(_old, range(4))])
    assert [records[0]["born"], records[-1]["born"]] == ["2001-07-01", "2002-09-16"]


def test_a_layout_that_was_not_learnt_from_is_added_later() -> None:
    new, old = [*map(_new, range(12))], [*map(_old, range(4))]
    wrapper = induce(new, "player")
    assert not any(isinstance(Extractor(wrapper).extract(page), Record) for page in old)
    found = [Extractor(add_layouts(wrapper, new, old)).extract(page) for page in (*new, *old)]
    positions = [one.values["position"] for one in found if isinstance(one, Record)]
    assert positions == [_ROLES[turn % 3] for turn in (*range(12), *range(4))]


def test_a_wrapper_stays_the_same_for_foreign_pages() -> None:
    new = [*map(_new, range(12))]
    wrapper = induce(new, "player")
    assert add_layouts(wrapper, new, [*map(_foreign, range(4))]) is wrapper


def test_foreign_pages_are_no_layout() -> None:
    records = _records([*map(_new, range(24)), *map(_foreign, range(3))])
    assert all(records[:24])
    assert not any(records[24:])


def test_two_layouts_that_one_wrapper_was_learnt_from_fill_the_same_columns() -> None:
    records = _records([page for turn in range(12) for page in (_new(turn), _old(turn))])
    assert [one["title"] for one in records[:2]] == ["Ada New0", "Ada Old0"]
    assert all(one["title"] and one["position"] for one in records)
    assert records[0]["born"] == "2001-07-01"
    assert records[1]["born"] == "2002-09-13"


def _job(turn: int, share: int) -> Document:
    firm = f"{_NAMES[turn % 16]} {_CITIES[turn % 8]} Ltd"
    linked = f"<a href='/firm/{turn}'>{firm}</a>" if turn % share else firm
    html = (
        f"<title>Job {turn}</title><body><h1>Job {turn}</h1><div class=job>"
        f"<div>{linked}</div><div>{_CITIES[turn % 7]}</div></div></body>"
    )
    return Document(html.encode(), f"http://site.example/job/{turn}")


@pytest.mark.parametrize("share", [2, 3, 8])
def test_what_is_a_link_on_some_pages_and_plain_on_others_is_one_column(share: int) -> None:
    pages = [_job(turn, share) for turn in range(32)]
    for turn, record in enumerate(_records(pages)):
        texts = [value for value in record.values() if isinstance(value, str)]
        assert f"{_NAMES[turn % 16]} {_CITIES[turn % 8]} Ltd" in texts
        assert _CITIES[turn % 7] in texts
        assert not any(isinstance(value, list) for value in record.values())


def _item(turn: int) -> Document:
    name = f"{_NAMES[turn % 16]} {_CITIES[turn * 5 % 8]}"
    linked = f"<big><a href='/{turn}'>{name}</a></big>" if turn % 2 else f"<big>{name}</big>"
    html = f"<title>Items</title><body><table><tr><td>{linked}<br>lot {turn * 37}</td></tr></table>"
    return Document(html.encode(), f"http://site.example/item/{turn}")


def test_columns_of_one_place_that_never_meet_are_one() -> None:
    for turn, record in enumerate(_records([_item(turn) for turn in range(24)])):
        assert f"{_NAMES[turn % 16]} {_CITIES[turn * 5 % 8]}" in record.values()
        assert not any(value is None for value in record.values())


_TRANSLATED = {
    "en": ("Price", "Weight", "Colour", ("Red", "Blue", "Green")),
    "de": ("Preis", "Gewicht", "Farbe", ("Rot", "Blau", "Weiss")),
    "fr": ("Prix", "Poids", "Couleur", ("Rouge", "Bleu", "Vert")),
}


def _shop(turn: int, language: str) -> Document:
    price, weight, colour, colours = _TRANSLATED[language]
    html = (
        f"<html lang={language}><title>Kite {turn}</title><body><h1>Kite {turn}</h1><table>"
        f"<tr><th>{price}</th><td>{turn + 3}.00 \u20ac</td></tr>"
        f"<tr><th>{weight}</th><td>{turn * 7 % 50 + 1} kg</td></tr>"
        f"<tr><th>{colour}</th><td>{colours[turn % 3]}</td></tr></table></body></html>"
    )
    return Document(html.encode(), f"http://site.example/{language}/{turn}")


def test_labels_of_several_languages_are_one_field_each() -> None:
    pages = [
        *(_shop(turn, "en") for turn in range(10)),
        *(_shop(turn, "de") for turn in range(8)),
        *(_shop(turn, "fr") for turn in range(6)),
    ]
    records = _records(pages)
    assert [records[place]["colour"] for place in (0, 10, 18)] == ["Red", "Rot", "Rouge"]
    assert all(record["price"] and record["weight"] for record in records)
    assert not {"preis", "prix", "farbe"} & records[0].keys()


def test_labels_of_unlike_things_in_one_language_stay_apart() -> None:
    pages = [*(_shop(turn, "en") for turn in range(10)), *(_new(turn) for turn in range(10))]
    assert {"price", "position"} <= _records(pages)[0].keys() | _records(pages)[-1].keys()


def tagged_post(one, chance):
    """A post as blogs write it: what it is filed under is in the classes of the element around."""
    topics = [("stone", "lamp"), ("river",), ("lamp", "island"), ("clock",), ("stone",)]
    filed = topics[chance % len(topics)]
    classes = " ".join(("post", "entry", *(f"topic-{topic}" for topic in filed)))
    picture = "has-picture" if chance % 3 else ""
    links = ", ".join(f"<a href=/topic/{topic}>{topic}</a>" for topic in filed)
    return (
        f"<article class='{classes} {picture}'><header><h1>{one.title}</h1></header>"
        f"<footer><span class=by>By <a href=/by/{one.number}>{one.author}</a></span>"
        f"<span class=on>{one.published}</span><span class=filed>Filed in {links}</span></footer>"
        "</article>"
    )


def test_classes_of_a_container_that_say_what_it_is_filed_under_part_no_fields():
    def make(one):
        body = tagged_post(one, one.number)
        return document(body.replace("<article", "<main class=site><article") + "</main>", one.url)

    wrapper = induce([make(one) for one in books(20)], "post")
    for one in books(5, 40):
        found = extract(wrapper, make(one)).values
        assert found["title"] == one.title
        assert one.author in found.values()
    assert all(field.coverage == 1 for field in wrapper.fields if field.name in {"title", "by"})


def test_rows_that_are_filed_under_different_things_are_one_record_set():
    def make(shelf):
        posts = "".join(
            tagged_post(one, one.number * 7).replace("h1", "h2") for one in books(6, shelf * 10)
        )
        return document(f"<h1>Page {shelf}</h1>{posts}", f"{SITE}/blog/{shelf}.html")

    wrapper = induce([make(shelf) for shelf in range(1, 13)], "blog")
    (records,) = wrapper.record_sets
    found = extract(wrapper, make(20)).values[records.name]
    authors = [one.author for one in books(6, 200)]
    assert any([row.get(name) for row in found] == authors for name in found[0])
