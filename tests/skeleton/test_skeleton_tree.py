from __future__ import annotations

import pytest

from sitewright import formats
from sitewright.errors import UnreadableInput
from sitewright.skeleton import PageKind, SkeletonNode
from sitewright.skeleton.tree import assemble


def small_tree():
    return assemble(
        "home", {"home": ["a", "b"], "a": ["c"]}, {"home": "Home", "a": "A", "b": "B", "c": "C"}
    )


def test_a_tree_is_written_as_a_list_of_pages_each_with_its_parent():
    pages = formats.plain(small_tree())["pages"]
    assert pages[0] == {
        "url": "home", "title": "Home", "kind": "navigation", "level": 0, "parent": None,
    }  # fmt: skip
    assert [(page["url"], page["level"], page["parent"]) for page in pages[1:]] == [
        ("a", 1, "home"),
        ("c", 2, "a"),
        ("b", 1, "home"),
    ]


def test_what_is_written_can_be_read_back(tmp_path):
    formats.write(tmp_path / "skeleton.json", small_tree())
    assert formats.read(tmp_path / "skeleton.json", SkeletonNode) == small_tree()


def test_a_tree_may_be_as_deep_as_a_hostile_site_makes_it():
    depth = 20_000
    chain = {str(level): [str(level + 1)] for level in range(depth)}
    text = formats.dump(assemble("0", chain, {})).encode()
    read = formats.parse(text, SkeletonNode, "skeleton.json")
    assert [level for level, _, _ in read.walk()] == list(range(depth + 1))


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


HOME = {"url": "home", "title": "", "kind": "content", "level": 0, "parent": None}


@pytest.mark.parametrize(
    ("pages", "why"),
    [
        ([], "a tree without pages"),
        ([{"url": "home"}], r"missing required field `title` - at `\$\.pages\[0\]`"),
        ([HOME, HOME | {"parent": "home"}], "home has two places in the tree"),
        ([HOME, HOME | {"url": "a"}], "no place in the tree for a"),
        ([HOME, HOME | {"url": "a", "parent": "b"}], "no place in the tree for a"),
        ([HOME | {"parent": "home"}], "no place in the tree for home"),
    ],
)
def test_what_is_no_tree_is_refused(pages, why):
    with pytest.raises(UnreadableInput, match=why):
        formats.restore({"pages": pages}, SkeletonNode, "skeleton.json")
