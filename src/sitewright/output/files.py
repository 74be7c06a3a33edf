"""Files that are complete or absent: written aside, then renamed."""

from __future__ import annotations

import errno
import json
import os
import re
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitewright.errors import UnreadableInput

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

_FAULTS_OF_THE_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
_FOR_TERMINALS = re.compile("[\x7f-\x9f\u2028\u2029]")
"""What JSON lets stand, but terminals obey and some readers of lines take for the end of one."""


def output_folder(folder: str | os.PathLike[str]) -> Path:
    """Make the folder that results go to, if it is not there."""
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "is a file" if isinstance(error, FileExistsError) else _reason(error)
        raise UnreadableInput(str(folder), f"cannot be the output folder: {reason}") from None
    return folder


@contextmanager
def complete_or_absent(path: str | os.PathLike[str]) -> Iterator[IO[str]]:
    """Open a text file that takes its name only when it is whole.

    Whatever goes wrong inside the block, a file that was there before stays as it was.
    """
    with (
        _in_place_of(Path(path)) as handle,
        os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file,
    ):
        yield file
        file.flush()
        os.fsync(file.fileno())


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a picture or the like, complete or not at all."""
    with _in_place_of(Path(path)) as handle, os.fdopen(handle, "wb") as file:
        file.write(content)


@contextmanager
def _in_place_of(path: Path) -> Iterator[int]:
    """Open a temporary file beside a path; if all goes well, it takes its place."""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise _unwritable(path, error) from None
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
    return error.filename == file or error.errno in _FAULTS_OF_THE_DISK


def _unwritable(path: Path, error: OSError) -> UnreadableInput:
    return UnreadableInput(str(path), f"cannot be written: {_reason(error)}")


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


def json_line(item: dict[str, Any]) -> str:
    """One JSON object on one line, the same bytes for the same data."""
    text = _FOR_TERMINALS.sub(_escaped, json.dumps(item, ensure_ascii=False))
    # Lone surrogates can come out of broken pages; escaped they are JSON, raw they are no UTF-8.
    return text.encode("utf-8", "backslashreplace").decode() + "\n"


def _escaped(character: re.Match[str]) -> str:
    return f"\\u{ord(character[0]):04x}"


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
