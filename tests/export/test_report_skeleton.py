from __future__ import annotations

from sitewright.export.report.report import render_report
from sitewright.export.report.sections import SHOWN_CONTENT, skeleton_section
from sitewright.page import Document
from sitewright.skeleton import SkeletonNode


def leaf(name):
    return SkeletonNode(f"http://s.example/{name}", name)


def test_navigation_pages_fold_and_the_home_page_is_open():
    inner = SkeletonNode("http://s.example/a", "A", (leaf("b"),))
    html = skeleton_section(SkeletonNode("http://s.example/", "Home", (inner, leaf("c")))).html
    assert html.count("<details") == 2
    assert html.count("<details open") == 1
    assert html.index(">A<") < html.index(">b<") < html.index(">c<")


def test_what_comes_from_pages_is_escaped():
    nasty = SkeletonNode('http://s.example/"><script>', "<script>alert(1)</script>")
    html = skeleton_section(nasty).html
    assert "<script>" not in html


def test_long_lists_are_cut_and_counted():
    many = tuple(leaf(f"p{number}") for number in range(SHOWN_CONTENT + 7))
    html = skeleton_section(SkeletonNode("http://s.example/", "Home", many)).html
    assert "… and 7 more" in html


def test_a_single_page_says_so():
    assert "a single page" in skeleton_section(leaf("")).html


def test_the_section_fits_into_the_report():
    section = skeleton_section(SkeletonNode("http://s.example/", "Home", (leaf("a"),)))
    document = Document(render_report("Site", "lead", [section]).encode())
    assert len(list(document.tree.iter_elements(("details",)))) == 1
