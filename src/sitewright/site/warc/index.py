"""Which record of an archive answers for a URL."""

from __future__ import annotations

from array import array
from hashlib import blake2b
from heapq import merge
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sitewright.site.reply import REDIRECTS, may_be_html
from sitewright.site.url import canonical

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitewright.site.warc.records import Record

_PAGE, _REDIRECT, _OTHER, _ERROR = 3, 2, 1, 0
"""How useful an answer is: a page, the way to one, anything else that was found, a failure."""
_PAGE_STATUS = frozenset({200, 203})
_DATE_BITS = 40


class Place(NamedTuple):
    """Where a record is: which file of the archive, and where in it."""

    file: int
    offset: int
    inner: int


class Entry(NamedTuple):
    """What the index knows of a URL: where the record is that names it, and the one with the body.

    They are two only for a revisit, which has no body of its own.
    """

    named: Place
    held: Place


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
        self._revisits: dict[int, tuple[Place, int | str]] = {}
        self._originals: dict[str, Place] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, record: Record, file: int = 0) -> None:
        """Take in a record; the order of the calls is the order of the archive."""
        address = canonical(record.url)
        if address is None:
            return
        place = Place(file, record.offset, record.inner)
        if record.kind == "revisit":
            self._add_revisit(record, address, place)
        else:
            self._add_answer(_key(address), place, _rank(record))

    def _add_answer(self, key: int, place: Place, rank: int) -> None:
        row = self._rows.setdefault(key, len(self._rows))
        if row == len(self._ranks):
            self._files.append(place.file)
            self._offsets.append(place.offset)
            self._inners.append(place.inner)
            self._ranks.append(rank)
        elif rank >= self._ranks[row]:
            self._files[row], self._offsets[row], self._inners[row] = place
            self._ranks[row] = rank

    def _add_revisit(self, record: Record, address: str, place: Place) -> None:
        original = canonical(record.refers_to)
        if original is not None and original != address:
            self._revisits[_key(address)] = place, _key(original)
        elif original is None and record.digest:
            self._revisits[_key(address)] = place, record.digest

    @property
    def wanted_digests(self) -> frozenset[str]:
        """The digests by which alone some revisits name their originals: see `add_original`."""
        wanted = (original for _, original in self._revisits.values())
        return frozenset(digest for digest in wanted if isinstance(digest, str))

    def add_original(self, record: Record, file: int = 0) -> None:
        """Take in, by its digest, a record that a revisit stands for."""
        if record.kind != "revisit":
            self._originals[record.digest] = Place(file, record.offset, record.inner)

    @property
    def lost_revisits(self) -> int:
        """How many URLs have only revisits of records that are not in the archive."""
        alone = (key for key in self._revisits if key not in self._rows)
        return sum(self._revisit(key) is None for key in alone)

    def find(self, address: str) -> Entry | None:
        """Give the record of a canonical URL."""
        key = _key(address)
        row = self._rows.get(key)
        if row is not None:
            return self._entry(row)
        return self._revisit(key)

    def pages(self) -> Iterator[Entry]:
        """Give what may be pages (a revisit does not say), a URL each, in the archive's order."""
        order = np.lexsort((self._inners, self._offsets, self._files))
        answers = (self._entry(row) for row in order if self._ranks[row] >> _DATE_BITS == _PAGE)
        alone = (self._revisit(key) for key in self._revisits if key not in self._rows)
        return merge(answers, sorted(entry for entry in alone if entry is not None))

    def _entry(self, row: int) -> Entry:
        place = Place(self._files[row], self._offsets[row], self._inners[row])
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


def _key(address: str) -> int:
    return int.from_bytes(blake2b(address.encode(), digest_size=8).digest(), "big")


def _rank(record: Record) -> int:
    return _usefulness(record) << _DATE_BITS | record.date % (1 << _DATE_BITS)


def _usefulness(record: Record) -> int:
    if record.status in _PAGE_STATUS:
        return _PAGE if may_be_html(record.reply.content_type) else _OTHER
    return _REDIRECT if record.status in REDIRECTS else _ERROR
