"""COMPUTEMODEL: the papers' exploration, its queue, and the site model that it makes."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import replace
from itertools import pairwise

import pytest
from click.testing import CliRunner

from sitewright import formats
from sitewright.choices import ExplorationEnd, Labelling
from sitewright.classes import SiteModel
from sitewright.cli import sitewright as program
from sitewright.crawl.frontier import Strategy
from sitewright.crawl.waves import CrawlPlan
from sitewright.errors import InvalidInput
from sitewright.methods import discover, discover_all, site_classifier
from sitewright.page import Schema
from sitewright.papers.crescenzi import PaperModel
from sitewright.papers.crescenzi_exploration import (
    PaperQueue,
    compute_model,
    compute_model_of_all,
    paper_site_model,
)
from sitewright.project_steps import Exploring
from sitewright.settings import CrescenziSettings, Settings, using
from sitewright.site.folder import FolderSite

BASE = "http://cup.example/"


def links(*urls: str, tag: str = "li", attributes: str = "") -> str:
    items = "".join(f'<{tag}{attributes}><a href="{url}">x</a></{tag}>' for url in urls)
    return f"<ul>{items}</ul>"


def small_site(folder):
    """A home page, a menu to three unlike pages, ten players and ten matches."""
    pages = {
        "index.html": "<nav><a href=players.html></a><a href=matches.html></a><a href=about.html>"
        "</a></nav>",
        "players.html": links(*(f"p{n}.html" for n in range(10))) + "<p><a href=/index.html></a>",
        "matches.html": "<table><tr>"
        + "".join(f"<td><a href=m{n}.html></a>" for n in range(10))
        + "</table><h2><a href=index.html></a></h2>",
        "about.html": "<address><i><a href=index.html></a></i></address>",
    }
    for n in range(10):
        pages[f"p{n}.html"] = f"<h1><a href=players.html></a></h1>{links(f'm{n}.html')}"
        pages[f"m{n}.html"] = (
            f"<dl><dt><a href=matches.html></a><dd><a href=p{n}.html></a></dl><b><a href=/></a></b>"
        )
    for name, body in pages.items():
        (folder / name).write_text(f"<title>{name}</title><body>{body}")
    return FolderSite(folder, base_url=BASE)


def explored(site, **options):
    return asyncio.run(compute_model(site, **options))


def class_of(exploration) -> dict[str, int | None]:
    pages = zip(exploration.pages, exploration.class_of_page, strict=True)
    return {page.url.removeprefix(BASE): number for page, number in pages}


def test_the_home_page_is_the_first_class_and_lists_lead_to_classes(tmp_path):
    found = class_of(explored(small_site(tmp_path)))
    assert found["index.html"] == 0
    assert len({found[f"p{n}.html"] for n in range(10) if f"p{n}.html" in found}) == 1
    assert len({found[f"m{n}.html"] for n in range(10) if f"m{n}.html" in found}) == 1


def test_pages_of_a_menu_build_no_class_but_lead_on(tmp_path):
    exploration = explored(small_site(tmp_path))
    found = class_of(exploration)
    assert [found[name] for name in ("players.html", "matches.html", "about.html")] == [None] * 3
    built = sum(summary.pages for summary in exploration.model.classes)
    assert built == len(exploration.pages) - 3


def test_paths_of_a_menus_pages_are_not_in_the_schemas_of_the_model(tmp_path):
    exploration = explored(small_site(tmp_path))
    model = paper_site_model(exploration, BASE)
    texts = [[" > ".join(path) for path in schema_paths(model, one)] for one in model.classes]
    assert not any("address" in text for schema in texts for text in schema)
    assert any("dl > dt" in text for schema in texts for text in schema)
    assert all(one.nearest is None and not one.distinguishing for one in model.classes)


def schema_paths(model, one):
    for last in one.schema:
        labels, place = [], last
        while place:
            above, label = model.paths[place]
            labels.append(label)
            place = above
        yield labels[::-1]


def test_the_classifier_and_the_model_put_every_page_into_the_same_class(tmp_path):
    site = small_site(tmp_path)
    exploration = explored(site)
    model = paper_site_model(exploration, BASE)
    again = formats.parse(formats.dump(model), SiteModel, "model.json")
    classifier = site_classifier(again)
    for page in site.pages():
        features = classifier.features(page.document())
        ours = class_of(exploration)  # pages that were visited
        number = exploration.model.best_class(
            Schema.of(renumbered(features.schema, classifier.vocabulary, exploration.vocabulary))
        )
        assert classifier.classify(page.document()).page_class == again.classes[number].name
        assert ours.get(page.url.removeprefix(BASE), 0) in {None, number, 0}


def renumbered(schema, one, other):
    return {
        other.extend(path_of(one, path, other), one.labels(path)[-1]): count
        for path, count in zip(schema.paths.tolist(), schema.counts.tolist(), strict=True)
    }


def path_of(one, path, other):
    found = 0
    for label in one.labels(path)[:-1]:
        found = other.extend(found, label)
    return found


def test_python_explores_densest_first_as_the_command_line_does(tmp_path):
    site = small_site(tmp_path)
    model = asyncio.run(discover(site, CrawlPlan(limit=12), method="paper"))
    assert model.parameters["strategy"] == "densest"
    ran = CliRunner().invoke(
        program,
        ["discover", str(tmp_path), "--base-url", BASE, "-o", str(tmp_path / "out"),
         "--method", "paper", "--pages", "12"],
    )  # fmt: skip
    assert ran.exit_code == 0, ran.output
    written = json.loads((tmp_path / "out" / "model.json").read_text())
    assert [one["name"] for one in written["classes"]] == [one.name for one in model.classes]
    assert [one["visited"] for one in written["classes"]] == [o.visited for o in model.classes]
    sparse = CrawlPlan(limit=12, strategy=Strategy.SPARSEST_FIRST)
    model = asyncio.run(discover(site, sparse, method="paper"))
    assert model.parameters["strategy"] == "sparsest"


def test_our_strategy_is_refused_with_the_papers_method():
    with pytest.raises(InvalidInput, match="the papers have densest, sparsest"):
        Exploring(method="paper", strategy="balanced")


def test_every_parameter_is_recorded_and_can_be_changed(tmp_path):
    changes = {"n": 3, "dt": 0.4, "c_i": 0.5, "labelling": "tag", "collapse": "loop",
               "heterogeneity": "candidates", "min_group_size": 1.5}  # fmt: skip
    with using(Settings.of(changes)):
        model = asyncio.run(discover(small_site(tmp_path), CrawlPlan(), method="paper"))
    assert changes.items() <= model.parameters.items()
    assert model.parameters["c_miss"] == 1


def test_a_plan_with_a_wave_size_of_its_own_decides_n(tmp_path):
    plan = CrawlPlan(limit=30, wave_size=2)
    model = asyncio.run(discover(small_site(tmp_path), plan, method="paper"))
    assert model.parameters["n"] == 2


def test_all_pages_proceed_by_collections_and_pages_that_are_all_different_stay_apart(tmp_path):
    for n, tag in enumerate(("h1", "h2", "h3", "h4")):
        (tmp_path / f"{n}.html").write_text(links("x.html", tag=tag) * 3)
    model = discover_all(FolderSite(tmp_path, base_url=BASE), method="paper")
    assert len(model.classes) == 4
    assert model.parameters["all_pages"] is True


def test_all_pages_of_a_site_give_its_classes(tmp_path):
    found = class_of(compute_model_of_all(small_site(tmp_path)))
    assert len(found) == 24
    assert len({found[f"p{n}.html"] for n in range(10)}) == 1
    assert found["p0.html"] != found["m0.html"]
    assert found["about.html"] is None


def test_saved_pages_that_lead_nowhere_are_all_visited(tmp_path):
    for n in range(4):
        (tmp_path / f"{n}.html").write_text(links("http://elsewhere.example/"))
    exploration = explored(FolderSite(tmp_path, base_url=BASE))
    assert len(exploration.pages) == 4
    assert None not in exploration.class_of_page


# Class links (section 2, figure 4).


def test_figure_4_a_class_link_has_a_path(tmp_path):
    """C_A -> C_B by HTML-TABLE-TR-TD."""
    cells = "".join(f'<td><a href="b{n}.html"></a></td>' for n in (1, 2, 3, 4))
    lists = "".join(f'<li><a href="c{n}.html"></a></li>' for n in (1, 2))
    body = f"<table><tr>{cells}</tr></table><ul>{lists}</ul>"
    (tmp_path / "index.html").write_text("<p><a href=a1.html></a><a href=a2.html></a></p>")
    for name in ("a1", "a2"):
        (tmp_path / f"{name}.html").write_text(body)
    for n in (1, 2, 3, 4):
        (tmp_path / f"b{n}.html").write_text("<b><a href=index.html></a></b>")
    model = asyncio.run(discover(FolderSite(tmp_path, base_url=BASE), CrawlPlan(), method="paper"))
    names = {url: one.name for one in model.classes for url in one.pages}
    a, b = names[f"{BASE}a1.html"], names[f"{BASE}b1.html"]
    paths = [link.path for link in model.links if (link.source, link.target) == (a, b)]
    assert paths == ["html > body > table > tbody > tr > td > a"]
    (link,) = (link for link in model.links if (link.source, link.target) == (a, b))
    assert (link.links, link.pages, link.targets) == (8, 2, 4)


def test_class_links_lead_to_visited_pages_only(tmp_path):
    exploration = explored(small_site(tmp_path), limit=8)
    model = paper_site_model(exploration, BASE)
    visited = {page.url for page in exploration.pages}
    leading = sum(
        url in visited for page in exploration.pages for _, urls in page.collections for url in urls
    )
    assert sum(link.links for link in model.links) == leading


def test_no_class_link_is_left_out(tmp_path):
    """More than 2,000: 50 classes of one page, each with a path of its own to each other one."""
    size = 50
    for n in range(size):
        body = "".join(f"<x{n}-{m}><a href={m}.html></a></x{n}-{m}>" for m in range(size))
        (tmp_path / f"{n}.html").write_text(body)
    site = FolderSite(tmp_path, base_url=BASE, home="0.html")
    model = discover_all(site, method="paper")
    assert len(model.links) == size * size


# The queue (section 3.3).


def at(path: int, *urls: str) -> tuple[int, tuple[str, ...]]:
    return path, urls


def test_a_collection_that_is_offered_twice_waits_once():
    queue = PaperQueue()
    for _ in range(3):
        queue.add(0, Schema.of({1: 2}), [at(1, "a", "b")])
    assert len(queue) == 1
    assert queue.pop(5, random.Random(0)) == ["a", "b"]
    queue.add(0, Schema.of({1: 1}), [at(1, "b")])
    assert len(queue) == 0
    queue.add(0, Schema.of({1: 2}), [at(1, "b", "c")])
    assert queue.pop(5, random.Random(0)) == ["c"]


def test_links_to_other_sites_count_for_the_density_of_a_class():
    """Path 1 has two of this site's pages, path 2 one of them and four of other sites."""
    queue = PaperQueue()
    queue.add(0, Schema.of({1: 2, 2: 5}), [at(1, "a", "b"), at(2, "c")])
    queue.add(0, Schema.of({}), [])
    assert queue.pop(5, random.Random(0)) == ["c"]


