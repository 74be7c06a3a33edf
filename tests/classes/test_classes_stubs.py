"""Redirect stubs beside the pages of a site."""

import pytest

from sitewright.classes.clustering import cluster_pages
from sitewright.classes.features import page_features
from sitewright.page import Document, PathVocabulary


def facts(name: str, html: str, vocabulary: PathVocabulary):
    url = f"http://a.example/{name}"
    return page_features(Document(html.encode(), url), vocabulary, lambda other: other)


@pytest.mark.parametrize("stubs", [1, 5, 60, 400])
def test_a_site_may_have_any_number_of_stubs_beside_its_pages(stubs):
    vocabulary = PathVocabulary()
    pages = [
        facts(f"teams/{n}.html", "<main><h1>Team</h1><ul><li><a href=x>x</a></ul>", vocabulary)
        for n in range(8)
    ]
    pages += [
        facts(f"old/{n}.php", "<meta http-equiv=refresh content='0; url=../x'>", vocabulary)
        for n in range(stubs)
    ]
    found = cluster_pages(pages, vocabulary)
    assert len(set(found.class_of_page[:8].tolist())) == 1
    assert len(set(found.class_of_page[8:].tolist())) == 1
    assert found.class_of_page[0] != found.class_of_page[-1]
