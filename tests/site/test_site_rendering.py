"""Pages that scripts fill: rendered where that adds something, by kind, and replayed offline."""

from __future__ import annotations

import asyncio
import json

import pytest
from click.testing import CliRunner

import sitewright
from examples.cup.faults import Answer, Faults
from examples.cup.server import serve
from sitewright.cli import sitewright as program
from sitewright.errors import MissingBrowser, MissingExtra, NoPages
from sitewright.site.browser import Browser
from sitewright.site.scripts import PageRenderer, is_empty_shell, lacks, looks_like_shell


@pytest.fixture(scope="module", autouse=True)
def chromium():
    """Skip where there is no browser."""

    async def start():
        async with Browser():
            pass

    try:
        asyncio.run(start())
    except (MissingExtra, MissingBrowser) as error:
        pytest.skip(str(error))


LIST = """<!doctype html><title>Teams</title><nav><a href="/">Home</a> <a href="/plain/0">Plain</a>
</nav><h1>Teams</h1><ul id="list"></ul><script src="/app.js"></script>"""
APP = """
const part = location.pathname.split("/");
if (part[1] === "team") {
  fetch("/api/team?id=" + part[2]).then(r => r.json()).then(t => {
    document.getElementById("app").innerHTML =
      `<h1>${t.name}</h1><dl><dt>City</dt><dd>${t.city}</dd><dt>Points</dt><dd>${t.points}</dd></dl>`;
  });
} else {
  let page = 0;
  const list = document.getElementById("list");
  const more = () => fetch("/api/teams?page=" + page).then(r => r.json()).then(rows => {
    page += 1;
    for (const t of rows.teams)
      list.innerHTML += `<li style="height: 400px"><a href="/team/${t.id}">${t.name}</a></li>`;
  });
  more();
  addEventListener("scroll", () => { if (page < 3) more(); });
  fetch("http://elsewhere.example/track"); fetch("/private/secret.json");
  fetch("/api/vote", {method: "POST"});
}
"""
TEAM = """<!doctype html><title>Team</title><nav><a href="/">Home</a></nav><div id="app"></div>
<img src="/logo.png"><script src="/app.js"></script>"""
PLAIN = """<!doctype html><title>Plain {0}</title><nav><a href="/">Home</a></nav><h1>Plain {0}</h1>
<p>Words {0}</p><a href="/plain/{1}">next</a><div id="ad"></div><script>var a = 1;</script>"""


def team(number):
    return {"id": number, "name": f"Team {number}", "city": f"City {number % 4}", "points": number}


def answer(path, query, _headers):
    """A site whose teams are made by scripts, and that has plain pages as well."""
    first, _, rest = path[1:].partition("/")
    if path in {"/", "/app.js"}:
        return Answer((LIST if path == "/" else APP).encode(),
                      type="text/html" if path == "/" else "text/javascript")  # fmt: skip
    if path == "/api/teams":
        page = int(query.partition("=")[2])
        teams = [team(n) for n in range(4 * page, 4 * page + 4)] if page < 3 else []
        return Answer(json.dumps({"teams": teams}).encode(), type="application/json")
    if path == "/api/team":
        found = team(int(query.partition("=")[2]))
        return Answer(json.dumps(found).encode(), type="application/json")
    if first == "team":
        return Answer(TEAM.encode())
    if first == "plain" and int(rest) < 12:
        return Answer(PLAIN.format(rest, int(rest) + 1).encode())
    return None


ROBOTS = Faults(robots="User-agent: *\nDisallow: /private/")


@pytest.fixture(scope="module")
def rendered(tmp_path_factory):
    """The site, run once with a browser, and the server's log."""
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "site").mkdir()
    with serve(folder / "site", dynamic=answer, faults=ROBOTS) as server:
        project = sitewright.run(server.url, folder / "out")
        yield project, server


def test_pages_that_scripts_fill_are_rendered_and_others_are_not(rendered):
    project, server = rendered
    teams = next(one for one in project.classes if "team" in one.name.lower())
    records = list(project[teams.name].records())
    assert len(records) == 12
    assert {record["city"] for record in records} == {f"City {n}" for n in range(4)}
    assert project.account.rendered <= 12 + 1 + 3
    assert project.account.shells == 0
    paths = [path for path in server.paths if path != "/robots.txt"]
    assert len(paths) == len(set(paths))


