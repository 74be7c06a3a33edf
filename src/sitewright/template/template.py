"""The template: the token sequence that the pages of a class share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from sitewright.errors import UnreadableInput, WrongFormatVersion
from sitewright.html import Kind, Token
from sitewright.notebook import html_table

if TYPE_CHECKING:
    from collections.abc import Iterator

FORMAT = 1
"""The version of template.json."""
_VALUE = re.compile(r'="([^"]*)"')


class TemplateToken(NamedTuple):
    """One token of a template."""

    kind: Kind
    spelling: str
    """As the pages' source spells it, attributes sorted; a text in lower case."""
    support: float
    """The part of the pages that have it in this place."""

    @property
    def token(self) -> Token:
        """The normal form, to compare it with a page's tokens."""
        if self.kind is Kind.TEXT:
            return Token(self.kind, self.spelling)
        spelling = _VALUE.sub(lambda value: f'="{" ".join(value[1].split())}"', self.spelling)
        return Token(self.kind, spelling.lower())


@dataclass(frozen=True, slots=True)
class Template:
    """What pages have in common, in document order. Empty if they have nothing in common."""

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

    def as_json(self) -> dict[str, Any]:
        """What template.json holds."""
        return {
            "format": FORMAT,
            "method": self.method,
            "pages": self.pages,
            "tokens": [token.spelling for token in self.tokens],
            "support": [round(token.support, 4) for token in self.tokens],
            "kinds": [token.kind.name.lower() for token in self.tokens],
        }

    @classmethod
    def from_json(cls, data: object, source: str = "template") -> Template:
        """Read what `as_json` gave; `source` is named if it is something else."""
        if not isinstance(data, dict) or "tokens" not in data:
            raise UnreadableInput(source, "not a template")
        if data.get("format") != FORMAT:
            raise WrongFormatVersion(source, data.get("format"), FORMAT)
        try:
            tokens = tuple(
                TemplateToken(Kind[kind.upper()], str(spelling), float(support))
                for kind, spelling, support in zip(
                    data["kinds"], data["tokens"], data["support"], strict=True
                )
            )
            return cls(tokens, int(data["pages"]), str(data["method"]))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise UnreadableInput(source, f"not a template: {error}") from None
