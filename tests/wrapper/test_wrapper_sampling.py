"""The pages that are learnt from: as few as show all that the class has."""

import asyncio
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.methods import documents_of
from sitewright.page import Document
from sitewright.settings import Settings, using
from sitewright.site import Page
from sitewright.wrapper.sampling import representative_pages


def page(number, more="", padding=0):
    rows = f"<table><tr><th>Name</th><td>{number}</td></tr></table><p class=text>Some</p>"
    html = f"<h1>{number}</h1><div class=body>{rows}{more}</div><!--{'x' * padding}-->"
    return Document(html.encode(), f"http://x.example/{number}")


def urls(documents):
    return [int(document.url.rpartition("/")[2]) for document in documents]


def test_of_few_pages_all_are_taken():
    assert urls(representative_pages([page(number) for number in range(24)])) == list(range(24))


def test_of_many_pages_that_are_alike_some_are_taken_evenly():
    found = urls(representative_pages([page(number) for number in range(48)]))
    assert found == list(range(0, 48, 2))


def test_pages_with_a_rare_label_or_element_are_taken_too():
    documents = [page(number) for number in range(60)]
    documents[7] = page(7, "<b>Born:</b> 1970")
    documents[9] = page(9, "Died: 1990")
    documents[33] = page(33, "<b>Born:</b> 1971")
    documents[34] = page(34, "Died: 1991")
    documents[36] = page(36, "<p class=award>First</p>")
    documents[51] = page(51, "<p class=award>Second</p><b>Born:</b> 1972")
    documents[53] = page(53, "<p class=award>Third</p>Died: 1992")
    usual = set(urls(representative_pages([page(number) for number in range(60)])))
    found = urls(representative_pages(documents))
    assert found == sorted(found)
    for rare in ({7, 33, 51}, {9, 34, 53}, {36, 51, 53}):
        assert len(rare & set(found)) >= 2
    assert len(found) <= len(usual) + 6


def test_what_fewer_pages_have_than_a_column_needs_is_no_news():
    documents = [page(number) for number in range(60)]
    documents[7] = page(7, "<b>Born:</b> 1970")
    assert len(representative_pages(documents)) == 24


def test_a_page_that_is_unlike_all_others_is_no_example():
    documents = [page(number) for number in range(60)]
    foreign = sorted(set(range(60)) - set(urls(representative_pages(documents))))[:6]
    for place in foreign:
        documents[place] = Document(b"<form><ul><li class=x>Login:", f"http://x.example/{place}")
    assert set(foreign).isdisjoint(urls(representative_pages(documents)))


def test_of_large_pages_fewer_are_taken():
    documents = [page(number, padding=1000) for number in range(60)]
    with using(Settings.of({"wrapper.sample.max_bytes": 12_000})):
        assert 6 <= len(representative_pages(documents)) <= 12
    with using(Settings.of({"wrapper.sample.max_bytes": 1})):
        assert len(representative_pages(documents)) == 6


@given(st.lists(st.binary(max_size=40), max_size=80))
def test_no_page_is_taken_twice_and_their_order_stays(bodies):
    documents = [Document(body) for body in bodies]
    found = representative_pages(documents)
    places = [documents.index(one) for one in found]
    assert places == sorted(set(places))
    assert len(found) >= min(len(documents), 24)


class SiteOfPages:
    """A site whose pages are all of one size."""

    def __init__(self, size: int) -> None:
        self.size = size

    async def fetch(self, urls):
        return [Page(url, b"x" * self.size) for url in urls]


@pytest.mark.parametrize(
    ("size", "limit", "expected"), [(100, 4000, 40), (100, 1000, 10), (100, 1, 6)]
)
def test_of_very_large_pages_no_more_are_parsed_than_memory_has_room_for(size, limit, expected):
    one = SimpleNamespace(pages=tuple(f"http://x.example/{number}" for number in range(40)))
    with using(Settings.of({"wrapper.sample.max_parsed_bytes": limit})):
        found = asyncio.run(documents_of(one, SiteOfPages(size)))
    assert len(found) == expected
    assert urls(found)[0] == 0
    assert urls(found)[-1] >= 33


def test_pages_with_another_value_than_most_are_taken_too():
    documents = [page(number, "<b>Language:</b> English") for number in range(60)]
    usual = set(urls(representative_pages(documents)))
    odd = sorted(set(range(60)) - usual)[5:7]
    for place in odd:
        documents[place] = page(place, f"<b>Language:</b> Other {place}")
    assert len(set(odd) & set(urls(representative_pages(documents)))) >= 2
