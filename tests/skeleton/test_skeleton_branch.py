"""Records and wrappers of the pages below a page of the skeleton."""

from __future__ import annotations

import shutil

import pytest
from click.testing import CliRunner

import sitewright
from examples.cup.server import serve
from sitewright.cli import sitewright as program
from sitewright.errors import InvalidInput
from sitewright.project import Project
from sitewright.site.web import CrawlOptions

SECTIONS = ("news", "sport")
MENU = "<nav>" + "".join(f"<a href=/{name}/index.html>{name}</a>" for name in SECTIONS) + "</nav>"


def story(section: str, number: int) -> str:
    score = f"<p class=score>Score <b>{number}:{number + 1}</b></p>" if section == "sport" else ""
    return (
        f"<title>{section} {number}</title><body class=story>{MENU}"
        f"<p class=up><a rel=up href=index.html>{section}</a></p><h1>The {section} no {number}</h1>"
        f"<p class=by>By <b>Writer {number % 5}</b></p>{score}<p class=text>All that is known of "
        f"{section} {number}.</p>"
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("paper")
    site = folder / "site"
    for name in SECTIONS:
        (site / name).mkdir(parents=True)
        links = "".join(f"<li><a href={n}.html>{name} {n}</a>" for n in range(12))
        (site / name / "index.html").write_text(f"<title>{name}</title>{MENU}<ul>{links}</ul>")
        for number in range(12):
            (site / name / f"{number}.html").write_text(story(name, number))
    (site / "index.html").write_text(f"<title>The paper</title>{MENU}<h1>Welcome</h1>")
    sitewright.run(site, folder / "out")
    return folder


@pytest.fixture
def out(made, tmp_path):
    return shutil.copytree(made / "out", tmp_path / "out")


def stories(project) -> list[dict]:
    """The records of the class that all stories are of."""
    found = [one.records() for one in project.classes if one.table.is_there]
    return [record for records in found for record in records if "index" not in record["_url"]]


def test_a_branch_of_the_skeleton_gives_its_records_alone(made, out):
    project = Project(out, made / "site")
    assert len(stories(project)) == 24
    project.extract(below="sport/index.html")
    urls = {record["_url"] for record in stories(project)}
    assert len(urls) == 12
    assert all("/sport/" in url for url in urls)


def test_wrappers_can_be_learnt_from_the_pages_of_a_branch(made, out):
    """Every page of the branch has a score; in the class as a whole only half of them."""
    project = Project(out, made / "site")
    project.learn_wrappers(below="sport/index.html")
    project.extract(below="sport/index.html")
    values = [str(value) for record in stories(project) for value in record.values()]
    assert {f"{n}:{n + 1}" for n in range(12)} <= set(values)
    fields = [field for wrapper in project.wrappers.values() for field in wrapper.fields]
    assert {field.coverage for field in fields} == {1.0}


def test_a_page_that_is_not_in_the_skeleton_is_refused(made, out):
    with pytest.raises(InvalidInput, match="not in the skeleton"):
        Project(out, made / "site").extract(below="nowhere.html")


def test_of_a_live_site_only_the_branch_is_fetched(made, tmp_path):
    options = CrawlOptions(allow_private=True, delay=0)
    with serve(made / "site") as server:
        sitewright.run(server.url, tmp_path / "out", pages=12, crawl=options)
        project = Project(tmp_path / "out", server.url, crawl=options)
        summary = project.extract(below="sport/index.html")
    assert summary.asked == len(project.branch("sport/index.html"))
    assert {record["_url"].split("/")[-2] for record in stories(project)} == {"sport"}


def test_the_command_extracts_a_branch_and_learns_from_it(made, out):
    site = str(made / "site")
    run = CliRunner().invoke(
        program, ["extract", str(out), site, "--below", "news/index.html", "--relearn"]
    )
    assert run.exit_code == 0, run.output
    assert {record["_url"].split("/")[-2] for record in stories(Project(out))} == {"news"}
    refused = CliRunner().invoke(program, ["extract", str(out), site, "--relearn"])
    assert refused.exit_code == 2
    assert "needs --below" in refused.output
