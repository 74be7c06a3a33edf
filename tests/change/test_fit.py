"""The test of fit: what was always there and is now empty is never called well."""

import json
import shutil

import pytest
from click.testing import CliRunner

import sitewright
from sitewright.cli import sitewright as program
from sitewright.errors import InputNotFound
from sitewright.extraction.alarms import AlarmKind
from sitewright.extraction.fit import Evidence, wilson_low
from sitewright.extraction.value_changes import overlap
from sitewright.project import Project
from tests.change.lamp_shop import new_page, old_page, write_shop


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    folder = tmp_path_factory.mktemp("learnt")
    sitewright.run(write_shop(folder / "site"), folder / "out", workers=1)
    return folder


@pytest.fixture
def out(learnt, tmp_path):
    return shutil.copytree(learnt / "out", tmp_path / "out")


def call(*arguments):
    return CliRunner().invoke(program, [str(one) for one in arguments])


def without_heading(one):
    return old_page(one).replace("h1", "h2")


def test_four_empty_pages_of_a_field_that_all_had_are_enough():
    evidence = Evidence()
    for _ in range(3):
        evidence.add(False, 1.0, "")
    assert not evidence.is_lost
    evidence.add(False, 1.0, "")
    assert evidence.is_lost


def test_a_field_that_half_of_the_pages_have_needs_more_pages():
    evidence = Evidence()
    for _ in range(4):
        evidence.add(False, 0.5, "")
    assert not evidence.is_lost
    for _ in range(26):
        evidence.add(False, 0.5, "")
    assert evidence.is_lost


def test_few_exceptions_are_no_alarm():
    evidence = Evidence()
    for number in range(40):
        evidence.add(number % 8 != 0, 1.0, "")
    assert evidence.is_kept


def test_little_is_certain_from_few_pages():
    assert wilson_low(1.0, 3) < 0.6 < wilson_low(1.0, 27)
    assert wilson_low(0.5, 0) == 0.0


def test_words_are_compared_whatever_their_case():
    assert overlap("A Verified Compiler", "a verified compiler - the Archive") == 1.0
    assert overlap("Home", "Amber lamp") == 0.0
    assert overlap("!", "!") == 1.0


def test_an_unchanged_site_gives_no_alarm(learnt, out):
    assert call("extract", out, learnt / "site", "--workers", 1).exit_code == 0


def test_a_field_that_was_always_there_and_is_empty_is_never_exit_code_0(out, tmp_path):
    site = write_shop(tmp_path / "new", without_heading)
    run = call("-q", "extract", out, site, "--workers", 1)
    assert run.exit_code == 3
    assert "item.title: empty on 40 of 40 pages" in run.stderr


def test_one_class_that_is_lost_among_many_pages_that_fit_is_an_alarm(tmp_path):
    def site(page):
        folder = write_shop(tmp_path / page.__name__, page, numbers=range(12))
        for number in range(60):
            story = f"<body><h1>Story {number}</h1><div class=story>" + f"<p>Text {number}</p>" * 9
            (folder / f"story-{number}.html").write_text(story)
        return folder

    out = tmp_path / "out"
    sitewright.run(site(old_page), out, workers=1)
    run = call("-q", "extract", out, site(new_page), "--workers", 1)
    assert run.exit_code == 3
    assert "item: 12 of 12 known pages are not recognised" in run.stderr


def test_an_extraction_without_a_record_leaves_no_old_table(out, tmp_path):
    table = out / "classes" / "item" / "table.jsonl"
    assert table.read_text()
    site = write_shop(tmp_path / "new", new_page)
    (site / "index.html").write_text("<p>Nothing")
    assert call("extract", out, site, "--workers", 1).exit_code == 3
    assert table.read_text() == ""


def test_where_nothing_was_read_the_old_tables_stay(out, tmp_path):
    (tmp_path / "empty").mkdir()
    table = out / "classes" / "item" / "table.jsonl"
    call("extract", out, tmp_path / "empty", "--workers", 1)
    assert table.read_text()


# check


def test_check_is_silent_when_all_is_well(learnt, out):
    run = call("check", out, learnt / "site")
    assert (run.exit_code, run.stdout, run.stderr) == (0, "", "")


def test_check_writes_json_when_it_is_asked_for(learnt, out):
    run = call("check", out, learnt / "site", "--json")
    report = json.loads(run.stdout)
    assert run.exit_code == 0
    assert report["fits"] is True
    assert report["alarms"] == []


def test_check_says_first_that_there_is_no_project(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputNotFound, match=r"no model\.json here"):
        Project(tmp_path / "nowhere", tmp_path / "empty").check()


def test_check_reads_few_pages_of_a_class(learnt, out):
    report = sitewright.load(out).check(learnt / "site")
    asked = {one.page_class: one.asked for one in report.classes}
    assert asked["item"] == 8
    changed = sitewright.load(out).check(learnt / "site", home=None)
    assert changed == report


def test_check_names_the_field_with_an_example(out, tmp_path):
    site = write_shop(tmp_path / "new", without_heading)
    run = call("-q", "check", out, site)
    assert run.exit_code == 3
    (line,) = run.stdout.splitlines()
    assert line.startswith("item.title: empty on ")
    assert "was 'Amber dune lamp 0'" in line
    assert "last seen 20" in line


