"""The measures, against cases worked by hand."""

from __future__ import annotations

import lzma
from math import log2

import pytest

from sitewright.errors import InputNotFound, UnreadableInput
from sitewright.evaluate.measures import (
    ConfusionMatrix,
    class_f,
    entropy,
    f_star,
    precision,
    purity,
    read_labels,
    recall,
)
from sitewright.papers.crescenzi import model_quality, schema_f


def matrix(**rows: dict[str, int]) -> ConfusionMatrix:
    """Six pages of `a`, four of them in x; four of `b`, one of them in x."""
    return ConfusionMatrix({(t, c): n for t, row in rows.items() for c, n in row.items()})


HAND = matrix(a={"x": 4, "y": 2}, b={"x": 1, "z": 3})


def test_precision_and_recall_of_a_pair():
    assert precision(HAND, "a", "x") == 4 / 5
    assert recall(HAND, "a", "x") == 4 / 6
    assert precision(HAND, "a", "z") == recall(HAND, "a", "z") == 0


def test_f_of_a_class_is_that_of_its_best_computed_class():
    assert class_f(HAND, "a") == pytest.approx(2 * 4 / (6 + 5))
    assert class_f(HAND, "b") == pytest.approx(2 * 3 / (4 + 3))


def test_f_star_weighs_classes_by_size():
    assert f_star(HAND) == pytest.approx(0.6 * 8 / 11 + 0.4 * 6 / 7)


def test_entropy_and_purity():
    in_x = -(0.8 * log2(0.8) + 0.2 * log2(0.2))
    assert entropy(HAND) == pytest.approx(in_x * 5 / 10)
    assert purity(HAND) == pytest.approx((4 + 2 + 3) / 10)


def test_a_perfect_clustering():
    perfect = matrix(a={"x": 3}, b={"y": 1})
    assert (f_star(perfect), entropy(perfect), purity(perfect)) == (1, 0, 1)


def test_pages_that_fit_no_class_are_no_class_found():
    nothing = ConfusionMatrix({("a", None): 3})
    assert f_star(nothing) == 0
    assert f_star(ConfusionMatrix({})) == 0


def test_rows_put_large_classes_and_large_counts_first():
    assert HAND.rows() == {"a": {"x": 4, "y": 2}, "b": {"z": 3, "x": 1}}
    assert list(HAND.rows()["b"]) == ["z", "x"]


def test_q_is_one_for_the_reference_itself_and_falls_with_spurious_classes():
    references = [{1, 2}, {3, 4}]
    assert model_quality(references, [[{1, 2}], [{3, 4}]]) == 1
    # The third class is like neither: F = 1, RevF = 2/3.
    assert model_quality(references, [[{1, 2}], [{3, 4}], [{9}]]) == pytest.approx(0.8)
    # One class of everything: each sim is the mean of 1 and 0.
    assert model_quality(references, [[{1, 2}, {3, 4}]]) == pytest.approx(0.5)
    assert model_quality(references, []) == 0


def test_schema_f_is_the_harmonic_mean_of_both_overlaps():
    assert schema_f({1, 2, 3}, {2, 3, 4, 5}) == pytest.approx(2 * 2 / 7)
    assert schema_f(set(), {1}) == 0


def test_labels_are_read_from_plain_and_packed_files(tmp_path):
    (tmp_path / "a.tsv").write_text("# made by hand\nx.html\tplayer\n\ny.html\tteam\n")
    (tmp_path / "a.tsv.xz").write_bytes(lzma.compress(b"x.html\tplayer\n"))
    assert read_labels(tmp_path / "a.tsv") == {"x.html": "player", "y.html": "team"}
    assert read_labels(tmp_path / "a.tsv.xz") == {"x.html": "player"}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("x.html player\n", "line 1"), ("x\ta\nx\tb\n", "two classes"), ("\n", "no labels")],
)
def test_bad_labels_are_refused_in_one_line(tmp_path, text, complaint):
    (tmp_path / "bad.tsv").write_text(text)
    with pytest.raises(UnreadableInput, match=complaint):
        read_labels(tmp_path / "bad.tsv")
    with pytest.raises(InputNotFound):
        read_labels(tmp_path / "missing.tsv")
