"""What a page says for machines: JSON-LD, microdata, Open Graph and other metas.

In goes a document; out come pairs of a key and a text, as `("offers.price", "12.50")`: a key has
the keys around it in front, so that the name of an author is not that of the product.

`script_values` reads what only programs see: JSON-LD, and the state that a page hands to its own
scripts (`__NEXT_DATA__`, `window.X = {...}`). It is parsed, never executed.
"""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitewright.page.parser import Tree

MAX_DEPTH = 6
MAX_VALUES = 500
MAX_SIZE = 1 << 20
"""Limits against hostile pages: levels of nesting, values of one kind, characters of JSON."""


def structured_values(tree: Tree) -> list[tuple[str, str]]:
    """The texts and numbers of a page's structured data, each with its dotted key."""
    return [*_linked_data(tree), *_microdata(tree), *_metas(tree)]


def _linked_data(tree: Tree) -> Iterator[tuple[str, str]]:
    size = sum(len(script.text) for script in tree.iter_elements(("script",)) if _is_data(script))
    if 0 < size <= MAX_SIZE:
        yield from _flat(tree.json_ld())


def _is_data(script: Any) -> bool:  # noqa: ANN401 - an element of the parser
    return (script.attr("type") or "").strip().lower() == "application/ld+json"


def _microdata(tree: Tree) -> Iterator[tuple[str, str]]:
    # Asking for it walks over the whole page: few pages have any.
    if tree.select_one("[itemscope]") is not None:
        yield from _flat([item.properties for item in tree.microdata()])


def _metas(tree: Tree) -> Iterator[tuple[str, str]]:
    """Open Graph and its like: the namespace before a colon says who reads it, not what it is."""
    for meta in tree.iter_elements(("meta",)):
        key, value = meta.attr("property") or meta.attr("itemprop"), meta.attr("content")
        if key and value:
            yield key.rsplit(":", 1)[-1], value


