"""`sitewright template` and `sitewright strip` as a stranger uses them."""

import json
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

MENU = '<ul id="menu"><li><a href="/a">A</a></li><li><a href="/b">B</a></li></ul>'


def sitewright(*arguments, cwd=None, stdin=None):
    command = [sys.executable, "-m", "sitewright", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, cwd=cwd, input=stdin, check=False
    )


def page(number: int) -> str:
    paragraphs = "".join(f"<p>Words {number} {row}</p>" for row in range(1 + number % 3))
    return (
        f"<html><head><meta charset=latin-1><title>Page {number}</title></head><body>{MENU}"
        f"<h1>Größe {number}</h1>{paragraphs}<p id=foot>Imprint</p></body></html>"
    )


@pytest.fixture
def folder(tmp_path):
    for number in range(16):
        (tmp_path / f"page{number:02}.html").write_text(page(number), encoding="latin-1")
    return tmp_path


@pytest.fixture
def template(folder):
    run = sitewright("template", *sorted(folder.glob("*.html")), "-o", folder / "template.json")
    assert run.returncode == 0, run.stderr
    return folder / "template.json"


def test_sixteen_pages_give_a_template_file(template):
    found = json.loads(template.read_text())
    assert found["pages"] == 16
    assert "imprint" in found["tokens"]
    assert not any("Words" in token for token in found["tokens"])
    assert len(found["tokens"]) == len(found["support"]) == len(found["kinds"])


def test_the_same_pages_give_the_same_bytes(folder, template):
    before = template.read_bytes()
    backwards = sorted(folder.glob("*.html"), reverse=True)
    sitewright("template", *backwards, "-o", folder / "again.json")
    assert (folder / "again.json").read_bytes() == before


def test_a_seventeenth_page_is_stripped(template, tmp_path):
    (tmp_path / "new.html").write_text(page(17), encoding="latin-1")
    run = sitewright("strip", "-t", template, tmp_path / "new.html", "-f", "markdown")
    assert run.returncode == 0
    assert run.stdout == "# Größe 17\n\nWords 17 0\n\nWords 17 1\n\nWords 17 2\n"
    assert "% removed" in run.stderr


def test_json_tells_what_was_removed(template, folder):
    run = sitewright("strip", "-t", template, folder / "page03.html", "-f", "text", "--json")
    told = json.loads(run.stdout)
    assert told["text"] == "Größe 3\n\nWords 3 0"
    assert told["fraction"] == round(told["removed"] / told["tokens"], 4) > 0.4


def test_pages_can_be_written_to_a_folder_in_one_encoding(template, folder, tmp_path):
    pages = sorted(folder.glob("page0*.html"))
    run = sitewright("strip", "-t", template, *pages, "-o", tmp_path / "out")
    assert len(run.stdout.splitlines()) == len(pages)
    left = (tmp_path / "out" / "page04.html").read_text(encoding="utf-8")
    assert left.startswith('<html><head><meta charset="utf-8">')
    assert "Größe 4" in left
    assert "menu" not in left


def test_a_folder_means_its_pages(folder):
    run = sitewright("template", folder, "--json")
    assert json.loads(run.stdout)["pages"] == 16


def test_the_papers_method_can_be_asked_for(folder):
    run = sitewright("template", folder, "--method", "paper", "--sample", "4", "--json")
    assert json.loads(run.stdout)["method"] == "paper"
    assert json.loads(run.stdout)["pages"] == 4


def test_pages_with_nothing_in_common_give_an_empty_template_and_a_sentence(tmp_path):
    (tmp_path / "a.html").write_text("<p>just text")
    (tmp_path / "b.html").write_text("<table><tr><td>a table</table>")
    run = sitewright("template", tmp_path, "-o", tmp_path / "t.json")
    assert run.returncode == 1
    assert "no template in common" in run.stderr
    assert json.loads((tmp_path / "t.json").read_text())["tokens"] == []


def test_what_is_no_page_is_left_out_and_named(folder):
    (folder / "empty.html").write_text("")
    (folder / "picture.html").write_bytes(b"\x89PNG\0\0\0\r" * 50)
    run = sitewright("template", folder, "--json")
    assert json.loads(run.stdout)["pages"] == 16
    assert "empty.html: empty" in run.stderr
    assert "picture.html: not a page" in run.stderr


def test_a_template_that_is_not_in_the_page_exits_with_one(template):
    assert sitewright("strip", "-t", template, "-", stdin="<p>other").returncode == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["template", "page00.html"], "at least two"),
        (["template", "gone.html", "page00.html"], "no such file"),
        (["template", "page00.html", "page01.html", "-o", "page02.html/x/t.json"], "folder"),
        (["strip", "-t", "gone.json", "page00.html"], "no such file"),
        (["strip", "-t", "page00.html", "page00.html"], "not a sitewright-template file"),
        (["strip", "-t", "old.json", "page00.html"], "format version 0, but this program reads 3"),
        (["strip", "-t", "odd.json", "page00.html"], "lists of different lengths"),
        (["strip", "-t", "template.json", "page00.html", "-o", "."], "overwritten"),
        (["strip", "-t", "template.json", "a/x.html", "b/x.html", "-o", "o"], "another page"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_two(template, folder, arguments, message):
    written = template.read_text()
    (folder / "old.json").write_text(written.replace('"version": 3', '"version": 0'))
    (folder / "odd.json").write_text(written.replace('"tokens": [', '"tokens": ["x", '))
    run = sitewright(*arguments, cwd=folder)
    assert run.returncode == 2
    assert message in run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert run.stdout == ""


def test_a_stripped_page_is_written_as_xhtml(template, tmp_path):
    (tmp_path / "new.html").write_text(page(17), encoding="latin-1")
    run = sitewright("strip", "-t", template, tmp_path / "new.html", "-f", "xhtml")
    assert run.returncode == 0, run.stderr
    root = ET.fromstring(run.stdout)
    assert root.tag == "{http://www.w3.org/1999/xhtml}html"
    assert "Größe 17" in "".join(root.itertext())
