"""`segment` and `match` as a stranger uses them."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from sitewright import formats
from sitewright.methods import match
from sitewright.page.rendering import Rendering

PNG = b"\x89PNG\r\n\x1a\n"
TEAM = """<!doctype html><link rel=stylesheet href=../style.css><h1>{name}</h1>
<dl><dt>Coach<dd>{coach}<dt>Founded<dd>{year}</dl>
<ul><li><a href=a>One</a><li><a href=b>Two</a></ul>
<footer><p>Every name on these pages is invented.</footer>"""

pytestmark = pytest.mark.skipif(
    not shutil.which("chromium"), reason="no browser: apt-get install chromium"
)


def sitewright(*arguments, stdin=None, env=None):
    command = [sys.executable, "-m", "sitewright", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, input=stdin, check=False, env=env
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("playwright", reason="needs the extra: pip install 'sitewright[visual]'")
    folder = tmp_path_factory.mktemp("site")
    (folder / "index.html").write_text("<a href=teams/one.html>One</a>")
    (folder / "style.css").write_text("h1 {font-size: 60px} footer {background: #ccc}")
    (folder / "teams").mkdir()
    one = TEAM.format(name="Alberia", coach="A. Alba", year=1908)
    (folder / "teams" / "one.html").write_text(one)
    two = TEAM.format(name="Borungu", coach="B. Bora", year=1950)
    (folder / "teams" / "two.html").write_text(two)
    return folder


def test_segment_gives_blocks_a_picture_the_rendering_and_the_annotated_page(site, tmp_path):
    page = site / "teams" / "one.html"
    files = [tmp_path / "out" / name for name in ("blocks.png", "page.json", "page.html")]
    options = zip(("--picture", "--rendering", "--html"), files, strict=True)
    done = sitewright("segment", page, *(part for option in options for part in option))
    assert done.returncode == 0, done.stderr
    blocks = [json.loads(line) for line in done.stdout.splitlines()]
    assert blocks
    assert {"page", "number", "parent", "role", "lx", "ly", "dx", "dy", "path"} <= set(blocks[0])
    assert files[0].read_bytes().startswith(PNG)
    sizes = {node.style.font_size for node in formats.read(files[1], Rendering).nodes}
    assert 60 in sizes, "the stylesheet of the folder above is not there"
    assert ' lx="' in files[2].read_text()
    assert sitewright("segment", page).stdout == done.stdout


def test_match_gives_pairs_and_a_picture(site, tmp_path):
    picture = tmp_path / "pairs.png"
    done = sitewright(
        "match",
        "teams/one.html",
        "teams/two.html",
        "--site",
        site,
        "--leaves",
        "--picture",
        picture,
    )
    assert done.returncode == 0, done.stderr
    pairs = [json.loads(line) for line in done.stdout.splitlines()]
    texts = [(pair["text_a"], pair["text_b"]) for pair in pairs]
    assert ("Alberia", "Borungu") in texts
    assert ("1908", "1950") in texts
    assert picture.read_bytes().startswith(PNG)


def test_standard_input_is_a_page_and_an_empty_page_has_no_blocks(site):
    assert sitewright("segment", "-", stdin="<p>Hello, <b>you</b></p><p>Bye</p>").returncode == 0
    nothing = sitewright("segment", "-", stdin="<title>Nothing</title>")
    assert (nothing.returncode, nothing.stdout) == (1, "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["segment", "missing.html"], "missing.html: no such file or folder"),
        (["segment", "."], ".: is a folder, not a page"),
        (["segment", "x", "--viewport", "wide"], "wide: not a size"),
        (["segment", "ftp://a.example/x"], "only http and https"),
        (["match", "missing.html", "gone.html"], "missing.html: no such file or folder"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(site, arguments, said):
    done = sitewright(*arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_without_a_browser_one_line_says_what_to_install(site):
    empty = {**os.environ, "PATH": "/nonexistent", "PLAYWRIGHT_BROWSERS_PATH": "/nonexistent"}
    done = sitewright("segment", site / "index.html", env=empty)
    assert done.returncode == 2
    assert "apt-get install chromium" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_picture_that_cannot_be_written_is_one_line(site, tmp_path):
    (tmp_path / "file").write_text("")
    done = sitewright("segment", site / "index.html", "--picture", tmp_path / "file" / "x.png")
    assert done.returncode == 2
    assert "cannot be the output folder" in done.stderr


def test_the_papers_matching_prints_all_its_pairs(site, tmp_path):
    """As many as `match()` gives; those of blocks alone on request; relations as they are set."""
    pages = [site / "teams" / name for name in ("one.html", "two.html")]
    files = [tmp_path / f"{n}.json" for n in range(2)]
    for page, file in zip(pages, files, strict=True):
        sitewright("segment", page, "--rendering", file)
    expected = match(*(formats.read(file, Rendering) for file in files), method="paper")
    done = sitewright("match", *pages, "--method", "paper")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == len(expected.pairs)
    blocks = sitewright("match", *pages, "--method", "paper", "--blocks").stdout.splitlines()
    assert 0 < len(blocks) < len(expected.pairs)
    exact = sitewright("match", *pages, "--method", "paper", "--set", "tolerance=0")
    assert exact.returncode == 0, exact.stderr
    assert sitewright("match", *pages, "--blocks").returncode == 2


def test_the_matching_experiment_runs_with_the_papers_relations(site):
    """Thick boundaries, then Allen's relations as they are."""
    for tolerance in (5, 0):
        done = sitewright(
            "evaluate", "matching", site, "--pages", "teams/*.html", "--method", "paper",
            "--set", f"tolerance={tolerance}", "--json",
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        assert {row["method"] for row in rows} == {"paper"}
