"""What a page says for machines: JSON-LD, microdata, Open Graph and other metas.

In goes a document; out come pairs of a key and a text, as `("offers.price", "12.50")`: a key has
the keys around it in front, so that the name of an author is not that of the product.

`script_values` reads what only programs see: JSON-LD, and the state that a page hands to its own
scripts (`__NEXT_DATA__`, Nuxt's and Apollo's, `window.X = {...}`). It is parsed, never executed.
"""

from __future__ import annotations

import json
import re
import sys
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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
_DATA_BEGINS = r"\s{0,9}=\s{0,9}(?=[{\[]|JSON\.parse\(|\(function\b)"
_ASSIGNED = re.compile(
    r"(?:window|self|globalThis)(?:\.|\[[\"'])(?P<global>[\w$]{1,80})(?:[\"']\])?" + _DATA_BEGINS
    + r"|\b(?:var|let|const)\s{1,9}(?P<name>[\w$]{1,80})" + _DATA_BEGINS
)  # fmt: skip
_NUXT_DATA = "__NUXT_DATA__"
_STREAMED = re.compile(r"""\b__next_f\.push\(\[1,\s{0,9}("(?:[^"\\]|\\.)*")\]\)""", re.DOTALL)
_COMPONENT = 4
"""How long the list is that stands for a component: a mark, its type, its key, what it is given."""
MAX_TOKENS = 200_000
"""What is read of one script that is no JSON."""
_MAX_LITERAL_DEPTH = 40
_CALLED_FUNCTION = re.compile(r"\(function\s{0,9}\(([\w$,\s]{0,20000})\)\s{0,9}\{\s{0,9}return\b")
_JS_TOKEN = re.compile(
    r"(?:\s|//[^\n]*|/\*.*?\*/)*"
    r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`"""
    r"|(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|JSON\.parse|[\w$]+|[{}\[\]():,;!-])",
    re.DOTALL,
)
_JS_NAME = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")
_ESCAPE = re.compile(
    r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL
)
_CONSTANTS = {"true": True, "false": False, "null": None, "undefined": None, "NaN": None}
_KEYWORDS = frozenset({"function", "async", "await", "class", "return", "if", "for", "typeof"})
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
    left, streamed = MAX_SIZE, []
    for script in tree.iter_elements(("script",)):
        kind = (script.attr("type") or "").strip().lower()
        text = script.text if kind in _JSON_TYPES or kind in _PROGRAMS else ""
        left -= len(text)
        if not text or left < 0:
            continue
        if kind in _JSON_TYPES:
            name, data = script.attr("id") or "json", _json(text)
            yield from _deep(_unpacked(data) if name == _NUXT_DATA else data, name)
        elif script.attr("src") is None:
            yield from _assigned(text)
            streamed += _STREAMED.findall(text)
    yield from _streamed_values("".join(map(_streamed_text, streamed)))


def _streamed_text(written: str) -> str:
    text = _json(written)
    return text if isinstance(text, str) else ""


def _streamed_values(text: str) -> Iterator[tuple[str, str]]:
    """The data that Next.js streams beside a page: what its components are given, line by line.

    `5:["$","$L1",null,{"city":{"name":"Tea"}}]`: a component is a list that begins with `$`. Of
    what it is given, data counts: texts and settings of its own are in the page, or of no use.
    """
    waiting = [_json(line.partition(":")[2]) for line in text.splitlines()[:MAX_VALUES]]
    waiting.reverse()
    left = MAX_SCRIPT_VALUES
    while waiting and left > 0:
        value = waiting.pop()
        left -= 1
        if not _is_component(value):
            waiting += reversed(_inside(value))
            continue
        given = value[-1] if len(value) == _COMPONENT else None
        for name, inner in given.items() if isinstance(given, dict) else ():
            if name == "children" or _shows_components(inner):
                waiting.append(inner)
            elif isinstance(inner, dict | list):
                yield from (pair for pair in _deep(inner, name) if not pair[1].startswith("$"))


def _is_component(value: Any) -> bool:  # noqa: ANN401 - any JSON
    return isinstance(value, list) and bool(value) and value[0] == "$"


def _inside(value: Any) -> list[Any]:  # noqa: ANN401 - any JSON
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _shows_components(data: Any) -> bool:  # noqa: ANN401 - any JSON
    """Whether data holds what is to be shown, as the router's own does."""
    waiting, left = [data], MAX_VALUES
    while waiting and left > 0:
        value = waiting.pop()
        left -= 1
        if _is_component(value):
            return True
        waiting += _inside(value)
    return False


def _assigned(text: str) -> Iterator[tuple[str, str]]:
    """The values of variables that are data: `window.state = {"price": 12}`, `{price: 12}`."""
    decoder, literals = json.JSONDecoder(), _Literals(text)
    for found in islice(_ASSIGNED.finditer(text), _MOST_STATES):
        try:
            data, _end = decoder.raw_decode(text, found.end())
        except (ValueError, RecursionError):
            try:
                data = literals.read(found.end())
            except (ValueError, RecursionError):
                continue  # a program, no data
        yield from _deep(data, found["global"] or found["name"])


def _unpacked(data: Any) -> Any:  # noqa: ANN401 - any JSON
    """The data of Nuxt 3: a list of values that name those inside of them by their places."""
    if not isinstance(data, list) or not data:
        return None
    left = MAX_SCRIPT_VALUES

    def value(place: object, depth: int) -> Any:  # noqa: ANN401 - any JSON
        nonlocal left
        left -= 1
        if type(place) is not int or not 0 <= place < len(data) or left < 0:
            return None
        held = data[place]
        if not isinstance(held, dict | list) or depth > MAX_SCRIPT_DEPTH:
            return held if not isinstance(held, dict | list) else None
        if isinstance(held, dict):
            return {name: value(inner, depth + 1) for name, inner in held.items()}
        if held and isinstance(held[0], str):  # ["Reactive", 1], ["Date", "2026-01-31"]
            last = held[-1]
            return last if isinstance(last, str) else value(last, depth)
        return [value(inner, depth + 1) for inner in held]

    return value(0, 0)


class _Name(NamedTuple):
    """A name in a program, where a value should stand."""

    name: str


class _Literals:
    """Reads values that are written in JavaScript: parsed, never executed.

    Objects with bare names, single quotes, trailing commas, `!0`, `void 0`, `new Date("...")`,
    `JSON.parse("...")`, and a function that does nothing but return one, called at once with the
    values of its names, as Nuxt 2 writes its state. Anything else is a program: `ValueError`. All
    values of one script share a limit of tokens.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._left = MAX_TOKENS
        self._at = 0

    def read(self, start: int) -> Any:  # noqa: ANN401 - any JSON
        """The value that begins at a place."""
        self._at = start
        function = _CALLED_FUNCTION.match(self._text, start)
        if function is None:
            return _named(self._value(0), {})
        self._at = function.end()
        value = self._value(0)
        for expected in ("}", "("):
            if expected == "}":
                self._skip(";")
            self._expect(expected)
        names = [name.strip() for name in function[1].split(",")]
        return _named(value, dict(zip(names, self._items(")", 0), strict=False)))

    def _token(self) -> str:
        self._left -= 1
        found = _JS_TOKEN.match(self._text, self._at)
        if found is None or self._left < 0:
            raise ValueError("no data")
        self._at = found.end()
        return found[1]

    def _peek(self) -> str:
        before = self._at
        token = self._token()
        self._at = before
        return token

    def _skip(self, token: str) -> bool:
        is_there = self._peek() == token
        if is_there:
            self._token()
        return is_there

    def _expect(self, token: str) -> None:
        if self._token() != token:
            raise ValueError("no data")

    def _value(self, depth: int) -> Any:  # noqa: ANN401 - any JSON
        if depth > _MAX_LITERAL_DEPTH:
            raise ValueError("too deep")
        token = self._token()
        match token[0]:
            case "{":
                return self._object(depth)
            case "[":
                return self._items("]", depth)
            case '"' | "'" | "`":
                return _unquoted(token)
            case digit if digit.isdigit():
                return json.loads(token)
        return self._word(token, depth)

    def _word(self, token: str, depth: int) -> Any:  # noqa: ANN401 - any JSON
        if token in {"!", "-", "void", "new"}:
            return self._prefixed(token, depth)
        if token in {"JSON.parse", "Date"}:
            return self._call(token, depth)
        if _JS_NAME.fullmatch(token) and token not in _KEYWORDS:
            return _CONSTANTS[token] if token in _CONSTANTS else _Name(token)
        raise ValueError("no data")

    def _object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while not self._skip("}"):
            token = self._token()
            if token[0] in "\"'":
                token = _unquoted(token)
            elif not _JS_NAME.fullmatch(token) and not token.isdigit():
                raise ValueError("no data")
            self._expect(":")
            found[token] = self._value(depth + 1)
            if not self._skip(",") and self._peek() != "}":
                raise ValueError("no data")
        return found

    def _items(self, end: str, depth: int) -> list[Any]:
        found: list[Any] = []
        while not self._skip(end):
            found.append(self._value(depth + 1))
            if not self._skip(",") and self._peek() != end:
                raise ValueError("no data")
        return found

    def _prefixed(self, token: str, depth: int) -> Any:  # noqa: ANN401 - any JSON
        value = self._value(depth + 1)
        match token:
            case "!":
                return not value
            case "-" if isinstance(value, int | float):
                return -value
            case "new":
                return value
        return None

    def _call(self, name: str, depth: int) -> Any:  # noqa: ANN401 - any JSON
        self._expect("(")
        given = self._items(")", depth)
        first = given[0] if given else None
        return _json(first) if name == "JSON.parse" and isinstance(first, str) else first


def _named(value: Any, names: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON
    """A value with what its names stand for; a name that stands for nothing is none."""
    if isinstance(value, _Name):
        return names.get(value.name)
    if isinstance(value, dict):
        return {name: _named(inner, names) for name, inner in value.items()}
    return [_named(inner, names) for inner in value] if isinstance(value, list) else value


def _unquoted(token: str) -> str:
    """The text of a string of JavaScript."""
    if token[0] == "`" and "${" in token:
        raise ValueError("a template")
    return _ESCAPE.sub(_unescaped, token[1:-1])


def _unescaped(found: re.Match[str]) -> str:
    code = found[1] or found[2] or found[3]
    if code:
        number = int(code, 16)
        return chr(number) if number <= sys.maxunicode else ""
    return {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "\n": ""}.get(
        found[4], found[4]
    )


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
            inside = [
                (_joined(key, _entity(str(one), inner)), inner, depth + 1)
                for one, inner in value.items()
            ]
            waiting += reversed(inside)
        elif isinstance(value, list) and depth < MAX_SCRIPT_DEPTH:
            waiting += [(key, inner, depth + 1) for inner in reversed(value)]
        elif isinstance(value, str | int | float) and value != "":
            given += 1
            if not key.rpartition(".")[2].startswith("@"):
                yield key, str(value).lower() if isinstance(value, bool) else str(value)


def _entity(name: str, value: Any) -> str:  # noqa: ANN401 - any JSON
    """A key as it is on all pages: caches name what they hold `City:7`, after its type."""
    kind = value.get("__typename") if isinstance(value, dict) else None
    return kind if isinstance(kind, str) and kind and name.startswith(f"{kind}:") else name


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
