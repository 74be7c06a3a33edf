"""Small pictures of pages on the cards of the report, where a browser is there."""

from __future__ import annotations

import base64
import re
import shutil

import pytest
from library_site import write_library

import sitewright
from sitewright.edits.edit import RenameClass
from sitewright.errors import MissingBrowser
from sitewright.export.report.page_pictures import PICTURES, read_pictures
from sitewright.site import browser


@pytest.fixture
def site(tmp_path):
    write_library(tmp_path / "site")
    return tmp_path / "site"


@pytest.fixture
def chromium():
    pytest.importorskip("playwright", reason="Playwright is not installed")
    if not any(map(shutil.which, browser.NAMES)):
        pytest.skip("no Chromium on this machine")


def shown(out):
    found = re.findall(r"data:image/jpeg;base64,([\w+/=]+)", (out / "report.html").read_text())
    return [base64.b64decode(one) for one in found]


@pytest.mark.usefixtures("chromium")
def test_each_class_has_a_picture_that_stays(site, tmp_path):
    out = tmp_path / "out"
    project = sitewright.run(site, out, pictures=True)
    pictures = shown(out)
    assert len(pictures) == sum(not one.is_stub for one in project.model.classes)
    assert all(one.startswith(b"\xff\xd8") and len(one) < 20_000 for one in pictures)
    taken = (out / PICTURES).read_bytes()
    sitewright.run(site, out, pictures=True)
    assert (out / PICTURES).read_bytes() == taken
    sitewright.run(site, out)
    assert shown(out) == pictures
    sitewright.load(out).apply([RenameClass(page_class="author", to="writer")])
    assert sorted(shown(out)) == sorted(pictures)


def test_without_a_browser_everything_else_is_there(site, tmp_path, monkeypatch):
    pytest.importorskip("playwright", reason="Playwright is not installed")
    monkeypatch.setattr(browser, "executable", lambda _: None)
    with pytest.raises(MissingBrowser):
        sitewright.run(site, tmp_path / "out", pictures=True)
    assert (tmp_path / "out" / "report.html").is_file()
    assert shown(tmp_path / "out") == []
    assert read_pictures(tmp_path / "out") == {}
