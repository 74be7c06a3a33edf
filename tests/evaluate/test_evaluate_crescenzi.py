"""The experiments of Crescenzi et al.: classification, navigation, convergence."""

from __future__ import annotations

import asyncio
import json
import xml.etree.ElementTree as ET

import pytest
from click.testing import CliRunner

from sitewright.cli import sitewright as program
from sitewright.crawl.waves import CrawlPlan
from sitewright.evaluate import crescenzi
from sitewright.evaluate.crescenzi import convergence, navigation_quality
from sitewright.evaluate.measures import ConfusionMatrix, f_star, weighted_f
from sitewright.methods import discover
from sitewright.papers.crescenzi import ModelQuality, model_quality
from sitewright.settings import Settings, using
from sitewright.site.folder import FolderSite

DAVIS = """feedback 4 1, headtohead 8421 1, homepage 1 1, matchReport 87 0.22, newsArticle 96 0.93,
photoGallery 927 0.9, player 8173 0.95, registration 3 1, team 156 1, tie 5233 1, tieResult 5164 1,
about 1 0.64, galleryArchiveIndex 1 1, contact 1 0.66, faq 1 1, legal 1 0.66, terms 1 0.64"""
FIFA = """2002photogallery 1 1, 2006City 12 1, 2006description 12 1, classicGame 10 1,
destinationAsia 2 0.66, destinationAsiaCityOverview 20 0.85, destinationAsiaIndex 1 1,
destinationAsiaWelcome 3 0.66, downloads 1 1, goalOfCentury 1 0.5, group 8 0.4, groupIndex 1 0.66,
home 1 1, match 64 1, matchIndex 1 1, matchReport 580 1, misc 1 0.47, news 4333 1,
newsPhoto 8068 0.8, player 736 0.57, previousWorldCupIndex 1 0.57, privacy 1 0.63,
pureFootballIndex 1 0.75, rimetCup 1 0.26, sponsor 1 1, team 32 0.92, teamAward 1 1,
teamHistory 32 0.28, teamPhotoGallery 326 1, terms 1 0.37, tournament 1 1,
variousDescription 11 0.88"""


@pytest.mark.parametrize(("table", "printed"), [(DAVIS, 0.979), (FIFA, 0.861)])
def test_the_tables_of_the_report_give_their_f_star_when_weighted_by_support(table, printed):
    """2004 report, figures 7 and 8: navigation quality. The printed F are rounded."""
    rows = [row.split() for row in table.replace("\n", " ").split(",")]
    scores = {name: float(f) for name, _, f in rows}
    support = {name: int(pages) for name, pages, _ in rows}
    assert weighted_f(scores, support) == pytest.approx(printed, abs=0.0011)
    assert sum(scores.values()) / len(scores) < printed - 0.05


def test_support_weighs_classes_by_their_pages_in_the_site():
    matrix = ConfusionMatrix.of([("a", 1)] * 9 + [("b", 1)])
    by_tests, by_support = f_star(matrix), f_star(matrix, {"a": 1, "b": 99, "unseen": 5})
    assert by_tests > 0.8
    assert by_support == pytest.approx(0.01 * 2 * 0.9 / 1.9 + 0.99 * 2 * 0.1 / 1.1)


def cup_site(folder):
    """A home page, two index pages, eight players and eight matches; a menu on every page."""
    menu = "<nav><a href=/players.html></a><a href=/matches.html></a><a href=/index.html></a></nav>"
    bodies = {
        "index.html": "<h1>x</h1>",
        "players.html": "<ul>" + "".join(f"<li><a href=p{n}.html></a>" for n in range(8)) + "</ul>",
        "matches.html": "<ol>" + "".join(f"<li><a href=m{n}.html></a>" for n in range(8)) + "</ol>",
    }
    labels = {name: name.partition(".")[0] for name in bodies}
    for n in range(8):
        bodies[f"p{n}.html"] = f"<p><i><a href=m{n}.html></a></i></p><s><a href=gone.html></a></s>"
        bodies[f"m{n}.html"] = f"<table><tr><td><a href=p{n}.html></a></table>"
        labels |= {f"p{n}.html": "player", f"m{n}.html": "match"}
    for name, body in bodies.items():
        (folder / name).write_text(f"<title>{name}</title>{menu}{body}")
    truth = folder.parent / "labels.tsv"
    truth.write_text("".join(f"{name}\t{label}\n" for name, label in labels.items()))
    return labels, truth


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    labels, truth = cup_site(folder)
    return FolderSite(folder, base_url="http://cup.example/"), labels, truth, folder


@pytest.mark.parametrize("method", ["default", "paper"])
def test_walks_end_in_classes_that_class_links_lead_to(site, method):
    opened, labels, _, _ = site
    found = asyncio.run(navigation_quality(opened, labels, CrawlPlan(limit=30), method, walks=20))
    assert found.matrix.pages == 20
    assert found.support["player"] == 8
    measures = found.measures()
    assert 0 < measures["f_star"] <= 1
    assert measures["f_star"] == pytest.approx(f_star(found.matrix, found.support), abs=1e-4)
    assert measures["f_star_by_walks"] == pytest.approx(f_star(found.matrix), abs=1e-4)


