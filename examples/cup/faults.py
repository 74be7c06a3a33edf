"""What goes wrong on real web sites, on purpose and the same way every time.

Two kinds. *Rates* spoil a share of a folder's pages; which ones depends only on the seed and the
path. *Fault paths*, all under ``/_faults/``, do one thing each; ``/_faults/`` lists them.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PREFIX = "/_faults/"
HTML = "text/html"


@dataclass(frozen=True, slots=True)
class Faults:
    """What the server does wrong: nothing, unless told."""

    paths: bool = False
    """Answer under ``/_faults/``."""
    seed: int = 0
    slow: float = 0.0
    """The share of pages that take `delay` seconds."""
    delay: float = 1.0
    errors: float = 0.0
    """The share of pages that answer 500 for the first `heals_after` times."""
    busy: float = 0.0
    """The share of pages that answer 429 for the first `heals_after` times."""
    heals_after: int = 1
    retry_after: str = "1"
    truncated: float = 0.0
    """The share of pages whose connection breaks half way, every time."""
    gzip: bool = False
    """Compress every page for clients that take gzip."""
    charset: str = ""
    """The charset that every page claims to have."""
    robots: str = ""
    """The robots.txt, instead of the folder's own."""

    def hits(self, fault: str, path: str, rate: float) -> bool:
        """Say whether a fault of this rate strikes this path."""
        if rate <= 0.0:
            return False
        digest = hashlib.sha256(f"{self.seed}:{fault}:{path}".encode()).digest()
        return int.from_bytes(digest[:8]) / 2**64 < rate


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server sends."""

    body: bytes = b""
    status: int = 200
    type: str = HTML
    headers: dict[str, str] = field(default_factory=dict)
    length: int | None = None
    """The Content-Length to claim, where it is not the body's."""
    stream: Iterator[bytes] | None = None
    """The body in pieces, without a length; it may have no end."""
    wait: float = 0.0


@dataclass(frozen=True, slots=True)
class Ask:
    """What was asked of a fault path: what follows the fault's name, and how often so far."""

    rest: str
    query: str
    times: int

    def number(self, name: str, default: float) -> float:
        """Read a number from the query."""
        try:
            return float(parse_qs(self.query)[name][0])
        except (KeyError, ValueError):
            return default

    def text(self, name: str, default: str = "") -> str:
        """Read a text from the query."""
        return parse_qs(self.query, keep_blank_values=True).get(name, [default])[0]


def page(title: str, *links: str) -> bytes:
    """Write a small page with these links."""
    items = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    text = f"<!DOCTYPE html><title>{title}</title><h1>{title}</h1><ul>{items}</ul>"
    return text.encode()


def spoiled(answer: Answer, path: str, times: int, faults: Faults) -> Answer:
    """Give a page of the folder as the rates of `faults` leave it."""
    early = times <= faults.heals_after
    if early and faults.hits("errors", path, faults.errors):
        return Answer(page("Internal error"), status=500)
    if early and faults.hits("busy", path, faults.busy):
        return _busy_answer(429, faults.retry_after)
    if faults.hits("truncated", path, faults.truncated):
        return _cut(answer.body)
    wait = faults.delay if faults.hits("slow", path, faults.slow) else 0.0
    kind = f"{answer.type}; charset={faults.charset}" if faults.charset else answer.type
    return Answer(answer.body, answer.status, kind, answer.headers, wait=wait)


def fault_answer(path: str, query: str, times: int) -> Answer | None:
    """Answer a path under ``/_faults/``; None where there is no such fault."""
    name, _, rest = path.removeprefix(PREFIX).partition("/")
    if not name:
        return Answer(page("Faults", *(PREFIX + link for _, link in FAULTS.values())))
    if name not in FAULTS:
        return None
    fault, _ = FAULTS[name]
    return fault(Ask(rest, query, times))


def _slow(ask: Ask) -> Answer:
    return Answer(page("Slow"), wait=ask.number("seconds", 1.0))


def _error(ask: Ask) -> Answer:
    return Answer(page("Error"), status=int(ask.rest or 500))


def _heals(ask: Ask) -> Answer:
    failing = ask.times <= ask.number("after", 1)
    return Answer(page("Broken"), status=500) if failing else Answer(page("Healed"))


def _busy(ask: Ask) -> Answer:
    if ask.times > ask.number("after", 1):
        return Answer(page("At last"))
    return _busy_answer(int(ask.rest or 429), ask.text("retry", "1"))


