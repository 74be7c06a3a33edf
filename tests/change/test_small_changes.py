"""Small changes are survived and seen; whatever is lost is said."""

import json
import re
import shutil

import pytest

import sitewright
from sitewright.extraction.alarms import AlarmKind
from sitewright.page import Document
from sitewright.project import Project
from sitewright.wrapper import Extractor, induce
from sitewright.wrapper.spare_selectors import SelectorDoubt, SelectorKind, selector_kind
from sitewright.wrapper.values.sketch import value_key
from tests.change.edits_of_pages import CHANGES
from tests.change.lamp_shop import (
    MONTHS,
    PRODUCTS,
    WORDS,
    new_page,
    old_page,
    product,
    write_shop,
)

SURVIVED = {
    "labels renamed", "classes renamed", "classes gone", "columns swapped",
    "dates written otherwise", "a row before all",
}  # fmt: skip
LOST = {
    "a field removed": "maker",
    "a field emptied": "maker",
    "a text removed": "text",
    "prices in pounds": "price",
    "heading of another level": "title",
    "two values in each other's place": "title",
    "makers all the same": "maker",
}


@pytest.fixture(scope="module", params=[old_page, new_page], ids=["table", "cards"])
def shop(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("shop")
    site = write_shop(folder / "site", request.param)
    return request.param, sitewright.run(site, folder / "out")


def true_values(number):
    one = product(number)
    month = MONTHS.index(one["month"]) + 1
    day = f"2014-{month:02}-{int(one['day']):02}"
    return {name: one[name] for name in ("title", "maker", "price", "text")} | {"day": day}


def table(out):
    file = out / "classes" / "item" / "table.jsonl"
    lines = map(json.loads, file.read_text().splitlines()) if file.is_file() else ()
    return {line["_url"].rpartition("/")[2]: line for line in lines}


def right_values(records, name, column):
    """Of how many products a column has the true value."""
    held = [records.get(f"item-{number}.html", {}).get(column) for number in range(PRODUCTS)]
    return sum(
        value is not None and value_key(value) == value_key(true_values(number)[name])
        for number, value in enumerate(held)
    )


def columns_of(records):
    """The column that holds each thing that is known of the products."""
    names = list(records["item-1.html"])
    return {
        name: next(one for one in names if right_values(records, name, one) == PRODUCTS)
        for name in true_values(0)
    }


@pytest.mark.parametrize("change", CHANGES)
def test_nothing_is_lost_silently(shop, change, tmp_path):
    page, project = shop
    columns = columns_of(table(project.path))
    site = write_shop(tmp_path / "site", CHANGES[change](page))
    checked = Project(project.path, site).check()
    shutil.copytree(project.path, tmp_path / "out")
    extracted = Project(tmp_path / "out", site).extract(workers=1)
    records = table(tmp_path / "out")
    for name, column in columns.items():
        if right_values(records, name, column) < PRODUCTS * 0.9:
            assert {column, None} & {one.field for one in checked.alarms}
            assert {column, None} & {one.field for one in extracted.alarms}
        elif change in SURVIVED | LOST.keys():
            assert column not in {one.field for one in checked.alarms}
    if change in SURVIVED:
        assert checked.fits
        assert not extracted.has_changed
        assert all(right_values(records, *one) == PRODUCTS for one in columns.items())


@pytest.mark.parametrize("change", LOST)
def test_what_is_lost_is_named(shop, change, tmp_path):
    page, project = shop
    columns = columns_of(table(project.path))
    site = write_shop(tmp_path / "site", CHANGES[change](page))
    assert columns[LOST[change]] in {
        one.field for one in Project(project.path, site).check().alarms
    }


def test_a_field_that_says_what_another_said_is_told_as_such(shop, tmp_path):
    page, project = shop
    site = write_shop(tmp_path / "site", CHANGES["two values in each other's place"](page))
    shutil.copytree(project.path, tmp_path / "out")
    for _ in range(2):  # the tables are new ones the second time; the sketch is not
        summary = Project(tmp_path / "out", site).extract(workers=1)
        assert AlarmKind.OTHER_FIELD in {one.kind for one in summary.alarms}


@pytest.mark.parametrize("change", ["labels renamed", "classes gone"])
def test_a_change_that_is_survived_is_seen(shop, change, tmp_path):
    page, project = shop
    site = write_shop(tmp_path / "site", CHANGES[change](page))
    kinds = {one.kind for one in Project(project.path, site).check().notices}
    assert AlarmKind.OTHER_SELECTOR in kinds


def test_selectors_of_a_field_hold_on_to_different_things(shop):
    _, project = shop
    fields = project.wrappers["item"].fields
    assert any(one.rule.alternatives for one in fields)
    for one in fields:
        selectors = (one.rule.selector, *one.rule.alternatives)
        assert len({selector_kind(selector) for selector in selectors}) == len(selectors) <= 3


def test_alternatives_are_in_the_file_and_read_back(shop):
    _, project = shop
    file = project.path / "classes" / "item" / "wrapper.json"
    written = {one["name"]: one["alternatives"] for one in json.loads(file.read_text())["fields"]}
    read = sitewright.load(project.path).wrappers["item"].fields
    assert {one.name: [each.xpath() for each in one.rule.alternatives] for one in read} == written
    assert any(written.values())


def test_a_page_that_lacks_a_field_gets_no_value_of_another(shop):
    page, project = shop
    html = CHANGES["a field removed"](page)(product(5))
    record = Extractor(project.wrappers["item"]).extract(Document(html.encode(), "http://x.org/"))
    assert record.values[columns_of(table(project.path))["maker"]] is None


def test_selectors_that_disagree_say_so(shop):
    page, project = shop
    html = CHANGES["columns swapped"](page)(product(5))
    extractor = Extractor(project.wrappers["item"], always_compared=True)
    doubts = extractor.extract(Document(html.encode(), "http://x.org/")).doubts
    assert doubts.is_compared
    assert (columns_of(table(project.path))["maker"], SelectorDoubt.DISAGREE) in doubts.fields


def test_the_head_of_a_page_is_a_way_to_its_values(tmp_path):
    def page(one):
        return f"<head><meta property=og:title content='{one['title']}'></head>" + old_page(one)

    project = sitewright.run(write_shop(tmp_path / "site", page), tmp_path / "out")
    title = next(one for one in project.wrappers["item"].fields if one.name == "title")
    assert SelectorKind.DATA in map(selector_kind, title.rule.alternatives)
    other = CHANGES["heading of another level"](page)(product(3))
    found = Extractor(project.wrappers["item"]).extract(Document(other.encode(), "http://x.org/"))
    assert found.values["title"] == product(3)["title"]
    assert ("title", SelectorDoubt.OTHERWISE) in found.doubts.fields


# rows


def squad(number, table="squad"):
    """A page with a list of rows under a heading, in a table with a class."""
    rows = "".join(
        f"<tr><td>{WORDS[(number * 3 + turn) % 14].title()} {turn}{number}</td>"
        f"<td>{turn * 7 + number}</td></tr>"
        for turn in range(3 + number % 4)
    )
    return (
        f"<body><h1>Team {WORDS[number % 14]} {number}</h1><p>Founded in {1900 + number * 3}</p>"
        f"<div><h2>Squad</h2><table class={table}><tbody>{rows}</tbody></table></div></body>"
    )


def write_teams(folder, table="squad"):
    folder.mkdir(parents=True, exist_ok=True)
    links = "".join(
        f"<li><a href=team-{number}.html>Team {number}</a></li>" for number in range(24)
    )
    (folder / "index.html").write_text(f"<body><h1>Teams</h1><ul>{links}</ul></body>")
    for number in range(24):
        (folder / f"team-{number}.html").write_text(squad(number, table))
    return folder


def rows_of(out):
    file = out / "classes" / "team" / "table.jsonl"
    lines = map(json.loads, file.read_text().splitlines())
    return sorted(str({key: one[key] for key in one if key[0] != "_"}) for one in lines)


def test_rows_are_found_by_another_selector_where_theirs_breaks(tmp_path):
    out, copy = tmp_path / "out", tmp_path / "copy"
    project = sitewright.run(write_teams(tmp_path / "site"), out, workers=1)
    (records,) = project["team"].wrapper.record_sets
    assert records.rule.alternatives
    kinds = {selector_kind(one) for one in (records.rule.selector, *records.rule.alternatives)}
    assert len(kinds) == 1 + len(records.rule.alternatives)
    shutil.copytree(out, copy)
    site = write_teams(tmp_path / "later", "players")
    report = Project(out, site).check()
    assert report.fits
    assert records.name in {one.field for one in report.notices}
    Project(copy, site).extract(workers=1)
    assert rows_of(copy) == rows_of(out)
    again = sitewright.load(out)["team"].wrapper.record_sets[0]
    assert again.rule.alternatives == records.rule.alternatives


def test_other_rows_in_the_place_of_those_that_are_gone_are_not_taken(tmp_path):
    project = sitewright.run(write_teams(tmp_path / "site"), tmp_path / "out", workers=1)
    extractor = Extractor(project["team"].wrapper)
    other = squad(5).replace("Squad", "Matches").replace("class=squad", "")
    other = re.sub(r"<td>(\d+)</td>", "<td></td>", other)
    name = project["team"].wrapper.record_sets[0].name
    found = extractor.extract(Document(other.encode(), "http://folder.invalid/team-5.html"))
    assert not getattr(found, "values", {}).get(name)


def test_advertisements_in_the_place_of_rows_are_no_rows(tmp_path):
    """They have a link and a text as the rows have, but not what all of these begin with."""

    def page(number: int, *, cards: int) -> str:
        rows = "".join(
            f"<li><span>{turn * 7 + number % 5}'</span> "
            f"<a href=/p/{number}-{turn}>{WORDS[turn]} {WORDS[number % 14]}</a></li>"
            for turn in range(cards)
        )
        adverts = "<ul><li><a href=/ad/1>Oak & Sons</a></li><li><a href=/ad/2>Benches</a></li></ul>"
        booked = f"<h2>Cards</h2><ul class=cards>{rows}</ul>" if cards else adverts
        return f"<body><h1>Match {number} of {WORDS[number % 13]}</h1><div>{booked}</div></body>"

    def document(number: int, *, cards: int) -> Document:
        return Document(page(number, cards=cards).encode(), f"http://x.test/{number}")

    wrapper = induce([document(number, cards=2 + number % 4) for number in range(24)], "match")
    (records,) = wrapper.record_sets
    assert "ul[1]" in str(list(map(str, records.rule.alternatives)))
    found = Extractor(wrapper).extract(document(30, cards=0))
    assert not getattr(found, "values", {}).get(records.name)
