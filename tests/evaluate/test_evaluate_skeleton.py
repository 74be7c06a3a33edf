from __future__ import annotations

import asyncio
from statistics import pstdev

import pytest

from sitewright.errors import InputNotFound, UnreadableInput
from sitewright.evaluate.skeleton import (
    breadth_first_tree,
    edge_score,
    experiment,
    level_score,
    page_score,
    read_labelled_sites,
    score_site,
    site_statistics,
)
from sitewright.evaluate.skeleton_truth import read_skeleton_truth, step_scores
from sitewright.methods import shipped
from sitewright.papers.liu import Analysis, LinkNode, RankedLinkSet
from sitewright.settings import Settings, using
from sitewright.site import open_site
from sitewright.skeleton.tree import assemble

ROOT = "http://folder.invalid/"
TRUTH = """\
# home\tindex.html
# optional\tsearch.html\ta tool
# neutral\tnews/page-2.html\tcontinues
# alt\tb.html\tother.html
# group\tMore\tother.html
index.html\tnews/index.html\tNews\t1
index.html\tother.html\tOther\t1
index.html\tsearch.html\tSearch\t1
news/index.html\ta.html\tA\t2
news/index.html\tb.html\tB\t2
"""


@pytest.fixture
def truth(tmp_path):
    (tmp_path / "truth.tsv").write_text(TRUTH)
    (tmp_path / "redirects.tsv").write_text("# stub\twhere\nold-a.html\ta.html\n")
    return read_skeleton_truth(tmp_path / "truth.tsv", tmp_path / "redirects.tsv")


def tree(**children):
    below = {
        ROOT + parent.replace("__", "/") + ".html": [ROOT + child for child in listed]
        for parent, listed in children.items()
    }
    return assemble(ROOT + "index.html", below, {})


RIGHT = tree(index=["news/index.html", "other.html"], news__index=["a.html", "b.html"])


def test_the_true_tree_scores_full_marks(truth):
    for depth in (1, 2, 3):
        assert edge_score(RIGHT, truth, depth).f == 1
        assert level_score(RIGHT, truth, depth).f == 1
        assert page_score(RIGHT, truth, depth).f == 1


def test_optional_pages_are_not_missed_but_count_where_they_are_found(truth):
    found = tree(
        index=["news/index.html", "other.html", "search.html"], news__index=["a.html", "b.html"]
    )
    assert edge_score(found, truth, 3).f == 1
    wrong = tree(
        index=["news/index.html", "other.html"], news__index=["a.html", "b.html", "search.html"]
    )
    assert edge_score(wrong, truth, 3).precision == pytest.approx(4 / 5)


def test_neutral_pages_count_neither_way(truth):
    with_pager = tree(
        index=["news/index.html", "other.html"],
        news__index=["a.html", "b.html", "news/page-2.html"],
    )
    assert edge_score(with_pager, truth, 3).f == 1


def test_another_good_parent_is_as_good(truth):
    moved = tree(index=["news/index.html", "other.html"], news__index=["a.html"], other=["b.html"])
    assert edge_score(moved, truth, 3).f == 1


def test_stubs_count_as_the_page_they_lead_to(truth):
    stub = tree(index=["news/index.html", "other.html"], news__index=["old-a.html", "b.html"])
    assert edge_score(stub, truth, 3).f == 1


def test_a_page_at_the_wrong_level_costs_both_ways(truth):
    flat = tree(index=["news/index.html", "other.html", "a.html", "b.html"])
    edges = edge_score(flat, truth, 2)
    assert (edges.precision, edges.recall) == (0.5, 0.5)
    assert level_score(flat, truth, 2).f == 0.5
    assert page_score(flat, truth, 2).f == 1


def test_pages_that_are_not_in_the_true_tree_cost_precision(truth):
    more = tree(index=["news/index.html", "other.html", "x.html"], news__index=["a.html", "b.html"])
    assert edge_score(more, truth, 3).precision == pytest.approx(4 / 5)
    assert edge_score(more, truth, 3).recall == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [("a\tb\n", "line 1"), ("index.html\ta.html\tA\t1\n", "no home"), ("# home\tx\n", "no edges")],
)
def test_files_that_are_no_skeleton_are_refused(tmp_path, text, why):
    (tmp_path / "t.tsv").write_text(text)
    with pytest.raises(UnreadableInput, match=why):
        read_skeleton_truth(tmp_path / "t.tsv")
    with pytest.raises(InputNotFound):
        read_skeleton_truth(tmp_path / "missing.tsv")


@pytest.fixture
def labelled(tmp_path):
    for name in ("one", "two"):
        folder = tmp_path / name
        (folder / "news").mkdir(parents=True)
        (folder / "index.html").write_text(
            "<ul><li><a href=news/index.html>News</a><li><a href=other.html>Other</a></ul>"
        )
        (folder / "news" / "index.html").write_text(
            "<ul class=l><li><a href=../a.html>A</a><li><a href=../b.html>B</a></ul>"
        )
        for page in ("a", "b", "other"):
            (folder / f"{page}.html").write_text("text")
    (tmp_path / "truth.tsv").write_text(TRUTH)
    (tmp_path / "sites.tsv").write_text("# comment\none\tone\ttruth.tsv\ntwo\ttwo\ttruth.tsv\t\t\n")
    return tmp_path / "sites.tsv"