def _busy_answer(status: int, retry_after: str) -> Answer:
    headers = {"Retry-After": retry_after} if retry_after else {}
    return Answer(page("Too many requests"), status=status, headers=headers)


def _redirect(ask: Ask) -> Answer:
    return _to(ask.text("to", "/"))


def _to(location: str, status: int = 302) -> Answer:
    return Answer(page("Moved"), status=status, headers={"Location": location})


def _loop(ask: Ask) -> Answer:
    return _to(f"{PREFIX}loop/{'b' if ask.rest == 'a' else 'a'}")


def _chain(ask: Ask) -> Answer:
    left = int(ask.rest or 0)
    return _to(f"{PREFIX}chain/{left - 1}", 301) if left else Answer(page("End of the chain"))


def _truncated(_: Ask) -> Answer:
    return _cut(page("Cut short") * 20)


def _cut(body: bytes) -> Answer:
    return Answer(body[: len(body) // 2], length=len(body))


def _type(ask: Ask) -> Answer:
    return Answer(page("Typed"), type=ask.rest)


def _large(ask: Ask) -> Answer:
    size = int(ask.number("bytes", 1 << 20))
    return Answer(page("Large").ljust(size), type=ask.rest or HTML)


def _endless(ask: Ask) -> Answer:
    return Answer(type=ask.rest or HTML, stream=iter(lambda: b"<p>and on</p>" * 500, b""))


def _calendar(ask: Ask) -> Answer:
    year, month = int(ask.number("year", 2024)), int(ask.number("month", 1))
    days = 12 * year + month - 1
    links = [
        f"{PREFIX}calendar?month={when % 12 + 1}&year={when // 12}" for when in (days - 1, days + 1)
    ]
    return Answer(page(f"{year}-{month:02}", *links))


def _grow(ask: Ask) -> Answer:
    here = f"{PREFIX}grow/{ask.rest}".rstrip("/")
    return Answer(page("Deeper", f"{here}/more", f"{here}/and/more"))


def _session(ask: Ask) -> Answer:
    token = hashlib.sha256(f"{ask.rest}?{ask.query}#{ask.times}".encode()).hexdigest()[:32]
    links = [f"{PREFIX}session/{name}?PHPSESSID={token}" for name in ("a", "b", "c")]
    return Answer(page(f"Session {ask.rest}", *links))


def _gzip(_: Ask) -> Answer:
    body = gzip.compress(page("Packed"), mtime=0)
    return Answer(body, headers={"Content-Encoding": "gzip"})


def _bomb(ask: Ask) -> Answer:
    body = gzip.compress(bytes(int(ask.number("bytes", 1 << 24))), mtime=0)
    return Answer(body, headers={"Content-Encoding": "gzip"})


def _badgzip(_: Ask) -> Answer:
    return Answer(b"this is not gzip", headers={"Content-Encoding": "gzip"})


def _charset(ask: Ask) -> Answer:
    body = "<!DOCTYPE html><meta charset=utf-8><title>Zürich</title><p>Größe".encode()
    return Answer(body, type=f"{HTML}; charset={ask.rest or 'koi8-r'}")


def _untyped(ask: Ask) -> Answer:
    return Answer(b"\x89PNG\r\n\x1a\n" if ask.rest == "png" else page("Untyped"), type="")


# name: what answers, and the link that shows it
FAULTS: dict[str, tuple[Callable[[Ask], Answer], str]] = {
    "slow": (_slow, "slow?seconds=1"),
    "error": (_error, "error/500"),
    "heals": (_heals, "heals?after=1"),
    "busy": (_busy, "busy/429?after=1&retry=1"),
    "redirect": (_redirect, "redirect?to=/"),
    "loop": (_loop, "loop/a"),
    "chain": (_chain, "chain/3"),
    "truncated": (_truncated, "truncated"),
    "type": (_type, "type/text/plain"),
    "large": (_large, "large?bytes=1000000"),
    "endless": (_endless, "endless"),
    "calendar": (_calendar, "calendar?month=1&year=2024"),
    "grow": (_grow, "grow/more"),
    "session": (_session, "session/a"),
    "gzip": (_gzip, "gzip"),
    "bomb": (_bomb, "bomb"),
    "badgzip": (_badgzip, "badgzip"),
    "charset": (_charset, "charset/koi8-r"),
    "untyped": (_untyped, "untyped/html"),
}
