"""No request goes where the user did not send it: not by a link, a redirect, or a name server."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from live import fault, fetch, fetch_from, options, pretend_public, resolve_names, write_site
from yarl import URL

from examples.cup.faults import Faults
from examples.cup.server import serve
from sitewright.site.base import Page, Reason
from sitewright.site.guard import Gate, Refused
from sitewright.site.scope import Scope, ScopeKind
from sitewright.site.web import WebSite


@pytest.fixture
def server(tmp_path):
    with serve(write_site(tmp_path, 3), faults=Faults(paths=True)) as running:
        yield running


def paths(server):
    return [path for path in server.paths if path != "/robots.txt"]


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "http://127.0.0.1:9/",
        "http://127.0.0.2/",
        "http://localhost/",
        "file:///etc/passwd",
        "ftp://127.0.0.1/",
        "data:text/html,<p>",
        "javascript:void(0)",
        "s3://bucket/key",
        "//",
        "",
    ],
)
def test_a_url_outside_the_site_is_refused(server, url):
    site = WebSite(server.url, options=options())
    [missing] = fetch(site, [url])
    assert missing.reason is Reason.OUT_OF_SCOPE
    assert site.tally == {Reason.OUT_OF_SCOPE: 1}
    assert server.requests == []


@pytest.mark.parametrize(
    "location",
    [
        "http://example.org/",
        "//example.org/",
        "https://127.0.0.1:9/",
        "file:///etc/passwd",
        "ftp://127.0.0.1/",
        "data:text/html,<p>",
        "javascript:alert(1)",
        "http://[::1",
        "http://user@",
    ],
)
def test_a_redirect_out_of_the_site_is_refused(server, monkeypatch, location):
    asked = resolve_names(monkeypatch, {})
    url = fault(server, f"redirect?to={quote(location)}")
    site = WebSite(server.url, options=options())
    [missing] = fetch(site, [url])
    assert (missing.url, missing.reason) == (url, Reason.BAD_REDIRECT)
    assert site.tally == {Reason.BAD_REDIRECT: 1}
    assert len(paths(server)) == 1
    assert asked == []


@pytest.mark.parametrize("location", ["http://10.0.0.1/", "http://169.254.169.254/", "//[::1]/"])
def test_a_redirect_from_a_public_site_to_a_private_address_is_refused(
    server, monkeypatch, location
):
    resolve_names(monkeypatch, {"public.example.com": "127.0.0.1"})
    pretend_public(monkeypatch)
    start = f"http://public.example.com:{server.server_port}/"
    url = f"{start}_faults/redirect?to={quote(location)}"
    page, missing = fetch_from(start, [start, url], delay=0.0)
    assert isinstance(page, Page)
    assert missing.reason is Reason.PRIVATE_ADDRESS
    assert len(paths(server)) == 2


def test_a_redirect_within_the_domain_is_followed_if_the_domain_is_the_scope(server, monkeypatch):
    hosts = {"a.example.com": "127.0.0.1", "b.example.com": "127.0.0.1"}
    resolve_names(monkeypatch, hosts)
    pretend_public(monkeypatch)
    start, other = (f"http://{host}:{server.server_port}/" for host in hosts)
    url = f"{start}_faults/redirect?to={other}1.html"
    [page] = fetch_from(start, [url], scope=ScopeKind.DOMAIN, delay=0.0)
    [missing] = fetch_from(start, [url], delay=0.0)
    assert page.url == f"{other}1.html"
    assert missing.reason is Reason.BAD_REDIRECT


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fe80::1"])
def test_a_name_that_leads_to_a_private_address_is_refused(server, monkeypatch, address):
    resolve_names(monkeypatch, {"public.example.com": address})
    start = f"http://public.example.com:{server.server_port}/"
    for obey_robots in (True, False):
        [missing] = fetch_from(start, [start], delay=0.0, obey_robots=obey_robots)
        assert missing.reason is Reason.PRIVATE_ADDRESS
        assert missing.detail == f"public.example.com leads to {address}"
    assert server.requests == []


def test_another_host_of_the_domain_may_not_lead_inside_either(server, monkeypatch):
    hosts = {"www.example.com": "127.0.0.1", "evil.example.com": "10.0.0.1"}
    resolve_names(monkeypatch, hosts)
    pretend_public(monkeypatch)
    start, evil = (f"http://{host}:{server.server_port}/" for host in hosts)
    page, missing = fetch_from(start, [start, evil], scope=ScopeKind.DOMAIN, delay=0.0)
    assert isinstance(page, Page)
    assert missing.reason is Reason.PRIVATE_ADDRESS


def test_an_intranet_name_is_allowed_when_the_user_says_so(server, monkeypatch):
    resolve_names(monkeypatch, {"wiki.example.com": "127.0.0.1"})
    start = f"http://wiki.example.com:{server.server_port}/"
    [page] = fetch_from(start, [start], allow_private=True)
    assert page.body == b"<title>Home</title>"


def test_a_name_that_does_not_exist_gives_no_answer(monkeypatch):
    resolve_names(monkeypatch, {})
    [missing] = fetch_from("http://none.example.com/", ["http://none.example.com/"])
    assert (missing.reason, missing.detail) == (Reason.NO_ANSWER, "robots.txt: no such host")


def test_robots_txt_lies_outside_a_prefix_and_is_asked_all_the_same(tmp_path):
    (tmp_path / "docs").mkdir()
    write_site(tmp_path / "docs", 2)
    write_site(tmp_path, 2)
    with serve(tmp_path, faults=Faults(robots="User-agent: *\nDisallow: /docs/1")) as server:
        start = server.url + "docs/"
        found = fetch_from(
            start, [start, start + "1.html", server.url + "0.html"], scope=ScopeKind.PREFIX
        )
        assert isinstance(found[0], Page)
        assert [missing.reason for missing in found[1:]] == [
            Reason.DISALLOWED,
            Reason.OUT_OF_SCOPE,
        ]
        assert server.paths == ["/robots.txt", "/docs/"]


def test_proxies_of_the_environment_are_left_alone(server, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    monkeypatch.delenv("no_proxy", raising=False)
    assert isinstance(fetch_from(server.url, [server.url])[0], Page)


def test_proxies_of_the_environment_are_used_on_request(server, monkeypatch):
    monkeypatch.setenv("http_proxy", server.url)
    monkeypatch.setenv("no_proxy", "")
    start = "http://site.example.com/"
    [page] = fetch_from(start, [start], environment_proxies=True, delay=0.0)
    assert page.body == b"<title>Home</title>"
    assert server.paths == [f"{start}robots.txt", start]


def test_pages_that_refresh_themselves_are_pages(tmp_path):
    (tmp_path / "index.html").write_text('<meta http-equiv="refresh" content="0;url=/other">')
    with serve(tmp_path) as server:
        [page] = fetch_from(server.url, [server.url])
        assert page.url == server.url
        assert server.paths == ["/robots.txt", "/"]


@pytest.mark.parametrize(
    "url",
    [
        "http://evil.example\\@www.example.com/",
        "http://www.example.com\\.evil.example/",
        "http://www.example.com%2F@evil.example/",
        "http://www.example.com#@evil.example/",
        "http://evil.example#@www.example.com/",
        "http://www.example.com?@evil.example/",
        "http://www.example.com:80@evil.example/",
        "http://www.example.com:443/",
        "http:///www.example.com/",
        "http:/\\evil.example/",
    ],
)
def test_no_spelling_of_a_redirect_leads_the_client_elsewhere(url):
    """What passes the gate is, for the HTTP client, on the host that the gate has judged."""
    gate = Gate(Scope("http://www.example.com/"), allow_private=False, max_redirects=10)
    try:
        gate.check(url, ["http://www.example.com/"])
    except Refused:
        return
    assert URL(url, encoded=True).raw_host == "www.example.com"
    assert URL(url, encoded=True).port == 80
