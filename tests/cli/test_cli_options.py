"""Options: declared once, the same in every verb, and refused where they can have no effect."""

from __future__ import annotations

import asyncio
import re

import click
import pytest
from click.testing import CliRunner

from examples.cup.server import serve
from sitewright.cli import sitewright as program
from sitewright.cli.options import (
    CRAWL_NAMES,
    PageOptions,
    SiteOptions,
    crawl_options,
    local_only_option,
    page_options,
    site_options,
)
from sitewright.errors import InvalidURL
from sitewright.site import ScopeKind
from sitewright.site.warc_writer import WarcWriter
from sitewright.site.web import DEFAULT_DELAY, USER_AGENT, CrawlOptions

MOVING = {"run", "discover", "extract"}  # they move to the same module later


def sitewright(*arguments):
    return CliRunner().invoke(program, [*map(str, arguments)], standalone_mode=False)


def refused(*arguments):
    """The message of a usage error."""
    error = sitewright(*arguments).exception
    assert isinstance(error, click.UsageError)
    return error.format_message()


def commands(group=program, name=""):
    context = click.Context(group)
    for verb in group.list_commands(context):
        command = group.get_command(context, verb)
        if isinstance(command, click.Group):
            yield from commands(command, f"{name}{verb} ")
        else:
            yield f"{name}{verb}", command


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.html").write_text("<a href=a.html>A</a>")
    (folder / "a.html").write_text("<a href=index.html>Home</a>")
    return folder


