"""A rule: where in a page a value stands, in the words of XPath and regular expressions.

Both are what a Scrapy spider takes, so that a rule means the same in an exported project.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from sitewright.html.finder import Finder
from sitewright.html.selection import text_of

if TYPE_CHECKING:
    from sitewright.html.selection import Scope

_compiled = lru_cache(maxsize=4096)(re.compile)


@dataclass(frozen=True, slots=True)
class Rule:
    """Where a value stands."""

    xpath: str
    """Selects elements, texts or attributes, from the page or from the record around the field."""
    pattern: str = ""
    """The value is the first group of this expression in the selected text; empty: all of it."""

    def texts(self, scope: Finder | Scope) -> list[str]:
        """The texts that the rule finds, white space collapsed, as they stand in the page."""
        finder = scope if isinstance(scope, Finder) else Finder(scope)
        found = (text_of(one) for one in finder.select(self.xpath))
        return [text for text in found if text and self.matches(text)]

    def matches(self, text: str) -> bool:
        """Whether a text has the form that the rule asks for."""
        return not self.pattern or _compiled(self.pattern).search(text) is not None

    def cut(self, text: str) -> str:
        """The value inside a text that matches."""
        found = _compiled(self.pattern).search(text) if self.pattern else None
        return (found[1] or "").strip() if found else text
