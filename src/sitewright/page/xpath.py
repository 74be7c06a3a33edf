"""XPath read into steps and predicates, with one tokeniser and one parser for all of it.

`parse_xpath` takes what `Selector.xpath()` writes apart again, also when a person has edited it.
What has no form of its own in `page/steps.py` is kept as it is written.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, Never, TypeAlias

from sitewright.page import parser
from sitewright.page.steps import (
    After,
    Attribute,
    HasChild,
    HasClass,
    HasOwnText,
    HasTag,
    HasText,
    HasTitle,
    HasWords,
    LacksChild,
    OtherExpression,
    OtherPredicate,
    OwnText,
    Path,
    Position,
    Predicate,
    Step,
    TextIs,
    TextIsNot,
    TextStartsWith,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


_EMPTY_PAGE = parser.parse(b"")


def parse_xpath(text: str) -> tuple[Path | OtherExpression, ...]:
    """The paths of an expression; ValueError if it is none that the engine can evaluate."""
    tokens = list(_tokens(text))
    try:
        parser.compiled(text)(_EMPTY_PAGE)
        _check_functions(tokens)
    except (ValueError, TypeError) as error:
        raise ValueError(f"not an XPath expression: {text!r}: {error}") from None
    return tuple(_expression(text, part) for part in _split(tokens, "|"))


class _Token(NamedTuple):
    kind: str
    value: str
    """What a literal says; any other token as it is written."""
    start: int
    end: int


class _Literal(NamedTuple):
    """A string among the names and symbols of a predicate."""

    value: str


_NAME = re.compile(r"[^\W\d][\w.-]*(?::[^\W\d][\w.-]*)?")
_TOKEN = re.compile(
    r"""(?P<literal>"[^"]*"|'[^']*')
    |(?P<name>[^\W\d][\w.-]*(?::(?!:)[^\W\d][\w.-]*)?)
    |(?P<number>[0-9]+(?:\.[0-9]*)?|\.[0-9]+)
    |(?P<symbol>::|//|\.\.|!=|<=|>=|[^\s])""",
    re.VERBOSE,
)
_NODE_TYPES = frozenset({"text", "node", "comment"})
_FEW_DIGITS = 9


def _tokens(text: str) -> Iterator[_Token]:
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup or ""
        value = found[0][1:-1] if kind == "literal" else found[0]
        yield _Token(kind, value, found.start(), found.end())


def _split(tokens: Sequence[_Token], symbol: str) -> Iterator[list[_Token]]:
    """The tokens between a symbol, wherever it stands in no brackets."""
    part: list[_Token] = []
    depth = 0
    for token in tokens:
        is_symbol = token.kind != "literal"
        depth += (is_symbol and token.value in "([") - (is_symbol and token.value in ")]")
        if depth == 0 and is_symbol and token.value == symbol:
            yield part
            part = []
        else:
            part.append(token)
    yield part


def _expression(text: str, tokens: list[_Token]) -> Path | OtherExpression:
    try:
        return _PathParser(text, tokens).path()
    except _OtherFormError:
        return OtherExpression(text[tokens[0].start : tokens[-1].end])


def _check_functions(tokens: Sequence[_Token]) -> None:
    """ValueError for what the engine refuses only when a page makes it look: also variables."""
    for name, after in pairwise(tokens):
        if name.kind == "name" and after.value == "(" and after.kind == "symbol":
            try:
                parser.compiled(f"{name.value}()")(_EMPTY_PAGE)
            except ValueError as error:
                if "unknown function" in str(error):
                    raise
        elif name == _Token("symbol", "$", name.start, name.end):
            raise ValueError(f"unknown variable ${after.value}")


class _OtherFormError(Exception):
    """The expression is no path of ours."""


class _PathParser:
    """Reads one path."""

    def __init__(self, text: str, tokens: list[_Token]) -> None:
        self._text = text
        self._tokens = tokens
        self._at = 0

    def path(self) -> Path:
        """The path that the tokens are."""
        if self._accept("("):
            path = replace(self._plain_path(), index=0)
            self._expect(")")
            path = replace(path, index=self._index(), tail=self._steps())
        else:
            path = self._plain_path()
        if self._at < len(self._tokens):
            raise _OtherFormError
        return path

    def _plain_path(self) -> Path:
        if self._next() in {"/", "//"}:
            return Path(self._steps() or self._other_form())
        if self._accept("."):
            return Path(self._steps(), is_relative=True)
        first = self._step(is_deep=False)
        return Path((first, *self._steps()), is_relative=True)

    def _index(self) -> int:
        match _values(self._brackets()):
            case (str(number),) if number.isdigit() and 0 < len(number) <= _FEW_DIGITS:
                return int(number) - 1 if int(number) else self._other_form()
            case ("last", "(", ")"):
                return -1
            case ("last", "(", ")", "-", str(number)) if (
                number.isdigit() and len(number) <= _FEW_DIGITS
            ):
                return -1 - int(number)
        return self._other_form()

    def _steps(self) -> tuple[Step, ...]:
        steps: list[Step] = []
        while self._next() in {"/", "//"}:
            steps.append(self._step(is_deep=self._take().value == "//"))
        return tuple(steps)

    def _step(self, *, is_deep: bool) -> Step:
        if self._accept(".."):
            return Step("..", is_deep=is_deep)
        axis = "child"
        if self._accept("@"):
            axis = "attribute"
        elif self._next(1) == "::":
            axis = self._take().value
            self._expect("::")
        test = self._test()
        if axis == "attribute":
            axis, test = "child", f"@{test}"
        predicates: list[Predicate] = []
        while self._next() == "[":
            predicates.append(self._predicate(self._brackets()))
        return Step(test, tuple(predicates), axis, is_deep)

    def _test(self) -> str:
        token = self._take()
        if token.kind != "name":
            return "*" if token.value == "*" else self._other_form()
        if not self._accept("("):
            return token.value
        self._expect(")")
        return f"{token.value}()" if token.value in _NODE_TYPES else self._other_form()

    def _predicate(self, tokens: Sequence[_Token]) -> Predicate:
        known = _known_predicate(_values(tokens))
        return known or OtherPredicate(self._text[tokens[0].start : tokens[-1].end])

    def _brackets(self) -> Sequence[_Token]:
        """What stands between a bracket and the one that closes it."""
        self._expect("[")
        start, depth = self._at, 1
        while depth:
            token = self._take()
            if token.kind == "symbol":
                depth += (token.value == "[") - (token.value == "]")
        return self._tokens[start : self._at - 1] or self._other_form()

    def _next(self, ahead: int = 0) -> str:
        place = self._at + ahead
        is_there = place < len(self._tokens) and self._tokens[place].kind != "literal"
        return self._tokens[place].value if is_there else ""

    def _take(self) -> _Token:
        if self._at >= len(self._tokens):
            raise _OtherFormError
        self._at += 1
        return self._tokens[self._at - 1]

    def _accept(self, symbol: str) -> bool:
        is_next = self._next() == symbol
        self._at += is_next
        return is_next

    def _expect(self, symbol: str) -> None:
        if not self._accept(symbol):
            raise _OtherFormError

    def _other_form(self) -> Never:
        raise _OtherFormError


