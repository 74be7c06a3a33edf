"""The tables of a whole run against known values, by small examples worked out by hand."""

import json

import pytest

from sitewright.evaluate.run_tables import (
    RunTables,
    agreement,
    demo_scores,
    page_f,
    recall,
    redesign_scores,
    run_cases,
    run_means,
    run_scores,
    says,
    table_scores,
)


def tables(**columns):
    found = {
        ("", name): {page: set(values) for page, values in pages.items()}
        for name, pages in columns.items()
    }
    found |= {("film", name): pages for (_owner, name), pages in found.items()}
    return RunTables(found, len(columns), 3, 1)


def write_lines(file, *lines):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(
        "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    )


def test_a_page_is_right_with_one_true_value_and_every_other_value_counts_against_it():
    truth = {"a": {"1"}, "b": {"2"}, "c": set()}
    assert page_f(truth, {"a": {"1"}, "b": {"2"}}) == 1.0
    assert page_f(truth, {"a": {"1"}, "b": {"2", "3"}, "c": {"4"}}) == pytest.approx(4 / 6)
    assert page_f(truth, {"a": {"9"}}) == 0.0


def test_a_list_that_the_truth_has_as_one_text_is_right_when_all_its_parts_are_there():
    assert page_f({"a": {"drama, comedy"}}, {"a": {"drama", "comedy"}}) == 1.0
    assert page_f({"a": {"drama, comedy"}}, {"a": {"drama"}}) == 0.0


def test_a_name_says_a_word_whole_as_a_plural_or_inside_a_longer_one():
    assert says("list_price", ["price"])
    assert says("prices", ["price"])
    assert says("fuelEconomy", ["fuel_economy"])
    assert says("publisher_name", ["publish"])
    assert not says("age_group", ["page"])
    assert not says("text_2", ["title"])


def test_the_best_column_and_the_best_with_a_telling_name_are_two_things():
    found = agreement(
        tables(text={"a": "1", "b": "2"}, price={"a": "1"}), {"a": {"1"}, "b": {"2"}}, ["price"]
    )
    assert (found.best, found.column) == (1.0, "text")
    assert (found.named, found.named_column) == (pytest.approx(2 / 3), "price")


def test_constant_columns_copies_and_those_with_a_constant_around_them_are_faulty():
    names = {"a": ["ada"], "b": ["bob"], "c": ["cy"]}
    wordy = {page: [f"all about {name[0]}"] for page, name in names.items()}
    constant = {page: ["home"] for page in names}
    other = {"a": ["x"], "b": ["y"], "c": ["z"]}
    found = table_scores(
        tables(name=names, copy=names, page_title=wordy, menu=constant, what=other)
    )
    assert found["faulty"] == pytest.approx(3 / 5)
    assert found["rejected"] == pytest.approx(1 / 4)


def test_tables_of_all_classes_are_read_and_record_sets_by_their_parts(tmp_path):
    write_lines(
        tmp_path / "classes" / "film" / "table.jsonl",
        {"_url": "http://folder.invalid/x%20y.htm", "name": "Ran", "cast": [{"who": "Ada"}]},
    )
    write_lines(tmp_path / "rejected.jsonl", {"url": "u", "class": None, "reason": "r"})
    found = RunTables.of(tmp_path)
    assert found.columns["film", "name"] == {"x y.htm": {"ran"}}
    assert found.columns["", "cast.who"] == found.columns["", "cast"] == {"x y.htm": {"ada"}}
    assert (found.width, found.pages, found.rejected) == (2, 1, 1)


def test_labelled_fields_count_on_pages_with_truth_only_and_lists_by_recall(tmp_path):
    write_lines(tmp_path / "classes.tsv", "a\ta2\tpost", "b\tb2\tpost", "c\tc2\tpost")
    write_lines(
        tmp_path / "truth.tsv",
        "a\ta2\ttitle\tOne", "b\tb2\ttitle\tTwo", "a\ta2\ttag\tx", "a\ta2\ttag\ty",
    )  # fmt: skip
    held = tables(title={"a": ["one"], "b": ["two"], "c": ["other"]}, words={"a": ["x", "y", "z"]})
    found = redesign_scores(held, tmp_path, "before")
    assert (found["fields"], found["fields_named"], found["labelled"]) == (1.0, 0.5, 2)
    assert redesign_scores(held, tmp_path, "after")["fields"] == 0.0


def test_values_of_the_demo_are_found_named_or_wrong(tmp_path):
    file = tmp_path / "truth" / "player.jsonl"
    write_lines(
        file,
        {"_url": "a", "name": "Ada", "goals": 2},
        {"_url": "b", "name": "Bob", "goals": 3},
    )
    held = tables(name={"a": ["ada"], "b": ["eve"]}, text={"a": ["2"], "b": ["3"]})
    found = demo_scores(held, file)
    assert found["values"] == pytest.approx(3 / 4)
    assert found["values_named"] == pytest.approx(1 / 4)
    assert found["wrong_values"] == pytest.approx(1 / 2)


def test_recall_is_the_share_of_the_true_values():
    assert recall({"a": {"1", "2"}, "b": {"3"}}, {"a": {"1"}, "b": {"3", "4"}}) == pytest.approx(
        2 / 3
    )


def test_means_are_over_groups_and_leave_out_what_a_site_does_not_have():
    rows = [
        {"site": "a", "group": "x", "best": 1.0},
        {"site": "b", "group": "x", "best": 0.0, "relations": 0.3},
        {"site": "c", "group": "y", "best": 0.0},
    ]
    assert run_means(rows) == {"site": "all", "sites": 3, "best": 0.25, "relations": 0.3}


def test_a_site_goes_through_the_whole_run(tmp_path):
    pages = tmp_path / "film" / "film-one"
    pages.mkdir(parents=True)
    names = "Wind Sea Sun Moon Star Rain Snow Fire Earth Stone".split()
    for number, name in enumerate(names):
        (pages / f"{number:04}.htm").write_text(
            f"<html><body><h1>The {name}</h1><table><tr><th>Year</th><td>{1950 + number}</td></tr>"
            f"<tr><th>Minutes</th><td>{90 + number}</td></tr></table></body></html>"
        )
    rows = [f"{number:04}\t1\t{1950 + number}" for number in range(len(names))]
    truth = tmp_path / "groundtruth" / "film" / "film-one-year.txt"
    write_lines(truth, "film\tone\tyear", "10\t10\t10\t10", *rows)
    relation = {"page": "0000", "relation": "Minutes", "values": ["90"]}
    lines = [{**relation, "page": f"{n:04}", "values": [str(90 + n)]} for n in range(len(names))]
    write_lines(tmp_path / "relations" / "film-one.jsonl", *lines)
    write_lines(tmp_path / "names.tsv", "# words", "film\tyear\tyear released")
    (case,) = run_cases(tmp_path, tmp_path / "names.tsv")
    (row,) = run_scores(case)
    assert (row["best"], row["named"], row["relations"], row["relations_named"]) == (1, 1, 1, 1)
    assert row["rejected"] == row["faulty"] == 0
