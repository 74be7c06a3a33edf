"""Chromium, driven by Playwright: one browser lays out many pages, each in a context of its own.

The browser is cut off from the network: the only proxy that it knows leads nowhere, and whatever a
page asks for is answered from the page's own site or refused.
"""

from __future__ import annotations

import asyncio
import json
import mimetypes
import os
import shutil
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar
from urllib.parse import quote, unquote, urljoin, urlsplit
from weakref import WeakKeyDictionary

from sitewright.errors import MissingBrowser, MissingExtra
from sitewright.page.host import is_private_host
from sitewright.page.rendering import Rendering
from sitewright.page.url import INDEX_NAMES, canonical, parts
from sitewright.settings import current
from sitewright.site.base import Missing, Page, Reason
from sitewright.site.guard import Gate
from sitewright.site.http import REDIRECTS
from sitewright.site.scope import Scope, ScopeKind

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    import aiohttp
    from playwright.async_api import Browser as ChromiumBrowser
    from playwright.async_api import CDPSession, Playwright, Route
    from playwright.async_api import Page as BrowserPage

    from sitewright.site.archive import ArchiveSite
    from sitewright.site.web import CrawlOptions


# What a page may load while it is laid out: files of its own site, and nothing from elsewhere.
#
# The browser has no way to the network. Each of its requests comes here, and what is not found here
# fails.

MAX_RESOURCE = 16 << 20
"""The largest file that a page may load, in bytes."""
FILE_BASE = "http://folder.invalid/"
"""The URL of a folder that is named after no host: a name that can never be fetched."""


@dataclass(frozen=True, slots=True)
class Resource:
    """A stylesheet, an image, a font: bytes and what they are."""

    body: bytes
    content_type: str


class Resources(Protocol):
    """Where a page's resources come from."""

    async def get(self, url: str) -> Resource | None:
        """The resource at a URL; None if there is none, or none that may be loaded."""
        ...


class NoResources:
    """For a page that stands alone."""

    async def get(self, url: str) -> Resource | None:  # noqa: ARG002 - as the protocol has it
        """Nothing is there."""
        return None


class FolderResources:
    """The files of a folder under a base URL; nothing outside it is ever opened."""

    def __init__(self, folder: str | os.PathLike[str], base_url: str = FILE_BASE) -> None:
        self._folder = Path(folder).resolve()
        self._base = base_url

    def url(self, file: str | os.PathLike[str]) -> str:
        """The URL of a file in the folder."""
        return self._base + quote(Path(file).resolve().relative_to(self._folder).as_posix())

    async def get(self, url: str) -> Resource | None:
        """Read the file that a URL names; links that lead out of the folder lead nowhere."""
        if not url.startswith(self._base):
            return None
        rest = url[len(self._base) :].partition("#")[0]
        path, mark, query = rest.partition("?")
        for name in (f"{path}?{query}" if mark else path, path, path + ".html"):
            found = self._read(unquote(name))
            if found is not None:
                return Resource(found, content_type(path))
        return None

    def _read(self, name: str) -> bytes | None:
        try:
            file = (self._folder / name).resolve()
            if not file.is_relative_to(self._folder) or not file.is_file():
                return None
            return file.read_bytes() if file.stat().st_size <= MAX_RESOURCE else None
        except (OSError, ValueError):
            return None


class ArchiveResources:
    """Everything that an archive holds, under the URLs that it had."""

    def __init__(self, archive: ArchiveSite) -> None:
        self._archive = archive

    async def get(self, url: str) -> Resource | None:
        """Read a record."""
        found = self._archive.resource(url)
        return None if found is None else Resource(found[1], found[0] or "text/plain")


def content_type(path: str) -> str:
    """What a file is, by its name; mirrors append `.html` and the like to names with queries."""
    return mimetypes.guess_type(urlsplit(path).path)[0] or "application/octet-stream"


def site_folder(file: str | os.PathLike[str]) -> Path:
    """The folder of the site that a file belongs to, as far as folders tell.

    It is the highest folder above the file that has an index page; else the file's own.
    """
    with_index = [
        folder
        for folder in Path(file).resolve().parents
        if any((folder / name).is_file() for name in INDEX_NAMES)
    ]
    return with_index[-1] if with_index else Path(file).resolve().parent


BrowserAnswer = TypeVar("BrowserAnswer")

