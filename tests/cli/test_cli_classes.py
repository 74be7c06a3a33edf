"""The demo site, as a stranger meets it: discover, classify, show, export, run."""

from __future__ import annotations

import json
import re
from collections import Counter
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from examples.cup import generate
from sitewright.cli import sitewright
from sitewright.evaluate.measures import ConfusionMatrix, f_star, read_labels
from sitewright.export.folder import read_model


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
    assert f_star(ConfusionMatrix.of(pairs)) >= 0.9


def test_classify_prints_what_the_design_says(cup):
    page = min((cup / "cup/site/players").glob("0*.html"))
    item = json.loads(run("classify", cup / "out", page))
    assert list(item) == ["url", "class", "cost", "confidence", "runner_up"]
    assert item["url"] == page.as_uri()
    assert item["class"] == "player"
    assert item["runner_up"] in {one.name for one in read_model(cup / "out").classes} - {"player"}
    assert 0.5 < item["confidence"] <= 1


def test_a_page_has_its_class_wherever_its_file_lies_and_whatever_address_it_is_given(
    cup, tmp_path
):
    page = min((cup / "cup/site/players").glob("0*.html"))
    (tmp_path / "news").mkdir()
    elsewhere = tmp_path / "news/index.html"
    elsewhere.write_bytes(page.read_bytes())
    news = read_model(cup / "out").by_name("news").samples[1]
    for given in ([elsewhere], [elsewhere, "--url", news], ["--url", news, page]):
        assert json.loads(run("classify", cup / "out", *given))["class"] == "player"
    whole, part = (
        {item["url"].rpartition("/")[2]: item["class"] for item in map(json.loads, lines)}
        for lines in (
            [one for one in run("classify", cup / "out", folder).splitlines() if beginning in one]
            for folder, beginning in ((cup / "cup/site", "invalid/players/"), (page.parent, ""))
        )
    )
    assert part == whole
    assert "player" in part.values()


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


def test_the_same_run_writes_the_same_bytes(cup):
    again = cup / "again"  # beside the other, since links of the report lead to files
    run("discover", cup / "cup/site", "-o", again, "--pages", 300)
    for name in ("model.json", "report.html"):
        assert (again / name).read_bytes() == (cup / "out" / name).read_bytes()


def test_the_report_is_one_file_that_fetches_nothing(cup):
    report = (cup / "out/report.html").read_text()
    assert "<svg" in report
    assert "player" in report
    assert "<script" not in report
    assert 'src="http' not in report


@pytest.mark.parametrize("form", ["graphml", "dot", "json"])
def test_the_graph_goes_to_other_programs(cup, form):
    written = run("export", form, cup / "out")
    names = [one.name for one in read_model(cup / "out").classes]
    if form == "json":
        assert [one["name"] for one in json.loads(written)["classes"]] == names
    elif form == "graphml":
        node = "{http://graphml.graphdrawing.org/xmlns}node"
        assert [one.get("id") for one in ET.fromstring(written).iter(node)] == names
    else:
        assert re.findall(r'^  "([^"]+)" \[', written, re.MULTILINE) == names


def test_show_lists_the_classes(cup):
    names = [json.loads(line)["name"] for line in run("show", cup / "out").splitlines()]
    assert names == [one.name for one in read_model(cup / "out").classes]
    assert {"player", "news", "match", "team", "photo"} <= set(names)


def test_the_papers_method_runs_from_the_command_line(cup, tmp_path):
    by_paper = "--method", "paper", "--strategy", "sparsest", "--pages", 100
    run("discover", cup / "cup/site", "-o", tmp_path, *by_paper)
    assert read_model(tmp_path).method == "paper"
    lines = run("classify", tmp_path, cup / "cup/site/teams").splitlines()
    found = Counter(json.loads(line)["class"] for line in lines)
    assert found.total() == len(list((cup / "cup/site/teams").rglob("*.html")))
    assert None not in found
    assert len(found) > 1


def test_all_pages_at_hand_can_be_taken(cup, tmp_path):
    item = json.loads(run("discover", cup / "cup/site", "-o", tmp_path, "--all-pages"))
    assert item["pages"] == len(read_labels(cup / "cup/truth/page-classes.tsv"))


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
    item = json.loads(run("discover", site, "-o", tmp_path / "out"))
    # One page shows no regularity: those that exist once share a class.
    assert (item["pages"], item["classes"]) == (21, 1)


def test_an_empty_folder_and_a_foreign_model_are_refused(tmp_path):
    (tmp_path / "empty").mkdir()
    result = CliRunner().invoke(
        sitewright, ["discover", str(tmp_path / "empty"), "-o", str(tmp_path / "out")]
    )
    assert "no pages in this folder" in str(result.exception)
    assert not (tmp_path / "out/model.json").exists()
    (tmp_path / "model.json").write_text('{"format": "sitewright-model", "version": 99}')
    result = CliRunner().invoke(sitewright, ["show", str(tmp_path)])
    assert "format version 99, but this program reads 3" in str(result.exception)
