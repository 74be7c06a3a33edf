"""Bodies of HTTP responses, as archives keep them."""

from __future__ import annotations

import gzip
import zlib

import brotli
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitewright.site.http import TooLarge, decoded, fastwarc, is_encoded

PAGE = b"<!doctype html><title>A page</title>" + b"<p>Some text.</p>" * 200
LIMIT = 1 << 20
CODINGS = ["chunked", "gzip", "x-gzip", "deflate", "br", "zstd", "identity", "unheard-of", ""]


def chunked(body: bytes) -> bytes:
    pieces = [body[start : start + 700] for start in range(0, len(body), 700)]
    return b"".join(b"%x;a=b\r\n%s\r\n" % (len(p), p) for p in pieces) + b"0\r\nX: y\r\n\r\n"


def zstd(body: bytes, tmp_path) -> bytes:
    with fastwarc.ZstdWriter(str(tmp_path / "zstd")) as writer:
        writer.write(body)
    return (tmp_path / "zstd").read_bytes()


@pytest.mark.parametrize(
    ("coding", "encode"),
    [
        ("chunked", chunked),
        ("gzip", gzip.compress),
        ("GZIP", gzip.compress),
        ("x-gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("deflate", lambda body: zlib.compress(body, wbits=-15)),
        ("br", brotli.compress),
    ],
)
def test_codings_are_undone(coding, encode):
    assert decoded(encode(PAGE), [coding], LIMIT) == PAGE
    assert is_encoded(encode(PAGE), [coding], LIMIT)


def test_zstd_is_undone(tmp_path):
    assert decoded(zstd(PAGE, tmp_path), ["zstd"], LIMIT) == PAGE


def test_codings_are_undone_last_first():
    assert decoded(chunked(gzip.compress(PAGE)), ["gzip", " chunked"], LIMIT) == PAGE


@pytest.mark.parametrize("coding", CODINGS)
def test_a_coding_that_was_undone_already_changes_nothing(coding):
    assert decoded(PAGE, [coding], LIMIT) == PAGE
    assert not is_encoded(PAGE, [coding], LIMIT)


@pytest.mark.parametrize(("coding", "encode"), [("gzip", gzip.compress), ("chunked", chunked)])
def test_a_body_that_breaks_off_gives_what_is_there(coding, encode):
    found = decoded(encode(PAGE)[:-12], [coding], LIMIT)
    assert PAGE.startswith(found)
    assert len(found) > 100


def test_bytes_after_a_compressed_body_are_ignored():
    assert decoded(gzip.compress(PAGE) + b"junk", ["gzip"], LIMIT) == PAGE


@pytest.mark.parametrize(
    ("coding", "encode"),
    [("gzip", gzip.compress), ("deflate", zlib.compress), ("br", brotli.compress)],
)
def test_a_bomb_is_not_inflated(coding, encode):
    bomb = encode(bytes(20 << 20))
    with pytest.raises(TooLarge):
        decoded(bomb, [coding], LIMIT)
    with pytest.raises(TooLarge):
        decoded(encode(bomb), [coding, coding], LIMIT)


def test_a_body_over_the_limit_is_too_large():
    with pytest.raises(TooLarge):
        decoded(PAGE, [], 100)


@settings(deadline=None)
@given(st.binary(max_size=200), st.lists(st.sampled_from(CODINGS), max_size=3))
def test_no_bytes_upset_the_decoders(payload, codings):
    decoded(payload, codings, LIMIT)
