"""Our method on small sites, one kind of evidence at a time."""

from __future__ import annotations

import asyncio

import pytest
from small_sites import ROOT, links, outline, site_of, skeleton_of

from sitewright.errors import UnreadableInput
from sitewright.methods import extract_skeleton, survey_site
from sitewright.site.base import Missing, Reason
from sitewright.site.folder import FolderSite
from sitewright.skeleton import shape_note

MENU = (
    "<nav><ul><li><a href=/index.html>Home</a><li><a href=/news.html>News</a>"
    "<li><a href=/about.html>About</a></ul></nav>"
)


def test_a_menu_on_every_page_is_the_home_pages(tmp_path):
    stories = {f"s{n}.html": MENU + f"<h1>Story {n}</h1>" for n in range(6)}
    pages = {
        "index.html": MENU,
        "news.html": MENU + "<ul class=list>" + links(*stories) + "</ul>",
        "about.html": MENU,
        **stories,
    }
    tree = skeleton_of(tmp_path, pages).root
    assert outline(tree) == {
        "news.html": {story: {} for story in stories},
        "about.html": {},
    }


def test_top_stories_on_the_home_page_belong_to_the_list_that_has_them_all(tmp_path):
    stories = [f"news/s{n}.html" for n in range(20)]
    pages = {
        "index.html": MENU + "<div class=top>" + links(*stories[:3]) + "</div>",
        "about.html": MENU,
        "news.html": MENU + "<ul class=all>" + links(*stories) + "</ul>",
        **{story: MENU.replace("=/", "=../") for story in stories},
    }
    tree = outline(skeleton_of(tmp_path, pages).root)
    assert set(tree) == {"news.html", "about.html"}
    assert set(tree["news.html"]) == set(stories)


def test_nested_lists_tell_the_levels(tmp_path):
    contents = "<ul><li><a href=p.html>P</a><ul>" + links("c1.html", "c2.html") + "</ul></ul>"
    pages = {"index.html": contents, "p.html": "", "c1.html": "", "c2.html": ""}
    assert outline(skeleton_of(tmp_path, pages).root) == {"p.html": {"c1.html": {}, "c2.html": {}}}


def test_up_links_win_against_an_index_that_lists_everything(tmp_path):
    chapters = ["c1.html", "c2.html", "c3.html", "c4.html"]
    up = "<a href=part.html accesskey=u>Up</a>"
    pages = {
        "index.html": "<ul>" + links("part.html", "all.html") + "</ul>",
        "part.html": "<a rel=up href=index.html>Up</a><dl>" + links(*chapters) + "</dl>",
        "all.html": "<a rel=up href=index.html>Up</a><table>" + links(*chapters) + "</table>",
        **dict.fromkeys(chapters, up),
    }
    tree = outline(skeleton_of(tmp_path, pages).root)
    assert tree == {"part.html": {chapter: {} for chapter in chapters}, "all.html": {}}


def test_breadcrumbs_win_against_a_cross_reference(tmp_path):
    crumbs = "<p><a href=/index.html>Home</a> » <a href=/b.html>B</a> » here</p>"
    pages = {
        "index.html": "<ul>" + links("a.html", "b.html") + "</ul>",
        "a.html": "<ul>" + links("x.html", "y.html") + "</ul>",
        "b.html": "<ul>" + links("x.html", "y.html") + "</ul>",
        "x.html": crumbs,
        "y.html": crumbs,
    }
    assert outline(skeleton_of(tmp_path, pages).root)["b.html"] == {"x.html": {}, "y.html": {}}


def test_a_list_of_many_pages_is_one_navigation_page(tmp_path):
    def page(number):
        stories = links(*(f"/news/s{number}{n}.html" for n in range(5)))
        turn = "".join(f"<a href=/news/page-{n}.html>{n}</a>" for n in (2, 3))
        return f"<ul class=list>{stories}</ul><p class=pager>{turn}</p>"

    pages = {"index.html": "<ul>" + links("news/", "about.html") + "</ul>", "about.html": ""}
    pages |= {"news/index.html": page(1), "news/page-2.html": page(2), "news/page-3.html": page(3)}
    pages |= {f"news/s{p}{n}.html": "" for p in (1, 2, 3) for n in range(5)}
    tree = outline(skeleton_of(tmp_path, pages).root)
    assert set(tree) == {"news/index.html", "about.html"}
    assert len(tree["news/index.html"]) == 15


def test_redirect_stubs_are_the_pages_they_lead_to(tmp_path):
    stub = '<meta http-equiv=refresh content="0; url=a.html">'
    pages = {"index.html": "<ul>" + links("old.html", "b.html"), "old.html": stub}
    pages |= {"a.html": "<p>A", "b.html": ""}
    assert outline(skeleton_of(tmp_path, pages).root) == {"a.html": {}, "b.html": {}}


