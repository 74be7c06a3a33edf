"""Link collections and the page schema."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitewright.page import Document, Labelling, PathVocabulary, link_collections, page_schema
from sitewright.page.url import MAX_URL_LENGTH, Resolver

HOME = "http://cup.example/teams/index.html"


def collections(html: str, labelling: Labelling = Labelling.TAG, url: str = HOME) -> dict:
    vocabulary = PathVocabulary(labelling)
    found = link_collections(Document(html.encode(), url, encoding="utf-8"), vocabulary)
    return {
        vocabulary.text(path): [(link.url, link.text) for link in links] for path, links in found
    }


def urls(html: str, url: str = HOME) -> list[str]:
    return [link[0] for links in collections(html, url=url).values() for link in links]


def test_links_are_grouped_by_path_in_the_order_of_the_page():
    html = """<html><body>
      <ul><li><a href=b1>One</a><li><a href=b2>Two</a></ul>
      <p><a href=c1>Three</a></p>
      <ul><li><a href=b3>Four</a></ul>"""
    assert collections(html) == {
        "html > body > ul > li > a": [
            ("http://cup.example/teams/b1", "One"),
            ("http://cup.example/teams/b2", "Two"),
            ("http://cup.example/teams/b3", "Four"),
        ],
        "html > body > p > a": [("http://cup.example/teams/c1", "Three")],
    }


def test_the_schemas_of_the_papers_figure_3():
    """Crescenzi et al. 2005, figure 3: two pages, their schemas and the schema of their class."""
    p1 = (
        "<html><table><tr><td><a href=b1></a><a href=b2></a></td></tr></table>"
        "<ul><li><a href=c1></a><li><a href=c2></a></ul>"
    )
    p2 = (
        "<html><table><tr><td><a href=b3></a><a href=b4></a><a href=b2></a></td></tr></table>"
        "<b><a href=b1></a></b><ul><li><a href=c2></a></ul>"
    )
    vocabulary = PathVocabulary(Labelling.TAG)
    one, two = (
        page_schema(link_collections(Document(page.encode(), HOME), vocabulary))
        for page in (p1, p2)
    )
    table = vocabulary.find("html > body > table > tbody > tr > td > a")
    bold = vocabulary.find("html > body > b > a")
    item = vocabulary.find("html > body > ul > li > a")
    assert dict(zip(one.paths.tolist(), one.counts.tolist(), strict=True)) == {table: 2, item: 2}
    assert dict(zip(two.paths.tolist(), two.counts.tolist(), strict=True)) == {
        table: 3,
        bold: 1,
        item: 1,
    }


def test_an_image_speaks_for_a_link_without_text():
    html = "<a href=x><img src=i.png alt=' The\n Cup '></a><a href=y><img src=i.png></a>"
    assert collections(html)["html > body > a"] == [
        ("http://cup.example/teams/x", "The Cup"),
        ("http://cup.example/teams/y", ""),
    ]


def test_style_sheets_and_scripts_are_no_text():
    html = "<a href=x><svg><style>.i {fill: red}</style><path/></svg><script>f({})</script>Home</a>"
    assert collections(html)["html > body > a"] == [("http://cup.example/teams/x", "Home")]
    assert collections("<a href=x>{a}</a>")["html > body > a"][0][1] == "{a}"


def test_frames_show_their_source_and_nothing_else():
    assert urls("<iframe href=x src=y></iframe><a href=z src=w>t</a>") == [
        "http://cup.example/teams/y",
        "http://cup.example/teams/z",
    ]


def test_areas_and_frames_are_links():
    html = "<map><area href=a alt=North></map><iframe src=f></iframe>"
    assert collections(html) == {
        "html > body > map > area": [("http://cup.example/teams/a", "North")],
        "html > body > iframe": [("http://cup.example/teams/f", "")],
    }
    assert urls("<frameset><frame src=f1><frame src=f2></frameset>") == [
        "http://cup.example/teams/f1",
        "http://cup.example/teams/f2",
    ]


def test_links_in_drawings_count():
    assert urls("<svg><a xlink:href=one>x</a></svg>") == ["http://cup.example/teams/one"]


def test_links_honour_the_base():
    assert urls("<base href=/other/><a href=x>x</a>") == ["http://cup.example/other/x"]


def test_what_a_template_holds_is_not_on_the_page():
    assert urls("<template><a href=x>x</a></template><a href=y>y</a>") == [
        "http://cup.example/teams/y"
    ]


def test_what_a_shadow_root_holds_is_on_the_page():
    html = "<x-card><template shadowrootmode=open><p><a href=x>x</a></template>y</x-card>"
    assert collections(html) == {
        "html > body > x-card > template > p > a": [("http://cup.example/teams/x", "x")]
    }
    assert urls("<template><x-card><template shadowrootmode=open><a href=x>x") == []


@pytest.mark.parametrize(
    "href",
    [
        "", " ", "#", "#top", "javascript:void(0)", "JavaScript:x", "java\nscript:x",
        "mailto:a@b.c", "tel:+123", "data:text/html,x", "file:///etc/passwd", "ftp://a.org/x",
        "about:blank",
        "http://", "http:///x", "http://[::1", "http://a:99999999/", "//", "http://@/",
    ],
)  # fmt: skip
def test_what_is_no_page_never_becomes_one(href):
    assert urls(f'<a href="{href}">x</a>') == []


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("a.html", "http://cup.example/teams/a.html"),
        ("./a.html", "http://cup.example/teams/a.html"),
        ("../a.html", "http://cup.example/a.html"),
        ("../../../a.html", "http://cup.example/a.html"),
        ("/a/../b", "http://cup.example/b"),
        ("a/./b/../c", "http://cup.example/teams/a/c"),
        ("..", "http://cup.example/"),
        ("../", "http://cup.example/"),
        ("/", "http://cup.example/"),
        ("?page=2", "http://cup.example/teams/index.html?page=2"),
        ("a.html?x=1&y=2#z", "http://cup.example/teams/a.html?x=1&y=2"),
        ("//other.example/x", "http://other.example/x"),
        ("https://other.example/x#y", "https://other.example/x"),
        ("  a.html\n", "http://cup.example/teams/a.html"),
        ("a\nb.html", "http://cup.example/teams/ab.html"),
        ("a b.html", "http://cup.example/teams/a%20b.html"),
        ("é.html", "http://cup.example/teams/%C3%A9.html"),
        ("http://bücher.example/x", "http://xn--bcher-kva.example/x"),
        ("http://straße.example/x", "http://xn--strae-oqa.example/x"),
        ("http://me:é@bücher.example:80/x", "http://me:%C3%A9@xn--bcher-kva.example:80/x"),
        ("\\a\\b", "http://cup.example/a/b"),
        ("index.html", HOME),
    ],
)
def test_addresses_are_resolved_as_browsers_do(href, url):
    assert Resolver(HOME)(href) == url


def test_a_query_alone_belongs_to_the_page_and_not_to_its_folder():
    assert Resolver("http://a.org/d/one.html")("?p=2") == "http://a.org/d/one.html?p=2"
    assert Resolver("http://a.org/d/two.html")("?p=2") == "http://a.org/d/two.html?p=2"


@pytest.mark.parametrize(
    ("encoding", "escaped"),
    [
        ("windows-1251", "%E6"),
        ("koi8-r", "%D6"),
        ("iso-8859-1", "%26%231078%3B"),  # what browsers send: "&#1078;"
        ("utf-8", "%D0%B6"),
        ("UTF-16LE", "%D0%B6"),
        ("x-user-defined", "%D0%B6"),
    ],
)
def test_a_query_is_sent_in_the_encoding_of_its_page(encoding, escaped):
    found = Resolver("http://a.org/", encoding)("/ж?q=ж&r=%C3#ж")
    assert found == f"http://a.org/%D0%B6?q={escaped}&r=%C3"


def test_links_know_the_encoding_of_their_page():
    page = Document("<a href='?q=ж'>x</a>".encode("koi8-r"), HOME, encoding="koi8-r")
    ((_, (link,)),) = link_collections(page, PathVocabulary())
    assert link.url == HOME + "?q=%D6"


def test_a_page_in_a_file_may_lead_to_other_files_and_a_page_of_the_web_never():
    assert Resolver("file:///home/me/a.html")("b.html") == "file:///home/me/b.html"
    assert Resolver("http://a.org/")("file:///home/me/b.html") is None


@given(
    st.text(), st.sampled_from([HOME, "http://a.org", "", "file:///x/y", "http://a.org/b?c=/d/e"])
)
@example("%", HOME)
@example("http://a.org:port/", HOME)
@example("//[v1.x]", HOME)
def test_no_text_breaks_an_address(href, base):
    url = Resolver(base)(href)
    assert url is None or (url.startswith(("http://", "https://", "file:///")) and url.isascii())
    assert url is None or ("#" not in url and len(url) <= MAX_URL_LENGTH)


@given(
    st.from_regex(
        r"(\.\./){0,4}[a-z%~-]{1,5}([./][a-z]{1,3}){0,3}/?(\?[a-z=&]{0,5})?", fullmatch=True
    )
)
def test_the_short_way_to_an_address_is_the_general_way(href):
    resolver = Resolver(HOME)
    assert resolver(href) == resolver._general(href)


def test_long_texts_are_cut():
    ((_, text),) = collections("<a href=x>" + "word " * 10_000)["html > body > a"]
    assert len(text) == 1000


_TOKEN = "4fdf8e1a060cea631d3b993f79490eab"


@pytest.mark.parametrize(
    ("written", "address"),
    [
        (f"two.html?sid={_TOKEN}", "http://a.org/d/two.html"),
        (f"/two.html?seite=2&sid={_TOKEN}&x=1", "http://a.org/two.html?seite=2&x=1"),
        ("two;jsessionid=F3A1", "http://a.org/d/two"),
        ("two.php?PHPSESSID=1", "http://a.org/d/two.php"),
        ("story.php?sid=12", "http://a.org/d/story.php?sid=12"),
        (f"http://b.org/?sid={_TOKEN}", f"http://b.org/?sid={_TOKEN}"),
        (f"/image.png?token={_TOKEN}", f"http://a.org/image.png?token={_TOKEN}"),
        ("mailto:ada@a.org", "mailto:ada@a.org"),
        ("one.html?utm_source=x", "http://a.org/d/one.html?utm_source=x"),
    ],
)
def test_a_table_has_the_url_of_a_link_without_the_session(written, address):
    assert Resolver("http://a.org/d/one.html").address(written) == address
