"""What holds for every public function: paths as text or as objects, arguments that are checked."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import re
from dataclasses import dataclass
from pathlib import Path

import click
import pytest

from sitewright import formats
from sitewright.choices import Method
from sitewright.cli import sitewright
from sitewright.crawl.frontier import Strategy
from sitewright.crawl.waves import CrawlPlan
from sitewright.errors import InputNotFound, SitewrightError
from sitewright.evaluate.measures import read_labels
from sitewright.export.folder import read_model, read_skeleton, read_wrapper
from sitewright.methods import discover, discover_all, distill, extract_skeleton, match
from sitewright.page import Document
from sitewright.site import Scope, open_site
from sitewright.site.archive import ArchiveSite
from sitewright.site.browser import FolderResources
from sitewright.site.folder import FolderSite
from sitewright.site.warc import read_records
from sitewright.site.warc_writer import WarcWriter
from sitewright.skeleton import SkeletonNode
from sitewright.wrapper import Wrapper

PACKAGES = ["site", "classes", "template", "skeleton", "visual", "wrapper"]
READERS = [read_records, WarcWriter, FolderSite, ArchiveSite, read_skeleton]


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
    formats.write(root / "model.json", model, model=formats.identity(model))
    formats.write(root / "wrapper.json", Wrapper("page", ()), model=formats.identity(model))
    (root / "labels.tsv").write_text("index.html\thome\n")
    tree = SkeletonNode("http://a.example/", "A")
    formats.write(root / "skeleton.json", tree, model=formats.identity(model))
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
        (read_skeleton, "."),
        (read_labels, "labels.tsv"),
        (FolderResources, "site"),
    ],
)
def test_a_path_is_text_or_an_object(folder, monkeypatch, form, read, name):
    monkeypatch.chdir(folder)
    read(form(folder / name))


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
@pytest.mark.parametrize("read", [open_site, ArchiveSite, read_model, read_wrapper, read_skeleton])
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


class Untouched:
    """A site that nobody may ask for anything."""

    home = "http://a.example/"

    def __getattr__(self, name: str) -> object:
        raise AssertionError(f"the site was asked for its {name}")


METHODS = "default or paper"
PAGES = [Document(b"<p>one"), Document(b"<p>two")]


@pytest.mark.parametrize(
    ("call", "allowed"),
    [
        (lambda wrong: asyncio.run(discover(Untouched(), CrawlPlan(), method=wrong)), METHODS),
        (lambda wrong: discover_all(Untouched(), method=wrong), METHODS),
        (lambda wrong: asyncio.run(extract_skeleton(Untouched(), method=wrong)), METHODS),
        (lambda wrong: distill(PAGES, method=wrong), METHODS),
        (lambda wrong: match(None, None, method=wrong), "default, paper or paper-leaves"),
        (lambda wrong: CrawlPlan(strategy=wrong), "balanced, densest or sparsest"),
        (lambda wrong: Scope("http://a.example/", wrong), "host, domain or prefix"),
        (lambda wrong: open_site("http://a.example/", scope=wrong), "host, domain or prefix"),
    ],
    ids=["discover", "discover_all", "extract_skeleton", "distill", "match", "Plan", "Scope",
         "open_site"],
)  # fmt: skip
@pytest.mark.parametrize("wrong", ["papr", "", None, 7])
def test_a_wrong_choice_is_refused_before_anything_is_fetched(call, allowed, wrong):
    with pytest.raises(ValueError, match=re.escape(allowed)) as caught:
        call(wrong)
    assert isinstance(caught.value, SitewrightError)
    assert "\n" not in str(caught.value)


def test_a_choice_can_be_made_by_its_name():
    assert CrawlPlan(strategy="densest").strategy is Strategy.DENSEST_FIRST
    assert distill(PAGES, method="paper") == distill(PAGES, method=Method.PAPER)
    assert distill(PAGES).method == "default"
    inner = Scope("http://a.example/docs/", "prefix")
    assert not inner.contains("http://a.example/other/")


def test_every_command_with_methods_calls_ours_the_default():
    """One word for one thing: `default`; experiments may add others."""
    found = {}
    waiting = [("", sitewright)]
    while waiting:
        path, command = waiting.pop()
        if isinstance(command, click.Group):
            context = click.Context(command)
            names = command.list_commands(context)
            waiting += [(f"{path} {name}", command.get_command(context, name)) for name in names]
        for option in command.params:
            if "--method" in option.opts:
                found[path.strip()] = (option.default, tuple(option.type.choices))
    assert len(found) >= 8
    for verb, (usual, choices) in found.items():
        assert usual in {"default", "both"}, verb
        assert "default" in choices, verb
        assert not {"sitewright", "evidence", "slots", "unsupervised"} & set(choices), verb