VIEWPORT = (1280, 1024)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
"""What an installed Chromium is called, where Playwright has none of its own."""
MAX_NODES = 60_000
MAX_PICTURE_HEIGHT = 12_000
MAX_PIXELS = 1_000_000
"""How far from its upper left corner a page is measured, as in snapshot.js."""
_LIMITS = {"nodes": MAX_NODES, "letters": 20_000_000, "text": 100_000, "attribute": 2_000}
_CLOSING_TIME = 5.0
_BETWEEN_LOOKS = 0.02
_DEAD_PROXY = "http://127.0.0.1:9"
_ARGUMENTS = [
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
    "--font-render-hinting=none",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    f"--proxy-server={_DEAD_PROXY}",
    "--proxy-bypass-list=<-loopback>",
]
_IS_LOADED = """() => Object.getOwnPropertyDescriptor(
  Document.prototype, "readyState").get.call(document) === "complete\""""
_SIZE = """() => {
  const get = (prototype, name, object) =>
    Object.getOwnPropertyDescriptor(prototype, name).get.call(object);
  const root = get(Document.prototype, "documentElement", document);
  return [innerWidth, get(Element.prototype, "scrollHeight", root)];
}"""
_OUTER_HTML = """(most) => {
  const get = (prototype, name, object) =>
    Object.getOwnPropertyDescriptor(prototype, name).get.call(object);
  const root = get(Document.prototype, "documentElement", document);
  const html = "<!DOCTYPE html>" + get(Element.prototype, "outerHTML", root);
  return html.length > most ? "" : html;
}"""
_ELEMENTS = """() => Document.prototype.getElementsByTagName.call(document, "*").length"""
_SCROLL = """() => {
  const root = Object.getOwnPropertyDescriptor(
    Document.prototype, "documentElement").get.call(document);
  const height = Object.getOwnPropertyDescriptor(
    Element.prototype, "scrollHeight").get.call(root);
  scrollTo(0, height);
}"""
_PRESS_MORE = """() => {
  const says = /^\\W*(?:load|show|view|see) more\\b.{0,20}$|^mehr (?:laden|anzeigen)\\W*$/i;
  const text = Object.getOwnPropertyDescriptor(Node.prototype, "textContent").get;
  const all = Document.prototype.querySelectorAll.call(
    document, "button:not(form button):not([disabled]), [role=button]:not(form *):not([href])");
  for (const one of all) {
    if (says.test(text.call(one).trim()) && Element.prototype.getClientRects.call(one).length) {
      HTMLElement.prototype.click.call(one);
      return;
    }
  }
}"""
"""Presses a button that shows more rows; never one of a form, and nothing that is a link."""
_QUIET = 0.15
"""Seconds without a request and without a new element after which a page is done."""
_LONGEST_SETTLING = 5.0
_SCRIPTS = {
    name: (files(__package__) / name).read_text() for name in ("snapshot.js", "annotate.js")
}


_JPEG_QUALITY = 70


@dataclass(frozen=True, slots=True)
class Layout:
    """How pages are laid out."""

    viewport: tuple[int, int] = VIEWPORT
    scripts: bool = False
    """Whether the pages' own scripts run."""
    timeout: float = 30.0
    """The longest that a page may take, in seconds."""
    scale: float = 1.0
    """Pixels of a picture for each pixel of the page."""


