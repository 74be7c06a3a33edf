"""Data in scripts becomes fields: JSON-LD, application/json, variables; parsed, never executed."""

from __future__ import annotations

import json

import pytest

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
        '<script>window.__APOLLO_STATE__ = {"Item:1234": {"price": 5}}; var x = {a: f(1)};'
        'const menu = ["one", true]; window[\'other\'] = {"deep": {"er": "yes"}}; run();</script>'
    )
    assert found == {
        "__APOLLO_STATE__.*.price": ["5"],
        "menu": ["one", "true"],
        "other.deep.er": ["yes"],
    }


CITY = {"city": {"name": "Tea", "size": 12, "open": True}}


@pytest.mark.parametrize(
    "script",
    [
        "window.x = {city: {name: 'Tea', size: 12, open: !0, 'old-name': null,},};",
        f"var x = JSON.parse({json.dumps(json.dumps(CITY))});",
        "window.x = {/* state */ city: {name: `Tea`, size: 12, // so many\n open: true}}",
        'window.x=(function(a,b){return {city:{name:a,size:b,open:!0,none:c}}}("T\\u0065a",12));',
        'window.x=(function(a,b,c){return {city:{name:a,size:b,open:c}};}("Tea",12,true))',
        "window.x = {city: {name: 'T\\x65a', size: 12, open: true, at: undefined, no: void 0}}",
    ],
)
def test_data_that_is_written_in_javascript_is_read(script) -> None:
    found = _values(f"<script>{script}</script>")
    assert found == {"x.city.name": ["Tea"], "x.city.size": ["12"], "x.city.open": ["true"]}


@pytest.mark.parametrize(
    "script",
    [
        "window.x = {run: function() { return 1 }}",
        "window.x = {a: 1 + 2}",
        "window.x = {a: b.c}",
        "window.x = {a: `${b}`}",
        "window.x = {a: alert(1)}",
        "window.x = {...y}",
        "window.x = {a: () => 1}",
        "window.x = (function(a){a.b = 1; return {c: a}}({}))",
        "window.x = {a: 'open",
    ],
)
def test_programs_are_not_read(script) -> None:
    assert _values(f"<script>{script}</script>") == {}


def test_the_state_of_nuxt_3_is_unpacked() -> None:
    packed = [["ShallowReactive", 1], {"data": 2, "round": 1}, ["Reactive", 3],
              {"name": 4, "sizes": 5, "day": 8}, "Tea", [6, 7], 12, -1,
              ["Date", "2026-01-31T00:00:00Z"]]  # fmt: skip
    page = f'<script type="application/json" id="__NUXT_DATA__">{json.dumps(packed)}</script>'
    found = _values(page)
    assert found["__NUXT_DATA__.name"] == ["Tea"]
    assert found["__NUXT_DATA__.sizes"] == ["12", "-1"]
    assert found["__NUXT_DATA__.day"] == ["2026-01-31T00:00:00Z"]


def test_what_next_streams_beside_a_page_is_read() -> None:
    data = {"city": {"name": "Tea", "size": 12, "map": "$L7"}, "className": "wide"}
    shown = ["$", "main", None, {"style": {"color": "red"}, "children": ["$", "$L2", None, data]}]
    stream = f'1:"$Sreact.fragment"\n2:I[77,["a.js"],"City"]\n5:{json.dumps([shown])}\n'
    parts = (stream[:60], stream[60:])
    pushes = "".join(
        f"<script>self.__next_f.push([1,{json.dumps(part)}])</script>" for part in parts
    )
    found = _values(f"<script>(self.__next_f=self.__next_f||[]).push([0])</script>{pushes}")
    assert found == {"style.color": ["red"], "city.name": ["Tea"], "city.size": ["12"]}


def test_a_cache_of_apollo_is_read_by_the_types_of_what_it_holds() -> None:
    for name in ("Tea", "Coffee"):
        state = {f"City:{name}": {"__typename": "City", "size": 12}, "ROOT_QUERY": {"a": 1}}
        found = _values(f"<script>window.__APOLLO_STATE__={json.dumps(state)};</script>")
        assert found["__APOLLO_STATE__.City.size"] == ["12"]


def test_broken_and_hostile_scripts_give_nothing_and_end() -> None:
    deep = "[" * 100_000
    wide = json.dumps({"a": list(range(200_000))})
    many = "window.a = {" * 50_000
    open_ = "{a:" * 100_000
    comments = "{" + "/*" * 50_000
    quotes = "{a: '" + "\\" * 100_000
    names = "(function(" + "a," * 5_000 + "){return " + "{a:[a,a,a]}," * 100
    for script in (
        deep,
        wide,
        many,
        open_,
        comments,
        quotes,
        names,
        '{"a": 1e999999}',
        '{"a": ' + "9" * 10_000 + "}",
    ):
        page = (
            f"<script type=application/json>{script}</script><script>window.z = {script}</script>"
            f"<script type=application/ld+json>{script}</script>"
        )
        document = Document(page.encode(), "http://site.example/")
        assert len(script_values(document.tree)) <= 3 * MAX_SCRIPT_VALUES
