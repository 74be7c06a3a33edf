"""The gate: what may be asked of the network at all, checked for every single request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from yarl import URL

from sitewright.site.base import Reason
from sitewright.site.scope import Scope, ScopeKind
from sitewright.site.url import Parts, canonical, is_private_host, parts
from sitewright.site.web.traps import misshapen

if TYPE_CHECKING:
    from collections.abc import Sequence

_PORTS = {"http": 80, "https": 443}


class Refused(Exception):
    """A request that is not made, or given up, and why."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Gate:
    """Knows the user's scope; `check` raises `Refused` for a URL that must not be asked."""

    scope: Scope
    allow_private: bool
    max_redirects: int

    def check(self, url: str, hops: Sequence[str] = ()) -> None:
        """Refuse a URL outside the scope; `hops` are the URLs whose redirects led to it."""
        self._check(self.scope, url, hops)

    def check_robots(self, url: str, hops: Sequence[str] = ()) -> None:
        """Refuse a robots.txt of another host; it need not lie under a path prefix."""
        scope = self.scope
        if scope.kind is ScopeKind.PREFIX:
            scope = Scope(scope.start, ScopeKind.HOST)
        self._check(scope, url, hops)

    def _check(self, scope: Scope, url: str, hops: Sequence[str]) -> None:
        if url in hops:
            raise Refused(Reason.BAD_REDIRECT, "goes round in circles")
        if len(hops) > self.max_redirects:
            raise Refused(Reason.BAD_REDIRECT, f"more than {self.max_redirects} in a row")
        refusal = self._refusal(scope, url)
        if refusal is None:
            return
        reason, why = refusal
        if not hops:
            raise Refused(reason, why)
        if reason is Reason.OUT_OF_SCOPE:
            reason = Reason.BAD_REDIRECT
        raise Refused(reason, f"to {url[:200]}: {why}")

    def _refusal(self, scope: Scope, url: str) -> tuple[Reason, str] | None:
        address = canonical(url)
        if address is None:
            return Reason.OUT_OF_SCOPE, "not an http or https URL"
        split = parts(address)
        if not self.allow_private and is_private_host(split.host):
            return Reason.PRIVATE_ADDRESS, split.host
        if not scope.contains(address):
            return Reason.OUT_OF_SCOPE, f"not in the {scope.kind} of {scope.start}"
        if not _client_agrees(url, split):
            return Reason.OUT_OF_SCOPE, "a URL that can be read in two ways"
        if (why := misshapen(address)) is not None:
            return Reason.TRAP, why
        return None


def _client_agrees(url: str, split: Parts) -> bool:
    """Say whether the HTTP client would connect where the check thinks that it does.

    A redirect is followed as it was written; if the client read another host or port out of it
    than `canonical` does, that would be a way around the gate.
    """
    try:
        read = URL(url, encoded=True)
        host, port = read.raw_host, read.port
    except ValueError:
        return False
    wanted_port = split.port or _PORTS[split.scheme]
    return (host or "").lower().rstrip(".") == split.host.strip("[]") and port == wanted_port
