"""The text of spiders/site.py and settings.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitewright.output.spider.source import (
    Call,
    Expression,
    Name,
    Pattern,
    assignment,
    comment,
    source,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sitewright.output.spider.plan import Plan, SpiderClass

_HEAD = '''"""The spider: which links it follows, and what it takes from the pages."""

from scrapy.spiders import Rule

from .. import items
from ..crawling import PageClassSpider, SiteLinkExtractor
from ..page_classes import PageClass
'''
_SETTINGS = '''"""Settings: polite ones. The documentation of Scrapy tells of all others."""

BOT_NAME = "{package}"
SPIDER_MODULES = ["{package}.spiders"]
NEWSPIDER_MODULE = "{package}.spiders"

# Say who you are, so that the owner of the site can reach you.
USER_AGENT = "{package} (+https://example.org/who-runs-this-crawler)"
ROBOTSTXT_OBEY = True
DOWNLOAD_DELAY = 0.5
CONCURRENT_REQUESTS_PER_DOMAIN = 2
AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_START_DELAY = 1.0
AUTOTHROTTLE_TARGET_CONCURRENCY = 1.0
DOWNLOADER_MIDDLEWARES = {{"{package}.crawling.WithinSite": 50}}
DOWNLOAD_MAXSIZE = 16 * 1024 * 1024
LOG_LEVEL = "INFO"

FEED_EXPORT_ENCODING = "utf-8"
FEEDS = {{
{feeds}}}
'''
_FEED = """    {path}: {{
        "format": "jsonlines",
        "item_classes": [{item}],
        "overwrite": True,
    }},
"""


def settings_source(plan: Plan) -> str:
    """The text of settings.py, with a feed for each class that has records."""
    feeds = "".join(
        _FEED.format(
            path=source(f"records/{one.identifier}.jsonl"),
            item=source(f"{plan.package}.items.{one.items.record}"),
        )
        for one in plan.classes
        if one.items
    )
    return _SETTINGS.format(package=plan.package, feeds=feeds)


def site_source(plan: Plan) -> str:
    """The text of spiders/site.py."""
    constants = "".join(map(_constant, plan.classes))
    index = assignment("FOLDER_INDEX", plan.folder_index)
    return f"{_HEAD}\n{index}\n{constants}\n\n{''.join(_spider(plan))}"


def _constant(one: SpiderClass) -> str:
    keywords: dict[str, Expression] = {
        "addresses": tuple(Pattern(pattern) for pattern in one.addresses.patterns)
    }
    if one.items and one.wrapper:
        keywords["item"] = Name(f"items.{one.items.page}")
        keywords["required"] = one.wrapper.required
        if one.marks:
            keywords["marks"] = one.marks
    if one.items and one.wrapper and one.wrapper.rows:
        keywords["row_set"] = one.wrapper.rows
        keywords["row_item"] = Name(f"items.{one.items.record}")
    return assignment(_constant_name(one), Call("PageClass", (one.name,), keywords))


def _spider(plan: Plan) -> Iterator[str]:
    yield "class SiteSpider(PageClassSpider):\n"
    yield '    """Follows the links of the site and takes the records from its pages."""\n\n'
    values: Mapping[str, Expression] = {
        "name": "site",
        "home": plan.home,
        "hosts": plan.hosts,
        "folder_index": Name("FOLDER_INDEX"),
    }
    for name, value in values.items():
        yield assignment(name, value, 4)
    names = tuple(Name(_constant_name(one)) for one in plan.classes)
    yield assignment("page_classes", names, 4)
    yield "\n    rules = (\n"
    for one in plan.classes:
        yield f"        {comment(f'{one.name}: {one.url_template}')}\n"
        yield f"        {source(_rule(one), 8, 0, 1)},\n"
    yield "    )\n"
    for one in plan.classes:
        if one.items:
            yield f"\n    def parse_{one.identifier}(self, response):\n"
            yield f'        """Pages of class {one.identifier}."""\n'
            yield "        return self.records(response)\n"


def _rule(one: SpiderClass) -> Call:
    where: dict[str, Expression] = {
        "allow": Name(f"{_constant_name(one)}.allow"),
        "folder_index": Name("FOLDER_INDEX"),
    }
    if one.regions:
        where["restrict_xpaths"] = one.regions
    return Call(
        "Rule",
        (Call("SiteLinkExtractor", (), where),),
        {
            "callback": f"parse_{one.identifier}" if one.items else "parse_other",
            "follow": True,
            "process_request": "within_site",
        },
    )


def _constant_name(one: SpiderClass) -> str:
    return one.identifier.upper()
