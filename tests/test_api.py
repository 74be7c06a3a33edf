"""What holds for every public function: paths as text or as objects, arguments that are checked."""

from __future__ import annotations

import importlib
import inspect
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from sitewright.classes import discover_all, dump_model, read_model
from sitewright.errors import InputNotFound
from sitewright.evaluate.datasets import read_labels
from sitewright.output.skeleton import read_skeleton, write_skeleton
from sitewright.site import open_site
from sitewright.site.archive import ArchiveSite
from sitewright.site.folder import FolderSite
from sitewright.site.warc.records import read_records
from sitewright.site.warc.writer import WarcWriter
from sitewright.skeleton import SkeletonNode, read_trained
from sitewright.visual import FolderResources
from sitewright.wrapper import Wrapper, dump_wrapper, read_wrapper

PACKAGES = ["site", "classes", "template", "skeleton", "visual", "wrapper", "output"]
READERS = [read_records, WarcWriter, FolderSite, ArchiveSite, read_skeleton, write_skeleton]


@dataclass(frozen=True)
class OwnPath:
    """A path that is neither text nor a `pathlib.Path`."""

    path: str

    def __fspath__(self) -> str:
        return self.path


FORMS = {"text": str, "Path": Path, "own": lambda path: OwnPath(str(path))}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """One of each thing that can be read."""
    root = tmp_path_factory.mktemp("things")
    (root / "site").mkdir()
    (root / "site/index.html").write_text("<h1>Alone</h1>")
    model = discover_all(FolderSite(root / "site"))
    assert model is not None
    (root / "model.json").write_text(dump_model(model))
    (root / "wrapper.json").write_text(dump_wrapper(Wrapper("page", ())))
    (root / "labels.tsv").write_text("index.html\thome\n")
    write_skeleton(SkeletonNode("http://a.example/", "A"), root / "skeleton.json")
    WarcWriter(root / "empty.warc.gz").close()
    return root


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
@pytest.mark.parametrize(
    ("read", "name"),
    [
        (open_site, "site"),
        (FolderSite, "site"),
        (lambda path: FolderSite("site", without=path), "out"),
        (lambda path: open_site("site", archive=path), "pages.warc.gz"),
        (lambda path: open_site("http://a.example/", archive=path), "fetched.warc.gz"),
        (lambda path: list(read_records(path)), "empty.warc.gz"),
        (read_model, "."),
        (read_model, "model.json"),
        (read_wrapper, "wrapper.json"),
        (read_skeleton, "skeleton.json"),
        (read_labels, "labels.tsv"),
        (FolderResources, "site"),
    ],
)
def test_a_path_is_text_or_an_object(folder, monkeypatch, form, read, name):
    monkeypatch.chdir(folder)
    read(form(folder / name))


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
@pytest.mark.parametrize(
    "read", [open_site, ArchiveSite, read_model, read_wrapper, read_skeleton, read_trained]
)
def test_a_file_that_is_not_there_is_said_so(tmp_path, form, read):
    with pytest.raises(InputNotFound, match="no-such-file"):
        read(form(tmp_path / "no-such-file"))


@pytest.mark.parametrize("package", PACKAGES)
def test_no_public_function_asks_for_one_kind_of_path(package):
    module = importlib.import_module(f"sitewright.{package}")
    public = [getattr(module, name) for name in module.__all__] + READERS
    for one in filter(callable, public):
        annotations = getattr(one.__init__ if inspect.isclass(one) else one, "__annotations__", {})
        for name, kind in annotations.items():
            if name != "return":
                assert not re.search(r"\bPath\b", str(kind)), f"{one.__name__}({name}: {kind})"