class Browser:
    """A browser that renders pages one after the other, and starts anew when it dies.

    ::

        async with Browser() as browser:
            rendering = await browser.render(page, FolderResources(folder))
    """

    def __init__(self, layout: Layout | None = None) -> None:
        self.layout = layout or Layout()
        self._driver: Playwright | None = None
        self._chromium: ChromiumBrowser | None = None

    async def __aenter__(self) -> Self:
        self._driver = await _driver()
        try:
            await self._running()
        except BaseException:
            await self._driver.stop()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._drop_chromium()
        if self._driver is not None:
            await self._driver.stop()
            self._driver = None

    async def render(self, page: Page, resources: Resources | None = None) -> Rendering | Missing:
        """Lay a page out; what goes wrong with it is an outcome, and the next page goes on."""
        return await self._with(page, resources, self._snapshot)

    async def annotated(self, page: Page, resources: Resources | None = None) -> str | Missing:
        """The page's HTML with `dy`, `dx`, `ly` and `lx` on every element that has a box."""

        async def annotate(opened: BrowserPage, _: Page) -> str | Missing:
            return str(await _in_isolated_world(opened, _SCRIPTS["annotate.js"]))

        return await self._with(page, resources, annotate)

    async def html(self, page: Page, resources: Resources | None = None) -> str | Missing:
        """The page's HTML once its scripts have run and nothing more comes.

        The page is scrolled to its end, and its button for more rows pressed, as long as that makes
        it grow, up to a limit.
        """

        async def read(opened: BrowserPage, _: Page) -> str | Missing:
            size = await _settled(opened, resources)
            for _scroll in range(current().crawl.lazy_scrolls):
                await _in_isolated_world(opened, _SCROLL)
                await _in_isolated_world(opened, _PRESS_MORE)
                before, size = size, await _settled(opened, resources)
                if size <= before:
                    break
            found = str(await _in_isolated_world(opened, _OUTER_HTML, MAX_RESOURCE))
            if not found:
                return Missing(page.url, Reason.TOO_LARGE, f"more than {MAX_RESOURCE} letters")
            return found

        return await self._with(page, resources, read)

    async def picture(self, page: Page, resources: Resources | None = None) -> bytes | Missing:
        """The whole page as a PNG picture, cut at `MAX_PICTURE_HEIGHT`."""
        return await self._with(page, resources, _screenshot)

    async def window(self, page: Page, resources: Resources | None = None) -> bytes | Missing:
        """What the window shows of a page at first, as a JPEG picture."""

        async def shoot(opened: BrowserPage, _: Page) -> bytes:
            return await opened.screenshot(
                type="jpeg", quality=_JPEG_QUALITY, animations="disabled"
            )

        return await self._with(page, resources, shoot)

    async def paint(self, html: str, size: tuple[int, int]) -> bytes | Missing:
        """A PNG picture, of the given size, of HTML that we wrote ourselves."""

        async def shoot(opened: BrowserPage, _: Page) -> bytes:
            width, height = size
            clip = {"x": 0, "y": 0, "width": width, "height": height}
            await opened.set_viewport_size({"width": width, "height": height})
            return await opened.screenshot(clip=clip, animations="disabled")  # type: ignore[arg-type]

        return await self._with(Page("http://picture.invalid/", html.encode()), None, shoot)

    async def _snapshot(self, opened: BrowserPage, page: Page) -> Rendering | Missing:
        try:
            snapshot = json.loads(
                await _in_isolated_world(opened, _SCRIPTS["snapshot.js"], _LIMITS)
            )
            if "tooMany" in snapshot:
                what = "nodes" if snapshot["tooMany"] == "nodes" else "letters"
                return Missing(page.url, Reason.TOO_LARGE, f"more than {_LIMITS[what]} {what}")
            if max(snapshot["width"], snapshot["height"]) > MAX_PIXELS:
                size = "{} pixels wide and {} tall".format(snapshot["width"], snapshot["height"])
                why = f"{size}; what is further out than {MAX_PIXELS:,} cannot be measured"
                return Missing(page.url, Reason.TOO_LARGE, why)
            return Rendering.from_snapshot(snapshot, page.url, self.layout.viewport)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            why = f"the browser gave no rendering: {_first_line(error)}"
            return Missing(page.url, Reason.UNREADABLE, why)

    async def _with(
        self,
        page: Page,
        resources: Resources | None,
        work: Callable[[BrowserPage, Page], Awaitable[BrowserAnswer | Missing]],
    ) -> BrowserAnswer | Missing:
        """Open a page in a fresh context and do something with it, all in the time allowed."""
        from playwright.async_api import Error  # noqa: PLC0415 - an optional extra

        try:
            async with (
                asyncio.timeout(self.layout.timeout),
                self._opened(page, resources or NoResources()) as opened,
            ):
                return await work(opened, page)
        except TimeoutError:
            await self._drop_if_dead()
            return Missing(page.url, Reason.TIMED_OUT, f"after {self.layout.timeout:g} s")
        except Error as error:
            await self._drop_if_dead()
            return Missing(page.url, Reason.UNREADABLE, f"browser: {_first_line(error)}")

    @asynccontextmanager
    async def _opened(self, page: Page, resources: Resources) -> AsyncIterator[BrowserPage]:
        width, height = self.layout.viewport
        chromium = await self._running()
        context = await chromium.new_context(
            viewport={"width": width, "height": height},
            device_scale_factor=self.layout.scale,
            java_script_enabled=self.layout.scripts,
            service_workers="block",
            reduced_motion="reduce",
            accept_downloads=False,
        )
        try:
            context.set_default_timeout(self.layout.timeout * 1000)
            opened = await context.new_page()
            await context.route("**/*", _answering(page, resources, self.layout.timeout))
            await opened.goto(_browsable(page.url), wait_until="commit")
            await _loaded(opened)
            yield opened
        finally:
            with suppress(Exception):
                await asyncio.wait_for(context.close(), _CLOSING_TIME)

    async def _running(self) -> ChromiumBrowser:
        if self._driver is None:
            raise RuntimeError("a Browser is used as `async with Browser() as browser:`")
        if self._chromium is None or not self._chromium.is_connected():
            self._chromium = await _launched(self._driver)
        return self._chromium

    async def _drop_if_dead(self) -> None:
        """End a browser that no longer opens pages; the next page gets a new one."""
        try:
            if self._chromium is not None:
                context = await asyncio.wait_for(self._chromium.new_context(), _CLOSING_TIME)
                await asyncio.wait_for(context.close(), _CLOSING_TIME)
        except Exception:
            await self._drop_chromium()

    async def _drop_chromium(self) -> None:
        chromium, self._chromium = self._chromium, None
        if chromium is not None:
            with suppress(Exception):
                await asyncio.wait_for(chromium.close(), _CLOSING_TIME)


