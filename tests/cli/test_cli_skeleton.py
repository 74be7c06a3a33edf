from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from sitewright.cli import sitewright
from sitewright.errors import SitewrightError


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.html").write_text(
        "<title>Home</title><ul><li><a href=a.html>Alpha</a><li><a href=b.html>Beta</a></ul>"
    )
    (folder / "a.html").write_text("<ol><li><a href=c.html>Gamma</a></ol>")
    (folder / "b.html").write_text("b")
    (folder / "c.html").write_text("c")
    return folder


def run(*arguments):
    return CliRunner().invoke(sitewright, [*map(str, arguments)], catch_exceptions=False)


def test_the_tree_goes_to_a_file(site, tmp_path):
    result = run("skeleton", site, "-o", tmp_path / "out")
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert (told["pages"], told["navigation"], told["content"], told["depth"]) == (4, 2, 2, 2)
    tree = json.loads((tmp_path / "out" / "skeleton.json").read_text())
    assert list(tree) == ["format", "version", "model", "pages"]
    assert [page["title"] for page in tree["pages"]] == ["Home", "Alpha", "Gamma", "Beta"]


def test_without_a_folder_every_page_is_a_line(site):
    lines = [json.loads(line) for line in run("skeleton", site).stdout.splitlines()]
    assert [(line["level"], line["title"]) for line in lines] == [
        (0, "Home"),
        (1, "Alpha"),
        (2, "Gamma"),
        (1, "Beta"),
    ]


def test_people_get_a_tree(site, monkeypatch):
    monkeypatch.setattr("sitewright.cli.console.Console.speaks_json", lambda *_: False)
    shown = run("skeleton", site, "--depth", "1").stdout
    assert "├── Alpha" in shown
    assert "Gamma" not in shown


def test_the_same_site_gives_the_same_bytes(site, tmp_path):
    for name in ("one", "two"):
        run("skeleton", site, "-o", tmp_path / name)
    first, second = ((tmp_path / name / "skeleton.json").read_bytes() for name in ("one", "two"))
    assert first == second


def test_a_single_page_says_so_and_has_no_navigation(tmp_path):
    (tmp_path / "index.html").write_text("alone")
    result = run("skeleton", tmp_path, "--json")
    assert result.exit_code == 1
    assert "a single page" in result.stderr


def test_a_flat_list_says_so(site):
    (site / "a.html").write_text("no links")
    result = run("skeleton", site)
    assert result.exit_code == 0
    assert "a flat list: 2 pages" in result.stderr


def test_the_papers_method_can_be_chosen(site):
    assert run("skeleton", site, "--method", "paper").exit_code in {0, 1}


@pytest.mark.parametrize("where", ["empty", "missing"])
def test_what_is_no_site_is_an_error_in_one_line(tmp_path, where):
    (tmp_path / "empty").mkdir()
    with pytest.raises(SitewrightError) as error:
        run("skeleton", tmp_path / where)
    assert "\n" not in str(error.value)


def test_numbers_can_be_learnt_and_used(site, tmp_path):
    (tmp_path / "truth.tsv").write_text(
        "# home\tindex.html\nindex.html\ta.html\tAlpha\t1\n"
        "index.html\tb.html\tBeta\t1\na.html\tc.html\tGamma\t2\n"
    )
    (tmp_path / "sites.tsv").write_text("one\tsite\ttruth.tsv\n")
    learnt = run("skeleton", "train", tmp_path / "sites.tsv", "-o", tmp_path / "trained.json")
    assert learnt.exit_code == 0
    assert json.loads(learnt.stdout)["sites"] == 1
    assert run("skeleton", site, "--trained", tmp_path / "trained.json").exit_code == 0
    scored = run("evaluate", "skeleton", site, tmp_path / "truth.tsv")
    rows = [json.loads(line) for line in scored.stdout.splitlines()]
    assert rows[0]["edge_f"] == 1
    everything = run("evaluate", "skeleton", tmp_path / "sites.tsv", "--json")
    assert json.loads(everything.stdout.splitlines()[-1])["site"] == "all"


def test_a_skeleton_is_exported_as_a_site_map(site, tmp_path):
    run("skeleton", site, "-o", tmp_path / "out")
    assert run("export", "sitemap", tmp_path / "out").exit_code == 0
    assert "a.html" in (tmp_path / "out" / "sitemap.xml").read_text()
    assert (tmp_path / "out" / "sitemap.txt").read_text().startswith("Home <http")


def test_the_papers_levels_and_its_best_candidates(tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    items = "".join(f"<li><a href=p{n}.html>Page {n}</a></li>" for n in range(5))
    (folder / "index.html").write_text(f"<ul>{items}</ul><ol>{items}</ol>")
    result = run("skeleton", folder, "--method", "paper", "--levels", "1", "--candidates", "1",
                 "--set", "tau=0")  # fmt: skip
    assert result.exit_code == 0
    (row,) = map(json.loads, result.stdout.splitlines())
    assert row["rank"] == 1
    assert row["is_accepted"] is True
    assert [one["name"] for one in row["links"]] == [f"Page {n}" for n in range(5)]
    assert run("skeleton", folder, "--levels", "2").exit_code == 2
