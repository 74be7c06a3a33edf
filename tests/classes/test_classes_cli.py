"""The demo site, as a stranger meets it: discover, classify, show, export, run."""

from __future__ import annotations

import json
from urllib.parse import unquote, urlsplit

import pytest
from click.testing import CliRunner

from examples.cup import generate
from sitewright.cli import sitewright
from sitewright.evaluate.datasets import read_labels
from sitewright.evaluate.measures import ConfusionMatrix, f_star
from sitewright.output.folder import read_model


def run(*arguments: object, code: int = 0):
    result = CliRunner().invoke(sitewright, list(map(str, arguments)))
    assert result.exit_code == code, result.output
    return result.stdout


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cup")
    generate(folder / "cup", scale=0.25)
    run("discover", folder / "cup/site", "-o", folder / "out", "--pages", 300)
    return folder


def file_name(url: str) -> str:
    parts = urlsplit(url)
    return unquote(parts.path[1:]) + (f"?{parts.query}" if parts.query else "")


def test_the_classes_of_the_demo_site_are_found_from_some_of_its_pages(cup):
    truth = read_labels(cup / "cup/truth/page-classes.tsv")
    lines = run("classify", cup / "out", cup / "cup/site").splitlines()
    found = {file_name(item["url"]): item["class"] for item in map(json.loads, lines)}
    pairs = [(label, found.get(page)) for page, label in truth.items()]
    assert f_star(ConfusionMatrix.of(pairs)) >= 0.85


def test_classify_prints_what_the_design_says(cup):
    page = cup / "cup/site/index.html"
    item = json.loads(run("classify", cup / "out", page, "--url", "http://folder.invalid/"))
    assert list(item) == ["url", "class", "cost", "confidence", "runner_up"]
    assert 0 <= item["confidence"] <= 1


def test_an_address_alone_tells_a_class(cup):
    url = "http://folder.invalid/players/9-some-one.html"
    assert json.loads(run("classify", cup / "out", "--url-only", url))["class"] == "player"
    nowhere = "http://folder.invalid/no/such/page/at/all.php"
    assert json.loads(run("classify", cup / "out", "--url-only", nowhere))["class"] is None


def test_the_model_has_names_patterns_samples_and_links(cup):
    model = read_model(cup / "out")
    player = model.by_name("player")
    assert player.url_template.startswith("/players/")
    assert player.url_precision > 0.7  # the old players have a design of their own
    assert player.samples
    assert player.entry_points
    assert any(link.target == "player" for link in model.links)
    assert model.curve


def test_the_same_run_writes_the_same_bytes(cup, tmp_path):
    run("discover", cup / "cup/site", "-o", tmp_path, "--pages", 300)
    for name in ("model.json", "report.html"):
        assert (tmp_path / name).read_bytes() == (cup / "out" / name).read_bytes()


def test_the_report_is_one_file_that_fetches_nothing(cup):
    report = (cup / "out/report.html").read_text()
    assert "<svg" in report
    assert "player" in report
    assert "<script" not in report
    assert 'src="http' not in report


@pytest.mark.parametrize("form", ["graphml", "dot", "json"])
def test_the_graph_goes_to_other_programs(cup, form):
    assert "player" in run("export", form, cup / "out")


def test_show_lists_the_classes(cup):
    names = [json.loads(line)["name"] for line in run("show", cup / "out").splitlines()]
    assert "player" in names
    assert len(set(names)) == len(names)


def test_the_papers_method_runs_from_the_command_line(cup, tmp_path):
    run("discover", cup / "cup/site", "-o", tmp_path, "--method", "paper", "--pages", 100)
    assert read_model(tmp_path).method == "paper"
    assert run("classify", tmp_path, cup / "cup/site/index.html")


def test_all_pages_at_hand_can_be_taken(cup, tmp_path):
    item = json.loads(run("discover", cup / "cup/site", "-o", tmp_path, "--all-pages"))
    assert item["pages"] > 500


def write(folder, pages):
    folder.mkdir()
    for name, body in pages.items():
        (folder / name).write_text(body)
    return folder


def test_a_site_of_one_page(tmp_path):
    site = write(tmp_path / "site", {"index.html": "<h1>Alone</h1>"})
    item = json.loads(run("run", site, "-o", tmp_path / "out"))
    assert (item["pages"], item["classes"]) == (1, 1)
    assert (tmp_path / "out/report.html").exists()


def test_a_site_whose_pages_are_all_the_same(tmp_path):
    body = "".join(f'<a href="p{n}.html">x</a>' for n in range(30))
    pages = {f"p{n}.html": f"<ul><li>{body}</ul>" for n in range(30)} | {"index.html": body}
    item = json.loads(run("discover", write(tmp_path / "site", pages), "-o", tmp_path / "out"))
    assert item["classes"] <= 2


def test_a_site_whose_pages_are_all_different(tmp_path):
    links = "".join(f'<a href="q{n}x.html">x</a>' for n in range(20))
    pages = {f"q{n}x.html": f"<t{n}><u{n}>x</u{n}></t{n}>" for n in range(20)}
    site = write(tmp_path / "site", pages | {"index.html": links})
    assert json.loads(run("discover", site, "-o", tmp_path / "out"))["classes"] >= 1


def test_an_empty_folder_and_a_foreign_model_are_refused(tmp_path):
    (tmp_path / "empty").mkdir()
    result = CliRunner().invoke(
        sitewright, ["discover", str(tmp_path / "empty"), "-o", str(tmp_path / "out")]
    )
    assert "no pages in this folder" in str(result.exception)
    assert not (tmp_path / "out/model.json").exists()
    (tmp_path / "model.json").write_text('{"format": "sitewright-model", "version": 99}')
    result = CliRunner().invoke(sitewright, ["show", str(tmp_path)])
    assert "format version 99, but this program reads 2" in str(result.exception)
