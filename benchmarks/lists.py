"""Rows of real list pages: index pages of documentation, against expressions written by hand."""

from __future__ import annotations

import time
from typing import NamedTuple

from benchmarks.pages import debian_package
from sitewright.evaluate.list_rows import row_scores
from sitewright.page import Document

PAGES = 25


class ListPages(NamedTuple):
    """Pages of one kind, and what selects their rows."""

    package: str
    files: str
    rows: str


LISTS = (
    ListPages(
        "python3.11-doc",
        "html/genindex-?.html",
        "//table[contains(@class,'indextable')]//td/ul/li",
    ),
    ListPages("openjdk-17-doc", "index-files/index-?.html", "//dl[@class='index']/dt"),
    ListPages("ghc-doc", "base-*/doc-index-?.html", "//div[@id='index']//tr"),
    ListPages("postgresql-doc-15", "catalog-pg-*.html", "//div[@class='table'][1]//tbody/tr"),
    ListPages("qtbase5-doc-html", "qtwidgets/q*-members.html", "//li[@class='fn']"),
    ListPages("rust-doc", "std/[a-o]*/index.html", "//*[@class='item-row']"),
    ListPages(
        "openjdk-17-doc",
        "java.base/java/*/package-summary.html",
        "//div[@id='class-summary']//div[contains(@class,'col-first')"
        " and not(contains(@class,'table-header'))]",
    ),
    ListPages("cmake-doc", "manual/cmake-[cempv]*.7.html", "//li[contains(@class,'toctree-l1')]"),
)


def main() -> None:
    """Print the table of docs/wrapper.md."""
    print("| pages | true rows, by | pages | rows true / right / wrong | seconds a page |")
    print("|---|---|---|---|---|")
    for kind in LISTS:
        folder = debian_package(kind.package)
        files = sorted(folder.glob(f"**/{kind.files}"))[:PAGES] if folder is not None else []
        documents = [
            Document(file.read_bytes(), f"http://docs.invalid/{file.name}") for file in files
        ]
        if not documents:
            continue
        start = time.process_time()
        found = row_scores(documents, kind.rows)
        spent = (time.process_time() - start) / len(documents)
        counts = f"{found.true:,} / {found.right:,} / {found.wrong:,}"
        print(
            f"| {kind.package} `{kind.files}` | `{kind.rows}` | {len(documents)} | {counts}"
            f" | {spent:.2f} |",
            flush=True,
        )
