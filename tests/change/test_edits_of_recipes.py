"""Whatever is done to the pages of a site, its tables are right, or an alarm says which are not."""

import json
import shutil

import pytest

import sitewright
from sitewright.project import Project
from sitewright.wrapper.values.sketch import value_key
from tests.change.edits_of_recipes import EDITS, QUIET
from tests.change.recipe_site import (
    RECIPES,
    modern_page,
    plain_page,
    recipe,
    write_recipes,
)

FACTS = {
    "title": lambda one: one.title,
    "cook": lambda one: one.cook,
    "kitchen": lambda one: one.kitchen,
    "price": lambda one: one.price,
    "minutes": lambda one: one.minutes,
    "calories": lambda one: one.calories,
    "date": lambda one: one.date,
    "text": lambda one: one.text,
    "picture": lambda one: "http://folder.invalid/" + one.picture,
    "tags": lambda one: list(one.tags),
    "what": lambda one: [row[0] for row in one.rows],
    "much": lambda one: [row[1] for row in one.rows],
}
SEEN_BY_CHECK = {
    "pictures all the same", "pictures lazy", "names turned", "other texts", "rows doubled",
    "texts in another language", "numbers of a column replaced",
}  # fmt: skip
"""Only who knows what the pages said in full can tell: extraction knows hashes."""
NOTICED = {"a fact emptied on three of ten pages"}
"""So many pages may lose a field in a quiet year: a notice, and no alarm."""
SURVIVED = {
    "a label renamed",
    "ids renamed",
    "a fact before all",
    "a box before all",
    "labels in capitals",
    "minified",
    "links absolute",
}
"""No alarm, and all is right, in both designs."""


def pages(page, edit=None):
    made = page if edit is None else edit.made(page)
    return [made(recipe(number)) for number in range(RECIPES)]


CASES = [
    pytest.param(page, name, id=f"{design}-{name}")
    for design, page in (("plain", plain_page), ("modern", modern_page))
    for name, edit in (QUIET | EDITS).items()
    if name == "nothing" or pages(page, edit) != pages(page)
]


@pytest.fixture(scope="module")
def projects(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recipes")
    found = {}
    for page in (plain_page, modern_page):
        site = write_recipes(folder / page.__name__ / "site", page)
        project = sitewright.run(site, folder / page.__name__ / "out", workers=1)
        found[page] = project, columns_of(project.path)
    return found


def columns_of(out):
    """The column that holds each fact."""
    records = table(out)
    return {
        fact: next(
            name for name in records[0] if share_right(records, fact, name, lambda one: one) == 1
        )
        for fact in FACTS
    }


def table(out):
    """For each recipe what its record says; the columns of rows as lists."""
    file = out / "classes" / "recipe" / "table.jsonl"
    lines = map(json.loads, file.read_text().splitlines()) if file.is_file() else ()
    records = {line["_url"].rpartition("/")[2]: flat(line) for line in lines}
    return [records.get(f"recipe-{number}.html", {}) for number in range(RECIPES)]


def flat(line):
    found = {}
    for name, value in line.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            for inner in value[0]:
                found[f"{name}.{inner}"] = [row[inner] for row in value if row[inner] is not None]
        else:
            found[name] = value
    return found


def share_right(records, fact, column, truth):
    """The share of the recipes of which a column says what is true."""
    held = [record.get(column) for record in records]
    true = [FACTS[fact](truth(recipe(number))) for number in range(RECIPES)]
    return sum(map(says, held, true)) / RECIPES


def says(value, true):
    if isinstance(value, list) and isinstance(true, list):
        return list(map(value_key, value)) == list(map(value_key, true))
    return value is not None and value_key(value) == value_key(true)


def named(alarms):
    return {one.field for one in alarms if one.page_class in {"recipe", None}}


@pytest.mark.parametrize(("page", "name"), CASES)
def test_no_value_is_wrong_in_silence(projects, page, name, tmp_path):
    project, columns = projects[page]
    edit = (QUIET | EDITS)[name]
    site = write_recipes(tmp_path / "site", edit.made(page))
    checked = Project(project.path, site).check()
    shutil.copytree(project.path, tmp_path / "out")
    extracted = Project(tmp_path / "out", site).extract(workers=1)
    records = table(tmp_path / "out")
    right = {
        fact: share_right(records, fact, column, edit.truth) for fact, column in columns.items()
    }
    if name in QUIET or name in SURVIVED:
        assert not named(checked.alarms)
        assert not named(extracted.alarms)
        assert min(right.values()) > 0.9
    seen = [named(checked.alarms + checked.notices * (name in NOTICED))]
    if name not in SEEN_BY_CHECK:
        seen.append(named(list(extracted.alarms) + extracted.notices * (name in NOTICED)))
    for fact, column in columns.items():
        if right[fact] < 0.9:
            for said in seen:
                assert {column, column.partition(".")[0], None} & said, fact
