"""The tables of the docs are those of the last run."""

import pytest

from benchmarks.figures import MARKED, documents, filled, markdown, read_figures, shown


@pytest.mark.parametrize("page", documents(), ids=lambda page: page.name)
def test_every_table_in_the_docs_is_that_of_the_last_run(page):
    text = page.read_text(encoding="utf-8")
    figures = read_figures()
    for found in MARKED.finditer(text):
        assert found[2] in figures, f"{page.name}: nobody measured {found[2]}: make figures"
    assert filled(text, figures) == text, f"{page.name} differs: make figures"


def test_a_table_is_written_between_its_marks():
    page = "a\n<!-- figures: x -->\nold\n<!-- /figures -->\nb\n"
    new = {"columns": ["c", "d"], "rows": [["1", "2"]]}
    assert filled(page, {"x": new}) == (
        "a\n<!-- figures: x -->\n| c | d |\n|---|---|\n| 1 | 2 |\n<!-- /figures -->\nb\n"
    )
    assert markdown(new).endswith("| 1 | 2 |\n")


def test_a_figure_has_its_lowest_beside_it():
    assert shown([0.5, 0.25, 0.75]) == "0.500 (0.250)"
