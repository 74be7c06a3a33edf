from __future__ import annotations

import pytest
from cup_reading import Cup

from examples.cup import generate


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    out = tmp_path_factory.mktemp("cup") / "out"
    generate(out, scale=0.1)
    return Cup(out)


def test_every_link_leads_to_a_page_except_those_that_are_known_to_be_broken(cup):
    missing = {
        (page.path, target)
        for page in cup.pages.values()
        for target in page.links
        if target not in cup.classes
    }
    assert missing == {tuple(line) for line in cup.table("broken-links.tsv")}
    assert missing


def test_every_image_and_stylesheet_is_there(cup):
    wanted = {asset for page in cup.pages.values() for asset in page.assets}
    assert all((cup.site / asset).is_file() for asset in wanted)


def test_every_page_can_be_reached_from_home_except_the_orphans(cup):
    reached, waiting = {"index.html"}, ["index.html"]
    while waiting:
        fresh = {link for link in cup.pages[waiting.pop()].links if link in cup.classes} - reached
        reached |= fresh
        waiting += fresh
    assert sorted(set(cup.classes) - reached) == cup.lines("orphans.txt")
    assert len(cup.lines("orphans.txt")) == 3


def test_every_page_in_the_folder_is_in_the_truth(cup):
    files = {str(file.relative_to(cup.site)) for file in cup.site.rglob("*") if file.is_file()}
    assert {file for file in files if not file.startswith("assets/")} == set(cup.classes)


def test_every_class_has_a_few_pages_even_at_a_small_scale(cup):
    sizes = {name: len(cup.members(name)) for name in set(cup.classes.values())}
    assert all(size == 1 for name, size in sizes.items() if name.startswith("single:"))
    assert all(size >= 3 for name, size in sizes.items() if not name.startswith("single:"))


def test_redirect_stubs_lead_where_the_truth_says(cup):
    targets = {page.path: set(page.links) for page in cup.members("redirect")}
    assert targets == {stub: {target} for stub, target in cup.table("redirects.tsv")}


def test_the_menu_leads_to_unlike_pages(cup):
    menu = cup.pages["about.html"].links[1:11]
    assert len({cup.classes[target] for target in menu}) == 10


def test_some_pages_link_to_themselves(cup):
    assert all(page.path in page.links for name in ("group", "help") for page in cup.members(name))


def test_one_squad_leads_to_players_of_both_generations_of_the_template(cup):
    old = {page.path for page in cup.members("player") if 'class="old-title"' in page.html}
    new = {page.path for page in cup.members("player")} - old
    assert 0.08 < len(old) / len(old | new) < 0.25
    assert any(set(page.links) & old and set(page.links) & new for page in cup.members("squad"))


def test_ads_have_unlike_structures_and_some_pages_have_none(cup):
    kinds = ('<aside class="ad">', '<div class="sponsored">', '<section class="offers">')
    found = {
        tuple(kind in page.html for kind in kinds)
        for page in cup.members("player")
        if page.path not in cup.malformed
    }
    assert (False, False, False) in found
    assert len(found) > 4


def test_queries_stay_in_file_names_and_are_escaped_in_links(cup):
    page = cup.pages["stats.html?category=goals"]
    assert 'href="stats.html?category=goals&amp;sort=name"' in page.html
    assert "stats.html?category=goals&sort=name" in cup.classes


def test_some_file_names_need_care_in_a_link(cup):
    awkward = [path for path in cup.classes if not path.isascii() or " " in path or "%" in path]
    assert any(not path.isascii() for path in awkward)
    assert any(" " in path for path in awkward)
    assert any("%" in path for path in awkward)
    html = cup.pages["stadiums/index.html"].html
    assert "%20" in html
    assert "%25" in html


def test_malformed_pages_are_spoilt_in_the_ways_of_real_sites(cup):
    bodies = [cup.pages[path].body for path in cup.lines("malformed.txt")]
    assert any(body.startswith(b"\xef\xbb\xbf") for body in bodies)
    assert any(b'charset="iso-8859-1"' in body for body in bodies)
    assert any(b"<LI CLASS=active>" in body for body in bodies)
    assert any(not body.rstrip().endswith(b">") for body in bodies)
    assert any(b"</li>" not in body for body in bodies)
    assert any(b"<body" not in body for body in bodies)
