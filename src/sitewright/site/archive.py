"""A site as it was archived: the pages of a WARC or WACZ file."""

from __future__ import annotations

import logging
import os
from array import array
from collections import Counter
from hashlib import blake2b
from heapq import merge
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sitewright.errors import InvalidURL, NoPages
from sitewright.page.url import (
    INDEX_NAMES,
    UrlParts,
    canonical,
    folder_url,
    is_index_page,
    parts,
)
from sitewright.site.archive_files import open_archive
from sitewright.site.base import NONE_KNOWN, ClosedByContext, Missing, Page, Reason
from sitewright.site.http import REDIRECTS, Reply, may_be_html, outcome
from sitewright.site.scope import Scope, ScopeKind
from sitewright.site.warc import MAX_RECORD, WarcRecord, read_record, records

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


# Which record of an archive answers for a URL.

logger = logging.getLogger(__name__)

_PAGE, _REDIRECT, _OTHER, _ERROR = 3, 2, 1, 0
"""How useful an answer is: a page, a redirect to one, anything else that was found, a failure."""
_PAGE_STATUS = frozenset({200, 203})
_DATE_BITS = 40


class RecordPlace(NamedTuple):
    """Where a record is: which file of the archive, and where in it."""

    file: int
    offset: int
    inner: int


class Entry(NamedTuple):
    """What the index knows of a URL: where the record is that names it, and the one with the body.

    They are two only for a revisit, which has no body of its own.
    """

    named: RecordPlace
    held: RecordPlace


class WarcIndex:
    """Finds the record of a URL; about 150 bytes of memory a URL, however long it is.

    URLs are known by 64-bit hashes of their canonical form. Of several records of a URL the most
    useful one answers; among equals the newest, and among those the last in the file.
    """

    def __init__(self) -> None:
        self._rows: dict[int, int] = {}
        self._files = array("H")
        self._offsets = array("Q")
        self._inners = array("Q")
        self._ranks = array("Q")
        self._revisits: dict[int, tuple[RecordPlace, int | str]] = {}
        self._originals: dict[str, RecordPlace] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, record: WarcRecord, file: int = 0) -> None:
        """Take in a record; the order of the calls is the order of the archive."""
        url = canonical(record.url)
        if url is None:
            return
        place = RecordPlace(file, record.offset, record.inner)
        if record.kind == "revisit":
            self._add_revisit(record, url, place)
        elif record.kind != "conversion" or record.reply.body:
            self._add_answer(_key(url), place, _rank(record))

    def _add_answer(self, key: int, place: RecordPlace, rank: int) -> None:
        row = self._rows.setdefault(key, len(self._rows))
        if row == len(self._ranks):
            self._files.append(place.file)
            self._offsets.append(place.offset)
            self._inners.append(place.inner)
            self._ranks.append(rank)
        elif rank >= self._ranks[row]:
            self._files[row], self._offsets[row], self._inners[row] = place
            self._ranks[row] = rank

    def _add_revisit(self, record: WarcRecord, url: str, place: RecordPlace) -> None:
        original = canonical(record.refers_to)
        if original is not None and original != url:
            self._revisits[_key(url)] = place, _key(original)
        elif original is None and record.digest:
            self._revisits[_key(url)] = place, record.digest

    @property
    def wanted_digests(self) -> frozenset[str]:
        """The digests by which alone some revisits name their originals: see `add_original`."""
        wanted = (original for _, original in self._revisits.values())
        return frozenset(digest for digest in wanted if isinstance(digest, str))

    def add_original(self, record: WarcRecord, file: int = 0) -> None:
        """Take in, by its digest, a record that a revisit stands for."""
        if record.kind != "revisit":
            self._originals[record.digest] = RecordPlace(file, record.offset, record.inner)

    @property
    def lost_revisits(self) -> int:
        """How many URLs have only revisits of records that are not in the archive."""
        alone = (key for key in self._revisits if key not in self._rows)
        return sum(self._revisit(key) is None for key in alone)

    def find(self, url: str) -> Entry | None:
        """Give the record of a canonical URL."""
        key = _key(url)
        row = self._rows.get(key)
        if row is not None:
            return self._entry(row)
        return self._revisit(key)

    def date(self, url: str) -> int | None:
        """When the answer to a canonical URL came, in seconds since 1970; None if none did."""
        row = self._rows.get(_key(url))
        return None if row is None else self._ranks[row] % (1 << _DATE_BITS)

    def pages(self) -> Iterator[Entry]:
        """Give what may be pages (a revisit does not say), a URL each, in the archive's order."""
        order = np.lexsort((self._inners, self._offsets, self._files))
        answers = (self._entry(row) for row in order if self._ranks[row] >> _DATE_BITS == _PAGE)
        alone = (self._revisit(key) for key in self._revisits if key not in self._rows)
        return merge(answers, sorted(entry for entry in alone if entry is not None))

    def _entry(self, row: int) -> Entry:
        place = RecordPlace(self._files[row], self._offsets[row], self._inners[row])
        return Entry(place, place)

    def _revisit(self, key: int) -> Entry | None:
        if key not in self._revisits:
            return None
        named, original = self._revisits[key]
        if isinstance(original, str):
            held = self._originals.get(original)
        else:
            row = self._rows.get(original)
            held = None if row is None else self._entry(row).held
        return None if held is None else Entry(named, held)


