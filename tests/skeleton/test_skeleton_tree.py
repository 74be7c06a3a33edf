from __future__ import annotations

import pytest

from sitewright.errors import UnreadableInput
from sitewright.skeleton import PageKind, SkeletonNode, from_json
from sitewright.skeleton.tree import assemble


def small_tree():
    return assemble(
        "home", {"home": ["a", "b"], "a": ["c"]}, {"home": "Home", "a": "A", "b": "B", "c": "C"}
    )


def test_a_tree_is_written_as_nested_objects():
    assert small_tree().as_json() == {
        "url": "home",
        "title": "Home",
        "kind": "navigation",
        "children": [
            {
                "url": "a",
                "title": "A",
                "kind": "navigation",
                "children": [{"url": "c", "title": "C", "kind": "content", "children": []}],
            },
            {"url": "b", "title": "B", "kind": "content", "children": []},
        ],
    }


def test_what_is_written_can_be_read_back():
    assert from_json(small_tree().as_json()) == small_tree()


def test_walking_goes_down_before_it_goes_on():
    assert [(level, node.url) for level, _, node in small_tree().walk()] == [
        (0, "home"),
        (1, "a"),
        (2, "c"),
        (1, "b"),
    ]


def test_a_page_with_pages_below_it_is_a_navigation_page():
    leaf = SkeletonNode("a", "A")
    assert leaf.kind is PageKind.CONTENT
    assert SkeletonNode("home", "Home", (leaf,)).kind is PageKind.NAVIGATION


@pytest.mark.parametrize(
    "written",
    [
        [],
        {"url": "home"},
        {"url": "home", "title": "", "children": [{"url": "home", "title": "", "children": []}]},
    ],
)
def test_what_is_no_tree_is_refused(written):
    with pytest.raises(UnreadableInput, match="not a skeleton"):
        from_json(written)
