"""What opens a door: headers, cookies, a user's name and password, a proxy.

They go to the host that the user named, on its own scheme, and nowhere else; they are in no file
that we write, and in no log.
"""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass, field
from http.cookiejar import LoadError, MozillaCookieJar
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import Request as CookieRequest

from sitewright.errors import InputNotFound, InvalidInput, UnreadableInput
from sitewright.page.url import canonical, parts

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator


_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_COOKIE = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+=[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*")
_OURS = frozenset({"host", "content-length", "transfer-encoding", "connection", "accept-encoding"})
"""Headers that belong to the connection: a wrong one would break it."""
NEVER_KEPT = frozenset({"set-cookie", "set-cookie2", "authorization", "proxy-authenticate"})
"""Headers of answers that are left out of the archive where a door was opened for them."""


@dataclass(frozen=True, slots=True, repr=False)
class Credentials:
    """What is sent along to the site's own host."""

    headers: tuple[tuple[str, str], ...] = ()
    cookies: tuple[str, ...] = ()
    """As `name=value`."""
    cookies_file: str | os.PathLike[str] | None = None
    """In the format of Netscape and curl, as browser extensions export it."""
    auth: str | None = None
    """`user:password`, for HTTP's basic authentication."""
    proxy: str | None = None
    """The URL of a proxy, with user and password if it wants them."""
    _jar: MozillaCookieJar | None = field(default=None, init=False, compare=False)

    def __post_init__(self) -> None:
        for name, value in self.headers:
            _check_header(name, value)
        for cookie in self.cookies:
            if not _COOKIE.fullmatch(cookie):
                name = cookie.partition("=")[0][:40]
                raise InvalidInput(f"cookie {name!r}", "must be name=value, without spaces")
        if self.auth is not None and (":" not in self.auth or not _VALUE.fullmatch(self.auth)):
            raise InvalidInput("auth", "must be USER:PASSWORD")
        if self.proxy is not None:
            _check_proxy(self.proxy)
        if self.cookies_file is not None:
            object.__setattr__(self, "_jar", _cookie_jar(Path(self.cookies_file)))

    def __repr__(self) -> str:
        """Nothing of it: a log might show it."""
        return "Credentials(...)" if self else "Credentials()"

    def __bool__(self) -> bool:
        """Whether anything is sent to the site that nobody else would send."""
        return bool(self.headers or self.cookies or self.cookies_file or self.auth)

    def for_url(self, url: str, start: str) -> dict[str, str]:
        """The headers that go with a request, for a site that starts at `start`."""
        if not self or not _is_own(url, start):
            return {}
        found = dict(self.headers)
        if self.auth is not None:
            found["Authorization"] = "Basic " + b64encode(self.auth.encode()).decode()
        if cookies := "; ".join((*self.cookies, *self._cookies_for(url))):
            found["Cookie"] = cookies
        return found

    def names(self) -> frozenset[str]:
        """The names of all headers that any request may get."""
        return frozenset({*(name for name, _ in self.headers), "Authorization", "Cookie"})

    def _cookies_for(self, url: str) -> Iterator[str]:
        if self._jar is not None:
            request = CookieRequest(url)  # noqa: S310 - nothing is opened: the jar looks at it
            self._jar.add_cookie_header(request)
            yield from filter(None, [request.get_header("Cookie")])


def parse_header(text: str) -> tuple[str, str]:
    """Read `Name: value`, as curl writes headers."""
    name, colon, value = text.partition(":")
    if not colon:
        raise InvalidInput(f"header {name[:40]!r}", "must be `Name: value`")
    return name.strip(), value.strip()


def without_secrets(url: str) -> str:
    """A URL whose user and password are left out."""
    scheme, mark, rest = url.partition("://")
    authority, slash, path = rest.partition("/")
    return f"{scheme}{mark}{authority.rpartition('@')[2]}{slash}{path}" if mark else url


def _is_own(url: str, start: str) -> bool:
    """Whether a request goes to the host that the user named, and no less safely."""
    split, home = parts(canonical(url) or url), parts(start)
    is_host = split.host.removeprefix("www.") == home.host.removeprefix("www.")
    is_safe = split.scheme == "https" or home.scheme == "http"
    is_port = split.port == home.port or (split.port is None and home.port is None)
    return is_host and is_safe and is_port


def _check_header(name: str, value: str) -> None:
    if not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
        raise InvalidInput(f"header {name[:40]!r}", "must be `Name: value`, on one line")
    if name.lower() in _OURS:
        raise InvalidInput(f"header {name}", "belongs to the connection, and is ours")


def _check_proxy(proxy: str) -> None:
    try:
        split = urlsplit(proxy)
        is_good = split.scheme in {"http", "https"} and bool(split.hostname)
        split.port  # noqa: B018 - reading it is the check
    except ValueError:
        is_good = False
    if not is_good:
        raise InvalidInput("proxy", "must be the http or https URL of a proxy")


def _cookie_jar(path: Path) -> MozillaCookieJar:
    jar = MozillaCookieJar(path)
    try:
        jar.load(ignore_discard=True, ignore_expires=True)
    except FileNotFoundError:
        raise InputNotFound(str(path)) from None
    except (LoadError, ValueError) as error:
        why = "not a cookies file: expected the lines that curl and browser extensions write"
        raise UnreadableInput(str(path), why) from error
    except OSError as error:
        raise UnreadableInput(str(path), error.strerror or "cannot be read") from None
    for cookie in jar:
        if cookie.expires == 0:  # curl's sign for one that lasts as long as the session
            cookie.expires = None
    jar.clear_expired_cookies()
    return jar
