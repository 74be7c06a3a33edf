"""The options of the command line, each declared once.

A group of options reaches its verb as one frozen dataclass: `@site_options` passes
`site: SiteOptions`, `@crawl_options` passes `crawl: CrawlOptions`, `@page_options` passes
`page: PageOptions`. An option that can have no effect on the SITE or PAGE that was named is a
usage error, see `refuse_without_effect`.
"""

from __future__ import annotations

import functools
import inspect
import stat
from dataclasses import dataclass, replace
from enum import StrEnum
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from sitewright.choices import Labelling
from sitewright.site.credentials import Credentials, parse_header
from sitewright.site.open import ARCHIVE_ENDINGS, is_url, mode_of, site_plugin
from sitewright.site.scope import ScopeKind
from sitewright.site.scripts import Render
from sitewright.site.web import DEFAULT_DELAY, CrawlOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sitewright.project import Project
    from sitewright.project_steps import Exploring, ProgressCallback
    from sitewright.site import Site


Verb = TypeVar("Verb", bound="Callable[..., Any]")
_DEFAULTS = CrawlOptions()


class Place(click.Path):
    """A SITE or PAGE: a URL, a path or `-`. Shells complete it as a path."""

    def __init__(self) -> None:
        super().__init__(readable=False)  # what is wrong with it, the verb says


class NumberRange(click.FloatRange):
    """A number within bounds. `nan` would be within all of them, and `inf` seconds never end."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number that a text is."""
        number: float = super().convert(value, param, ctx)
        return number if isfinite(number) else self.fail(f"{value!r} is no number", param, ctx)


class PlaceKind(StrEnum):
    """What a SITE or PAGE turns out to be. The text is what people see."""

    URL = "a URL"
    FOLDER = "a folder"
    ARCHIVE = "an archive"
    PLUGIN = "a site of a plugin"
    FILE = "a saved page"
    STANDARD_INPUT = "standard input"


def kind_of(where: str) -> PlaceKind:
    """Tell what a SITE or PAGE is; what is not there raises the error that says so."""
    if where == "-":
        return PlaceKind.STANDARD_INPUT
    if site_plugin(where) is not None:
        return PlaceKind.PLUGIN
    if is_url(where):
        return PlaceKind.URL
    if stat.S_ISDIR(mode_of(where)):
        return PlaceKind.FOLDER
    return PlaceKind.ARCHIVE if where.lower().endswith(ARCHIVE_ENDINGS) else PlaceKind.FILE


CRAWL_NAMES = (
    "user_agent",
    "contact",
    "delay",
    "concurrency",
    "timeout",
    "ignore_robots",
    "allow_private",
    "render",
    "header",
    "cookie",
    "cookies_file",
    "auth",
    "proxy",
)
"""The parameters of `crawl_options`."""
_HAS_EFFECT: Mapping[str, frozenset[PlaceKind]] = {
    "base_url": frozenset({PlaceKind.FOLDER, PlaceKind.FILE, PlaceKind.ARCHIVE}),
    "home": frozenset({PlaceKind.FOLDER, PlaceKind.ARCHIVE}),
    "scope": frozenset({PlaceKind.URL, PlaceKind.ARCHIVE}),
    "url": frozenset({PlaceKind.FILE, PlaceKind.STANDARD_INPUT}),
    **dict.fromkeys(CRAWL_NAMES, frozenset({PlaceKind.URL})),
}
"""The kinds of SITE or PAGE on which an option has an effect."""


def refuse(context: click.Context, names: Iterable[str], why: str) -> None:
    """Raise a usage error if one of these options is on the command line."""
    for option in context.command.params:
        if option.name in names and _is_given(context, option):
            raise click.UsageError(f"{option.opts[-1]} {why}.", context)


def refuse_without_effect(
    context: click.Context,
    places: Sequence[str],
    has_effect: Mapping[str, frozenset[PlaceKind]] = _HAS_EFFECT,
) -> None:
    """Raise a usage error for an option that has an effect on none of these SITEs or PAGEs."""
    for option in context.command.params:
        effective = has_effect.get(option.name or "")
        if effective is None or not places or not _is_given(context, option):
            continue
        if option.name == "url" and len(places) > 1:
            raise click.UsageError("--url is the URL of one page: name one PAGE.", context)
        kinds = {kind_of(place): place for place in places}
        if effective.isdisjoint(kinds):
            kind, place = next(iter(kinds.items()))
            raise click.UsageError(f"{option.opts[-1]} has no effect: {place} is {kind}.", context)


def _is_given(context: click.Context, option: click.Parameter) -> bool:
    return context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE


def _places(context: click.Context) -> list[str]:
    """The SITE or PAGEs of a command line; --site, where it is given, is where pages come from."""
    named: dict[bool, list[str]] = {True: [], False: []}
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if isinstance(parameter.type, Place) and value:
            values = (value,) if isinstance(value, str) else value
            named[isinstance(parameter, click.Option)].extend(values)
    return named[True] or named[False]


def option_group(
    options: Sequence[Callable[[Any], Any]], name: str, build: Callable[..., object]
) -> Callable[[Verb], Verb]:
    """Make a decorator that adds options and passes what `build` makes of their values as `name`.

    The names of the parameters of `build` are those of the options.
    """
    own = tuple(inspect.signature(build).parameters)

    def decorate(verb: Any) -> Any:
        @functools.wraps(verb)
        def grouped(*arguments: Any, **given: Any) -> Any:
            context = click.get_current_context()
            refuse_without_effect(context, _places(context))
            values = {option: given.pop(option) for option in own}
            return verb(*arguments, **{name: build(**values)}, **given)

        return _with(options, grouped)

    return decorate


def _with(options: Sequence[Callable[[Any], Any]], verb: Any) -> Any:
    for option in reversed(options):
        verb = option(verb)
    return verb


class _FormerName(click.Option):
    """The old name of an option: it works, is not in the help, and says the new name."""

    def __init__(self, names: Sequence[str], *, now: str, **attributes: Any) -> None:
        super().__init__(names, hidden=True, expose_value=False, **attributes)
        self.now = now

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """Hand the value to the option of the new name, which is parsed after this one."""
        if self.name in opts and isinstance(opts, dict):
            message = f"sitewright: {self.opts[0]} is deprecated; use {self.now} instead"
            click.echo(message, err=True)
            target = self.now.removeprefix("--").replace("-", "_")
            opts.setdefault(target, opts.pop(self.name))
        return super().handle_parse_result(ctx, opts, args)


def _renamed_flag(old: str, now: str, text: str) -> Callable[[Verb], Verb]:
    """A flag that had another name."""

    def decorate(verb: Verb) -> Verb:
        former = click.option(old, cls=_FormerName, now=now, is_flag=True)
        flag: Callable[[Verb], Verb] = click.option(now, is_flag=True, help=text)
        return flag(former(verb))

    return decorate


# The site.


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteOptions:
    """The SITE of a command line, and how it is to be understood."""

    where: str
    """A URL, or the path of a folder, a saved page or an archive."""
    base_url: str | None = None
    """The URL that a folder's pages had."""
    home: str | None = None
    """The page to start at, of a folder or an archive."""
    scope: ScopeKind = ScopeKind.HOST

    def open(self, crawl: CrawlOptions, output: Path | None = None) -> Site:
        """Open the site; what is fetched of a live one is kept in `output`."""
        from sitewright.site.open import checked_source

        source = checked_source(self.where, self.base_url, self.home, self.scope)
        return source.open(crawl, output)

    def project(self, output: Path, crawl: CrawlOptions, progress: ProgressCallback) -> Project:
        """The project of this site in a folder of results."""
        from sitewright.project import Project

        return Project(
            output,
            self.where,
            base_url=self.base_url,
            home=self.home,
            scope=self.scope,
            crawl=crawl,
            progress=progress,
        )


def _site(where: str, base_url: str | None, home: str | None, scope: str) -> SiteOptions:
    return SiteOptions(where=where, base_url=base_url, home=home, scope=ScopeKind(scope))


base_url_option = click.option(
    "--base-url",
    metavar="URL",
    help="The URL that the pages of a folder had; for an archive, the same as --home.",
)
home_option = click.option(
    "--home", metavar="PAGE", help="The page of a folder or an archive to start at."
)
scope_option = click.option(
    "--scope",
    type=click.Choice([kind.value for kind in ScopeKind]),
    default=ScopeKind.HOST.value,
    show_default=True,
    help="What belongs to the site: its host, its registered domain, or the start URL's folder.",
)
site_options = option_group(
    (
        click.argument("where", metavar="SITE", type=Place()),
        base_url_option,
        home_option,
        scope_option,
    ),
    "site",
    _site,
)
"""SITE, --base-url, --home and --scope, as `site: SiteOptions`."""
local_only_option = _renamed_flag(
    "--all-pages", "--local-only", "Use every local page of the site; fetch none."
)
"""--local-only, as `local_only: bool`."""


def pages_option(default: int) -> Callable[[Verb], Verb]:
    """--pages N, as `pages: int`."""
    return click.option(
        "--pages",
        type=click.IntRange(1),
        metavar="N",
        default=default,
        show_default=True,
        help="Maximum number of pages to request.",
    )


# The crawl.