def test_the_browser_obeys_scope_and_robots(rendered):
    _, server = rendered
    assert not [path for path in server.paths if path.startswith(("/private", "/logo", "http"))]
    assert "/api/vote" not in server.paths


def test_data_behind_the_pages_is_reported(rendered):
    project, server = rendered
    [one] = [one for one in project.account.endpoints if one.url.endswith("/api/team")]
    assert one.varying == ("id",)
    assert {"name", "city"} <= set(one.fields)
    assert one.pages == 12
    assert server.url + "api/teams" in {one.url for one in project.account.endpoints}


def test_a_replay_needs_neither_browser_nor_server_and_gives_the_same(rendered, monkeypatch):
    project, server = rendered
    names = ["model.json", "skeleton.json", "site.json", "rejected.jsonl"]
    names += [str(path.relative_to(project.path)) for path in project.path.rglob("table.jsonl")]
    before = {name: (project.path / name).read_bytes() for name in names}
    asked = len(server.requests)

    async def no_browser(_self):
        raise AssertionError("no browser is needed")

    monkeypatch.setattr(PageRenderer, "_running", no_browser)
    sitewright.run(server.url, project.path)
    assert len(server.requests) == asked
    assert {name: (project.path / name).read_bytes() for name in names} == before


def test_a_shell_that_its_scripts_leave_empty_is_no_success(tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site/index.html").write_bytes(b"<title>App</title><div></div><script>1</script>")
    with (
        serve(tmp_path / "site") as server,
        pytest.raises(NoPages, match=r"1 of 1 .* scripts; a browser shows nothing more on them"),
    ):
        sitewright.run(server.url, tmp_path / "out")


def test_without_a_browser_an_empty_shell_is_no_success(tmp_path, monkeypatch):
    (tmp_path / "site").mkdir()
    shell = Answer(
        b"<!doctype html><title>App</title><div id=root></div><script src=/a.js></script>"
    )

    async def missing(_self):
        raise MissingExtra("visual", "rendering pages")

    monkeypatch.setattr(Browser, "__aenter__", missing)
    with serve(
        tmp_path / "site", dynamic=lambda path, *_: shell if path == "/" else None
    ) as server:
        with pytest.raises(NoPages, match=r"1 of 1 pages have nothing but scripts; .*pip install"):
            sitewright.run(server.url, tmp_path / "out")
        assert not (tmp_path / "out").exists()
        result = CliRunner().invoke(program, ["run", server.url, "-o", str(tmp_path / "out")])
        assert isinstance(result.exception, NoPages)
        with pytest.raises(NoPages, match="try --render auto"):
            sitewright.run(
                server.url, tmp_path / "out", crawl=sitewright.CrawlOptions(render="never")
            )
    (tmp_path / "site/index.html").write_bytes(shell.body)
    with pytest.raises(NoPages, match="save the pages as a browser shows them"):
        sitewright.run(tmp_path / "site", tmp_path / "out")


@pytest.mark.parametrize(
    ("body", "is_shell", "is_empty"),
    [
        (b"<div id=root></div><script src=a.js></script>", True, True),
        (b"<div id=root>Loading...</div><script src=a.js></script>", True, True),
        (b"<p>" + b"word " * 50 + b"<ul class=x> </ul><script>go()</script>", True, False),
        (b"<p>" + b"word " * 50 + b"<script>go()</script>", False, False),
        (b"<div id=root></div>", False, False),
        (b"<div id=root></div><script type='application/ld+json'>{}</script>", False, False),
        (b"<p>Hi", False, False),
    ],
)
def test_shells_are_known_by_their_looks(body, is_shell, is_empty):
    assert looks_like_shell(body) is is_shell
    assert is_empty_shell(body) is is_empty


def test_a_rendering_counts_if_a_tenth_is_new():
    plain = b"<ul>" + b"".join(b"<li>%d</li>" % n for n in range(20)) + b"</ul>"
    assert not lacks(plain, plain + b"<p>one")
    assert lacks(plain, plain + b"<p>one<p>two<p>three")
    assert lacks(plain, plain + b"<a href=/x></a>")
