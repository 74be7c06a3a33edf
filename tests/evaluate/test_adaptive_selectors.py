"""Scrapling's adaptive selectors, beside ours."""

import sys

import pytest

from sitewright.errors import SitewrightError
from sitewright.evaluate.adaptive_selectors import relocated_values
from tests.change.lamp_shop import new_page, product, write_shop


def truth(numbers):
    return {f"item-{number}.html": {product(number)["title"].lower()} for number in numbers}


def test_where_scrapling_is_missing_the_command_that_installs_it_is_said(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "scrapling.parser", None)
    with pytest.raises(SitewrightError, match="pip install scrapling"):
        relocated_values(tmp_path, {}, tmp_path, {}, is_list=False)


def test_an_element_is_found_again(tmp_path):
    pytest.importorskip("scrapling", reason="Scrapling is not installed")
    before = write_shop(tmp_path / "before")
    after = write_shop(tmp_path / "after", new_page)
    found = relocated_values(before, truth(range(3)), after, truth(range(5)), is_list=False)
    assert found is not None
    assert found.keys() == truth(range(5)).keys()
