"""Mutations of known inputs, fed to every parser of what comes from outside.

`python -m tests.hostile.fuzz --seconds 600` (or `make fuzz`) goes on for as long as it is told; the
tests do the same for a few hundred mutations with fixed seeds. What a parser must not do: raise
anything but the errors of its contract, or take seconds. A mutation that fails is written to
`build/fuzz/`, from where it goes into the corpus below.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import random
import tempfile
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click
from protego import Protego

from sitewright import formats
from sitewright.classes import SiteModel
from sitewright.cli import sitewright as program
from sitewright.cli.options_file import read_options
from sitewright.edits.edit import parse_edit
from sitewright.errors import SitewrightError
from sitewright.page import Document, Labelling
from sitewright.page.document import inspect
from sitewright.page.selector import Selector
from sitewright.page.url import canonical, parts
from sitewright.site.base import Page
from sitewright.site.endpoints import EndpointCollector
from sitewright.site.http import Reply, outcome
from sitewright.site.identity import content_digest, declared_canonical, wording_digest
from sitewright.site.polite import retry_after
from sitewright.site.sitemaps import feeds_of, read_list, sitemaps_in_robots
from sitewright.site.warc import records
from sitewright.template import Template
from sitewright.wrapper import Wrapper

if TYPE_CHECKING:
    from collections.abc import Callable

URL = "http://site.invalid/a/b.html"
_MOST_SECONDS = 5.0
"""Of the processor, for one input of a few kilobytes."""

_WARC = (
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://site.invalid/\r\n"
    b"WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"
    b"WARC-Record-ID: <urn:uuid:1>\r\nContent-Length: 63\r\n\r\n"
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>x</title>\r\n\r\n\r\n"
)


def _page(body: bytes) -> None:
    document = Document(body, URL)
    inspect(document, Labelling.CLASSES).as_json()
    assert isinstance(document.structured_data, list)
    assert isinstance(document.title + document.base_url + (document.refresh or ""), str)


def _warc(body: bytes) -> None:
    for record in records(io.BytesIO(body)):
        outcome(record.reply, record.url, record.url, 1 << 20)


def _robots(body: bytes) -> None:
    rules = Protego.parse(body.decode("utf-8-sig", "replace"))
    rules.can_fetch(URL, "sitewright")
    rules.crawl_delay("sitewright")


def _page_list(body: bytes) -> None:
    text = body.decode("utf-8", "replace")
    for one in (*read_list(body, URL, most=100, limit=1 << 20).pages, *sitemaps_in_robots(text)):
        assert one
    feeds_of(body, URL)


def _canonical_link(body: bytes) -> None:
    declared_canonical(Page(URL, body))
    content_digest(body, URL)
    wording_digest(body)


def _edit(body: bytes) -> None:
    with suppress(SitewrightError):
        parse_edit(body)


def _endpoint(body: bytes) -> None:
    collector = EndpointCollector()
    collector.add("x", (URL, b"<p>value"), "http://site.invalid/api?q=1", body)
    assert len(list(collector.endpoints())) <= 1


def _options_file(body: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sitewright.toml"
        path.write_bytes(body)
        with suppress(SitewrightError, click.ClickException):
            read_options(path, program, "run")


def _reply(body: bytes) -> None:
    head, _, rest = body.partition(b"\n\n")
    fields = [line.partition(b":") for line in head.split(b"\n")]
    headers = tuple((a.decode("latin-1"), b.decode("latin-1").strip()) for a, _, b in fields)
    reply = Reply(URL, 200, headers, rest)
    outcome(reply, URL, URL, 1 << 20)
    assert reply.target is None or isinstance(reply.target, str)
    retry_after(head[:100], datetime(2024, 1, 1, tzinfo=UTC))


def _url(body: bytes) -> None:
    text = body.decode("utf-8", "replace")
    found = canonical(text)
    if found is not None:
        parts(found)
        assert canonical(found) == found


def _selector(body: bytes) -> None:
    text = body.decode("utf-8", "replace")
    with suppress(ValueError):
        formats.check_xpath(text)
        Selector.parse(text).xpath()


def _pattern(body: bytes) -> None:
    with suppress(ValueError):
        formats.check_pattern(body.decode("utf-8", "replace"))


def _json_file(body: bytes) -> None:
    for kind in (SiteModel, Wrapper, Template):
        with suppress(SitewrightError):
            formats.parse(body, kind, "file")


def _file(name: str, **entries: object) -> bytes:
    return json.dumps(
        {"format": name, "version": formats.VERSION, "model": None, **entries}
    ).encode()


_FIELD = {
    "name": "a", "xpath": "//h1", "pattern": "", "many": False, "raw": False, "coverage": 1.0,
    "type": {"kind": "text", "unit": "", "decimal_mark": "", "day_order": ""}, "confidence": 1.0,
    "stability": 1.0, "named_by": "label", "references": None, "samples": ["x"],
}  # fmt: skip

TARGETS: dict[str, tuple[Callable[[bytes], None], tuple[bytes, ...]]] = {
    "page": (_page, (
        b"<!doctype html><html lang=en><head><meta charset=utf-8><title>T</title><base href='/x/'>",
        b"</head><body><ul class='a b'><li><a href=y.html>one</a><li><a href='?q=1'>two</a></ul>",
        b"<table><tr><td><b>x<td><i>y</table><p>z<svg><a xlink:href=q></a></svg><template><p>",
        b'<script type="application/ld+json">{"@type": "Thing", "name": ["a", {"b": 1}]}</script>',
        b"<div itemscope itemtype=http://schema.org/Thing><span itemprop=name>x</span></div>",
        b"<meta http-equiv=refresh content='0; url=/x'><frameset><frame src=a><frame src=b>",
        "<p>\N{GRINNING FACE} caf\u00e9 \u65e5\u672c".encode("utf-16"),
    )),
    "warc": (_warc, (_WARC * 2, gzip.compress(_WARC) * 2, gzip.compress(_WARC * 3))),
    "robots": (_robots, (
        b"User-agent: *\nDisallow: /a*b$\nAllow: /a\nCrawl-delay: 1.5\nSitemap: http://x/\n",
        b"\xef\xbb\xbfuser-agent:sitewright\ndisallow:/%zz\nrequest-rate: 1/10s 0800-1200\n",
    )),
    "page list": (_page_list, (
        b"<urlset><url><loc>http://x.invalid/a</loc><lastmod>2024-01-01</lastmod></url></urlset>",
        b"<rss><item><link>/a?b&amp;c</link><pubDate>Mon, 1 Jan 2024 00:00:00 GMT</pubDate>",
        b"<feed><entry><link rel='alternate' href='b'/><updated>2024-01-01T00:00:00Z</updated>",
        b"http://x.invalid/a\nhttp://x.invalid/b\n", b" sitemap : http://x.invalid/s.xml\n \n",
        b"<head><link rel=alternate type=application/rss+xml href='feed'>",
    )),
    "canonical link": (_canonical_link, (
        b"<head><link rel=canonical href='/a?b=1&amp;c'><script>x</script><!-- y --><a href=z#q>",
    )),
    "edit": (_edit, (
        b'{"edit": "rename_class", "class": "a", "name": "b"}',
        b'{"edit": "split_class", "class": "a", "pattern": "/x/(a+)+$", "name": "b"}',
        b'{"edit": "mark_part", "class": "a", "field": "f", "xpath": "//p", "as": "template"}',
    )),
    "endpoint": (_endpoint, (b'{"a": [{"b": "value", "c": 1.5}, null, true]}', b"[[[[1]]]]")),
    "options file": (_options_file, (
        b"pages = 5\n[run]\nworkers = 1\nset = ['limits.max_elements=5']\nuser-agent = 'x'\n",
    )),
    "reply": (_reply, (
        b"Content-Type: text/html; charset=utf-8\nContent-Encoding: gzip\n\n"
        + gzip.compress(b"<title>x</title>"),
        b"Location: http://x.invalid/%e9\nTransfer-Encoding: chunked\n\n3\r\nabc\r\n0\r\n\r\n",
        b"120\nContent-Encoding: br, zstd, deflate\n\n\x28\xb5\x2f\xfd\x00\x58\x19\x00\x00abc",
        b"Wed, 21 Oct 2015 07:28:00 GMT\nContent-Type: text/html\n\n<p>",
    )),
    "url": (_url, (
        b"http://user:pw@EXAMPLE.org:80/a/../b;c=1?x=y&z#f", b"https://[::1]:8080/%7Ea/%zz",
        "http://b\u00fccher.example/\u00e9?q=\u65e5".encode(), b"//x\\y", b"http://0x7f.1/",
    )),
    "selector": (_selector, (
        b'//tr[th[normalize-space()="A"]]/td[1]/text()', b"(//div[@id='x'])[2]//a/@href | //b",
        b"//*[contains(concat(' ', normalize-space(@class), ' '), ' x ')]",
    )),
    "pattern": (_pattern, (rb"^Price: (.*?)\s*$", rb"/[a-z]+/(\d{4})(?:-\d+)?\.html", rb"(a+)+$")),
    "json": (_json_file, (
        _file("sitewright-wrapper", learnt_from="pages", pages=3, rows=None, key=[], required=["a"],
              fields=[_FIELD], record_sets=[], dropped=[], **{"class": "x"}),
        _file("sitewright-model", classes=[], links=[]), _file("sitewright-template", tokens=[]),
    )),
}  # fmt: skip

_PIECES = (b"\0", b"\xff", b"<", b">", b"'", b'"', b"&", b"[", b"]" * 50, b"{" * 50, b"\r\n", b"%",
           b"<b a", b"</p>", b"9" * 400, b"-1", b"1e999", b"\\", b"(", b"*", b"//",
           b"NaN")  # fmt: skip


def mutated(body: bytes, chance: random.Random) -> bytes:
    """The input with a few bytes changed, taken out, repeated, or put in."""
    data = bytearray(body)
    for _ in range(chance.randint(1, 8)):
        place = chance.randrange(len(data) + 1)
        end = min(len(data), place + chance.choice((1, 2, 8, 64)))
        way = chance.randrange(5)
        if way == 0:
            data[place:end] = b""
        elif way == 1:
            data[place:place] = chance.choice(_PIECES)
        elif way == 2:
            data[place:place] = data[place:end] * chance.choice((1, 3, 40))
        elif way == 3:
            data[place:end] = chance.randbytes(end - place)
        elif place < len(data):
            data[place] ^= 1 << chance.randrange(8)
    return bytes(data)


def attack(name: str, seed: int, count: int) -> None:
    """Feed one parser; raises what it must not raise, and writes down what made it."""
    target, corpus = TARGETS[name]
    chance = random.Random(f"{name} {seed}")
    for _ in range(count):
        body = mutated(chance.choice(corpus), chance)
        before = time.process_time()
        try:
            target(body)
            seconds = time.process_time() - before
            assert seconds < _MOST_SECONDS, f"{name} took {seconds:.1f} s"
        except BaseException:
            folder = Path("build/fuzz")
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{name}-{seed}").write_bytes(body)
            raise


def main() -> None:
    """Go on until the time is over."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--seconds", type=float, default=600.0)
    given.add_argument("--seed", type=int, default=1000)
    options = given.parse_args()
    end, seed, rounds = time.monotonic() + options.seconds, options.seed, 0
    while time.monotonic() < end:
        for name in TARGETS:
            attack(name, seed, 100)
            rounds += 100
        seed += 1
    print(f"{rounds:,} inputs, the last seed was {seed - 1}: nothing found")  # noqa: T201 - what a person waits for


if __name__ == "__main__":
    main()
