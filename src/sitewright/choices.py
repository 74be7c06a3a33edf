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


class Labelling(StrEnum):
    """What the label of a node consists of."""

    TAG = "tag"
    CLASSES = "classes"
    """The tag and the set of its classes: `li.item.active`."""
    ATTRIBUTES = "attributes"
    """The tag with names and values of all presentational attributes (Crescenzi et al. 2005,
    footnote 3): `td.odd[align=left][width=20%]`."""
