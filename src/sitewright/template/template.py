"""The template: the token sequence that the pages of a class share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

import msgspec

from sitewright.notebook import html_table
from sitewright.page import Token, TokenKind

if TYPE_CHECKING:
    from collections.abc import Iterator


_VALUE = re.compile(r'="([^"]*)"')


class TemplateToken(NamedTuple):
    """One token of a template."""

    kind: TokenKind
    spelling: str
    """As the pages' source spells it, attributes sorted; a text in lower case."""
    support: float
    """The part of the pages that have it in this place."""

    @property
    def token(self) -> Token:
        """The normal form, to compare it with a page's tokens."""
        if self.kind is TokenKind.TEXT:
            return Token(self.kind, self.spelling)
        spelling = _VALUE.sub(lambda value: f'="{" ".join(value[1].split())}"', self.spelling)
        return Token(self.kind, spelling.lower())


class TemplateForm(msgspec.Struct, frozen=True):
    """What template.json holds: three lists, with an entry for each token."""

    method: str
    pages: int
    tokens: tuple[str, ...]
    support: tuple[float, ...]
    kinds: tuple[str, ...]

    @classmethod
    def of(cls, template: Template) -> Self:
        """Take a template apart."""
        return cls(
            method=template.method,
            pages=template.pages,
            tokens=tuple(token.spelling for token in template),
            support=tuple(round(token.support, 4) for token in template),
            kinds=tuple(token.kind.name.lower() for token in template),
        )

    def restored(self) -> Template:
        """The template again."""
        if not len(self.kinds) == len(self.tokens) == len(self.support):
            raise ValueError("tokens, support and kinds are lists of different lengths")
        rows = zip(self.kinds, self.tokens, self.support, strict=True)
        tokens = (
            TemplateToken(TokenKind[kind.upper()], token, share) for kind, token, share in rows
        )
        return Template(tuple(tokens), self.pages, self.method)


@dataclass(frozen=True, slots=True)
class Template:
    """What pages have in common, in document order. Empty if they have nothing in common."""

    FORMAT: ClassVar[str] = "sitewright-template"
    FILE_FORM: ClassVar[type[TemplateForm]] = TemplateForm
    tokens: tuple[TemplateToken, ...]
    pages: int
    """How many pages it was distilled from."""
    method: str

    def __len__(self) -> int:
        return len(self.tokens)

    def __iter__(self) -> Iterator[TemplateToken]:
        return iter(self.tokens)

    def _repr_html_(self) -> str:
        rows = ((token.spelling, f"{token.support:.0%}") for token in self.tokens)
        caption = f"{len(self)} tokens shared by {self.pages} pages"
        return html_table(caption, ("token", "pages that have it"), rows, len(self))
