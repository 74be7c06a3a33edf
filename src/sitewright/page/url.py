"""URLs: the normal form that tells whether two of them name one page.

`canonical` is at once the identity of a page and the URL that is fetched. It follows the URL
standard of browsers where that is defined, and goes further where sites write one page in many
ways: marks that track visitors, and session identifiers.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from sitewright.page.host import canonical_host

MAX_LENGTH = 8192
INDEX_NAMES = tuple(
    f"{stem}.{ending}"
    for stem in ("index", "default", "Default")
    for ending in ("html", "htm", "xhtml", "shtml", "php", "asp", "aspx", "jsp")
)
"""What servers answer with for the URL of a folder, the likeliest first."""
_INDEX_NAMES = frozenset(name.lower() for name in INDEX_NAMES)

# What needs no work, which is most links: a plain named host, a path without escapes, dot segments
# or parameters, no query. What matches is its own normal form, up to the fragment.
_PLAIN = re.compile(
    r"(https?://(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,63}"
    r"/(?:(?!\.)[A-Za-z0-9\-._~!$&'()*+,=:@]*/)*(?!\.)[A-Za-z0-9\-._~!$&'()*+,=:@]*)(?:#.*)?",
    re.DOTALL,
)
_PLAIN_LENGTH = 250  # the longest host allowed is a little longer

_WEB = re.compile(r"(https?)://([^/?#]*)([^?#]*)(?:\?([^#]*))?", re.IGNORECASE)
_AUTHORITY = re.compile(r"(\[[^\[\]@]*\]|[^:@\[\]]*)(?::([0-9]*))?")
_CANONICAL = re.compile(r"(https?)://(\[[^\]]*\]|[^:/]*)(?::([0-9]+))?(/[^?]*)(?:\?(.*))?")
_DEFAULT_PORTS = {"http": 80, "https": 443}

_ENDS = "".join(map(chr, range(0x21)))  # what browsers strip from both ends of a URL
_DROPPED = dict.fromkeys(map(ord, "\t\n\r"))  # ... and from anywhere in it
_SURROGATE = re.compile("[\ud800-\udfff]")

_UNRESERVED = "A-Za-z0-9\\-._~"
_ESCAPE_OR_UNSAFE = re.compile(
    f"%([0-9A-Fa-f]{{2}})|([^{_UNRESERVED}!$&'()*+,;=:@/?])".encode(),
)
_UNRESERVED_BYTES = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

_SESSION_SEGMENT = re.compile(r";(?:jsessionid|phpsessid|sessionid)=[^/;]*", re.IGNORECASE)
_SESSION_NAMES = (
    r"aspsessionid[^=]*|phpsessid|jsessionid|sessionid|session_id|asp\.net_sessionid"
    r"|cfid|cftoken|oscsid|zenid"
)
_MARK = re.compile(
    r"utm_.*|pk_.*|mtm_.*|piwik_.*|hsa_.*"
    r"|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|ysclid|twclid|ttclid|li_fat_id"
    r"|igshid|igsh|epik|srsltid|mc_cid|mc_eid|mkt_tok|_ga|_gl|_hsenc|_hsmi|__hssc|__hstc|__hsfp"
    r"|replytocom|vero_id|vero_conv|oly_anon_id|oly_enc_id|rb_clickid|s_kwcid|wickedid|ml_subscriber_hash"
    rf"|{_SESSION_NAMES}",
    re.IGNORECASE,
)
_SESSION_NAME = re.compile(_SESSION_NAMES, re.IGNORECASE)
_SESSION = re.compile(rf"[?&;](?:{_SESSION_NAMES}|sid|sess|session|s)=", re.IGNORECASE)
"""Where a URL may have the identifier of a session; hardly any has."""
# Short names that also serve as ordinary ones (`sid`: story, `s`: search) are session identifiers
# only where the value is long and random enough to be nothing else.
_SHORT_NAME = re.compile(r"sid|sess|session|s", re.IGNORECASE)
_TOKEN = re.compile(r"(?=[^=]*[0-9])(?=[^=]*[A-Za-z])[A-Za-z0-9]{24,}")


class UrlParts(NamedTuple):
    """A canonical URL, taken apart; the port is None where it is the scheme's own."""

    scheme: str
    host: str
    port: int | None
    path: str
    query: str | None


