"""The files of a folder: their names, and their bytes without ever leaving the folder.

Names come from one walk over the folder, and only these are ever opened: no URL reaches the file
system. Symbolic links are other names of what they point to, if that lies in the folder.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from sitewright.errors import InvalidInput
from sitewright.formats import format_of
from sitewright.site.base import Reason
from sitewright.site.sniff import SNIFFED

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_FILE = 64 << 20
"""The largest file that is read, in bytes."""
_VERSIONS = frozenset({".git", ".hg", ".svn"})
"""Where version control keeps its own files, which are nobody's pages."""
_MODEL, _MODEL_FORMAT = "model.json", "sitewright-model"
"""The file that every folder of our results has, and what it says that it is."""
_MAX_NAME = 2000
"""The longest name, in characters: every URL made of it is short enough to be one."""

# Without O_NONBLOCK, opening a pipe would wait for a writer. Windows has none of these.
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_DIRECTORY = getattr(os, "O_DIRECTORY", 0)
_STEPWISE = os.open in os.supports_dir_fd and bool(_NO_LINK)


class FolderFiles:
    """The regular files under a folder, by their names in it, with `/` between the segments.

    Folders below it that hold results of ours are passed over, and so is `without`; `only` is the
    one file that counts, so that the folder is not walked.
    """

    def __init__(
        self, root: str, without: str | os.PathLike[str] | None = None, only: str | None = None
    ) -> None:
        self.root = os.path.realpath(root)
        self._without = None if without is None else os.path.realpath(without)
        if self._without == self.root:
            raise InvalidInput(root, "is the site itself: results would be read as its pages")
        self.names: list[str] = []
        """Sorted, and without symbolic links in any segment."""
        self.refused: Counter[Reason] = Counter()
        """What the walk passed over: links that lead outside, folders that cannot be listed."""
        self._links: dict[str, str] = {}
        if only is not None:
            self.names.append(only)
        waiting = [""] if only is None else []
        while waiting:
            self._list(waiting.pop(), waiting)
        self.names.sort()

    def _list(self, prefix: str, waiting: list[str]) -> None:
        try:
            with os.scandir(f"{self.root}/{prefix}") as listed:
                entries = list(listed)
            if prefix and any(entry.name == _MODEL for entry in entries) and self._is_ours(prefix):
                return
            for entry in entries:
                self._take_in(entry, prefix + entry.name, waiting)
        except OSError:
            self.refused[Reason.UNREADABLE] += 1

    def _is_ours(self, prefix: str) -> bool:
        """Whether a folder holds results of ours, which are nobody's pages."""
        return format_of(self.head(prefix + _MODEL, SNIFFED)) == _MODEL_FORMAT

    def _take_in(self, entry: os.DirEntry[str], name: str, waiting: list[str]) -> None:
        if len(name) > _MAX_NAME:
            self.refused[Reason.UNREADABLE] += 1
        elif entry.is_symlink():
            self._take_in_link(name)
        elif entry.is_dir(follow_symlinks=False):
            if entry.name not in _VERSIONS and f"{self.root}/{name}" != self._without:
                waiting.append(f"{name}/")
        elif entry.is_file(follow_symlinks=False):
            self.names.append(name)

    def _take_in_link(self, name: str) -> None:
        target = os.path.realpath(f"{self.root}/{name}")
        if os.path.commonpath([target, self.root]) != self.root:
            self.refused[Reason.OUT_OF_SCOPE] += 1
        else:
            inside = os.path.relpath(target, self.root).replace(os.sep, "/")
            self._links[name] = "" if inside == "." else inside

    def real_name(self, name: str) -> str:
        """Give another name of a file, through symbolic links, as its one real name."""
        if not self._links:
            return name
        real = ""
        for segment in name.split("/"):
            real = f"{real}/{segment}" if real else segment
            real = self._links.get(real, real)
        return real

    def head(self, name: str, size: int) -> bytes:
        """Read the first bytes of a file of `names`, as safely; none if it cannot be read."""
        try:
            file = _open(self.root, name)
        except OSError:
            return b""
        try:
            is_regular = stat.S_ISREG(os.fstat(file).st_mode)
            return os.read(file, size) if is_regular else b""
        except OSError:
            return b""
        finally:
            os.close(file)

    def read(self, name: str, is_wanted: Callable[[bytes], bool], limit: int) -> bytes | Reason:
        """Read a file of `names`, or tell why not; `is_wanted` judges by the first bytes.

        Every segment of its name is opened without following links: whatever has been put in its
        place since the walk, nothing outside is read, and no pipe or device.
        """
        try:
            file = _open(self.root, name)
        except OSError:
            return Reason.UNREADABLE
        try:
            return _read_regular(file, is_wanted, limit)
        except OSError:
            return Reason.UNREADABLE
        finally:
            os.close(file)


def _read_regular(file: int, is_wanted: Callable[[bytes], bool], limit: int) -> bytes | Reason:
    status = os.fstat(file)
    if not stat.S_ISREG(status.st_mode):
        return Reason.UNREADABLE
    with open(file, "rb", closefd=False) as stream:
        head = stream.read(SNIFFED)
        if not is_wanted(head):
            return Reason.NOT_HTML
        if status.st_size > limit:
            return Reason.TOO_LARGE
        return head + stream.read(max(0, status.st_size - len(head)))


def _open(root: str, name: str) -> int:
    """Open a file without following a link anywhere below the root."""
    if not _STEPWISE:
        return _open_checked(root, name)
    *folders, last = name.split("/")
    folder = os.open(root, _READ | _DIRECTORY)
    try:
        for segment in folders:
            inner = os.open(segment, _READ | _DIRECTORY | _NO_LINK, dir_fd=folder)
            os.close(folder)
            folder = inner
        return os.open(last, _READ | _NO_LINK, dir_fd=folder)
    finally:
        os.close(folder)


def _open_checked(root: str, name: str) -> int:
    """Open a file where systems cannot do it step by step: what it really is must be its name."""
    path = Path(root, name)
    if path.resolve() != path or not path.is_file():
        raise FileNotFoundError(name)
    return os.open(path, _READ | getattr(os, "O_BINARY", 0))
