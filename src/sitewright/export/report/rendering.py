"""The report as HTML: Jinja2 templates, which escape every value that they are given."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jinja2 import Environment
    from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report: a template, and the data that it shows."""

    title: str
    template: str
    data: Mapping[str, object]

    @property
    def html(self) -> Markup:
        """The section under its title; what comes from pages is escaped."""
        return render(self.template, self.data)


def render(template: str, data: Mapping[str, object]) -> Markup:
    """Fill one of the templates of the report."""
    from markupsafe import Markup  # noqa: PLC0415 - only who writes a report waits for it

    return Markup(_environment().get_template(template).render(data))  # noqa: S704 - escaped there


def render_report(title: str, lead: str, sections: Sequence[Section]) -> str:
    """The whole page: no script, nothing fetched from anywhere."""
    page = render("report.html", {"title": title, "lead": lead, "sections": sections})
    return page.encode("utf-8", "replace").decode()


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 - see `render`

    environment = Environment(
        loader=PackageLoader("sitewright.export.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["commas"] = "{:,}".format
    environment.filters["percent"] = "{:.0%}".format
    environment.filters["counted"] = _counted
    return environment


def _counted(number: int, what: str) -> str:
    """`1 page`, `2 pages`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
