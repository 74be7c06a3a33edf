from __future__ import annotations

import hashlib

import pytest

from examples.cup import generate
from examples.cup.__main__ import main
from sitewright.errors import InvalidInput


def _digests(out):
    files = sorted(file for file in out.rglob("*") if file.is_file())
    return {str(f.relative_to(out)): hashlib.sha256(f.read_bytes()).hexdigest() for f in files}


def test_the_same_seed_gives_the_same_bytes_and_another_seed_another_site(tmp_path):
    generate(tmp_path / "a", seed=1, scale=0.05)
    generate(tmp_path / "b", seed=1, scale=0.05)
    generate(tmp_path / "c", seed=2, scale=0.05)
    assert _digests(tmp_path / "a") == _digests(tmp_path / "b")
    changed = _digests(tmp_path / "a").items() ^ _digests(tmp_path / "c").items()
    assert len(changed) > 400


def test_the_whole_site_has_about_two_thousand_pages(tmp_path):
    summary = generate(tmp_path / "cup")
    assert 1900 < summary.pages < 2200
    assert summary.classes["player"] == 1088
    assert summary.classes["match"] == 128
    assert summary.classes["stats"] == 30


def test_an_older_cup_is_replaced_and_nothing_else_is_left_behind(tmp_path):
    out = tmp_path / "cup"
    generate(out, seed=1, scale=0.05)
    before = _digests(out)
    generate(out, seed=2, scale=0.05)
    assert not before.items() <= _digests(out).items()
    assert [file.name for file in tmp_path.iterdir()] == ["cup"]


def test_an_empty_folder_may_be_filled(tmp_path):
    generate(tmp_path, scale=0.05)
    assert (tmp_path / "site" / "index.html").is_file()


def test_a_folder_with_other_files_is_left_alone(tmp_path, capsys):
    (tmp_path / "thesis.txt").write_text("precious")
    with pytest.raises(InvalidInput, match="did not write"):
        generate(tmp_path, scale=0.05)
    assert main([str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "cup").write_text("not a folder")
    with pytest.raises(InvalidInput, match="not a folder"):
        generate(tmp_path / "cup")


@pytest.mark.parametrize("scale", [0, -1, 5, float("nan"), float("inf")])
def test_a_scale_that_makes_no_sense_is_refused(tmp_path, scale):
    with pytest.raises(InvalidInput, match="scale"):
        generate(tmp_path / "cup", scale=scale)
    assert not (tmp_path / "cup").exists()


def test_the_command_says_what_it_made(tmp_path, capsys):
    assert main([str(tmp_path / "cup"), "--scale", "0.05", "--seed", "3"]) == 0
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.endswith("seed 3, scale 0.05")
    assert "   272  player" in rest


def test_help_shows_an_example(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "python -m examples.cup demo/cup --seed 7" in capsys.readouterr().out
