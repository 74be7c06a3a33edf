"""Pages that fight the browser, and files that are no pages, given to `segment` and `match`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sitewright.page.rendering import Rendering
from sitewright.site.base import Missing, Page, Reason
from sitewright.site.browser import Browser, Layout, executable

COMMAND = [sys.executable, "-m", "sitewright"]
TEXT = "<!doctype html><title>T</title><h1>Title</h1><p>Some words of text</p>"
needs_browser = pytest.mark.skipif(executable("") is None, reason="there is no browser")

FIGHTING = {
    "an old Prototype.js": "<script>Array.prototype.toJSON = function () { return 'no' };"
    "String.prototype.toJSON = function () { return 1 }</script>",
    "JSON.stringify": "<script>JSON.stringify = () => '[[[' </script>",
    "JSON": "<script>JSON = null; window.JSON = undefined</script>",
    "Array.prototype.push": "<script>Array.prototype.push = () => { throw 1 }</script>",
    "Map": "<script>Map = Set = Symbol = Proxy = Promise = Object = null</script>",
    "Math": "<script>Math.round = () => NaN; Math.max = () => -Infinity</script>",
    "getComputedStyle": "<script>getComputedStyle = () => ({})</script>",
    "boxes": "<script>Element.prototype.getBoundingClientRect = () => 1;"
    "Range.prototype.getBoundingClientRect = () => 1</script>",
    "a form that hides its children": "<form><input name=lastChild><input name=previousSibling>"
    "<input name=nodeType><input name=getAttribute><input name=localName>"
    "<input name=getBoundingClientRect><p>in the form</form>",
    "images that hide the document": "<img name=documentElement><img name=body><img name=title>"
    "<img name=readyState><form name=createRange></form><object name=doctype></object>",
    "frozen prototypes": "<script>Object.freeze(Array.prototype);"
    "Object.defineProperty(Object.prototype, 'value', {get() { throw 1 }})</script>",
    "window.document": "<script>try { window.document = null } catch (e) {}"
    "document.__defineGetter__('documentElement', () => null)</script>",
}


async def _rendered(html, *, scripts=True, timeout=30.0):
    async with Browser(Layout(scripts=scripts, timeout=timeout)) as browser:
        return await browser.render(Page("http://page.invalid/", html.encode()))


def rendered(html, **options):
    import asyncio  # noqa: PLC0415

    return asyncio.run(_rendered(html, **options))


@needs_browser
def test_a_page_with_an_old_library_is_measured():
    found = rendered(TEXT + FIGHTING["an old Prototype.js"])
    assert "Some words of text" in {node.text for node in found.nodes if node.visible}


@needs_browser
@pytest.mark.slow
@pytest.mark.parametrize("name", FIGHTING)
def test_a_page_that_rewrites_the_browsers_functions_is_measured_all_the_same(name):
    found = rendered(TEXT + FIGHTING[name])
    assert isinstance(found, Rendering), found
    assert "Some words of text" in {node.text for node in found.nodes if node.visible}
    if "form" in name:
        assert "in the form" in {node.text for node in found.nodes}


@needs_browser
@pytest.mark.slow
@pytest.mark.parametrize(
    ("html", "words"),
    [
        (f"{TEXT}<div style='height:10000001px'>x", "tall"),
        (f"{TEXT}<div style='width:9000000px;height:1px'>x", "wide"),
        ("<p>" + "x</p><p>" * 61_000, "more than 60000 nodes"),
    ],
    ids=["tall", "wide", "nodes"],
)
def test_a_page_without_measure_is_too_large(html, words):
    found = rendered(html, scripts=False)
    assert isinstance(found, Missing)
    assert found.reason is Reason.TOO_LARGE
    assert words in found.detail


@needs_browser
@pytest.mark.parametrize(
    "script", ["while (true) {}", "document.open()", "location = 'about:blank'"]
)
def test_a_script_that_never_ends_ends_the_page_and_not_the_program(script):
    found = rendered(f"{TEXT}<script>{script}</script>", timeout=4.0)
    assert isinstance(found, Rendering | Missing)


@pytest.mark.parametrize(
    "snapshot",
    [
        {}, {"nodes": [], "styles": []}, {"title": 1, "width": "x", "height": [], "styles": {}},
        {"title": "", "width": 1, "height": 1, "styles": [], "nodes": [[-1, "p", [0] * 4, True, 7,
         "", []]]},
        {"title": "", "width": 1, "height": 1, "styles": [[1]], "nodes": []},
        {"title": "", "width": 1e300, "height": None, "styles": [], "nodes": []},
    ],
)  # fmt: skip
def test_what_the_browser_gives_is_checked(snapshot):
    with pytest.raises(ValueError, match=r"missing|Expected|no such"):
        Rendering.from_snapshot(snapshot, "http://x.invalid/", (10, 10))


def confined(arguments, folder):
    """Run a command that may use 4 GB, for a minute."""
    command = ["sh", "-c", 'ulimit -v 16000000; exec "$@"', "sh", *COMMAND, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, timeout=60, check=False)


@pytest.fixture
def strange(tmp_path):
    os.mkfifo(tmp_path / "pipe.html")
    (tmp_path / "endless.html").symlink_to("/dev/zero")
    with (tmp_path / "sparse.html").open("wb") as file:
        file.truncate(100 << 30)
    (tmp_path / "loop.html").symlink_to("loop.html")
    (tmp_path / "folder.html").mkdir()
    (tmp_path / "good.html").write_text(TEXT)
    return tmp_path


NO_PAGES = {
    "pipe.html": "is a pipe that nobody writes to",
    "endless.html": "larger than 64 MiB",
    "sparse.html": "larger than 64 MiB",
    "loop.html": "symbolic links",
    "folder.html": "is a folder",
    "none.html": "no such file",
}


@pytest.mark.parametrize("name", ["pipe.html", "endless.html", "sparse.html"])
def test_segment_refuses_what_is_no_page_at_once(name, strange):
    run = confined(["segment", name], strange)
    assert (run.returncode, run.stdout) == (2, b"")
    assert NO_PAGES[name] in run.stderr.decode()


@pytest.mark.slow
@pytest.mark.parametrize("name", NO_PAGES)
@pytest.mark.parametrize(
    "arguments",
    [
        ["segment"], ["match", "good.html"], ["segment", "--site", "."], ["inspect"], ["strip"],
        ["template", "good.html"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_what_is_no_page_is_refused_in_one_line_by_every_verb(arguments, name, strange):
    options = ["-t", "good.html"] if arguments == ["strip"] else []
    options = ["-o", "out.json"] if arguments[0] == "template" else options
    run = confined([*arguments, name, *options], strange)
    assert run.returncode == 2, run.stderr
    assert run.stdout == b""
    assert run.stderr.count(b"\n") == 1
    # strip reads its template first; template takes folders, and this one holds no second page.
    if arguments != ["strip"] and (arguments[0], name) != ("template", "folder.html"):
        assert NO_PAGES[name] in run.stderr.decode()


def browsers_of(folder):
    """The processes that know this temporary folder: browsers of ours."""
    found = []
    for one in Path("/proc").iterdir():
        if one.name.isdigit():
            try:
                environment = (one / "environ").read_bytes()
                command = (one / "cmdline").read_bytes()
            except OSError:
                continue
            if os.fsencode(folder) in environment and b"sitewright" not in command and command:
                found.append(command[:80])
    return found


@needs_browser
@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL, None])
def test_no_browser_stays_behind(number, tmp_path):
    (tmp_path / "page.html").write_text(TEXT + "<script>while (true) {}</script>")
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    arguments = ["segment", "page.html", "--scripts", "--render-timeout", "8"]
    script = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from sitewright.cli import main; main()"
    )
    run = subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    deadline = time.monotonic() + 30
    while run.poll() is None and time.monotonic() < deadline:
        if any(b"--type=renderer" in one or b"chrom" in one for one in browsers_of(tmp_path)):
            break
        time.sleep(0.05)
    if number is not None:
        run.send_signal(number)
    run.wait(60)
    deadline = time.monotonic() + 20
    while browsers_of(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert browsers_of(tmp_path) == []
