"""Where the files of a fleet are: a folder of this machine, or whatever fsspec can open.

A task writes into a workspace, which is local in any case, and publishes what it has written when
all of it is complete: under the final name there is either nothing or the whole file.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from sitewright.errors import InputNotFound, InvalidInput, MissingExtra, UnreadableInput
from sitewright.site.archive_files import open_archive
from sitewright.site.warc import MAX_RECORD, read_record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import BinaryIO

    from sitewright.site.base import Reason
    from sitewright.site.warc import WarcRecord


WORK = ".work"
"""The folder of workspaces in a local output folder; it is gone when a fleet is done."""
_URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_ARCHIVES = (".warc", ".warc.gz", ".wacz")
_SLACK = 64
"""Bytes that are read behind a record, for the line breaks that end it."""


def is_remote(where: str) -> bool:
    """Whether this is a URL for fsspec and no path of this machine."""
    return _URL.match(where) is not None


def _file_system(url: str) -> tuple[Any, str]:
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtra("remote", f"reading {url.partition('://')[0]}://") from None
    try:
        found: tuple[Any, str] = url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise InvalidInput(url, f"fsspec cannot open it: {error}") from None
    return found


# The folder that results go to.


class Storage(Protocol):
    """A folder of results that many machines may share."""

    location: str
    """Its path or URL: all that another machine needs to open it."""

    def exists(self, name: str) -> bool:
        """Whether there is a file of this name."""
        ...

    def names(self, folder: str) -> list[str]:
        """The names of the files in a folder, sorted; those of hidden files aside."""
        ...

    def read(self, name: str) -> bytes:
        """The bytes of a file; FileNotFoundError if it is not there."""
        ...

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        ...

    def workspace(self, task: str) -> Any:  # noqa: ANN401 - a context manager
        """A local folder for the files of one task, for the duration of a `with` block."""
        ...

    def publish(self, files: Mapping[str, Path]) -> None:
        """Give complete files of a workspace their names, in this order."""
        ...

    def publish_folder(self, name: str, folder: Path) -> None:
        """The same for a whole folder, in place of one that was there."""
        ...

    def local_folder(self, name: str) -> Any:  # noqa: ANN401 - a context manager
        """A folder of results as a local one, for the duration of a `with` block."""
        ...

    def local_files(self, names: Sequence[str]) -> Any:  # noqa: ANN401 - a context manager
        """The paths of some files as local ones, for the duration of a `with` block."""
        ...

    def clean(self) -> None:
        """Remove what killed tasks have left behind."""
        ...


def open_storage(location: str | os.PathLike[str]) -> Storage:
    """The storage at a path or a URL."""
    where = os.fspath(location)
    return RemoteStorage(where) if is_remote(where) else LocalStorage(where)


class LocalStorage:
    """A folder of this machine, or one that all machines have mounted."""

    def __init__(self, location: str) -> None:
        self.root = Path(location).absolute()
        self.location = str(self.root)
        if self.root.exists() and not self.root.is_dir():
            raise InvalidInput(location, "is a file; name the folder for the results")

    def exists(self, name: str) -> bool:
        """Whether there is a file of this name."""
        return (self.root / name).exists()

    def names(self, folder: str) -> list[str]:
        """The names of the files in a folder, sorted."""
        path = self.root / folder
        found = (entry.name for entry in os.scandir(path)) if path.is_dir() else iter(())
        return sorted(name for name in found if not name.startswith("."))

    def read(self, name: str) -> bytes:
        """The bytes of a file."""
        return (self.root / name).read_bytes()

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        (self.root / name).unlink(missing_ok=True)

    @contextmanager
    def workspace(self, task: str) -> Iterator[Path]:
        """A folder beside the results: to rename a file within a file system is one step."""
        work = self.root / WORK
        work.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(
            dir=work, prefix=f"{task}-", ignore_cleanup_errors=True
        ) as folder:
            yield Path(folder)

    def publish(self, files: Mapping[str, Path]) -> None:
        """Write files through to the disk, then rename them."""
        for name, path in files.items():
            target = self.root / name
            target.parent.mkdir(parents=True, exist_ok=True)
            _synced(path)
            path.replace(target)
            _synced(target.parent)

    def publish_folder(self, name: str, folder: Path) -> None:
        """Rename a folder; one that is in its place goes first: no marker names it."""
        target = self.root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        for path in sorted(folder.rglob("*")):
            _synced(path)
        if target.exists():
            with tempfile.TemporaryDirectory(dir=folder.parent, ignore_cleanup_errors=True) as old:
                target.replace(Path(old) / "old")
        folder.replace(target)
        _synced(target.parent)

    @contextmanager
    def local_folder(self, name: str) -> Iterator[Path]:
        """The folder itself."""
        yield self.root / name

    @contextmanager
    def local_files(self, names: Sequence[str]) -> Iterator[list[Path]]:
        """The files themselves."""
        yield [self.root / name for name in names]

    def clean(self) -> None:
        """Remove all workspaces."""
        shutil.rmtree(self.root / WORK, ignore_errors=True)


def _synced(path: Path) -> None:
    """Make the system write a file, or the names in a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class RemoteStorage:
    """A folder behind fsspec: `s3://bucket/out` and the like. There a file is put in one step."""

    def __init__(self, location: str) -> None:
        self.location = location.rstrip("/")
        self._files, self._root = _file_system(self.location)

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}"

    def exists(self, name: str) -> bool:
        """Whether there is a file of this name."""
        return bool(self._files.exists(self._path(name)))

    def names(self, folder: str) -> list[str]:
        """The names of the files in a folder, sorted."""
        try:
            found = self._files.ls(self._path(folder), detail=False)
        except FileNotFoundError:
            return []
        names = (str(path).rstrip("/").rpartition("/")[2] for path in found)
        return sorted(name for name in names if not name.startswith("."))

    def read(self, name: str) -> bytes:
        """The bytes of a file."""
        content: bytes = self._files.cat_file(self._path(name))
        return content

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        if self.exists(name):
            self._files.rm_file(self._path(name))

    @contextmanager
    def workspace(self, task: str) -> Iterator[Path]:
        """A temporary folder of this machine."""
        with tempfile.TemporaryDirectory(prefix=f"sitewright-{task}-") as folder:
            yield Path(folder)

    def publish(self, files: Mapping[str, Path]) -> None:
        """Put the files."""
        for name, path in files.items():
            self._files.makedirs(self._path(name).rpartition("/")[0], exist_ok=True)
            self._files.put_file(str(path), self._path(name))

    def publish_folder(self, name: str, folder: Path) -> None:
        """Put all files of a folder."""
        if self.exists(name):
            self._files.rm(self._path(name), recursive=True)
        files = (path for path in sorted(folder.rglob("*")) if path.is_file())
        self.publish({f"{name}/{path.relative_to(folder).as_posix()}": path for path in files})

    @contextmanager
    def local_folder(self, name: str) -> Iterator[Path]:
        """A copy of the folder."""
        with tempfile.TemporaryDirectory(prefix="sitewright-") as folder:
            for path in self._files.find(self._path(name)):
                target = Path(folder) / str(path).removeprefix(self._path(name)).lstrip("/")
                target.parent.mkdir(parents=True, exist_ok=True)
                self._files.get_file(path, str(target))
            yield Path(folder)

    @contextmanager
    def local_files(self, names: Sequence[str]) -> Iterator[list[Path]]:
        """Copies of the files, numbered in their order."""
        with tempfile.TemporaryDirectory(prefix="sitewright-") as folder:
            paths = [Path(folder) / f"{number:08}" for number in range(len(names))]
            for name, path in zip(names, paths, strict=True):
                self._files.get_file(self._path(name), str(path))
            yield paths

    def clean(self) -> None:
        """Nothing is left behind: workspaces are temporary folders."""


