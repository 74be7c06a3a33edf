"""What the tests of live sites share: a folder to serve, and fetching in one call."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING

from aiohttp.resolver import ThreadedResolver

from examples.cup.faults import PREFIX
from sitewright.page import host
from sitewright.site import engine
from sitewright.site.web import CrawlOptions, WebSite

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from examples.cup.server import Server
    from sitewright.site.base import Outcome
    from sitewright.site.scope import ScopeKind

QUICK = {"retries": 0, "timeout": 10.0}


def write_site(folder: Path, count: int = 0) -> Path:
    """Write a home page and some others, `0.html` and so on."""
    (folder / "index.html").write_text("<title>Home</title>")
    for number in range(count):
        (folder / f"{number}.html").write_text(f"<title>Page {number}</title>")
    return folder


def fault(server: Server, rest: str) -> str:
    """Give the URL of a fault path."""
    return server.url.rstrip("/") + PREFIX + rest


def options(**changes: object) -> CrawlOptions:
    """Give options for tests: one try, and not the usual patience."""
    return CrawlOptions(**QUICK | changes)


def fetch(site: WebSite, urls: list[str]) -> list[Outcome]:
    """Fetch and close."""

    async def run() -> list[Outcome]:
        try:
            return await site.fetch(urls)
        finally:
            await site.aclose()

    return asyncio.run(run())


def fetch_from(
    start: str,
    urls: list[str],
    archive: Path | None = None,
    scope: ScopeKind | None = None,
    **changes: object,
) -> list[Outcome]:
    """Make a site, fetch and close."""
    kind = {} if scope is None else {"scope": scope}
    return fetch(WebSite(start, archive=archive, options=options(**changes), **kind), urls)


def resolve_names(monkeypatch: pytest.MonkeyPatch, names: dict[str, str]) -> list[str]:
    """Have names looked up in a table; give the list of those that were asked."""
    asked: list[str] = []

    async def resolve(_: object, host: str, port: int = 0, family: int = socket.AF_INET) -> object:
        asked.append(host)
        if host not in names:
            raise OSError(f"no address for {host}")
        address = names[host]
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        return [
            {
                "hostname": host,
                "host": address,
                "port": port,
                "family": family,
                "proto": 0,
                "flags": socket.AI_NUMERICHOST,
            }
        ]

    monkeypatch.setattr(ThreadedResolver, "resolve", resolve)
    return asked


def pretend_public(monkeypatch: pytest.MonkeyPatch, address: str = "127.0.0.1") -> None:
    """Have this address pass for a public one when connecting, so that a name can lead to it."""
    judge = host.is_private_ip
    monkeypatch.setattr(engine, "is_private_ip", lambda ip: ip != address and judge(ip))
