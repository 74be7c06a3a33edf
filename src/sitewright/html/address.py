"""From what is written in a link to the absolute address that a browser would go to."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin, urlsplit

if TYPE_CHECKING:
    from urllib.parse import SplitResult

MAX_ADDRESS = 8192
"""Longer addresses are broken: servers refuse them, and a long base would multiply in memory."""

_STRAY = re.compile(r"[\t\n\r]")
_PLAIN = re.compile(
    r"(?:(?P<host>https?://[a-z\d]+(?:[.-][a-z\d]+)*)?(?P<root>/)|(?P<up>(?:\.\./)*))"
    r"(?P<path>(?:[\w~%-]+(?:[./][\w~%-]+)*/?)?(?:\?[\w~%./&=+;,:-]+)?)(?:#.*)?",
    re.ASCII,
)
"""An address that only has to be set behind a host, or behind a folder some steps up."""
_NO_HOST = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//(?:/|$)", re.IGNORECASE)
_UNSAFE = re.compile(r"[^!#$%&-;=?-Z\[\]_a-z~]")
_SAFE = "!#$%&'()*+,/:;=?@[]~"
_MAX_KEPT = 1024
_WHITE_SPACE = " \t\n\r\f"
_NOT_SHARED = {"", "?", *_WHITE_SPACE}


class Resolver:
    """Finds the absolute addresses of the links in pages with this base.

    A site's pages repeat their links, so the answers are kept for all pages of a folder.
    """

    def __init__(self, base: str) -> None:
        self._base = base
        self._folders = _folders(base.partition("?")[0].rpartition("/")[0])
        self.of_folder = _answers(self._folders[0]) if self._folders else {}
        """What links that are written the same way led to so far, in pages of the same folder."""
        self._of_host = _answers(self._folders[-1]) if self._folders else {}

    def __call__(self, written: str) -> str | None:
        """The address that a link leads to, without fragment.

        None where no page can be there: a place in the same page, `javascript:`, `mailto:`,
        `data:`, `tel:` and every other scheme, and addresses that are broken.
        """
        known = self._of_host if written[:1] == "/" or written[:4] == "http" else self.of_folder
        try:
            return known[written]
        except KeyError:
            pass
        plain = _PLAIN.fullmatch(written) if len(written) <= MAX_ADDRESS // 2 else None
        # Nearly all links of a site are plain, and the general way costs ten times more.
        url = self._set_behind(plain) if plain else self._general(written)
        # A query alone is added to the page's own address, which no other page shares.
        if self._folders and len(written) <= _MAX_KEPT and written[:1] not in _NOT_SHARED:
            if len(known) >= _MAX_KEPT:
                known.clear()
            known[written] = url
        return url

    def _set_behind(self, plain: re.Match[str]) -> str | None:
        host, root, up, path = plain.groups()
        steps_up = len(up) // 3 if up else 0
        if host:
            return f"{host}/{path}"
        if root and self._folders:
            return self._folders[-1] + path
        if steps_up < len(self._folders) and (up or path[:1] not in {"", "?"}):
            return self._folders[steps_up] + path
        return self._general(plain[0])

    def _general(self, written: str) -> str | None:
        address = _STRAY.sub("", written.partition("#")[0].strip(_WHITE_SPACE)).replace("\\", "/")
        if not 0 < len(address) <= MAX_ADDRESS or _NO_HOST.match(address):
            return None
        try:
            url = urljoin(self._base, address)
            parts = urlsplit(url)
            parts.port  # noqa: B018 - reading it is the check
        except ValueError:
            return None
        if not _leads_to_a_page(self._base, parts):
            return None
        if _UNSAFE.search(url):
            host = _ascii_host(parts.netloc)
            url = quote(parts._replace(netloc=host).geturl(), safe=_SAFE, errors="replace")
        return url if len(url) <= MAX_ADDRESS else None


def absolute_url(base: str, written: str) -> str | None:
    """The address that a link written in a page at `base` leads to; see `Resolver`."""
    return Resolver(base)(written)


@lru_cache(maxsize=128)
def _answers(_folder: str) -> dict[str, str | None]:
    return {}


@lru_cache(maxsize=1024)
def _folders(folder: str) -> tuple[str, ...]:
    """A folder, the one above it and so on up to the root of its host.

    Empty where setting an address behind a folder would not be enough.
    """
    if _UNSAFE.search(folder) or "/." in folder or len(folder) > MAX_ADDRESS // 2:
        return ()
    try:
        parts = urlsplit(folder)
    except ValueError:
        return ()
    root = folder[: len(folder) - len(parts.path)]
    is_plain = parts.scheme in {"http", "https"} and parts.netloc and not parts.fragment
    if not is_plain and root != "file://":
        return ()
    names = parts.path.split("/")
    return tuple(root + "/".join(names[:end]) + "/" for end in range(len(names), 0, -1))


def _ascii_host(netloc: str) -> str:
    """The host as name servers know it; one that cannot be spelled so is left to be escaped."""
    try:
        return netloc.encode("idna").decode("ascii")
    except UnicodeError:
        return netloc


def _leads_to_a_page(base: str, parts: SplitResult) -> bool:
    if parts.scheme in {"http", "https"}:
        return bool(parts.hostname)
    # A page in a file may lead to other files; a page of the web never does.
    return parts.scheme == "file" and base.startswith("file:") and not parts.netloc
