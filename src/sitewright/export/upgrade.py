"""What sitewright 0.1 and 0.2 wrote, in the formats of today.

Version 1 gave four of its files no name and none of them a model. What a file holds has hardly
changed: the skeleton was nested objects, and a wrapper did not say what it was learnt from.
Versions 1 and 2 told the classes of pages apart by other features. Their models keep everything
but that: the results can be read, and the next `run` finds the classes anew.
"""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

from sitewright import formats
from sitewright.classes import SiteModel
from sitewright.errors import InputNotFound, UnreadableInput, WrongFormatVersion
from sitewright.export.class_tables import value_columns
from sitewright.export.folder import CLASSES, MODEL, SKELETON, TEMPLATE, WRAPPER, learnt_from
from sitewright.export.tables import LISTING, table_listing, written_tables
from sitewright.methods import Trained
from sitewright.page.rendering import Rendering
from sitewright.site.open import SOURCE_FILE as SOURCE
from sitewright.site.open import SiteSource
from sitewright.skeleton import SkeletonNode
from sitewright.template import Template
from sitewright.wrapper import Wrapper

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


_FIRST = 1
_KNOWN = (_FIRST, 2)
_Data = dict[str, Any]


def upgrade_folder(path: Path) -> list[Path]:
    """Bring a project folder, or one file, to the version of today; gives the files it wrote.

    All files are read before the first is written. What is of this version already, and what is
    none of ours, stays as it is.
    """
    if path.is_dir():
        written = _folder_files(path)
    elif path.exists():
        value = _upgraded(path, _kind_of(path))
        written = [] if value is None else [(path, value, None)]
    else:
        raise InputNotFound(str(path))
    for file, value, model in written:
        formats.write(file, value, model=model)
    return [file for file, _, _ in written]


def _folder_files(out: Path) -> list[tuple[Path, formats.Stored, str | None]]:
    if not (out / MODEL).exists():
        raise InputNotFound(str(out), f"no {MODEL} here: not a folder of results")
    model = _upgraded(out / MODEL, SiteModel)
    current = model or formats.read(out / MODEL, SiteModel)
    identity = formats.identity(current)
    files = [(out / MODEL, model), *_upgraded_files(out)]
    return [(path, value, identity) for path, value in files if value is not None]


def _upgraded_files(out: Path) -> Iterator[tuple[Path, formats.Stored | None]]:
    yield out / SOURCE, _upgraded(out / SOURCE, SiteSource)
    yield out / SKELETON, _upgraded(out / SKELETON, SkeletonNode)
    for folder in sorted((out / CLASSES).glob("*/")):
        yield folder / TEMPLATE, _upgraded(folder / TEMPLATE, Template)
        wrapper = _upgraded(folder / WRAPPER, Wrapper)
        yield folder / WRAPPER, wrapper
        if wrapper is not None and not (folder / LISTING).exists() and _has_tables(folder, wrapper):
            yield folder / LISTING, table_listing(folder, *value_columns(wrapper))


def _has_tables(folder: Path, wrapper: Wrapper) -> bool:
    """Whether the tables in a folder are those that its wrapper makes."""
    try:
        listing = table_listing(folder, *value_columns(wrapper))
        return bool(written_tables(folder)) and all(
            _header(folder / f"{table.name}.csv")
            == [*(column.name for column in table.columns), *table.record_sets]
            for table in listing.tables
        )
    except (OSError, ValueError):
        return False


def _header(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="") as file:
        return next(csv.reader(file), [])


def _upgraded(path: Path, kind: type[formats.JsonValue]) -> formats.JsonValue | None:
    """What a file of an earlier version holds; None if it is of today, absent or none of ours."""
    header = formats.read_header(path)
    if header is None or header.format != kind.FORMAT or header.version == formats.VERSION:
        return None
    if header.version not in _KNOWN:
        raise WrongFormatVersion(str(path), header.version, formats.VERSION)
    data = json.loads(path.read_bytes())
    try:
        is_first = header.version == _FIRST
        changed = _CHANGED.get(kind.FORMAT, _same)(data) if is_first else data
        changed = _without_scores(changed) if kind is SiteModel else changed
    except (LookupError, TypeError, ValueError) as error:
        why = f"a damaged {kind.FORMAT} file: {error!r}"
        raise UnreadableInput(str(path), why) from None
    return formats.restore(changed, kind, str(path))


def _kind_of(path: Path) -> type[formats.Stored]:
    header = formats.read_header(path)
    if header is None or header.format not in _KINDS:
        raise UnreadableInput(str(path), "no file of sitewright")
    return _KINDS[header.format]


def _same(data: _Data) -> _Data:
    return data


def _without_scores(data: _Data) -> _Data:
    """A model without what classified pages, which had another form."""
    nothing = {"scores": {}, "shares": {}, "least_fit": 0.0}
    dropped = {"worst"}
    classes = [
        {name: value for name, value in one.items() if name not in dropped} | nothing
        for one in data["classes"]
    ]
    kept = {name: value for name, value in data.items() if name != "path_columns"}
    return {**kept, "classes": classes, "structure_columns": [], "address_columns": []}


def _wrapper(data: _Data) -> _Data:
    return {**data, "learnt_from": learnt_from(data)}


def _skeleton(data: _Data) -> _Data:
    """The pages of nested objects, in the order of the tree."""
    pages: list[_Data] = []
    waiting: list[tuple[_Data, int, str | None]] = [(data, 0, None)]
    while waiting:
        node, level, parent = waiting.pop()
        kept = {name: node[name] for name in ("url", "title", "kind")}
        pages.append({**kept, "level": level, "parent": parent})
        waiting.extend((child, level + 1, node["url"]) for child in reversed(node["children"]))
    return {"pages": pages}


def _rendering(data: _Data) -> _Data:
    """Version 1 wrote 0 and 1 for no and yes."""
    styles = [[*style[:4], bool(style[4]), *style[5:]] for style in data["styles"]]
    nodes = [[*node[:3], bool(node[3]), *node[4:]] for node in data["nodes"]]
    return {**data, "styles": styles, "nodes": nodes}


_CHANGED: dict[str, Callable[[_Data], _Data]] = {
    Wrapper.FORMAT: _wrapper,
    SkeletonNode.FORMAT: _skeleton,
    Rendering.FORMAT: _rendering,
}
_KINDS: dict[str, type[formats.Stored]] = {
    kind.FORMAT: kind
    for kind in (SiteModel, Wrapper, Template, SkeletonNode, SiteSource, Trained, Rendering)
}
