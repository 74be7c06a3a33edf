"""Which pages of a class are learnt from: as few as show all that the class has.

The cost of learning grows with the bytes of the pages, and most pages of a class say nothing that
others have not said. Some pages, evenly spread, are always taken: they show what is usual. Of the
others those are taken that have something rare: a kind of element or a label that few of the pages
taken so far have, and that enough pages have for a column::

    >>> from sitewright.page import Document
    >>> plain = [Document(b"<h1>%d</h1>" % number) for number in range(60)]
    >>> rare = [Document(b"<h1>%d</h1><p>Born: 1%d</p>" % (number, number)) for number in range(4)]
    >>> found = representative_pages([*plain, *rare])
    >>> len(found), sum(page in rare for page in found)
    (25, 2)
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from sitewright.classes.features import evenly
from sitewright.settings import current
from sitewright.wrapper.labels import NAMING, ends_in_colon, prefix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitewright.page import Document


Trait: TypeAlias = "str | tuple[str | None, ...]"
"""A label, or an element with its parent: the tags and classes of both."""
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
    traits = [page_traits(document) for document in documents]
    chosen = set(usual) | _pages_with_news(documents, traits, usual)
    return [documents[place] for place in sorted(chosen)]


def page_traits(document: Document) -> set[Trait]:
    """What a page has that other pages may not have: kinds of elements, and labels."""
    settings = current().wrapper
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
    longest = settings.labels.max_label_length
    for element in document.tree.select(_NAMING_TAGS):
        text = element.text
        if len(text) <= longest:
            found.add(text.strip())
    for text in document.tree.stripped_strings:
        if ":" in text[: longest + 1]:
            found.add(text if ends_in_colon(text) else prefix(text))
    return found


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
        if count >= enough
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
