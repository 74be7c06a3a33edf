"""Our files: a header, the fields of a type, complete or absent, the same bytes each time."""

import errno
import json
import os
import sys
from dataclasses import dataclass
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright import formats
from sitewright.errors import (
    InputNotFound,
    OtherModel,
    SitewrightError,
    UnreadableInput,
    WrongFormatVersion,
)
from sitewright.formats import complete_or_absent, json_line, output_folder
from sitewright.settings import Settings, using


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    share: float = 0.5


@dataclass(frozen=True, slots=True)
class Thing:
    FORMAT: ClassVar[str] = "sitewright-thing"
    title: str
    parts: tuple[Part, ...] = ()
    counts: dict[int, float] | None = None


THING = Thing("A thing", (Part("one", 0.25), Part("two")), {7: 1.0, 3: 2.5})


def damaged(path, old, new):
    path.write_text(formats.dump(THING, model="m").replace(old, new))
    with pytest.raises(SitewrightError) as raised:
        formats.read(path, Thing, model="m")
    assert "\n" not in str(raised.value)
    assert str(path) in str(raised.value)
    return raised.value


def test_a_file_begins_with_its_format_its_version_and_its_model(tmp_path):
    formats.write(tmp_path / "thing.json", THING, model="0123456789abcdef")
    written = json.loads((tmp_path / "thing.json").read_text())
    assert list(written) == ["format", "version", "model", "title", "parts", "counts"]
    assert list(written.values())[:3] == ["sitewright-thing", 3, "0123456789abcdef"]


def test_a_file_says_which_settings_differ_from_the_defaults(tmp_path):
    with using(Settings.of({"tau": 0.1, "collapse": "loop"})):
        formats.write(tmp_path / "thing.json", THING)
    written = json.loads((tmp_path / "thing.json").read_text())
    assert written["settings"] == {
        "papers.crescenzi.collapse": "loop",
        "papers.liu.tau": 0.1,
    }
    assert formats.read(tmp_path / "thing.json", Thing) == THING


@given(st.builds(
    Thing,
    st.text(st.characters()),
    st.lists(st.builds(Part, st.text(st.characters()), st.floats(allow_nan=False))).map(tuple),
    st.none() | st.dictionaries(st.integers(), st.floats(allow_nan=False)),
))  # fmt: skip
def test_what_is_written_is_read_back_the_same(thing):
    text = formats.dump(thing)
    assert formats.parse(text.encode(), Thing, "thing") == thing
    assert formats.dump(formats.parse(text.encode(), Thing, "thing")) == text


def test_lone_surrogates_and_what_terminals_obey_are_escaped():
    text = formats.dump(Thing("\ud800\x9b31m\u2028 é 日本"))
    assert r"\ud800\u009b31m\u2028 é 日本" in text
    assert len(text.splitlines()) == text.count("\n")


def test_much_data_takes_many_lines_and_numbers_take_one():
    many = Thing("x", tuple(Part(str(number)) for number in range(99)), dict.fromkeys(range(99), 1))
    lines = formats.dump(many).splitlines()
    assert lines.count('  {"name": "7", "share": 0.5},') == 1
    assert len(lines) == 99 + 9


NESTED = st.recursive(
    st.integers() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(max_size=9), inner),
)


def spread(value, indent=""):
    """A line for what fits into it and for lists of plain values, else a line for each entry."""
    line = json_line(value).rstrip("\n")
    inside = value.values() if isinstance(value, dict) else value
    is_flat = not isinstance(value, dict | list) or not any(
        isinstance(one, dict | list) for one in inside
    )
    if len(line) <= 120 or is_flat:
        return line
    texts = [spread(one, indent + " ") for one in inside]
    if isinstance(value, dict):
        texts = [f"{json_line(name)[:-1]}: {text}" for name, text in zip(value, texts, strict=True)]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n{indent} " + f",\n{indent} ".join(texts) + f"\n{indent}{closing}"


@given(NESTED)
def test_what_fits_into_a_line_gets_one(value):
    @dataclass(frozen=True, slots=True)
    class Any:
        FORMAT: ClassVar[str] = "sitewright-any"
        data: object

    assert formats.dump(Any(value)).endswith(f'"data": {spread(value, " ")}\n}}\n')


def test_the_identity_is_that_of_the_data_whatever_its_types_were_before():
    assert formats.identity(THING) == formats.identity(
        Thing("A thing", THING.parts, {7: 1, 3: 2.5})
    )
    assert formats.identity(THING) != formats.identity(Thing("A thing", THING.parts))
    read = formats.parse(formats.dump(THING).encode(), Thing, "thing")
    assert formats.identity(read) == formats.identity(THING)