@lru_cache(maxsize=1024)
def parts(url: str) -> UrlParts:
    """Take a canonical URL apart; any other text is a ValueError."""
    match = _CANONICAL.fullmatch(url)
    if match is None:
        raise ValueError(f"not a canonical URL: {url!r}")
    scheme, host, port, path, query = match.groups()
    return UrlParts(scheme, host, int(port) if port else None, path, query)


def canonical(url: str) -> str | None:
    """Give the normal form of a page's URL; None if it is none, or not http or https.

    - Scheme and host in lower case (see `canonical_host`), default port and fragment dropped.
    - User info dropped: the page is the same, and passwords must not end up in output files.
    - Percent-encoding: unreserved characters decoded, unsafe ones encoded, in upper-case hex; then
      dot segments are resolved, encoded ones too. Backslashes are slashes, as in browsers.
    - Tracking marks and session identifiers removed, from the query and the path.
    - `name=value` parameters sorted by name, the order of equal names kept: shops list the same
      choice in any order, and servers read it in any order. A query of another form keeps its own.
    """
    plain = _PLAIN.fullmatch(url) if len(url) <= _PLAIN_LENGTH else None
    if plain is not None:
        return plain[1]
    return _canonical(url) if len(url) <= MAX_LENGTH else None


@lru_cache(maxsize=1024)
def _canonical(url: str) -> str | None:
    """The normal form of any URL; kept, since a crawl asks ten times for each page's."""
    match = _WEB.match(_cleaned(url))
    if match is None:
        return None
    scheme = match[1].lower()
    authority = _canonical_authority(scheme, match[2])
    if authority is None:
        return None
    query = _canonical_query(match[4]) if match[4] else ""
    result = f"{scheme}://{authority}{_canonical_path(match[3])}{query}"
    return result if len(result) <= MAX_LENGTH else None


def folder_url(url: str) -> str:
    """The URL of the folder that an index page stands for, any other as it is.

    Sites link to `news/` and to `news/index.html`, and both are one page.
    """
    return url[: url.rindex("/") + 1] if is_index_page(url) else url


def folder_pattern(url: str) -> str:
    """Where a URL stands: its first folder, and how many follow: `/shop/*/`."""
    folders = url.partition("?")[0].split("/")[3:-1]
    return f"/{folders[0]}/" + "*/" * (len(folders) - 1) if folders else "/"


def is_index_page(url: str) -> bool:
    """Whether a URL names the page that stands for its folder."""
    # Asked of every link: an expression without case takes seven times as long.
    _before, slash, name = url.rpartition("/")
    return bool(slash) and name.lower() in _INDEX_NAMES


FILE_ENDINGS = frozenset(
    "css js mjs map json xml rss atom txt md csv tsv pdf ps doc docx xls xlsx ppt pptx odt ods odp "
    "rtf epub png jpg jpeg gif webp avif svg ico bmp tif tiff mp3 mp4 m4a m4v ogg ogv wav flac "
    "webm avi mov mkv swf woff woff2 ttf otf eot zip gz tgz bz2 xz zst 7z rar tar jar exe msi dmg "
    "iso bin wasm deb rpm asc sha256 sha512 sig py c h java rs go sh yaml yml toml ini sql".split()
)
"""How the names of files end that are hardly ever pages."""


def file_ending(url: str) -> str:
    """The ending of the name in a URL, if it is one that hardly ever pages have; else empty."""
    name = url.partition("#")[0].partition("?")[0].rpartition("/")[2]
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    return ending if ending in FILE_ENDINGS else ""