def test_the_experiment_compares_all_methods_on_all_sites(labelled):
    rows = experiment(read_labelled_sites(labelled), limit=50)
    methods = {row.method for row in rows}
    assert methods == {"default loo", "default tot", "paper loo", "paper tot", "breadth-first"}
    assert {row.site for row in rows} == {"one", "two", "all"}
    ours = [row for row in rows if row.method == "default loo" and row.depth == 3]
    assert all(row.measures["edge_f"] == 1 for row in ours)
    assert all(not isinstance(value, dict) for value in rows[0].as_json().values())


def test_breadth_first_search_hangs_pages_under_the_first_page_that_links_to_them(labelled):
    found, visited = asyncio.run(breadth_first_tree(open_site(str(labelled.parent / "one"))))
    assert visited == 5
    assert [node.url for node in found.children] == [ROOT + "news/index.html", ROOT + "other.html"]


def test_a_list_of_labelled_sites_must_have_some(tmp_path):
    (tmp_path / "sites.tsv").write_text("# none\n")
    with pytest.raises(UnreadableInput, match="no sites"):
        read_labelled_sites(tmp_path / "sites.tsv")


def test_means_have_standard_deviations_over_the_sites(labelled):
    """The form of the paper's tables 2, 4 and 5."""
    rows = experiment(read_labelled_sites(labelled), limit=50)
    for row in rows:
        assert bool(row.deviations) == (row.site == "all")
    (mean,) = (row for row in rows if (row.site, row.method, row.depth) == ("all", "paper loo", 2))
    sites = [
        row for row in rows if row.site != "all" and (row.method, row.depth) == ("paper loo", 2)
    ]
    for name, deviation in mean.deviations.items():
        values = [row.measures[name] for row in sites]
        assert deviation == pytest.approx(pstdev(values))
    assert "p_cg_sd" in mean.as_json()


def test_an_experiment_with_one_site_uses_the_numbers_that_ship(labelled):
    (site, _) = read_labelled_sites(labelled)
    rows = experiment([site], limit=50)
    given = score_site(site, shipped(), limit=50)
    for method in ("default", "paper"):
        alone = [
            row.measures for row in rows if row.method == f"{method} loo" and row.site != "all"
        ]
        assert alone == [row.measures for row in given if row.method == f"{method} given"]


def test_the_size_of_a_labelled_site_is_a_row_of_the_papers_table_1(labelled):
    (site, _) = read_labelled_sites(labelled)
    assert site_statistics(site) == {
        "site": "one", "pages": 5, "depth": 2, "to_level_1": 3, "to_level_2": 5,
        "share_to_level_1": 0.6, "share_to_level_2": 1.0,
    }  # fmt: skip


# p_cg, r_cg and p_ns (section 4.2), by hand.


def link(number, page):
    return LinkNode(number, page, ROOT + page, page, 3, "/html/a", "", is_image=False)


def ranked(*sets):
    return tuple(RankedLinkSet(tuple(links), 1.0 / (n + 1), 0.5) for n, links in enumerate(sets))


def test_p_cg_and_r_cg_are_over_the_candidate_with_the_most_correct_links(truth, labelled):
    """The home page links to two of its three children; the best candidate has one and another."""
    site = open_site(str(labelled.parent / "one"))
    news, other, wrong = link(0, "news/index.html"), link(1, "other.html"), link(2, "x.html")
    good, bad = (news, wrong), (wrong,)
    analysis = Analysis((news, other, wrong), ranked(bad, good), bad)
    scores = step_scores({ROOT + "index.html": analysis}, site, truth)
    assert scores.p_cg == 1 / 2
    assert scores.r_cg == 1 / 2  # search.html is a child that the page does not link to
    assert scores.f_cg == 1 / 2
    assert scores.p_ns == 0  # the other candidate was chosen


def test_p_ns_counts_pages_where_some_candidate_contains_the_correct_set(truth, labelled):
    site = open_site(str(labelled.parent / "one"))
    news, other, a, b = (link(n, page) for n, page in enumerate(
        ("news/index.html", "other.html", "a.html", "b.html")))  # fmt: skip
    right = Analysis((news, other), ranked((news, other)), (news, other))
    none = Analysis((a, b), (), ())
    scores = step_scores({ROOT + "index.html": right, ROOT + "news/index.html": none}, site, truth)
    assert scores.p_ns == 1  # of one page: the other had no candidate at all
    assert (scores.p_cg, scores.r_cg) == (1 / 2, 1 / 2)
    half = Analysis((news, other), ranked((news,)), (news,))
    assert step_scores({ROOT + "index.html": half}, site, truth).p_ns == 1
    with using(Settings.of({"min_contained": 0.6})):
        assert step_scores({ROOT + "index.html": half}, site, truth).p_ns == 0


def test_pages_without_children_in_the_truth_do_not_count(truth, labelled):
    site = open_site(str(labelled.parent / "one"))
    analysis = Analysis((link(0, "b.html"),), (), ())
    assert step_scores({ROOT + "a.html": analysis}, site, truth).p_cg == 0
