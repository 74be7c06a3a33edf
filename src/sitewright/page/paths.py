"""Paths from the root to a node, as integers, and the schema that a page's paths make up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from sitewright.choices import Labelling
from sitewright.page.parser import Element, Fragment, is_shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from sitewright.page.document import Document
    from sitewright.page.parser import Node, Tree


# The label of a node: how much of an element counts when two paths are compared.

MAX_LABEL = 256
"""A longer label is cut and ends in a digest: ten megabytes in an attribute are no name."""

PRESENTATIONAL = tuple(
    "align alink background bgcolor border bordercolor cellpadding cellspacing char charoff class "
    "clear color cols colspan compact dir face frame frameborder height hspace link marginheight "
    "marginwidth noshade nowrap role rowspan rules scrolling size style text type valign vlink "
    "vspace width".split()
)
"""The attributes that say how an element looks; ids, names, URLs and texts are not here."""

LabelReader: TypeAlias = tuple[str | None, ...]
"""What of an element decides its label: its tag, then the attributes that count."""


class Labeller(NamedTuple):
    """How to label a node, in two steps, so that the second runs once for each different node."""

    read: Callable[[Element], LabelReader]
    values: Callable[[LabelReader], list[str]]
    """The parts of the label behind the tag, `.class` or `[name=value]`, sorted."""


def _read_tag(element: Element) -> LabelReader:
    return (element.tag,)


def _read_classes(element: Element) -> LabelReader:
    return element.tag, element.attr("class")


def _read_attributes(element: Element) -> LabelReader:
    return element.tag, *map(element.attr, PRESENTATIONAL)


def _no_values(_reading: LabelReader) -> list[str]:
    return []


def _class_values(classes: str | None) -> list[str]:
    if not classes:
        return []
    names = {name.replace("\\", "\\\\").replace(".", "\\.") for name in classes.split()}
    return ["." + name for name in sorted(names)]


def _classes(reading: LabelReader) -> list[str]:
    return _class_values(reading[1])


def _attributes(reading: LabelReader) -> list[str]:
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


MAX_DEPTH = 512
"""Browsers stop nesting at this depth and lay deeper nodes side by side; so do our paths."""
ROOT = 0
"""The empty path: the document itself."""
INERT = 1
"""The path of whatever a `<template>` holds: it is not on the page."""

_MAX_REMEMBERED = 1024


class PathVocabulary:
    """The paths seen so far, each an integer, shared by the pages that are to be compared.

    It is a tree of labels, so a path costs one entry however long it is, and the ids of a page's
    paths do not depend on anything but the order in which pages come. `shared` limits the parts of
    labels to values that more than one page has (see `shared_values`).
    """

    def __init__(
        self,
        labelling: Labelling = Labelling.CLASSES,
        *,
        shared: frozenset[str] | None = None,
    ) -> None:
        self.labelling = labelling
        self.shared = shared
        self.read, self._values = LABELLERS[labelling]
        self._labels = ["", "template content"]
        self._parents = [ROOT, ROOT]
        self._depths = [0, MAX_DEPTH]
        self._in_anchor = [False, False]
        self.may_be_nested = [False, True]
        """For each path, whether it runs, or may run, through an `<a>` above its last node."""
        self._ids: dict[tuple[int, str], int] = {}
        self.steps: list[dict[LabelReader, int]] = [{}, {}]
        """For each path, what was read of a node below it so far and the path that it led to."""

    def __len__(self) -> int:
        return len(self._labels)

    def step(self, parent: int, node: Node) -> int:
        """The path one node longer than `parent`."""
        if type(node) is not Element:
            return parent if isinstance(node, Fragment) and is_shown(node) else INERT
        reading = self.read(node)
        values: Iterable[str] = self._values(reading)
        if self.shared is not None:
            values = [value for value in values if cut(value) in self.shared]
        path = self.extend(parent, label(node.tag, values))
        if sum(map(len, filter(None, reading))) <= _MAX_REMEMBERED:
            self.steps[parent][reading] = path
        return path

    def extend(self, parent: int, label_text: str) -> int:
        """The path one label longer than `parent`."""
        if self._depths[parent] >= MAX_DEPTH:
            return parent
        path = self._ids.setdefault((parent, label_text), len(self._labels))
        if path == len(self._labels):
            self._labels.append(label_text)
            self._parents.append(parent)
            self._depths.append(self._depths[parent] + 1)
            is_anchor = label_text == "a" or label_text.startswith(("a.", "a["))
            self._in_anchor.append(is_anchor or self._in_anchor[parent])
            is_deepest = self._depths[path] >= MAX_DEPTH
            self.may_be_nested.append(is_deepest or self._in_anchor[parent])
            self.steps.append({})
        return path

    def labels(self, path: int) -> tuple[str, ...]:
        """The labels of a path, from the root down."""
        backwards = []
        while path != ROOT:
            backwards.append(self._labels[path])
            path = self._parents[path]
        return tuple(reversed(backwards))

    def label(self, path: int) -> str:
        """The last label of a path."""
        return self._labels[path]

    def parent(self, path: int) -> int:
        """The path without its last label."""
        return self._parents[path]

    def text(self, path: int) -> str:
        """A path for people: `html > body > ul.menu > li > a`."""
        return " > ".join(self.labels(path))

    def find(self, text: str) -> int | None:
        """The id of a path written as by `text`; None if no page had it."""
        path: int | None = ROOT
        for label_text in text.split(" > ") if text else ():
            path = None if path is None else self._ids.get((path, label_text))
        return path

    def merge(self, other: PathVocabulary) -> NDArray[np.int32]:
        """Take in another vocabulary's paths; the answer maps its ids to ours."""
        ours = [ROOT, INERT]
        for label_text, parent in zip(other._labels[2:], other._parents[2:], strict=True):
            ours.append(self.extend(ours[parent], label_text))
        return np.array(ours, dtype=np.int32)