def test_check_finds_a_redesign(out, tmp_path):
    site = write_shop(tmp_path / "new", new_page)
    report = sitewright.load(out).check(site)
    kinds = {(alarm.kind, alarm.field) for alarm in report.alarms if alarm.page_class == "item"}
    assert (AlarmKind.NO_CLASS, None) in kinds
    assert (AlarmKind.EMPTY, "maker") in kinds
    assert not report.fits


def test_check_says_when_a_field_reads_something_else(out, tmp_path):
    def with_banner(one):
        return old_page(one).replace("<h1", "<h1 class=name>Buy two, get a third</h1><h1", 1)

    report = sitewright.load(out).check(write_shop(tmp_path / "new", with_banner))
    assert [(alarm.kind, alarm.field) for alarm in report.alarms] == [
        (AlarmKind.OTHER_VALUES, "title")
    ]


def test_check_says_when_a_field_is_no_longer_of_its_type(out, tmp_path):
    def on_request(one):
        return old_page(one).replace(f"{one['price']} EUR", "on request")

    report = sitewright.load(out).check(write_shop(tmp_path / "new", on_request))
    assert (AlarmKind.UNREADABLE, "price") in {(one.kind, one.field) for one in report.alarms}


def test_new_pages_in_the_place_of_old_ones_are_no_alarm(out, tmp_path):
    site = write_shop(tmp_path / "new", numbers=range(100, 140))
    assert sitewright.load(out).check(site).fits


def test_pages_that_are_gone_with_nothing_in_their_place_are_an_alarm(out, tmp_path):
    site = write_shop(tmp_path / "new", new_page, name="lamps/{}/index.html")
    report = sitewright.load(out).check(site)
    assert AlarmKind.PAGES_GONE in {alarm.kind for alarm in report.alarms}


def test_rare_fields_that_are_gone_are_a_notice(tmp_path):
    def some(one):
        rare = f"<p class=award>Prize of {one['maker']} {one['day']}</p>"
        page = old_page(one)
        return (
            page.replace("<p class=about", rare + "<p class=about")
            if int(one["day"]) % 3 == 0
            else page
        )

    out = tmp_path / "out"
    sitewright.run(write_shop(tmp_path / "old", some), out, workers=1)
    report = sitewright.load(out).check(write_shop(tmp_path / "new"))
    assert report.fits
    assert [alarm.field for alarm in report.notices] == ["award"]


def test_a_small_class_cannot_lose_a_field_silently(tmp_path):
    out = tmp_path / "out"
    sitewright.run(write_shop(tmp_path / "site", numbers=range(3)), out)
    changed = write_shop(tmp_path / "changed", without_heading, numbers=range(3))
    run = call("-q", "extract", out, changed)
    assert run.exit_code == 3
    assert len(run.stderr.splitlines()) == 1
    assert "title" in run.stderr
    assert call("-q", "check", out, changed).exit_code == 3


def test_other_pages_of_a_small_class_may_lack_a_field(tmp_path):
    out = tmp_path / "out"
    sitewright.run(write_shop(tmp_path / "site", numbers=range(3)), out)
    others = write_shop(tmp_path / "others", without_heading, numbers=range(20, 22))
    assert "title" not in {one.field for one in Project(out, others).extract(workers=1).alarms}


def test_others_with_such_urls_take_the_place_of_pages_that_are_gone(tmp_path):
    """Lamps and chairs have URLs alike, so that no URL tells the class of a page."""

    def site(folder, numbers):
        write_shop(folder, numbers=numbers, name="{}.html")
        links = []
        for number in numbers:
            text = " ".join(f"word{number * turn}" for turn in range(1, 9))
            chair = f"<body><h2>Chair {number}</h2><ul class=parts><li>{text}</ul></body>"
            (folder / f"{number + 500}.html").write_text(chair)
            links.append(f"<a href={number + 500}.html>Chair {number}</a>")
        home = folder / "index.html"
        home.write_text(home.read_text() + "".join(links))
        return folder

    out = tmp_path / "out"
    sitewright.run(site(tmp_path / "old", range(40)), out)
    assert Project(out, site(tmp_path / "new", range(60, 100))).check().fits


def test_a_notice_in_the_place_of_all_pages_is_a_change_for_extract(out, tmp_path):
    copy = shutil.copytree(out, tmp_path / "copy")
    site = write_shop(tmp_path / "new", lambda _: "<h1>Back soon</h1><p>We are moving house.</p>")
    summary = Project(copy, site).extract(workers=1)
    assert (AlarmKind.PAGES_GONE, "item") in {(one.kind, one.page_class) for one in summary.alarms}


def test_prices_that_are_all_nought_are_no_prices(out, tmp_path):
    site = write_shop(tmp_path / "new", lambda one: old_page({**one, "price": "0.00"}))
    for alarms in (
        sitewright.load(out).check(site).alarms,
        Project(shutil.copytree(out, tmp_path / "copy"), site).extract(workers=1).alarms,
    ):
        assert [(one.kind, one.field) for one in alarms] == [(AlarmKind.OTHER_VALUES, "price")]
