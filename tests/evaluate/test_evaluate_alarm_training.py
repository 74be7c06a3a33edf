"""Which values are unlike their column, learnt from pages whose data are known."""

from collections import Counter

import pytest
from click.testing import CliRunner

from sitewright import formats
from sitewright.cli import sitewright as program
from sitewright.evaluate.alarm_training import (
    TextKind,
    alarm_case,
    alarm_shares,
    odds_left_out,
    train_alarms,
)
from sitewright.evaluate.column_training import labelled_pages
from sitewright.wrapper.values.expectation import RARITIES, Expectation
from sitewright.wrapper.values.value_model import ValueModel, using_value_model

PEOPLE = "Ada Arden", "Bea Brook", "Cleo Cole", "Dora Dahl", "Edda Ek", "Fay Ford", "Gwen Gray"


def film(name, number):
    """A page with a director whose place alone tells her from what stands beside her."""
    person = (
        f"{PEOPLE[number % 7].split()[0]} {PEOPLE[number * 3 % 5].split()[1]}{'s' * (number % 2)}"
    )
    return person, (
        f"<title>{name} {number}</title><h1>{name} {number}</h1><div><p>{90 + number} min</p>"
        f"<p>{person}</p><p>Seen by {number * 31} people, and by {number} more</p></div>"
    )


@pytest.fixture
def data(tmp_path):
    for name in ("one", "two", "three"):
        folder = tmp_path / "film" / f"film-{name}"
        folder.mkdir(parents=True)
        lines = []
        for number in range(14):
            person, html = film(name, number)
            (folder / f"{number:04}.htm").write_text(html)
            lines.append(f"{number:04}\t1\t{person}")
        truth = tmp_path / "groundtruth" / "film" / f"film-{name}-director.txt"
        truth.parent.mkdir(parents=True, exist_ok=True)
        truth.write_text("\n".join([f"film\tfilm-{name}\tdirector", "14\t14\t14\t14", *lines]))
    return tmp_path


def test_right_are_the_values_of_other_pages_and_wrong_the_texts_beside_them(data):
    case = alarm_case(next(labelled_pages(data)))
    kinds = Counter(one.kind for one in case.texts)
    assert kinds[TextKind.RIGHT] == 6  # 14 pages, of which 8 are learnt from
    assert kinds[TextKind.BESIDE] == 6 * 3
    assert not kinds[TextKind.WRONG]


def test_what_the_other_sites_say_tells_wrong_texts_of_a_site_left_out(data):
    cases = list(map(alarm_case, labelled_pages(data)))
    shares = alarm_shares(cases, odds_left_out(cases), 0.0)
    assert shares.sites == 3
    assert shares.false_alarms < 0.1
    assert shares.beside_noticed > 0.9


def test_nothing_rare_speaks_for_a_value(data):
    model, _odds = train_alarms(list(map(alarm_case, labelled_pages(data))))
    assert all(weight >= 0 for name, (_, _, weight) in model.weights.items() if name in RARITIES)


def test_what_was_learnt_is_a_file_that_doubts_values(data, tmp_path):
    arguments = ["evaluate", "train", "values", data, "-o", tmp_path / "new/values.json"]
    done = CliRunner().invoke(program, list(map(str, arguments)))
    assert done.exit_code == 0, done.output
    assert "all columns, 3 sites, each left out: " in done.output
    model = formats.read(tmp_path / "new/values.json", ValueModel)
    with using_value_model(model):
        assert Expectation.of(PEOPLE).is_unlike("Seen by 217 people, and by 7 more")
        assert not Expectation.of(PEOPLE).is_unlike("Hanna Hell")
