"""What tells two URLs apart, and which hosts are private."""

from __future__ import annotations

import time
from timeit import timeit
from urllib.parse import urlsplit

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sitewright.page.host import canonical_host, is_private_host, is_private_ip, registered_domain
from sitewright.page.url import (
    MAX_LENGTH,
    UrlParts,
    canonical,
    folder_url,
    is_index_page,
    parts,
    remove_dot_segments,
)

FRAGMENTS = [
    *("http://", "https://", "HTTP:\\\\", "//", "user:pw@", "example.org", "EXAMPLE.org.", "[::1]"),
    *("127.0.0.1", "0x7f.1", "münchen.de", "ex%61mple.org", ":80", ":443", ":0", ":99999", ":"),
    *("/", "\\", "/./", "/../", "/%2e%2E/", "/..;jsessionid=1/", ";jsessionid=A1", "%2f", "%5C"),
    *("%", "%4", "%zz", "%41", "%e2%82%ac", "ü", "\ud800", " ", "\t", "\x00", "a", "B", "~", "|"),
    *("?", "&", "=", "a=1", "b=2", "utm_source=x", "sid=" + "a1" * 16, "#", "#!", "+", "[", "]"),
]
urls = st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join)
web_urls = urls.map("http://example.org/".__add__)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://example.org", "http://example.org/"),
        ("HTTP://WWW.Example.ORG:80/A#top", "http://www.example.org/A"),
        ("https://example.org:443/", "https://example.org/"),
        ("https://example.org:0080/", "https://example.org:80/"),
        ("http://example.org:/", "http://example.org/"),
        ("http://example.org./", "http://example.org/"),
        ("http://user:secret@example.org/", "http://example.org/"),
        ("http://example.org@evil.test/", "http://evil.test/"),
        ("http://example.org/#!/page", "http://example.org/"),
        ("http://example.org?a=1", "http://example.org/?a=1"),
        ("http://example.org/?", "http://example.org/"),
        ("http://example.org/a/./b/../c/..", "http://example.org/a/"),
        ("http://example.org/../../a", "http://example.org/a"),
        ("http://example.org/a/%2e%2E/b", "http://example.org/b"),
        ("http://example.org/a%2f..%2Fb", "http://example.org/a%2F..%2Fb"),
        ("http://example.org/%7euser/%c3%bc", "http://example.org/~user/%C3%BC"),
        ("http://example.org/ü/€", "http://example.org/%C3%BC/%E2%82%AC"),
        ("http://example.org/100%/%zz", "http://example.org/100%25/%25zz"),
        ('http://example.org/a b"<c>', "http://example.org/a%20b%22%3Cc%3E"),
        ("http:\\\\example.org\\a\\..\\b?c\\d", "http://example.org/b?c%5Cd"),
        ("  http://example.org/a\n\tb  ", "http://example.org/ab"),
        ("http://example.org//a//b", "http://example.org//a//b"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://faß.example/", "http://xn--fa-hia.example/"),
        ("http://ex%61mple.org/", "http://example.org/"),
        ("http://my_host.example.org/", "http://my_host.example.org/"),
        ("http://[2001:DB8:0:0::1]:80/", "http://[2001:db8::1]/"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://0177.0.0.1/", "http://127.0.0.1/"),
        ("http://\uff11\uff12\uff17.0.0.1/", "http://127.0.0.1/"),
    ],
)
def test_a_url_has_one_normal_form(url, expected):
    assert canonical(url) == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("?utm_source=x&UTM_Medium=y&id=3&gclid=1&fbclid=2", "?id=3"),
        ("?utm_source=x", ""),
        ("?utm%5Fsource=x", ""),
        ("?PHPSESSID=abc&JSessionID=1&ASPSESSIONIDQQ=2", ""),
        ("?sid=0123456789abcdef0123456789abcdef&f=2", "?f=2"),
        ("?sid=2004/01/02&s=search", "?s=search&sid=2004/01/02"),
        ("?s=internationalization1", "?s=internationalization1"),
        (";jsessionid=1A2B.node1?x=1", "?x=1"),
        ("a;JSESSIONID=1/b;v=2", "a/b;v=2"),
    ],
)
def test_tracking_marks_and_session_identifiers_are_not_part_of_a_page(url, expected):
    assert canonical("http://example.org/" + url) == "http://example.org/" + expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("b=2&a=1", "a=1&b=2"),
        ("b=2&a=z&a=1", "a=z&a=1&b=2"),
        ("b=&a=", "a=&b="),
        ("a=1&&b=2&", "a=1&b=2"),
        ("/news/7&a=1", "/news/7&a=1"),
        ("b&a", "b&a"),
        ("q=a+b%20c", "q=a+b%20c"),
    ],
)
def test_named_parameters_are_sorted_and_other_queries_left_alone(query, expected):
    assert canonical("http://example.org/?" + query) == "http://example.org/?" + expected


