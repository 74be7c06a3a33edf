"""Which pages of a class are learnt from: as few as show all that the class has.

The cost of learning grows with the bytes of the pages, and most pages of a class say nothing that
others have not said. Some pages, evenly spread, are always taken: they show what is usual. Of the
others those are taken that have something rare: a kind of element or a label that few of the pages
taken so far have, and that enough pages have for a column; or, behind a label, another value than
most pages::

    >>> from sitewright.page import Document
    >>> plain = [Document(b"<h1>%d</h1>" % number) for number in range(60)]
    >>> rare = [Document(b"<h1>%d</h1><p>Born: 1%d</p>" % (number, number)) for number in range(4)]
    >>> found = representative_pages([*plain, *rare])
    >>> len(found), sum(page in rare for page in found)
    (25, 2)
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import zip_longest
from typing import TYPE_CHECKING, TypeAlias

from sitewright.classes.features import evenly
from sitewright.settings import current
from sitewright.wrapper.labels import NAMING, ends_in_colon, prefix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.page import Document


Trait: TypeAlias = "str | tuple[str | None, ...]"
"""A label, or one with an odd value, or an element with its parent: tags and classes of both."""
_ODD = "odd value"
_NAMING_TAGS = ", ".join(sorted(NAMING))


def representative_pages(documents: Sequence[Document]) -> list[Document]:
    """The pages to learn from, in their order."""
    settings = current().wrapper.sample
    documents = evenly(documents, settings.max_pages)
    places = range(len(documents))
    usual = evenly(places, settings.min_pages)
    size = sum(len(documents[place].body) for place in usual)
    if size > settings.max_bytes:
        fewer = settings.max_bytes * len(usual) // size
        usual = evenly(places, max(settings.min_large_pages, fewer))
    if len(usual) == len(documents):
        return list(documents)
    traits = [_kinds(document) for document in documents]
    values = [_labelled_values(document) for document in documents]
    for labels, found, odd in zip(values, traits, _odd_labels(values), strict=True):
        found.update(labels)
        found.update((_ODD, label) for label in odd)
    chosen = set(usual) | _pages_with_news(documents, traits, usual)
    return [documents[place] for place in sorted(chosen)]


def _kinds(document: Document) -> set[Trait]:
    """The kinds of elements that a page has."""
    found: set[Trait] = set()
    for element in document.tree.iter_elements():
        around = element.parent
        attribute = getattr(around, "attr", None)
        found.add(
            (
                element.tag,
                element.attr("class"),
                getattr(around, "tag", None),
                attribute("class") if attribute is not None else None,
            )
        )
    return found


def _labelled_values(document: Document) -> dict[str, str]:
    """What could be a label in a page, each with what comes behind it."""
    longest = current().wrapper.labels.max_label_length
    named = (element.text for element in document.tree.select(_NAMING_TAGS))
    labels = {text.strip() for text in named if len(text) <= longest}
    values = dict.fromkeys(labels, "")
    texts = list(document.tree.stripped_strings)
    for text, behind in zip_longest(texts, texts[1:], fillvalue=""):
        if text in labels or (len(text) <= longest and ends_in_colon(text)):
            values[text] = values.get(text) or behind
        elif name := prefix(text):
            values.setdefault(name, text)
    return values


def _odd_labels(values: Sequence[dict[str, str]]) -> list[set[str]]:
    """For each page the labels whose values are usually others: one value is no column."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for found in values:
        for label, value in found.items():
            counts[label][value] += 1
    usual = {label: count.most_common(1)[0] for label, count in counts.items()}
    return [
        {
            label
            for label, value in found.items()
            if usual[label][0] != value and 2 * usual[label][1] >= counts[label].total()
        }
        for found in values
    ]


def _pages_with_news(
    documents: Sequence[Document], traits: Sequence[set[Trait]], usual: Sequence[int]
) -> set[int]:
    """The pages that have what the usual ones lack, those with the most of it for their size first.

    A page that lacks most of what all others have may be of another class: it is no example.
    """
    settings = current().wrapper
    pages = len(traits)
    counts = Counter(trait for found in traits for trait in found)
    enough = max(settings.columns.min_filled_pages, settings.columns.min_filled_share * pages)
    known = Counter(trait for place in usual for trait in traits[place])
    missing = {
        trait: wanted
        for trait, count in counts.items()
        # Behind a label a rare value is news, however rare: else its column would be a constant.
        if count >= (settings.sample.min_examples if trait[:1] == (_ODD,) else enough)
        and (wanted := min(count, settings.sample.min_examples) - known[trait]) > 0
    }
    core = {trait for trait, count in counts.items() if count >= settings.sample.core_share * pages}
    left = {
        place
        for place in set(range(pages)) - set(usual)
        if len(core & traits[place]) >= settings.sample.min_core_share * len(core)
    }
    found: set[int] = set()
    while missing and left:
        news = {place: len(missing.keys() & traits[place]) for place in left}
        best = max(sorted(left), key=lambda place: news[place] / (len(documents[place].body) + 1))
        if not news[best]:
            break
        found.add(best)
        left.remove(best)
        for trait in missing.keys() & traits[best]:
            missing[trait] -= 1
            if not missing[trait]:
                del missing[trait]
    return found
