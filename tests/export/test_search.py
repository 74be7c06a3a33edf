"""A search index of a project: text without templates, block by block, with the class of a hit."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import sitewright
from sitewright.cli import sitewright as program
from sitewright.errors import InputNotFound, InvalidInput, UnreadableInput
from sitewright.export.search import MIN_BLOCK, page_blocks, search_blocks
from sitewright.page import Document

RIVERS = ("Avon", "Brent", "Clyde", "Dart", "Exe", "Forth", "Great", "Humber", "Itchen", "Kennet")


def river(name: str) -> str:
    text = f"The {name} rises in the hills and runs to the sea, and nobody knows how old it is. "
    return (
        f"<title>{name}</title><body class=river><nav>Menu of all rivers <a href=/>home</a></nav>"
        f"<h1>{name}</h1><p>{text * 3}</p><p>Salmon of the {name} come in spring. {text * 3}</p>"
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rivers")
    links = "".join(f"<li><a href={name}.html>{name}</a>" for name in RIVERS)
    (folder / "index.html").write_text(f"<title>Rivers</title><body class=home><ol>{links}</ol>")
    for name in RIVERS:
        (folder / f"{name}.html").write_text(river(name))
    return sitewright.run(folder, tmp_path_factory.mktemp("out"), workers=1)


def test_a_hit_is_a_block_with_its_class_and_a_snippet(project, tmp_path):
    exported = project.export("search", tmp_path / "search.db")
    assert exported.summary["pages"] == 11
    hits = search_blocks(tmp_path / "search.db", "salmon clyde")
    (hit,) = hits
    assert hit.url.endswith("Clyde.html")
    assert hit.page_class != "home"
    assert "[Salmon]" in hit.snippet
    assert hit.number > 1
    assert list(hit.as_json()) == ["url", "class", "title", "number", "snippet"]


def test_what_the_template_says_is_not_found_on_every_page(project, tmp_path):
    project.export("search", tmp_path / "search.db")
    assert search_blocks(tmp_path / "search.db", "menu") == []
    assert len(search_blocks(tmp_path / "search.db", "salmon", limit=3)) == 3


def test_an_index_lies_beside_the_results_unless_told_otherwise(project):
    (file,) = project.export("search").files
    assert file == project.path / "search.db"
    assert not [path for path in project.path.iterdir() if path.name.startswith(".search")]


def test_bad_targets_and_queries_are_named(project, tmp_path):
    with pytest.raises(UnreadableInput, match="is a folder"):
        project.export("search", tmp_path)
    with pytest.raises(InputNotFound, match="no search index"):
        search_blocks(tmp_path / "none.db", "x")
    project.export("search", tmp_path / "search.db")
    with pytest.raises(InvalidInput, match="not a query"):
        search_blocks(tmp_path / "search.db", '"')


@pytest.mark.parametrize("query", ["salmon?", "fresh-salmon", "salmon (", 'salmon "'])
def test_words_that_are_no_query_are_looked_for_all_the_same(project, tmp_path, query):
    project.export("search", tmp_path / "search.db")
    search_blocks(tmp_path / "search.db", query)
    assert search_blocks(tmp_path / "search.db", "salmon?")


def test_short_paragraphs_are_one_block():
    html = "".join(f"<p>paragraph {number} of a page</p>" for number in range(40))
    blocks = list(page_blocks(Document(html.encode(), "http://x.example/"), None))
    assert len(blocks) > 2
    assert all(len(block) >= MIN_BLOCK for block in blocks[:-1])
    assert "".join(blocks).count("paragraph") == 40


def test_a_heading_begins_a_block_and_is_none_by_itself():
    html = (
        "<h1>Rivers</h1><h2>Avon</h2><p>It is old.</p><h2>Brent</h2><p>It is short.</p>"
        f"<p>{'It floods. ' * 30}</p><p>So it does.</p>"
    )
    blocks = list(page_blocks(Document(html.encode(), "http://x.example/"), None))
    assert [" ".join(block.split())[:22] for block in blocks] == [
        "Rivers Avon It is old.", "Brent It is short. It ", "So it does.",
    ]  # fmt: skip


def test_a_person_searches_the_results_by_command_and_in_python(project):
    project.export("search")
    (hit,) = project.search("salmon clyde")
    ran = CliRunner().invoke(program, ["show", str(project.path), "--search", "salmon clyde"])
    assert ran.exit_code == 0, ran.output
    assert json.loads(ran.stdout) == hit.as_json()
    ran = CliRunner().invoke(program, ["show", str(project.path), "home", "--search", "salmon"])
    assert (ran.exit_code, ran.stdout) == (1, "")
