"""The project folder: its files, and which of them belong to the site model that is in it.

Every JSON file names the model that it belongs to. What belongs to another model is refused when it
is read, and removed when a new model is written: results of two models never stand side by side.
Only files that we write ourselves are ever removed.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitewright import formats
from sitewright.classes import SiteModel
from sitewright.errors import InputNotFound, InvalidInput, UnreadableInput
from sitewright.export.class_tables import REJECTED_FILE as REJECTED
from sitewright.export.class_tables import table_columns
from sitewright.export.tables import LISTING, TableListing, TableWriter, written_tables
from sitewright.page import Document
from sitewright.page.url import host_of
from sitewright.settings import current
from sitewright.site.folder import NO_HOST
from sitewright.site.open import SiteSource, read_source, resemblance, write_source
from sitewright.skeleton import SkeletonNode
from sitewright.template import Template
from sitewright.wrapper import LearntFrom, Wrapper

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


MODEL = "model.json"
REPORT = "report.html"
SKELETON = "skeleton.json"
CLASSES = "classes"
TEMPLATE = "template.json"
WRAPPER = "wrapper.json"
_CLASS_NAME = re.compile(r"\w[\w.-]*")


def read_model(folder: str | os.PathLike[str]) -> SiteModel:
    """Read the model of a project folder, or the file itself."""
    path = Path(folder)
    file = path / MODEL if path.is_dir() else path
    if not file.exists():
        why = f"no {MODEL} here; make one with: sitewright discover SITE -o {path}"
        raise InputNotFound(str(path), why)
    model = formats.read(file, SiteModel)
    for number, one in enumerate(model.classes):
        try:
            _check_name(one.name)
            formats.check_pattern(one.url_pattern)
        except ValueError as error:
            why = f"a damaged {SiteModel.FORMAT} file: {error} - at `$.classes[{number}]`"
            raise UnreadableInput(str(file), why) from None
    return model


_LONGEST_NAME = 200


def _check_name(name: str) -> None:
    """Refuse the name of a class that cannot be, or must not be, the name of its folder."""
    is_elsewhere = name in {"", ".", ".."} or any(one in name for one in "/\\\0")
    if is_elsewhere or len(os.fsencode(name)) > _LONGEST_NAME or not name.isprintable():
        raise ValueError(f"{name[:_LONGEST_NAME]!r} is no name of a class")


def write_model(out: Path, model: SiteModel, source: SiteSource | None = None) -> list[Path]:
    """Write OUT/model.json, then remove the files of the model before it; gives what was removed.

    `source` says where the pages came from; it is written to OUT/site.json. Wrappers by example are
    a person's work: they become the new model's, unless that is the model of another site.
    """
    is_kept = is_same_site(out, model, source)
    identity = formats.identity(model)
    formats.remove_abandoned(formats.output_folder(out))
    before = formats.read_header(out / MODEL)
    if before and before.model != identity:
        (out / REPORT).unlink(missing_ok=True)  # it is made anew at the end
    formats.write(out / MODEL, model, model=identity)
    if source is not None:
        write_source(out, source, model=identity)
    if is_kept:
        _adopt_examples(out, model, identity)
        return remove_stale(out, identity)
    return [*remove_stale(out, identity), *_remove(out, _example_files(out))]


def is_same_site(out: Path, model: SiteModel, source: SiteSource | None) -> bool:
    """Whether the earlier model of a folder of results, if there is one, is of the same site.

    Hosts tell sites apart. Folders that no URL is known of share a host that stands for none: they
    are one site if they lie at the same place, or if their home pages have most texts in common.
    """
    host = _home_host(out)
    if host is None or host != host_of(model.home):
        return host is None
    if host != host_of(NO_HOST) or source is None:
        return True
    try:
        before = read_source(out)
    except InvalidInput:
        return True  # of another version, or damaged: nothing speaks against it
    if not before.texts or os.path.realpath(before.site) == os.path.realpath(source.site):
        return True
    return resemblance(before.texts, source.texts) >= current().extraction.min_resemblance


def model_id(out: Path) -> str | None:
    """The id of the model in a folder; None if there is none."""
    return formats.identity(read_model(out)) if (out / MODEL).exists() else None


def read_wrapper(path: str | os.PathLike[str], *, model: str | None = None) -> Wrapper:
    """Read a wrapper and try it: people may have edited it. `model`: refuse that of another."""
    return _tried(formats.read(path, Wrapper, model=model), Path(path))


def parse_wrapper(text: bytes, path: Path) -> Wrapper:
    """The same of the text of a file, which may be gone by now."""
    return _tried(formats.parse(text, Wrapper, str(path)), path)


def _tried(wrapper: Wrapper, file: Path) -> Wrapper:
    page = Document(b"")
    try:
        TableWriter(file.parent, *table_columns(wrapper))
        rules = [field.rule for field in wrapper.all_fields()]
        for rule in (*rules, *(records.rule for records in wrapper.record_sets)):
            rule.texts(page.index)
            rule.matches("")
    except (ValueError, re.error) as error:
        raise UnreadableInput(str(file), f"a damaged wrapper: {error}") from None
    return wrapper


def read_wrappers(out: Path, model: SiteModel) -> dict[str, Wrapper]:
    """The wrappers of a project folder, by class, in the order of the model.

    OtherModel if one belongs to another model, InputNotFound if there are none.
    """
    identity = formats.identity(model)
    wrappers = {}
    for name, path in _wrapper_files(out, model):
        wrappers[name] = read_wrapper(path, model=identity)
        if wrappers[name].page_class != name:
            why = f"the wrapper of another class: {wrappers[name].page_class!r}"
            raise UnreadableInput(str(path), why)
    if not wrappers:
        why = f"no class has a wrapper here; make them with: sitewright run SITE -o {out}"
        raise InputNotFound(str(out), why)
    return wrappers


def wrappers_by_example(out: Path, model: SiteModel) -> dict[str, Wrapper]:
    """The wrappers of a model that a person's examples made: learning does not replace them."""
    identity = formats.identity(model)
    files = set(_example_files(out))
    return {
        name: read_wrapper(path, model=identity)
        for name, path in _wrapper_files(out, model)
        if path in files
    }


