"""The Jinja2 templates of the report, with what they all need."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Environment
    from markupsafe import Markup


def render(template: str, data: Mapping[str, object]) -> Markup:
    """Fill one of the templates of the report; what comes from pages is escaped."""
    from markupsafe import Markup  # noqa: PLC0415 - only who writes a report waits for it

    return Markup(_environment().get_template(template).render(data))  # noqa: S704 - escaped there


@cache
def _environment() -> Environment:
    from jinja2 import PackageLoader  # noqa: PLC0415 - see `render`

    return page_environment(PackageLoader("sitewright.export.report", "templates"))


def page_environment(loader: object) -> Environment:
    """Templates that escape what comes from pages, and fail where a value is missing."""
    from jinja2 import BaseLoader, Environment, StrictUndefined  # noqa: PLC0415 - see `render`

    assert isinstance(loader, BaseLoader)  # noqa: S101 - for the type checker
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["commas"] = "{:,}".format
    environment.filters["percent"] = percent
    environment.filters["counted"] = _counted
    return environment


def percent(share: float) -> str:
    """A share for people: 100% and 0% only where it is all or nothing."""
    if 0 < share < 0.01:
        return "<1%"
    if 0.99 < share < 1:
        return ">99%"
    return f"{share:.0%}"


def _counted(number: int, what: str) -> str:
    """`1 page`, `2 pages`; `1 class`, `2 classes`; `1 category`, `2 categories`."""
    if number == 1:
        return f"1 {what}"
    plural = what + ("es" if what.endswith("s") else "s")
    if what.endswith("y") and what[-2:-1] not in "aeiou":
        plural = f"{what[:-1]}ies"
    return f"{number:,} {plural}"
