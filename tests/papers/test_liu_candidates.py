"""The paper's candidates, pruning, features and selection (Liu et al. 2004, section 3)."""

from __future__ import annotations

from dataclasses import replace
from math import exp, pi, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.page import Document
from sitewright.papers.liu import (
    LinkNode,
    SewParameters,
    candidate_link_sets,
    combined_confidence,
    directory_levels,
    feature_values,
    link_nodes,
    norm_dist,
    prob,
    prune_by_anchor,
    prune_by_distance,
    prune_by_style,
    prune_by_words,
    prune_duplicates,
    prune_known_sets,
    ranked_candidates,
    select_navigation_link_set,
    url_set,
    url_type,
)
from sitewright.settings import Settings, using

HOME = "http://news.example/index.html"


def nodes(html, url=HOME):
    return link_nodes(Document(html.encode(), url))


def node(number, name="Name", href="a.html", **changes):
    plain = LinkNode(number, href, f"http://news.example/{href}", name, 5, "/html/a", "", False)
    return replace(plain, **changes)


def menu(*names):
    return "".join(f'<li><a href="{name.lower()}.html">{name}</a></li>' for name in names)


def names(links):
    return [link.name for link in links]


def test_links_are_numbered_in_document_order_with_depth_and_path():
    first, second = nodes("<body><a href=a>A</a><p><a href=b>B</a>")
    assert (first.number, first.depth, first.path) == (0, 3, "/html/body/a")
    assert (second.number, second.depth, second.path) == (1, 4, "/html/body/p/a")


def test_the_name_of_a_link_is_its_text_or_the_alternative_text_of_its_image():
    assert names(nodes("<a href=a>Two <b>words</b></a><a href=b><img alt=Map></a>")) == [
        "Two words",
        "Map",
    ]
    assert names(nodes("<a href=c><img></a>")) == [""]


def test_the_papers_overview_groups_by_path_and_prunes():
    """Section 3.1: of two links to the same page one goes, and a group of three is too small."""
    html = (
        "<ul>" + menu("World", "Business", "Sports", "Weather", "Travel") + "</ul>"
        "<ul>" + '<li><a href="business.html">Markets today</a></li>' + "</ul>"
        "<div><p><a href=x>X</a></p><p><a href=y>Y</a></p><p><a href=z>Z</a></p></div>"
    )
    candidates = candidate_link_sets(nodes(html))
    assert [names(links) for links in candidates] == [
        ["World", "Business", "Sports", "Weather", "Travel"]
    ]


def test_links_at_one_depth_but_on_other_paths_are_other_candidates():
    html = "<ul>" + menu("A", "B", "C", "D") + "</ul><ol>" + menu("E", "F", "G", "H") + "</ol>"
    assert [names(links) for links in candidate_link_sets(nodes(html))] == [
        ["A", "B", "C", "D"],
        ["E", "F", "G", "H"],
    ]


def test_what_pruning_takes_out_comes_back_as_a_candidate_of_its_own():
    plain = "".join(f"<p><a href=p{n}>P{n}</a></p>" for n in range(5))
    marked = "".join(f"<p class=x><a href=q{n}>Q{n}</a></p>" for n in range(4))
    candidates = candidate_link_sets(nodes(plain + marked))
    assert [len(links) for links in candidates] == [5, 4]


def test_anchor_keeps_texts_or_images_whichever_are_more():
    links = [node(0), node(1, is_image=True), node(2)]
    assert [link.number for link in prune_by_anchor(links)] == [0, 2]


def test_link_dup_keeps_the_first_of_links_with_one_name_or_one_url():
    links = [node(0, "A", "a"), node(1, "A", "b"), node(2, "B", "a"), node(3, "C", "c")]
    assert [link.number for link in prune_duplicates(links)] == [0, 3]


def test_style_keeps_the_largest_group():
    links = [node(0, style="x"), node(1, style="y"), node(2, style="y")]
    assert [link.number for link in prune_by_style(links)] == [1, 2]


def test_dis_diff_keeps_what_stands_before_a_much_larger_distance():
    assert len(prune_by_distance([node(n) for n in (0, 1, 2, 3, 30, 31, 32)])) == 4
    assert len(prune_by_distance([node(n) for n in (0, 3, 6, 9, 12)])) == 5
    assert len(prune_by_distance([node(n) for n in (0, 1, 2, 4, 5)])) == 5


def test_max_num_word_throws_away_sets_of_long_names():
    assert prune_by_words([node(0, "four words are many")]) == []
    assert len(prune_by_words([node(0, "three words only")])) == 1


def test_link_set_dup_throws_away_what_another_page_had():
    links = [node(0, href="a"), node(1, href="b")]
    assert prune_known_sets(links, {url_set(links)}) == []
    assert prune_known_sets(links[:1], {url_set(links)}) == links[:1]


@pytest.mark.parametrize(
    ("href", "kind"),
    [
        ("a/b.html", "relative"),
        ("../b.html", "relative"),
        ("/a/", "absolute"),
        ("http://other.example/", "cross-site"),
        ("//other.example/", "cross-site"),
        ("#top", "anchor"),
        ("javascript:go()", "others"),
        ("mailto:a@b.example", "others"),
    ],
)
def test_urls_have_one_of_five_types(href, kind):
    assert url_type(href) == kind


