"""A site map from a skeleton: sitemap.xml for crawlers, an indented text for people."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

from sitewright.export.graph import xml_document, xml_text
from sitewright.formats import complete_or_absent, output_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sitewright.skeleton import SkeletonNode


MAX_URLS = 50_000
"""The most pages that the sitemap protocol allows in one file."""
MAX_URL = 2048
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def write_sitemap(root: SkeletonNode, to: Path) -> list[Path]:
    """Write sitemap.xml and sitemap.txt into a folder, or one of them as the file that is named.

    A path that ends in .xml or .txt is a file, unless there is a folder of that name. More than
    50,000 pages get an index, with numbered files beside it. The answer is the files that were
    written, the first of them the one to point others at.
    """
    is_file = to.suffix.lower() in {".xml", ".txt"} and not to.is_dir()
    folder, stem = (to.parent, to.stem) if is_file else (to, "sitemap")
    files = _xml_files(root, stem) | {f"{stem}.txt": "".join(f"{x}\n" for x in sitemap_text(root))}
    if is_file:
        ending = to.suffix.lower()
        files = {name: text for name, text in files.items() if name.endswith(ending)}
        files = {to.name: files.pop(f"{stem}{ending}"), **files}
    output_folder(folder)
    written = []
    for name, text in files.items():
        with complete_or_absent(folder / name) as file:
            file.write(text)
        written.append(folder / name)
    return written


def _xml_files(root: SkeletonNode, stem: str) -> dict[str, str]:
    """The site map by the names of its files."""
    urls = list(dict.fromkeys(node.url for _, _, node in root.walk() if len(node.url) < MAX_URL))
    parts = [urls[start : start + MAX_URLS] for start in range(0, len(urls), MAX_URLS)]
    if len(parts) == 1:
        return {f"{stem}.xml": sitemap_xml(urls)}
    names = [f"{stem}-{number}.xml" for number in range(1, len(parts) + 1)]
    index = {f"{stem}.xml": _index_xml(root.url, names)}
    return index | {name: sitemap_xml(part) for name, part in zip(names, parts, strict=True)}


def sitemap_xml(urls: list[str]) -> str:
    """A sitemap of the sitemaps.org protocol."""
    return _listing("urlset", "url", urls)


def sitemap_text(root: SkeletonNode) -> Iterator[str]:
    """The tree as text: two spaces a level, the title, and the URL in angle brackets."""
    for level, _, node in root.walk():
        title = " ".join(xml_text(node.title).split())
        yield f"{'  ' * level}{title} <{node.url}>"


def _index_xml(home: str, names: list[str]) -> str:
    folder = home.rpartition("/")[0]
    return _listing("sitemapindex", "sitemap", [f"{folder}/{name}" for name in names])


def _listing(name: str, entry: str, urls: list[str]) -> str:
    root = ET.Element(name, xmlns=_NAMESPACE)
    for url in urls:
        location = ET.SubElement(ET.SubElement(root, entry), "loc")
        location.text = xml_text(url)
    return xml_document(root)
