"""Selectors are checked in Scrapy's own tree; one that finds something else is left out."""

from dataclasses import replace

import pytest
from small_shop import GOOD_WRAPPER, GOODS, LISTS, SIZES, WRAPPERS, field, shop_model, write_shop

from sitewright.export.scrapy.check import check_selectors
from sitewright.export.scrapy.project import LocalPages, served
from sitewright.export.scrapy.recognition import (
    ClassURLs,
    MarkSearch,
    RegionTrial,
    class_urls,
    folder_index,
    region,
)
from sitewright.wrapper import Rule


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    site = write_shop(tmp_path_factory.mktemp("shop"))
    return site, shop_model(site)


def checked(shop, wrappers):
    site, model = shop
    return check_selectors(wrappers, LocalPages(model, wrappers, site.pages))


def test_a_table_without_a_written_body_gets_another_selector(shop):
    found = checked(shop, WRAPPERS)
    (sizes,) = found.theirs["good"].record_sets
    assert sizes.rule.selector.scrapy() == "//table[@class='sizes']/tr"
    assert [one.rule.xpath for one in sizes.fields] == ["./td[1]", "./td[2]"]
    first_size = found.theirs["good"].fields[6]
    assert first_size.rule.xpath == "/html/body/table/tr[1]/td[1]"
    assert found.ours["good"] == GOOD_WRAPPER
    assert found.left_out() == []


def test_every_selector_has_its_agreement(shop):
    found = {one.trial.name: one for one in checked(shop, WRAPPERS).agreements}
    assert found["good.name"].pages == GOODS
    assert found["list.goods"].pages == LISTS
    assert found["good.sizes.stock"].share == 1
    assert len(found) == 16


def test_a_selector_that_no_way_makes_agree_is_left_out(shop):
    bodies = field("bodies", "string(count(//tbody))")
    wrapper = replace(
        GOOD_WRAPPER, fields=(*GOOD_WRAPPER.fields, bodies), required=("name", "bodies")
    )
    found = checked(shop, {"good": wrapper})
    assert [(one.trial.name, one.share) for one in found.left_out()] == [("good.bodies", 0)]
    assert found.left_out("list") == []
    assert found.ours["good"].fields == GOOD_WRAPPER.fields
    assert found.ours["good"].required == ("name",)


def test_a_list_whose_rows_cannot_be_found_is_no_list(shop):
    inner = tuple(
        replace(one, rule=Rule.parse(f"./tr{one.rule.xpath[1:]}", one.rule.pattern))
        for one in SIZES.fields
    )
    bodies = replace(SIZES, rule=Rule.parse("//tbody"), fields=inner)
    wrapper = replace(GOOD_WRAPPER, record_sets=(bodies,), rows="sizes")
    found = checked(shop, {"good": wrapper})
    assert [one.trial.name for one in found.left_out()] == ["good.sizes"]
    assert found.ours["good"].rows is None
    assert found.ours["good"].record_sets == ()


def test_a_page_of_a_mirror_has_the_address_that_its_site_is_asked_for():
    assert served("http://a.example/s.html%3Fb=2&a=1") == "http://a.example/s.html?a=1&b=2"
    assert served("http://a.example/50%25.html") == "http://a.example/50%25.html"


def test_addresses_that_a_pattern_misses_are_written_out(shop):
    _, model = shop
    classes = {f"http://shop.example/good/{n}.html": "good" for n in range(20)}
    classes["http://shop.example/sale/special.html"] = "good"
    classes["http://shop.example/good/other.html"] = None
    found = class_urls(model, classes)["good"]
    assert found.patterns[1:] == (r"/sale/special\.html",)
    assert all(found.fits(url) for url, name in classes.items() if name)


def test_a_folder_is_its_index_page_only_where_no_folder_is_known():
    assert folder_index(["http://a.example/index.html", "http://a.example/b/index.html"]) == (
        "index.html"
    )
    assert folder_index(["http://a.example/", "http://a.example/b/index.html"]) == ""
    assert folder_index(["http://a.example/b.html"]) == ""


@pytest.mark.parametrize(
    ("path", "xpath"),
    [
        ("html > body.x > ul.menu.top > li > a", '//ul[has-class("menu", "top")]'),
        ("html > body > table > tbody > tr > td > a", "/html/body/table//tr/td"),
        (r"html > body > p.a\.b > a", '//p[has-class("a.b")]'),
        ('html > body > p.a"] > a', None),
        ("html > body > p.long~0123456789abcdef > a", None),
        ("html > body > o:p > a", None),
        ("a", None),
    ],
)
def test_a_path_of_links_is_written_as_the_part_of_the_page_that_it_leads_into(path, xpath):
    assert region(path) == xpath


def test_marks_tell_pages_with_like_addresses_apart(shop):
    site, model = shop
    pages = LocalPages(model, WRAPPERS, site.pages)
    anywhere = ClassURLs((r"/.+/\d+\.html",), 0.5, 1)
    search = MarkSearch({"good": anywhere, "list": anywhere})
    for page in pages.all():
        search.see(page)
    assert search.marks("list") == ('//li[has-class("row")]',)
    assert search.marks("good") == ('//p[has-class("tags")]',)


def test_an_address_of_one_class_alone_needs_no_mark(shop):
    site, model = shop
    pages = LocalPages(model, WRAPPERS, site.pages)
    search = MarkSearch(class_urls(model, pages.known_classes()))
    for page in pages.all():
        search.see(page)
    assert search.marks("good") == ()


def test_regions_are_used_only_if_they_lose_no_page(shop):
    site, model = shop
    pages = LocalPages(model, WRAPPERS, site.pages)
    regions = {"list": ['//p[has-class("pager")]'], "good": ['//p[has-class("pager")]']}
    trial = RegionTrial(regions, pages.known_classes(), "index.html")
    for page in pages.all():
        trial.see(page)
    assert trial.sufficient("list") == ('//p[has-class("pager")]',)
    assert trial.sufficient("good") == ()
    assert trial.sufficient("home") == ()
