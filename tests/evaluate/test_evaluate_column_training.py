"""Which columns somebody wants, learnt from pages whose data are known."""

import pytest
from click.testing import CliRunner

from sitewright import Document, formats, induce
from sitewright.cli import sitewright as program
from sitewright.errors import InvalidInput
from sitewright.evaluate.column_training import ColumnCase, column_case, labelled_pages, left_out
from sitewright.evaluate.column_training import train_columns as train
from sitewright.wrapper.choice.column_model import (
    ColumnModel,
    shipped_column_model,
    using_column_model,
)


def shop(name, pages=12):
    """Pages with a price under a label, and a text beside it that nobody has written down."""
    return {
        f"{number:04}": f"<title>{name} {number}</title><h1>{name} {number}</h1>"
        f"<dl><dt>Price:</dt><dd class=figure>{number * 7 + 100}</dd></dl>"
        f"<div class=side><p>tip {number * 13 % 9} of {name}</p></div>"
        for number in range(pages)
    }


@pytest.fixture
def data(tmp_path):
    for name in ("one", "two", "three"):
        folder = tmp_path / "shop" / f"shop-{name}"
        folder.mkdir(parents=True)
        for page, html in shop(name).items():
            (folder / f"{page}.htm").write_text(html)
        truth = tmp_path / "groundtruth" / "shop" / f"shop-{name}-price.txt"
        truth.parent.mkdir(parents=True, exist_ok=True)
        lines = [f"{page}\t1\t{int(page) * 7 + 100}" for page in shop(name)]
        truth.write_text("\n".join([f"shop\tshop-{name}\tprice", "12\t12\t12\t12", *lines]))
    return tmp_path


def test_a_column_is_wanted_if_it_holds_what_is_known(data):
    case = column_case(next(labelled_pages(data)))
    wanted = [one for one, known in zip(case.features, case.wanted, strict=True) if known]
    assert [one["named by a label"] for one in wanted] == [1.0]
    assert len(case.wanted) > 1


def test_what_the_other_sites_say_tells_the_wanted_columns_of_a_site_left_out(data):
    cases = [column_case(one) for one in labelled_pages(data)]
    likely, wanted = left_out(cases)
    assert likely[wanted].min() > likely[~wanted].max()
    assert train(cases).keep_from == pytest.approx(likely[wanted].min())


def test_columns_that_are_all_wanted_teach_nothing():
    case = ColumnCase("one", [{"coverage": 1.0}], [True], is_complete=True)
    with pytest.raises(InvalidInput, match="too few to learn from"):
        train([case, case])


def test_what_was_learnt_is_a_file_that_chooses_columns(data, tmp_path):
    arguments = ["evaluate", "train", "columns", data, "-o", tmp_path / "new/columns.json"]
    done = CliRunner().invoke(program, list(map(str, arguments)))
    assert done.exit_code == 0, done.output
    assert "3 classes, each site left out: 100.0% of 3 wanted columns kept" in done.output
    model = formats.read(tmp_path / "new/columns.json", ColumnModel)
    documents = [
        Document(html.encode(), f"http://x.invalid/{page}") for page, html in shop("four").items()
    ]
    with using_column_model(model):
        wrapper = induce(documents, "item")
    assert [field.name for field in wrapper.fields] == ["price"]
    assert "hardly wanted" in {one.reason for one in wrapper.dropped}


def test_a_narrow_table_has_the_columns_that_are_wanted_most():
    documents = [
        Document(html.encode(), f"http://x.invalid/{page}") for page, html in shop("five").items()
    ]
    assert "price" in [field.name for field in induce(documents, "item", width=2).fields]
    assert shipped_column_model().keep_from < 0.05


def test_names_are_compared_with_those_of_the_rules_on_sites_left_out(data, tmp_path):
    arguments = ["evaluate", "train", "names", data, "-o", tmp_path / "names.json"]
    done = CliRunner().invoke(program, list(map(str, arguments)))
    assert done.exit_code == 0, done.output
    assert "3 columns with known data, each site left out" in done.output
    assert "100.0% by the rules, 100.0% by what is learnt" in done.output
    weights = formats.read(tmp_path / "names.json", ColumnModel).weights
    assert weights["chosen by the rules"][2] > 0
