"""Truth about sites, read from files; folders of data, packed or not."""

from __future__ import annotations

import lzma
import tarfile
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sitewright.errors import InputNotFound, UnreadableInput

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator


def read_labels(path: str | os.PathLike[str]) -> dict[str, str]:
    """The true class of each page, from lines `path<TAB>class`; the file may be packed (.xz).

    Empty lines and lines that begin with `#` are skipped. A page that is given two classes is an
    error: the truth must be one.
    """
    path, labels = Path(path), dict[str, str]()
    for number, line in enumerate(_lines(path), start=1):
        if not line or line.startswith("#"):
            continue
        page, tab, label = line.partition("\t")
        if not tab or not page or not label.strip():
            raise UnreadableInput(str(path), f"line {number}: expected path<TAB>class")
        if labels.setdefault(page, label.strip()) != label.strip():
            raise UnreadableInput(str(path), f"line {number}: {page} has two classes")
    if not labels:
        raise UnreadableInput(str(path), "no labels in this file")
    return labels


def _lines(path: Path) -> list[str]:
    try:
        raw = path.read_bytes()
        return (lzma.decompress(raw) if path.suffix == ".xz" else raw).decode().splitlines()
    except FileNotFoundError:
        raise InputNotFound(str(path)) from None
    except (OSError, lzma.LZMAError, UnicodeDecodeError) as error:
        raise UnreadableInput(str(path), f"cannot be read as labels: {error}") from None


@contextmanager
def unpacked(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A folder of data; a packed one (.tar.xz) is unpacked for the while."""
    path = Path(path)
    if not path.exists():
        raise InputNotFound(str(path))
    if path.is_dir():
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        try:
            with tarfile.open(path) as archive:
                archive.extractall(folder, filter="data")
        except (OSError, EOFError, lzma.LZMAError, tarfile.TarError) as error:
            raise UnreadableInput(
                str(path), f"neither a folder nor a packed one: {error}"
            ) from None
        yield Path(folder)