@pytest.mark.parametrize(
    "url",
    [
        *("", "about", "/a/b", "//example.org/", "http:", "http:/a", "http://", "http:///a"),
        *("mailto:a@example.org", "javascript:alert(1)", "ftp://example.org/", "data:text/html,a"),
        *("file:///etc/passwd", "http://example.org:0/", "http://example.org:65536/"),
        *("http://example.org:8a/", "http://example.org:-1/", "http://[::1/", "http://[::g]/"),
        *("http://[fe80::1%25eth0]/", "http://a..b/", "http://exa mple.org/", "http://1.2.3.4.5/"),
        *(
            "http://256.1.1.1/",
            "http://0xzz.1/",
            "http://example.1/",
            "http://a%2fb/",
            "http://%00/",
        ),
        *("http://user@/", "http://:80/", "http://" + "a" * 64 + ".org/"),
        "http://" + ".".join("a" * 60 for _ in range(5)) + "/",
        "http://example.org/" + "a" * MAX_LENGTH,
        "http://example.org/" + "ü" * (MAX_LENGTH // 2),
    ],
)
def test_what_cannot_be_the_address_of_a_page_has_no_normal_form(url):
    assert canonical(url) is None


@settings(deadline=None)
@given(urls | web_urls | st.text() | st.text().map("http://example.org/".__add__))
@example("http://example.org/a/..;jsessionid=1/../b")
@example("http://example.org/;jsessi;jsessionid=1onid=2")
@example("http://example.org/%25%32%65/")
def test_a_normal_form_is_its_own_normal_form(url):
    once = canonical(url)
    assert once is None or (canonical(once) == once and once.isascii() and len(once) <= MAX_LENGTH)


@settings(deadline=None)
@given(web_urls)
def test_a_normal_form_holds_no_dot_segments_and_no_fragment(url):
    address = canonical(url)
    assert address is not None
    assert "#" not in address
    assert not {".", ".."} & set(parts(address).path.split("/"))


@settings(deadline=None)
@given(urls)
def test_a_normal_form_comes_apart_and_together(url):
    address = canonical(url)
    if address is not None:
        scheme, host, port, path, query = parts(address)
        authority = host if port is None else f"{host}:{port}"
        assert f"{scheme}://{authority}{path}" + ("" if query is None else f"?{query}") == address


def test_parts_of_a_url_are_named():
    assert parts("https://[::1]:8080/a/b?c=d") == UrlParts("https", "[::1]", 8080, "/a/b", "c=d")
    assert parts("http://example.org/") == UrlParts("http", "example.org", None, "/", None)
    with pytest.raises(ValueError, match="not a canonical URL"):
        parts("example.org")


@settings(deadline=None)
@given(st.lists(st.sampled_from(["a", "b", ".", "..", ""]), min_size=1, max_size=8))
def test_dot_segments_are_resolved_and_others_kept(segments):
    resolved = remove_dot_segments("/" + "/".join(segments))
    assert resolved.startswith("/")
    assert not {".", ".."} & set(resolved.split("/"))


def cpu_seconds(work, number=1):
    """The time of the processor alone: a busy machine does not count."""
    return timeit(work, number=number, timer=time.process_time)


def test_links_cost_little_more_than_taking_them_apart():
    plain = "https://www.example.org/wiki/Main_Page/history.html"
    hard = "https://www.example.org/wiki/M%c3%bcnchen?title=a&action=view&utm_source=x#history"
    # As if each were new: the standard library keeps the URLs that it has seen.
    apart = cpu_seconds(lambda: [urlsplit.__wrapped__(plain) for _ in range(10)], 1000)
    assert cpu_seconds(lambda: [canonical(plain) for _ in range(10)], 1000) < 10 * apart
    assert cpu_seconds(lambda: [canonical(hard) for _ in range(10)], 1000) < 60 * apart


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/" + "%" * 8000,
        "http://example.org/" + "/.." * 2600,
        "http://example.org/" + ";jsessionid=" * 600,
        "http://example.org/?" + "&" * 8000,
        "http://" + "a." * 4000,
        "http://" + "ü" * 8000,
        "http://" + "@" * 8000,
        "http://[" + ":" * 8000,
        "http://" + "a" * 240 + "!",
        "http://1" + "0" * 8000,
    ],
)
def test_hostile_urls_cost_no_more_than_their_length(url):
    assert cpu_seconds(lambda: canonical(url)) < 0.5


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("www.example.co.uk", "example.co.uk"),
        ("EXAMPLE.org", "example.org"),
        ("alice.github.io", "alice.github.io"),
        ("a.b.bücher.de", "xn--bcher-kva.de"),
        ("co.uk", None),
        ("localhost", None),
        ("127.0.0.1", None),
        ("[::1]", None),
        ("no such host", None),
    ],
)
def test_the_registered_domain_is_what_one_owner_registered(host, expected):
    assert registered_domain(host) == expected


