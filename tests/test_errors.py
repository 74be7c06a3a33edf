"""Errors are read by people, and travel between processes."""

import pickle

import pytest

from sitewright.errors import (
    InputNotFound,
    InvalidChoice,
    InvalidURL,
    MissingBrowser,
    MissingExtra,
    OtherModel,
    SitewrightError,
    UnknownName,
    WrongFormatVersion,
)

ERRORS = [
    SitewrightError("plain"),
    InputNotFound("a.html"),
    InvalidURL("ftp://x", "no"),
    InvalidChoice("papr", ["default", "paper"]),
    UnknownName("x", "class", ["a", "b"]),
    WrongFormatVersion("model.json", 1, 2),
    OtherModel("wrapper.json", "abc", "def"),
    MissingExtra("tables", "Parquet"),
    MissingBrowser(),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_is_the_same_in_another_process(error):
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)
