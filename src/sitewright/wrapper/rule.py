"""A rule: the selector of a value, and the part of the selected text that is the value.

Both are what a Scrapy spider takes, so that a rule means the same in an exported project.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from sitewright.html.selection import text_of
from sitewright.html.selector import Selector

if TYPE_CHECKING:
    from sitewright.html.page_index import SelectorScope

_compiled = lru_cache(maxsize=4096)(re.compile)


@dataclass(frozen=True, slots=True)
class Rule:
    """Where a value stands."""

    selector: Selector
    """Selects elements, texts or attributes, from the page or from the record around the field."""
    pattern: str = ""
    """The value is the first group of this expression in the selected text; empty: all of it."""

    @classmethod
    def parse(cls, xpath: str, pattern: str = "") -> Rule:
        """Read the XPath of a rule; ValueError if it is none."""
        return cls(Selector.parse(xpath), pattern)

    @property
    def xpath(self) -> str:
        """The selector in XPath."""
        return self.selector.xpath()

    def texts(self, scope: SelectorScope) -> list[str]:
        """The texts that the rule finds, white space collapsed, as they stand in the page."""
        found = (text_of(one) for one in scope.select(self.selector))
        return [text for text in found if text and self.matches(text)]

    def matches(self, text: str) -> bool:
        """Whether a text has the form that the rule asks for."""
        return not self.pattern or _compiled(self.pattern).search(text) is not None

    def extract_group(self, text: str) -> str:
        """The value inside a text that matches."""
        found = _compiled(self.pattern).search(text) if self.pattern else None
        return (found[1] or "").strip() if found else text
