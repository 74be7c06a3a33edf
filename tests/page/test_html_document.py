"""A document: its encoding, its base, its title."""

import pytest

from sitewright.page import Document


def text_of(body: bytes, encoding: str | None = None) -> str:
    document = Document(body, encoding=encoding)
    return document.tree.root.text


@pytest.mark.parametrize(
    ("body", "declared", "text"),
    [
        ("café".encode("latin-1"), "iso-8859-1", "café"),
        ("café".encode("latin-1"), "latin-1", "café"),  # Python's spelling, not the web's
        ("café".encode(), "no-such-encoding", "café"),
        (b"\xef\xbb\xbf" + "café".encode(), "iso-8859-1", "café"),  # the mark comes first
        ("﻿café".encode("utf-16-le"), None, "café"),
        (b'<meta charset="windows-1251">' + "Привет".encode("cp1251"), None, "Привет"),
        (b'<meta charset="utf-8">' + "é".encode("latin-1"), "iso-8859-1", "é"),  # header over meta
        ("日本語のページです。".encode("shift_jis") * 3, None, "日本語のページです。" * 3),
        (b"", None, ""),
    ],
)
def test_the_encoding_comes_from_mark_header_meta_or_detection(body, declared, text):
    assert text_of(body, declared) == text


def test_bytes_that_are_wrong_for_their_encoding_become_replacement_characters():
    assert text_of(b"caf\xe9", "utf-8") == "caf�"


def test_the_encoding_used_is_known():
    assert Document(b"x", encoding="iso-8859-1").encoding == "windows-1252"
    assert Document(b"\xef\xbb\xbfx").encoding == "UTF-8"


def test_relative_links_refer_to_the_base_if_there_is_one():
    assert (
        Document(b"<base href='/docs/'>", "http://a.org/x/y.html").base_url == "http://a.org/docs/"
    )
    assert Document(b"<p>", "http://a.org/x/y.html").base_url == "http://a.org/x/y.html"


def test_only_the_first_base_with_an_address_counts():
    page = b"<base target=_top><base href=/one/><base href=/two/>"
    assert Document(page, "http://a.org/").base_url == "http://a.org/one/"


@pytest.mark.parametrize(
    "base", ["javascript:x", "mailto:a@b.c", "http://[", "", "#top", "x" * 9000]
)
def test_a_base_that_leads_nowhere_is_passed_over(base):
    page = f"<base href='{base}'>".encode()
    assert Document(page, "http://a.org/x").base_url == "http://a.org/x"


def test_the_title_is_one_line():
    assert Document(b"<title>\n The  Cup\n</title>").title == "The Cup"
    assert Document(b"<p>no title").title == ""


def test_the_title_of_a_drawing_is_not_the_pages():
    page = b"<body><svg><title>Icon</title></svg><title>The Cup</title>"
    assert Document(page).title == "The Cup"
    assert Document(b"<svg><title>Icon</title></svg>").title == ""


def test_a_refresh_tells_where_the_page_sends_its_reader():
    page = b"<meta http-equiv=Refresh content='0; url=../new.html#top'>"
    assert Document(page, "http://a.org/old/x.html").refresh == "http://a.org/new.html"


@pytest.mark.parametrize("content", ["5", "0; url=javascript:x", "0; url=", "x", "0; url=http://["])
def test_a_refresh_that_leads_nowhere_is_none(content):
    page = f"<meta http-equiv=refresh content='{content}'>".encode()
    assert Document(page, "http://a.org/x.html").refresh is None


def test_a_page_that_reloads_itself_sends_nobody_on():
    page = b"<meta http-equiv=refresh content='60; url=x.html'>"
    assert Document(page, "http://a.org/x.html").refresh is None
