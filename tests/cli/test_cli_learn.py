"""`sitewright run` to tables, and `sitewright learn`: examples choose and name the fields."""

from __future__ import annotations

import json
import shutil

import click
import pytest
from click.testing import CliRunner

from sitewright.cli import sitewright as program
from sitewright.errors import InputNotFound

NAMES = "Ada Berta Clara Dora Emma Frieda Greta Hanna Ida Jana Karla Lena Mara Nora Olga".split()
CITIES = ("Ulm", "Bonn", "Kiel", "Jena")


def player(number: int) -> str:
    name, city = f"{NAMES[number]} Example", CITIES[number % 4]
    height = "" if number % 3 else f"<tr><th>Height</th><td>{160 + number} cm</td></tr>"
    games = "".join(
        f"<li><b>{turn + number}</b> <span>{CITIES[turn]} away</span></li>" for turn in range(3)
    )
    return (
        f"<title>{name} - The Club</title><body><nav><a href=index.html>Home</a></nav>"
        f"<main id=player><h1>{name}</h1><table class=facts>{height}"
        f"<tr><th>Born</th><td>{number + 1} May 19{80 + number}</td></tr>"
        f"<tr><th>City</th><td>{city}</td></tr></table><ul class=games>{games}</ul></main>"
        "<footer>All rights reserved</footer>"
    )


@pytest.fixture(scope="module")
def club(tmp_path_factory):
    """A site of fifteen players, run as a stranger does."""
    folder = tmp_path_factory.mktemp("club")
    site = folder / "site"
    site.mkdir()
    links = "".join(f"<li><a href=player-{n}.html>{NAMES[n]}</a>" for n in range(15))
    (site / "index.html").write_text(f"<title>The Club</title><ul>{links}</ul>")
    for number in range(15):
        (site / f"player-{number}.html").write_text(player(number))
    sitewright("run", site, "-o", folder / "out")
    return folder


@pytest.fixture
def out(club, tmp_path):
    # The site lies where it lay, seen from the copy.
    shutil.copytree(club / "site", tmp_path / "site")
    return shutil.copytree(club / "out", tmp_path / "out")


def sitewright(*arguments, code=0):
    result = CliRunner().invoke(program, [*map(str, arguments)], standalone_mode=False)
    if result.exception is None:
        assert result.return_value in (None, code) or result.exit_code == code
    return result


def fields(result):
    return {field["name"]: field for field in map(json.loads, result.stdout.splitlines())}


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_run_ends_in_tables_with_typed_values_beside_their_texts(club):
    records = lines(club / "out/classes/player/table.jsonl")
    assert len(records) == 15
    first = next(one for one in records if one["_url"].endswith("player-0.html"))
    assert first["title"] == "Ada Example"
    assert (first["born"], first["born_raw"]) == ("1980-05-01", "1 May 1980")
    assert (first["height"], first["height_raw"]) == (160, "160 cm")
    assert first["city"] == "Ulm"
    second = next(one for one in records if one["_url"].endswith("player-1.html"))
    assert second["height"] is None


def test_people_are_told_how_many_records_there_are(club, tmp_path, monkeypatch):
    monkeypatch.setattr("sitewright.cli.console.Console.speaks_json", lambda *_: False)
    result = sitewright("run", club / "site", "-o", tmp_path / "out")
    assert result.exception is None
    assert "records in" in result.stderr
    result = sitewright("learn", tmp_path / "out", "--class", "player", "--field", "town=Jena")
    assert "sitewright extract" in result.stderr


def test_run_knows_where_its_pages_came_from(club):
    source = json.loads((club / "out/site.json").read_text())
    assert source["site"] == "../site"


def test_examples_choose_and_name_the_columns(out):
    result = sitewright(
        "learn", out, "--class", "player", "--field", "name=Ada Example", "--field",
        "birth=1980-05-01", "--page", "player-0.html", "--json",
    )  # fmt: skip
    found = fields(result)
    assert list(found) == ["name", "birth"]
    assert found["birth"]["type"]["kind"] == "date"
    sitewright("extract", out, out.parent / "site", "--class", "player", "--workers", 1)
    records = lines(out / "classes/player/table.jsonl")
    assert {one["name"] for one in records} == {f"{name} Example" for name in NAMES}
    assert records[0].keys() == {
        "_url", "name", "birth", "birth_raw", "_doubtful", "_fetched", "_key", "_confidence",
    }  # fmt: skip


def test_the_site_can_be_named_where_the_folder_of_results_does_not_know_it(out):
    (out / "site.json").unlink()
    words = ("learn", out, "--class", "player", "--field", "who=Ada Example")
    assert isinstance(sitewright(*words).exception, InputNotFound)
    assert set(fields(sitewright(*words, "--site", out.parent / "site"))) == {"who"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--delay", "1"], "--delay has no effect: SITE is a folder."),
        (["--site", "SITE", "--scope", "domain"], "--scope has no effect: SITE is a folder."),
        (["--scope", "domain"], "--scope needs --site."),
        (["--home", "index.html"], "--home needs --site."),
    ],
)
def test_options_that_can_have_no_effect_are_refused(out, words, message):
    site = str(out.parent / "site")
    words = [word.replace("SITE", site) for word in words]
    done = sitewright("learn", out, "--class", "player", "--field", "who=Ada Example", *words)
    assert isinstance(done.exception, click.UsageError)
    assert done.exception.format_message() == message.replace("SITE", site)


def test_without_a_page_the_values_are_sought_in_all_pages(out):
    result = sitewright("learn", out, "--class", "player", "--field", "town=Jena", "--json")
    assert fields(result)["town"]["samples"][:1]


def test_a_part_of_a_text_can_be_an_example(out):
    result = sitewright(
        "learn", out, "--class", "player", "--field", "cm=160", "--page", "player-0.html", "--json"
    )
    assert fields(result)["cm"]["type"]["kind"] in {"integer", "decimal"}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--class", "player", "--field", "name=Nobody"], "no page has this value"),
        (["--class", "players", "--field", "name=Ada"], "no such class"),
        (["--class", "player", "--field", "name"], "NAME=VALUE"),
        (["--class", "player", "--field", "a b=1"], "NAME=VALUE"),
        (["--class", "player", "--field", "x_raw=1"], "taken"),
        (["--field", "name=Ada Example"], "--class"),
        (["--class", "player", "--field", "n=1", "--page", "none.html"], "not found"),
        (["--class", "player", "--field", "n=1", "--page", "https://a.example/"], "out of scope"),
    ],
)
def test_bad_input_gets_one_line_that_says_why(out, arguments, why):
    result = sitewright("learn", out, *arguments, code=2)
    assert why in str(result.exception)
    assert "\n" not in str(result.exception)


def test_a_folder_without_a_model_is_told_what_makes_one(tmp_path):
    result = sitewright("learn", tmp_path, "--field", "name=Ada")
    assert "sitewright discover" in str(result.exception)


def test_a_folder_that_does_not_know_its_site_asks_for_it(out):
    (out / "site.json").unlink()
    result = sitewright("learn", out, "--class", "player", "--field", "name=Ada Example")
    assert "--site" in str(result.exception)


def test_kept_fields_stay_beside_those_of_examples(out):
    result = sitewright(
        "learn", out, "--class", "player", "--field", "who=Ada Example", "--page",
        "player-0.html", "--keep", "--json",
    )  # fmt: skip
    found = fields(result)
    assert "who" in found
    assert len(found) > 1
