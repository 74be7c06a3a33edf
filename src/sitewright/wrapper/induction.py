"""Induction: the wrapper of a class, from its pages alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from sitewright.page.page_index import text_of
from sitewright.settings import current
from sitewright.wrapper.alternatives import with_alternatives
from sitewright.wrapper.choice.column_choice import choose, ordered_columns
from sitewright.wrapper.choice.column_model import wanted_columns
from sitewright.wrapper.choice.constants import constant_places
from sitewright.wrapper.class_pages import analyse_readings
from sitewright.wrapper.columns import make_columns
from sitewright.wrapper.extra_fields.parts import with_parts
from sitewright.wrapper.extra_fields.script_data import with_script_data
from sitewright.wrapper.extra_fields.sections import with_lines, with_sections
from sitewright.wrapper.fields import as_lists, make_fields, merge_alternatives
from sitewright.wrapper.languages import merge_translations
from sitewright.wrapper.layouts import with_layouts
from sitewright.wrapper.naming.names import slug, without_clashes
from sitewright.wrapper.naming.same_names import told_apart
from sitewright.wrapper.naming.value_names import named_by_values
from sitewright.wrapper.pages import flat_page
from sitewright.wrapper.reading import Extractor, Record, with_references, with_row_key
from sitewright.wrapper.records import record_sets
from sitewright.wrapper.sampling import representative_pages
from sitewright.wrapper.values.sketch import with_sketch
from sitewright.wrapper.values.types import ValueKind
from sitewright.wrapper.wrapper import Wrapper

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sitewright.page import Document
    from sitewright.page.page_index import PageIndex
    from sitewright.wrapper.class_pages import ClassPages
    from sitewright.wrapper.columns import Statistics, ValueColumn
    from sitewright.wrapper.fields import FieldCandidate
    from sitewright.wrapper.pages import FlatPage
    from sitewright.wrapper.reading import LeadsTo, Misfit
    from sitewright.wrapper.wrapper import Field, RecordSet, RejectedColumn


_ADDRESSES = (ValueKind.URL, ValueKind.IMAGE)
_HEAD = frozenset({"title", "meta", "link"})


def induce(
    documents: Sequence[Document],
    page_class: str,
    *,
    leads_to: LeadsTo | None = None,
    width: int | None = None,
) -> Wrapper:
    """Learn the wrapper of a class from some of its pages.

    Constant text is template, what varies is data. A few pages that do not belong to the class do
    no harm: what most pages have decides. `leads_to` knows the classes of other pages, and makes
    links to them foreign keys.
    """
    learn = partial(_learn, page_class=page_class, leads_to=leads_to, width=width)
    learnt = with_layouts(learn(documents), documents, learn, required_names)
    return with_sketch(with_alternatives(learnt, documents), documents)


def add_layouts(
    wrapper: Wrapper,
    documents: Sequence[Document],
    misfits: Sequence[Document],
    *,
    leads_to: LeadsTo | None = None,
) -> Wrapper:
    """The wrapper with the layouts of pages of its class that it does not fit.

    `documents` are pages that it fits. It stays the very same where the misfits are foreign pages.
    """
    learn = partial(_learn, page_class=wrapper.page_class, leads_to=leads_to, width=None)
    pages = [*documents, *misfits]
    found = with_layouts(wrapper, pages, learn, required_names)
    return found if found is wrapper else with_sketch(with_alternatives(found, pages), pages)


def add_columns(
    wrapper: Wrapper,
    documents: Sequence[Document],
    names: Collection[str],
    *,
    leads_to: LeadsTo | None = None,
) -> Wrapper:
    """The wrapper with columns for places that all pages said the same at, and some do not.

    What is learnt from `documents`, those pages among them, says which are columns. The others
    stay without one, and are no longer kept: they vary, and nobody wants them.
    """
    learnt = _learn(documents, page_class=wrapper.page_class, leads_to=leads_to, width=None)
    pages = [document.index for document in documents]
    fields = list(wrapper.fields)
    for constant in wrapper.constants:
        if constant.name not in names:
            continue
        held = list(map(constant.rule.texts, pages))
        own = next((one for one in learnt.fields if list(map(one.rule.texts, pages)) == held), None)
        if own is not None:
            before = {one.name for one in learnt.fields[: learnt.fields.index(own)]}
            place = max((n for n, one in enumerate(fields, 1) if one.name in before), default=0)
            fields.insert(place, replace(own, name=constant.name))
    left = tuple(one for one in wrapper.constants if one.name not in names)
    found = replace(wrapper, fields=tuple(fields), constants=left)
    return with_sketch(with_alternatives(found, documents), documents)


def _learn(
    pages: Sequence[Document], *, page_class: str, leads_to: LeadsTo | None, width: int | None
) -> Wrapper:
    sample = representative_pages(pages)
    return induce_from_sample(sample, page_class, leads_to=leads_to, width=width)


def induce_from_sample(
    documents: Sequence[Document],
    page_class: str,
    *,
    leads_to: LeadsTo | None = None,
    width: int | None = None,
) -> Wrapper:
    """`induce` from all of these pages: what `representative_pages` has chosen."""
    settings = current().wrapper
    width = settings.max_columns if width is None else width
    readings = [flat_page(document) for document in documents]
    found = _induced(documents, readings, page_class, width)
    records = _records(found, documents)
    own = _without_foreign(records)
    if len(own) < len(documents):
        documents = [documents[place] for place in own]
        found = _induced(documents, [readings[place] for place in own], page_class, width)
        records = _records(found, documents)
    found = with_row_key(found, records)
    return found if leads_to is None else with_references(found, records, leads_to)


def _records(wrapper: Wrapper, documents: Sequence[Document]) -> list[Record | Misfit]:
    extractor = Extractor(wrapper)
    return [extractor.extract(document) for document in documents]


def _without_foreign(records: Sequence[Record | Misfit]) -> Sequence[int]:
    """The places of pages that have records, if but a few have not: those are of another class.

    Where more do not fit, they may be another layout of this one.
    """
    settings = current().wrapper
    everyone = range(len(records))
    if len(records) < settings.min_pages_for_foreign:
        return everyone
    own = [place for place in everyone if isinstance(records[place], Record)]
    return own if len(own) >= (1 - settings.max_foreign_share) * len(records) else everyone


def _induced(
    documents: Sequence[Document], readings: list[FlatPage], page_class: str, width: int
) -> Wrapper:
    settings = current().wrapper
    pages = analyse_readings(readings)
    indexes = [document.index for document in documents]
    found, left_in_sets = record_sets(pages, indexes, width=settings.max_columns_of_sets)
    own = value_columns(pages)
    columns, dropped = named_columns(pages, documents, own, width)
    chosen, unwanted = wanted_columns(columns, pages, width)
    chosen = with_lines(chosen, pages, indexes, known=columns, width=width)
    chosen = with_parts(chosen, indexes, width)
    chosen = with_sections(chosen, pages, indexes)
    chosen = with_script_data(chosen, documents, width)
    chosen = told_apart(in_reading_order(chosen), pages)
    fields = make_fields(chosen, of_pages=True)
    rows = _list_of(pages, indexes, fields, found)
    fields, found, rows = without_clashes(fields, found, rows)
    constants = make_fields(list(constant_places(pages, own, indexes)), taken=fields)
    return Wrapper(
        page_class=page_class,
        fields=fields,
        record_sets=found,
        rows=rows,
        key=_key(fields, chosen, len(documents)),
        required=required_names(fields, found),
        pages=len(documents),
        dropped=(*dropped, *unwanted, *left_in_sets),
        constants=constants,
    )


def value_columns(pages: ClassPages) -> list[ValueColumn]:
    """The columns of the pages themselves: what stands in their record sets is left out."""
    return [column for column in make_columns(pages) if column.kind != "record"]


def named_columns(
    pages: ClassPages,
    documents: Sequence[Document],
    columns: Sequence[ValueColumn],
    width: int = 0,
) -> tuple[list[FieldCandidate], list[RejectedColumn]]:
    """Those columns that could be data, with their rules and names; and the others."""
    ordered, dropped = ordered_columns(pages, columns)
    indexes = [document.index for document in documents]
    # More than a narrow table has: which of them are wanted is asked when they have names.
    most = max(width, current().wrapper.max_columns)
    chosen, left_out = choose(pages, ordered, indexes, {}, most)
    merged = merge_translations(pages, merge_alternatives(pages, chosen))
    named = named_by_values(merged, pages, documents)
    return as_lists(pages, named, indexes), [*dropped, *left_out]


def in_reading_order(chosen: Sequence[FieldCandidate]) -> list[FieldCandidate]:
    """As they come in most pages."""
    return sorted(chosen, key=_place)


def _place(one: FieldCandidate) -> float:
    places = sorted(places[0] for places in one.column.cells.values())
    return places[len(places) // 2]


def learnt_records(pages: ClassPages, indexes: Sequence[PageIndex]) -> tuple[RecordSet, ...]:
    """All record sets of a class, however wide."""
    settings = current().wrapper
    return record_sets(pages, indexes, width=settings.max_columns)[0]


def required_names(fields: Sequence[Field], sets: Sequence[RecordSet]) -> tuple[str, ...]:
    """What (nearly) every page of the class has."""
    settings = current().wrapper
    fields = _without_parts(fields)
    # Any page has a title: what tells pages of the class apart stands in their bodies.
    body = [one for one in fields if not _is_in_head(one)]
    shares = sorted([*(one.coverage for one in body), *(one.coverage for one in sets)])[::-1]
    # Foreign pages among those that are learnt from lack all of it alike.
    common = shares[min(settings.min_required_in_body, len(shares)) - 1] if shares else 0.0
    least = max(settings.min_required_share, settings.min_required_of_common * common)
    always = [one for one in fields if one.coverage >= least]
    body = [one for one in always if not _is_in_head(one)]
    always = body if len(body) >= settings.min_required_in_body else always
    names = [one.name for one in always]
    return (*names, *(one.name for one in sets if one.coverage >= least))


def _without_parts(fields: Sequence[Field]) -> list[Field]:
    """The fields without those that are a part of another: they say no more of a page than it."""
    whole = {one.rule.selector for one in fields if not one.rule.pattern}
    return [one for one in fields if not one.rule.pattern or one.rule.selector not in whole]


def _key(fields: Sequence[Field], chosen: Sequence[FieldCandidate], pages: int) -> tuple[str, ...]:
    """The first field whose values are all there and all different, best one of the body."""
    by_rule = {one.rule: one for one in chosen}
    found = [
        field
        for field in fields
        if not field.many and _tells_apart(by_rule[field.rule].statistics, pages)
    ]
    best = min(found, key=_key_rank, default=None)
    return () if best is None else (best.name,)


def _key_rank(field: Field) -> int:
    """What names a page is its heading, then its title, then any text."""
    if any(step.test == "h1" for step in field.rule.selector.steps()):
        return 0
    if _is_in_head(field):
        return 1
    return 2 if field.type.kind is ValueKind.TEXT else 3


def _tells_apart(one: Statistics, pages: int) -> bool:
    return pages > 1 and one.filled == one.distinct == pages


def _is_in_head(field: Field) -> bool:
    return any(step.test in _HEAD for step in field.rule.selector.steps()[:1])


def _list_of(
    pages: ClassPages,
    indexes: Sequence[PageIndex],
    fields: Sequence[Field],
    sets: Sequence[RecordSet],
) -> str | None:
    """The record set whose rows are the records of the class, if it is a class of lists."""
    settings = current().wrapper
    sets = [one for one in sets if not _is_menu(indexes, one)]
    if not sets:
        return None
    main = max(sets, key=_size)
    is_main = (
        _size(main) >= settings.min_main_share * sum(map(_size, sets))
        and main.coverage >= settings.min_required_share
    )
    own = [
        field
        for field in fields
        if not _is_in_head(field)
        and not field.many
        and field.type.kind not in _ADDRESSES
        and field.coverage >= settings.min_own_coverage
    ]
    is_more = len(own) <= settings.max_fields_of_list and _size(
        main
    ) >= settings.min_rows_per_field * len(own)
    return main.name if is_main and is_more and not _is_beside(pages, main, own) else None


def _is_menu(indexes: Sequence[PageIndex], records: RecordSet) -> bool:
    """Whether most rows stand in lists that several pages show, just as they are.

    A page among others in the contents of a book is no list, however little else it says.
    """
    lists = [(*map(text_of, index.select(records.rule.selector)),) for index in indexes]
    times = Counter(lists)
    repeated = sum(len(rows) for rows in lists if times[rows] > 1)
    return 2 * repeated > sum(map(len, lists))


def _is_beside(pages: ClassPages, records: RecordSet, own: Sequence[Field]) -> bool:
    """Whether rows stand on pages that are about something else: "Others also bought".

    Such a page has a heading that says what it is about, and facts of its own; of a single fact one
    cannot tell, unless the rows have a heading of their own that is the same on all pages.
    """
    facts = [field for field in own if field.named_by != "title"]
    is_headed = any(
        slug(text) == records.name
        for path, text in pages.labels.constant
        if pages.paths.steps(path)[-1].tag in _HEADINGS
    )
    enough = 1 if is_headed else current().wrapper.min_facts_of_page
    return len(facts) < len(own) and len(facts) >= enough


_HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6", "caption", "legend"})


def _size(records: RecordSet) -> float:
    return records.rows * records.coverage * len(records.fields)
