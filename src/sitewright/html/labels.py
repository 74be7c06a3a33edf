"""The label of a node: how much of an element counts when two paths are compared."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sitewright.html.document import Document
    from sitewright.html.dom import Element

MAX_LABEL = 256
"""A longer label is cut and ends in a digest: ten megabytes in an attribute are no name."""

PRESENTATIONAL = tuple(
    "align alink background bgcolor border bordercolor cellpadding cellspacing char charoff class "
    "clear color cols colspan compact dir face frame frameborder height hspace link marginheight "
    "marginwidth noshade nowrap role rowspan rules scrolling size style text type valign vlink "
    "vspace width".split()
)
"""The attributes that say how an element looks; ids, names, addresses and texts are not here."""

Reading: TypeAlias = tuple[str | None, ...]
"""What of an element decides its label: its tag, then the attributes that count."""


class Labelling(StrEnum):
    """What the label of a node consists of."""

    TAG = "tag"
    CLASSES = "classes"
    """The tag and the set of its classes: `li.item.active`."""
    ATTRIBUTES = "attributes"
    """The tag with names and values of all presentational attributes (Crescenzi et al. 2005,
    footnote 3): `td.odd[align=left][width=20%]`."""


class Labeller(NamedTuple):
    """How to label a node, in two steps, so that the second runs once for each different node."""

    read: Callable[[Element], Reading]
    values: Callable[[Reading], list[str]]
    """The parts of the label behind the tag, `.class` or `[name=value]`, sorted."""


def _read_tag(element: Element) -> Reading:
    return (element.tag,)


def _read_classes(element: Element) -> Reading:
    return element.tag, element.attr("class")


def _read_attributes(element: Element) -> Reading:
    return element.tag, *map(element.attr, PRESENTATIONAL)


def _no_values(_reading: Reading) -> list[str]:
    return []


def _class_values(classes: str | None) -> list[str]:
    if not classes:
        return []
    names = {name.replace("\\", "\\\\").replace(".", "\\.") for name in classes.split()}
    return ["." + name for name in sorted(names)]


def _classes(reading: Reading) -> list[str]:
    return _class_values(reading[1])


def _attributes(reading: Reading) -> list[str]:
    given = dict(zip(PRESENTATIONAL, reading[1:], strict=True))
    parts = _class_values(given.pop("class"))
    # A label holds no white space: paths are written with some between their labels.
    parts += [
        f"[{name}={'_'.join(value.split())}]" for name, value in given.items() if value is not None
    ]
    return parts


LABELLERS = {
    Labelling.TAG: Labeller(_read_tag, _no_values),
    Labelling.CLASSES: Labeller(_read_classes, _classes),
    Labelling.ATTRIBUTES: Labeller(_read_attributes, _attributes),
}


def label(tag: str, values: Iterable[str]) -> str:
    """Write the label of a node: its tag and the values that count."""
    return cut(tag + "".join(values))


def cut(text: str, limit: int = MAX_LABEL) -> str:
    """Shorten a name that is too long to be one; different names stay different."""
    if len(text) <= limit:
        return text
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return f"{text[: limit - 17]}~{digest}"


def label_values(document: Document, labelling: Labelling) -> set[str]:
    """All classes or attribute values that the labels of one page are made of."""
    labeller = LABELLERS[labelling]
    readings = {labeller.read(element) for element in document.tree.iter_elements()}
    return {cut(value) for reading in readings for value in labeller.values(reading)}


def shared_values(pages: Iterable[set[str]], at_least: int = 2) -> frozenset[str]:
    """The values that occur in more than one page, from the `label_values` of each.

    Generators write the page's own name into classes (`postid-1234`): such a value tells a page
    from every other one and says nothing of its structure (2005 paper, footnote 3).
    """
    counts = Counter(value for values in pages for value in values)
    return frozenset(value for value, count in counts.items() if count >= at_least)