def test_densest_first_sparsest_first_and_single_pages_before_all():
    for is_densest, first in ((True, ["a", "b", "c"]), (False, ["x"])):
        queue = PaperQueue(is_densest=is_densest)
        for _ in range(2):
            queue.add(0, Schema.of({1: 3, 2: 1}), [at(1, "a", "b", "c"), at(2, "x")])
        assert queue.pop(5, random.Random(0)) == first
        queue.add(7, Schema.of({9: 1}), [at(9, "single")])
        assert queue.pop(5, random.Random(0)) == ["single"]


def test_a_collection_counts_a_url_once(tmp_path):
    (tmp_path / "index.html").write_text(links("a.html", "a.html", "b.html"))
    exploration = explored(FolderSite(tmp_path, base_url=BASE))
    assert exploration.pages[0].schema.counts.tolist() == [2]


# The end of the exploration (section 4.4).


def chain(folder, length: int):
    """Each page leads to the next one, and only the first to ten more: the queue never grows."""
    for n in range(length):
        more = links(*(f"x{m}.html" for m in range(10)), tag="b") if not n else ""
        (folder / f"{n}.html").write_text(f"<p{n}><a href={n + 1}.html></a></p{n}>{more}")
    return FolderSite(folder, base_url=BASE, home="0.html")


