"""Other ways to write a selector, for a tree that another parser builds.

libxml2, which Scrapy's selectors sit on, adds no `tbody` to tables and nests broken markup in its
own way. What an expression is turned into is only a proposal: the check decides.
"""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

MOST_STEPS = 4
"""So many table bodies of an expression are left out one by one, since pages write some of them."""
_TOKEN = re.compile(
    r"""(?P<literal>"[^"]*"|'[^']*')|(?P<body>(?:/|^)tbody(?:\[1\])?(?=/))|(?P<rest>.)""",
    re.DOTALL,
)
_OF_CLASS = re.compile(
    r"contains\(concat\(' ', normalize-space\(@class\), ' '\), ' (?P<name>[^\s'\"]+) '\)"
)
_LITERAL = re.compile(r"""("[^"]*"|'[^']*')""")
_CHILD_STEP = re.compile(r"(?<=[\w\])*])/(?=[a-z*](?![a-z-]*(?:::|\()))")


def readable(xpath: str) -> str:
    """The expression with the function that Scrapy has for what XPath says of classes at length."""
    return _OF_CLASS.sub(r'has-class("\g<name>")', xpath)


def equivalents(xpath: str) -> Iterator[str]:
    """Expressions that may select in Scrapy what this one selects in a browser's tree.

    The plainest come first: of those that do equally well, the first is taken.
    """
    proposals = [*_without_some_bodies(xpath)]
    if proposals:
        proposals += [f"{xpath} | {proposals[0]}", _any_way_into_rows(xpath)]
    proposals.append(_loosened(xpath))
    yield from (one for one in dict.fromkeys(proposals) if one != xpath)


def _without_some_bodies(xpath: str) -> Iterator[str]:
    """`table/tbody/tr` as `table/tr`: without all bodies first, then without fewer of them."""
    bodies = range(sum(1 for token in _TOKEN.finditer(xpath) if token["body"]))
    if bodies:
        yield _without_bodies(xpath, bodies)
    if len(bodies) <= MOST_STEPS:
        for size in range(len(bodies) - 1, 0, -1):
            for some in combinations(bodies, size):
                yield _without_bodies(xpath, some)


def _without_bodies(xpath: str, left_out: Collection[int]) -> str:
    parts, number = [], 0
    for token in _TOKEN.finditer(xpath):
        if token["body"] is None or number not in left_out:
            parts.append(token[0])
        number += token["body"] is not None
    return "".join(parts) if xpath.startswith("/") else "".join(parts).removeprefix("/")


def _any_way_into_rows(xpath: str) -> str:
    """`table/tbody/tr` as `table//tr`."""
    tokens = _TOKEN.finditer(xpath)
    return "".join("/" if token["body"] else token[0] for token in tokens)


def _loosened(xpath: str) -> str:
    """Every step to a child as a step to a descendant."""
    parts = _LITERAL.split(xpath)
    return "".join(
        part if place % 2 else _CHILD_STEP.sub("//", part) for place, part in enumerate(parts)
    )