def test_the_best_fitting_of_the_classes_reached_counts_not_the_first_by_name(site):
    """A walk of two pages: the home page's menu leads to two classes, the page decides which."""
    opened, *_ = site
    model = asyncio.run(discover(opened, CrawlPlan(), method="paper"))
    walker = crescenzi._Walker(opened, model, None)
    names = frozenset(one.name for one in model.classes)
    for page in opened.pages():
        document = page.document()
        costs = walker.classifier.class_costs(walker.classifier.features(document))
        for left_out in names:
            possible = names - {left_out}
            best = walker._best(document, possible)
            by_cost = [
                (cost, place, one.name)
                for place, (cost, one) in enumerate(zip(costs, model.classes, strict=True))
                if one.name in possible
            ]
            assert best == min(by_cost)[2]


def test_the_length_of_a_walk_is_a_setting_and_dead_links_are_no_steps(site):
    opened, labels, _, _ = site
    with using(Settings.of({"walk_length": 1})):
        found = asyncio.run(navigation_quality(opened, labels, CrawlPlan(), "paper", walks=3))
    assert set(found.matrix.true_sizes) == {"index"}
    assert found.measures()["f_star"] == 1


def test_the_papers_curve_has_a_point_for_each_wave_with_the_queue(site):
    opened, labels, _, _ = site
    curves = [
        asyncio.run(convergence(opened, labels, CrawlPlan(strategy=strategy), "paper"))
        for strategy in ("densest", "sparsest")
    ]
    for found in curves:
        assert found.points[0].visited == 1
        assert 10 < found.points[-1].visited <= 19
        assert found.points[-1].queue == 0
        assert 0 < found.points[0].q < found.points[-1].q <= 1
        longest = found.at_longest_queue
        assert longest.queue == max(point.queue for point in found.points)
        assert sum(row["is_longest_queue"] for row in found.as_json()) == 1
    assert curves[0].points != curves[1].points


def test_our_curve_has_eight_points(site):
    opened, labels, _, _ = site
    found = asyncio.run(convergence(opened, labels, CrawlPlan()))
    assert len(found.points) == 8
    assert found.points[-1].visited == 19


def test_reference_schemas_are_of_all_labelled_pages(site):
    opened, labels, _, folder = site
    plan = CrawlPlan(strategy="densest")
    every = asyncio.run(convergence(opened, labels, plan, "paper"))
    (folder / "p7.html").write_text("<b><a href=x1.html></a><a href=m1.html></a></b>" * 2)
    changed = asyncio.run(convergence(opened, labels, plan, "paper"))
    few = asyncio.run(convergence(opened, labels, plan, "paper", reference_pages=2))
    assert every.points[-1].q != changed.points[-1].q != few.points[-1].q


def test_the_quality_of_a_growing_model_is_that_of_the_model_at_each_point():
    references = [{1, 2, 3}, {7, 8}]
    pages = [(0, {1, 2}), (1, {7, 8, 9}), (0, {1, 2, 3}), (2, {5})]
    grown = ModelQuality(references)
    assert grown.q() == 0
    for done in range(1, len(pages) + 1):
        number, page = pages[done - 1]
        grown.add(number, page)
        computed: dict[int, list[set[int]]] = {}
        for number, page in pages[:done]:
            computed.setdefault(number, []).append(page)
        assert grown.q() == pytest.approx(model_quality(references, list(computed.values())))


def run(*arguments: str):
    ran = CliRunner().invoke(program, ["evaluate", *map(str, arguments)])
    assert ran.exit_code == 0, ran.output
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.mark.parametrize("experiment", ["classes", "navigation"])
@pytest.mark.parametrize("method", ["default", "paper"])
def test_the_commands_print_measures_parameters_and_a_row_a_class(site, experiment, method):
    _, _, truth, folder = site
    (found,) = run(experiment, folder, "--labels", truth, "--method", method, "--json")
    assert {"f_star", "entropy", "purity", "parameters"} <= found.keys()
    for row in found["classes"]:
        assert sum(row["found"].values()) == row["tested"]
        assert row["support"] in {1, 8}
        assert 0 <= row["f"] <= 1
    tested = sum(row["tested"] for row in found["classes"])
    assert tested == found["tested"]


def test_a_parameter_of_the_paper_is_set_by_its_name_and_recorded(site):
    _, _, truth, folder = site
    (found,) = run("classes", folder, "--labels", truth, "--method", "paper", "--json",
                   "--set", "dt=0.5", "--set", "c_miss=2", "--set", "labelling=tag")  # fmt: skip
    assert found["parameters"]["dt"] == 0.5
    assert found["parameters"]["c_miss"] == 2
    assert found["parameters"]["labelling"] == "tag"


def test_convergence_draws_all_strategies_in_one_plot(site, tmp_path):
    _, _, truth, folder = site
    plot = tmp_path / "q.svg"
    rows = run("convergence", folder, "--labels", truth, "--method", "paper", "--json",
               "--plot", plot)  # fmt: skip
    assert {row["strategy"] for row in rows} == {"densest", "sparsest"}
    drawing = ET.fromstring(plot.read_text())
    lines = drawing.findall("{http://www.w3.org/2000/svg}polyline")
    assert len(lines) == 4
    assert sum("stroke-dasharray" in line.attrib for line in lines) == 2
