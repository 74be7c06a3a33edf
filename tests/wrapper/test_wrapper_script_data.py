"""Data in scripts becomes fields: JSON-LD, application/json, variables; parsed, never executed."""

from __future__ import annotations

import json

from sitewright.page import Document
from sitewright.page.selector import Selector
from sitewright.page.structured_data import MAX_SCRIPT_VALUES, script_values
from sitewright.wrapper import Wrapper, extract, induce
from sitewright.wrapper.reading import Record

_BRANDS = "Acme Bolt Corva Delph".split()


def _values(html: str) -> dict[str, list[str]]:
    return Document(html.encode(), "http://site.example/").index.data()


def _product(turn: int) -> Document:
    data = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": f"Lamp {turn}",
        "sku": f"L-{turn:03d}x",
        "brand": {"@type": "Brand", "name": _BRANDS[turn % 4]},
        "offers": {"price": f"{10 + turn}.50", "priceCurrency": ["EUR", "USD"][turn % 2]},
    }
    state = {"props": {"pageProps": {"product": {"stockLevel": 100 + turn, "theme": "dark"}}}}
    html = (
        f"<title>Lamp {turn} | Shop</title>"
        f"<script type='application/ld+json'>{json.dumps(data)}</script>"
        f"<body><h1>Lamp {turn}</h1><p class=x>A lamp with {turn} lights for every room.</p>"
        f"<span class=b>${10 + turn}.50</span>"
        f"<script id=__NEXT_DATA__ type='application/json'>{json.dumps(state)}</script></body>"
    )
    return Document(html.encode(), f"http://site.example/{turn}")


def _wrapper() -> Wrapper:
    return induce([_product(turn) for turn in range(16)], "product")


def test_what_only_scripts_say_is_a_column() -> None:
    found = extract(_wrapper(), _product(21))
    assert isinstance(found, Record)
    assert found.values["sku"] == "L-021x"
    assert found.values["brand"] == "Bolt"
    assert found.values["price_currency"] == "USD"
    assert found.values["stock_level"] == 121


def test_what_the_page_shows_too_is_one_column_with_the_name_of_the_data() -> None:
    names = [field.name for field in _wrapper().fields]
    assert names.count("price") == 1
    assert [name for name in names if "name" in name] == ["name"]
    assert "theme" not in names  # the same on all pages


def test_a_key_of_data_is_written_and_read_back() -> None:
    selector = Selector.parse("data('Product.offers.price')")
    assert selector.data_key() == "Product.offers.price"
    assert str(selector) == "data('Product.offers.price')"
    assert Selector.parse(str(selector)) == selector


def test_variables_that_are_json_are_read_and_programs_are_not() -> None:
    found = _values(
        '<script>window.__APOLLO_STATE__ = {"Item:1234": {"price": 5}}; var x = {a: 1};'
        'const menu = ["one", true]; window[\'other\'] = {"deep": {"er": "yes"}}; run();</script>'
    )
    assert found == {
        "__APOLLO_STATE__.*.price": ["5"],
        "menu": ["one", "true"],
        "other.deep.er": ["yes"],
    }


def test_broken_and_hostile_scripts_give_nothing_and_end() -> None:
    deep = "[" * 100_000
    wide = json.dumps({"a": list(range(200_000))})
    many = "window.a = {" * 50_000
    for script in (deep, wide, many, '{"a": 1e999999}', '{"a": ' + "9" * 10_000 + "}"):
        page = (
            f"<script type=application/json>{script}</script><script>window.z = {script}</script>"
            f"<script type=application/ld+json>{script}</script>"
        )
        document = Document(page.encode(), "http://site.example/")
        assert len(script_values(document.tree)) <= 3 * MAX_SCRIPT_VALUES