def _cleaned(url: str) -> str:
    """Drop what browsers drop from a URL, and turn the backslashes before its query."""
    text = _SURROGATE.sub("\ufffd", url.strip(_ENDS).translate(_DROPPED))
    if "\\" not in text:
        return text
    end = min(where for where in (text.find("?"), text.find("#"), len(text)) if where >= 0)
    return text[:end].replace("\\", "/") + text[end:]


@lru_cache(maxsize=8192)
def _canonical_authority(scheme: str, authority: str) -> str | None:
    """Give host and port; user info (up to the last @, as browsers read it) is left out."""
    match = _AUTHORITY.fullmatch(authority.rpartition("@")[2])
    host = canonical_host(match[1]) if match and match[1] else None
    if match is None or host is None:
        return None
    if not match[2]:
        return host
    port = int(match[2][-6:]) if match[2][:-6].strip("0") == "" else 0
    if not 0 < port <= 65535:
        return None
    return host if port == _DEFAULT_PORTS[scheme] else f"{host}:{port}"


def _canonical_path(path: str) -> str:
    path = _encoded(path)
    if ";" in path:
        path = _SESSION_SEGMENT.sub("", path)
    return remove_dot_segments(path) or "/"


def remove_dot_segments(path: str) -> str:
    """Resolve `.` and `..` (RFC 3986, 5.2.4); the root is its own parent."""
    if "/." not in path:
        return path
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in {".", ".."}:
        kept.append("")
    return "/" + "/".join(kept)


def _canonical_query(query: str) -> str:
    """Give the query with its question mark, or nothing where nothing is left of it."""
    kept = [part for part in _encoded(query).split("&") if part and not _is_mark(part)]
    if len(kept) > 1 and all("=" in part for part in kept):
        kept.sort(key=_parameter_name)
    return "?" + "&".join(kept) if kept else ""


def _parameter_name(part: str) -> str:
    return part.partition("=")[0]


def _is_mark(part: str) -> bool:
    """Say whether a query parameter says who comes, or from where, and not which page is meant."""
    name, _, value = part.partition("=")
    if _MARK.fullmatch(name):
        return True
    return bool(_SHORT_NAME.fullmatch(name) and _TOKEN.fullmatch(value))


def _encoded(text: str) -> str:
    """Bring percent-encoding into its normal form; a lone `%` stands for itself."""
    return _ESCAPE_OR_UNSAFE.sub(_escape, text.encode()).decode("ascii")


def _escape(match: re.Match[bytes]) -> bytes:
    if match[1] is None:
        return b"%%%02X" % ord(match[2])
    value = int(match[1], 16)
    return bytes([value]) if value in _UNRESERVED_BYTES else b"%" + match[1].upper()


# From what is written in a link to the absolute URL that a browser would go to.

MAX_URL_LENGTH = 8192
"""Longer URLs are broken: servers refuse them, and a long base would multiply in memory."""

_MAX_HOST = 253
_STRAY = re.compile(r"[\t\n\r]")
_PLAIN_LINK = re.compile(
    r"(?:(?P<host>https?://[a-z\d]+(?:[.-][a-z\d]+)*)?(?P<root>/)|(?P<up>(?:\.\./)*))"
    r"(?P<path>(?:[\w~%-]+(?:[./][\w~%-]+)*/?)?(?:\?[\w~%./&=+;,:-]+)?)(?:#.*)?",
    re.ASCII,
)
"""A URL that only has to be set behind a host, or behind a folder some steps up."""
_NO_HOST = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//(?:/|$)", re.IGNORECASE)
_UNSAFE = re.compile(r"[^!#$%&-;=?-Z\[\]_a-z~]")
_SAFE = "!#$%&'()*+,/:;=?@[]~"
_WHITE_SPACE = " \t\n\r\f"
_ANYWHERE, _ROOT, _FOLDER = range(3)
_NOWHERE, _GENERAL = -1, -2
_CHARACTER_REFERENCES = "sitewright.character-references"


