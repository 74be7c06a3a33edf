"""Scores of templates, and of clusterings, by small examples worked out by hand."""

import json
import math
import xml.etree.ElementTree as ET

import pytest
from click.testing import CliRunner

from sitewright.cli import sitewright as program
from sitewright.errors import UnreadableInput
from sitewright.evaluate.template import (
    ClusterTable,
    WordVectors,
    cluster_texts,
    common_in_order,
    furthest_point_first,
    jaccard,
    multiset_scores,
    ordered_scores,
    read_true_template,
    run_site,
    template_sites,
)


def test_tokens_count_as_often_as_both_have_them():
    scores = multiset_scores(["<p>", "<p>", "a", "b"], ["<p>", "a", "c"], set())
    assert scores == (2 / 4, 2 / 3)
    assert scores.f == pytest.approx(4 / 7)


def test_neutral_tokens_count_neither_for_nor_against():
    assert multiset_scores(["a", "active"], ["a"], {"active"}) == (1, 1)
    assert multiset_scores(["a"], ["a", "b"], {"active"}) == (1, 1 / 2)


def test_order_counts_where_it_is_asked_for():
    assert multiset_scores(["b", "a"], ["a", "b"], set()) == (1, 1)
    assert ordered_scores(["b", "a"], ["a", "b"], set()) == (1 / 2, 1 / 2)
    assert ordered_scores(["a", "x", "b"], ["a", "b"], {"x"}) == (1, 1)


def test_the_longest_common_subsequence():
    assert common_in_order("abcbdab", "bdcaba") == 4
    assert common_in_order("", "abc") == 0


def test_jaccard_is_over_multisets():
    assert jaccard(["a", "a"], ["a"]) == 1 / 2
    assert jaccard([], []) == 1


def write_site(folder, pages=4):
    (folder / "pages").mkdir(parents=True)
    for number in range(pages):
        body = f"<body><h2 id=x>Menu</h2><p>Text {number}</p></body>"
        (folder / "pages" / f"{number}.html").write_text(f"<html>{body}</html>")
    tokens = [
        "<html>",
        "<body>",
        '<h2 id="x">',
        "menu",
        "</h2>",
        "<p>",
        "</p>",
        "</body>",
        "</html>",
    ]
    (folder / "truth.json").write_text(json.dumps({"tokens": tokens}))


def test_a_site_is_read_and_tried(tmp_path):
    write_site(tmp_path / "one")
    with template_sites(tmp_path) as sites:
        trial = run_site(sites[0], 4, "default", seed=0)
    assert trial.as_json()["f"] == trial.as_json()["ordered_f"] == trial.jaccard == 1
    assert trial.site == "one"


@pytest.mark.parametrize("truth", ["", "[]", "{}", '{"tokens": 3}'])
def test_a_bad_truth_is_named(tmp_path, truth):
    write_site(tmp_path / "one")
    (tmp_path / "one" / "truth.json").write_text(truth)
    with pytest.raises(UnreadableInput, match=r"truth\.json"), template_sites(tmp_path):
        pass


TABLE = ClusterTable.of("aaabbb", [0, 0, 1, 1, 1, 1])


def test_measures_of_a_small_clustering():
    """Category a: F with cluster 0 is 4/5; category b: F with cluster 1 is 6/7."""
    assert TABLE.f_measure() == pytest.approx(0.5 * 4 / 5 + 0.5 * 6 / 7)
    assert TABLE.purity() == pytest.approx(5 / 6)
    information = (
        2 / 6 * math.log(2 * 6 / (3 * 2)) + 1 / 6 * math.log(6 / 12) + 3 / 6 * math.log(18 / 12)
    )
    assert TABLE.nmi() == pytest.approx(2 * information / math.log(4))
    entropy = 4 / 6 * -(1 / 4 * math.log(1 / 4) + 3 / 4 * math.log(3 / 4))
    assert TABLE.nce() == pytest.approx(1 - entropy / math.log(2))
    printed = -(2 / 3 * math.log(2 / 3) + 1 / 3 * math.log(1 / 3))
    assert TABLE.nce_as_printed() == pytest.approx(1 - printed / math.log(2))


def test_a_perfect_clustering_has_the_best_measures():
    table = ClusterTable.of("aabb", [5, 5, 7, 7])
    assert [table.f_measure(), table.purity(), table.nmi(), table.nce()] == pytest.approx([1] * 4)
    assert table.nce_as_printed() == pytest.approx(1)


