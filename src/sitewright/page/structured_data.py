"""What a page says for machines: JSON-LD, microdata, Open Graph and other metas.

In goes a document; out come pairs of a key and a text, as `("offers.price", "12.50")`: a key has
the keys around it in front, so that the name of an author is not that of the product.
"""

from __future__ import annotations

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