def _flat(data: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - any JSON
    """The texts and numbers of nested data in the order of the page."""
    waiting: list[tuple[str, Any, int]] = [("", data, 0)]
    given = 0
    while waiting and given < MAX_VALUES:
        key, value, depth = waiting.pop()
        value = getattr(value, "properties", value)  # an item inside of another
        if isinstance(value, dict) and depth < MAX_DEPTH:
            inside = [(_below(key, str(name)), inner, depth + 1) for name, inner in value.items()]
            waiting += reversed(inside)
        elif isinstance(value, list) and depth < MAX_DEPTH:
            waiting += [(key, inner, depth + 1) for inner in reversed(value)]
        elif isinstance(value, str | int | float) and not key.rpartition(".")[2].startswith("@"):
            given += 1
            yield key, str(value)


def _below(key: str, name: str) -> str:
    """The dotted key of what stands inside; `@graph` and the like only hold things together."""
    if not key or key.rpartition(".")[2].startswith("@"):
        return name
    return f"{key}.{name}"


# What stands in scripts.

MAX_SCRIPT_VALUES = 3000
MAX_SCRIPT_DEPTH = 10
MAX_KEY = 200
_MOST_STATES = 20
_ASSIGNED = re.compile(
    r"(?:window|self|globalThis)(?:\.|\[[\"'])(?P<global>[\w$]{1,80})(?:[\"']\])?\s{0,9}=\s{0,9}(?=[{\[])"
    r"|\b(?:var|let|const)\s{1,9}(?P<name>[\w$]{1,80})\s{0,9}=\s{0,9}(?=[{\[])"
)
_JSON_TYPES = frozenset({"application/json", "text/json", "application/vnd.api+json"})
_PROGRAMS = frozenset({"", "text/javascript", "application/javascript", "module"})
_IDENTIFIER = re.compile(r"\d{3,}|[0-9a-f]{8}-?[0-9a-f]{4}|[^\w.@:$ -]")
_CONTAINERS = frozenset(
    {"props", "pageprops", "data", "state", "initialstate", "payload", "result"}
)
"""Keys that hold everything else, and say nothing of it."""


def script_values(tree: Tree) -> list[tuple[str, str]]:
    """The texts and numbers in the scripts of a page, each with its dotted key.

    The key begins with what the data is of: its `@type` in JSON-LD, else the id of the script or
    the name of the variable.
    """
    found = [*_linked_values(tree), *_state_values(tree)]
    return [(key, text) for key, text in found if len(key) <= MAX_KEY]


def _linked_values(tree: Tree) -> Iterator[tuple[str, str]]:
    for script in tree.iter_elements(("script",)):
        if _is_data(script):
            for item in _graph(_json(script.text)):
                kind = item.get("@type")
                kind = kind[0] if isinstance(kind, list) and kind else kind
                yield from _deep(item, kind if isinstance(kind, str) else "")


def _graph(data: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - any JSON
    """The things that JSON-LD speaks of."""
    for item in islice(data if isinstance(data, list) else [data], _MOST_STATES):
        if isinstance(item, dict):
            inner = item.get("@graph")
            if isinstance(inner, list):
                yield from (one for one in inner[:_MOST_STATES] if isinstance(one, dict))
            else:
                yield item


def _state_values(tree: Tree) -> Iterator[tuple[str, str]]:
    left = MAX_SIZE
    for script in tree.iter_elements(("script",)):
        kind = (script.attr("type") or "").strip().lower()
        text = script.text if kind in _JSON_TYPES or kind in _PROGRAMS else ""
        left -= len(text)
        if not text or left < 0:
            continue
        if kind in _JSON_TYPES:
            yield from _deep(_json(text), script.attr("id") or "json")
        elif script.attr("src") is None:
            yield from _assigned(text)


def _assigned(text: str) -> Iterator[tuple[str, str]]:
    """The values of variables that are plain JSON: `window.state = {"price": 12}`."""
    decoder = json.JSONDecoder()
    for found in islice(_ASSIGNED.finditer(text), _MOST_STATES):
        try:
            data, _end = decoder.raw_decode(text, found.end())
        except (ValueError, RecursionError):
            continue  # a program, no data
        yield from _deep(data, found["global"] or found["name"])


def _json(text: str) -> Any:  # noqa: ANN401 - any JSON
    if len(text) > MAX_SIZE:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _deep(data: Any, name: str) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - any JSON
    """The values of nested data, by their keys; numbers in keys name one thing, not a kind."""
    waiting: list[tuple[str, Any, int]] = [(_segment(name), data, 0)]
    given = 0
    while waiting and given < MAX_SCRIPT_VALUES:
        key, value, depth = waiting.pop()
        if isinstance(value, dict) and depth < MAX_SCRIPT_DEPTH:
            inside = [(_joined(key, str(one)), inner, depth + 1) for one, inner in value.items()]
            waiting += reversed(inside)
        elif isinstance(value, list) and depth < MAX_SCRIPT_DEPTH:
            waiting += [(key, inner, depth + 1) for inner in reversed(value)]
        elif isinstance(value, str | int | float) and value != "":
            given += 1
            if not key.rpartition(".")[2].startswith("@"):
                yield key, str(value).lower() if isinstance(value, bool) else str(value)


def _joined(key: str, name: str) -> str:
    if name.casefold() in _CONTAINERS or len(key) > MAX_KEY:
        return key
    return f"{key}.{_segment(name)}" if key else _segment(name)


def _segment(name: str) -> str:
    """A key as a part of a path: what numbers one thing is left out."""
    return "*" if _IDENTIFIER.search(name) else name.replace(".", "_")[:80]


_ANY_PAGE = frozenset(
    {"WebPage", "WebSite", "Organization", "BreadcrumbList", "ListItem", "ImageObject", "Person",
     "ItemList", "SiteNavigationElement", "WPHeader", "WPFooter", "WPSideBar", "SearchAction",
     "PostalAddress", "LocalBusiness", "Thing", "website", "Corporation"}
)  # fmt: skip
"""Types that say nothing of a page: nearly every page of a site may declare them."""


def declared_type(tree: Tree) -> str:
    """What a page declares to be: the first type of its JSON-LD or microdata that says something.

    Of one page that is no more than a hint: whoever wants to know looks at many.
    """
    scripts = [script for script in tree.iter_elements(("script",)) if _is_data(script)]
    if scripts and sum(len(script.text) for script in scripts) <= MAX_SIZE:
        for item in _top_items(tree.json_ld()):
            if named := _type_name(item.get("@type")):
                return named
    scope = tree.select_one("[itemscope][itemtype]")
    return _type_name(scope.attr("itemtype")) if scope is not None else ""


def _top_items(data: list[Any]) -> Iterator[dict[str, Any]]:
    """What JSON-LD describes, one by one, with what stands in a graph."""
    waiting = data[:MAX_VALUES]
    for item in waiting:
        inside = item
        if isinstance(item, dict):
            yield item
            inside = item.get("@graph")
        if isinstance(inside, list):
            waiting += inside[: max(0, MAX_VALUES - len(waiting))]


def _type_name(value: object) -> str:
    """The last part of a type's name; empty for a type that any page may have."""
    first = value[0] if isinstance(value, list) and value else value
    name = first.strip().rstrip("/").rpartition("/")[2] if isinstance(first, str) else ""
    return "" if name in _ANY_PAGE or not name.isidentifier() or len(name) > 40 else name