def test_the_exploration_can_end_where_the_queue_was_longest(tmp_path):
    site = chain(tmp_path, 60)
    whole = explored(site)
    settings = replace(CrescenziSettings(), end=ExplorationEnd.LONGEST, patience=5)
    short = explored(site, settings=settings)
    assert len(whole.pages) == 60
    longest = max(size for _, size in whole.waves)
    assert len(short.waves) == [size for _, size in whole.waves].index(longest) + 6
    assert all(pages <= later for (pages, _), (later, _) in pairwise(short.waves))


# The model update (section 3.2).


def test_an_exact_tie_makes_a_new_class():
    """Figure 5, line 20: merged only if that is cheaper. In floats 0.8 makes ties come out below 0.

    A class of k paths and a page with all of them and m more: merged it saves the schema of the
    candidate, k c_p + m c_p, and pays m indices and misses for each page that was there.
    """
    exact = 0
    for known_pages in range(1, 8):
        for shared in range(1, 30):
            for more in range(1, 12):
                change = -shared + known_pages * more * 1.8
                if abs(change) < 1e-9:
                    model = PaperModel()
                    model.update([Schema.of(dict.fromkeys(range(shared), 1))] * known_pages)
                    model.update([Schema.of(dict.fromkeys(range(shared + more), 1))])
                    assert len(model.classes) == 2, (known_pages, shared, more)
                    exact += 1
    assert exact == 7


