"""What makes two fields the same where no values can be compared, learnt from small shops."""

import json

import pytest
from click.testing import CliRunner

from sitewright import formats
from sitewright.change.forms import FEATURES, FormModel, form_score, shipped_form_model
from sitewright.change.forms import using_form_model as using
from sitewright.cli import sitewright as program
from sitewright.errors import InvalidInput
from sitewright.evaluate.form_training import form_cases, left_out_forms, left_out_models
from sitewright.evaluate.form_training import train_forms as train
from sitewright.evaluate.repair import read_pairs
from tests.change.lamp_shop import new_page, old_page, write_shop


def labels_renamed(one):
    return old_page(one).replace("Maker:", "Producer:").replace("class=", "class=x-")


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    """The same shop after a redesign, and after a smaller change."""
    folder = tmp_path_factory.mktemp("pairs")
    for name, page in (("lamps", new_page), ("other", labels_renamed)):
        write_shop(folder / name / "before")
        write_shop(folder / name / "after", page)
        (folder / name / "pair.json").write_text(json.dumps({"kind": "redesign"}))
        (folder / name / "classes.tsv").write_text("")
        (folder / name / "truth.tsv").write_text("")
    return folder


@pytest.fixture(scope="module")
def cases(pairs):
    return list(form_cases(read_pairs(pairs)))


def test_values_say_which_fields_are_the_same(cases):
    (shop,) = [one for one in cases[0].classes if one.old.name == "item"]
    assert shop.agreement["maker", "made_by"] == 1.0
    assert shop.agreement["maker", "title"] < 0.4
    assert not set(shop.old.pages) & set(shop.new.pages)


def test_what_one_pair_teaches_finds_the_fields_of_another(cases):
    for found in left_out_forms(cases).values():
        assert found.kept >= 5
        assert found.found >= 4
        assert found.wrong == 0


def test_more_alike_never_speaks_against_two_fields(cases):
    assert min(train(cases).weights.values()) >= 0
    assert set(left_out_models(cases)) == {"lamps", "other"}


def test_other_numbers_are_in_force_for_a_while(cases):
    one = cases[0].classes[0]
    old, new = one.old.columns[0], one.new.columns[0]
    before = form_score(old, new)
    with using(FormModel(-30.0, dict.fromkeys(FEATURES, 0.0))):
        assert form_score(old, new) == pytest.approx(0.0, abs=1e-6)
    assert form_score(old, new) == before


def test_pairs_without_a_field_that_was_kept_teach_nothing():
    with pytest.raises(InvalidInput, match="too few to learn from"):
        train([])


def test_numbers_of_other_measures_are_refused():
    with pytest.raises(ValueError, match="missing or unknown"):
        FormModel(0.0, {"colour": 1.0})
    assert set(shipped_form_model().weights) == set(FEATURES)


def test_what_was_learnt_is_a_file(pairs, tmp_path):
    arguments = ["evaluate", "train", "forms", pairs, "-o", tmp_path / "forms.json"]
    done = CliRunner().invoke(program, list(map(str, arguments)))
    assert done.exit_code == 0, done.output
    assert "each site left out" in done.stderr
    assert formats.read(tmp_path / "forms.json", FormModel).weights.keys() == set(FEATURES)
