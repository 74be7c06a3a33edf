"""What a live page loads: from its own host, through the same gate as our crawler."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Self
from urllib.parse import urljoin

from sitewright.site.host import is_private_host
from sitewright.site.reply import REDIRECTS
from sitewright.site.scope import Scope, ScopeKind
from sitewright.site.url import canonical, parts
from sitewright.site.web.gate import Gate
from sitewright.visual.resources import MAX_RESOURCE, Resource

if TYPE_CHECKING:
    import aiohttp

    from sitewright.site.web import CrawlOptions

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

        from sitewright.site.web.handler import PublicResolver  # noqa: PLC0415

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
                while (address := canonical(url)) is not None:
                    self._gate.check(address, hops)
                    found = await self._ask(address)
                    if not isinstance(found, str):
                        return found
                    hops.append(address)
                    url = urljoin(address, found)
        return None

    async def _ask(self, address: str) -> Resource | str | None:
        """The resource, or where the server sends us."""
        if self._session is None:
            raise RuntimeError("used as `async with WebResources(...) as resources:`")
        async with self._session.get(address, allow_redirects=False) as answer:
            if answer.status in REDIRECTS:
                return answer.headers.get("Location", "")
            if answer.status != 200:
                return None
            body = await answer.content.read(MAX_RESOURCE + 1)
            while not answer.content.at_eof() and len(body) <= MAX_RESOURCE:
                body += await answer.content.read(MAX_RESOURCE + 1 - len(body))
            kind = answer.headers.get("Content-Type", "application/octet-stream")
            return Resource(body, kind) if len(body) <= MAX_RESOURCE else None