def test_attribute_labels_tell_pages_apart_that_differ_in_colour_alone(tmp_path):
    (tmp_path / "index.html").write_text(
        links("a0.html", "a1.html", tag="h1") + links("b0.html", "b1.html", tag="h2")
    )
    for name, colour in (("a", "red"), ("b", "blue")):
        for n in (0, 1):
            cells = "".join(
                f'<td bgcolor={colour} width={w}><a href="{w}.html"></a>' for w in range(9)
            )
            (tmp_path / f"{name}{n}.html").write_text(f"<table><tr>{cells}</table>")
    site = FolderSite(tmp_path, base_url=BASE)
    numbers = {}
    for labelling in Labelling:
        with using(Settings.of({"labelling": labelling})):
            model = asyncio.run(discover(site, CrawlPlan(), method="paper"))
        written = formats.parse(formats.dump(model), SiteModel, "model.json")
        numbers[labelling] = len(model.classes)
        classifier = site_classifier(written)
        assert classifier.vocabulary.labelling is labelling
        found = {
            name: classifier.classify(page.document()).page_class
            for page in site.pages()
            if (name := page.url.removeprefix(BASE))
        }
        assert (found["a0.html"] == found["b0.html"]) is (labelling is not Labelling.ATTRIBUTES)
    assert numbers == {Labelling.TAG: 2, Labelling.CLASSES: 2, Labelling.ATTRIBUTES: 3}


@pytest.mark.parametrize("strategy", ["densest", "sparsest"])
def test_the_same_seed_gives_the_same_exploration(tmp_path, strategy):
    site = small_site(tmp_path)
    once, again = (explored(site, limit=15, seed=3, strategy=strategy) for _ in range(2))
    assert [page.url for page in once.pages] == [page.url for page in again.pages]
    assert once.waves == again.waves
    assert len(once.pages) <= 15
