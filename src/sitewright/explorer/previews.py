"""What a correction would change, before it is kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sitewright.choices import Method
from sitewright.classes.features import PathMarks, page_features
from sitewright.edits.classes import followers, url_matches
from sitewright.edits.edit import (
    CLASS_EDITS,
    FIELD_EDITS,
    ExampleField,
    MergeClasses,
    MovePage,
    RenameClass,
    SplitClass,
)
from sitewright.edits.fields import edited_wrapper, example_field
from sitewright.errors import InvalidInput
from sitewright.methods import documents_of
from sitewright.page import Labelling, PathVocabulary
from sitewright.site import Page
from sitewright.wrapper import Extractor, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.edits.edit import Edit, FieldEdit
    from sitewright.explorer.data import SiteData
    from sitewright.page import Document
    from sitewright.site import Site


_SAMPLES = 5


@dataclass(frozen=True, slots=True)
class Preview:
    """What would change, in words, with values that a field would have."""

    lines: tuple[str, ...]
    problem: str = ""
    """Why the edit would fail; empty if it would not."""
    values: tuple[str, ...] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """The object that the page gets."""
        return {"lines": self.lines, "problem": self.problem, "values": self.values}


async def preview(data: SiteData, site: Site, edit: Edit) -> Preview:
    """What an edit would change."""
    figures = {one.name: one for one in data.figures}
    if isinstance(edit, CLASS_EDITS) and data.model.method != Method.DEFAULT.value:
        return Preview((), "the classes were found by a method that takes no corrections of them")
    try:
        if isinstance(edit, FIELD_EDITS):
            return await _changed_fields(data, site, edit)
        if isinstance(edit, SplitClass):
            return await _split(data, site, edit, figures)
        if isinstance(edit, MovePage):
            return await _moved(data, site, edit, figures)
        return (
            _renamed_class(edit, figures)
            if isinstance(edit, RenameClass)
            else _merged(edit, figures)
        )
    except InvalidInput as error:
        return Preview((), str(error))


def _merged(edit: Edit, figures: dict[str, Any]) -> Preview:
    if not isinstance(edit, MergeClasses):
        return Preview((), "not an edit")
    first, *others = edit.classes
    _check_known([first, *others], figures)
    moved = sum(figures[name].pages for name in others)
    then = figures[first].pages + moved
    return Preview(
        (
            f"This merge moves {moved:,} pages from {', '.join(others)} to {first}.",
            f"{first} then has {then:,} pages, and its table is learnt anew.",
        )
    )


def _check_known(names: Sequence[str], figures: dict[str, Any]) -> None:
    for name in names:
        if name not in figures:
            raise InvalidInput(name, "there is no such class")


def _renamed_class(edit: RenameClass, figures: dict[str, Any]) -> Preview:
    _check_known([edit.page_class], figures)
    if edit.to in figures:
        return Preview((), f"another class is named {edit.to}; to make them one, merge them")
    pages = figures[edit.page_class].pages
    return Preview((f"{pages:,} pages are of class {edit.to} then; no page moves.",))


async def _split(data: SiteData, site: Site, edit: SplitClass, figures: dict[str, Any]) -> Preview:
    _check_known([edit.page_class], figures)
    if edit.to in figures:
        return Preview((), f"there is a class named {edit.to} already")
    total = figures[edit.page_class].pages
    if edit.url:
        urls = _urls(data, edit.page_class)
        inside = sum(url_matches(url, edit.url) for url in urls)
        total, about = len(urls), ""
    else:
        documents = await documents_of(data.model.by_name(edit.page_class), site)
        documents += await _other_examples(edit, documents, site)
        inside = _inside(edit, documents, site)
        about = "about "
        inside = inside * total // max(len(documents), 1)
    if not inside or inside >= total:
        return Preview((), "no page of the class is so" if not inside else "all its pages are so")
    return Preview(
        (f"{about}{inside:,} of {total:,} pages go to the new class {edit.to}.".strip(),)
    )


async def _other_examples(
    edit: SplitClass, documents: Sequence[Document], site: Site
) -> list[Document]:
    """The example pages that are not among the sample pages of the class."""
    known = {one.url for one in documents}
    found = await site.fetch([url for url in edit.examples if url not in known])
    return [page.document() for page in found if isinstance(page, Page)]


def _inside(edit: SplitClass, documents: Sequence[Document], site: Site) -> int:
    vocabulary = PathVocabulary(Labelling.CLASSES)
    pages = [page_features(one, vocabulary, site.page_url) for one in documents]
    marks = PathMarks(vocabulary)
    if edit.mark:
        return sum(edit.mark in marks.columns(page.nodes) for page in pages)
    own = [place for place, one in enumerate(documents) if one.url in edit.examples]
    if not own:
        raise InvalidInput("the example pages", "none of them is here")
    return len(followers(pages, marks, own, list(range(len(documents)))))


def _urls(data: SiteData, name: str) -> list[str]:
    urls = [str(one["url"]) for one in data.rejected if one["class"] == name]
    if name in data.tables.tables:
        urls += data.tables.pages(name, limit=1_000_000)
    return urls


async def _moved(data: SiteData, site: Site, edit: MovePage, figures: dict[str, Any]) -> Preview:
    _check_known([edit.to], figures)
    (outcome,) = await site.fetch([edit.page])
    document = getattr(outcome, "document", lambda: None)()
    if document is None:
        return Preview((), "the page is not here")
    now = data.class_of_page(document)[0]
    if now == edit.to:
        return Preview((), f"the page is in {edit.to} already")
    lines = [f"The page goes from {now or 'no class'} to {edit.to}."]
    if now is not None:
        like, compared = await _count_followers(data, site, document, now, edit.to)
        total = figures[now].pages
        share = like * total // max(compared, 1)
        lines.append(
            f"{like} of {compared} sample pages of {now} are more like it than like the rest, and "
            f"go along: about {share:,} of {total:,} pages."
            if like
            else f"No sample page of {now} is more like it than like the rest: it goes alone."
        )
    return Preview(tuple(lines))


async def _count_followers(
    data: SiteData, site: Site, document: Document, now: str, to: str
) -> tuple[int, int]:
    """How many of the sample pages of a class would go along with one of its pages."""
    own = await documents_of(data.model.by_name(now), site)
    own = [document, *(one for one in own if one.url != document.url)]
    others = await documents_of(data.model.by_name(to), site)
    vocabulary = PathVocabulary(Labelling.CLASSES)
    pages = [page_features(one, vocabulary, site.page_url) for one in (*own, *others)]
    found = followers(pages, PathMarks(vocabulary), [0], list(range(len(own))))
    return len(found) - 1, len(own) - 1


async def _changed_fields(data: SiteData, site: Site, edit: FieldEdit) -> Preview:
    wrapper = data.wrapper(edit.page_class)
    if wrapper is None:
        return Preview((), f"the class {edit.page_class} has no table")
    documents = await documents_of(data.model.by_name(edit.page_class), site)
    changed, outcomes = edited_wrapper(wrapper, [edit], documents)
    (outcome,) = outcomes
    if outcome.status.value == "failed":
        return Preview((), outcome.detail)
    records = next(one.records for one in data.figures if one.name == edit.page_class)
    lines = [f"{records:,} records of {edit.page_class} are read anew."]
    if outcome.status.value == "no longer needed":
        lines = [f"Nothing changes: {outcome.detail}."]
    elif outcome.detail:
        lines.append(outcome.detail.capitalize() + ".")
    before = {one.name for one in wrapper.all_fields()}
    now = {one.name for one in changed.all_fields()}
    if before - now:
        lines.append(f"Columns that go: {', '.join(sorted(before - now))}.")
    if now - before:
        lines.append(f"Columns that come: {', '.join(sorted(now - before))}.")
    return Preview(tuple(lines), values=tuple(_values(edit, changed, documents)))


def _values(edit: FieldEdit, wrapper: Any, documents: Sequence[Document]) -> list[str]:  # noqa: ANN401
    """What the field has on some pages."""
    name = getattr(edit, "to", "") or edit.field
    found = []
    if isinstance(edit, ExampleField):
        learnt, _ = example_field(edit, documents)
        return [text for one in documents[:_SAMPLES] for text in learnt.rule.texts(one.index)[:1]]
    for document in documents[:_SAMPLES]:
        record = Extractor(wrapper).extract(document)
        if isinstance(record, Record) and record.values.get(name) is not None:
            found.append(str(record.values[name]))
    return found
