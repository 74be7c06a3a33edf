"""Page classes of real sites, against their labels and against the papers' method."""

import asyncio

import pytest

from sitewright.crawl.frontier import Strategy
from sitewright.crawl.waves import CrawlPlan
from sitewright.evaluate.classes import class_quality
from sitewright.evaluate.measures import f_star, read_labels
from sitewright.site import open_site

SITES = {
    "mit-shakespeare": ("mit-shakespeare.tar.xz", "mit-shakespeare"),
    "flink-web": ("flink-web-html.tar.xz", "flink-web/content"),
}


@pytest.mark.parametrize("name", SITES)
def test_two_hundred_pages_tell_the_classes_of_a_site(name, data, unpacked):
    archive, folder = SITES[name]
    site = open_site(str(unpacked(archive) / folder))
    labels = read_labels(data / f"page-classes/{name}.tsv")
    plan = CrawlPlan(limit=200)
    ours = asyncio.run(class_quality(site, labels, plan, "default", 300))
    plan = CrawlPlan(limit=200, strategy=Strategy.DENSEST_FIRST)
    papers = asyncio.run(class_quality(site, labels, plan, "paper", 300))
    assert f_star(ours.matrix) >= 0.9
    assert f_star(ours.matrix) > f_star(papers.matrix)
