"""Pages in a real browser."""

import asyncio
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from sitewright import formats
from sitewright.errors import MissingBrowser, MissingExtra, UnreadableInput
from sitewright.page import Document
from sitewright.page.rendering import TRANSPARENT, Box, RenderedNode, Rendering, Style
from sitewright.site import Missing, Page, Reason
from sitewright.site import browser as browsers
from sitewright.site.browser import Browser, FolderResources, Resource

BROKEN = (
    "<title>T</title><p>One<p>Two <b>three<div>four</b></div>"
    "<table><td>five<noscript>six</noscript>"
)


def node(rendering, tag, place=0):
    return [node for node in rendering.nodes if node.tag == tag][place]


def test_every_element_has_its_box(renderer):
    page = renderer.render(
        '<body style="margin:0"><div style="position:absolute;left:127px;top:14px">'
        "<img height=40 width=285 alt=Autos></div>"
    )
    assert node(page, "img").box == Box(127, 14, 285, 40)
    assert node(page, "img").visible
    assert page.paths[node(page, "img").number] == "/html/body/div[1]/img[1]"


def test_the_annotated_page_looks_as_in_the_paper(renderer):
    html = (
        '<!doctype html><body style="margin:0"><img style="position:absolute;left:127px;top:14px" '
        'height="40" width="285" border="0" src="car08_file/ab41.gif" alt="Yahoo! Autos">'
    )
    annotated = renderer.run(renderer.browser.annotated(Page("http://a.example/", html.encode())))
    assert '<img dy="40" dx="285" ly="14" lx="127" style=' in annotated
    assert annotated.startswith("<!DOCTYPE html>")
    assert "<title" not in annotated


def test_type_and_paint_are_told(renderer):
    page = renderer.render(
        '<h1 style="color:#102030;background:#fff;border-top:1px solid;font:700 30px serif">Hi</h1>'
    )
    style = node(page, "h1").style
    assert (style.font_size, style.font_weight, style.borders) == (30, 700, 1)
    assert (style.colour, style.background) == ("rgb(16, 32, 48)", "rgb(255, 255, 255)")
    assert node(page, "#text").style == style
    assert node(page, "#text").text == "Hi"


@pytest.mark.parametrize(
    "style",
    [
        "display:none",
        "visibility:hidden",
        "opacity:0",
        "position:absolute;left:-9999px",
        "position:absolute;top:-500px;height:20px",
        "height:0;overflow:hidden",
    ],
)
def test_what_nobody_sees_is_not_visible(renderer, style):
    page = renderer.render(f'<p>Seen</p><div style="{style}">Not seen</div>')
    assert [n.visible for n in page.nodes if n.tag == "#text"] == [True, False]


def test_numbers_follow_the_order_of_the_parser(renderer):
    page = renderer.render(BROKEN)
    parsed = Document(BROKEN.encode()).tree.iter_elements()
    assert [n.tag for n in page.nodes if n.tag != "#text"] == [e.tag for e in parsed]


def test_a_rendering_is_data_that_can_be_saved_and_does_not_change(renderer):
    page = renderer.render(BROKEN)
    saved = formats.dump(page)
    assert formats.parse(saved.encode(), Rendering, "saved") == page
    assert formats.dump(renderer.render(BROKEN)) == saved


def drawn() -> Rendering:
    style = Style(16.0, 400, "black", TRANSPARENT, False, "block", "static", "none", 0, "left")
    nodes = (
        RenderedNode(0, -1, "p", Box(0, 0, 9, 9), True, style, "", (("id", "a"),)),
        RenderedNode(1, 0, "#text", Box(1, 1, 7, 7), False, style, "\ud800"),
    )
    return Rendering("http://a.example/", "A", (800, 600), 800, 10, nodes)


def test_a_rendering_is_saved_and_read_back():
    text = formats.dump(drawn()).encode()
    assert formats.parse(text, Rendering, "saved") == drawn()


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("{", "<", "not a sitewright-rendering file"),
        ("sitewright-rendering", "sitewright-model", "not a sitewright-rendering file"),
        ('"width": 800', '"width": "wide"', r"Expected `int`, got `str` - at `\$\.width`"),
        ('[-1, "p"', '[1, "p"', "node 0 has no such parent or style"),
    ],
)
def test_what_is_no_saved_rendering_is_refused(old, new, why):
    text = formats.dump(drawn()).replace(old, new).encode()
    with pytest.raises(UnreadableInput, match=why):
        formats.parse(text, Rendering, "saved")


