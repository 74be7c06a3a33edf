"""A skeleton that a person refines."""

from __future__ import annotations

import pytest

from sitewright.skeleton.corrections import branch_below, moved_node, removed_node, renamed_node
from sitewright.skeleton.tree import assemble

HOME = "http://x/index.html"


def url(page: str) -> str:
    return f"http://x/{page}.html"


@pytest.fixture
def tree():
    """Home with a and b; a has c and d, d has e."""
    children = {
        HOME: [url("a"), url("b")],
        url("a"): [url("c"), url("d")],
        url("d"): [url("e")],
    }
    return assemble(HOME, children, {url(page): page.upper() for page in "abcde"})


def outline(root) -> str:
    return " ".join(f"{level}{node.title}" for level, _, node in root.walk() if level)


def test_a_page_moves_with_all_that_is_below_it(tree):
    assert outline(moved_node(tree, url("d"), url("b"))) == "1A 2C 1B 2D 3E"
    assert outline(moved_node(tree, "d.html", HOME)) == "1A 2C 1B 1D 2E"


def test_a_page_that_is_there_already_stays_where_it_is(tree):
    assert moved_node(tree, "d.html", "a.html") is tree


@pytest.mark.parametrize(
    ("page", "under", "why"),
    [
        ("a.html", "e.html", "is below"),
        ("a.html", "a.html", "itself"),
        ("index.html", "a.html", "below"),
        ("no.html", "a.html", "not in the skeleton"),
        ("a.html", "no.html", "not in the skeleton"),
    ],
)
def test_what_would_be_no_tree_is_refused(tree, page, under, why):
    with pytest.raises(ValueError, match=why):
        moved_node(tree, page, under)


def test_a_page_gets_another_title(tree):
    assert outline(renamed_node(tree, "d.html", "Dogs")) == "1A 2C 2Dogs 3E 1B"
    assert renamed_node(tree, "d.html", "D") is tree


def test_a_page_is_taken_out_alone_or_with_its_branch(tree):
    assert outline(removed_node(tree, "a.html")) == "1C 1D 2E 1B"
    assert outline(removed_node(tree, "a.html", branch=True)) == "1B"
    assert removed_node(tree, "no.html") is tree
    with pytest.raises(ValueError, match="root"):
        removed_node(tree, HOME)


def test_a_branch_is_a_page_and_all_below_it(tree):
    assert branch_below(tree, "a.html") == {url(page) for page in "acde"}
    assert len(branch_below(tree, HOME)) == 6
    with pytest.raises(ValueError, match="not in the skeleton"):
        branch_below(tree, "no.html")
