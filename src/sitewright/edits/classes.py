"""Edits of classes: which pages are together, and what the classifier learns from that."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import numpy as np

from sitewright.classes.clustering import learn_classes
from sitewright.classes.features import evenly
from sitewright.classes.model import build_model
from sitewright.classes.similarity import PageViews, pair_features, pair_model
from sitewright.edits.edit import (
    CLASS_EDITS,
    CannotApply,
    EditOutcome,
    EditStatus,
    MergeClasses,
    MovePage,
    RenameClass,
    SplitClass,
)
from sitewright.page.url_pattern import path_and_query
from sitewright.settings import current

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sitewright.classes import SiteModel
    from sitewright.classes.clustering import Clustering
    from sitewright.classes.features import PageFeatures, PageSample, PathMarks
    from sitewright.classes.model import Origin
    from sitewright.edits.edit import ClassEdit, Edit


_COMPARED = 300
"""Pages of a class that are compared with one that is moved: the cost is their square."""


class ClassCorrections:
    """Builds a site model from the classes that were found and the edits of people.

    What a person says of some pages is a must-link or a cannot-link; the scores that classify all
    other pages are learnt from the corrected classes.
    """

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._edits = [edit for edit in edits if isinstance(edit, CLASS_EDITS)]
        # The papers' method builds its own model: what is never asked for has not been applied.
        why = "this method takes no corrections of classes"
        self.outcomes = [EditOutcome(edit, EditStatus.FAILED, why) for edit in self._edits]

    def build(self, sample: PageSample, found: Clustering, origin: Origin) -> SiteModel:
        """The model of these pages, as corrected."""
        model = build_model(sample, found, origin)
        self.outcomes = []
        if not self._edits:
            return model
        partition = _Partition(sample, found, model)
        for edit in self._edits:
            try:
                status, detail = partition.apply(edit)
            except CannotApply as error:
                status, detail = EditStatus.FAILED, str(error)
            self.outcomes.append(EditOutcome(edit, status, detail))
        if partition.has_moved:
            classes, names, has_stubs = partition.numbered()
            found = learn_classes(sample.pages, sample.vocabulary, classes, has_stubs=has_stubs)
            return _renamed(build_model(sample, found, origin), sample, classes, names)
        classes = np.asarray(found.class_of_page)
        return _renamed(model, sample, classes, partition.names)


def renamed_classes(
    model: SiteModel, edits: Sequence[RenameClass]
) -> tuple[SiteModel, list[EditOutcome]]:
    """A model with other names for its classes, and what became of each edit.

    No page moves, so nothing is learnt anew.
    """
    names = {one.name: one.name for one in model.classes}
    outcomes = []
    for edit in edits:
        try:
            own = _named_class(edit, model, names)
            status, detail = _renaming(edit, names[own], names.values())
            names[own] = edit.to
        except CannotApply as error:
            status, detail = EditStatus.FAILED, str(error)
        outcomes.append(EditOutcome(edit, status, detail))
    return _with_names(model, names), outcomes


def _named_class(edit: RenameClass, model: SiteModel, names: Mapping[str, str]) -> str:
    """The class that an edit means, by its first name: the one of its pages, else of that name."""
    pages = set(edit.pages.get(edit.page_class, ()))
    anchors = Counter({one.name: len(pages.intersection(one.pages)) for one in model.classes})
    own = [name for name, count in anchors.most_common() if count]
    named = next((name for name, known in names.items() if known == edit.page_class), None)
    if named is not None and (not own or named in own):
        return named
    if own:
        return own[0]
    raise CannotApply(f"there is no class {edit.page_class}, and none of the pages that it had")


def _renaming(edit: RenameClass, name: str, names: Collection[str]) -> tuple[EditStatus, str]:
    """What becomes of the name that a class has now; CannotApply where another has the new one."""
    if name == edit.to:
        return EditStatus.NOT_NEEDED, f"the class is named {edit.to} already"
    if edit.to in names:
        raise CannotApply(f"another class is named {edit.to}; to make them one, merge them")
    return EditStatus.APPLIED, "" if name == edit.page_class else f"it was named {name}"


class _Partition:
    """Pages with their classes and the names of these, while edits change them."""

    def __init__(self, sample: PageSample, found: Clustering, model: SiteModel) -> None:
        self._pages = sample.pages
        self._marks = found.marks
        self._class_of = np.asarray(found.class_of_page).copy()
        self._place = {page.url: place for place, page in enumerate(sample.pages)}
        self.names = _names(sample, self._class_of, model)
        self._stubs = {
            number
            for number, name in self.names.items()
            if next(one for one in model.classes if one.name == name).is_stub
        }
        self.has_moved = False

    def apply(self, edit: ClassEdit) -> tuple[EditStatus, str]:
        """Apply one edit; CannotApply if that cannot be."""
        match edit:
            case RenameClass():
                return self._rename(edit)
            case MergeClasses():
                return self._merge(edit)
            case SplitClass():
                return self._split(edit)
            case MovePage():
                return self._move(edit)

    def numbered(self) -> tuple[np.typing.NDArray[np.int64], dict[int, str], bool]:
        """The classes numbered from 0, that of stubs last, and their names."""
        used = [number for number in self.names if (self._class_of == number).any()]
        used.sort(key=lambda number: (number in self._stubs, number))
        place = {number: new for new, number in enumerate(used)}
        classes = np.array([place[int(number)] for number in self._class_of], dtype=np.int64)
        names = {place[number]: self.names[number] for number in used}
        return classes, names, any(number in self._stubs for number in used)

    def _rename(self, edit: RenameClass) -> tuple[EditStatus, str]:
        number = self._resolve(edit.page_class, edit)
        outcome = _renaming(edit, self.names[number], self.names.values())
        self.names[number] = edit.to
        return outcome

    def _merge(self, edit: MergeClasses) -> tuple[EditStatus, str]:
        numbers = list(dict.fromkeys(self._resolve(name, edit) for name in edit.classes))
        if len(numbers) == 1:
            return EditStatus.NOT_NEEDED, "they are one class already"
        first, *others = numbers
        if self._stubs.intersection(numbers):
            raise CannotApply("pages that only send their readers on are no part of a class")
        moved = np.isin(self._class_of, others)
        self._reassign(moved, first)
        return EditStatus.APPLIED, f"{int(moved.sum()):,} visited pages moved"

    def _split(self, edit: SplitClass) -> tuple[EditStatus, str]:
        if edit.to in self.names.values():
            raise CannotApply(f"there is a class named {edit.to} already")
        number = self._resolve(edit.page_class, edit)
        members = np.flatnonzero(self._class_of == number)
        inside = self._chosen(edit, members)
        if not len(inside):
            raise CannotApply("no page of the class is so")
        if len(inside) == len(members):
            raise CannotApply("all pages of the class are so: rename it instead")
        new = max(self.names) + 1
        self.names[new] = edit.to
        self._reassign(np.isin(np.arange(len(self._class_of)), inside), new)
        return EditStatus.APPLIED, f"{len(inside):,} of {len(members):,} visited pages"

    def _chosen(
        self, edit: SplitClass, members: np.typing.NDArray[np.int64]
    ) -> np.typing.NDArray[np.int64]:
        pages = self._pages
        if edit.url:
            is_in = [url_matches(pages[place].url, edit.url) for place in members]
        elif edit.mark:
            is_in = [edit.mark in self._marks.columns(pages[place].nodes) for place in members]
        else:
            seeds = [self._place[url] for url in edit.examples if url in self._place]
            seeds = [seed for seed in seeds if seed in set(members.tolist())]
            if not seeds:
                raise CannotApply("none of the example pages is in the class")
            return self._followers(seeds, members)
        return np.array(
            [one for one, chosen in zip(members, is_in, strict=True) if chosen], np.int64
        )

    def _move(self, edit: MovePage) -> tuple[EditStatus, str]:
        target = self._resolve(edit.to, edit)
        place = self._place.get(edit.page)
        if place is None:
            raise CannotApply("the page is not there")
        before = int(self._class_of[place])
        if before == target:
            return EditStatus.NOT_NEEDED, f"the page is in {self.names[target]} already"
        if target in self._stubs:
            raise CannotApply("pages that only send their readers on are a class of their own")
        members = np.flatnonzero(self._class_of == before)
        moved = self._followers([place], members)
        self._reassign(np.isin(np.arange(len(self._class_of)), moved), target)
        like = len(moved) - 1
        return EditStatus.APPLIED, f"and {like:,} pages like it" if like else ""

    def _followers(
        self, seeds: Sequence[int], members: np.typing.NDArray[np.int64]
    ) -> np.typing.NDArray[np.int64]:
        found = followers(self._pages, self._marks, seeds, members.tolist())
        return np.array(found, dtype=np.int64)

    def _reassign(self, moved: np.typing.NDArray[np.bool_], number: int) -> None:
        self._class_of[moved] = number
        self.has_moved = True
        for left in [one for one in self.names if not (self._class_of == one).any()]:
            del self.names[left]

    def _resolve(self, name: str, edit: ClassEdit) -> int:
        """The class that an edit means: the one of its pages, else the one of that name."""
        anchors = Counter(
            int(self._class_of[self._place[url]])
            for url in edit.pages.get(name, ())
            if url in self._place
        )
        named = next((number for number, known in self.names.items() if known == name), None)
        if anchors and named not in anchors:
            return anchors.most_common(1)[0][0]
        if named is not None:
            return named
        if anchors:
            return anchors.most_common(1)[0][0]
        raise CannotApply(f"there is no class {name}, and none of the pages that it had")


def followers(
    pages: Sequence[PageFeatures], marks: PathMarks, seeds: Sequence[int], members: Sequence[int]
) -> list[int]:
    """The seeds, and the members that are clearly more like them than like the others.

    Both are places in `pages`, whose other pages tell what all of the site have in common. The
    others are stood for by the page that is most like all of them.
    """
    others = [place for place in evenly(members, _COMPARED) if place not in seeds]
    if not others:
        return list(seeds)
    compared = [*seeds, *others]
    inside = set(compared)
    beside = [place for place in range(len(pages)) if place not in inside]
    around = compared + evenly(beside, _COMPARED)
    views = PageViews.of([pages[place] for place in around], marks)
    likely = pair_model().probabilities(pair_features(views))
    to_seeds = likely[: len(compared), : len(seeds)].max(axis=1)
    among = likely[len(seeds) : len(compared), len(seeds) : len(compared)]
    # The rest of the class is what is least like the seeds.
    apart = among.mean(axis=1) - to_seeds[len(seeds) :]
    to_rest = likely[: len(compared), len(seeds) + int(apart.argmax())]
    follows = to_seeds >= to_rest + current().extraction.min_follow_margin
    follows[: len(seeds)] = True
    return [place for place, is_so in zip(compared, follows.tolist(), strict=True) if is_so]


def url_matches(url: str, pattern: str) -> bool:
    """Whether the path and query of a URL are as a pattern says, with `*` for any text."""
    return fnmatchcase(path_and_query(url), pattern.replace("[", "[[]").replace("?", "[?]"))


def _names(
    sample: PageSample, classes: np.typing.NDArray[np.int64], model: SiteModel
) -> dict[int, str]:
    """The name of each class by its number: a class of a model begins with its first page."""
    by_first = {one.samples[0]: one.name for one in model.classes if one.samples}
    names: dict[int, str] = {}
    for page, number in zip(sample.pages, classes.tolist(), strict=True):
        if number not in names and page.url in by_first:
            names[number] = by_first[page.url]
    return names


def _renamed(
    model: SiteModel,
    sample: PageSample,
    classes: np.typing.NDArray[np.int64],
    names: Mapping[int, str],
) -> SiteModel:
    """The model with these names for its classes."""
    made = _names(sample, classes, model)
    return _with_names(
        model, {made[number]: name for number, name in names.items() if number in made}
    )


def _with_names(model: SiteModel, new: Mapping[str, str]) -> SiteModel:
    """The model with new names for some classes, wherever it names them."""
    return replace(
        model,
        classes=tuple(
            replace(
                one,
                name=new.get(one.name, one.name),
                nearest=None if one.nearest is None else new.get(one.nearest, one.nearest),
            )
            for one in model.classes
        ),
        links=tuple(
            replace(
                one,
                source=new.get(one.source, one.source),
                target=new.get(one.target, one.target),
            )
            for one in model.links
        ),
    )
