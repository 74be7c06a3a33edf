"""Which URLs belong to a site: the bounds that its user set."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from sitewright.choices import Choice
from sitewright.errors import InvalidURL
from sitewright.page.host import registered_domain
from sitewright.page.url import UrlParts, canonical, parts, remove_dot_segments

_FILE_NAME = re.compile(r"[^/]*\.[A-Za-z][A-Za-z0-9]{0,5}")
_DOTS_WITH_PARAMETER = re.compile(r"(/\.{1,2});[^/]*")


class ScopeKind(Choice):
    """How far a site reaches from its start URL."""

    HOST = "host"
    """The same host and port."""
    DOMAIN = "domain"
    """Every host of the same registered domain."""
    PREFIX = "prefix"
    """The same host and port, and the folder of the start URL."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The bounds of a site: everything that `kind` says belongs to the start URL.

    http and https are one, and so are a host with and without `www.`: sites answer on all of
    them, and link to them without care. A host without a registered domain (an IP address, an
    intranet name) is a domain of its own.
    """

    start: str
    kind: ScopeKind = ScopeKind.HOST
    _origin: tuple[str, int | None] = field(init=False, repr=False, compare=False)
    _domain: str = field(init=False, repr=False, compare=False)
    _folders: tuple[str, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", ScopeKind(self.kind))
        start = canonical(self.start)
        if start is None:
            raise InvalidURL(self.start, "not an http or https URL")
        split = parts(start)
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "_origin", _origin(split))
        is_domain = self.kind is ScopeKind.DOMAIN  # the list of public suffixes takes long to load
        object.__setattr__(self, "_domain", _domain(split.host) if is_domain else "")
        object.__setattr__(self, "_folders", _readings(_folder(split.path)))

    @property
    def folder(self) -> str:
        """The path of the start URL's folder, from slash to slash."""
        return self._folders[0]

    def contains(self, url: str) -> bool:
        """Say whether a URL lies within the bounds."""
        canonical_url = canonical(url)
        return canonical_url is not None and self.contains_parts(parts(canonical_url))

    def contains_parts(self, split: UrlParts) -> bool:
        """Say the same of a canonical URL that has been taken apart."""
        if self.kind is ScopeKind.DOMAIN:
            # A link to another port of the domain would let any page probe its services.
            return split.port in {None, self._origin[1]} and _domain(split.host) == self._domain
        if _origin(split) != self._origin:
            return False
        return self.kind is ScopeKind.HOST or self._folder_contains(split.path)

    def _folder_contains(self, path: str) -> bool:
        """Compare whole segments, in the path as written and as a careless server may decode it."""
        if self._folders[0] == "/":
            return True
        readings = zip(_readings(path), self._folders, strict=True)
        return all(f"{reading}/".startswith(folder) for reading, folder in readings)


def _origin(split: UrlParts) -> tuple[str, int | None]:
    return split.host.removeprefix("www."), split.port


def _domain(host: str) -> str:
    return registered_domain(host) or host


def _folder(path: str) -> str:
    """Give the folder of a start path, with its final slash.

    A last segment that does not look like a file name is the folder itself: who starts at `/docs`
    means `/docs` and what lies under it.
    """
    parent, _, name = path.rpartition("/")
    return f"{parent}/" if not name or _FILE_NAME.fullmatch(name) else f"{path}/"


def _readings(path: str) -> tuple[str, str]:
    """Give a path as written, and as a server reads it that decodes too much or too often."""
    return path, _decoded_to_rest(path)


def _decoded_to_rest(path: str) -> str:
    """Resolve `/docs/%252e%252e/`, `/docs%2f..`, `/docs/..;x/` until nothing changes.

    Nobody escapes a path so often in good faith: one that does not come to rest is the root.
    """
    for _ in range(8):
        decoded = _DOTS_WITH_PARAMETER.sub(r"\1", unquote(path).replace("\\", "/"))
        resolved = remove_dot_segments(decoded)
        if resolved == path:
            return path
        path = resolved
    return "/"
