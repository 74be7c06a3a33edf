"""Two layouts in one class: one field with a selector for each; foreign pages stay out."""

from __future__ import annotations

from sitewright.page import Document
from sitewright.wrapper import Extractor, Record, induce

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


def test_foreign_pages_are_no_layout() -> None:
    records = _records([*map(_new, range(24)), *map(_foreign, range(3))])
    assert all(records[:24])
    assert not any(records[24:])
