"""Our JSON files: one header, one typed reader, one atomic writer.

Every file begins with ``{"format", "version", "model"}``: what it is, the version of our formats,
and the id of the site model that it belongs to (null if it belongs to none). Where settings differ
from the defaults, `settings` says which. The rest is the fields of one type. A type that has a file
says so::

    @dataclass(frozen=True)
    class Template:
        FORMAT: ClassVar[str] = "sitewright-template"

    formats.write(path, template, model=formats.identity(model))
    template = formats.read(path, Template)

A type that stands in its file in another form has a `FILE_FORM`: a type whose fields are those of
the file, with `of(value)` to make it and `restored()` for the way back.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import stat
import sys
import tempfile
import time
import warnings
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from re import _parser as _regex_parser  # type: ignore[attr-defined]  # what `re` itself reads with
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

import msgspec

from sitewright.errors import InputNotFound, OtherModel, UnreadableInput, WrongFormatVersion
from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import IO


class Stored(Protocol):
    """A type that has files of its own."""

    FORMAT: ClassVar[str]
    """The name of the format, as its files give it."""


JsonValue = TypeVar("JsonValue", bound=Stored)

VERSION = 3
"""The version of all formats; sitewright 0.1 wrote 1 or none, 0.2 wrote 2."""
MAX_JSON_FILE = 512 << 20
"""The largest file of ours that is read, in bytes: a skeleton of a million pages is smaller."""
_WIDTH = 120
"""Data that is longer than this, and holds more than plain values, takes several lines."""
_ID_BYTES = 8
_START = re.compile(rb'\s*\{\s*"format"\s*:\s*"([a-z-]{1,60})"')
_WITHOUT_A_NAME = {
    "sitewright-template": {"format", "method", "pages", "tokens", "support", "kinds"},
    "sitewright-skeleton": {"url", "title", "kind", "children"},
    "sitewright-site": {"site", "base_url", "home", "scope"},
    "sitewright-skeleton-weights": {"format", "paper", "evidence"},
    "sitewright-rendering": {
        "format", "url", "title", "viewport", "width", "height", "styles", "nodes",
    },
}  # fmt: skip
"""The keys of the files that sitewright 0.1 did not mark with the name of their format."""
_DISK_FAULTS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
_LONGEST_REPEAT = 1000
_FOR_TERMINALS = re.compile("[\x7f-\x9f\u2028\u2029]")
"""What JSON lets stand, but terminals obey and some readers of lines take for the end of one."""


@dataclass(frozen=True, slots=True)
class Header:
    """What every file begins with."""

    format: str
    version: object
    """`VERSION`, or whatever another program wrote."""
    model: str | None
    """The id of the model that the file belongs to."""


def read(
    path: str | os.PathLike[str], kind: type[JsonValue], *, model: str | None = None
) -> JsonValue:
    """Read a file; if `model` is given, refuse one that belongs to another model."""
    return parse(file_bytes(path), kind, os.fspath(path), model=model)


def file_bytes(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file of ours; an error of ours if it cannot be read, or cannot be one."""
    try:
        return _bounded_bytes(Path(path))
    except FileNotFoundError:
        raise InputNotFound(os.fspath(path), "no such file") from None
    except OSError as error:
        raise UnreadableInput(os.fspath(path), f"cannot be read: {_reason(error)}") from None


def _bounded_bytes(path: Path) -> bytes:
    """The bytes of a file of ours; what is no file, or far larger than any, is refused."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        raise UnreadableInput(str(path), "not a file")
    if status.st_size > MAX_JSON_FILE:
        raise UnreadableInput(str(path), f"larger than {MAX_JSON_FILE >> 20} MiB")
    return path.read_bytes()


def parse(
    text: bytes, kind: type[JsonValue], source: str, *, model: str | None = None
) -> JsonValue:
    """Read the text of a file; `source` is what errors call it."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableInput(source, f"not a {kind.FORMAT} file: {error}") from None
    header = header_of(data)
    if header is None or header.format != kind.FORMAT:
        raise UnreadableInput(source, f"not a {kind.FORMAT} file")
    if header.version != VERSION:
        raise WrongFormatVersion(source, header.version, VERSION)
    if model is not None and header.model != model:
        raise OtherModel(source, header.model, model)
    return restore(data, kind, source)