def passed(decorator, *words):
    """What a verb with these options gets."""
    got = {}

    @click.command()
    @decorator
    def verb(crawl=None, **others):
        got.update(others if crawl is None else {"crawl": crawl})

    result = CliRunner().invoke(verb, [*map(str, words)], standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return got


def test_the_options_of_a_site_are_one_object(tmp_path):
    words = (tmp_path, "--base-url", "http://cup.example/", "--home", "a.html")
    site = SiteOptions(where=str(tmp_path), base_url="http://cup.example/", home="a.html")
    assert passed(site_options, *words) == {"site": site}
    url = passed(site_options, "http://cup.example/", "--scope", "domain")["site"]
    assert url.scope is ScopeKind.DOMAIN


def test_the_options_of_a_crawl_are_one_object_with_the_crawler_s_own_defaults():
    assert passed(crawl_options) == {"crawl": CrawlOptions()}
    words = ("--delay", "2", "--ignore-robots", "--allow-private", "--contact", "ada@cup.example")
    assert passed(crawl_options, *words)["crawl"] == CrawlOptions(
        delay=2.0, obey_robots=False, allow_private=True, contact="ada@cup.example"
    )


def test_the_options_of_a_page_are_one_object():
    given = passed(page_options, "--url", "http://cup.example/", "--encoding", "latin-1")
    assert given == {"page": PageOptions(url="http://cup.example/", encoding="latin-1")}


def test_a_folder_starts_at_the_page_that_home_names(site):
    opened = SiteOptions(where=str(site), home="a.html").open(CrawlOptions())
    assert opened.home.endswith("/a.html")


def test_an_archive_starts_at_the_page_that_home_names(tmp_path):
    path = tmp_path / "pages.warc.gz"
    with WarcWriter(path) as writer:
        for page in ("", "a.html"):
            headers = [("Content-Type", "text/html")]
            writer.write_response(f"http://cup.example/{page}", 200, headers, b"<p>x")
    for named in ({"home": "http://cup.example/a.html"}, {"base_url": "http://cup.example/a.html"}):
        opened = SiteOptions(where=str(path), **named).open(CrawlOptions())
        assert opened.home == "http://cup.example/a.html"
        asyncio.run(opened.aclose())


def test_local_only_has_an_old_name():
    assert passed(local_only_option, "--local-only") == {"local_only": True}
    assert passed(local_only_option, "--all-pages") == {"local_only": True}
    assert passed(local_only_option) == {"local_only": False}


def test_the_person_who_crawls_is_named_to_the_server(site):
    with serve(site) as server:
        sitewright("inspect", server.url, "--user-agent", "cup/1", "--contact", "ada@cup.example")
        assert {hit.user_agent for hit in server.requests} == {"cup/1 (+ada@cup.example)"}


@pytest.mark.parametrize(
    "words",
    [
        ["skeleton", "SITE", "--scope", "domain"],
        ["skeleton", "SITE", "--delay", "1"],
        ["skeleton", "SITE", "--ignore-robots"],
        ["skeleton", "SITE", "--contact", "ada@cup.example"],
        ["skeleton", "SITE/a.html", "--home", "a.html"],
        ["skeleton", "SITE/a.html", "--scope", "host"],
        ["skeleton", "http://127.0.0.1:1/", "--home", "a.html"],
        ["skeleton", "http://127.0.0.1:1/", "--base-url", "http://cup.example/"],
        ["inspect", "SITE/a.html", "--timeout", "3"],
        ["inspect", "-", "--user-agent", "me"],
        ["inspect", "http://127.0.0.1:1/", "--url", "http://cup.example/"],
        ["strip", "-t", "t.json", "SITE/a.html", "--allow-private"],
        ["template", "SITE", "--concurrency", "2"],
        ["segment", "SITE/a.html", "--delay", "1"],
        ["segment", "http://cup.example/", "--site", "SITE", "--delay", "1"],
        ["match", "SITE/a.html", "SITE/index.html", "--delay", "1"],
        ["classify", "out", "SITE", "--delay", "1"],
        ["classify", "out", "SITE", "--scope", "domain"],
        ["classify", "out", "SITE", "--url", "http://cup.example/"],
        ["classify", "out", "SITE/a.html", "--delay", "1"],
        ["extract", "out", "SITE", "--delay", "1"],
        ["extract", "out", "SITE", "--pages", "5"],
        ["run", "SITE", "-o", "out", "--scope", "domain"],
        ["run", "SITE", "-o", "out", "--user-agent", "me"],
        ["discover", "SITE/a.html", "-o", "out", "--home", "a.html"],
    ],
    ids=" ".join,
)
def test_an_option_without_effect_is_a_usage_error(site, words):
    option = [word for word in words if word.startswith("--") and word != "--site"][-1]
    assert refused(*(word.replace("SITE", str(site)) for word in words)).startswith(
        f"{option} has no effect: "
    )


def test_an_option_that_has_an_effect_on_one_of_several_pages_is_taken(site):
    with serve(site) as server:
        done = sitewright("inspect", site / "a.html", server.url, "--delay", "0")
    assert done.exit_code == 0
    assert len(done.stdout.splitlines()) == 2


@pytest.fixture
def out(site, tmp_path):
    """The results of a small site."""
    assert sitewright("discover", site, "-o", tmp_path / "out").exit_code == 0
    return tmp_path / "out"


@pytest.mark.parametrize("place", ["site", "players/1.html", "-", "http://user@:80/"])
def test_what_is_no_url_is_not_classified_by_its_url(out, place):
    url = "http://folder.invalid/a.html"
    done = sitewright("classify", out, "--by-url", url, place)
    assert isinstance(done.exception, InvalidURL)
    assert str(done.exception).startswith(f"{place}: not an http or https URL")
    assert done.stdout == ""


@pytest.mark.parametrize(
    "words", [["--delay", "1"], ["--encoding", "latin-1"], ["--base-url", "http://a.example/"]]
)
def test_nothing_is_read_by_url(out, words):
    url = "http://folder.invalid/a.html"
    assert refused("classify", out, "--by-url", url, *words).startswith(f"{words[0]} has no effect")


def test_an_old_name_works_is_not_in_the_help_and_says_the_new_one(out):
    url = "http://folder.invalid/a.html"
    new = sitewright("classify", out, "--by-url", url)
    old = sitewright("classify", out, "--url-only", url)
    assert (new.exit_code, old.stdout) == (0, new.stdout)
    assert old.stderr == "sitewright: --url-only is deprecated; use --by-url instead\n"
    assert "--url-only" not in sitewright("classify", "--help").stdout


@pytest.mark.parametrize(
    "words",
    [
        ["classify", "OUT", "SITE/a.html", "--base-url", "http://a.example/"],
        ["classify", "OUT", "http://127.0.0.1:1/", "--scope", "domain"],
        ["classify", "OUT", "SITE", "--encoding", "latin-1"],
        ["learn", "OUT", "--field", "a=b", "--delay", "1"],
        ["export", "scrapy", "OUT", "--site", "http://127.0.0.1:1/"],
        ["skeleton", "SITE", "--json", "--depth", "2"],
        ["run", "http://127.0.0.1:1/", "-o", "OUT", "--local-only", "--delay", "1"],
        ["discover", "SITE", "-o", "OUT", "--local-only", "--pages", "5"],
    ],
    ids=" ".join,
)
def test_an_option_without_effect_in_this_verb_is_a_usage_error(site, out, words):
    option = [word for word in words if word.startswith("--")][-1]
    given = [word.replace("SITE", str(site)).replace("OUT", str(out)) for word in words]
    assert refused(*given).startswith(f"{option} has no effect")


@pytest.mark.parametrize(
    "words", [["learn", "OUT", "--field", "a=b", "--home", "x"],
              ["export", "scrapy", "OUT", "--base-url", "http://a.example/"]],
    ids=" ".join,
)  # fmt: skip
def test_what_says_how_to_read_a_site_needs_the_site(out, words):
    assert refused(*(word.replace("OUT", str(out)) for word in words)).endswith("needs --site.")


def test_no_folder_is_made_for_local_pages_that_are_not_there(tmp_path):
    done = sitewright("discover", "http://127.0.0.1:1/", "-o", tmp_path / "out", "--local-only")
    assert "no pages.warc.gz here" in str(done.exception)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [["json", "--site", "zz"], ["json", "--force"], ["sitemap", "--base-url", "http://a.example/"]],
    ids=" ".join,
)
def test_what_only_scrapy_needs_is_refused_by_other_formats(out, words):
    form, option, *_ = words
    message = refused("export", form, out, *words[1:])
    assert message == f"{option} has no effect on {form}."


