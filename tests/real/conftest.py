"""Real, labelled data, where it lies beside the project; without it these tests skip."""

import tarfile
from pathlib import Path

import pytest

DATA = Path(__file__).parents[3] / "shared" / "data"


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real data."""
    if not DATA.is_dir():
        pytest.skip("no real data: it lies in ../shared/data, beside the project")
    return DATA


@pytest.fixture(scope="session")
def unpacked(data, tmp_path_factory):
    """Unpack an archive of real data once: `unpacked("flink-web-html.tar.xz")` is its folder."""
    folders: dict[str, Path] = {}

    def unpack(name: str) -> Path:
        if not (data / name).is_file():
            pytest.skip(f"no real data: ../shared/data/{name} is not there")
        if name not in folders:
            folders[name] = tmp_path_factory.mktemp("real")
            with tarfile.open(data / name) as archive:
                archive.extractall(folders[name], filter="data")
        return folders[name]

    return unpack
