"""Files are complete or absent."""

import errno
import json

import pytest

from sitewright.errors import UnreadableInput
from sitewright.output import complete_or_absent, json_line, output_folder


def test_a_file_takes_its_name_when_it_is_whole(tmp_path):
    path = tmp_path / "model.json"
    with complete_or_absent(path) as file:
        file.write("one\n")
        assert not path.exists()
    assert path.read_text() == "one\n"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_an_interrupted_write_leaves_the_old_file_whole(tmp_path, error):
    path = tmp_path / "model.json"
    path.write_text("old")

    def interrupted():
        with complete_or_absent(path) as file:
            file.write("half of the new")
            raise error

    with pytest.raises(error):
        interrupted()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_files_can_be_read_by_whom_the_user_lets(tmp_path):
    plain, ours = tmp_path / "plain", tmp_path / "ours"
    plain.write_text("x")
    with complete_or_absent(ours) as file:
        file.write("x")
    assert ours.stat().st_mode == plain.stat().st_mode


def test_what_cannot_be_written_is_said_in_one_line(tmp_path):
    (tmp_path / "model.json").mkdir()
    for path in (tmp_path / "model.json", tmp_path / "nowhere" / "model.json"):
        with (
            pytest.raises(UnreadableInput, match=r"model.json: cannot be written: "),
            complete_or_absent(path) as file,
        ):
            file.write("x")
    assert list(tmp_path.iterdir()) == [tmp_path / "model.json"]


def test_a_full_disk_is_said_and_other_errors_are_left_alone(tmp_path):
    for number, expected in ((errno.ENOSPC, UnreadableInput), (errno.EPIPE, BrokenPipeError)):
        with pytest.raises(expected), complete_or_absent(tmp_path / "model.json"):
            raise OSError(number, "as the system says it")
    assert list(tmp_path.iterdir()) == []


def test_what_stands_in_the_way_of_the_output_folder_is_said(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(UnreadableInput, match="cannot be the output folder: is a file"):
        output_folder(tmp_path / "file")
    assert output_folder(tmp_path / "a" / "b").is_dir()


@pytest.mark.parametrize("text", ["é 日本", "\ud800", "a\nb\x1b[31m\x7f\x9b31m", "\u2028\x85"])
def test_a_json_line_is_one_line_of_utf8_that_no_terminal_obeys(text):
    line = json_line({"text": text})
    assert len(line.splitlines()) == 1
    assert line[:-1].isprintable()
    line.encode("utf-8")
    assert json.loads(line)["text"] == text