def executable(driver_path: str) -> str | None:
    """The browser to start: Playwright's own, else one that the system has."""
    if Path(driver_path).is_file():
        return driver_path
    return next(filter(None, map(shutil.which, NAMES)), None)


async def _driver() -> Playwright:
    try:
        from playwright.async_api import async_playwright  # noqa: PLC0415 - an optional extra
    except ImportError:
        raise MissingExtra("visual", "rendering pages") from None
    return await async_playwright().start()


async def _launched(driver: Playwright) -> ChromiumBrowser:
    from playwright.async_api import Error  # noqa: PLC0415 - an optional extra

    path = executable(driver.chromium.executable_path)
    if path is None:
        raise MissingBrowser
    try:
        return await driver.chromium.launch(
            executable_path=path,
            args=_ARGUMENTS,
            # Chromium's sandbox does not work for root.
            chromium_sandbox=getattr(os, "geteuid", lambda: 1)() != 0,
        )
    except Error as error:
        raise MissingBrowser(f"{path} does not start: {_first_line(error)}") from None


def _answering(
    page: Page, resources: Resources, timeout: float
) -> Callable[[Route], Awaitable[None]]:
    """Answer a page's requests: itself first, then what its site has, and nothing else."""
    own = _browsable(page.url)
    kind = "text/html" if page.encoding is None else f"text/html; charset={page.encoding}"

    async def answer(route: Route) -> None:
        request = route.request
        # The page may be gone before its last resource comes, and then nobody waits for it.
        with suppress(Exception):
            if request.is_navigation_request() and request.frame.parent_frame is None:
                if request.url.partition("#")[0] == own:
                    await route.fulfill(body=page.body, content_type=kind)
                else:
                    # "No content" leaves the browser where it is; an error would take its place.
                    await route.fulfill(status=204)
                return
            if not getattr(resources, "wants", _wants_all)(request.resource_type):
                await route.abort("blockedbyclient")
                return
            async with asyncio.timeout(timeout):
                found = await resources.get(request.url) if request.method == "GET" else None
            if found is None:
                await route.abort("blockedbyclient")
            else:
                await route.fulfill(body=found.body, content_type=found.content_type)

    return answer


def _wants_all(_kind: str) -> bool:
    return True


async def _loaded(opened: BrowserPage) -> None:
    """Wait until the page and its resources are there.

    The driver's own wait never ends where a script tries to go elsewhere while the page loads.
    """
    while await _in_isolated_world(opened, _IS_LOADED) is not True:
        await asyncio.sleep(_BETWEEN_LOOKS)


async def _settled(opened: BrowserPage, resources: Resources | None) -> int:
    """Wait until scripts load nothing and add nothing; gives the number of elements."""
    loop = asyncio.get_running_loop()
    end = loop.time() + _LONGEST_SETTLING
    size, since = -1, loop.time()
    while loop.time() < end:
        now = int(await _in_isolated_world(opened, _ELEMENTS))
        is_loading = bool(getattr(resources, "pending", None))
        if now != size or is_loading:
            size, since = now, loop.time()
        elif loop.time() - since >= _QUIET:
            break
        await asyncio.sleep(_BETWEEN_LOOKS)
    return size


