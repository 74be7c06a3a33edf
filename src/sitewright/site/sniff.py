"""Telling pages from other files, where nobody says what they are."""

from __future__ import annotations

import re

# How browsers do it (WHATWG MIME sniffing, 7.1), with the tags that real pages begin with added.
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<!--|(?:<\?xml[^>]*>\s*(?:<!--.{0,400}?-->\s*)?)?"
    rb"<(?:!doctype\s+html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p"
    rb"|meta|link|ul|section|main|center)[\s>])",
    re.IGNORECASE | re.DOTALL,
)
_WIDE_MARKS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}

SNIFFED = 1024
"""How many bytes are looked at."""


def looks_like_html(body: bytes) -> bool:
    """Say whether a file begins as a page does."""
    head = body[:SNIFFED]
    encoding = _WIDE_MARKS.get(head[:2])
    if encoding is not None:
        head = head[2:].decode(encoding, "replace").encode()
    return _HTML.match(head) is not None
