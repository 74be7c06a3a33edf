"""Real pages to measure on: labelled data, and the HTML of Debian packages, fetched once."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = "rust-doc"
CACHE = Path(os.environ.get("SITEWRIGHT_BENCHMARKS", ".benchmarks"))


def real_pages(count: int, package: str = PACKAGE) -> Iterator[tuple[str, bytes]]:
    """So many pages of the package, spread evenly over it, as URLs with their bytes."""
    root = _unpacked(package)
    files = sorted(path for path in root.rglob("*.html") if path.is_file())
    step = max(1, len(files) // count)
    for path in files[::step][:count]:
        yield f"http://docs.invalid/{path.relative_to(root)}", path.read_bytes()


def debian_package(package: str) -> Path | None:
    """The files of a Debian package; None, with a note, where it cannot be fetched."""
    try:
        return _unpacked(package)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"left out: Debian's package {package} ({error})", file=sys.stderr)
        return None


def _unpacked(package: str) -> Path:
    folder = CACHE / package
    if not folder.is_dir():
        print(f"fetching Debian's package {package} ...", file=sys.stderr)
        with tempfile.TemporaryDirectory(dir=made(CACHE)) as temporary:
            _download(package, Path(temporary))
            (deb,) = Path(temporary).glob("*.deb")
            subprocess.run(["dpkg-deb", "-x", deb, Path(temporary) / "files"], check=True)
            (Path(temporary) / "files").rename(folder)
    return folder


def _download(package: str, folder: Path) -> None:
    command = ["apt-get", "download", "-qq", package]
    if subprocess.run(command, cwd=folder, check=False, stderr=subprocess.DEVNULL).returncode:
        subprocess.run(["apt-get", "update", "-qq"], check=True)
        subprocess.run(command, cwd=folder, check=True)


def data_folder() -> Path:
    """Where labelled data lies: beside the project, or where SITEWRIGHT_DATA says."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    return Path(os.environ.get("SITEWRIGHT_DATA", beside))


def made(folder: Path) -> Path:
    """A folder, made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    return folder