_SESSIONS: WeakKeyDictionary[BrowserPage, CDPSession] = WeakKeyDictionary()


async def _in_isolated_world(opened: BrowserPage, function: str, *arguments: object) -> Any:  # noqa: ANN401
    """What a function gives in a world of its own, where the page can have replaced nothing.

    The page's scripts and ours share its elements and nothing else: a `JSON.stringify` of the
    page's, or an old library's `Array.prototype.toJSON`, is not ours.
    """
    from playwright.async_api import Error  # noqa: PLC0415 - an optional extra

    session = _SESSIONS.get(opened)
    if session is None:  # it ends with the page: to end it may take as long as the page does
        session = _SESSIONS[opened] = await opened.context.new_cdp_session(opened)
    tree = await session.send("Page.getFrameTree")
    frame = {"frameId": tree["frameTree"]["frame"]["id"], "worldName": "sitewright"}
    world = await session.send("Page.createIsolatedWorld", frame)
    call = {
        "functionDeclaration": function,
        "executionContextId": world["executionContextId"],
        "arguments": [{"value": one} for one in arguments],
        "returnByValue": True,
    }
    answer = await session.send("Runtime.callFunctionOn", call)
    if "exceptionDetails" in answer:
        raise Error("the page cannot be measured")
    return answer["result"].get("value")


async def _screenshot(opened: BrowserPage, _: Page) -> bytes:
    width, height = (int(one) for one in await _in_isolated_world(opened, _SIZE))
    clip = {"x": 0, "y": 0, "width": width, "height": min(height, MAX_PICTURE_HEIGHT)}
    return await opened.screenshot(full_page=True, animations="disabled", clip=clip)  # type: ignore[arg-type]


def _browsable(url: str) -> str:
    """The URL under which the browser opens a page; only its spelling may differ."""
    return url.partition("#")[0]


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0][:200]


# What a live page loads: from its own host, through the same gate as our crawler.

_AT_A_TIME = 4
_MAX_REDIRECTS = 5


class WebResources:
    """Stylesheets, images and fonts of the host that a page came from.

    Every request, and every redirect, is checked as those of the crawler are: nothing outside the
    host, and nothing at a private address unless the page itself is at one.
    """

    def __init__(self, page_url: str, options: CrawlOptions) -> None:
        private = is_private_host(parts(canonical(page_url) or page_url).host)
        self._allow_private = private or options.allow_private
        self._gate = Gate(Scope(page_url, ScopeKind.HOST), self._allow_private, _MAX_REDIRECTS)
        self._options = options
        self._turn = asyncio.Semaphore(_AT_A_TIME)
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        import aiohttp  # noqa: PLC0415 - only live pages wait for it
        from aiohttp.resolver import ThreadedResolver  # noqa: PLC0415

        from sitewright.site.engine import PublicResolver  # noqa: PLC0415

        resolver = ThreadedResolver() if self._allow_private else PublicResolver()
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(resolver=resolver),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=self._options.timeout),
            headers={"User-Agent": self._options.user_agent_header},
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._session is not None:
            await self._session.close()

    async def get(self, url: str) -> Resource | None:
        """Fetch a resource; whatever goes wrong, the page does without it."""
        hops: list[str] = []
        with suppress(Exception):
            async with self._turn:
                while (canonical_url := canonical(url)) is not None:
                    self._gate.check(canonical_url, hops)
                    found = await self._ask(canonical_url)
                    if not isinstance(found, str):
                        return found
                    hops.append(canonical_url)
                    url = urljoin(canonical_url, found)
        return None

    async def _ask(self, url: str) -> Resource | str | None:
        """The resource, or where the server sends us."""
        if self._session is None:
            raise RuntimeError("used as `async with WebResources(...) as resources:`")
        async with self._session.get(url, allow_redirects=False) as answer:
            if answer.status in REDIRECTS:
                return answer.headers.get("Location", "")
            if answer.status != 200:
                return None
            body = await answer.content.read(MAX_RESOURCE + 1)
            while not answer.content.at_eof() and len(body) <= MAX_RESOURCE:
                body += await answer.content.read(MAX_RESOURCE + 1 - len(body))
            kind = answer.headers.get("Content-Type", "application/octet-stream")
            return Resource(body, kind) if len(body) <= MAX_RESOURCE else None