class Resolver:
    """Finds the absolute URLs of the links in pages with this base and this encoding."""

    def __init__(self, base: str, encoding: str = "utf-8") -> None:
        self.base = base
        self._encoding = encoding
        self._prefixes = _prefixes(base.partition("?")[0].rpartition("/")[0])

    def __call__(self, written: str) -> str | None:
        """The URL that a link leads to, without fragment.

        None where no page can be there: a place in the same page, `javascript:`, `mailto:`,
        `data:`, `tel:` and every other scheme, and URLs that are broken.
        """
        place, rest = _form(written)
        prefixes = self._prefixes
        if place >= 0 and prefixes:
            # Nearly all links of a site are plain, and the general algorithm costs ten times more.
            return (prefixes[place] if place < len(prefixes) else prefixes[-1]) + rest
        return None if place == _NOWHERE else self._general(written)

    def address(self, written: str) -> str:
        """The URL as a table has it, or what is written: without a session of its own site.

        A shop that puts one into every link would have new values on every visit.
        """
        url = self(written) or written
        if _SESSION.search(url) is None or host_of(url) != host_of(self.base):
            return url
        before, mark, query = url.partition("?")
        kept = [one for one in query.split("&") if not _is_session(one)]
        return _SESSION_SEGMENT.sub("", before) + (mark + "&".join(kept) if any(kept) else "")

    def _general(self, written: str) -> str | None:
        text = _STRAY.sub("", written.partition("#")[0].strip(_WHITE_SPACE)).replace("\\", "/")
        if not 0 < len(text) <= MAX_URL_LENGTH or _NO_HOST.match(text):
            return None
        try:
            url = urljoin(self.base, text)
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
        return url if len(url) <= MAX_URL_LENGTH else None


def _is_session(part: str) -> bool:
    """Say whether a query parameter is the identifier of a session."""
    name, _, value = part.partition("=")
    is_short = _SHORT_NAME.fullmatch(name) and _TOKEN.fullmatch(value)
    return bool(is_short or _SESSION_NAME.fullmatch(name))


def page_resolver(url: str, base: str | None, encoding: str) -> Resolver:
    """The resolver for the links of a page at `url`, with what its `<base>` says, if it has one.

    The base itself is written in the page's encoding, too.
    """
    own = Resolver(url, encoding)
    resolved = own(base) if base else None
    is_usable = resolved is not None and len(resolved) <= MAX_URL_LENGTH // 2
    return Resolver(resolved, encoding) if resolved and is_usable else own


@lru_cache(maxsize=65536)
def _form(written: str) -> tuple[int, str]:
    """Which prefix a plain URL is set behind, and what is set there; pages repeat their links.

    `_NOWHERE` for a place in the same page, `_GENERAL` for what is not plain.
    """
    if written.startswith("#"):
        return _NOWHERE, ""
    plain = _PLAIN_LINK.fullmatch(written) if len(written) <= MAX_URL_LENGTH // 2 else None
    if plain is None:
        return _GENERAL, ""
    host, root, up, path = plain.groups()
    if root:
        return (_ANYWHERE, f"{host}/{path}") if host else (_ROOT, path)
    if not up and path[:1] in {"", "?"}:
        # A query alone is added to the page's own URL.
        return _GENERAL, ""
    return _FOLDER + len(up) // 3, path


@lru_cache(maxsize=1024)
def _prefixes(folder: str) -> tuple[str, ...]:
    """What plain URLs are set behind: nothing, the root, the folder, the one above it, ...

    Empty where setting a URL behind a folder would not be enough.
    """
    if _UNSAFE.search(folder) or "/." in folder or len(folder) > MAX_URL_LENGTH // 2:
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


def split_url(url: str) -> SplitResult:
    """`urlsplit` of a URL that may be from a file: what cannot be taken apart is all path."""
    try:
        return urlsplit(url)
    except ValueError:  # brackets that are no IPv6 address
        return SplitResult("", "", url, "", "")


def host_of(url: str) -> str:
    """The host and port of a URL; empty if it names none."""
    return split_url(url).netloc


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
    """A query goes to the server in the encoding of its page, unlike the rest of a URL."""
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