def _crawl(
    user_agent: str,
    contact: str | None,
    delay: float | None,
    concurrency: int,
    timeout: float,
    ignore_robots: bool,
    allow_private: bool,
    render: str,
    header: tuple[str, ...],
    cookie: tuple[str, ...],
    cookies_file: str | None,
    auth: str | None,
    proxy: str | None,
) -> CrawlOptions:
    return replace(
        _DEFAULTS,
        user_agent=user_agent,
        contact=contact,
        delay=delay,
        concurrency=concurrency,
        timeout=timeout,
        obey_robots=not ignore_robots,
        allow_private=allow_private,
        render=render,
        credentials=Credentials(
            tuple(map(parse_header, header)), cookie, cookies_file, auth, proxy
        ),
    )


_CRAWL_OPTIONS = (
    click.option(
        "--user-agent",
        metavar="TEXT",
        default=_DEFAULTS.user_agent,
        show_default=True,
        help="User-Agent header to send.",
    ),
    click.option(
        "--contact",
        metavar="EMAIL_OR_URL",
        help="Who crawls: added to the User-Agent header, so that a site's owner can reach you.",
    ),
    click.option(
        "--delay",
        type=NumberRange(0),
        metavar="SECONDS",
        default=_DEFAULTS.delay,
        show_default=f"{DEFAULT_DELAY}; 0 for a private address",
        help="Minimum time between two requests to a host.",
    ),
    click.option(
        "--concurrency",
        type=click.IntRange(1),
        metavar="N",
        default=_DEFAULTS.concurrency,
        show_default=True,
        help="Maximum number of requests to a host at a time.",
    ),
    click.option(
        "--timeout",
        type=NumberRange(0, min_open=True),
        metavar="SECONDS",
        default=_DEFAULTS.timeout,
        show_default=True,
        help="Maximum time for one response.",
    ),
    click.option(
        "--ignore-robots",
        is_flag=True,
        help="Fetch what robots.txt disallows: for your own site.",
    ),
    click.option(
        "--allow-private",
        is_flag=True,
        help="Connect to private addresses: for a site of your own network.",
    ),
    click.option(
        "--render",
        type=click.Choice([one.value for one in Render]),
        default=Render.AUTO.value,
        show_default=True,
        help="Let a browser run the scripts of pages: never, where they fill pages, or always.",
    ),
    click.option(
        "--header",
        metavar="'NAME: VALUE'",
        multiple=True,
        help="Header to send to the site's host; repeatable. In no file and no log of ours.",
    ),
    click.option(
        "--cookie",
        metavar="NAME=VALUE",
        multiple=True,
        help="Cookie to send to the site's host; repeatable.",
    ),
    click.option(
        "--cookies-file",
        metavar="FILE",
        type=click.Path(),
        help="Cookies to send, in the format of curl and of browser extensions.",
    ),
    click.option(
        "--auth", metavar="USER:PASSWORD", help="Name and password for HTTP authentication."
    ),
    click.option("--proxy", metavar="URL", help="Proxy for all requests."),
)
crawl_options = option_group(_CRAWL_OPTIONS, "crawl", _crawl)


"""The options of a polite crawler, as `crawl: CrawlOptions`."""


# Exploring and extracting.


def _exploring(
    pages: int, local_only: bool, method: str, strategy: str | None, seed: int
) -> Exploring:
    from sitewright.project_steps import Exploring

    if local_only:
        refuse(
            click.get_current_context(),
            ("pages", "strategy", "seed", *CRAWL_NAMES),
            "has no effect with --local-only, which takes every local page and fetches none",
        )
    return Exploring(pages, method, strategy, seed, local_only)


