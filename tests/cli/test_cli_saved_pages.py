"""`run` as a new user tries it: saved pages that do not link to each other, one page, none."""

import json
import subprocess
import sys

import pytest

from examples.cup import generate
from examples.cup.server import serve

PAGE = """<base href="http://www.shop.example/tea/view?id={n}">
<!DOCTYPE html><title>Tea {n} - Shop</title>
<div class=top><a href=/>Home</a> <a href=/cart>Cart</a></div>
<h1>Tea {n}</h1><table><tr><th>Price<td>{n}.50<tr><th>Weight<td>{n} g</table>{more}"""


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sitewright", "run", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def saved(folder, names):
    for n, name in enumerate(names):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(PAGE.format(n=n, more="<p class=note>new" * (n % 3 == 0)))
    return folder


@pytest.mark.parametrize("name", ["{:04}.htm", "Tea {}.html"])
def test_saved_pages_that_do_not_link_to_each_other_are_one_class(tmp_path, name):
    folder = saved(tmp_path / "saved", [name.format(n) for n in range(30)])
    for page in folder.glob("*.html"):
        saved(page.with_name(f"{page.stem}_files"), ["saved_resource.html"])
    result = run(folder, "-o", tmp_path / "out")
    found = json.loads(result.stdout)
    assert result.returncode == 0
    assert (found["pages"], found["classes"], found["names"]) == (30, 1, ["tea"])
    assert (tmp_path / "out/classes/tea/template.json").is_file()
    assert "no tree: the home page links to no other page" in (
        tmp_path / "out/report.html"
    ).read_text(encoding="utf-8")


@pytest.mark.parametrize("given", ["saved", "saved/page.html"])
def test_one_saved_page_is_a_site(tmp_path, given):
    saved(tmp_path / "saved", ["page.html"])
    result = run(tmp_path / given, "-o", tmp_path / "out")
    assert result.returncode == 0
    assert json.loads(result.stdout)["pages"] == 1
    assert (tmp_path / "out/report.html").is_file()


@pytest.mark.parametrize("files", [[], ["a.png", "inner/b.jpg"]])
def test_a_folder_without_pages_is_told_in_one_line_and_leaves_nothing(tmp_path, files):
    saved(tmp_path / "site", files)
    (tmp_path / "site").mkdir(exist_ok=True)
    result = run(tmp_path / "site", "-o", tmp_path / "out")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == f"sitewright: {tmp_path / 'site'}: no pages in this folder\n"
    assert not (tmp_path / "out").exists()


def test_every_class_of_a_live_site_gets_its_template_within_a_small_limit(tmp_path):
    generate(tmp_path / "cup", scale=0.03)
    with serve(tmp_path / "cup/site") as server:
        result = run(server.url, "-o", tmp_path / "out", "--pages", 60, "--delay", 0)
    model = json.loads((tmp_path / "out/model.json").read_text())
    several = {one["name"] for one in model["classes"] if len(one["pages"]) > 1}
    assert result.returncode == 0
    assert {path.parent.name for path in tmp_path.glob("out/classes/*/template.json")} == several