def test_a_graph_is_written_to_the_file_that_is_named(out, tmp_path):
    shown = sitewright("export", "dot", out).stdout
    sitewright("export", "dot", out, "-o", tmp_path / "new.dot")
    old = sitewright("export", "dot", out, "--to", tmp_path / "old.dot")
    assert (tmp_path / "new.dot").read_text() == (tmp_path / "old.dot").read_text() == shown
    assert old.stderr == "sitewright: --to is deprecated; use --output instead\n"


def test_one_url_is_not_that_of_two_pages(site):
    words = ("inspect", site / "a.html", site / "index.html", "--url", "http://cup.example/")
    assert refused(*words) == "--url is the URL of one page: name one PAGE."


def test_a_default_is_no_option_that_was_given(site):
    assert sitewright("skeleton", site).exit_code == 0
    assert sitewright("skeleton", site, "--home", "a.html").exit_code == 0


def test_the_same_option_has_the_same_help_in_every_verb():
    shared = {"base_url", "home", "scope", "encoding", "url", "as_json", *CRAWL_NAMES}
    texts = {}
    for name, command in commands():
        if name.split()[0] in {*MOVING, "evaluate"}:
            continue
        for option in command.params:
            if isinstance(option, click.Option) and option.name in shared:
                texts.setdefault(option.name, set()).add(option.help)
    assert set(texts) == shared
    assert {name for name, found in texts.items() if len(found) > 1} == set()


def test_the_help_shows_the_defaults_of_the_crawler():
    words = " ".join(sitewright("inspect", "--help").output.split())
    for default in (USER_AGENT, DEFAULT_DELAY, CrawlOptions().concurrency, CrawlOptions().timeout):
        assert re.search(rf"\[default: \(?{default}\b", words)