def test_the_six_features_of_a_link_set():
    page = "http://news.example/world/index.html"
    links = nodes("<a href=asia/>Asia</a><a href=/sport/x.html>Big Sports</a>", page)
    assert feature_values(links, page, HOME) == (1.5, 7.0, 9.0, 0.5, 0.25, 0.5)


def test_urls_of_other_types_are_a_thousand_levels_deep():
    links = nodes("<a href=a.html>A</a><a href='javascript:x()'>B</a>")
    assert feature_values(links, HOME, HOME)[4] == 500**2


def test_confidence_is_the_density_of_the_standardised_value():
    assert norm_dist(3, 3, 2) == pytest.approx(1 / sqrt(2 * pi))
    assert norm_dist(5, 3, 2) == pytest.approx(exp(-0.5) / sqrt(2 * pi))


def test_a_feature_that_never_varied_tells_nothing():
    assert norm_dist(99, 3, 0) == norm_dist(3, 3, 0)


def test_prob_is_the_cumulative_distribution():
    assert prob(1, 1, 5) == 0.5
    assert prob(1 + 1.96 * 5, 1, 5) == pytest.approx(0.975, abs=1e-3)


PARAMETERS = SewParameters((1, 5, 1, 1, 0, 1), (1, 2, 2, 0.1, 1, 0.5), 0.002, 0.001, 0.2)


@given(st.lists(st.floats(-1e6, 1e6), min_size=6, max_size=6))
def test_no_candidate_is_more_confident_than_one_that_is_the_norm(values):
    assert combined_confidence(values, PARAMETERS) <= combined_confidence(
        PARAMETERS.means, PARAMETERS
    )


def test_the_best_candidate_is_chosen_if_it_is_good_enough():
    short = tuple(nodes("<ul>" + menu("World", "Sport", "Maps", "Money") + "</ul>"))
    long = tuple(
        nodes("<p>" + menu("Something altogether longer", "And quite a bit more") + "</p>")
    )
    assert select_navigation_link_set([long, short], PARAMETERS, HOME, HOME) == short
    strict = replace(PARAMETERS, threshold=1.0)
    assert select_navigation_link_set([long, short], strict, HOME, HOME) == ()
    assert select_navigation_link_set([], PARAMETERS, HOME, HOME) == ()


# What the review of the paper found: each of these was wrong once.


def test_a_first_link_that_is_pruned_comes_back_with_its_like():
    """Figure 2, line 17: five images and six texts, an image first; both are candidates whole."""
    image = "<li><a href=i{}.html><img alt=I{}></a></li>".format
    text = "<li><a href=t{}.html>T{}</a></li>".format
    items = [image(n, n) + text(n, n) for n in range(5)] + [text(5, 5)]
    candidates = candidate_link_sets(nodes("<ul>" + "".join(items) + "</ul>"))
    assert sorted(len(links) for links in candidates) == [5, 6]


def test_links_into_one_page_lead_to_different_places():
    links = nodes("<ul>" + "".join(f"<li><a href=p.html#s{n}>S{n}</a></li>" for n in range(5)))
    assert len(prune_duplicates(links)) == 5
    assert [len(links) for links in candidate_link_sets(links)] == [5]
    same = nodes("<a href=p.html#a>A</a><a href=./p.html#a>B</a><a href=#a>C</a><a href=#a>D</a>")
    assert names(prune_duplicates(same)) == ["A", "C"]


def test_anchors_without_a_url_are_numbered_but_are_no_candidates():
    first, second = nodes("<a href=a>A</a><a name=x></a><a>nothing</a><a href=b>B</a>")
    assert (first.number, second.number) == (0, 3)


def test_an_anchor_is_in_the_folder_of_its_page():
    """VarURLNumDir and URLContain of links of `/a/b/`: `#x` counts as `x.html` does."""
    page = "http://news.example/a/b/index.html"
    links = nodes("<a href=#x>X</a><a href=x.html>Y</a>", page)
    assert [directory_levels(link, page, HOME) for link in links] == [2, 2]
    values = feature_values(links, page, HOME)
    assert (values[4], values[5]) == (0, 1)


def test_the_levels_of_other_urls_and_tau_can_be_set():
    (link,) = nodes("<a href='javascript:x()'>A</a>")
    with using(Settings.of({"other_levels": 7, "tau": 1})):
        assert directory_levels(link, HOME, HOME) == 7
        assert PARAMETERS.tau == 1
    assert PARAMETERS.tau == PARAMETERS.threshold


def test_candidates_are_ranked_with_their_scores():
    short = tuple(nodes("<ul>" + menu("World", "Sport", "Maps", "Money") + "</ul>"))
    long = tuple(nodes("<p>" + menu("Something altogether longer", "And a bit more") + "</p>"))
    first, second = ranked_candidates([long, short], PARAMETERS, HOME, HOME)
    assert (first.links, second.links) == (short, long)
    assert first.confidence > second.confidence
    assert first.prob > second.prob
