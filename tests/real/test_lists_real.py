"""Index pages of real documentation: every row, counted by selectors written by hand."""

from __future__ import annotations

import shutil
import subprocess
from urllib.parse import urldefrag, urljoin

import pytest
from parsel import Selector

from sitewright.page import Document
from sitewright.wrapper import Record, extract, induce, lines

PAGES = 12
PYTHON = "usr/share/doc/python3.11/html"
POSTGRESQL = "usr/share/doc/postgresql-doc-15/html"


@pytest.fixture(scope="session")
def package(data, tmp_path_factory):
    """Unpack a package of Debian; where its archive cannot be reached, the test skips."""

    def unpack(name):
        if shutil.which("apt-get") is None:
            pytest.skip("no apt-get")
        folder = tmp_path_factory.mktemp(name)
        command = [str(data / "debian-docs"), name, str(folder)]
        done = subprocess.run(command, capture_output=True, timeout=120, check=False)
        if done.returncode != 0:
            pytest.skip(f"no package {name}")
        return folder

    return unpack


def documents(folder, pattern):
    paths = sorted(folder.glob(pattern))[:PAGES]
    assert len(paths) == PAGES
    return [Document(path.read_bytes(), f"http://docs.example/{path.name}") for path in paths]


def text(selector):
    return " ".join(selector.xpath("string()").get("").split())


def test_every_entry_of_the_python_index_is_a_row(package):
    pages = documents(package("python3.11-doc") / PYTHON, "genindex-?.html")
    wrapper = induce(pages, "index")
    assert wrapper.rows is not None
    for page in pages:
        record = extract(wrapper, page)
        assert isinstance(record, Record)
        found = list(lines(wrapper, record))
        entries = Selector(page.body.decode(), type="html").css("table.indextable td > ul > li")
        assert len(found) == len(entries)
        links = [urljoin(page.url, one.xpath("./a/@href").get("")) for one in entries]
        expected = sorted(urldefrag(link).url for link in links if link != page.url)
        urls = [urldefrag(row["url"]).url for row in found if row["url"]]
        assert sorted(urls) == expected


def test_every_column_of_a_catalog_of_postgresql_is_a_row(package):
    pages = documents(package("postgresql-doc-15") / POSTGRESQL, "catalog-pg-*.html")
    wrapper = induce(pages, "catalog")
    for page in pages:
        record = extract(wrapper, page)
        assert isinstance(record, Record)
        rows = Selector(page.body.decode(), type="html").css("div.table")[0].css("tbody > tr")
        names = [text(row.css("code.structfield")[0]) for row in rows]
        kinds = [text(row.css("code.type")[0]) for row in rows]
        sets = [record.values[records.name] for records in wrapper.record_sets]
        assert any(_has(found, names) and _has(found, kinds) for found in sets)


def _has(rows, values):
    """Whether a column holds just these values, or lists that each begin with one."""
    columns = rows[0] if rows else ()
    return any([_first(row[name]) for row in rows] == values for name in columns)


def _first(value):
    return value[0] if isinstance(value, list) and value else value
