"""Arguments that are one of a few words: checked where they are given, before any work is done."""

from __future__ import annotations

from enum import StrEnum
from typing import Never

from sitewright.errors import InvalidChoice


class Choice(StrEnum):
    """Words to choose from; to call the class with another one is our error, with all of them."""

    @classmethod
    def _missing_(cls, value: object) -> Never:
        raise InvalidChoice(value, [one.value for one in cls])


class Method(Choice):
    """Which algorithm does the work."""

    DEFAULT = "default"
    """Ours."""
    PAPER = "paper"
    """That of the paper, to the letter."""


class Labelling(Choice):
    """What the label of a node consists of."""

    TAG = "tag"
    CLASSES = "classes"
    """The tag and the set of its classes: `li.item.active`."""
    ATTRIBUTES = "attributes"
    """The tag with names and values of all presentational attributes (Crescenzi et al. 2005,
    footnote 3): `td.odd[align=left][width=20%]`."""


class Heterogeneity(Choice):
    """What the pages of a link collection are counted by to tell whether it is a menu."""

    GROUPS = "groups"
    """Groups of equal schema (Crescenzi et al. 2005, section 3.1)."""
    CANDIDATES = "candidates"
    """Candidate classes, so groups that were collapsed (2004 report, section 3)."""


class Collapse(Choice):
    """How groups of pages with similar schemas become candidate classes."""

    PASS = "pass"  # noqa: S105 - no password
    """One pass, the largest group first (Crescenzi et al. 2005, figure 5)."""
    LOOP = "loop"
    """Again and again while any two groups are near (2004 report, figure 6)."""


class ExplorationEnd(Choice):
    """When the papers' exploration ends, if the limit of pages does not end it."""

    EMPTY = "empty"
    """When the queue is empty (Crescenzi et al. 2005, figure 5)."""
    LONGEST = "longest"
    """When the queue has passed its greatest length (section 4.4)."""
