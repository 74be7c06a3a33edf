"""The signs by which pages tell readers where they are: up, next, previous, breadcrumbs.

Relations and access keys are standards (HTML's `rel`; DocBook and Sphinx set access keys). The
words are what navigation links say in the languages that most pages are written in; a page in
another language simply gives less evidence.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sitewright.html.dom import Element


class Role(Enum):
    """What a link says that it is for."""

    NONE = ""
    UP = "up"
    NEXT = "next"
    PREVIOUS = "previous"
    TRAIL = "trail"


_RELATIONS = {
    "up": Role.UP,
    "parent": Role.UP,
    "next": Role.NEXT,
    "prev": Role.PREVIOUS,
    "previous": Role.PREVIOUS,
}
_ACCESS_KEYS = {"u": Role.UP, "n": Role.NEXT, "p": Role.PREVIOUS}
_WORDS = {
    Role.UP: "up|level up|one level up|nach oben|aufwärts|hinauf|arriba|omhoog",
    Role.NEXT: "next|next page|older|older posts|weiter|nächste|nächste seite|suivant|suivante"
    "|siguiente|successivo|avanti|volgende|próximo|próxima|далее|следующая|下一页|次へ",
    Role.PREVIOUS: "prev|previous|previous page|newer|newer posts|zurück|vorherige|précédent"
    "|précédente|anterior|precedente|indietro|vorige|назад|предыдущая|上一页|前へ",
}
_DECORATION = re.compile(r"[\W_]+")
_SAID = {word: role for role, words in _WORDS.items() for word in words.split("|")}
_ARROWS = {
    **dict.fromkeys("» >> > → \u203a ⟩ ⇒".split(), Role.NEXT),
    **dict.fromkeys("« << < ← \u2039 ⟨ ⇐".split(), Role.PREVIOUS),
    **dict.fromkeys("↑ ⇑".split(), Role.UP),
}
_LONGEST_SIGN = 24
_LONGEST_NAMES = 500

SEPARATORS = frozenset("» \u203a > / → ⟩ ▸ ► :: >>".split())
"""What stands between the steps of a breadcrumb trail."""
STRONG_SEPARATORS = SEPARATORS - {"/", "::"}
"""Those that mean the same in front of a text: the name of the page itself."""
_TRAIL = re.compile(r"bread-?_?crumb|\bcrumbs?\b|you are here", re.IGNORECASE)
_NAMING = ("class", "id", "aria-label", "typeof", "itemtype")


def role_of(element: Element, text: str) -> Role:
    """What a link says that it is for, by its relation, its access key or its words."""
    relations = (element.attr("rel") or "").lower().split()
    for name in relations:
        if name in _RELATIONS:
            return _RELATIONS[name]
    key = (element.attr("accesskey") or "").lower()
    if key in _ACCESS_KEYS:
        return _ACCESS_KEYS[key]
    said = text.strip().lower()
    if len(said) > _LONGEST_SIGN:
        return Role.NONE
    return _ARROWS.get(said) or _SAID.get(_DECORATION.sub(" ", said).strip(), Role.NONE)


def is_trail(element: Element) -> bool:
    """Whether an element says of itself that it is a breadcrumb trail."""
    names = " ".join(element.attr(name) or "" for name in _NAMING)
    return bool(names) and bool(_TRAIL.search(names[:_LONGEST_NAMES]))
