"""Repair and diff: old names on new pages, by values; nothing is guessed."""

import json
import shutil
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from click.testing import CliRunner

import sitewright
from sitewright.change.assignment import assign
from sitewright.change.class_repair import RepairedPart
from sitewright.change.columns import project_columns, similarity
from sitewright.change.comparison import ChangeLevel, ClassFate, SiteRelation
from sitewright.change.field_matching import FieldScores
from sitewright.change.old_forms import word_pattern
from sitewright.change.repairing import with_merged
from sitewright.cli import sitewright as program
from sitewright.errors import InvalidInput
from sitewright.export.changes import record_changes
from sitewright.project import Project
from sitewright.wrapper.values.sketch import value_key
from sitewright.wrapper.values.types import ValueKind
from tests.change.lamp_shop import MONTHS, PRODUCTS, WORDS, new_page, old_page, product, write_shop


def call(*arguments):
    return CliRunner().invoke(program, [str(one) for one in arguments])


def records(out, name="item"):
    lines = (out / "classes" / name / "table.jsonl").read_text().splitlines()
    return {line["_url"].rpartition("/")[2]: line for line in map(json.loads, lines)}


@pytest.fixture(scope="module")
def old(tmp_path_factory):
    folder = tmp_path_factory.mktemp("old")
    return sitewright.run(write_shop(folder / "site"), folder / "out", workers=1)


@pytest.fixture(scope="module")
def repaired(old, tmp_path_factory):
    folder = tmp_path_factory.mktemp("new")
    site = write_shop(folder / "site", new_page)
    return folder, old.repair(site, folder / "out", workers=1)


# values


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("26 Aug 2014", "August 26, 2014"),
        ("2014-08-26T00:00:00+00:00", "26 Aug 2014"),
        ("A Verified  Compiler", "a verified compiler"),
        (12.5, "12.50 EUR"),
        ("by: Ada", "By: Ada."),
    ],
)
def test_values_are_the_same_however_they_are_written(one, other):
    assert value_key(one) == value_key(other)


def test_texts_that_were_edited_keep_most_of_their_words():
    text = "the amber lamp gives light in nine colours and is made of glass"
    assert similarity((text,), (text.replace("nine", "ten"),)) > 0.8
    assert similarity(("amber lamp",), ("amber light",)) == 0.0
    assert similarity(("a", "b"), ("b", "a", "c")) == 0.8


def test_the_assignment_has_the_highest_sum():
    scores = np.array([[0.9, 0.8, 0.0], [0.85, 0.1, 0.0]])
    assert assign(scores) == [(0, 1), (1, 0)]
    assert assign(scores.T) == [(0, 1), (1, 0)]
    assert assign(np.zeros((2, 3))) == []


def test_the_assignment_is_the_best_of_all_permutations():
    chance = np.random.default_rng(0)
    for _ in range(20):
        scores = chance.random((4, 5))
        best = max(
            sum(scores[row, turn[row]] for row in range(4)) for turn in permutations(range(5), 4)
        )
        assert sum(scores[pair] for pair in assign(scores)) == pytest.approx(best)


# repair


def test_a_redesign_is_repaired_under_the_old_names_and_types(repaired):
    folder, report = repaired
    found = records(folder / "out")
    one = product(7)
    assert len(found) == 40
    assert found["item-7.html"] | {} == {
        **found["item-7.html"],
        "title": one["title"],
        "maker": one["maker"],
        "price": float(one["price"]),
        "since": "2014-01-08",
        "about": one["text"],
    }
    assert report.is_whole
    assert list(report.lost()) == []


def test_the_new_project_is_whole(repaired):
    folder, report = repaired
    out = folder / "out"
    assert json.loads((out / "repair.json").read_text())["format"] == "sitewright-repair"
    assert (out / "spider" / "README.md").is_file()
    assert (out / "report.html").is_file()
    assert not (folder / ".out.repair").exists()
    assert sitewright.load(out).check(folder / "site").fits
    (item, _) = report.classes
    assert item.fate is ClassFate.SAME
    assert {one.field: one.agreement for one in item.fields}["since"] == 1.0


def test_pages_that_moved_are_known_by_their_values(old, tmp_path):
    site = write_shop(tmp_path / "site", new_page, name="lamps/{}/index.html")
    report = old.repair(site, tmp_path / "out", workers=1)
    item = next(one for one in report.classes if one.page_class == "item")
    assert item.fate is ClassFate.MOVED
    assert all(one.found for one in item.fields)