def read_skeleton(folder: str | os.PathLike[str]) -> SkeletonNode:
    """The navigation tree of a project folder; OtherModel if that of another model."""
    out = Path(folder)
    return formats.read(out / SKELETON, SkeletonNode, model=model_id(out))


def read_template(out: Path, page_class: str) -> Template | None:
    """What the pages of a class share; None for a class of one page."""
    path = out / CLASSES / page_class / TEMPLATE
    return formats.read(path, Template) if path.is_file() else None


def stale_files(out: Path, model: str) -> list[Path]:
    """Our files in a folder that belong to another model than the one with this id.

    Wrappers by example are not among them.
    """
    found = [path for path in (out / SKELETON,) if _is_stale(path, SkeletonNode.FORMAT, model)]
    folders = list(_class_folders(out))
    for folder in folders:
        found += _stale_in(folder, model)
    tables = (formats.read_header(folder / LISTING) for folder in folders)
    if not any(header and header.model == model for header in tables):
        found += [path for path in (out / REJECTED,) if _is_rejected(path)]
    return found


def remove_stale(out: Path, model: str) -> list[Path]:
    """Remove our files of other models, and class folders that are empty then."""
    return _remove(out, stale_files(out, model))


def remove_examples(out: Path) -> list[Path]:
    """Remove all wrappers by example."""
    return _remove(out, _example_files(out))


def _remove(out: Path, files: Iterable[Path]) -> list[Path]:
    removed = []
    for path in files:
        try:
            path.unlink()
        except OSError as error:
            raise UnreadableInput(str(path), f"cannot be removed: {error.strerror}") from None
        removed.append(path)
    for folder in (*_class_folders(out), out / CLASSES):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    return removed


def _stale_in(folder: Path, model: str) -> Iterator[Path]:
    if _is_stale(folder / TEMPLATE, Template.FORMAT, model):
        yield folder / TEMPLATE
    wrapper = folder / WRAPPER
    if _is_stale(wrapper, Wrapper.FORMAT, model) and not _is_by_example(wrapper):
        yield wrapper
    header = formats.read_header(folder / LISTING)
    if header is None or header.model != model:
        yield from written_tables(folder)
        if header is not None and header.format == TableListing.FORMAT:
            yield folder / LISTING


def _is_stale(path: Path, name: str, model: str) -> bool:
    """Whether this is a file of ours, of that format, and of another model."""
    header = None if path.is_symlink() else formats.read_header(path)
    return header is not None and header.format == name and header.model != model


def _is_rejected(path: Path) -> bool:
    """Whether a file of JSON lines is our list of rejected pages."""
    try:
        with path.open("rb") as file:
            first = file.readline()
            return not first or json.loads(first).keys() == {"url", "class", "reason"}
    except (OSError, ValueError, AttributeError, RecursionError):
        return False


def _class_folders(out: Path) -> Iterator[Path]:
    """The folders of classes, whatever model they are of; a link would lead elsewhere."""
    folder = out / CLASSES
    if folder.is_dir() and not folder.is_symlink():
        for path in sorted(folder.iterdir()):
            if path.is_dir() and not path.is_symlink():
                yield path


def _wrapper_files(out: Path, model: SiteModel) -> Iterator[tuple[str, Path]]:
    for one in model.classes:
        # In a model from elsewhere the name of a class may be any text: it must not lead away.
        path = out / CLASSES / one.name / WRAPPER
        if _CLASS_NAME.fullmatch(one.name) and path.is_file():
            yield one.name, path


def _example_files(out: Path) -> list[Path]:
    return [folder / WRAPPER for folder in _class_folders(out) if _is_by_example(folder / WRAPPER)]


def _is_by_example(path: Path) -> bool:
    try:
        data = json.loads(path.read_bytes())
        header = formats.header_of(data)
        is_wrapper = header is not None and header.format == Wrapper.FORMAT
        return is_wrapper and learnt_from(data) is LearntFrom.EXAMPLES
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return False


def learnt_from(wrapper: dict[str, Any]) -> LearntFrom:
    """What the wrapper in a file was learnt from; version 1 says so in the fields alone."""
    if "learnt_from" in wrapper:
        return LearntFrom(wrapper["learnt_from"])
    sets = [field for records in wrapper["record_sets"] for field in records["fields"]]
    by_example = any(field["named_by"] == "example" for field in (*wrapper["fields"], *sets))
    return LearntFrom.EXAMPLES if by_example else LearntFrom.PAGES


def _adopt_examples(out: Path, model: SiteModel, identity: str) -> None:
    """Give the wrappers by example of an earlier model to this one, where it has their classes."""
    examples = set(_example_files(out))
    for _, path in _wrapper_files(out, model):
        if path in examples:
            try:
                wrapper = formats.read(path, Wrapper)
            except InvalidInput:
                continue  # of another version, or damaged: whoever reads it gets the error
            formats.write(path, wrapper, model=identity)


def _home_host(out: Path) -> str | None:
    """The host of the site whose model is in a folder, whatever version wrote it."""
    try:
        data = json.loads((out / MODEL).read_bytes())
        return host_of(data["home"])
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