def restore(data: object, kind: type[JsonValue], source: str) -> JsonValue:
    """Make a value of plain data, the header aside."""
    form = getattr(kind, "FILE_FORM", None)
    try:
        made: Any = msgspec.convert(data, form or kind, str_keys=True)
        value: JsonValue = made.restored() if form else made
    except (ValueError, LookupError, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise UnreadableInput(source, f"a damaged {kind.FORMAT} file: {why}") from None
    return value


# Expressions that stand in files: a person can edit them, and another person can send such a file.

_LONGEST_EXPRESSION = 5000
_MAX_LOOSE_REPEATS = 3
_MAX_STEPS = 400
_MAX_TESTS = 100
_TEST = re.compile(r"[=<>(]|\b(?:and|or)\b")
"""What is done for each element that a step comes to."""
_FAR = re.compile(r"//|(?:descendant|ancestor|following|preceding)[a-z-]*::")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")


@lru_cache(maxsize=4096)
def check_pattern(text: str, *, groups: int = 0) -> None:
    """Raise ValueError for what is no regular expression, or one that can take time without end.

    Repeats inside repeats take exponential time on some texts, many `.*` one after the other a high
    power of its length; Python's engine cannot be stopped.
    """
    if len(text) > _LONGEST_EXPRESSION:
        raise ValueError(f"a regular expression of {len(text):,} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of expressions that mean something else tomorrow
            compiled = re.compile(text)
            loose = _loose_repeats(_regex_parser.parse(text), is_inside=False)
    except (re.error, RecursionError, OverflowError, Warning) as error:
        raise ValueError(f"not a regular expression: {text!r}: {error}") from None
    if loose > _MAX_LOOSE_REPEATS:
        raise ValueError(f"a regular expression that can take very long: {text!r}")
    if compiled.groups < groups:
        raise ValueError(f"a regular expression without a group: {text!r}")


def _loose_repeats(parsed: Any, *, is_inside: bool) -> int:  # noqa: ANN401 - of Python's own parser
    """How many unbounded repeats of anything there are; one inside another counts as too many."""
    found = 0
    for operation, argument in parsed:
        name = str(operation)
        if name in {"MAX_REPEAT", "MIN_REPEAT"}:
            _, most, inner = argument
            is_unbounded = most > _LONGEST_REPEAT
            if is_unbounded and is_inside:
                return _MAX_LOOSE_REPEATS + 1
            found += is_unbounded and any(str(one) == "ANY" for one, _ in inner)
            found += _loose_repeats(inner, is_inside=is_inside or is_unbounded)
        elif name == "BRANCH":
            found += sum(_loose_repeats(one, is_inside=is_inside) for one in argument[1])
        elif name in {"SUBPATTERN", "ATOMIC_GROUP", "ASSERT", "ASSERT_NOT"}:
            inner = argument[-1] if isinstance(argument, tuple) else argument
            found += _loose_repeats(inner, is_inside=is_inside)
    return found


@lru_cache(maxsize=4096)
def check_xpath(text: str) -> None:
    """Raise ValueError for an XPath expression whose time grows with a high power of the page."""
    bare = _QUOTED.sub('""', text)
    if len(text) > _LONGEST_EXPRESSION or bare.count("/") > _MAX_STEPS:
        raise ValueError(f"an XPath expression of {len(text):,} characters")
    depth = tests = 0
    for place, character in enumerate(bare):
        depth += (character in "[(") - (character in "])")
        tests = 0 if character == "/" and depth == 0 else tests + bool(_TEST.match(bare, place))
        if tests > _MAX_TESTS:
            raise ValueError(f"an XPath expression with over {_MAX_TESTS} tests of each element")
        if depth > 1 and _FAR.match(bare, place):
            raise ValueError(f"an XPath expression that can take very long: {text!r}")


def write(path: str | os.PathLike[str], value: Stored, *, model: str | None = None) -> None:
    """Write a file, complete or not at all; `model` is the id of the model it belongs to."""
    with complete_or_absent(Path(path)) as file:
        file.write(dump(value, model=model))


def dump(value: Stored, *, model: str | None = None) -> str:
    """The text of a value's file: the same bytes for the same value."""
    entries = contents(value, model=model).items()
    lines = (f" {_json(name)}: {_spread(entry, ' ')}" for name, entry in entries)
    return "{\n" + ",\n".join(lines) + "\n}\n"


def contents(value: Stored, *, model: str | None = None) -> dict[str, Any]:
    """The data of a value's file: the header, and what the value holds."""
    header = {"format": value.FORMAT, "version": VERSION, "model": model}
    changed = msgspec.to_builtins(current().changes())
    return {**header, **({"settings": changed} if changed else {}), **plain(value)}


def plain(value: object) -> Any:  # noqa: ANN401 - whatever JSON can hold
    """The data of a value as its file holds it, without the header."""
    form = getattr(type(value), "FILE_FORM", None)
    shown = form.of(value) if form else value
    data = msgspec.to_builtins(shown, str_keys=True)
    # What is read back must be the same to the last digit: 1 where a float belongs becomes 1.0.
    checked = msgspec.convert(data, type(shown), str_keys=True)
    return msgspec.to_builtins(checked, str_keys=True)


def identity(value: Stored) -> str:
    """The id of a value: a hash of what its file holds."""
    known = _last_identity.get("value")
    if known is not None and known[0] is value:
        return known[1]
    text = json.dumps(plain(value), separators=(",", ":"))
    found = hashlib.blake2b(text.encode("ascii"), digest_size=_ID_BYTES).hexdigest()
    _last_identity["value"] = value, found
    return found


_last_identity: dict[str, tuple[Stored, str]] = {}
"""The value that was asked for last: each step of a run asks for the id of one large model."""


def header_of(data: object) -> Header | None:
    """The header of a file's data; None if the file is none of ours."""
    if not isinstance(data, dict):
        return None
    name, model = data.get("format"), data.get("model")
    if isinstance(name, str):
        return Header(name, data.get("version"), model if isinstance(model, str) else None)
    for known, keys in _WITHOUT_A_NAME.items():
        if data.keys() == keys and data.get("format", 1) == 1:
            return Header(known, 1, None)
    return None


def read_header(path: Path) -> Header | None:
    """The header of a file; None if it is not there, cannot be read or is none of ours."""
    try:
        return header_of(json.loads(_bounded_bytes(path)))
    except (OSError, ValueError, RecursionError, UnreadableInput):
        return None


def format_of(start: bytes) -> str | None:
    """The format that the first bytes of a file name, if they name one."""
    found = _START.match(start)
    return found[1].decode("ascii") if found else None


def json_lines(
    path: Path,
    expected: Mapping[str, tuple[type, ...]] = MappingProxyType({}),
    *,
    decode: Callable[[bytes], dict[str, Any]] | None = None,
) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines; UnreadableInput names the line that is none.

    `expected` are the types of some entries, where a line has them; `decode` reads lines whole.
    """
    if path.is_dir():
        raise UnreadableInput(str(path), "a folder, and not a file")
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                yield parsed_line(line, expected) if decode is None else decode(line)
            except (ValueError, RecursionError) as error:
                why = "nested too deeply" if isinstance(error, RecursionError) else str(error)
                raise UnreadableInput(str(path), f"line {number}: {why}") from None


def parsed_line(
    line: bytes, expected: Mapping[str, tuple[type, ...]] = MappingProxyType({})
) -> dict[str, Any]:
    """One JSON object; ValueError if it is none."""
    try:
        found = json.loads(line.decode("utf-8"))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(found, dict):
        raise ValueError("no JSON object")  # noqa: TRY004 - of a file, as all of the others
    for name, types in expected.items():
        if name in found and not isinstance(found[name], types):
            raise ValueError(f"{name} is not what it should be")
    return found


def json_line(item: dict[str, Any]) -> str:
    """One JSON object on one line, the same bytes for the same data."""
    return _json(item) + "\n"


def json_line_pieces(
    item: dict[str, Any], name: str, values: Iterable[object], *, at_a_time: int = 1000
) -> Iterator[str]:
    """The pieces of one line: an object whose last entry is a list that memory need not hold."""
    yield f"{_json(item)[:-1]}, {_json(name)}: ["
    before, rest = "", iter(values)
    while some := list(islice(rest, at_a_time)):
        yield before + _json(some)[1:-1]
        before = ", "
    yield "]}\n"


_encoded = json.JSONEncoder(ensure_ascii=False).encode


def _json(value: object) -> str:
    """JSON on one line that is UTF-8, and that no terminal obeys."""
    text = _encoded(value)
    if text.isprintable():
        return text  # as nearly all are: there is nothing to escape
    text = _FOR_TERMINALS.sub(_escaped, text)
    # Lone surrogates can come out of broken pages; escaped they are JSON, raw they are no UTF-8.
    return text.encode("utf-8", "backslashreplace").decode()


def _escaped(character: re.Match[str]) -> str:
    return f"\\u{ord(character[0]):04x}"


def _spread(value: object, indent: str) -> str:
    """JSON for people: an entry a line where there is much of it, but no line for each number."""
    if not isinstance(value, dict | list | tuple):
        return _json(value)
    inside = list(value.values() if isinstance(value, dict) else value)
    if not any(isinstance(one, dict | list | tuple) for one in inside):
        return _json(value)
    if _fewest_characters(value) <= _WIDTH and len(line := _json(value)) <= _WIDTH:
        return line
    texts = [_spread(one, indent + " ") for one in inside]
    if isinstance(value, dict):
        texts = [f"{_json(name)}: {text}" for name, text in zip(value, texts, strict=True)]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    entries = f",\n{indent} ".join(texts)
    return f"{opening}\n{indent} {entries}\n{indent}{closing}"


def _fewest_characters(value: object) -> int:
    """How long the JSON of a value is at least; what is surely too long is not read to its end."""
    length = 0
    waiting = [value]
    while waiting and length <= _WIDTH:
        one = waiting.pop()
        if isinstance(one, str):
            length += len(one) + 2
        elif isinstance(one, dict | list | tuple):
            length += 2 + 2 * max(0, len(one) - 1)
            if length <= _WIDTH:
                waiting.extend(one.values() if isinstance(one, dict) else one)
                length += sum(map(len, one)) if isinstance(one, dict) else 0
        else:
            length += 1
    return length


def _is_text(path: Path) -> bool:
    """Whether a path can be written down: names of files are bytes, and need not be any text."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def output_folder(folder: Path) -> Path:
    """Make the folder that results go to, if it is not there."""
    if not _is_text(folder.absolute()):
        raise UnreadableInput(ascii(str(folder)), "cannot be the output folder: not UTF-8")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "is a file" if isinstance(error, FileExistsError) else _reason(error)
        raise UnreadableInput(str(folder), f"cannot be the output folder: {reason}") from None
    return folder


@contextmanager
def new_output_folder(folder: Path) -> Iterator[None]:
    """Refuse a place where no results can be written, before there are any.

    If the block raises, a folder that was made in it for nothing is taken away again.
    """
    place = next(one for one in (folder, *folder.absolute().parents) if one.exists())
    try:
        with tempfile.TemporaryDirectory(dir=place, prefix=".sitewright-"):
            pass
    except OSError as error:
        why = f"cannot be the output folder: {_reason(error)}"
        raise UnreadableInput(str(folder), why) from None
    was_there = folder.exists()
    try:
        yield
    except BaseException:
        if not was_there:
            with suppress(OSError):
                folder.rmdir()
        raise


@contextmanager
def complete_or_absent(path: Path) -> Iterator[IO[str]]:
    """Open a text file that takes its name only when it is whole.

    Whatever goes wrong inside the block, a file that was there before stays as it was.
    """
    with (
        _in_place_of(path) as handle,
        os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file,
    ):
        yield file
        file.flush()
        os.fsync(file.fileno())


def write_bytes(path: Path, content: bytes) -> None:
    """Write a picture or the like, complete or not at all."""
    with _in_place_of(path) as handle, os.fdopen(handle, "wb") as file:
        file.write(content)


# What is written aside, and what killed processes leave of it.

_ASIDE = re.compile(r"\.(.+)\.[a-z0-9_]{8}")
"""The names that `tempfile` gives; no file of ours has such a name."""
_SECONDS_TO_CLAIM = 2.0


@contextmanager
def folder_aside(folder: Path, name: str) -> Iterator[Path]:
    """A folder beside the results for what is not whole yet; it is claimed while it is used."""
    with tempfile.TemporaryDirectory(
        dir=folder, prefix=f".{name}.", ignore_cleanup_errors=True
    ) as aside:
        handle = os.open(aside, os.O_RDONLY) if sys.platform != "win32" else None
        try:
            if handle is not None:
                _claimed(handle)
            yield Path(aside)
        finally:
            if handle is not None:
                os.close(handle)


def remove_abandoned(folder: Path, name: str = "") -> None:
    """Remove what killed processes have written aside in a folder: all of it, or that of one name.

    What a process that lives has claimed stays, and so does what is too new to be claimed.
    """
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in list(entries):
            match = _ASIDE.fullmatch(entry.name)
            if match is not None and name in {"", match[1]} and _is_abandoned(Path(entry.path)):
                path = Path(entry.path)
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)


def _is_abandoned(path: Path) -> bool:
    status = path.lstat()
    is_ours = stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
    if not is_ours or time.time() - status.st_mtime < _SECONDS_TO_CLAIM:
        return False
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    try:
        return _claimed(handle)
    finally:
        os.close(handle)


def _claimed(handle: int) -> bool:
    """Claim an open file for as long as it is open; False if another process has it.

    Where files cannot be claimed, nobody can tell, and nothing is abandoned.
    """
    if sys.platform == "win32":
        return False
    import fcntl  # noqa: PLC0415 - Windows has none

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def check_replaceable(path: Path) -> None:
    """Refuse a path that is a device, a pipe or a socket, or leads to one.

    What takes the place of a file takes that of a device, too: with the rights of root, a file
    written to /dev/null would be /dev/null from then on.
    """
    with suppress(OSError):
        mode = path.stat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise UnreadableInput(str(path), "is no ordinary file; name another one")


@contextmanager
def _in_place_of(path: Path) -> Iterator[int]:
    """Open a temporary file beside a path; if all goes well, it takes its place."""
    check_replaceable(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise _unwritable(path, error) from None
    _claimed(handle)
    try:
        yield handle
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    except BaseException as error:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError) and _is_about(error, temporary):
            raise _unwritable(path, error) from None
        raise


def _is_about(error: OSError, file: str) -> bool:
    """Whether an error is that of the file; a disk that is full names none."""
    return error.filename == file or error.errno in _DISK_FAULTS


def _unwritable(path: Path, error: OSError) -> UnreadableInput:
    return UnreadableInput(str(path), f"cannot be written: {_reason(error)}")


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
