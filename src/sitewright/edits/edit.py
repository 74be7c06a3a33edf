"""The edits as they stand in OUT/edits.jsonl, and what became of each."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from sitewright.classes.features import evenly
from sitewright.errors import InvalidInput, UnreadableInput
from sitewright.formats import check_xpath, complete_or_absent, json_line
from sitewright.wrapper.examples import checked_examples
from sitewright.wrapper.values.types import ValueKind  # noqa: TC001 - msgspec reads it

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from sitewright.classes import SiteModel


EDITS_FILE = "edits.jsonl"
_MAX_BYTES = 16 << 20
_ANCHORS = 5
"""Pages of a class that an edit remembers it by."""
_MOST_STARS = 8
"""A pattern with more `*` could take very long."""


_ORDER = ("edit", "class", "classes", "page", "under", "records", "field", "value")
"""What comes first in a line, so that people can read it."""


# The edits, as they stand in the file.


class _Edit(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="edit",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """What all edits have."""

    def as_json(self) -> dict[str, Any]:
        """The edit as it stands in the file."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return {name: data[name] for name in (*_ORDER, *data) if name in data}

    def summary(self) -> str:
        """The edit in a few words: `rename_field player player_head to team`."""
        hidden = {"pages", "xpath"}
        data = {name: one for name, one in self.as_json().items() if name not in hidden}
        ends = [f"{name} {data.pop(name)}" for name in ("under", "to") if data.get(name)]
        if data.pop("branch", False):
            ends.append("with its branch")
        return " ".join([*(_word(one) for one in data.values() if one), *ends])


