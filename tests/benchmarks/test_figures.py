"""The tables of the docs are those of the last run."""

import pytest

from benchmarks.figures import (
    MARKED,
    cell,
    documents,
    filled,
    markdown,
    read_figures,
    shown,
    unexplained_tables,
)


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


WRITTEN_BY_COMMANDS = {"settings.md", "api.md"}


@pytest.mark.parametrize(
    "page",
    [page for page in documents() if page.name not in WRITTEN_BY_COMMANDS],
    ids=lambda page: page.name,
)
def test_a_table_that_no_run_fills_says_what_it_comes_from(page):
    found = unexplained_tables(page.read_text(encoding="utf-8"))
    assert not found, f"{page.name}: bring it under make figures, or write <!-- once: ... --> above"


def test_a_table_with_figures_is_known_from_one_that_lists_things():
    measured = "| site | F |\n|---|---|\n| a | 0.93 |\n"
    assert unexplained_tables(measured) == ["site | F"]
    assert unexplained_tables("<!-- once: a command -->\n" + measured) == []
    assert unexplained_tables("<!-- figures: x -->\n" + measured + "<!-- /figures -->") == []
    assert unexplained_tables("| option | what |\n|---|---|\n| `-o` | where to |\n") == []


def test_a_figure_is_found_by_the_begin_of_its_row():
    figures = {"columns": ["method", "t", "F"], "rows": [["a", "8", "0.1"], ["a", "16", "0.2"]]}
    assert cell(figures, ("a", "16"), "F") == "0.2"