def _key(url: str) -> int:
    return int.from_bytes(blake2b(url.encode(), digest_size=8).digest(), "big")


def _rank(record: WarcRecord) -> int:
    return _usefulness(record) << _DATE_BITS | record.date % (1 << _DATE_BITS)


def _usefulness(record: WarcRecord) -> int:
    if record.status in _PAGE_STATUS:
        return _PAGE if may_be_html(record.reply.content_type) else _OTHER
    return _REDIRECT if record.status in REDIRECTS else _ERROR


MAX_REDIRECTS = 10


class ArchiveSite(ClosedByContext):
    """The HTML pages of an archive that lie within a scope around its home page.

    The home page is `start`; else the main page that a WACZ names; else the root of the host with
    the most pages, or its first page. Of several records of a URL, the newest useful one counts.
    Opening an archive reads it once, for the index.
    """

    is_live = False

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        start: str | None = None,
        scope: ScopeKind = ScopeKind.HOST,
        max_size: int = MAX_RECORD,
    ) -> None:
        self.tally: Counter[Reason] = Counter()
        self.missed: dict[str, Missing] = {}
        self._max_size = max_size
        self._files = open_archive(path)
        self._index = WarcIndex()
        self._index_pages: dict[str, str] = {}
        """Index pages that are the pages of their folders, byte for byte, with those folders."""
        try:
            hosts = self._read_all()
            self._warn_of_damage(os.fspath(path))
            self.home, self._scope = self._choose_home(start, scope, hosts, os.fspath(path))
        except BaseException:
            self._files.close()
            raise

    def page_url(self, url: str) -> str | None:
        """Give the canonical URL if it lies within scope.

        Where the archive has a page only under the other scheme, with or without `www.`, or as the
        folder or its index page, that is its URL: links do not take care which they use.
        """
        canonical_url = canonical(url)
        split = parts(canonical_url) if canonical_url is not None else None
        if split is None or not self._scope.contains_parts(split):
            return None
        if self._index.find(str(canonical_url)) is not None:
            return self._index_pages.get(str(canonical_url), canonical_url)
        known = (other for other in _variants(split) if self._index.find(other) is not None)
        return next(known, canonical_url)

    async def fetch(self, urls: Sequence[str]) -> list[Page | Missing]:
        """Read these pages, with the redirects that were archived followed within scope."""
        return [self._counted(self._fetch(url)) for url in urls]

    def pages(self, known: Mapping[str, Page] = NONE_KNOWN) -> Iterator[Page]:
        """Stream all pages, each URL once, in the order of the archive."""
        for entry in self._index.pages():
            page = self._page(entry, known)
            if isinstance(page, Page):
                yield page
            elif page is not None and page.reason in {Reason.TOO_LARGE, Reason.UNREADABLE}:
                self._counted(page)

    def fetched(self, url: str) -> float | None:
        """When a page was archived, in seconds since 1970; None if nobody knows."""
        return self._index.date(url)

    def listing(self) -> Iterator[str]:
        """Give the URLs of all pages, in the order of the archive."""
        return (page.url for page in self.pages())

    def resource(self, url: str) -> tuple[str, bytes] | None:
        """Give the type and the bytes of anything in the archive, of whatever host."""
        for _ in range(MAX_REDIRECTS):
            reply = self._reply(canonical(url) or "")
            if isinstance(reply, Reason) or (reply.status != 200 and not reply.is_redirect):
                return None
            if not reply.is_redirect:
                try:
                    return reply.content_type, reply.unpacked(self._max_size)
                except ValueError:
                    return None
            url = reply.target or ""
        return None

    async def aclose(self) -> None:
        """Close the archive."""
        self._files.close()

    def _read_all(self) -> _Hosts:
        """Put every record into the index; a second time for revisits that give only a digest."""
        hosts, folders = _Hosts(), FolderPages()
        for file, stream in enumerate(self._files.streams):
            for record in records(stream, tally=self.tally, limit=self._max_size):
                self._index.add(record, file)
                hosts.add(record)
                folders.add(record)
        self._index_pages = folders.index_pages()
        wanted = self._index.wanted_digests
        for file, stream in enumerate(self._files.streams if wanted else ()):
            for record in records(stream, limit=self._max_size):
                if record.digest in wanted:
                    self._index.add_original(record, file)
        if lost := self._index.lost_revisits:
            self.tally[Reason.NOT_FOUND] += lost
        return hosts

    def _warn_of_damage(self, name: str) -> None:
        if damaged := self.tally[Reason.UNREADABLE]:
            records = "record is" if damaged == 1 else "records are"
            logger.warning(
                "%s: %d %s damaged or cut off; the others are read", name, damaged, records
            )

    def _choose_home(
        self, start: str | None, kind: ScopeKind, hosts: _Hosts, name: str
    ) -> tuple[str, Scope]:
        """Take the first of the possible homes that is a page, with the scope around it."""
        named = [start] if start is not None else [self._files.main_page, *hosts.homes()]
        for url in named:
            if url is None or canonical(url) is None:
                continue
            self._scope = Scope(url, kind)
            found = self._fetch(url)
            if isinstance(found, Page):
                return found.url, self._scope
        if start is not None:
            raise InvalidURL(start, "no page of this archive")
        raise NoPages(name, "no pages in this archive")

    def _fetch(self, url: str) -> Page | Missing:
        canonical_url = self.page_url(url)
        seen: set[str] = set()
        while canonical_url is not None:
            reply = self._reply(canonical_url)
            if isinstance(reply, Reason):
                return Missing(url, reply)
            if not reply.is_redirect:
                return outcome(reply, canonical_url, url, self._max_size)
            seen.add(canonical_url)
            canonical_url = self.page_url(reply.target or "")
            if canonical_url in seen or len(seen) > MAX_REDIRECTS:
                return Missing(url, Reason.BAD_REDIRECT, f"to {canonical_url}")
        return Missing(url, Reason.OUT_OF_SCOPE)

    def _reply(self, url: str) -> Reply | Reason:
        entry = self._index.find(url)
        if entry is None:
            return Reason.NOT_FOUND
        record = self._record(entry.held)
        return record.reply if isinstance(record, WarcRecord) else record

    def _page(self, entry: Entry, known: Mapping[str, Page]) -> Page | Missing | None:
        """Read the page of an entry; None if it lies out of scope."""
        named = self._record(entry.named)
        if isinstance(named, Reason):
            return None
        url = canonical(named.url)
        if url is None or url in self._index_pages or not self._scope.contains(url):
            return None
        if url in known:
            return known[url]
        held = named if entry.held == entry.named else self._record(entry.held)
        if isinstance(held, Reason):
            return Missing(url, held)
        return outcome(held.reply, url, url, self._max_size)

    def _record(self, place: RecordPlace) -> WarcRecord | Reason:
        stream = self._files.streams[place.file]
        return read_record(stream, place.offset, place.inner, limit=self._max_size)

    def _counted(self, outcome: Page | Missing) -> Page | Missing:
        """Count a missing page once, however often it is asked for."""
        if isinstance(outcome, Missing) and outcome.url not in self.missed:
            self.missed[outcome.url] = outcome
            self.tally[outcome.reason] += 1
        return outcome


