"""A link of a page has one URL, whichever part of the program reads it, and in Scrapy too."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.http import HtmlResponse

from sitewright.export.scrapy.runtime.crawling import SiteLinkExtractor
from sitewright.export.scrapy.runtime.loaders import AbsoluteURL, resolver
from sitewright.page import Document, PathVocabulary, link_collections
from sitewright.page.url import canonical
from sitewright.papers.liu import link_nodes
from sitewright.skeleton.navigation import page_navigation
from sitewright.wrapper import Field, Rule, Wrapper, extract
from sitewright.wrapper.values.types import FieldType, ValueKind

HERE = "http://site.example/docs/page.html"
LINKS = Wrapper(
    "page",
    fields=(Field("to", Rule.parse("//a/@href"), FieldType(ValueKind.URL), many=True),),
)


def page(markup: str, encoding: str) -> bytes:
    head = f'<meta charset="{encoding}"><title>x</title>'
    return f"<!doctype html>{head}<body>{markup}".encode(encoding, "xmlcharrefreplace")


def urls_by_reader(body: bytes) -> dict[str, list[str]]:
    """What each reader of links says that the page's anchors lead to."""
    document = Document(body, HERE)
    response = HtmlResponse(HERE, body=body)
    resolve = resolver(response, HERE)
    record = extract(LINKS, document)
    written = response.xpath("//a/@href").getall()
    return {
        "document": [link.url for link in document.links if link.url],
        "classes": [
            link.url
            for collection in link_collections(document, PathVocabulary())
            for link in collection.links
        ],
        "skeleton": [link.target for link in page_navigation(document, lambda url: url).links],
        "sew": [node.url for node in link_nodes(document) if node.url],
        "tables": record.values["to"],
        "spider's links": [link.url for link in SiteLinkExtractor().extract_links(response)],
        "spider's tables": AbsoluteURL()(written, {"resolve": resolve}),
    }


def one_answer(found: dict[str, list[str]]) -> list[str]:
    answers = [list(dict.fromkeys(map(canonical, urls))) for urls in found.values()]
    assert all(answer == answers[0] for answer in answers), found
    return answers[0]


@pytest.mark.parametrize(
    ("encoding", "written", "url"),
    [
        ("utf-8", "view.php?name=Café0", "http://site.example/docs/view.php?name=Caf%C3%A90"),
        ("iso-8859-1", "view.php?name=Café0", "http://site.example/docs/view.php?name=Caf%E90"),
        ("iso-8859-1", "Café/?x=é", "http://site.example/docs/Caf%C3%A9/?x=%E9"),
        ("shift_jis", "/?q=日本", "http://site.example/?q=%93%FA%96%7B"),
        # What the encoding lacks is sent as browsers send it.
        (
            "iso-8859-1",
            "?q=é日&amp;r=1",
            "http://site.example/docs/page.html?q=%E9%26%2326085%3B&r=1",
        ),
    ],
)
def test_every_reader_of_links_gives_one_url(encoding, written, url):
    assert one_answer(urls_by_reader(page(f'<a href="{written}">x</a>', encoding))) == [url]


NAMES = st.lists(st.sampled_from("aé日/?&=.#%"), min_size=1, max_size=8).map("".join)


@given(st.lists(NAMES, min_size=1, max_size=5))
def test_the_readers_of_links_agree(names):
    markup = "".join(f'<p><a href="f{n}/{name}">{n}</a></p>' for n, name in enumerate(names))
    for encoding in ("utf-8", "iso-8859-1"):
        one_answer(urls_by_reader(page(markup, encoding)))


def test_base_and_refresh_are_read_in_the_encoding_of_the_page():
    markup = (
        '<base href="/?in=é"><meta http-equiv=refresh content="0; url=?to=é"><a href="?é">x</a>'
    )
    body = page(markup, "iso-8859-1")
    document = Document(body, HERE)
    assert document.base_url == "http://site.example/?in=%E9"
    assert document.refresh == "http://site.example/?to=%E9"
    assert one_answer(urls_by_reader(body)) == ["http://site.example/?%E9"]


def test_a_declared_parent_is_read_in_the_encoding_of_the_page():
    document = Document(page('<link rel=up href="up.php?é">', "iso-8859-1"), HERE)
    assert (
        page_navigation(document, lambda url: url).declared_parent
        == "http://site.example/docs/up.php?%E9"
    )
