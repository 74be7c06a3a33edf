"""Learning what makes two pages of one class, from small sites with labels."""

from __future__ import annotations

import asyncio
import json

import pytest
from click.testing import CliRunner

from sitewright import formats
from sitewright.classes.similarity import (
    ClassThresholds,
    PairModel,
    pair_model,
    shipped_pair_model,
    using_pair_model,
)
from sitewright.cli import sitewright as program
from sitewright.crawl.waves import CrawlPlan
from sitewright.errors import InvalidInput
from sitewright.evaluate import class_training
from sitewright.evaluate.class_training import pair_case, train_pairs, train_weights
from sitewright.evaluate.classes import read_sites, without_root_names

PLAYER = "<div class=player><h1>{n}</h1><table class=facts><tr><th>Age<td>{n}</table></div>"
NEWS = "<article class=story><h2>{n}</h2><p class=lead>x<blockquote>{n}</blockquote></article>"


@pytest.fixture
def listing(tmp_path):
    """Two sites with two classes each, and one of pages of one class."""
    lines = []
    for site in ("a", "b", "saved"):
        labels = []
        for n in range(12):
            kinds = {"p": PLAYER, "n": NEWS} if site != "saved" else {"p": PLAYER}
            for kind, body in kinds.items():
                file = tmp_path / site / kind / f"{n}.html"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(body.format(n=n))
                labels.append(f"{kind}/{n}.html\t{kind}")
        (tmp_path / f"{site}.tsv").write_text("\n".join(labels))
        lines.append(f"{site}\t{'-' if site == 'saved' else f'{site}.tsv'}")
    file = tmp_path / "sites.tsv"
    file.write_text("\n".join(lines))
    return file


def run(*arguments):
    return CliRunner().invoke(program, [*map(str, arguments)])


def test_sites_left_out_are_scored_with_what_the_others_taught(listing):
    done = run("evaluate", "classes", listing, "--json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["site"] for row in rows] == ["a", "b", "saved"]
    for column in ("ours", "rootless", "naive", "lowest"):
        assert [row[column] for row in rows] == [1.0, 1.0, 1.0], column
    assert [row["found_classes"] for row in rows] == [2, 2, 1]
    assert {"paper", "deviation", "named"} < rows[0].keys()


def test_one_table_with_the_columns_that_are_asked_for(listing):
    done = run("evaluate", "classes", listing, "--columns", "naive")
    assert json.loads(done.stdout.splitlines()[0]) == {"site": "a", "naive": 1.0}
    assert "there are ours, rootless" in run(
        "evaluate", "classes", listing, "--columns", "other"
    ).output.replace("\n", " ").replace("│", "")
    assert run("evaluate", "classes", listing, listing, "--labels", listing).exit_code == 2


def test_roots_without_names_say_nothing():
    page = b"<!--x--><HTML lang=de id='a'><body data-class=b class='page node-7' onload=\"id=1\">"
    expected = b'<!--x--><HTML lang=de ><body data-class=b  onload="id=1">'
    assert without_root_names(page) == expected


def test_what_was_learnt_is_a_file_that_finds_classes(listing, tmp_path):
    done = run("evaluate", "train", "classes", listing, "-o", tmp_path / "new/pairs.json")
    assert done.exit_code == 0, done.output
    model = formats.read(tmp_path / "new/pairs.json", PairModel)
    with using_pair_model(model):
        assert pair_model() is model
    assert pair_model() is not model


def test_what_is_learnt_does_not_depend_on_the_order_of_the_sites(listing, tmp_path):
    backwards = tmp_path / "backwards.tsv"
    backwards.write_text("\n".join(reversed(listing.read_text().splitlines())))
    for sites, name in ((listing, "one"), (backwards, "other")):
        assert run("evaluate", "train", "classes", sites, "-o", tmp_path / name).exit_code == 0
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_thresholds_stay_unless_they_are_to_be_chosen(listing, tmp_path, monkeypatch):
    chosen = ClassThresholds(0.6, 30, 6)
    monkeypatch.setattr(class_training, "best_thresholds", lambda trials: chosen)
    for given, expected in (((), ClassThresholds()), (("--choose-thresholds",), chosen)):
        done = run("evaluate", "train", "classes", listing, "-o", tmp_path / "x.json", *given)
        assert done.exit_code == 0, done.output
        assert formats.read(tmp_path / "x.json", PairModel).thresholds == expected
    assert shipped_pair_model().thresholds == ClassThresholds()
    assert run("evaluate", "train", "forms", listing, "-o", tmp_path / "x",
               "--choose-thresholds").exit_code == 2  # fmt: skip


def test_equal_parts_of_urls_never_speak_against_one_class(tmp_path):
    """Where two pages of one class happen to have other extensions, that teaches nothing."""
    for place, (kind, body) in enumerate([("p", PLAYER), ("n", NEWS)] * 12):
        ending = "html" if place % 4 < 2 else "htm"
        file = tmp_path / "site" / f"{kind}{place}.{ending}"
        file.parent.mkdir(exist_ok=True)
        file.write_text(body.format(n=place))
    labels = [f"{file.name}\t{file.name[0]}" for file in (tmp_path / "site").iterdir()]
    (tmp_path / "site.tsv").write_text("\n".join(labels))
    (tmp_path / "sites.tsv").write_text("site\tsite.tsv")
    case = asyncio.run(pair_case(read_sites(tmp_path / "sites.tsv")[0], CrawlPlan()))
    weights = {name: weight for name, (_, _, weight) in train_weights([case]).weights.items()}
    assert weights["url: extension"] == 0
    assert weights["url: depth"] <= 0 <= weights["url: word"]
    assert weights["marks"] > 0


def test_the_numbers_that_ship_have_the_signs_that_training_gives():
    weights = shipped_pair_model().weights
    for name in class_training.NEVER_AGAINST:
        assert weights[name][2] >= 0, name
    for name in class_training.NEVER_FOR:
        assert weights[name][2] <= 0, name


def test_one_class_teaches_nothing(listing):
    saved = read_sites(listing)[2]
    with pytest.raises(InvalidInput, match="too few to learn from"):
        train_pairs([asyncio.run(pair_case(saved, CrawlPlan()))])


def test_a_site_that_comes_twice_is_refused(listing):
    done = run("evaluate", "classes", listing, listing)
    assert "is there twice" in str(done.exception or done.output)


@pytest.mark.parametrize("text", ["nowhere\tx.tsv", "just words"])
def test_a_list_that_names_no_site_is_refused_in_one_line(tmp_path, text):
    (tmp_path / "sites.tsv").write_text(text)
    done = run("evaluate", "classes", tmp_path / "sites.tsv")
    assert "wants a folder, a tab and a file of labels" in str(done.exception or done.output)
