"""Whatever a site says, nobody but itself is asked: a canary at another host must stay silent."""

from __future__ import annotations

import pytest

import sitewright
from sitewright.site.web import CrawlOptions
from tests.hostile.wire import canary, head, hostile_server, page


def leading_to(elsewhere: str, port: str) -> dict[str, bytes]:
    """The answers of a site that tries to lead its readers to another host in every way."""
    host = elsewhere.removeprefix("http:")
    ways = [
        elsewhere, host, f"http://127.0.0.1@localhost:{port}/a", f"http:\\\\localhost:{port}\\b",
        f"http://LOCALHOST:{port}/c", f"http://127.0.0.1.:{port}/d", f"http://2130706433:{port}/e",
        f"http://0x7f.1:{port}/f", f"http://[::ffff:127.0.0.1]:{port}/g", f"http://0:{port}/h",
    ]  # fmt: skip
    links = "".join(f'<li><a href="{way}">way</a>' for way in ways)
    own = "".join(f"<li><a href=/p{n}.html>p{n}</a>" for n in range(8))
    forms = f'<form action="{elsewhere}form"><input name=q></form>'
    feed = f"<link rel=alternate type=application/rss+xml href='{elsewhere}feed'>"
    start = f"<!doctype html><title>Home</title>{feed}"

    def redirect(target: str) -> bytes:
        return head("Content-Length: 0", f"Location: {target}", status="302 Found")

    pages = {
        f"/p{n}.html": page(
            f"<!doctype html><title>Page {n}</title><base href='{elsewhere}'><h1>Page {n}</h1>"
            f"<script>fetch('{elsewhere}api?n={n}')</script><img src='{elsewhere}i.png'>"
            f"<iframe src='{elsewhere}frame'></iframe><a href=next.html>next</a><dl><dt>Size"
            f"<dd>{n}7 cm</dl>"
        )
        for n in range(4)
    }
    return pages | {
        "/": page(f"{start}<link rel=canonical href='{elsewhere}'><ul>{own}{links}</ul>{forms}"),
        "/robots.txt": page(f"User-agent: *\nAllow: /\nSitemap: {elsewhere}s.xml\nSitemap: /s.xml"),
        "/s.xml": page(
            f"<urlset><url><loc>{elsewhere}listed</loc></url><sitemap><loc>{elsewhere}m.xml</loc>"
        ),
        "/p4.html": redirect(elsewhere),
        "/p5.html": redirect(host),
        "/p6.html": page(f"<meta http-equiv=refresh content='0; url={elsewhere}'>"),
        "/p7.html": redirect("/p8.html"),
        "/p8.html": redirect(f"http://127.0.0.1@localhost:{port}/"),
    }


@pytest.mark.slow
@pytest.mark.parametrize("is_complete", [False, True])
def test_a_whole_run_asks_nobody_but_the_site(is_complete, tmp_path):
    with canary() as other:
        port = other.url.rpartition(":")[2].strip("/")
        with hostile_server(leading_to(other.url, port)) as server:
            project = sitewright.run(
                server.url, tmp_path / "out", pages=40, workers=1, complete=is_complete,
                crawl=CrawlOptions(allow_private=True, delay=0.0),
            )  # fmt: skip
            assert "/p3.html" in server.requests
    hosts = {url.split("/")[2] for one in project.model.classes for url in one.pages}
    assert hosts == {server.url.split("/")[2]}


def test_a_robots_txt_at_another_host_is_not_asked_for(tmp_path):
    with canary() as other:
        moved = head("Content-Length: 0", f"Location: {other.url}robots.txt", status="301 Moved")
        home = page("<!doctype html><title>Home</title><p>Nothing to see here.")
        with hostile_server({"/robots.txt": moved, "/": home}) as server:
            sitewright.run(server.url, tmp_path / "out", pages=3, workers=1)
            assert "/robots.txt" in server.requests


HOSTILE_FORMS = {
    "a list without end": "<form action=/s><select name=q>"
    + "".join(f"<option value={n}>{n}" for n in range(5000))
    + "</select></form>",
    "forms without end": "".join(f"<form action=/s{n}><input name=q></form>" for n in range(2000)),
    "broken forms": "<form action='http://['><input name=q></form><form action='javascript:x'>"
    "<input name=''></form><form action=/s><select name=q><option value='a&b=c'></select></form>",
    "forms of others": "<form action='{elsewhere}'><input name=q></form><base href='{elsewhere}'>"
    "<form action=/s><input name=q><button formaction='{elsewhere}'>go</button></form>"
    "<form action='{elsewhere}'><select name=a><option>x<option>y</select></form>",
    "forms that change things": "<form method=post action=/delete><input name=q></form>",
}


@pytest.mark.parametrize("forms", HOSTILE_FORMS.values(), ids=HOSTILE_FORMS)
def test_forms_are_filled_in_within_bounds_and_within_the_site(tmp_path, forms):
    with canary() as other:
        home = f"<!doctype html><title>Home</title>{forms.replace('{elsewhere}', other.url)}"
        with hostile_server({"/": page(home)}, default=page(home)) as server:
            sitewright.run(
                server.url, tmp_path / "out", pages=40, workers=1, forms=True,
                crawl=CrawlOptions(allow_private=True, delay=0.0),
            )  # fmt: skip
            assert len(server.requests) <= 50
            assert "/delete" not in server.requests