# The WARC files that pages come from.


def archive_paths(named: Sequence[str]) -> list[tuple[str, int]]:
    """The WARC files that a person named, each once and with its size, in the order of their names.

    A folder stands for all archives in it, a pattern for what fits it.
    """
    found: dict[str, int] = {}
    for where in named:
        found |= _remote_archives(where) if is_remote(where) else _local_archives(where)
    return sorted(found.items())


def _local_archives(where: str) -> dict[str, int]:
    path = Path(where)
    if path.is_dir():
        files = [one for one in path.rglob("*") if one.name.lower().endswith(_ARCHIVES)]
        if not files:
            raise InputNotFound(where, "no .warc, .warc.gz or .wacz file in this folder")
    elif path.exists():
        files = [path]
    else:
        files = sorted(Path().glob(where)) if not path.is_absolute() else _absolute_matches(path)
        if not files:
            raise InputNotFound(where)
    return {str(one.absolute()): one.stat().st_size for one in files if one.is_file()}


def _absolute_matches(path: Path) -> list[Path]:
    return sorted(Path(path.anchor).glob(str(path.relative_to(path.anchor))))


def _remote_archives(where: str) -> dict[str, int]:
    files, path = _file_system(where)
    names = files.glob(path) if "*" in path else [path]
    if "*" not in path and files.isdir(path):
        names = [one for one in files.find(path) if str(one).lower().endswith(_ARCHIVES)]
    if not names or not files.exists(names[0]):
        raise InputNotFound(where)
    return {str(files.unstrip_protocol(name)): int(files.size(name) or 0) for name in names}


