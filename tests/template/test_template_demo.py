"""The demo site's classes against the templates that it was written with."""

import json
from collections import Counter

import pytest

from examples.cup import generate
from sitewright.evaluate.measures import read_labels
from sitewright.evaluate.template import multiset_scores
from sitewright.export.class_tables import spread_sample
from sitewright.methods import distill
from sitewright.page import Document

CLASSES = ("help", "match", "news", "photo", "player", "stadium", "team")


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "cup"
    generate(folder, scale=0.1)
    return folder


def scores(cup, name: str):
    """Rows of lists, and what is optional, count neither for nor against."""
    labels = read_labels(cup / "truth" / "page-classes.tsv")
    pages = [
        Document((cup / "site" / path).read_bytes(), path)
        for path, label in labels.items()
        if label == name
    ]
    found = [token.spelling for token in distill(spread_sample(pages, 16))]
    truth = json.loads((cup / "truth" / "templates" / f"{name}.json").read_text())
    rows = list(zip(truth["tokens"], truth["support"], truth["repeated"], strict=True))
    fixed = [token for token, support, repeated in rows if support == 1 and not repeated]
    spare = Counter(token for token, support, repeated in rows if support < 1 or repeated)
    return multiset_scores(
        list((Counter(found) - spare | Counter(found) & Counter(fixed)).elements()), fixed, set()
    )


def test_the_demo_sites_templates_are_found(cup):
    found = {name: scores(cup, name) for name in CLASSES}
    assert min(score.recall for score in found.values()) >= 0.95, found
    assert min(score.precision for score in found.values()) >= 0.9, found
