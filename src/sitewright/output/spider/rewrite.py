"""Other ways to write a selector, for a tree that another parser builds.

libxml2, which Scrapy's selectors sit on, adds no `tbody` to tables and nests broken markup in its
own way. What an expression is turned into is only a proposal: the check decides.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LITERAL = re.compile(r"""("[^"]*"|'[^']*')""")
_BODY_STEP = re.compile(r"(/|^)tbody(?:\[1\])?(?=/)(/*)")
_CHILD_STEP = re.compile(r"(?<=[\w\])*])/(?=[a-z*](?![a-z-]*(?:::|\()))")


def equivalents(xpath: str) -> Iterator[str]:
    """Expressions that may select in Scrapy what this one selects in a browser's tree."""
    proposals = [
        f"{xpath} | {_without_table_bodies(xpath)}",
        _without_table_bodies(xpath),
        _any_way_into_rows(xpath),
        _loosened(xpath),
    ]
    if _without_table_bodies(xpath) == xpath:
        proposals = proposals[3:]
    yield from (one for one in dict.fromkeys(proposals) if one != xpath)


def _without_table_bodies(xpath: str) -> str:
    """`table/tbody/tr` as `table/tr`."""
    return _outside_literals(xpath, lambda part: _BODY_STEP.sub(_joined, part))


def _any_way_into_rows(xpath: str) -> str:
    """`table/tbody/tr` as `table//tr`."""
    return _outside_literals(xpath, lambda part: _BODY_STEP.sub("//", part))


def _loosened(xpath: str) -> str:
    """Every step to a child as a step to a descendant."""
    return _outside_literals(xpath, lambda part: _CHILD_STEP.sub("//", part))


def _joined(step: re.Match[str]) -> str:
    # At the very beginning of an expression there is nothing that a slash could follow.
    return step[2] if step[1] else ""


def _outside_literals(xpath: str, change: Callable[[str], str]) -> str:
    parts = _LITERAL.split(xpath)
    return "".join(part if place % 2 else change(part) for place, part in enumerate(parts))