def test_scripts_run_only_on_request(renderer):
    html = "<p id=a>plain</p><script>document.getElementById('a').textContent='scripted'</script>"
    assert node(renderer.render(html), "#text").text == "plain"
    assert node(renderer.render(html, scripts=True), "#text").text == "scripted"


def test_resources_come_from_the_folder_and_from_nowhere_else(renderer, tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    (tmp_path / "outside.css").write_text("p {font-size: 99px}")
    (site / "linked.css").symlink_to(tmp_path / "outside.css")
    (site / "own.css").write_text("p {font-weight: 700}")
    page = renderer.render(
        "<link rel=stylesheet href=/own.css><link rel=stylesheet href=../outside.css>"
        "<link rel=stylesheet href=%2e%2e/outside.css><link rel=stylesheet href=linked.css><p>x",
        FolderResources(site),
        url="http://folder.invalid/page.html",
    )
    assert node(page, "p").style.font_weight == 700
    assert node(page, "p").style.font_size == 16


def test_no_request_leaves_the_browser(renderer):
    asked = []

    class Listener(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Listener) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        there = f"http://127.0.0.1:{server.server_port}"
        page = renderer.render(
            f'<link rel=stylesheet href="{there}/style.css"><img src="{there}/image.png">'
            f'<iframe src="{there}/frame.html"></iframe><p>still here</p>'
            f'<script>fetch("{there}/fetched");'
            f'new WebSocket("{there}/socket".replace("http","ws"));'
            f'location = "{there}/elsewhere"</script>',
            scripts=True,
        )
        server.shutdown()
        thread.join()
    assert asked == []
    assert not isinstance(page, Missing), page
    assert any(n.text == "still here" for n in page.nodes)


def test_a_page_that_sends_readers_on_is_rendered_itself(renderer):
    page = renderer.render('<meta http-equiv=refresh content="0; url=/elsewhere.html"><p>Moved')
    assert node(page, "p").visible


def test_a_page_that_never_ends_is_reported_and_the_next_one_goes_on(renderer):
    looping = renderer.render("<p>x<script>for (;;) {}</script>", scripts=True, timeout=2.0)
    assert isinstance(looping, Missing)
    assert looping.reason is Reason.TIMED_OUT
    assert node(renderer.render("<p>next"), "p").visible


def test_a_resource_that_never_comes_is_reported(renderer):
    class Never:
        async def get(self, url):
            await asyncio.sleep(60)
            return Resource(b"", "image/png")

    waiting = renderer.render("<img src=a.png>", Never(), timeout=1.0)
    assert waiting.reason is Reason.TIMED_OUT


def test_a_crash_is_reported_and_the_next_page_gets_a_fresh_context(renderer):
    async def crash(opened, _):
        await opened.goto("chrome://crash")

    page = Page("http://a.example/", b"<p>x")
    outcome = renderer.run(renderer.browser._with(page, None, crash))
    assert outcome.reason is Reason.UNREADABLE
    assert node(renderer.render("<p>next"), "p").visible


def test_a_browser_that_died_is_started_anew(renderer):
    renderer.run(renderer.browser._chromium.close())
    assert node(renderer.render("<p>next"), "p").visible


def test_too_many_nodes_are_too_large(renderer, monkeypatch):
    monkeypatch.setitem(browsers._LIMITS, "nodes", 100)
    assert renderer.render("<p>x" * 200).reason is Reason.TOO_LARGE


def test_without_a_browser_one_line_says_how_to_get_one(monkeypatch):
    pytest.importorskip("playwright")
    monkeypatch.setattr(browsers, "executable", lambda _: None)

    async def start():
        async with Browser():
            pass

    with pytest.raises(MissingBrowser, match="apt-get install chromium"):
        asyncio.run(start())


def test_without_the_extra_one_line_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "playwright.async_api", None)
    with pytest.raises(MissingExtra, match=r"pip install 'sitewright\[visual\]'"):
        asyncio.run(browsers._driver())
