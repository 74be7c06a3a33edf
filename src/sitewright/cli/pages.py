"""The pages that a person names: files, URLs, or standard input."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sitewright.errors import UnreadableInput
from sitewright.html import Document
from sitewright.site.base import Missing, Page
from sitewright.site.open import is_url, not_found

if TYPE_CHECKING:
    from sitewright.site.web.options import CrawlOptions


def open_page(
    where: str, options: CrawlOptions, *, url: str | None = None, encoding: str | None = None
) -> Document:
    """Read a page: a URL, a file, or - for standard input.

    `url` is the address that a file's page had; `encoding` is what its server declared.
    """
    if where == "-":
        return Document(sys.stdin.buffer.read(), url or "", encoding=encoding)
    if is_url(where):
        page = _fetched(where, options)
        return Document(page.body, page.url, encoding=encoding or page.encoding)
    path = Path(where)
    return Document(_read(path), url or path.resolve().as_uri(), encoding=encoding)


def _fetched(where: str, options: CrawlOptions) -> Page:
    from sitewright.site.web.site import WebSite

    async def fetch() -> Page | Missing:
        site = WebSite(where, options=options)
        try:
            return (await site.fetch([site.home]))[0]
        finally:
            await site.aclose()

    outcome = asyncio.run(fetch())
    if isinstance(outcome, Missing):
        raise UnreadableInput(
            where, outcome.reason + (f": {outcome.detail}" if outcome.detail else "")
        )
    return outcome


def _read(path: Path) -> bytes:
    if path.is_dir():
        raise UnreadableInput(
            str(path), f"is a folder, not a page; for a whole site: sitewright run {path} -o OUT"
        )
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise not_found(str(path)) from None
    except OSError as error:
        raise UnreadableInput(str(path), error.strerror or "cannot be read") from None
