from sitewright.evaluate.matching import (
    PagePair,
    fragment_parts,
    leaf_parts,
    rows,
    run_method,
    sampled_pairs,
    score_pairs,
)
from tests.visual.drawn_pages import page


def team(name, *stories, coach="someone"):
    return page(
        ("h1", {"class": "name", "id": f"team-{name}"}, name),
        ("p", {"class": "coach"}, coach),
        ("ul", {"class": "news"}, *(("li", ("a", story)) for story in stories)),
    )


ONE, TWO = team("Alberia", "a", "b", "c"), team("Borungu", "d", "e")


def numbers(rendering, tag):
    return [node.number for node in rendering.nodes if node.tag == tag]


def test_equal_classes_make_a_correct_pair_and_ids_of_one_page_say_nothing():
    [h1], [other] = numbers(ONE, "h1"), numbers(TWO, "h1")
    score = score_pairs([(h1, other)], *leaf_parts(ONE, TWO))
    assert (score.found, score.correct, score.expected) == (1, 1, 4)


def test_rows_may_stand_for_each_other_but_not_for_something_else():
    rows_one, [coach] = numbers(ONE, "a"), numbers(TWO, "p")
    rows_two = numbers(TWO, "a")
    score = score_pairs([(rows_one[0], rows_two[1]), (rows_one[1], coach)], *leaf_parts(ONE, TWO))
    assert (score.found, score.correct) == (2, 1)


def test_no_more_is_expected_than_containers_allow():
    first = page(*(("div", {"class": "entry"}, ("p", "x"), ("p", "y")) for _ in range(10)))
    second = page(*(("div", {"class": "entry"}, *(("p", "z") for _ in range(5))) for _ in range(3)))
    assert score_pairs([], *leaf_parts(first, second)).expected == 6


def test_things_are_paired_by_their_leaves_where_a_method_gives_only_leaves():
    text_one = [n.number for n in ONE.nodes if n.text == "Alberia"]
    text_two = [n.number for n in TWO.nodes if n.text == "Borungu"]
    score = score_pairs([*zip(text_one, text_two, strict=True)], *leaf_parts(ONE, TWO))
    assert score.correct == 1


def test_running_text_is_one_leaf_and_several_fragments():
    prose = page(("div", {"class": "x"}, ("p", "One ", ("b", "two"), " three")))
    assert score_pairs([], *leaf_parts(prose, prose)).expected == 1
    assert score_pairs([], *fragment_parts(prose, prose)).expected == 3


def test_a_trial_gives_a_row_for_each_class_and_one_for_all():
    result = run_method(PagePair("team", ONE, TWO), "default")
    found = rows("default", [result])
    assert [row["class"] for row in found] == ["team", "all"]
    assert found[0]["precision"] == found[0]["recall"] == 1
    assert sampled_pairs({"a": ["x", "y", "z"], "b": ["w"]}, pairs=3, seed=1) == sampled_pairs(
        {"b": ["w"], "a": ["z", "y", "x"]}, pairs=3, seed=1
    )