def test_a_damaged_file_is_named_with_the_field_that_is_wrong(tmp_path):
    path = tmp_path / "thing.json"
    assert "Expected `float`, got `str` - at `$.parts[0].share`" in str(
        damaged(path, "0.25", '"x"')
    )
    assert "missing required field `title`" in str(damaged(path, "title", "tittle"))
    assert "a damaged sitewright-thing file" in str(damaged(path, '"7"', '"seven"'))


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", "null", "\0", "[" * 99_999, '{"format": 1}'])
def test_what_is_no_file_of_ours_is_refused(tmp_path, text):
    (tmp_path / "thing.json").write_text(text)
    with pytest.raises(UnreadableInput, match="not a sitewright-thing file"):
        formats.read(tmp_path / "thing.json", Thing)


def test_a_file_of_another_format_is_refused(tmp_path):
    error = damaged(tmp_path / "thing.json", "sitewright-thing", "sitewright-model")
    assert str(error).endswith("not a sitewright-thing file")


@pytest.mark.parametrize(("version", "remedy"), [("1", "sitewright upgrade OUT"), ("4", "newer")])
def test_a_file_of_another_version_names_both_and_what_to_do(tmp_path, version, remedy):
    error = damaged(tmp_path / "thing.json", '"version": 3', f'"version": {version}')
    assert isinstance(error, WrongFormatVersion)
    assert f"format version {version}, but this program reads 3" in str(error)
    assert remedy in str(error)


def test_a_file_of_another_model_is_refused(tmp_path):
    error = damaged(tmp_path / "thing.json", '"model": "m"', '"model": "old"')
    assert isinstance(error, OtherModel)
    assert "belongs to model old, but model.json is m" in str(error)
    assert formats.read(tmp_path / "thing.json", Thing).title == "A thing"


def test_a_file_that_is_not_there_or_is_a_folder_is_named(tmp_path):
    with pytest.raises(InputNotFound, match=r"thing\.json: no such file"):
        formats.read(tmp_path / "thing.json", Thing)
    with pytest.raises(UnreadableInput, match="cannot be read: "):
        formats.read(tmp_path, Thing)


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


# What killed processes leave behind.


def _old(path):
    os.utime(path, (1, 1))
    return path


def test_what_a_killed_process_wrote_aside_is_removed(tmp_path):
    left = [tmp_path / ".table.abc_1234", tmp_path / ".model.json.a1b2c3d4"]
    left[0].mkdir()
    (left[0] / "table.jsonl").write_text("{}")
    left[1].write_text("half")
    kept = [tmp_path / ".hidden", tmp_path / "table.abc_1234", tmp_path / ".gitignore.txt"]
    for path in kept:
        path.write_text("mine")
    for path in (*left, *kept):
        _old(path)
    formats.remove_abandoned(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted(kept)


def test_what_another_process_is_writing_stays(tmp_path):
    with formats.folder_aside(tmp_path, "table") as aside:
        (aside / "table.jsonl").write_text("{}")
        _old(aside)
        formats.remove_abandoned(tmp_path)
        assert (aside / "table.jsonl").exists()
    assert list(tmp_path.iterdir()) == []


def test_in_a_folder_of_other_people_only_one_name_is_looked_for(tmp_path):
    other = tmp_path / ".site.db2.abc_1234"
    mine = tmp_path / ".site.db.abc_1234"
    for path in (other, mine):
        path.mkdir()
        _old(path)
    formats.remove_abandoned(tmp_path, "site.db")
    assert list(tmp_path.iterdir()) == [other]


def test_a_link_that_looks_abandoned_leads_nobody_astray(tmp_path):
    target = tmp_path / "target"
    target.mkdir()
    (target / "file").write_text("mine")
    (tmp_path / ".table.abc_1234").symlink_to(target)
    os.utime(tmp_path / ".table.abc_1234", (1, 1), follow_symlinks=False)
    formats.remove_abandoned(tmp_path)
    assert (target / "file").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="no such files")
def test_a_file_takes_the_place_of_ordinary_files_only(tmp_path):
    """Whoever is root must not lose /dev/null to an output file."""
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to("/dev/null")
    for path in (pipe, link):
        before = path.lstat()
        with pytest.raises(UnreadableInput, match="no ordinary file"), complete_or_absent(path):
            pytest.fail("nothing is written")
        with pytest.raises(UnreadableInput, match="no ordinary file"):
            formats.write_bytes(path, b"x")
        assert path.lstat() == before
    assert sorted(tmp_path.iterdir()) == [link, pipe]