def test_a_field_that_is_gone_is_lost_and_never_guessed(old, tmp_path):
    def without_maker(one):
        return new_page(one).replace(f"<dt>Made by</dt><dd>{one['maker']}</dd>", "")

    site = write_shop(tmp_path / "site", without_maker)
    run = call("-q", "repair", old.path, site, "-o", tmp_path / "out", "--json")
    assert run.exit_code == 4
    report = json.loads(run.stdout)
    item = next(one for one in report["classes"] if one["page_class"] == "item")
    (lost,) = [one for one in item["fields"] if not one["found"]]
    assert lost["field"] == "maker"
    assert lost["reason"]
    assert "maker" not in records(tmp_path / "out")["item-1.html"]


def test_a_dry_run_leaves_nothing_behind(old, tmp_path):
    site = write_shop(tmp_path / "site", new_page)
    before = sorted(tmp_path.iterdir())
    run = call("-q", "repair", old.path, site, "-o", tmp_path / "out", "--dry-run", "--json")
    assert run.exit_code == 0
    assert json.loads(run.stdout)["fields_lost"] == 0
    assert sorted(tmp_path.iterdir()) == before


def test_a_folder_that_is_there_is_refused(old, repaired):
    folder, _ = repaired
    with pytest.raises(InvalidInput, match="is there already"):
        old.repair(folder / "site", folder / "out")


