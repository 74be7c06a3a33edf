"""Pages that scripts fill: known by their looks, rendered by a browser, kept in the archive.

Whether pages are rendered is decided once for all that are made by one template: where plain pages
look like shells, up to three are rendered and compared. Where the plain page lacks a tenth of the
texts or links, pages made like it are rendered from then on. That is so while the site is crawled,
before there is a model with its classes: what tells templates apart are the tags, classes and ids
of the plain pages.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sitewright.choices import Choice
from sitewright.errors import MissingBrowser, MissingExtra
from sitewright.settings import current
from sitewright.site.base import Missing, Page
from sitewright.site.identity import shown_html

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from sitewright.site.browser import Browser, Resource


logger = logging.getLogger(__name__)

_SCRIPT = re.compile(
    rb"<script\b(?![^>]{0,500}\btype\s*=\s*[\"']?(?:application/(?:ld\+)?json|text/template))",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    rb"<(div|main|section|article|ul|ol|tbody|table|app-root)\b[^>]{0,500}>"
    rb"\s{0,200}(?:loading[^<]{0,80})?</\1\s*>",
    re.IGNORECASE,
)
_TITLE = re.compile(rb"<(title|noscript)\b.{0,5000}?</\1\s*>", re.IGNORECASE | re.DOTALL)
_ANCHOR = re.compile(rb"<a\b[^>]{0,2000}\bhref", re.IGNORECASE)
_HREF = re.compile(rb"""<a\b[^>]{0,2000}?\bhref\s*=\s*["']?([^"'\s>]{1,2000})""", re.IGNORECASE)
_TAG = re.compile(rb"<([a-z][a-z0-9-]{0,30})\b([^>]{0,2000})", re.IGNORECASE)
_NAMES = re.compile(rb"""\b(?:class|id)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)""", re.IGNORECASE)
_MORE_BUTTON = re.compile(
    rb"<button\b[^>]{0,500}>(?:\s|<[^>]{0,200}>){0,20}(?:load|show|view|see)\s{1,9}more\b",
    re.IGNORECASE,
)
_GROWING = re.compile(
    rb"<[a-z][^>]{0,500}\b(?:data-(?:next(?:-(?:page|url|cursor|href|token))?|after|cursor|page-token|load-more|infinite[\w-]{0,30})"
    rb"\s{0,3}=|(?:class|id)\s{0,3}=\s{0,3}[\"'][^\"'>]{0,200}(?:infinite|load-?more|scroll-sentinel))",
    re.IGNORECASE,
)
"""What marks a list that scripts make longer when its reader comes to its end."""
_WANTED = frozenset({"document", "script", "xhr", "fetch"})


class Render(Choice):
    """Whether pages are rendered by a browser before they are read."""

    NEVER = "never"
    AUTO = "auto"
    """Those classes of pages that scripts fill."""
    ALWAYS = "always"


def texts_of(body: bytes) -> Counter[bytes]:
    """The texts of a page, scripts and styles aside, each with its number."""
    pieces = (piece.rpartition(b">")[2].split() for piece in shown_html(body).split(b"<"))
    return Counter(b" ".join(words) for words in pieces if words)


def is_empty_shell(body: bytes) -> bool:
    """Whether a page has scripts, and next to nothing that a reader would see."""
    settings = current().crawl
    if _SCRIPT.search(body) is None or len(_ANCHOR.findall(body)) > settings.max_shell_links:
        return False
    texts = texts_of(_TITLE.sub(b" ", body))
    return sum(map(len, texts)) <= settings.max_shell_text


def looks_like_shell(body: bytes) -> bool:
    """Whether scripts may fill a page: it is empty, has a place with nothing there, or may grow.

    By a button that says "load more", or by scrolling. That is a guess which costs at most three
    renderings for each template.
    """
    if _SCRIPT.search(body) is None:
        return False
    shown = shown_html(body)
    signs = (_EMPTY, _MORE_BUTTON, _GROWING)
    return any(sign.search(shown) for sign in signs) or is_empty_shell(body)


def lacks(plain: bytes, rendered: bytes) -> bool:
    """Whether a plain page lacks a tenth of the texts or of the links of its rendering."""
    most = current().crawl.max_lacking_share
    for read in (texts_of, lambda body: Counter(_HREF.findall(shown_html(body)))):
        own, all_ = read(plain), read(rendered)
        if (all_ - own).total() >= max(1.0, most * all_.total()):
            return True
    return False


@dataclass(slots=True)
class _Template:
    """Pages that are made alike, and whether rendering added anything to some of them."""

    marks: frozenset[bytes]
    compared: list[bool] = field(default_factory=list)


class RenderingDecisions:
    """Which pages are rendered: decided once for all pages that are made by one template."""

    def __init__(self) -> None:
        self._templates: list[_Template] = []

    def verdict(self, body: bytes) -> bool | None:
        """Whether pages like this one are rendered; None if more must be compared to know."""
        template = self._template_of(_marks(body))
        if template is None:
            return None if len(self._templates) < current().crawl.max_compared_templates else False
        if any(template.compared):
            return True
        return False if len(template.compared) >= current().crawl.compared_renderings else None

    def learn(self, body: bytes, *, is_better: bool) -> None:
        """Take in a comparison; `body` is that of the plain page."""
        marks = _marks(body)
        template = self._template_of(marks)
        if template is None:
            template = _Template(marks)
            self._templates.append(template)
        template.compared.append(is_better)

    def _template_of(self, marks: frozenset[bytes]) -> _Template | None:
        """The template whose pages are the most like one with these marks, if any are."""
        least = current().crawl.same_template_similarity
        ranked = [(_similarity(one.marks, marks), -at) for at, one in enumerate(self._templates)]
        best, place = max(ranked, default=(0.0, 0))
        return self._templates[-place] if best >= least else None


def _marks(body: bytes) -> frozenset[bytes]:
    """The tags of a page, each with its class and id."""
    found = _TAG.finditer(shown_html(body))
    return frozenset(
        b" ".join((match[1].lower(), *sorted(_NAMES.findall(match[2])))) for match in found
    )


def _similarity(one: frozenset[bytes], other: frozenset[bytes]) -> float:
    return len(one & other) / max(1, len(one | other))


class ScriptResources:
    """What a page's scripts load: documents, scripts and data, by the site's own gate.

    Pictures, styles and fonts change nothing in the page's HTML, and are not asked for.
    """

    def __init__(self, get: Callable[[str], Awaitable[Resource | None]]) -> None:
        self._get = get
        self.pending = 0
        self.loaded: list[str] = []
        """The URLs that the page asked for, in order."""

    def wants(self, kind: str) -> bool:
        """Whether a resource of this kind can change the page's HTML."""
        return kind in _WANTED

    async def get(self, url: str) -> Resource | None:
        """Load a resource; None if it is not there, or must not be loaded."""
        self.pending += 1
        try:
            if len(self.loaded) >= current().crawl.max_loaded:
                return None
            self.loaded.append(url)
            return await self._get(url)
        finally:
            self.pending -= 1


class PageRenderer:
    """Renders pages with one browser, which starts with the first of them."""

    def __init__(self, get: Callable[[str], Awaitable[Resource | None]], timeout: float) -> None:
        self._get = get
        self._timeout = timeout
        self._browser: Browser | None = None
        self._turn = asyncio.Lock()
        self.problem: str | None = None
        """Why nothing can be rendered, once that was tried."""

    async def html(self, page: Page) -> tuple[bytes | None, list[str]]:
        """The HTML of a page after its scripts ran, and what they loaded; None if none came."""
        async with self._turn:
            browser = await self._running()
            if browser is None:
                return None, []
            resources = ScriptResources(self._get)
            found = await browser.html(page, resources)
            if isinstance(found, Missing):
                logger.info("%s: not rendered (%s)", page.url, found.detail)
                return None, resources.loaded
            return found.encode("utf-8", "replace"), resources.loaded

    async def aclose(self) -> None:
        """End the browser."""
        browser, self._browser = self._browser, None
        if browser is not None:
            await browser.__aexit__()

    async def _running(self) -> Browser | None:
        if self._browser is None and self.problem is None:
            from sitewright.site.browser import Browser, Layout  # noqa: PLC0415 - an extra

            browser = Browser(Layout(scripts=True, timeout=self._timeout))
            try:
                self._browser = await browser.__aenter__()
            except (MissingExtra, MissingBrowser) as error:
                self.problem = str(error)
        return self._browser
