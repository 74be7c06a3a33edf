"""Which URLs belong to a site."""

from __future__ import annotations

import time
from timeit import timeit
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitewright.errors import InvalidURL
from sitewright.page.url import canonical, remove_dot_segments
from sitewright.site.scope import Scope, ScopeKind

HOST = Scope("http://www.example.org/start")
DOMAIN = Scope("http://www.example.co.uk/start", ScopeKind.DOMAIN)
PREFIX = Scope("http://example.org/docs/intro.html", ScopeKind.PREFIX)


@pytest.mark.parametrize(
    "url",
    [
        *("http://www.example.org/", "http://example.org/a", "https://WWW.example.org:443/b?c#d"),
        *("http://user@example.org/", "http://example.org./"),
    ],
)
def test_a_host_has_both_schemes_and_both_names(url):
    assert HOST.contains(url)


@pytest.mark.parametrize(
    "url",
    [
        *("http://shop.example.org/", "http://example.org:8080/", "http://example.org.evil.test/"),
        *("http://example.com/", "http://example.org@evil.test/", "http://wwwexample.org/"),
        *("ftp://example.org/", "mailto:a@example.org", "", "//example.org/", "http://["),
        "http:\\\\evil.test\\@example.org/",
    ],
)
def test_another_host_or_port_is_outside(url):
    assert not HOST.contains(url)


def test_a_port_that_was_named_is_part_of_the_host():
    scope = Scope("http://127.0.0.1:8000/")
    assert scope.contains("http://127.0.0.1:8000/a")
    assert not scope.contains("http://127.0.0.1/a")
    assert not scope.contains("http://127.0.0.1:8001/a")


def test_a_domain_has_all_its_hosts_but_not_all_their_ports():
    assert DOMAIN.contains("https://shop.example.co.uk/")
    assert DOMAIN.contains("http://example.co.uk/")
    assert not DOMAIN.contains("http://example.co.uk:22/")
    assert not DOMAIN.contains("http://other.co.uk/")
    assert not DOMAIN.contains("http://co.uk/")


def test_a_host_without_a_registered_domain_is_its_own():
    scope = Scope("http://127.0.0.1:8000/", ScopeKind.DOMAIN)
    assert scope.contains("http://127.0.0.1:8000/a")
    assert not scope.contains("http://127.0.0.2:8000/a")


@pytest.mark.parametrize(
    "path",
    ["/docs", "/docs/", "/docs/a/b?c", "/%64ocs/a", "/a/../docs/b", "/docs/a/../b", "/docs//a"],
)
def test_a_prefix_has_its_folder_and_all_under_it(path):
    assert PREFIX.contains("https://www.example.org" + path)


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/docsets/", "/Docs/", "/doc", "/docs/..", "/docs/../a", "/docs/%2e%2e/a"),
        *("/docs%2f..", "/docs/..%2f..", "/docs/%2e%2e%2fa", "/docs/..%5c", "/docs\\..\\a"),
        *("/docs/%252e%252e/a", "/docs/%252e%252e%252fa", "/docs/..;x=1/a", "/docs/..%3bx/a"),
        *("/docs/..;jsessionid=1/a", "/docs/%" + "25" * 40 + "2e%2e/", "//docs/a"),
    ],
)
def test_no_spelling_leads_out_of_a_prefix(path):
    assert not PREFIX.contains("http://example.org" + path)


def test_a_start_that_is_no_file_name_is_a_folder():
    scope = Scope("http://example.org/docs/v1.2", ScopeKind.PREFIX)
    assert scope.contains("http://example.org/docs/v1.2")
    assert scope.contains("http://example.org/docs/v1.2/a")
    assert not scope.contains("http://example.org/docs/v1.21")
    assert not scope.contains("http://example.org/docs/")


def test_a_prefix_may_hold_escapes():
    scope = Scope("http://example.org/a%20b/%C3%BC/", ScopeKind.PREFIX)
    assert scope.contains("http://example.org/a b/ü/c")
    assert not scope.contains("http://example.org/a b/")


@pytest.mark.parametrize("url", ["", "example.org", "ftp://example.org/", "http://[::1"])
def test_a_scope_needs_a_web_address(url):
    with pytest.raises(InvalidURL, match="not an http or https URL"):
        Scope(url)


def test_a_scope_keeps_the_normal_form_of_its_start():
    assert Scope("HTTP://Example.org/#a").start == "http://example.org/"
    assert Scope("http://example.org") == Scope("http://example.org/#b")


pieces = st.sampled_from(
    ["/", "..", ".", "docs", "a", "%2e", "%2E%2e", "%2f", "%5c", "\\", "%25", "2e", ";", ";x", "//"]
)


@settings(deadline=None)
@given(st.lists(pieces, max_size=10).map("".join))
def test_decoding_what_a_prefix_contains_never_leaves_it(path):
    url = "http://example.org/docs/" + path
    if PREFIX.contains(url):
        decoded = str(canonical(url)).removeprefix("http://example.org")
        for _ in range(8):
            decoded = remove_dot_segments(unquote(decoded).replace("\\", "/"))
            assert f"{decoded}/".startswith("/docs/")


@settings(deadline=None)
@given(st.text(), st.sampled_from(ScopeKind))
def test_no_text_upsets_a_scope(text, kind):
    scope = Scope("http://example.org/docs/", kind)
    scope.contains(text)
    scope.contains("http://example.org/" + text)


@settings(deadline=None)
@given(st.sampled_from(ScopeKind), st.lists(pieces, max_size=6).map("".join))
def test_a_scope_judges_a_url_as_its_normal_form(kind, path):
    scope = Scope("http://example.org/docs/", kind)
    url = "HTTP://Example.org:80/docs/" + path
    assert scope.contains(url) == scope.contains(str(canonical(url)))


def test_escapes_within_escapes_cost_little():
    url = "http://example.org/docs/%" + "25" * 4000
    cpu_seconds = timeit(lambda: PREFIX.contains(url), number=1, timer=time.process_time)
    assert cpu_seconds < 0.5
