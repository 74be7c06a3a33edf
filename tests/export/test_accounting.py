"""How many pages of each class a run has read."""

from types import SimpleNamespace

import pytest

from sitewright.export.accounting import pages_read
from sitewright.extraction.page_results import ExtractionSummary


@pytest.mark.parametrize(
    ("stubs", "counted"), [((), {}), (("moved",), {"moved": 7}), (("moved", "gone"), {})]
)
def test_redirect_pages_are_those_of_the_only_class_of_them(stubs, counted):
    classes = [SimpleNamespace(name="item", is_stub=False)]
    classes += [SimpleNamespace(name=name, is_stub=True) for name in stubs]
    summary = ExtractionSummary(redirects=7)
    summary.extracted["item"], summary.rejected["item"] = 5, 1
    read = pages_read(SimpleNamespace(classes=classes), summary)
    assert read == {"item": 6} | counted