_Values: TypeAlias = tuple[str | _Literal, ...]


def _values(tokens: Sequence[_Token]) -> _Values:
    """Names and symbols as they are written; strings, also those in pieces, as one literal."""
    values: list[str | _Literal] = []
    for token in tokens:
        values.append(_Literal(token.value) if token.kind == "literal" else token.value)
        match values:
            case [
                *before,
                "concat",
                "(",
                _Literal(first),
                ",",
                _Literal(second),
                ("," | ")") as end,
            ]:
                whole = _Literal(first + second)
                values = [*before, whole] if end == ")" else [*before, "concat", "(", whole, ","]
    return tuple(values)


def _known_predicate(values: _Values) -> Predicate | None:
    match values:
        case ("@", str(name), "=", _Literal(value)):
            return Attribute(name, value)
        case ("text", "(", ")", "[", *inner, "]"):
            own = _text_is(tuple(inner))
            return OwnText(own) if own else _CONSTANTS.get(values)
    found = (form.predicate(values) for form in _FORMS)
    return next(filter(None, found), None) or _CONSTANTS.get(values) or _text_is(values)


def _text_is(values: _Values) -> TextIs | None:
    """The texts that a node is compared with, if it is compared with nothing else."""
    texts: list[str] = []
    subjects: set[_Values] = set()
    part: list[str | _Literal] = []
    for value in (*values, "or"):
        if value != "or":
            part.append(value)
            continue
        match part:
            case [*subject, "=", _Literal(text)]:
                texts.append(text)
                subjects.add(tuple(subject))
            case _:
                return None
        part = []
    if subjects == {_PLAIN_SUBJECT}:
        return TextIs(tuple(texts))
    return TextIs(tuple(texts), nbsp_is_space=True) if subjects == {_NBSP_SUBJECT} else None


def _values_of(predicate: Predicate) -> _Values:
    return _values(list(_tokens(predicate.xpath())))[1:-1]


class _Form:
    """How a predicate with one argument is written, learnt from two that are."""

    def __init__(self, make: Callable[[Any], Predicate], one: object, other: object) -> None:
        self._make, self._kind = make, type(one)
        first, second = _values_of(make(one)), _values_of(make(other))
        self._place = next(
            place
            for place, both in enumerate(zip(first, second, strict=True))
            if both[0] != both[1]
        )
        self._before, self._after = first[: self._place], first[self._place + 1 :]

    def predicate(self, values: _Values) -> Predicate | None:
        """The predicate that these values are, if they have this form."""
        place = self._place
        if values[:place] != self._before or values[place + 1 :] != self._after:
            return None
        made = self._make_of(values[place]) if place < len(values) else None
        # What reads the argument may be too kind: the form that is written decides.
        return made if made is not None and _values_of(made) == values else None

    def _make_of(self, value: str | _Literal) -> Predicate | None:
        match value:
            case _Literal(text) if self._kind is str:
                return self._make(text[1:-1] if self._make is HasClass else text)
            case str(number) if self._kind is int and number.isdigit():
                return self._make(int(number)) if len(number) <= _FEW_DIGITS else None
            case str(tag) if self._kind is str and _NAME.fullmatch(tag):
                return self._make(tag)
        return None


_FORMS = (
    _Form(HasClass, "x", "y"),
    _Form(Position, 1, 2),
    _Form(After, 1, 2),
    _Form(TextIsNot, "x", "y"),
    _Form(TextStartsWith, "x", "y"),
    _Form(LacksChild, "x", "y"),
    _Form(HasTag, "x", "y"),
    _Form(HasTitle, "x", "y"),
    _Form(HasChild, "x", "y"),
)
_MOST_FROM_END = 64
_CONSTANTS = {
    _values_of(one): one
    for one in (
        HasText(),
        HasOwnText(),
        HasWords(),
        *(Position(-ordinal) for ordinal in range(1, _MOST_FROM_END)),
    )
}
_PLAIN_SUBJECT = _values_of(TextIs(("x",)))[:-2]
_NBSP_SUBJECT = _values_of(TextIs(("x",), nbsp_is_space=True))[:-2]
