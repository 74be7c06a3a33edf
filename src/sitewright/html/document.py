"""A page, parsed once."""

from __future__ import annotations


class Document:
    """A page, parsed once."""

    def __init__(self, body: bytes, url: str = "", *, encoding: str | None = None) -> None:
        self.body = body
        self.url = url
