"""Wrappers on real sites with known values, a few of them; the whole is `sitewright evaluate`."""

from statistics import fmean

import pytest

from sitewright.evaluate.extraction import ExtractionCase, strangers_for, without_labels
from sitewright.evaluate.extraction_truth import labelled_sites

SOME = ("book-waterstones", "restaurant-gayot", "university-princetonreview")
"""Sites with optional rows, several authors, and a floor that is low."""
WIDEST = 60
"""Columns in the mean: no table is cut at a fixed number that real pages reach."""


@pytest.fixture(scope="module")
def sites(unpacked):
    return labelled_sites(unpacked("swde-dev.tar.xz"))


@pytest.fixture(scope="module")
def some(sites):
    return [site for site in sites if site.name in SOME]


@pytest.fixture(scope="module")
def trials(some):
    return {site.name: without_labels(ExtractionCase.of(site)) for site in some}


def test_the_set_is_read_whole(sites):
    assert len(sites) == 16
    assert len({site.vertical for site in sites}) == 8
    assert all(len(site.files) == 60 for site in sites)
    assert sum(len(site.truth) for site in sites) == 63
    book = next(site for site in sites if site.name == "book-waterstones")
    assert 'The Phantom of the "Open"' in book.truth["title"]["0066"][0]


def test_tables_hold_the_known_values_in_columns_that_people_can_read(trials):
    for name, trial in trials.items():
        assert trial.f >= 0.97, name
        assert trial.harm.mixed == 0, name
        assert trial.misfits <= 1, name
    assert fmean(trial.width for trial in trials.values()) <= WIDEST


def test_the_floor_needs_hundreds_of_columns_and_still_fails_where_rows_shift(trials):
    shifting = trials["university-princetonreview"]
    assert shifting.floor_width > 300
    assert shifting.floor["phone"].f < 0.8 < shifting.fits["phone"].f


def test_a_tenth_of_foreign_pages_ruins_nothing(some, sites):
    site = some[1]
    strangers = strangers_for(site, sites, 0.1)
    assert len(strangers) == 7
    assert without_labels(ExtractionCase.of(site, strangers=strangers)).f >= 0.95


def test_ten_pages_are_enough_to_learn_from(some):
    for site in some:
        assert without_labels(ExtractionCase.of(site, pages=10)).f >= 0.93, site.name
