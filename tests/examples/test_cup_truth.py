from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from cup_reading import Cup

from examples import cup as cup_package
from examples.cup import generate
from examples.cup.records import FIELDS
from examples.cup.tokens import tokenize


@pytest.fixture(scope="module")
def summary(tmp_path_factory):
    return generate(tmp_path_factory.mktemp("cup") / "out", scale=0.1, seed=7)


@pytest.fixture(scope="module")
def cup(summary):
    return Cup(summary.out)


def _texts(value):
    """Every text in a record, however deep."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value
    return [text for each in inner for text in _texts(each)]


def _is_subsequence(wanted, tokens):
    rest = iter(tokens)
    return all(token in rest for token in wanted)


def test_the_classes_are_sorted_by_path_and_their_sizes_are_those_of_the_summary(cup, summary):
    paths = [path for path, _ in cup.table("page-classes.tsv")]
    assert paths == sorted(paths)
    assert Counter(cup.classes.values()) == summary.classes
    assert len(paths) == summary.pages


def test_every_class_has_records_and_a_template_and_single_pages_have_none(cup):
    named = {name for name in cup.classes.values() if not name.startswith("single:")}
    assert set(cup.templates) == named - {"redirect"}
    for name in cup.templates:
        assert sorted(each["_url"] for each in cup.records(name)) == sorted(
            page.path for page in cup.members(name)
        )


def test_every_value_of_a_record_stands_in_the_text_of_its_page(cup):
    for name in cup.templates:
        for record in cup.records(name):
            path = record.pop("_url")
            if path not in cup.malformed:
                text = cup.pages[path].text
                assert [value for value in _texts(record) if value not in text] == []


def test_fields_that_a_page_does_not_show_are_not_in_its_record(cup):
    shown = Counter(field for record in cup.records("player") for field in record)
    assert shown["name"] == shown["born"] == len(cup.records("player"))
    assert 0 < shown["nickname"] < shown["foot"] < shown["name"]


def test_template_tokens_of_all_pages_occur_on_each_page_in_order(cup):
    for name, template in cup.templates.items():
        tokens, support = template["tokens"], template["support"]
        wanted = [token for token, share in zip(tokens, support, strict=True) if share == 1]
        assert len(wanted) > 80
        for page in cup.members(name):
            if page.path not in cup.malformed:
                assert _is_subsequence(wanted, tokenize(page.html)), page.path


def test_the_support_of_a_template_token_is_the_share_of_pages_that_have_it(cup):
    template = cup.templates["player"]
    share = dict(zip(template["tokens"], template["support"], strict=True))
    pages = [tokenize(p.html) for p in cup.members("player") if p.path not in cup.malformed]
    for token in ('<p class="badge">', "biography", "former clubs", "date of birth:", "games"):
        count = sum(token in tokens for tokens in pages)
        assert share[token] == pytest.approx(count / len(pages), abs=1e-6)


def test_rows_of_lists_are_marked_as_repeated_and_fade_out(cup):
    template = cup.templates["team"]
    rows = [
        support
        for token, support, repeated in zip(
            template["tokens"], template["support"], template["repeated"], strict=True
        )
        if repeated and token == "<tr>"
    ]
    assert rows[:3] == [1, 1, 1]
    assert rows == sorted(rows, reverse=True)
    assert rows[-1] < 1


def test_values_are_never_template_tokens(cup):
    for name, template in cup.templates.items():
        names = {record.get("name", "") for record in cup.records(name)}
        assert not {each.lower() for each in names} & set(template["tokens"])


def _tree(cup):
    rows = [row for row in cup.table("skeleton.tsv") if not row[0].startswith("# ")]
    return {child: (parent, title, int(level)) for parent, child, title, level in rows}


def test_the_skeleton_is_a_tree_under_home(cup):
    assert cup.lines("skeleton.tsv")[0] == "# home\tindex.html"
    tree = _tree(cup)
    for parent, _, level in tree.values():
        assert level == (1 if parent == "index.html" else tree[parent][2] + 1)
    rows = [row for row in cup.lines("skeleton.tsv") if not row.startswith("# ")]
    assert len(rows) == len(tree)


def test_every_page_is_in_the_skeleton_or_neutral(cup):
    neutral = {row[1] for row in cup.table("skeleton.tsv") if row[0] == "# neutral"}
    tree = _tree(cup)
    assert neutral | set(tree) | {"index.html"} == set(cup.classes)
    assert not neutral & set(tree)


def test_parents_in_the_skeleton_link_to_their_children(cup):
    rows = cup.table("skeleton.tsv")
    parts = {}
    for row in rows:
        if row[0] == "# neutral" and row[2].startswith("continues "):
            parts.setdefault(row[2].removeprefix("continues "), []).append(row[1])
    for child, (parent, _, _) in _tree(cup).items():
        pages = [parent, *parts.get(parent, [])]
        assert any(child in cup.pages[page].links for page in pages), child


def test_other_parents_link_to_the_page_too(cup):
    alternatives = [row[1:] for row in cup.table("skeleton.tsv") if row[0] == "# alt"]
    assert alternatives
    assert all(page in cup.pages[parent].links for page, parent in alternatives)


def test_tables_of_groups_agree_with_the_match_reports(cup):
    goals = Counter()
    for match in cup.records("match"):
        if "group" in match:
            home, away = match["score"].split("\N{EN DASH}")
            goals[match["home"]] += int(home)
            goals[match["away"]] += int(away)
    for group in cup.records("group"):
        for line in group["standings"]:
            assert int(line["goals"].split(":")[0]) == goals[line["team"]]


def test_goals_of_players_agree_with_the_match_reports(cup):
    scored = Counter(goal["player"] for m in cup.records("match") for goal in m.get("goals", []))
    assert {
        r["name"]: int(r["goals"]) for r in cup.records("player") if r["goals"] != "0"
    } == scored


def test_the_readme_names_every_class_and_every_field():
    readme = Path(cup_package.__file__).with_name("README.md").read_text(encoding="utf-8")
    documented = readme.partition("### Fields")[2].splitlines()
    for name, fields in FIELDS.items():
        line = next(line for line in documented if line.startswith(f"| `{name}` |"))
        words = set(re.findall(r"\w+", line))
        inner = {field for each in fields.values() if each for field in each if field != "."}
        assert set(fields) | inner <= words, name