class NodePaths:
    """The path of each node of one page; every ancestor is looked at once."""

    def __init__(self, tree: Tree, vocabulary: PathVocabulary) -> None:
        self._vocabulary = vocabulary
        self._steps, self._read = vocabulary.steps, vocabulary.read
        self.known: dict[Node | None, int] = {tree: ROOT}

    def of(self, node: Node) -> int:
        """The id of the node's path, `INERT` inside a template."""
        known = self.known
        unknown: list[Node] = []
        above: Node | None = node
        while (path := known.get(above)) is None:
            unknown.append(above)  # type: ignore[arg-type]  # the tree itself is known
            above = unknown[-1].parent
        steps, read = self._steps, self._read
        while unknown:
            below = unknown.pop()
            try:
                path = steps[path][read(below)]  # type: ignore[arg-type]
            except (KeyError, AttributeError):  # never read before, or no element
                path = self._vocabulary.step(path, below)
            known[below] = path
        return path


@dataclass(frozen=True, slots=True, eq=False)
class Schema:
    """A set of paths with the number of times that each occurs in the page."""

    paths: NDArray[np.int32]
    """Ids of the vocabulary, ascending, each once."""
    counts: NDArray[np.int32]

    @classmethod
    def of(cls, occurrences: Mapping[int, int]) -> Schema:
        """Make a schema from path ids and their counts."""
        paths = sorted(occurrences)
        counts = [occurrences[path] for path in paths]
        return cls(np.array(paths, dtype=np.int32), np.array(counts, dtype=np.int32))

    @property
    def key(self) -> bytes:
        """Equal for two pages exactly when they have the same set of paths."""
        return self.paths.tobytes()

    def __len__(self) -> int:
        return len(self.paths)


def node_schema(document: Document, vocabulary: PathVocabulary) -> Schema:
    """The paths of all elements of a page, with counts."""
    paths = NodePaths(document.tree, vocabulary)
    known, steps, read = paths.known, vocabulary.steps, vocabulary.read
    occurrences: dict[int, int] = {}
    # `paths.of` for each element, written out: a call for each takes longer than all the rest.
    for element in document.tree.iter_elements():
        try:
            path = steps[known[element.parent]][read(element)]
        except KeyError:  # never read before, or what is around it
            path = paths.of(element)
        known[element] = path
        occurrences[path] = occurrences.get(path, 0) + 1
    occurrences.pop(INERT, None)
    return Schema.of(occurrences)
