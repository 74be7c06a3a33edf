"""Wrappers by example: one or a few values choose the columns and name them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from sitewright.errors import InvalidInput
from sitewright.page.page_index import text_of
from sitewright.page.url import Resolver
from sitewright.settings import current
from sitewright.wrapper.choice.column_choice import weighted_information
from sitewright.wrapper.class_pages import analyse_pages
from sitewright.wrapper.columns import ValueColumn
from sitewright.wrapper.fields import candidate, column_type, make_fields, never_meet, union
from sitewright.wrapper.induction import learnt_records, required_names, value_columns
from sitewright.wrapper.naming.names import FieldName, field_name, unique
from sitewright.wrapper.pages import ELEMENT, TEXT, Leaf, flat_page
from sitewright.wrapper.reading import FieldReader
from sitewright.wrapper.wrapper import LearntFrom, Wrapper

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sitewright.page import Document
    from sitewright.page.page_index import PageIndex
    from sitewright.wrapper.class_pages import ClassPages
    from sitewright.wrapper.fields import FieldCandidate
    from sitewright.wrapper.pages import FlatPage
    from sitewright.wrapper.reading import Value
    from sitewright.wrapper.wrapper import Field, RecordSet


# Examples in lists: the record set with a row that holds all of them.

Examples: TypeAlias = Mapping[str, Mapping[int, str]]
"""For each field the pages, by their places, and the value that is to be found there."""


def normal(text: str) -> str:
    """A value as it is compared: white space aside."""
    return " ".join(text.split())


def records_with(
    pages: ClassPages, indexes: Sequence[PageIndex], examples: Examples
) -> RecordSet | None:
    """The record set with rows that hold the examples of all fields, if there is one."""
    found: list[tuple[float, RecordSet]] = []
    for records in learnt_records(pages, indexes):
        chosen: list[Field] = []
        for name, values in examples.items():
            field = _field_with(records, indexes, values)
            if field is not None:
                chosen.append(replace(field, name=name, named_by="example"))
        is_whole = len({field.rule for field in chosen}) == len(examples)
        if is_whole and _share_a_row(records, chosen, indexes, examples):
            found.append((records.rows, replace(records, fields=tuple(chosen))))
    several = [one for one in found if one[0] > 1]
    return max(several, key=lambda one: one[0])[1] if several and len(examples) > 1 else None


def _share_a_row(
    records: RecordSet, fields: Sequence[Field], indexes: Sequence[PageIndex], examples: Examples
) -> bool:
    """Whether on each page with examples one row holds all that are of this page."""
    for page in {page for values in examples.values() for page in values}:
        own = [field for field in fields if page in examples[field.name]]
        held = [_values_by_row(field, records, indexes[page]) for field in own]
        wanted = [normal(examples[field.name][page]) for field in own]
        if not any(
            all(value in values for value, values in zip(wanted, row, strict=True))
            for row in zip(*held, strict=True)
        ):
            return False
    return True


def _field_with(
    records: RecordSet, indexes: Sequence[PageIndex], values: Mapping[int, str]
) -> Field | None:
    """The field of a record set that has a row with the value on each page of the examples."""
    for field in records.fields:
        if all(
            any(normal(value) in row for row in _values_by_row(field, records, indexes[page]))
            for page, value in values.items()
        ):
            return field
    return None


def _values_by_row(field: Field, records: RecordSet, index: PageIndex) -> list[set[str]]:
    """What each row of a page has in a field, as text and as value."""
    reader = FieldReader(field)
    found: list[set[str]] = []
    for element in index.select(records.rule.selector):
        if not isinstance(element, str):
            row: dict[str, Value] = {}
            reader.read(reader.select_inside(element), Resolver(""), row)
            found.append({str(one) for one in row.values()})
    return found


def induce_from_examples(
    documents: Sequence[Document], examples: Examples, page_class: str
) -> Wrapper:
    """Learn a wrapper with the fields that examples name, from pages of the class.

    Raises InvalidInput, with the field's name, where no text of a page is the value.
    """
    pages = analyse_pages(documents)
    indexes = [document.index for document in documents]
    records = records_with(pages, indexes, examples)
    if records is not None:
        return _listing(page_class, records, len(documents))
    columns = value_columns(pages)
    chosen: list[FieldCandidate] = []
    for name, values in examples.items():
        found = _best(pages, columns, indexes, values, name)
        if found is None:
            raise InvalidInput(
                name, f"no page has {_written(values)} where others have such a value"
            )
        chosen.append(replace(found, name=FieldName(name, "example")))
    fields = make_fields(chosen, of_pages=True)
    for field, values in zip(fields, examples.values(), strict=True):
        _check_given_back(field, values, documents)
    return Wrapper(
        page_class=page_class,
        fields=fields,
        required=required_names(fields, ()),
        pages=len(documents),
        learnt_from=LearntFrom.EXAMPLES,
    )


def _check_given_back(
    field: Field, wanted: Mapping[int, str], documents: Sequence[Document]
) -> None:
    """Refuse a field that does not find its own examples: it would be another one."""
    for page, value in wanted.items():
        document = documents[page]
        found = set()
        for text in field.rule.texts(document.index):
            cut = field.rule.extract_group(text)
            found |= {normal(text), normal(cut), str(field.type.value(cut)), document.resolve(cut)}
        if not found & {normal(value), document.resolve(value)}:
            given = next((one for one in sorted(map(str, found)) if one != "None"), "nothing")
            raise InvalidInput(
                field.name,
                f"{value!r} cannot be learnt: what fits the other pages gives {given!r:.60} on"
                f" {document.url}; give a longer part of the text, or examples of other pages",
            )


def added_to(known: Wrapper, learnt: Wrapper, documents: Sequence[Document]) -> Wrapper:
    """The wrapper that is known, with the fields that examples have named: `learn --keep`.

    A field that finds the same on all pages gets the name of the example; others are added.
    """
    if learnt.rows or known.rows:
        why = "the values are those of a list; learn them without --keep"
        raise InvalidInput(learnt.page_class, why)
    fields = list(known.fields)
    for one in learnt.fields:
        texts = [_read_texts(one, document) for document in documents]
        place = next(
            (
                place
                for place, other in enumerate(fields)
                if [_read_texts(other, document) for document in documents] == texts
            ),
            None,
        )
        if place is None:
            fields.append(one)
        else:
            fields[place] = replace(fields[place], name=one.name, named_by="example")
    chosen = {one.name for one in learnt.fields}
    # The names of examples stay as they are: those of others give way.
    ordered = sorted(fields, key=lambda field: field.named_by != "example")
    names = dict(zip(map(id, ordered), unique([one.name for one in ordered]), strict=True))
    named = tuple(replace(one, name=names[id(one)]) for one in fields)
    return replace(
        known,
        fields=named,
        key=tuple(name for name in known.key if name not in chosen),
        required=required_names(named, known.record_sets),
        learnt_from=LearntFrom.EXAMPLES,
    )


def _read_texts(field: Field, document: Document) -> list[str]:
    rule = field.rule
    texts = [rule.extract_group(text) for text in rule.texts(document.index)]
    return texts if field.many else texts[:1]


def fields_with_values(documents: Sequence[Document], examples: Examples) -> dict[str, Field]:
    """For each field that some column of the pages holds the examples of, the rule that finds them.

    Values that nothing finds have no field; nobody has asked for them by hand.
    """
    pages = analyse_pages(documents)
    indexes = [document.index for document in documents]
    columns = value_columns(pages)
    fields: dict[str, Field] = {}
    for name, values in examples.items():
        found = None
        with suppress(InvalidInput):  # it could mean several fields, and there is nobody to ask
            found = _best(pages, columns, indexes, values, name) if values else None
        if found is not None:
            (fields[name],) = make_fields([replace(found, name=FieldName(name, "example"))])
    return fields


def _written(values: Mapping[int, str]) -> str:
    return " or ".join(repr(value) for value in dict.fromkeys(values.values()))


@dataclass(frozen=True, slots=True)
class _Match:
    """How well a column fits the examples, and the better of two that fit as well."""

    fit: float
    worth: float
    column: ValueColumn
    is_called_so: bool = False
    """Whether the page calls the column by a word of the field's name: of two fields with the value
    2, the one beside "Goals" is `goals`."""

    @property
    def rank(self) -> tuple[float, bool, float]:
        """The best first."""
        return -self.fit, not self.is_called_so, -self.worth


def _best(
    pages: ClassPages,
    columns: Sequence[ValueColumn],
    indexes: Sequence[PageIndex],
    values: Mapping[int, str],
    name: str,
) -> FieldCandidate | None:
    """The column that holds the examples; if none holds all, one for each layout, made one."""
    found = _best_column(pages, columns, indexes, values, name)
    left = {page: value for page, value in values.items() if found and not found.texts[page]}
    if found is None or not left:
        return found
    other = _best_column(pages, columns, indexes, left, name)
    return union(found, other) if other is not None and never_meet(found, other) else found


def _best_column(
    pages: ClassPages,
    columns: Sequence[ValueColumn],
    indexes: Sequence[PageIndex],
    values: Mapping[int, str],
    name: str,
) -> FieldCandidate | None:
    settings = current().wrapper.selectors
    wanted = {page: normal(value) for page, value in values.items()}
    matches = [_match(pages, column, wanted) for column in columns]
    if not any(match.fit >= current().wrapper.selectors.parsed_fit for match in matches):
        matches += [_match(pages, column, wanted) for column in _whole_elements(pages, wanted)]
    matches = _by_name([match for match in matches if match.fit > 0], pages, name)
    _refuse_ambiguous(matches, pages, wanted, name)
    found: FieldCandidate | None = None
    for match in matches[: settings.example_columns]:
        if found is not None and match.rank[:2] > matches[0].rank[:2]:
            break
        one = candidate(pages, match.column, indexes, {})
        if one is not None and (found is None or one.stability > found.stability + 0.02):
            found = one
    return _cut_to(found, wanted) if found is not None else None


def _by_name(matches: Sequence[_Match], pages: ClassPages, name: str) -> list[_Match]:
    """The matches, the best first; of those that fit as well, one that the page calls so."""
    best = max((match.fit for match in matches), default=0.0)
    words = _words(name)
    known = [
        replace(match, is_called_so=not words.isdisjoint(_name_words(pages, match.column)))
        if match.fit == best
        else match
        for match in matches
    ]
    return sorted(known, key=lambda match: match.rank)


def _name_words(pages: ClassPages, column: ValueColumn) -> set[str]:
    return _words(field_name(pages, column, {}).text)


def _words(name: str) -> set[str]:
    return {word.removesuffix("s") for word in re.findall(r"[^\W\d_]{2,}", name.casefold())}


_SHORT_NUMBER = re.compile(r"[0-9]{1,3}")


def _refuse_ambiguous(
    matches: Sequence[_Match], pages: ClassPages, wanted: Mapping[int, str], name: str
) -> None:
    """Ask which one is meant where a small number stands under several labels of one page."""
    if not matches or not all(map(_SHORT_NUMBER.fullmatch, wanted.values())):
        return
    best = [match for match in matches if match.rank[:2] == matches[0].rank[:2]]
    labelled = [match.column for match in best if match.column.kind in {"label", "prefix"}]
    held = {
        tuple(tuple(column.texts(pages, page)) for page in range(len(pages.readings)))
        for column in labelled
    }
    if len(held) > 1 and len(labelled) == len(best):
        said = sorted(field_name(pages, column, {}).text for column in labelled)
        why = f"{_written(wanted)} stands under {', '.join(said)}"
        raise InvalidInput(
            name, f"{why}; call the field like one of them, or give a value of another page, too"
        )


def _match(pages: ClassPages, column: ValueColumn, wanted: Mapping[int, str]) -> _Match:
    found = {page: column.texts(pages, page) for page in wanted if page in column.cells}
    if not any(
        value in text for page, value in wanted.items() for text in found.get(page, ())
    ) and not _reads(column, wanted):
        return _Match(0.0, 0.0, column)
    kind = column_type([text for page in column.cells for text in column.texts(pages, page)])
    settings = current().wrapper.selectors
    fit = 0.0
    for page, value in wanted.items():
        texts = found.get(page, [])
        if value in texts:
            # Every other value that stands beside it counts against the column.
            fit += 1 / (1 + settings.crowd_penalty * (len(texts) - 1))
        elif any(str(kind.value(text)) == value for text in texts):
            fit += settings.parsed_fit
        elif any(_stands_in(value, text) for text in texts):
            fit += settings.inside_fit
    return _Match(round(fit / len(wanted), 4), weighted_information(pages, column), column)


def _reads(column: ValueColumn, wanted: Mapping[int, str]) -> bool:
    """Whether a value may be written in another form than on the page: a number, a date."""
    return column.part == TEXT and any(
        any(map(str.isdigit, value)) for page, value in wanted.items() if page in column.cells
    )


def _stands_in(value: str, text: str) -> bool:
    settings = current().wrapper.selectors
    if len(text) > settings.max_example_length:
        return False
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None


def _whole_elements(pages: ClassPages, wanted: Mapping[int, str]) -> Iterator[ValueColumn]:
    """Columns of elements whose whole text is the value: `<b>Ada</b> <i>Example</i>`."""
    for page, value in wanted.items():
        reading = pages.readings[page]
        words = {leaf.element for leaf in reading.leaves if leaf.part == TEXT}
        around = {up for element in words for up in reading.ancestry(element)}
        for element in sorted(around, reverse=True):
            if text_of(reading.nodes[element]) == value:
                yield _column_of_elements(pages, pages.numbers[page][element])
                break


def _column_of_elements(pages: ClassPages, path: int) -> ValueColumn:
    cells: dict[int, list[int]] = {}
    for page, reading in enumerate(pages.readings):
        element = next((one for one, own in enumerate(pages.numbers[page]) if own == path), -1)
        if element >= 0:
            # The leaf is added to the reading: nobody else holds this view.
            cells[page] = [len(reading.leaves)]
            reading.leaves.append(Leaf(element, ELEMENT, 0, text_of(reading.nodes[element])))
            pages.labels_of_leaves[page].append(-1)
    return ValueColumn("path", path, ELEMENT, cells)


def _cut_to(found: FieldCandidate, wanted: Mapping[int, str]) -> FieldCandidate:
    """The candidate with a pattern that leaves of its texts what the examples are."""
    plain = replace(found, rule=replace(found.rule, pattern=""))
    pairs = [
        (text, value)
        for page, value in wanted.items()
        for text in found.texts[page][:1]
        if value != text and _stands_in(value, text)
    ]
    if not pairs:
        return plain if any(value in plain.texts[page] for page, value in wanted.items()) else found
    if all(found.rule.extract_group(text) == value for text, value in pairs):
        return found
    pattern = _pattern(pairs)
    matching = [text for texts in found.texts for text in texts if re.search(pattern, text)]
    enough = 2 * len(matching) >= sum(map(len, found.texts))
    return replace(found, rule=replace(found.rule, pattern=pattern)) if enough else found


def _pattern(pairs: Sequence[tuple[str, str]]) -> str:
    """What stands around a value in all examples, next to it."""
    before = [text[: text.index(value)] for text, value in pairs]
    after = [text[text.index(value) + len(value) :] for text, value in pairs]
    start = _shared_end(before)
    end = _shared_end([text[::-1] for text in after])[::-1]
    first = f"(?:^|{re.escape(start)})" if not start else re.escape(start)
    opening = "^" if not any(before) else first
    closing = "$" if not any(after) else re.escape(end) if end else r"(?:\W|$)"
    return f"{opening}(.+?){closing}"


def _shared_end(texts: Sequence[str]) -> str:
    """The longest ending that all texts have, from the last word on that they share."""
    shared = texts[0]
    for text in texts[1:]:
        while not text.endswith(shared):
            shared = shared[1:]
    words = re.findall(r"\S+\s*$|\s+$", shared)
    return words[0] if words else shared


def _listing(page_class: str, records: RecordSet, pages: int) -> Wrapper:
    return Wrapper(
        page_class=page_class,
        fields=(),
        record_sets=(records,),
        rows=records.name,
        required=(records.name,),
        pages=pages,
        learnt_from=LearntFrom.EXAMPLES,
    )


# Which pages have a value that somebody wants, before anything is learnt from them.


_HEADINGS = frozenset({"title", "h1", "h2", "h3"})
_LINKS = frozenset({"a", "area"})


@dataclass(frozen=True, slots=True)
class PageTexts:
    """What a page says: its texts and attributes one by one, and all that a reader sees."""

    headings: frozenset[str]
    """The texts of its title and headings: what the page is about."""
    own: frozenset[str]
    """Its texts and attributes, except those of links: these are often about other pages."""
    linked: frozenset[str]
    """The texts and attributes of links."""
    whole: str


def page_texts(document: Document) -> PageTexts:
    """Read a page once, for all values that are sought in it."""
    bodies = document.tree.iter_elements(("body",))
    whole = normal(" ".join(map(text_of, bodies)))
    page = flat_page(document)
    headings: set[str] = set()
    own: set[str] = set()
    linked: set[str] = set()
    for leaf in page.leaves:
        around = {page.tags[element] for element in page.ancestry(leaf.element)}
        if _leads_to_neighbour(page, leaf.element):
            continue  # what the next page is called is no value of this one
        kind = own if _LINKS.isdisjoint(around) else linked
        (kind if _HEADINGS.isdisjoint(around) else headings).add(leaf.text)
    return PageTexts(frozenset(headings), frozenset(own), frozenset(linked), whole)


_NEIGHBOURS = re.compile(r"(?:^|[\W_])(?:prev|previous|next|pager|pagination)(?:$|[\W_])")


def _leads_to_neighbour(page: FlatPage, element: int) -> bool:
    """Whether an element stands in a link to the page before or behind this one."""
    for up in page.ancestry(element):
        node = page.nodes[up]
        said = " ".join(node.attr(name) or "" for name in ("rel", "class", "id"))
        if page.tags[up] not in {"html", "body"} and _NEIGHBOURS.search(said.lower()):
            return True
    return False


def pages_with_values(pages: Sequence[PageTexts], value: str) -> list[int]:
    """The pages that have a value, the likeliest first.

    A page that has it as a heading or as a text of its own is about it, and so is one with a
    heading that holds it; a page with a link to it often is not. If no page has it so, any that
    holds it in a longer text. A number or date may be written in another form: then any page may
    have it.
    """
    wanted = normal(value)
    ranks: tuple[Callable[[PageTexts], bool], ...] = (
        lambda page: wanted in page.headings,
        lambda page: wanted in page.own,
        lambda page: any(_stands_in(wanted, text) for text in page.headings),
        lambda page: wanted in page.linked,
    )
    ranked = [place for has_it in ranks for place, page in enumerate(pages) if has_it(page)]
    inside = [place for place, page in enumerate(pages) if wanted in page.whole]
    other = list(range(len(pages))) if any(map(str.isdigit, wanted)) else []
    return list(dict.fromkeys(ranked)) or inside or other


def checked_examples(examples: Mapping[str, str | Sequence[str]]) -> dict[str, list[str]]:
    """The values of each field; names that a table cannot have are refused."""
    checked: dict[str, list[str]] = {}
    for name, given in examples.items():
        values = [given] if isinstance(given, str) else list(given)
        if not name.isidentifier():
            raise InvalidInput(name, "no name for a field: letters, digits and _; write NAME=VALUE")
        if name.startswith("_") or name.endswith("_raw"):
            raise InvalidInput(name, "names like _x and x_raw are taken")
        if not values or not all(value.strip() for value in values):
            raise InvalidInput(name, "needs a value that a page has")
        checked[name] = values
    return checked


def found_examples(
    documents: Sequence[Document], values: Mapping[str, Sequence[str]]
) -> dict[str, dict[int, str]]:
    """For each field a page that has its value, for each of its values."""
    pages = [page_texts(document) for document in documents]
    found: dict[str, dict[int, str]] = {}
    for name, wanted in values.items():
        found[name] = {}
        for value in wanted:
            free = [place for place in pages_with_values(pages, value) if place not in found[name]]
            if not free:
                why = "no page has this value; name one that has it (--page URL)"
                raise InvalidInput(f"{name}={value}", why)
            found[name][free[0]] = value
    return found
