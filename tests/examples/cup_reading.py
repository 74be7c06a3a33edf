"""Reads a generated cup the way a visitor would: with nothing but the standard library."""

from __future__ import annotations

import json
import re
from functools import cached_property
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urljoin, urlsplit

if TYPE_CHECKING:
    from pathlib import Path

_HOST = "http://cup.example/"
_CHARSET = re.compile(rb'<meta charset="?([\w-]+)', re.IGNORECASE)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.assets: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag == "link" and found.get("rel") != "canonical":
            self.assets.append(found["href"])
        if tag == "img":
            self.assets.append(found["src"])
        if tag == "meta" and found.get("http-equiv") == "refresh":
            self.links.append(found["content"].partition("url=")[2])

    def handle_data(self, data):
        self.text.append(data)


class PageFile:
    """A page as it lies in the folder."""

    def __init__(self, site: Path, path: str) -> None:
        self.path = path
        self.body = (site / path).read_bytes()

    @cached_property
    def html(self) -> str:
        charset = _CHARSET.search(self.body)
        return self.body.decode(charset[1].decode() if charset else "utf-8").lstrip("\ufeff")

    @cached_property
    def _read(self) -> _Reader:
        reader = _Reader()
        reader.feed(self.html)
        reader.close()
        return reader

    @property
    def links(self) -> list[str]:
        """The files of this site that the page links to, there or not."""
        return self._own(self._read.links)

    @property
    def assets(self) -> list[str]:
        return self._own(self._read.assets)

    @cached_property
    def text(self) -> str:
        return " ".join("".join(self._read.text).split())

    def _own(self, links: list[str]) -> list[str]:
        base = _HOST + quote(self.path, safe="/?&=")
        return [path for link in links if (path := _file(urljoin(base, link))) is not None]


def _file(url: str) -> str | None:
    parts = urlsplit(url)
    if f"{parts.scheme}://{parts.netloc}/" != _HOST:
        return None
    path = unquote(parts.path).removeprefix("/")
    if path.endswith("/") or not path:
        path += "index.html"
    return f"{path}?{parts.query}" if parts.query else path


class Cup:
    """A generated cup: its pages, and the truth about them."""

    def __init__(self, out: Path) -> None:
        self.site = out / "site"
        self._truth = out / "truth"

    @cached_property
    def pages(self) -> dict[str, PageFile]:
        return {path: PageFile(self.site, path) for path in sorted(self.classes)}

    @cached_property
    def classes(self) -> dict[str, str]:
        return dict(self.table("page-classes.tsv"))

    def members(self, page_class: str) -> list[PageFile]:
        return [self.pages[path] for path, name in self.classes.items() if name == page_class]

    @cached_property
    def malformed(self) -> set[str]:
        return set(self.lines("malformed.txt"))

    def lines(self, name: str) -> list[str]:
        return (self._truth / name).read_text(encoding="utf-8").splitlines()

    def table(self, name: str) -> list[list[str]]:
        return [line.split("\t") for line in self.lines(name)]

    def records(self, page_class: str) -> list[dict]:
        return [json.loads(line) for line in self.lines(f"records/{page_class}.jsonl")]

    @cached_property
    def templates(self) -> dict[str, dict[str, list]]:
        files = sorted((self._truth / "templates").glob("*.json"))
        return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}