@pytest.mark.parametrize(
    "host",
    [
        *(
            "localhost",
            "LOCALHOST.",
            "a.localhost",
            "printer.local",
            "db.internal",
            "nas.home.arpa",
        ),
        *("127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.1", "017700000001", "0"),
        *("10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
        *(
            "224.0.0.1",
            "255.255.255.255",
            "240.0.0.1",
            "198.18.0.1",
            "192.0.2.1",
            "\uff11\uff12\uff17.0.0.1",
        ),
        *("[::1]", "::1", "[::]", "[fe80::1]", "[fc00::1]", "[ff02::1]", "[::ffff:127.0.0.1]"),
        *("[::ffff:7f00:1]", "[64:ff9b::10.0.0.1]", "[64:ff9b:1::1]", "[::127.0.0.1]"),
        *("[2001:db8::1]", "[2002:7f00:1::]", "[2001::1]", "[fec0::1]"),
        *("", "no such host", "[", "[x]", "256.1.1.1"),
    ],
)
def test_private_hosts_are_known_in_every_spelling(host):
    assert is_private_host(host)


@pytest.mark.parametrize(
    "host",
    [
        *("example.org", "localhost.example.org", "8.8.8.8", "0x08080808", "100.128.0.1"),
        *("[2606:4700::1111]", "[::ffff:8.8.8.8]", "[64:ff9b::808:808]", "172.32.0.1"),
    ],
)
def test_public_hosts_are_not_private(host):
    assert not is_private_host(host)


@settings(deadline=None)
@given(st.ip_addresses())
def test_an_address_and_its_host_are_judged_alike(ip):
    host = f"[{ip}]" if ip.version == 6 else str(ip)
    assert is_private_host(host) == is_private_ip(ip) == is_private_ip(str(ip))


@settings(deadline=None)
@given(st.ip_addresses(v=4))
def test_hiding_an_address_in_a_number_or_in_ipv6_changes_nothing(ip):
    hidden = [str(int(ip)), hex(int(ip)), f"[::ffff:{ip}]", f"[64:ff9b::{ip}]"]
    assert {is_private_host(host) for host in hidden} == {is_private_ip(ip)}


def test_what_is_no_address_is_not_public():
    assert is_private_ip("example.org")
    assert is_private_ip("")


@settings(deadline=None)
@given(st.text())
def test_no_text_upsets_the_judgement_of_hosts(host):
    is_private_host(host)
    name = canonical_host(host)
    assert name is None or canonical_host(name) == name


@pytest.mark.parametrize(
    ("url", "folder"),
    [
        ("http://a.example/x/index.html", "http://a.example/x/"),
        ("http://a.example/INDEX.php", "http://a.example/"),
        ("http://a.example/shop/Default.aspx", "http://a.example/shop/"),
    ],
)
def test_an_index_page_stands_for_its_folder(url, folder):
    assert is_index_page(url)
    assert folder_url(url) == folder


@pytest.mark.parametrize(
    "url",
    [
        "http://a.example/x/",
        "http://a.example/x/main.html",
        "http://a.example/x/myindex.html",
        "index.html",
        "http://a.example/x/\u0131ndex.html",
        "http://a.example/index.html/more",
        "http://a.example/index.php?page=2",
    ],
)
def test_any_other_page_stands_for_itself(url):
    assert not is_index_page(url)
    assert folder_url(url) == url