exploring_options = option_group(
    (
        pages_option(1000),
        local_only_option,
        click.option(
            "--method",
            type=click.Choice(["default", "paper"]),
            default="default",
            show_default=True,
            help="Algorithm: `default`, or `paper` (Crescenzi et al. 2005).",
        ),
        click.option(
            "--strategy",
            type=click.Choice(["balanced", "densest", "sparsest"]),
            help="Which links are followed first.  [default: balanced; with paper: densest]",
        ),
        click.option("--seed", type=int, default=0, show_default=True, help="Random seed."),
    ),
    "exploring",
    _exploring,
)
"""--pages, --local-only, --method, --strategy and --seed, as `exploring: Exploring`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectOptions:
    """A SITE, how it is explored, and the folder that the results go to."""

    site: SiteOptions
    output: Path
    exploring: Exploring
    crawl: CrawlOptions

    def politeness(self) -> str:
        """What the delay between requests to a live site costs, in a line; empty if nothing."""
        from sitewright.page.url import canonical
        from sitewright.site.account import duration
        from sitewright.site.web import delay_between_requests

        start = canonical(self.site.where)
        if start is None or self.exploring.local_only:
            return ""
        delay = delay_between_requests(start, self.crawl)
        pages = self.exploring.pages
        if not delay:
            return ""
        most = duration(pages * delay)
        return f"at most {pages:,} requests, {delay:g} s apart: {most} if all are made"

    def project(self, progress: ProgressCallback) -> Project:
        """The project in the folder of results."""
        return self.site.project(self.output, self.crawl, progress)


def project_options(verb: Any) -> Any:
    """Add SITE, -o OUT, and the options of site, exploring, crawl and settings.

    The verb gets them as `given: ProjectOptions`.
    """

    @functools.wraps(verb)
    def collected(
        *arguments: Any,
        site: SiteOptions,
        output: Path,
        exploring: Exploring,
        crawl: CrawlOptions,
        **others: Any,
    ) -> Any:
        given = ProjectOptions(site=site, output=output, exploring=exploring, crawl=crawl)
        return verb(*arguments, given=given, **others)

    text = "The folder for the results; it is made if it is not there."
    output = output_option("OUT", text, required=True)
    options = (site_options, output, exploring_options, crawl_options, settings_option)
    return _with(options, collected)


WORKERS = click.IntRange(1, 1024)
"""Processes: no system lets anybody start as many as a number may say."""
workers_option = click.option(
    "--workers",
    type=WORKERS,
    metavar="N",
    help="Worker processes (1: no subprocesses).  [default: one a core]",
)


provenance_option = click.option(
    "--provenance",
    is_flag=True,
    help="Write where each value stands, too: classes/NAME/provenance.jsonl.",
)


# Single pages.


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOptions:
    """How a PAGE of a command line is to be understood."""

    url: str | None = None
    """The URL that a page in a file had."""
    encoding: str | None = None
    """What its server declared."""


def _page(url: str | None, encoding: str | None) -> PageOptions:
    return PageOptions(url=url, encoding=encoding)


encoding_option = click.option(
    "--encoding", metavar="NAME", help="The encoding that the page's server declared."
)
page_options = option_group(
    (
        click.option("--url", metavar="URL", help="The URL that a page in a file had."),
        encoding_option,
    ),
    "page",
    _page,
)
"""--url and --encoding, as `page: PageOptions`."""
pages_argument = click.argument("pages", metavar="PAGE...", type=Place(), nargs=-1, required=True)
"""PAGE..., as `pages: tuple[str, ...]`."""
by_url_option = _renamed_flag("--url-only", "--by-url", "Classify by the URL alone; read no page.")
"""--by-url, as `by_url: bool`."""
label_option = click.option(
    "--label",
    type=click.Choice([labelling.value for labelling in Labelling]),
    default=Labelling.CLASSES.value,
    show_default=True,
    help="What the label of a node consists of.",
)


# Settings.


def _use_settings(context: click.Context, _option: click.Parameter, given: Sequence[str]) -> None:
    """Put settings into force until the command ends; wrong ones end it before it begins."""
    from sitewright.settings import current, parse_change, using

    changes = dict(parse_change(one) for one in given)
    if changes:
        context.with_resource(using(current().changed_by(changes)))


settings_option = click.option(
    "--set",
    metavar="NAME=VALUE",
    multiple=True,
    expose_value=False,
    callback=_use_settings,
    help="Change a threshold (docs/settings.md), as in papers.crescenzi.dt=0.3; repeatable.",
)
"""--set NAME=VALUE: in force while the command runs."""


def _use_columns(context: click.Context, _option: click.Parameter, given: int | None) -> None:
    if given is not None:
        _use_settings(context, _option, [f"wrapper.max_columns={given}"])


columns_option = click.option(
    "--columns",
    type=click.IntRange(1),
    metavar="N",
    expose_value=False,
    callback=_use_columns,
    help="The most columns of a class's table; wrapper.json lists what is left out, and why.",
)
"""--columns N: short for --set wrapper.max_columns=N."""


# Results.

out_argument = click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
"""The folder of results of an earlier command, as `out: Path`."""
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Write JSON lines; the default when piped."
)


def output_option(
    metavar: str, text: str, *, required: bool = False, formerly: str | None = None
) -> Callable[[Verb], Verb]:
    """-o, --output: where results go, as `output: Path`, or `Path | None` if not required."""

    def decorate(verb: Verb) -> Verb:
        kind = click.Path(path_type=Path)
        if formerly is not None:
            former = click.option(formerly, cls=_FormerName, now="--output", type=kind)
            verb = former(verb)
        option: Callable[[Verb], Verb] = click.option(
            "-o", "--output", metavar=metavar, required=required, type=kind, help=text
        )
        return option(verb)

    return decorate


def seed_option(verb: Verb) -> Verb:
    """Add --seed, as `seed: int`."""
    option: Callable[[Verb], Verb] = click.option(
        "--seed", type=int, default=0, show_default=True, help="Seed of random choices."
    )
    return option(verb)