def test_a_repair_that_is_broken_off_leaves_no_project(old, tmp_path, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    site = write_shop(tmp_path / "site", new_page)
    monkeypatch.setattr(Project, "arewrite", interrupt)
    with pytest.raises(KeyboardInterrupt):
        old.repair(site, tmp_path / "out", workers=1)
    assert not (tmp_path / "out").exists()
    monkeypatch.undo()
    assert old.repair(site, tmp_path / "out", workers=1).is_whole


def test_an_unchanged_site_keeps_its_columns(old, tmp_path):
    site = write_shop(tmp_path / "site")
    old.repair(site, tmp_path / "out", workers=1)
    again = sitewright.load(tmp_path / "out")
    assert again["item"].table.columns == old["item"].table.columns
    assert list(again["item"].records()) == list(old["item"].records())


# diff


def test_two_projects_of_one_site_differ_in_nothing(old):
    found = sitewright.diff(old, old.path)
    assert found.level is ChangeLevel.NONE
    assert found.records == {}
    assert found.relation is SiteRelation.REPLICA
    assert {one.fate for one in found.classes} == {ClassFate.SAME}


def test_changed_records_are_counted_by_page(old, tmp_path):
    def dearer(one):
        return old_page(one | {"price": "99.50"}) if one["maker"] == "Dorn" else old_page(one)

    site = write_shop(tmp_path / "site", dearer, numbers=range(2, 42))
    run = call("-q", "diff", old.path, site, "--changes", tmp_path / "changes.jsonl", "--json")
    found = json.loads(run.stdout)
    assert found["level"] == "content changed"
    changes = list(map(json.loads, (tmp_path / "changes.jsonl").read_text().splitlines()))
    of_items = [one for one in changes if one["class"] == "item"]
    assert {one["key"] for one in of_items if one["change"] == "gone"} == {
        "/item-0.html",
        "/item-1.html",
    }
    changed = {(one["field"], one["new"]) for one in of_items if one["change"] == "changed"}
    assert ("price", 99.5) in changed


def test_a_redesign_is_told_in_plain_words(old, repaired):
    folder, _ = repaired
    found = sitewright.diff(old, folder / "site")
    assert found.level in {ChangeLevel.FIELD_FOUND, ChangeLevel.FIELD_LOST}
    item = next(one for one in found.classes if one.old == "item")
    assert {one.old: one.new for one in item.fields}["maker"] == "made_by"


def test_another_shop_of_the_same_theme_is_no_replica(old, tmp_path):
    def other(one):
        words = one["text"].split()[::-1]
        changed = {"title": f"Chair {one['day']}{one['month']}", "text": " ".join(words) + "!"}
        return old_page(one | changed | {"maker": one["maker"][::-1]})

    site = write_shop(tmp_path / "site", other, numbers=range(200, 240), name="chair-{}.html")
    copy = shutil.copytree(old.source.site, tmp_path / "copy")
    assert sitewright.diff(old, site).relation is SiteRelation.THEME
    assert sitewright.diff(old, copy).relation is SiteRelation.REPLICA


def write_two_shops(folder, second=old_page):
    """A shop of lamps, and one of chairs beside it."""
    write_shop(folder, name="lamps/item-{}.html")
    for number in range(100, 100 + PRODUCTS):
        one = product(number) | {"title": f"Chair {number} of {WORDS[number % 14]}"}
        place = folder / "chairs" / f"chair-{number}.html"
        place.parent.mkdir(exist_ok=True)
        place.write_text(second(one).replace("index.html", "../index.html"))
    home = folder / "index.html"
    links = "".join(
        f"<li><a href=chairs/chair-{number}.html>Chair {number}</a>"
        for number in range(100, 100 + PRODUCTS)
    )
    home.write_text(home.read_text().replace("</body>", f"<h2>Chairs</h2><ol>{links}</ol></body>"))
    return folder


def test_classes_that_become_one_are_merged(tmp_path):
    old = sitewright.run(write_two_shops(tmp_path / "old", new_page), tmp_path / "old-out")
    new = sitewright.run(write_two_shops(tmp_path / "new"), tmp_path / "new-out")
    names = {one.name for one in old.model.classes if len(one.pages) >= PRODUCTS}
    fates = {one.old: one for one in sitewright.diff(old, new).classes}
    assert len(names) == 2
    assert {fates[name].fate for name in names} == {ClassFate.MERGED}
    assert len({fates[name].new for name in names}) == 1
    back = {one.old: one.fate for one in sitewright.diff(new, old).classes}
    assert ClassFate.SPLIT in back.values()


def test_what_is_merged_is_read_in_the_class_that_it_became(tmp_path):
    old = sitewright.run(write_two_shops(tmp_path / "old", new_page), tmp_path / "old-out")
    site = write_two_shops(tmp_path / "new")
    report = Project(old.path).repair(site, tmp_path / "repaired")
    merged = [one for one in report.classes if one.fate is ClassFate.MERGED]
    assert len(merged) == 2
    found = {
        f"{one.page_class}.{each.field}" for one in merged for each in one.fields if each.found
    }
    assert {"item.title", "chair.title", "chair.made_by", "item.maker"} <= found


def test_rows_of_a_list_are_compared_by_their_key():
    def table(price):
        rows = [("Ember", "7"), ("Fjord", price), ("Glade", "9")]
        return {"lamp": [{"_url": "/lamps", "name": a, "price": b} for a, b in rows]}

    after = table("8")
    after["lamp"].append({"_url": "/lamps", "name": "Heath", "price": "5"})
    found = [
        (one.key, one.change, one.field, one.old, one.new)
        for one in record_changes(table("6"), after, {"lamp": ("name",)})
    ]
    assert found == [
        ("/lamps#Fjord", "changed", "price", "6", "8"),
        ("/lamps#Heath", "new", None, None, {"name": "Heath", "price": "5"}),
    ]


def test_old_and_new_pages_stand_side_by_side(old, repaired, tmp_path):
    report = tmp_path / "diff.html"
    run = call("-q", "diff", old.path, repaired[0] / "out", "--report", report)
    assert run.exit_code == 0
    page = report.read_text()
    assert page.count("<iframe sandbox") == 2 * page.count("<section>") > 0
    assert "<script" not in page
    assert "maker" in page


def test_fields_are_known_again_without_the_old_tables(old, tmp_path):
    out = shutil.copytree(old.path, tmp_path / "old")
    for table in out.glob("classes/*/table.*"):
        table.unlink()
    site = write_shop(tmp_path / "site", new_page)
    report = Project(out).repair(site, tmp_path / "new", workers=1)
    item = next(one for one in report.classes if one.page_class == "item")
    assert {one.field for one in item.fields if one.found} >= {"title", "maker", "price", "since"}
    assert item.pages > 0
    lamp = records(tmp_path / "new")["item-7.html"]
    assert lamp["maker"] == product(7)["maker"]
    assert lamp["price"] == float(product(7)["price"])


def test_a_copy_in_another_design_under_other_addresses_is_a_replica(old, tmp_path):
    site = write_shop(tmp_path / "site", new_page, name="lamp/{}.html")
    assert sitewright.diff(old, site).relation is SiteRelation.REPLICA


def test_another_shop_in_another_design_is_different(old, tmp_path):
    site = write_shop(tmp_path / "site", new_page, numbers=range(500, 540))
    assert sitewright.diff(old, site).relation is SiteRelation.DIFFERENT


def test_brackets_around_all_new_values_are_no_part_of_them(old, tmp_path):
    def page(one):
        return new_page(one).replace(f">{one['maker']}<", f">({one['maker']})<")

    site = write_shop(tmp_path / "site", page)
    report = old.repair(site, tmp_path / "out", workers=1)
    assert report.is_whole
    assert records(tmp_path / "out")["item-7.html"]["maker"] == product(7)["maker"]


@pytest.mark.parametrize("design", [old_page, new_page], ids=["same design", "new design"])
@pytest.mark.parametrize("numbers", [range(PRODUCTS), range(200, 240)], ids=["shared", "disjoint"])
def test_words_that_a_redesign_puts_around_values_are_no_part_of_them(
    old, design, numbers, tmp_path
):
    """All old values lacked them, all new ones have them: "Published: DATE", "by NAME"."""

    def page(one):
        html = design(one).replace(f">{one['maker']}<", f">by {one['maker']}<")
        html = html.replace(f">{one['title']}</h", f">{one['title']} | Lamps</h")
        for text in (f"{one['day']} {one['month'][:3]} 2014", f"{one['month']} {one['day']}, 2014"):
            html = html.replace(text, f"Published: {text}")
        return html

    site = write_shop(tmp_path / "site", page, numbers=numbers)
    report = old.repair(site, tmp_path / "out", workers=1)
    found = records(tmp_path / "out")
    number = numbers[7]
    one, values = product(number), found[f"item-{number}.html"]
    lost = {each.field for _, each in report.lost()}
    assert values["title"] == one["title"]
    assert values.get("maker") == one["maker"] or "maker" in lost
    month = MONTHS.index(one["month"]) + 1
    dates = {value for name, value in values.items() if name in {"since", "date"}}
    assert dates == {f"2014-{month:02}-{int(one['day']):02}"} or "since" in lost


def test_words_that_old_values_had_stay(tmp_path):
    def page(one, design=old_page):
        return design(one).replace(f">{one['maker']}<", f">house {one['maker']}<")

    old = sitewright.run(write_shop(tmp_path / "before", page), tmp_path / "old", workers=1)
    site = write_shop(tmp_path / "after", lambda one: page(one, new_page))
    before = records(old.path)
    old.repair(site, tmp_path / "out", workers=1)
    after = records(tmp_path / "out")
    assert {after[name]["maker"] == before[name]["maker"] for name in before} == {True}


def test_words_that_one_part_of_a_class_has_were_there_before():
    """A class may fall in two by what its pages say: "Inatsisartut 2" was no "2" before."""
    before = ["1989-1994", "2015-2020", "5th Convocation", "7th Convocation", "Inatsisartut 4"]
    now = [f"Inatsisartut {number}" for number in range(2, 12)]
    assert not word_pattern(now, before, ValueKind.TEXT)
    assert word_pattern(now, before[:-1], ValueKind.TEXT)


def test_a_rival_that_is_surely_another_field_is_no_doubt(old):
    columns = project_columns(old)["item"]
    by_form = FieldScores(columns, columns, [])
    others = [one for one in columns.columns if one.name in {"title", "maker"}]
    sure = np.array([[0.83, 0.80], [0.80, 0.96]])
    doubtful = np.array([[0.83, 0.80], [0.95, 0.96]])
    partner = {0: 0, 1: 1}
    assert by_form.form_gap(sure, partner, 0, others) == pytest.approx(0.19)
    assert by_form.form_gap(doubtful, partner, 0, others) == pytest.approx(0.04)


def test_a_field_without_its_unit_is_not_left_empty(old, tmp_path):
    def page(one):
        return old_page(one).replace(f"{one['price']} EUR", one["price"])

    report = old.repair(write_shop(tmp_path / "site", page), tmp_path / "new", workers=1)
    assert "price" not in {each.field for _, each in report.lost()}
    assert records(tmp_path / "new")["item-3.html"]["price"] == float(product(3)["price"])


def test_of_pages_of_merged_classes_no_more_is_expected_than_both_had(old):
    larger = replace(old.wrappers["item"], required=("title", "maker", "price"))
    merged, _ = with_merged(larger, RepairedPart(larger, []), ("title", "chief"))
    assert merged.required == ("title",)


def comments(one):
    """What a few people have said of a product; of half of them nobody has."""
    number = int(one["title"].split()[-1])
    for turn in range((0, 1, 0, 2, 1, 3)[number % 6]):
        word, other = WORDS[(number + 3 * turn) % 14], WORDS[(number * 5 + turn) % 14]
        who = WORDS[(number + 3 * turn) % 5].title()  # so few that they may be labels
        yield who, f"I have had the {word} or {other} one for {number} years."


def test_fields_of_rows_that_are_still_found_are_learnt_in_them(tmp_path):
    def old_rows(one):
        rows = "".join(
            f"<li class=comment><div class=author><a href=#>{name}</a></div><p>{text}</p></li>"
            for name, text in comments(one)
        )
        return new_page(one).replace("</article>", f"<ol>{rows}</ol></article>" if rows else "")

    def new_rows(one):
        rows = "".join(
            f"<li class=comment><b class=by>{name}</b><div class=said>{text}</div></li>"
            for name, text in comments(one)
        )
        return old_page(one).replace("</body>", f"<ol>{rows}</ol></body>" if rows else "")

    old = sitewright.run(write_shop(tmp_path / "old", old_rows), tmp_path / "out", workers=1)
    (records_,) = old.wrappers["item"].record_sets
    site = write_shop(tmp_path / "new", new_rows)
    assert not sitewright.run(site, tmp_path / "fresh", workers=1).wrappers["item"].record_sets
    Project(old.path).repair(site, tmp_path / "repaired", workers=1)
    rows = records(tmp_path / "repaired")["item-5.html"][records_.name]
    assert [(one["author"], one["text"]) for one in rows] == list(comments(product(5)))
