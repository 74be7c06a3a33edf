"""The last step before the network, and the first after it.

Scrapy's handler for aiohttp, with two changes: a name is looked up by us, so that no connection is
made to a private address; and every answer is in the archive before anyone else sees it, even if
the one who asked for it is gone by then.
"""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import aiohttp
from aiohttp.resolver import ThreadedResolver
from scrapy.core.downloader.handlers._aiohttp import AiohttpDownloadHandler, _ClientResponse
from scrapy.exceptions import DownloadCancelledError
from scrapy.http import Headers

from sitewright.site.base import Reason
from sitewright.site.host import is_private_ip
from sitewright.site.reply import Reply
from sitewright.site.web.crawl import crawl_of
from sitewright.site.web.gate import Refused

if TYPE_CHECKING:
    from aiohttp.abc import ResolveResult
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response


class PublicResolver(ThreadedResolver):
    """Looks names up, and refuses those that lead to a private address.

    The connection is made to the addresses that were judged here, so a name server that answers
    differently the next time (DNS rebinding) gains nothing.
    """

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Look a name up; one private address among others is reason enough to refuse it."""
        found = await super().resolve(host, port, family)
        for result in found:
            if is_private_ip(result["host"]):
                raise Refused(Reason.PRIVATE_ADDRESS, f"{host} leads to {result['host']}")
        return found


class ArchivingHandler(AiohttpDownloadHandler):
    """Downloads with aiohttp, from public addresses, into the archive."""

    lazy = True  # most sites have one scheme, and to load the certificates twice takes a while
    experimental = False  # else every start would log a warning; our tests stand for it

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._crawl = crawl_of(crawler)
        self._unused_session = self._session
        self._session = self._guarded_session()

    def _guarded_session(self) -> aiohttp.ClientSession:
        """Make the parent's session again, with our resolver in its connector."""
        options = self._crawl.options
        unguarded = self._crawl.gate.allow_private or options.environment_proxies
        connector = aiohttp.TCPConnector(
            limit=self._pool_size_total,
            limit_per_host=self._pool_size_per_host,
            resolver=ThreadedResolver() if unguarded else PublicResolver(),
        )
        return aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            response_class=_ClientResponse,
            skip_auto_headers=("Accept", "Accept-Encoding", "Content-Type", "User-Agent"),
        )

    @staticmethod
    def _extract_headers(response: _ClientResponse) -> Headers:
        """Give the headers as bytes: as text, those that are not UTF-8 cannot be told."""
        return Headers(list(response.raw_headers))

    async def _read_response(self, response: _ClientResponse, request: Request) -> Response:
        try:
            result = await super()._read_response(response, request)
        except DownloadCancelledError:
            self._keep(request, response, b"", too_large=True)
            limit = self._crawl.options.max_size
            raise Refused(Reason.TOO_LARGE, f"more than {limit} bytes") from None
        self._keep(request, response, result.body)
        return result

    def _keep(
        self, request: Request, response: _ClientResponse, body: bytes, *, too_large: bool = False
    ) -> None:
        headers = tuple(
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in response.raw_headers
        )
        url = request.url.partition("#")[0]
        self._crawl.store.put(Reply(url, response.status, headers, body, too_large))

    async def close(self) -> None:
        """Close both sessions: the parent's own was never used."""
        await self._unused_session.close()
        await super().close()
