"""Which class a page gets: with its own address, with none, and with that of another page."""

from __future__ import annotations

import random
from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from examples.cup import generate
from sitewright.classes import Classifier
from sitewright.errors import InvalidInput
from sitewright.methods import discover_all
from sitewright.page import Document
from sitewright.site import open_site

PLAYER = "<h1>n</h1><table><tr><td>a<td>b</table><ul><li>goals</ul>"
STORY = "<article><h2>n</h2><blockquote>q</blockquote><address>a</address></article>"
STUB = '<meta http-equiv="refresh" content="0;url=/elsewhere.html">'
HOST = "http://folder.invalid/"


@pytest.fixture(scope="module")
def classifier(tmp_path_factory) -> Classifier:
    """A site with two classes that differ in structure and in address, and stubs."""
    root = tmp_path_factory.mktemp("site")
    bodies = {f"players/{n}.html": PLAYER + "<p>x" * (n % 4) for n in range(30)}
    bodies |= {f"news/{n}-x/index.html": STORY + "<p>x" * (n % 3) for n in range(30)}
    bodies |= {"players/99.html": STUB, "old/a.html": STUB, "old/b.html": STUB}
    for name, body in bodies.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(body)
    model = discover_all(open_site(str(root)))
    assert model is not None
    return Classifier(model)


def class_of(classifier: Classifier, body: str, url: str) -> str | None:
    return classifier.classify(Document(body.encode(), url)).page_class


@pytest.mark.parametrize(
    "url",
    [
        HOST + "players/7.html",
        "file:///home/me/x.html",
        "file:///home/me/news/7-x/index.html",
        "https://other.example/news/7-x/index.html",
        HOST + "news/7-x/index.html",
        HOST + "news/index.html",
        HOST,
        "",
        "nonsense",
        "http://[broken/news/7-x/index.html",
    ],
)
def test_a_clear_structure_decides_whatever_the_address_says(classifier, url):
    assert class_of(classifier, PLAYER, url) == "player"


def test_a_page_like_no_other_of_the_site_has_no_class_whatever_its_address(classifier):
    """An error page, a shell that waits for scripts: its address is all that is right with it."""
    for path in ("players/7.html", "news/7-x/index.html", ""):
        assert class_of(classifier, "<i>x</i>", HOST + path) is None
    assert classifier.of_url(HOST + "players/7.html").page_class == "player"


def test_an_address_that_contradicts_the_structure_makes_no_decision_surer(classifier):
    own, other = (
        classifier.classify(Document(PLAYER.encode(), HOST + path)).confidence
        for path in ("players/7.html", "news/7-x/index.html")
    )
    assert other <= own


def test_a_stub_stands_for_a_page_of_this_site_only(classifier):
    stubs = class_of(classifier, STUB, HOST + "old/c.html")
    assert class_of(classifier, STUB, HOST + "players/8.html") == "player"
    assert class_of(classifier, STUB, "file:///players/8.html") == stubs
    assert class_of(classifier, STUB, "http://other.example/players/8.html") == stubs


def test_pages_of_the_demo_site_keep_their_class_as_files_anywhere(tmp_path):
    """Only small classes are told by addresses alone: home pages, the second page of a list."""
    generate(tmp_path / "cup", scale=0.25)
    site = open_site(str(tmp_path / "cup/site"))
    model = discover_all(site)
    assert model is not None
    classifier = Classifier(model)
    large = {one.name for one in model.classes if one.visited >= 10}
    pages = random.Random(0).sample(sorted(site.pages(), key=lambda page: page.url), 300)
    news = model.by_name("news").samples[0]
    compared = 0
    for page in pages:
        features = classifier.features(page.document())
        found = classifier.of_features(features).page_class
        if features.is_stub or found not in large:
            continue
        compared += 1
        text = page.document().tree.html
        assert class_of(classifier, text, "file:///home/me/xx.html") == found, page.url
        if urlsplit(page.url).path.startswith("/players/"):
            assert class_of(classifier, text, news) == found, page.url
    assert compared > 250


def test_a_page_that_costs_nothing_costs_no_negative_nothing(tmp_path):
    (tmp_path / "index.html").write_text("<h1>Alone</h1>")
    model = discover_all(open_site(str(tmp_path)))
    assert model is not None
    for found in (
        Classifier(model).classify(Document(b"<h1>Alone</h1>", model.home)),
        Classifier(model).of_url(model.home),
    ):
        assert (found.page_class, str(found.cost)) == (model.classes[0].name, "0.0")


def test_a_class_whose_urls_may_be_any_is_not_what_links_lead_to(classifier):
    """Single pages of all kinds are a class whose URLs say nothing, however common it is."""
    anything = {"url_pattern": ".*", "url_precision": 0.02, "prior": 20.0}
    classes = [
        replace(one, **anything) if one.name == "news" else one for one in classifier.model.classes
    ]
    model = replace(classifier.model, classes=tuple(classes))
    assert Classifier(model).of_url(HOST + "players/1234.html").page_class == "player"


def test_a_class_that_does_not_exist_is_refused_with_those_that_do(classifier):
    with pytest.raises(KeyError) as caught:
        classifier.model.by_name("plyer")
    assert isinstance(caught.value, InvalidInput)
    assert str(caught.value) == "plyer: no such class; there are player, news, redirect"
