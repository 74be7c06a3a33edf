"""Options that several verbs have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from sitewright.html.labels import Labelling
from sitewright.site.scope import ScopeKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from sitewright.site.web.options import CrawlOptions

Verb = TypeVar("Verb", bound="Callable[..., Any]")

label_option = click.option(
    "--label",
    type=click.Choice([labelling.value for labelling in Labelling]),
    default=Labelling.CLASSES.value,
    show_default=True,
    help="What the label of a node consists of.",
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Write JSON lines; the default when piped."
)

_CRAWL_OPTIONS = (
    click.option("--user-agent", metavar="TEXT", help="What to call ourselves at the server."),
    click.option("--delay", type=click.FloatRange(0), metavar="SECONDS",
                 help="Least time between two requests to a host.  [default: 0.25]"),
    click.option("--concurrency", type=click.IntRange(1), metavar="N",
                 help="Most requests to a host at a time.  [default: 4]"),
    click.option("--timeout", type=click.FloatRange(0, min_open=True), metavar="SECONDS",
                 help="Longest wait for one answer.  [default: 30]"),
    click.option("--ignore-robots", is_flag=True,
                 help="Fetch what robots.txt disallows: for your own site."),
    click.option("--allow-private", is_flag=True,
                 help="Follow a name to a private address: for a site of your own network."),
)  # fmt: skip
scope_option = click.option(
    "--scope",
    type=click.Choice([kind.value for kind in ScopeKind]),
    default=ScopeKind.HOST.value,
    show_default=True,
    help="What belongs to the site: its host, its registered domain, or the start URL's folder.",
)


def crawl_options(command: Verb) -> Verb:
    """Add the options of a polite crawler to a verb."""
    for option in reversed(_CRAWL_OPTIONS):
        command = option(command)
    return command


def crawl_settings(*, ignore_robots: bool, **given: Any) -> CrawlOptions:
    """The crawler's options from what was given on the command line."""
    from sitewright.site.web.options import CrawlOptions

    chosen = {name: value for name, value in given.items() if value is not None}
    return CrawlOptions(obey_robots=not ignore_robots, **chosen)
