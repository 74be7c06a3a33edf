"""Several languages in one class: words of a language are no data, and labels are translated."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sitewright.page import Document
from sitewright.wrapper import Extractor, Record, induce
from sitewright.wrapper.languages import is_constant_of_languages

_WORDS = {
    "en": ("Brand:", "Code:", "Stock:", "Add to basket", ("In stock", "In stock")),
    "nl": ("Merk:", "Artikel:", "Voorraad:", "In winkelmand", ("Leverbaar", "Op bestelling")),
}
_BRANDS = "Arvik Borlen Calda Dunmar Erlo Fenwick".split()


def _product(turn: int, language: str) -> Document:
    brand, code, stock, basket, stocks = _WORDS[language]
    html = (
        f"<html lang={language}-x><title>Kite {turn}</title><body><h1>Kite {turn}</h1><ul>"
        f"<li class=make>{brand} <a href=/{language}/brand/{turn % 6}>{_BRANDS[turn % 6]}</a></li>"
        f"<li class=code>{code} <span>K{turn * 7}</span></li>"
        f"<li class=stock>{stock} <span>{stocks[turn % 2]}</span></li></ul>"
        f"<p class=offer>{turn * 3 + 5}.50</p><a class=basket href=/{language}/basket>{basket}</a>"
        "</body></html>"
    )
    return Document(html.encode(), f"http://shop.example/{language}/{turn}")


def _records(pages: list[Document]) -> list[dict[str, object]]:
    extractor = Extractor(induce(pages, "product"))
    found = [extractor.extract(page) for page in pages]
    return [one.values if isinstance(one, Record) else {} for one in found]


def _shop() -> list[Document]:
    return [
        *(_product(turn, "en") for turn in range(12)),
        *(_product(turn, "nl") for turn in range(9)),
    ]


def test_a_button_in_the_words_of_each_language_is_no_column() -> None:
    records = _records(_shop())
    values = {value for record in records for value in record.values() if isinstance(value, str)}
    assert values.isdisjoint({"Add to basket", "In winkelmand"})
    assert not any(value.endswith("/basket") for value in values)


def test_labels_with_classes_of_their_own_are_translated_where_one_value_never_changes() -> None:
    records = _records(_shop())
    assert all(record["brand"] in _BRANDS for record in records)
    assert [records[place]["code"] for place in (1, 13)] == ["K7", "K7"]
    assert not {"merk", "artikel"} & records[-1].keys()


def test_what_all_pages_of_one_language_share_is_data_where_another_language_varies() -> None:
    records = _records(_shop())
    assert {"Leverbaar", "Op bestelling"} <= set(records[12].values()) | set(records[13].values())


_TEXTS = st.lists(st.sampled_from(["a", "b"]), max_size=1)


@given(st.lists(st.tuples(st.sampled_from(["en", "nl", ""]), _TEXTS), max_size=20))
def test_no_constant_of_languages_has_two_texts_in_one(
    pages: list[tuple[str, list[str]]],
) -> None:
    languages = [language for language, _ in pages]
    texts = [found for _, found in pages]
    if is_constant_of_languages(languages, texts):
        said = {(language, *found) for language, found in pages if found}
        assert len(said) == len({language for language, *_ in said}) > 1
        assert is_constant_of_languages(languages[::-1], texts[::-1])
