"""What can be told of a page from its address alone."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from sitewright.site.url import is_index_page

_ENDING = re.compile(r"\.[a-z]{3,5}", re.IGNORECASE)
_FILES = frozenset(
    "css js mjs map json xml rss atom txt md csv tsv pdf ps doc docx xls xlsx ppt pptx odt ods odp "
    "rtf epub png jpg jpeg gif webp avif svg ico bmp tif tiff mp3 mp4 m4a m4v ogg ogv wav flac "
    "webm avi mov mkv swf woff woff2 ttf otf eot zip gz tgz bz2 xz zst 7z rar tar jar exe msi dmg "
    "iso bin wasm deb rpm asc sha256 sha512 sig py c h java rs go sh yaml yml toml ini sql".split()
)


def may_be_page(url: str) -> bool:
    """Whether an address may lead to a page: its name has no ending that only files have."""
    path = urlsplit(url).path
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() not in _FILES or "." not in name


@lru_cache(maxsize=65536)
def folder_steps(url: str) -> tuple[str, ...]:
    """The folders that lead to a page, the last of them the one that the page itself stands for.

    An index page stands for its folder, `a/b/index.html` for `a/b`; any other page stands for the
    folder that bears its name, `a/b.html` for `a/b`.
    """
    parts = urlsplit(url)
    steps = [unquote(step) for step in parts.path.split("/") if step]
    if steps and not parts.path.endswith("/"):
        if is_index_page(parts.path):
            steps.pop()
        else:
            steps[-1] = _ENDING.sub("", steps[-1]) if _ENDING.search(steps[-1]) else steps[-1]
    if parts.query:
        steps.append("?" + parts.query)
    return (parts.netloc, *steps)


def last_step(url: str) -> str:
    """The last name in an address: what to call a page that nothing else names."""
    steps = folder_steps(url)
    return steps[-1] if len(steps) > 1 else url
