"""Edits of fields: what the wrapper of a class reads."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from sitewright.edits.edit import (
    CannotApply,
    DropField,
    EditOutcome,
    EditStatus,
    ExampleField,
    MarkPart,
    RenameField,
    RetypeField,
)
from sitewright.errors import InvalidInput
from sitewright.page.page_index import select, text_of
from sitewright.wrapper.examples import found_examples, induce_from_examples
from sitewright.wrapper.values.types import FieldType, ValueKind, infer_type
from sitewright.wrapper.wrapper import RejectedColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from sitewright.edits.edit import FieldEdit
    from sitewright.page import Document
    from sitewright.template import Template
    from sitewright.wrapper import Field, RecordSet, Wrapper


EDITED = "edit"
"""What names a field that a person named."""
DROPPED = "dropped by an edit"
MARKED = "marked as template"


def edited_wrapper(
    wrapper: Wrapper, edits: Sequence[FieldEdit], documents: Sequence[Document]
) -> tuple[Wrapper, list[EditOutcome]]:
    """A wrapper as corrected, and what became of each edit."""
    outcomes = []
    for edit in edits:
        try:
            wrapper, status, detail = _FIELD_STEPS[type(edit)](wrapper, edit, documents)
        except (CannotApply, InvalidInput, ValueError) as error:
            status, detail = EditStatus.FAILED, str(error)
        outcomes.append(EditOutcome(edit, status, detail))
    return wrapper, outcomes


_Step: TypeAlias = "tuple[Wrapper, EditStatus, str]"


def _rename_field(wrapper: Wrapper, edit: RenameField, _pages: Sequence[Document]) -> _Step:
    fields = _scope(wrapper, edit.records)
    there = {field.name for field in fields}
    if not edit.records and any(one.name == edit.field for one in wrapper.record_sets):
        return _rename_record_set(wrapper, edit)
    field = _found(fields, edit)
    if field is None:
        if edit.to in there:
            return wrapper, EditStatus.NOT_NEEDED, f"a field is named {edit.to} already"
        raise CannotApply(f"there is no field {edit.field}")
    if field.name == edit.to:
        return wrapper, EditStatus.NOT_NEEDED, f"the field is named {edit.to} already"
    taken = {name for one in fields if one is not field for name in one.columns()}
    taken |= {one.name for one in wrapper.record_sets} if not edit.records else set()
    if edit.to in taken:
        raise CannotApply(f"another field is named {edit.to}")
    renamed = replace(field, name=edit.to, named_by=EDITED)
    changed = _with_field(wrapper, edit.records, field, renamed)
    return _with_names(changed, {field.name: edit.to}), EditStatus.APPLIED, ""


def _rename_record_set(wrapper: Wrapper, edit: RenameField) -> _Step:
    taken = {one.name for one in wrapper.record_sets}
    taken |= {name for field in wrapper.fields for name in field.columns()}
    if edit.to in taken:
        raise CannotApply(f"something else is named {edit.to}")
    sets = tuple(
        replace(one, name=edit.to) if one.name == edit.field else one for one in wrapper.record_sets
    )
    rows = edit.to if wrapper.rows == edit.field else wrapper.rows
    changed = replace(wrapper, record_sets=sets, rows=rows)
    return _with_names(changed, {edit.field: edit.to}), EditStatus.APPLIED, ""


def _drop_field(wrapper: Wrapper, edit: DropField, _pages: Sequence[Document]) -> _Step:
    field = _found(_scope(wrapper, edit.records), edit)
    if field is None:
        return wrapper, EditStatus.NOT_NEEDED, "there is no such field"
    changed = _with_field(wrapper, edit.records, field, None)
    return _noting(changed, [field], DROPPED), EditStatus.APPLIED, ""


def _retype_field(wrapper: Wrapper, edit: RetypeField, pages: Sequence[Document]) -> _Step:
    field = _found(_scope(wrapper, edit.records), edit)
    if field is None:
        raise CannotApply(f"there is no field {edit.field}")
    if field.type.kind is edit.type:
        return wrapper, EditStatus.NOT_NEEDED, f"its type is {edit.type} already"
    texts = _texts(edit.records, field, pages)
    kind = retyped(edit.type, texts)
    read = sum(kind.value(field.rule.extract_group(text)) is not None for text in texts)
    changed = replace(field, type=kind, raw=edit.type is not ValueKind.TEXT)
    detail = f"{read:,} of {len(texts):,} sample values can be read so" if texts else ""
    return _with_field(wrapper, edit.records, field, changed), EditStatus.APPLIED, detail


def retyped(kind: ValueKind, texts: Sequence[str]) -> FieldType:
    """A type of this kind, with the decimal mark or order of dates that most texts have."""
    inferred = infer_type(texts, max_odd_share=1.0)
    if inferred.kind is kind:
        return inferred
    return FieldType(kind, decimal_mark="." if kind is ValueKind.DECIMAL else "")


def _example_field(wrapper: Wrapper, edit: ExampleField, pages: Sequence[Document]) -> _Step:
    there = [field for field in wrapper.fields if field.name == edit.field]
    if there and there[0].named_by == "example":
        return wrapper, EditStatus.NOT_NEEDED, f"there is a field {edit.field} by example"
    taken = {name for field in wrapper.fields for name in field.columns()}
    if edit.field in taken | {one.name for one in wrapper.record_sets}:
        raise CannotApply(f"another field is named {edit.field}")
    field, found = example_field(edit, pages)
    same = [one for one in wrapper.fields if one.rule == field.rule]
    if same:
        raise CannotApply(f"these values are those of {same[0].name}: rename it")
    changed = replace(wrapper, fields=(*wrapper.fields, field))
    return changed, EditStatus.APPLIED, f"on {found:,} of {len(pages):,} sample pages"


def example_field(edit: ExampleField, pages: Sequence[Document]) -> tuple[Field, int]:
    """The field that a value stands for, and how many of the pages have it."""
    if not pages:
        raise CannotApply("none of the pages of the class is here")
    named = [page for page in pages if page.url == edit.page]
    documents = [*named, *(page for page in pages if page.url != edit.page)]
    among = documents[: len(named)] or documents
    examples = found_examples(among, {edit.field: [edit.value]})
    learnt = induce_from_examples(documents, examples, edit.page_class)
    (field,) = learnt.fields
    return field, sum(bool(field.rule.texts(page.index)) for page in documents)


def _mark_part(wrapper: Wrapper, edit: MarkPart, pages: Sequence[Document]) -> _Step:
    if edit.part == "content":
        return wrapper, EditStatus.APPLIED, "the template leaves it out"
    inside = [field for field in wrapper.fields if _stands_inside(field, edit.xpath, pages)]
    sets = [one for one in wrapper.record_sets if _stands_inside(one, edit.xpath, pages)]
    sets = [one for one in sets if one.name != wrapper.rows]
    if not inside and not sets:
        return wrapper, EditStatus.NOT_NEEDED, "no field stands there"
    changed = wrapper
    for field in inside:
        changed = _with_field(changed, "", field, None)
    kept = tuple(one for one in changed.record_sets if one not in sets)
    gone = {one.name for one in sets}
    required = tuple(name for name in changed.required if name not in gone)
    changed = replace(changed, record_sets=kept, required=required)
    changed = _noting(changed, inside, MARKED)
    names = ", ".join([field.name for field in inside] + [one.name for one in sets])
    return changed, EditStatus.APPLIED, f"left out: {names}"


_FIELD_STEPS: dict[type, Callable[[Wrapper, Any, Sequence[Document]], _Step]] = {
    RenameField: _rename_field,
    DropField: _drop_field,
    RetypeField: _retype_field,
    ExampleField: _example_field,
    MarkPart: _mark_part,
}


def edited_template(
    template: Template, edits: Sequence[FieldEdit], documents: Sequence[Document]
) -> Template:
    """A template without the texts that somebody marked as content."""
    parts = [edit for edit in edits if isinstance(edit, MarkPart) and edit.part == "content"]
    texts = {
        text.lower() for edit in parts for page in documents for text in _inside(page, edit.xpath)
    }
    kept = tuple(
        token for token in template.tokens if " ".join(token.spelling.split()) not in texts
    )
    return replace(template, tokens=kept) if len(kept) < len(template) else template


def _inside(page: Document, xpath: str) -> Iterator[str]:
    """The texts inside of what a selector finds."""
    for found in select(page.tree, f"({xpath})//text()"):
        text = text_of(found)
        if text:
            yield text


def _stands_inside(part: Field | RecordSet, xpath: str, pages: Sequence[Document]) -> bool:
    """Whether all that a rule finds on these pages stands inside of what another selects."""
    found = False
    for page in pages:
        # The nodes are kept: the number of one that is gone may be that of another.
        nodes = [one for one in select(page.tree, xpath) if not isinstance(one, str)]
        around = {id(one) for one in nodes}
        for element, _ in page.index.select_with_elements(part.rule.selector):
            found = True
            above = [element, *element.ancestors]
            if not around.intersection(map(id, above)):
                return False
    return found


def _scope(wrapper: Wrapper, records: str) -> tuple[Field, ...]:
    """The fields of the page, or of one of its record sets."""
    if not records:
        return wrapper.fields
    for one in wrapper.record_sets:
        if one.name == records:
            return one.fields
    raise CannotApply(f"there is no record set {records}")


def _found(fields: Sequence[Field], edit: FieldEdit) -> Field | None:
    """The field that an edit means: by its name, else by its selector."""
    for field in fields:
        if field.name == edit.field:
            return field
    return next((one for one in fields if edit.xpath and one.rule.xpath == edit.xpath), None)


def _with_field(wrapper: Wrapper, records: str, old: Field, new: Field | None) -> Wrapper:
    """The wrapper with another field in the place of one; None: without it."""

    def changed(fields: tuple[Field, ...]) -> tuple[Field, ...]:
        swapped = (new if field is old else field for field in fields)
        return tuple(field for field in swapped if field is not None)

    if not records:
        left = wrapper if new is not None else _without(wrapper, {old.name})
        return replace(left, fields=changed(wrapper.fields))
    sets = tuple(
        replace(one, fields=changed(one.fields)) if one.name == records else one
        for one in wrapper.record_sets
    )
    if any(not one.fields for one in sets):
        raise CannotApply(f"it is the only field of {records}")
    return replace(wrapper, record_sets=sets)


def _without(wrapper: Wrapper, names: Collection[str]) -> Wrapper:
    return replace(
        wrapper,
        key=() if set(wrapper.key) & set(names) else wrapper.key,
        required=tuple(name for name in wrapper.required if name not in names),
    )


def _with_names(wrapper: Wrapper, new: Mapping[str, str]) -> Wrapper:
    return replace(
        wrapper,
        key=tuple(new.get(name, name) for name in wrapper.key),
        required=tuple(new.get(name, name) for name in wrapper.required),
    )


def _noting(wrapper: Wrapper, fields: Sequence[Field], reason: str) -> Wrapper:
    dropped = (
        RejectedColumn(field.rule.xpath, reason, field.samples[0] if field.samples else "")
        for field in fields
    )
    return replace(wrapper, dropped=(*wrapper.dropped, *dropped))


def _texts(records: str, field: Field, pages: Sequence[Document]) -> list[str]:
    """What a field finds on some pages, as it stands there."""
    if not records:
        return [text for page in pages for text in field.rule.texts(page.index)]
    return list(field.samples)