def test_the_same_site_in_another_language_is_left_out(tmp_path):
    other = {f"fr/{n}.html": "<html lang=fr>" for n in range(3)}
    pages = {
        "index.html": "<html lang=en><ul>" + links("a.html", "fr/index.html") + "</ul>",
        "a.html": "<html lang=en-GB>",
        "fr/index.html": "<html lang=fr><ul>" + links("0.html", "1.html", "2.html") + "</ul>",
        **other,
    }
    assert outline(skeleton_of(tmp_path, pages).root) == {"a.html": {}}


def test_missing_pages_have_no_place(tmp_path):
    pages = {"index.html": "<ul>" + links("a.html", "gone.html"), "a.html": ""}
    skeleton = skeleton_of(tmp_path, pages)
    assert outline(skeleton.root) == {"a.html": {}}
    assert skeleton.missing == 1


def test_content_pages_are_listed_and_not_fetched_one_by_one(tmp_path):
    stories = [f"news/{n:04}.html" for n in range(1500)]
    pages = {
        "index.html": MENU,
        "about.html": MENU,
        "news.html": MENU + "<ul class=all>" + links(*stories) + "</ul>",
        **dict.fromkeys(stories, MENU.replace("=/", "=../")),
    }
    skeleton = skeleton_of(tmp_path, pages)
    assert sum(1 for _ in skeleton.root.walk()) == 1503
    assert skeleton.fetched < 60


def test_no_more_pages_are_fetched_than_allowed(tmp_path):
    pages = {f"{n}.html": "<ul>" + links(f"{n + 1}.html") for n in range(50)}
    pages["index.html"] = "<ul>" + links("0.html")
    survey = asyncio.run(survey_site(site_of(tmp_path, pages), limit=7))
    assert survey.fetched == 7


def test_children_stand_in_the_order_of_the_page_with_the_titles_of_its_links(tmp_path):
    html = "<ul><li><a href=b.html>Bees</a> <a href=b.html>Read more</a><li><a href=a.html>"
    html += "<img alt=Ants></a> <a href=a.html>Read more</a></ul>"
    tree = skeleton_of(tmp_path, {"index.html": html, "a.html": "", "b.html": ""}).root
    assert [(node.title, node.url) for node in tree.children] == [
        ("Bees", f"{ROOT}b.html"),
        ("Ants", f"{ROOT}a.html"),
    ]


def test_a_page_that_no_link_names_is_called_by_its_title(tmp_path):
    pages = {"index.html": "<a href=a.html><img></a>", "a.html": "<title>Alpha</title>"}
    assert skeleton_of(tmp_path, pages).root.children[0].title == "Alpha"


def test_the_same_site_gives_the_same_tree(tmp_path):
    pages = {f"{n}.html": "<ul>" + links(*(f"{m}.html" for m in range(9))) for n in range(9)}
    pages["index.html"] = pages["0.html"]
    site = site_of(tmp_path, pages)
    first = asyncio.run(extract_skeleton(site))
    assert first == asyncio.run(extract_skeleton(site_of(tmp_path, pages)))


def test_a_chain_of_pages_makes_no_tree_without_end(tmp_path):
    pages = {f"{n}.html": f"<a href={n + 1}.html>Onwards to {n + 1}</a>" for n in range(150)}
    pages["index.html"] = "<a href=0.html>Begin</a>"
    tree = skeleton_of(tmp_path, pages).root
    assert max(level for level, _, _ in tree.walk()) <= 64


def test_a_single_page_and_a_flat_list_are_told_apart_from_trees(tmp_path):
    single = skeleton_of(tmp_path / "single", {"index.html": "<a href='#x'>x</a>"}).root
    assert "single page" in shape_note(single)
    flat = skeleton_of(tmp_path / "flat", {"index.html": links("a.html"), "a.html": ""}).root
    assert "flat list" in shape_note(flat)
    deep = {"index.html": links("a.html"), "a.html": links("b.html"), "b.html": ""}
    assert shape_note(skeleton_of(tmp_path / "deep", deep).root) is None


class GoneSite(FolderSite):
    """A folder whose pages have gone since it was opened."""

    async def fetch(self, urls):
        return [Missing(url, Reason.NOT_FOUND) for url in urls]


def test_a_home_page_that_could_not_be_fetched_is_an_error(tmp_path):
    (tmp_path / "index.html").write_text("x")
    site = GoneSite(tmp_path)
    with pytest.raises(UnreadableInput, match="home page"):
        asyncio.run(extract_skeleton(site))
