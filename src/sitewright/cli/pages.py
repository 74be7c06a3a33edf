"""The pages that a person names: files, URLs, or standard input."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sitewright.cli.options import PageOptions
from sitewright.errors import UnreadableInput
from sitewright.event_loop import run_async
from sitewright.site.base import Missing, Page, advice_on
from sitewright.site.open import is_url, mode_of

if TYPE_CHECKING:
    from typing import IO

    from sitewright.page import Document
    from sitewright.site.web import CrawlOptions


MAX_PAGE = 64 << 20
"""The largest page that is read, in bytes."""
_AS_IT_IS = PageOptions()


def open_page(where: str, crawl: CrawlOptions, page: PageOptions = _AS_IT_IS) -> Document:
    """Read a page: a URL, a file, or - for standard input.

    Standard input without a URL is a page of the current folder: its links must lead somewhere.
    """
    given = named_page(where, crawl, page)
    document = given.document()
    if document.refused:
        raise UnreadableInput(where, f"too large: {document.refused}")
    return document


def named_page(where: str, crawl: CrawlOptions, page: PageOptions = _AS_IT_IS) -> Page:
    """The page that a person names, unparsed: every verb opens its pages here."""
    url, encoding = page.url, page.encoding
    if where == "-":
        return Page(url or f"{Path.cwd().as_uri()}/", read_input(), encoding)
    if is_url(where):
        fetched = _fetched(where, crawl)
        return Page(fetched.url, fetched.body, encoding or fetched.encoding)
    body = read_file(where)  # first: what cannot be read may have no place either
    return Page(url or Path(where).resolve().as_uri(), body, encoding)


def _fetched(where: str, crawl: CrawlOptions) -> Page:
    from sitewright.site.web import WebSite

    async def fetch() -> Page | Missing:
        site = WebSite(where, options=crawl)
        try:
            return (await site.fetch([site.home]))[0]
        finally:
            await site.aclose()

    outcome = run_async(fetch())
    if isinstance(outcome, Missing):
        why = f"{outcome.reason}: {outcome.detail}" if outcome.detail else str(outcome.reason)
        raise UnreadableInput(where, f"{why}. {advice_on(outcome)}".rstrip())
    return outcome


def read_input() -> bytes:
    """What stands in standard input, unless it is too much for a page."""
    if sys.stdin is None:
        raise UnreadableInput("-", "there is no standard input")
    return _bounded(sys.stdin.buffer, "-")


def read_file(where: str, file: Path | None = None) -> bytes:
    """The bytes of a file that is to be a page; what is none, or too large for one, is refused."""
    path = where if file is None else str(file)
    mode = mode_of(path)
    if stat.S_ISDIR(mode):
        raise UnreadableInput(
            where, f"is a folder, not a page; for a whole site: sitewright run {where} -o OUT"
        )
    try:
        with open(path, "rb", opener=_at_once) as opened:
            body = _bounded(opened, where)
    except OSError as error:
        raise UnreadableInput(where, error.strerror or "cannot be read") from None
    if not body and stat.S_ISFIFO(mode):
        raise UnreadableInput(where, "is a pipe that nobody writes to")
    return body


def _at_once(path: str, flags: int) -> int:
    """Open a file; to open a pipe would wait until somebody writes to it."""
    without_waiting: int = getattr(os, "O_NONBLOCK", 0)  # Windows has none
    file = os.open(path, flags | without_waiting)
    if without_waiting:
        os.set_blocking(file, True)
    return file


def _bounded(file: IO[bytes], where: str) -> bytes:
    body = file.read(MAX_PAGE + 1)
    if len(body) > MAX_PAGE:
        raise UnreadableInput(where, f"is larger than {MAX_PAGE >> 20} MiB, so no page")
    return body
