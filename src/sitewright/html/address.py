"""From what is written in a link to the absolute address that a browser would go to."""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin, urlsplit

if TYPE_CHECKING:
    from urllib.parse import SplitResult

MAX_ADDRESS = 8192
"""Longer addresses are broken: servers refuse them, and a long base would multiply in memory."""

_MAX_HOST = 253
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
_WHITE_SPACE = " \t\n\r\f"
_ANYWHERE, _ROOT, _FOLDER = range(3)
_NOWHERE, _GENERAL = -1, -2
_CHARACTER_REFERENCES = "sitewright.character-references"


class Resolver:
    """Finds the absolute addresses of the links in pages with this base and this encoding."""

    def __init__(self, base: str, encoding: str = "utf-8") -> None:
        self.base = base
        self._encoding = encoding
        self._prefixes = _prefixes(base.partition("?")[0].rpartition("/")[0])

    def __call__(self, written: str) -> str | None:
        """The address that a link leads to, without fragment.

        None where no page can be there: a place in the same page, `javascript:`, `mailto:`,
        `data:`, `tel:` and every other scheme, and addresses that are broken.
        """
        place, rest = _form(written)
        prefixes = self._prefixes
        if place >= 0 and prefixes:
            # Nearly all links of a site are plain, and the general way costs ten times more.
            return (prefixes[place] if place < len(prefixes) else prefixes[-1]) + rest
        return None if place == _NOWHERE else self._general(written)

    def _general(self, written: str) -> str | None:
        address = _STRAY.sub("", written.partition("#")[0].strip(_WHITE_SPACE)).replace("\\", "/")
        if not 0 < len(address) <= MAX_ADDRESS or _NO_HOST.match(address):
            return None
        try:
            url = urljoin(self.base, address)
            parts = urlsplit(url)
            parts.port  # noqa: B018 - reading it is the check
        except ValueError:
            return None
        if not _leads_to_a_page(self.base, parts):
            return None
        if _UNSAFE.search(url):
            host = _with_ascii_host(parts.netloc)
            query = _escaped_query(parts.query, self._encoding)
            whole = parts._replace(netloc=host, query=query).geturl()
            url = quote(whole, safe=_SAFE, errors="replace")
        return url if len(url) <= MAX_ADDRESS else None


def page_resolver(url: str, base: str | None, encoding: str) -> Resolver:
    """The resolver for the links of a page at `url`, with what its `<base>` says, if it has one.

    The base itself is written in the page's encoding, too.
    """
    own = Resolver(url, encoding)
    resolved = own(base) if base else None
    is_usable = resolved is not None and len(resolved) <= MAX_ADDRESS // 2
    return Resolver(resolved, encoding) if resolved and is_usable else own


@lru_cache(maxsize=65536)
def _form(written: str) -> tuple[int, str]:
    """Which prefix a plain address is set behind, and what is set there; pages repeat their links.

    `_NOWHERE` for a place in the same page, `_GENERAL` for what is not plain.
    """
    if written.startswith("#"):
        return _NOWHERE, ""
    plain = _PLAIN.fullmatch(written) if len(written) <= MAX_ADDRESS // 2 else None
    if plain is None:
        return _GENERAL, ""
    host, root, up, path = plain.groups()
    if root:
        return (_ANYWHERE, f"{host}/{path}") if host else (_ROOT, path)
    if not up and path[:1] in {"", "?"}:
        # A query alone is added to the page's own address.
        return _GENERAL, ""
    return _FOLDER + len(up) // 3, path


@lru_cache(maxsize=1024)
def _prefixes(folder: str) -> tuple[str, ...]:
    """What plain addresses are set behind: nothing, the root, the folder, the one above it, ...

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
    above = (root + "/".join(names[:end]) + "/" for end in range(len(names), 0, -1))
    return "", root + "/", *above


def host_of(address: str) -> str:
    """The host and port of an address; empty if it names none."""
    try:
        return urlsplit(address).netloc
    except ValueError:  # brackets that are no IPv6 address
        return ""


def _with_ascii_host(netloc: str) -> str:
    """The host as name servers know it; one that cannot be spelled so is left to be escaped."""
    user, at, rest = netloc.rpartition("@")
    host, colon, port = rest.partition(":")
    if host.isascii() or len(host) > _MAX_HOST:
        return netloc
    import idna  # noqa: PLC0415 - few pages have such hosts, and its tables take a while to load

    try:
        name = idna.encode(host, uts46=True).decode("ascii")
    except UnicodeError:
        return netloc
    return f"{user}{at}{name}{colon}{port}"


def _escaped_query(query: str, encoding: str) -> str:
    """A query goes to the server in the encoding of its page, unlike the rest of an address."""
    if query.isascii() or encoding.lower().startswith("utf-"):
        return query
    try:
        return quote(query, safe=_SAFE, encoding=encoding, errors=_CHARACTER_REFERENCES)
    except (LookupError, UnicodeError):  # the web has encodings that Python lacks
        return query


def _references(error: UnicodeError) -> tuple[str, int]:
    """What browsers send for characters that the encoding of a page lacks: `&#26085;`, escaped."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(f"%26%23{ord(character)}%3B" for character in missing), error.end


codecs.register_error(_CHARACTER_REFERENCES, _references)


def _leads_to_a_page(base: str, parts: SplitResult) -> bool:
    if parts.scheme in {"http", "https"}:
        return bool(parts.hostname)
    # A page in a file may lead to other files; a page of the web never does.
    return parts.scheme == "file" and base.startswith("file:") and not parts.netloc
