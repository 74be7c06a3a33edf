"""Small sites for tests: pages by file name, written to a folder."""

from __future__ import annotations

import asyncio

from sitewright.methods import extract_skeleton
from sitewright.site import open_site

ROOT = "http://folder.invalid/"


def site_of(folder, pages):
    for name, html in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html, encoding="utf-8")
    return open_site(str(folder))


def skeleton_of(folder, pages, **options):
    return asyncio.run(extract_skeleton(site_of(folder, pages), **options))


def outline(root):
    """The tree as nested names: {"index.html": {"a.html": {}}}."""
    names = {id(root): {}}
    for _, parent, node in root.walk():
        below = names.setdefault(id(node), {})
        if parent is not None:
            names[id(parent)][node.url.removeprefix(ROOT)] = below
    return names[id(root)]


def links(*targets):
    return "".join(f'<li><a href="{target}">{target} page</a></li>' for target in targets)
