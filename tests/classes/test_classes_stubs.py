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


def api_pages(vocabulary: PathVocabulary):
    """Functions and constants, made alike, beside the chapters of a book."""
    made = "<main><h1>x</h1><pre>x</pre><p>about"
    names = [f"api/m{n}/{kind}.x{n}.html" for n in range(6) for kind in ("fn", "constant")]
    chapters = [f"api/m{n}/{word}.html" for n in range(7) for word in ("intro", "constants", "end")]
    told = "<nav><ul><li>1<li>2</ul></nav><article><h2>x</h2><table><tr><td>x</table><dl><dt>x"
    return [
        *(facts(name, made, vocabulary) for name in names),
        *(facts(name, told, vocabulary) for name in chapters),
    ]


def test_a_stub_stands_for_one_kind_of_the_pages_of_a_class():
    vocabulary = PathVocabulary()
    pages = api_pages(vocabulary)
    stub = "<meta http-equiv=refresh content='0; url=../x'>"
    stubs = ["api/m8/fn.x8.html", "old/macro.x8.html", "old/index.html"]
    pages += [facts(name, stub, vocabulary) for name in stubs]
    classes = cluster_pages(pages, vocabulary).class_of_page.tolist()
    assert len(set(classes[:12])) == 1
    assert len(set(classes[12:33])) == 1
    assert classes[-3] == classes[0]
    assert classes[-2] == classes[-1] not in classes[:-2]