@contextmanager
def local_copies(named: Sequence[str]) -> Iterator[list[Path]]:
    """Files as local ones, for the duration of a `with` block: remote ones are copied."""
    with tempfile.TemporaryDirectory(prefix="sitewright-") as folder:
        paths: list[Path] = []
        for number, where in enumerate(named):
            if not is_remote(where):
                paths.append(Path(where))
                continue
            files, name = _file_system(where)
            paths.append(Path(folder) / f"{number:08}")
            files.get_file(name, str(paths[-1]))
        yield paths


class ArchiveReader:
    """Reads an archive in order, or single records of it: for the duration of a `with` block.

    `records` of a remote archive needs a copy of it; single records are read in place.
    """

    def __init__(self, where: str) -> None:
        self._where = where
        self._streams: list[BinaryIO] = []
        self._copy: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> ArchiveReader:
        return self

    def __exit__(self, *_: object) -> None:
        for stream in self._streams:
            stream.close()
        if self._copy is not None:
            self._copy.cleanup()

    def streams(self) -> list[BinaryIO]:
        """The WARC files of the archive, open: one, or those inside a WACZ."""
        if not self._streams:
            path = self._where
            if is_remote(path):
                files, name = _file_system(path)
                self._copy = tempfile.TemporaryDirectory(prefix="sitewright-")
                path = str(Path(self._copy.name) / "archive")
                files.get_file(name, path)
            self._streams = list(open_archive(path).streams)
        return self._streams

    def record(self, member: int, offset: int, inner: int, length: int) -> WarcRecord | Reason:
        """The record at a place that an index gave."""
        if not is_remote(self._where) or self._streams or member or inner:
            streams = self.streams()
            if member >= len(streams):
                raise UnreadableInput(self._where, "an index names a part that it does not have")
            return read_record(streams[member], offset, inner)
        return read_record(BytesIO(self._read(offset, length)), 0)

    def _read(self, offset: int, length: int) -> bytes:
        files, name = _file_system(self._where)
        most = min(length, MAX_RECORD) + _SLACK
        content: bytes = files.cat_file(name, start=offset, end=offset + most)
        return content