class FolderPages:
    """The pages of folders, `/x/`, and those that are named index pages, `/x/index.html`."""

    def __init__(self) -> None:
        self._digests: dict[str, bytes] = {}

    def add(self, record: WarcRecord) -> None:
        """Take in a record; of several of one URL the last counts."""
        url = canonical(record.url)
        if url is not None and _may_be_page(record) and (url.endswith("/") or is_index_page(url)):
            self._digests[url] = blake2b(record.reply.body, digest_size=16).digest()

    def index_pages(self) -> dict[str, str]:
        """The index pages that have the bytes of their folder's page, with that folder."""
        forms = ((url, folder_url(url)) for url in self._digests if is_index_page(url))
        return {url: to for url, to in forms if self._digests.get(to) == self._digests[url]}


_POSSIBLE_HOMES = 8
"""Pages of a host that are tried: the first may be unreadable."""


class _Hosts:
    """The hosts of an archive: how many pages each has, its root and its first pages."""

    def __init__(self) -> None:
        self._pages: Counter[str] = Counter()
        self._roots: dict[str, str] = {}
        self._firsts: dict[str, list[str]] = {}

    def add(self, record: WarcRecord) -> None:
        url = canonical(record.url) if _may_be_page(record) else None
        if url is None:
            return
        split = parts(url)
        self._pages[split.host] += 1
        firsts = self._firsts.setdefault(split.host, [])
        if len(firsts) < _POSSIBLE_HOMES:
            firsts.append(url)
        if split.path == "/" and split.query is None:
            self._roots.setdefault(split.host, url)

    def homes(self) -> Iterator[str]:
        """Give the pages that may be home: of the host with most pages, the first of equals."""
        for host, _ in self._pages.most_common():
            if host in self._roots:
                yield self._roots[host]
            yield from self._firsts[host]


def _may_be_page(record: WarcRecord) -> bool:
    is_found = record.status == 200 and record.kind != "revisit"
    return is_found and may_be_html(record.reply.content_type)


def _variants(split: UrlParts) -> Iterator[str]:
    """Give the same URL with the other scheme, with or without `www.`, and both; as a folder."""
    rest = ("" if split.port is None else f":{split.port}") + split.path
    rest += "" if split.query is None else f"?{split.query}"
    bare = split.host.removeprefix("www.")
    other_host = f"www.{bare}" if bare == split.host else bare
    other_scheme = "https" if split.scheme == "http" else "http"
    yield f"{other_scheme}://{split.host}{rest}"
    yield f"{split.scheme}://{other_host}{rest}"
    yield f"{other_scheme}://{other_host}{rest}"
    own = f"{split.scheme}://{split.host}{rest}"
    if is_index_page(own):
        yield folder_url(own)
    elif own.endswith("/"):
        yield from (own + name for name in INDEX_NAMES)