def test_each_centre_is_the_furthest_from_those_before():
    vectors = WordVectors.of(["sun moon", "sun moon star", "goal ball", "goal ball team"])
    assert furthest_point_first(vectors, 2, first=0) == [0, 0, 1, 1]


def test_equal_texts_are_at_no_distance_and_strangers_at_one():
    vectors = WordVectors.of(["sun moon", "sun moon", "goal ball", ""])
    assert vectors.distances(0) == pytest.approx([0, 0, 1, 1], abs=1e-9)


def test_texts_are_clustered_by_their_words():
    texts = ["sun moon sky", "moon sky sun sun", "goal ball team", "ball team goal goal"]
    result = cluster_texts(texts, ["x", "x", "y", "y"])
    assert result["f_measure"] == result["purity"] == result["nmi"] == result["nce"] == 1
    assert result["bytes"] == sum(map(len, texts))


# The commands, with the paper's method.


def run(*arguments):
    ran = CliRunner().invoke(program, ["evaluate", *map(str, arguments), "--json"])
    assert ran.exit_code == 0, ran.output
    return [json.loads(line) for line in ran.stdout.splitlines()]


def test_the_template_command_gives_the_papers_tables_and_its_figure(tmp_path):
    write_site(tmp_path / "data" / "one")
    rows = run("template", tmp_path / "data", "--method", "paper", "-t", 2, "-t", 4,
               "--plot", tmp_path / "f.svg")  # fmt: skip
    assert [(row["site"], row["pages"]) for row in rows] == [
        ("one", 2), ("all", 2), ("one", 4), ("all", 4),
    ]  # fmt: skip
    assert rows[-1]["f"] == 1
    drawing = ET.fromstring((tmp_path / "f.svg").read_text())
    assert len(drawing.findall("{http://www.w3.org/2000/svg}polyline")) == 3
    (sizes,) = run("template", tmp_path / "data", "--statistics")
    assert sizes["site"] == "one"
    assert sizes["template_tokens"] < sizes["tokens"]


def test_the_threshold_of_the_template_experiment_can_be_set(tmp_path):
    write_site(tmp_path / "data" / "one")
    rows = run("template", tmp_path / "data", "--method", "paper", "-t", 4, "--set",
               "geraci.threshold=0", "--set", "pruning=0")  # fmt: skip
    assert rows[0]["precision"] < 1


def test_the_clustering_command_removes_a_template_made_by_hand(tmp_path):
    """The paper's table 4: original, t = 8 and 16, and the baseline."""
    folder = tmp_path / "pages"
    folder.mkdir()
    menu = "<ul><li>home page</li><li>contact us</li></ul>"
    for number in range(12):
        words = ("river lake water", "engine wheel brake")[number % 2]
        text = (
            f"<html><body>{menu}<p>{words} {words} n{'abcdefghijkl'[number] * 2}</p></body></html>"
        )
        (folder / f"{'ab'[number % 2]}{number}.html").write_text(text)
    tokens = ["<html>", "<body>", "<ul>", "<li>", "home page", "</li>", "<li>", "contact us",
              "</li>", "</ul>", "<p>", "</p>", "</body>", "</html>"]  # fmt: skip
    (tmp_path / "truth.json").write_text(json.dumps({"tokens": tokens}))
    rows = run("clustering", folder, "--category", "^([ab])", "--baseline", tmp_path / "truth.json",
               "-t", 8, "--set", "starts=3", "--plot", tmp_path / "size.svg")  # fmt: skip
    assert "kB, paper" in (tmp_path / "size.svg").read_text(), "the paper's figure 3"
    names = [row["template"] for row in rows]
    assert names == ["none", "paper, t = 8", "default, t = 8", "baseline"]
    baseline = rows[-1]
    assert baseline["f_measure"] == 1
    assert baseline["bytes"] < rows[0]["bytes"]


def test_the_kinds_of_tokens_made_by_hand_are_told_by_their_form(tmp_path):
    file = tmp_path / "truth.json"
    tokens = ["<p>", "<br>", "</p>", "a < b", '<img alt="x">', "<3"]
    file.write_text(json.dumps({"tokens": tokens}))
    kinds = [token.kind.name for token in read_true_template(file)]
    assert kinds == ["START", "VOID", "END", "TEXT", "VOID", "TEXT"]
    file.write_text("[]")
    with pytest.raises(UnreadableInput, match="tokens"):
        read_true_template(file)
