"""Python source from the names and texts of a site: the one door between pages and code.

The files of a project are Jinja2 templates. Whatever a template of Python prints becomes a string
literal, as autoescaping makes texts of HTML; only filters of this module print code, and each of
them checks or makes what it prints. A list always has an item a line and a comma behind the last,
so that formatters find nothing to do, however long the texts are.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from keyword import iskeyword
from typing import TYPE_CHECKING

from sitewright.page.url import split_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jinja2 import Environment


WIDTH = 100
_INDENT = 4
_RAW_SAFE = re.compile(r"(?:[ !#-\[\]-~]|\\[ !#-~])*")
_PROSE = re.compile(r"[A-Za-z0-9_ ,.']*")
_LONGEST = 40
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*|_[A-Za-z0-9][A-Za-z0-9_]*")
_WORDS = re.compile(r"[a-z0-9]+")
_OF_AN_ITEM = frozenset({"fields", "_class", "_values", "_abc_impl"})
_OF_A_SPIDER = frozenset({"start_url", "with_rules", "other"})
"""Behind `parse_`, these are methods of spiders already."""


class Code(str):
    """What stands in a file as it is: source of our own making."""

    __slots__ = ()


def render_python(template: str, **data: object) -> str:
    """Fill a template of Python source: a text becomes a string literal."""
    return _environment(literal).get_template(template).render(data)


def render_markdown(template: str, **data: object) -> str:
    """Fill a template of Markdown: a text becomes a span of code."""
    return _environment(code_span).get_template(template).render(data)


def literal(text: str) -> str:
    """A string literal with the quotes that need fewer escapes, double ones if it is all the same.

    >>> print(literal("it's"), literal('"x"'))
    "it's" '"x"'
    """
    quote = "'" if text.count('"') > text.count("'") else '"'
    # Together with the other quote, repr escapes neither of them.
    inner = repr(text + "\"'")[1:-1].removesuffix("\"\\'").replace("\\'", "'")
    return quote + inner.replace(quote, "\\" + quote) + quote


def pattern_literal(text: str) -> str:
    """A raw string, unless some character of the expression cannot stand in one."""
    return f'r"{text}"' if "\\" in text and _RAW_SAFE.fullmatch(text) else literal(text)


def comment(text: str) -> str:
    """A comment of one line, whatever the text is."""
    return f"# {_printable(text)}".rstrip()


def code_span(text: str) -> str:
    """A text as code in Markdown: it cannot end the code, the cell or the line."""
    return "`" + _printable(text).replace("`", "'").replace("|", "\\|") + "`"


def package_name(home: str) -> str:
    """The package of a site's project, after its host; never the name of a known module."""
    host = split_url(home).hostname or "site"
    name = _identifier(host.removeprefix("www."))
    return name if "_" in name else f"{name}_site"


def is_plain(name: str) -> bool:
    """Whether a field can be declared as an attribute of an item's class."""
    return bool(_PLAIN.fullmatch(name)) and not iskeyword(name) and name not in _OF_AN_ITEM


def identifiers(names: Iterable[str]) -> dict[str, str]:
    """An identifier for each of some names, each different."""
    taken: set[str] = set(_OF_A_SPIDER)
    found: dict[str, str] = {}
    for name in names:
        found[name] = take(_identifier(name), taken)
    return found


def take(wanted: str, taken: set[str]) -> str:
    """The name, or the name with the first number that nobody else has; it is taken now."""
    numbered = (f"{wanted}_{number}" for number in range(2, len(taken) + 3))
    found = next(name for name in (wanted, *numbered) if name not in taken)
    taken.add(found)
    return found


def camel_case(identifier: str) -> str:
    """`news_list` as `NewsList`."""
    return "".join(word.capitalize() for word in identifier.split("_"))


def _identifier(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    joined = "_".join(_WORDS.findall(plain))[:_LONGEST].strip("_") or "page"
    return joined if joined[0].isalpha() else f"n{joined}"


@cache
def _environment(quote: Callable[[str], str]) -> Environment:
    """Templates that print nothing but code, numbers and quoted texts."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 - to start fast

    def printed(value: object) -> str:
        if isinstance(value, Code):
            return value
        if isinstance(value, int):
            return repr(value)
        if isinstance(value, str):
            return quote(value)
        raise TypeError(f"cannot be written as source: {value}")

    environment = Environment(
        loader=PackageLoader("sitewright.export.scrapy", "templates"),
        autoescape=False,  # noqa: S701 - what is printed is quoted for its language
        undefined=StrictUndefined,
        finalize=printed,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(_FILTERS)
    return environment


def _name(text: str) -> Code:
    if not text.isascii() or not text.isidentifier() or iskeyword(text):
        raise ValueError(f"not a name: {text!r}")
    return Code(text)


def _names(texts: Iterable[str]) -> Code:
    return Code(", ".join(map(_name, texts)))


def _prose(text: str) -> Code:
    """A sentence of our own, for a docstring."""
    if not _PROSE.fullmatch(text):
        raise ValueError(f"not a plain sentence: {text!r}")
    return Code(text)


def _comment(text: str) -> Code:
    return Code(comment(text))


def _pattern(text: str) -> Code:
    return Code(pattern_literal(text))


def _texts(texts: Iterable[str], indent: int) -> Code:
    return _list(map(literal, texts), indent)


def _patterns(texts: Iterable[str], indent: int) -> Code:
    return _list(map(pattern_literal, texts), indent)


def _list(literals: Iterable[str], indent: int) -> Code:
    """A list with an item a line."""
    lines = "".join(f"{' ' * (indent + _INDENT)}{one},\n" for one in literals)
    return Code(f"[\n{lines}{' ' * indent}]" if lines else "[]")


def _assigned(text: str, indent: int, target: str) -> Code:
    """A text behind `target = `: in parentheses where it fits only on a line of its own."""
    written = literal(text)
    fits = indent + len(target) + 3 + len(written) <= WIDTH
    if fits or indent + _INDENT + len(written) > WIDTH:
        return Code(written)
    return Code(f"(\n{' ' * (indent + _INDENT)}{written}\n{' ' * indent})")


def _percent(share: float, digits: int) -> Code:
    return Code(f"{share:.{digits}%}")


def _printable(text: str) -> str:
    """The text on one line, without characters that hide or reorder others."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


_FILTERS: dict[str, Callable[..., Code]] = {
    "assigned": _assigned,
    "comment": _comment,
    "name": _name,
    "names": _names,
    "pattern": _pattern,
    "patterns": _patterns,
    "percent": _percent,
    "prose": _prose,
    "texts": _texts,
}