def _word(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


class _ClassEdit(_Edit, frozen=True, kw_only=True):
    pages: dict[str, tuple[str, ...]] = {}
    """Some pages of each class that the edit names."""


class RenameClass(_ClassEdit, frozen=True, tag="rename_class", rename={"page_class": "class"}):
    """Give a class another name."""

    page_class: str
    to: str


class MergeClasses(_ClassEdit, frozen=True, tag="merge_classes"):
    """Make several classes one; the first gives its name."""

    classes: tuple[str, ...]


class SplitClass(_ClassEdit, frozen=True, tag="split_class", rename={"page_class": "class"}):
    """Make a class of some of the pages of another.

    They are told by their address (`url`, with `*` for any text), by a tag or a tag with a class
    that they have (`mark`: `div.price`), or by `examples`: then the pages that are more like these
    than like the others go with them.
    """

    page_class: str
    to: str
    url: str = ""
    mark: str = ""
    examples: tuple[str, ...] = ()


class MovePage(_ClassEdit, frozen=True, tag="move_page"):
    """Move a page to another class, and with it the pages that are like it."""

    page: str
    to: str


class _FieldEdit(_Edit, frozen=True, kw_only=True, rename={"page_class": "class"}):
    page_class: str
    field: str
    records: str = ""
    """The record set that the field is of; empty for a field of the page."""
    xpath: str = ""
    """The field's selector, by which it is found where it has another name."""
    pages: dict[str, tuple[str, ...]] = {}


class RenameField(_FieldEdit, frozen=True, tag="rename_field", rename={"page_class": "class"}):
    """Give a field another name."""

    to: str


class DropField(_FieldEdit, frozen=True, tag="drop_field", rename={"page_class": "class"}):
    """Leave a field out."""


class RetypeField(_FieldEdit, frozen=True, tag="retype_field", rename={"page_class": "class"}):
    """Read a field as another type; its text is kept beside the value."""

    type: ValueKind


class ExampleField(_FieldEdit, frozen=True, tag="example_field", rename={"page_class": "class"}):
    """Make a field of a value that somebody pointed at, also of one that was left out."""

    value: str
    page: str = ""


class MarkPart(_FieldEdit, frozen=True, tag="mark_part", rename={"page_class": "class"}):
    """Say of a part of the page, by its `xpath`, that it is template, or that it is content."""

    field: str = ""
    part: str = "template"
    """template or content."""


class MoveNode(_Edit, frozen=True, tag="move_node"):
    """Put a page of the skeleton, with all that is below it, under another one."""

    page: str
    under: str


class RenameNode(_Edit, frozen=True, tag="rename_node"):
    """Give a page of the skeleton another title."""

    page: str
    to: str


class RemoveNode(_Edit, frozen=True, tag="remove_node"):
    """Take a page out of the skeleton; with `branch`, the pages below it too."""

    page: str
    branch: bool = False


class UnreadableEdit(_Edit, frozen=True, tag="unreadable"):
    """A line that is no edit."""

    line: str
    why: str


ClassEdit: TypeAlias = RenameClass | MergeClasses | SplitClass | MovePage
FieldEdit: TypeAlias = RenameField | DropField | RetypeField | ExampleField | MarkPart
SkeletonEdit: TypeAlias = MoveNode | RenameNode | RemoveNode
Edit: TypeAlias = ClassEdit | FieldEdit | SkeletonEdit | UnreadableEdit
CLASS_EDITS = (RenameClass, MergeClasses, SplitClass, MovePage)
FIELD_EDITS = (RenameField, DropField, RetypeField, ExampleField, MarkPart)
SKELETON_EDITS = (MoveNode, RenameNode, RemoveNode)


class EditStatus(StrEnum):
    """What became of an edit."""

    APPLIED = "applied"
    NOT_NEEDED = "no longer needed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class EditOutcome:
    """What became of an edit, and why or how."""

    edit: Edit
    status: EditStatus
    detail: str = ""

    def as_json(self) -> dict[str, Any]:
        """A flat object: status and detail, then the edit."""
        return {"status": self.status.value, "detail": self.detail, **self.edit.as_json()}


def parse_edit(line: str | bytes) -> Edit:
    """Read one edit; InvalidInput if it is none."""
    try:
        edit: Edit = msgspec.json.decode(line, type=Edit)
        _check(edit)
    except (msgspec.ValidationError, msgspec.DecodeError, ValueError, RecursionError) as error:
        shown = line.decode("utf-8", "replace") if isinstance(line, bytes) else line
        raise InvalidInput(shown.strip()[:80] or "an empty line", f"no edit: {error}") from None
    return edit


def _check(edit: Edit) -> None:
    """ValueError for names that nothing can have, and for patterns that take very long."""
    if isinstance(edit, RenameNode) and not edit.to.strip():
        raise ValueError("a page of the skeleton needs a title")
    if isinstance(edit, RenameClass | SplitClass):
        check_class_name(edit.to)
    if isinstance(edit, SplitClass):
        if sum(map(bool, (edit.url, edit.mark, edit.examples))) != 1:
            raise ValueError("split by one of url, mark and examples")
        if edit.url.count("*") > _MOST_STARS:
            raise ValueError(f"more than {_MOST_STARS} times * in {edit.url!r}")
    if isinstance(edit, MergeClasses) and len(set(edit.classes)) < 2:
        raise ValueError("a merge needs two classes")
    if isinstance(edit, FIELD_EDITS):
        _check_field(edit)


def _check_field(edit: FieldEdit) -> None:
    if isinstance(edit, RenameField | ExampleField):
        name = edit.to if isinstance(edit, RenameField) else edit.field
        checked_examples({name: "x"})
    if isinstance(edit, MarkPart):
        if edit.part not in {"template", "content"}:
            raise ValueError("a part is template or content")
        check_xpath(edit.xpath)


def check_class_name(name: str) -> None:
    """ValueError for what cannot be the name of a class: it is the name of a folder too."""
    letters = name.replace("-", "").replace("_", "")
    if not letters.isalnum() or not name[0].isalnum() or len(name) > 60:
        raise ValueError(f"no name for a class: {name!r}; letters, digits, - and _")


def read_edits(path: Path) -> list[Edit]:
    """The edits of a file, in order; a line that is none becomes an `UnreadableEdit`."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise UnreadableInput(str(path), f"larger than {_MAX_BYTES >> 20} MB")
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise UnreadableInput(str(path), error.strerror or "cannot be read") from None
    edits: list[Edit] = []
    for line in filter(bytes.strip, lines):
        try:
            edits.append(parse_edit(line))
        except InvalidInput as error:
            edits.append(UnreadableEdit(line=line.decode("utf-8", "replace"), why=str(error)))
    return edits


def write_edits(path: Path, edits: Iterable[Edit]) -> None:
    """Write all edits, complete or not at all; lines that nobody understands stay as they are."""
    with complete_or_absent(path) as file:
        for edit in edits:
            is_odd = isinstance(edit, UnreadableEdit)
            file.write(f"{edit.line}\n" if is_odd else json_line(edit.as_json()))  # type: ignore[union-attr]


def with_edits(edits: Sequence[Edit], new: Iterable[Edit]) -> list[Edit]:
    """Some edits and new ones behind them, those aside that are there already."""
    known = {_line(edit) for edit in edits}
    return [*edits, *(edit for edit in new if _line(edit) not in known)]


def _line(edit: Edit) -> str:
    return json.dumps(edit.as_json(), sort_keys=True)


def class_anchors(model: SiteModel, names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Some pages of each class, for an edit that names them."""
    known = {one.name: one for one in model.classes}
    return {
        name: tuple(evenly(known[name].pages or known[name].samples, _ANCHORS))
        for name in names
        if name in known
    }


def moved_pages(edits: Iterable[Edit]) -> dict[str, str]:
    """The pages that were moved, each with the name that its class has now."""
    moved: dict[str, str] = {}
    for edit in edits:
        match edit:
            case MovePage():
                moved[edit.page] = edit.to
            case RenameClass():
                moved = {
                    page: edit.to if name == edit.page_class else name
                    for page, name in moved.items()
                }
            case MergeClasses():
                first, *others = edit.classes
                moved = {page: first if name in others else name for page, name in moved.items()}
    return moved


def named_pages(edits: Iterable[Edit]) -> list[str]:
    """The pages that edits of classes speak of: they must be known to be moved."""
    pages: list[str] = []
    for edit in edits:
        if isinstance(edit, MovePage):
            pages.append(edit.page)
        elif isinstance(edit, SplitClass):
            pages += edit.examples
    return list(dict.fromkeys(pages))


def field_edits(edits: Iterable[Edit], page_class: str) -> list[FieldEdit]:
    """The edits of the fields of one class."""
    return [
        edit for edit in edits if isinstance(edit, FIELD_EDITS) and edit.page_class == page_class
    ]


def with_current_names(edits: Sequence[Edit], model: SiteModel) -> list[Edit]:
    """The edits of fields under the names that their classes have in this model.

    A class that a later edit renamed or merged has its new name; one that another run named
    otherwise is known by its pages.
    """
    known = {one.name for one in model.classes}
    class_of = {url: one.name for one in model.classes for url in (*one.pages, *one.samples)}
    found: list[Edit] = []
    for number, edit in enumerate(edits):
        if not isinstance(edit, FIELD_EDITS):
            found.append(edit)
            continue
        name = _later_name(edit.page_class, edits[number:])
        if name not in known:  # somebody wrote the old name after a rename
            name = _later_name(edit.page_class, edits)
        if name not in known:
            pages = edit.pages.get(edit.page_class, ())
            votes = Counter(class_of[url] for url in pages if url in class_of)
            name = votes.most_common(1)[0][0] if votes else name
        found.append(msgspec.structs.replace(edit, page_class=name))
    return found


def _later_name(name: str, edits: Iterable[Edit]) -> str:
    for edit in edits:
        if isinstance(edit, RenameClass) and edit.page_class == name:
            name = edit.to
        elif isinstance(edit, MergeClasses) and name in edit.classes:
            name = edit.classes[0]
    return name


class CannotApply(Exception):
    """Why an edit fails."""
