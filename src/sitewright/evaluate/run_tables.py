"""The tables of a whole run against known values: what somebody who must use them meets.

In go pages as they lie in a folder, unsorted; `run` does the rest. Three kinds of data are known:
sites of the SWDE set (attributes, and for some sites every relation on their pages), pairs of one
site at two dates (labelled fields), and the demo site (the records that its generator wrote).
"""

from __future__ import annotations

import json
import re
import tempfile
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from urllib.parse import unquote, urlsplit

from sitewright.errors import UnreadableInput
from sitewright.evaluate.extraction_truth import labelled_sites, normalised
from sitewright.project import Project
from sitewright.project_steps import Exploring

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sitewright.evaluate.extraction_truth import ExtractionSite


PageValues: TypeAlias = "Mapping[str, set[str]]"
"""For each page its values, in the form that they are compared in."""
NamedValues: TypeAlias = "Mapping[str, PageValues]"
_FOUND = 0.8
"""A column holds an attribute or a relation when it agrees with it so well."""
_FIELD_FOUND = 0.7
"""The same of the labelled fields of pairs, which are parts of texts."""
_RELATION_PAGES = 5
"""Relations that fewer pages have say nothing of a column."""
_SAME = 0.95
"""The share of its pages on which a column is that of another, or a constant and that of another.
"""
_RAW = "_raw"
_SUBJECT = "topic_entity_name"
_UNSAID = frozenset("a an and as at by for from in is of on or per s the this to with".split())


def comparable(value: object) -> str:
    """A value whatever its white space, entities, case and form of its characters."""
    return normalised(unicodedata.normalize("NFKC", str(value))).lower()


@dataclass(frozen=True, slots=True)
class RunTables:
    """All columns of all tables that a run has made."""

    columns: Mapping[tuple[str, str], PageValues]
    """By class and name; those of one name in all classes together stand under the class ""."""
    width: int
    """Columns of the tables of all classes, those of one name once."""
    pages: int
    """Pages with a record."""
    rejected: int

    @classmethod
    def of(cls, out: Path) -> RunTables:
        """Read the tables of a project folder."""
        columns: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        names: set[str] = set()
        pages: set[str] = set()
        for table in sorted(out.glob("classes/*/table.jsonl")):
            for record in _json_lines(table):
                page = page_path(record["_url"])
                pages.add(page)
                own = {name: value for name, value in record.items() if not name.startswith("_")}
                names.update(own)
                for name, text in _parts(own):
                    columns["", name][page].add(text)
                    columns[table.parent.name, name][page].add(text)
        return cls(columns, len(names), len(pages), len(list(_json_lines(out / "rejected.jsonl"))))

    def faulty(self) -> float:
        """The share of the columns that are constant, a copy of another, or one and a constant."""
        found = [
            fault
            for name in sorted({owner for owner, _name in self.columns if owner})
            for fault in _faults(
                {
                    column: values
                    for (owner, column), values in self.columns.items()
                    if owner == name and "." not in column and not column.endswith(_RAW)
                }
            )
        ]
        return fmean(found) if found else 0.0


def page_path(url: str) -> str:
    """The path of a page in its folder."""
    return unquote(urlsplit(url).path).lstrip("/")


def _json_lines(file: Path) -> Iterator[dict[str, Any]]:
    if file.is_file():
        with file.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def _parts(values: Mapping[str, Any], around: str = "") -> Iterator[tuple[str, str]]:
    """Every value under its name; those inside records also under the name of the record set."""
    for key, held in values.items():
        name = f"{around}{key}"
        for value in held if isinstance(held, list) else [held]:
            if isinstance(value, dict):
                for inner, text in _parts(value, f"{name}."):
                    yield inner, text
                    if inner.count(".") == name.count(".") + 1:
                        yield name, text
            elif value is not None and (text := comparable(value)):
                yield name, text


def _faults(columns: Mapping[str, PageValues]) -> Iterator[bool]:
    """For each column of a table whether it says nothing of its own."""
    earlier: list[PageValues] = []
    for column in columns.values():
        said = {frozenset(values) for values in column.values()}
        is_constant = len(said) == 1 and len(column) > 1
        yield is_constant or any(_repeats(column, other) for other in earlier)
        if not is_constant:
            earlier.append(column)


def _repeats(column: PageValues, other: PageValues) -> bool:
    """Whether a column is another one, alone or in words that are the same on all pages."""
    common = [
        (" ".join(sorted(values)), other[page]) for page, values in column.items() if page in other
    ]
    if len(common) < max(2, _SAME * len(column)):
        return False
    around: Counter[str] = Counter()
    for text, values in common:
        whole = " ".join(sorted(values))
        around[text.replace(whole, "\0", 1) if whole and whole in text else text] += 1
    rest, count = around.most_common(1)[0]
    return "\0" in rest and count >= _SAME * len(column)


# How well a column agrees with what is known, and whether its name says what it holds.


def page_f(truth: PageValues, column: PageValues, pages: Iterable[str] | None = None) -> float:
    """F1 over pages: right with one true value; every other value of the column counts against it.

    A true value "a, b" is there, too, when all its parts are.
    """
    right = wrong = missed = 0
    for page in truth if pages is None else pages:
        true, held = truth.get(page, set()), column.get(page, set())
        hit = _hits(true, held)
        right += bool(hit)
        wrong += len(held - hit)
        missed += bool(true) and not hit
    return 2 * right / (2 * right + wrong + missed) if right else 0.0


def _hits(true: set[str], held: set[str]) -> set[str]:
    hit = true & held
    for value in true - hit:
        parts = set(filter(None, map(_edged, re.split(r",| and | / ", value))))
        if len(parts) > 1 and parts <= held:
            hit |= parts
    return hit


def recall(truth: PageValues, column: PageValues) -> float:
    """The share of the true values that a column holds on their pages."""
    held = sum(len(values & column.get(page, set())) for page, values in truth.items())
    return held / sum(map(len, truth.values()))


def name_words(name: str) -> list[str]:
    """The words and numbers of a name."""
    return re.findall(r"\d+|[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower())


def says(name: str, words: Iterable[str]) -> bool:
    """Whether a name holds one of some words: whole, as plural, or as a part of a longer one."""
    own = name_words(name)
    joined = f" {' '.join(own)} "
    for word in words:
        parts = name_words(word)
        if not parts:
            continue
        if f" {' '.join(parts)} " in joined or "".join(parts) in own:
            return True
        if len(parts) == 1 and any(_is_form(one, parts[0]) for one in own):
            return True
    return False


def _is_form(one: str, word: str) -> bool:
    plurals = {word, f"{word}s", f"{word}es", f"{word[:-1]}ies"}
    if one in plurals or (len(word) >= 5 and word in one):
        return True
    return len(word) == 4 and (one.startswith(word) or one.endswith(word))


class ColumnAgreement(NamedTuple):
    """The column that agrees best, and the best of those whose names say what they hold."""

    best: float
    column: str
    named: float
    named_column: str


def agreement(
    tables: RunTables,
    truth: PageValues,
    words: Sequence[str],
    pages: Iterable[str] | None = None,
    *,
    by_recall: bool = False,
) -> ColumnAgreement:
    """Compare what is known of a thing with all columns."""
    pages = None if pages is None else list(pages)
    best, column, named, named_column = 0.0, "", 0.0, ""
    for (_owner, name), values in tables.columns.items():
        score = recall(truth, values) if by_recall else page_f(truth, values, pages)
        is_named = score > min(best, named) and says(name, words)
        if score > best or (score and score == best and is_named and not says(column, words)):
            best, column = score, name
        if is_named and score > named:
            named, named_column = score, name
    return ColumnAgreement(best, column, named, named_column)


def _edged(text: str) -> str:
    return text.strip(" ,;|/\u00b7\u2022\"'")


def _trimmed(values: PageValues) -> PageValues:
    return {page: set(filter(None, map(_edged, held))) for page, held in values.items()}


# A site of the SWDE set: its attributes, and all relations where they are known.


def read_name_words(file: Path) -> dict[str, dict[str, list[str]]]:
    """For each vertical and attribute the words that a person would know it by."""
    found: dict[str, dict[str, list[str]]] = defaultdict(dict)
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        for line in lines:
            if line.strip() and not line.startswith("#"):
                vertical, attribute, words = line.split("\t")
                found[vertical][attribute] = words.split()
    except (OSError, ValueError) as error:
        raise UnreadableInput(str(file), f"not vertical, attribute and words: {error}") from None
    return found


def swde_scores(
    tables: RunTables,
    site: ExtractionSite,
    words: Mapping[str, Sequence[str]],
    relations: Path | None = None,
) -> dict[str, Any]:
    """How well the tables of a site hold its attributes, and its relations."""
    found = {
        attribute: agreement(
            tables,
            {
                # The pages of a site lie in one folder.
                file.name: set(map(comparable, truth.get(file.stem, ())))
                for file in site.files
                if file.stem in truth
            },
            words.get(attribute, [attribute]),
        )
        for attribute, truth in site.truth.items()
    }
    scores: dict[str, Any] = {
        "best": fmean(one.best for one in found.values()),
        "named": fmean(one.named >= _FOUND for one in found.values()),
        **table_scores(tables),
    }
    if relations is not None and relations.is_file():
        scores |= relation_scores(tables, relations, site.files[0].suffix)
    for attribute, one in found.items():
        scores |= {f"f_{attribute}": one.best, f"column_{attribute}": one.column}
        scores |= {f"named_{attribute}": one.named, f"name_{attribute}": one.named_column}
    return scores


def table_scores(tables: RunTables) -> dict[str, Any]:
    """What is counted of any tables: columns, faulty ones, pages without a record."""
    return {
        "columns": tables.width,
        "faulty": tables.faulty(),
        "rejected": tables.rejected / max(1, tables.rejected + tables.pages),
    }


def relation_scores(tables: RunTables, file: Path, suffix: str) -> dict[str, Any]:
    """The share of the relations that are found, and found in a column named by their label."""
    known = relation_truth(file, suffix)
    pages = dict.fromkeys(page for values in known.values() for page in values)
    columns = {key: _trimmed(values) for key, values in tables.columns.items()}
    tables = replace(tables, columns=columns)
    found: list[tuple[bool, bool]] = []
    missing: dict[str, str] = {}
    for label, values in sorted(known.items()):
        truth = {page: true for page, true in values.items() if true}
        if len(truth) < _RELATION_PAGES or label == _SUBJECT:
            continue
        one = agreement(tables, truth, _label_words(label), pages)
        found.append((one.best >= _FOUND, one.named >= _FOUND))
        if one.named < _FOUND:
            missing[label] = f"{one.best:.2f} {one.column}"
    return {
        "relations": fmean(one for one, _named in found),
        "relations_named": fmean(named for _one, named in found),
        "relations_missing": missing,
    }


def relation_truth(file: Path, suffix: str = "") -> NamedValues:
    """The values of each relation, by page."""
    known: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for line in _json_lines(file):
        values = {_edged(comparable(one)) for one in line["values"]} - {""}
        known[line["relation"]][line["page"] + suffix] |= values
    return known


def _label_words(label: str) -> list[str]:
    """The words of the most specific level of a label; `*` stands before what no page says."""
    levels = [level.strip() for level in label.split("|") if level.strip()] or [label]
    last = levels[-1]
    if last.startswith("*") and len(levels) > 1:
        last = f"{last} {levels[-2]}"
    words = name_words(last.replace("&&&", " "))
    telling = [
        word for word in words if word not in _UNSAID and not (word.isdigit() and len(word) > 2)
    ]
    return telling or words


# One side of a pair of a site at two dates: labelled fields.


def redesign_scores(tables: RunTables, pair: Path, side: str) -> dict[str, Any]:
    """The share of the labelled fields that one column holds, and that one of that name does.

    A field with several values on a page is scored by recall, because the truth lists only those
    that both sides have; pages without truth do not count.
    """
    found = {}
    for (name, field), truth in sorted(redesign_truth(pair, side).items()):
        is_list = any(len(values) > 1 for values in truth.values())
        found[f"{name}_{field}"] = agreement(tables, truth, name_words(field), by_recall=is_list)
    return {
        "fields": fmean(one.best >= _FIELD_FOUND for one in found.values()),
        "fields_named": fmean(one.named >= _FIELD_FOUND for one in found.values()),
        "labelled": len(found),
        **table_scores(tables),
        **{f"f_{name}": one.best for name, one in found.items()},
        **{f"column_{name}": one.column for name, one in found.items()},
    }


def redesign_truth(pair: Path, side: str) -> Mapping[tuple[str, str], PageValues]:
    """The values of each class and field on one side of a pair, by page."""
    place = ("before", "after").index(side)
    classes = {row[place]: row[2] for row in _tab_separated(pair / "classes.tsv")}
    truths: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in _tab_separated(pair / "truth.tsv"):
        if row[place] in classes:
            truths[classes[row[place]], row[2]][row[place]].add(comparable(row[3]))
    return truths


def _tab_separated(file: Path) -> Iterator[list[str]]:
    for line in file.read_text(encoding="utf-8").split("\n"):
        if line:
            yield line.split("\t")


# The demo site: the records that its generator wrote.


def demo_scores(tables: RunTables, file: Path) -> dict[str, Any]:
    """For one class of the demo site the share of its values in one column for each field.

    Values of records inside a record are a field too (`matches.opponent`). A column is named like
    a field when it has all words of the last part of the field's name; wrong are the values of
    such columns that are not true. What pages call a field (`shown-names.tsv` beside the records)
    is a name of it, too; `values_named_exactly` does without.
    """
    shown = _shown_names(file)
    fields = demo_truth(file)
    total = sum(len(values) for truth in fields.values() for values in truth.values())
    held = named = exactly = 0.0
    wrong = given = 0
    for name, truth in fields.items():
        size = sum(map(len, truth.values()))
        held += size * max((recall(truth, one) for one in tables.columns.values()), default=0.0)
        exact = _best_named(tables, truth, name, name)
        as_shown = _best_named(tables, truth, name, shown.get(name, name))
        best = max(exact, as_shown, key=lambda one: recall(truth, one))
        exactly += size * recall(truth, exact)
        named += size * recall(truth, best)
        for page, values in truth.items():
            given += len(best.get(page, set()))
            wrong += len(best.get(page, set()) - values)
    return {
        "values": held / total,
        "values_named": named / total,
        "values_named_exactly": exactly / total,
        "wrong_values": wrong / max(1, given),
    }


def _best_named(tables: RunTables, truth: PageValues, field: str, name: str) -> PageValues:
    """The column of a name that holds the most of a field, and of two the one with less else.

    A record set called `prices` holds the prices, too, and whatever else is in its records.
    """
    own = [
        one
        for (_owner, column), one in tables.columns.items()
        if _is_named(name, column) and _are_alike(truth, one, field, column)
    ]
    return max(own, key=lambda one: (recall(truth, one), -_others(truth, one)), default={})


def _others(truth: PageValues, held: PageValues) -> int:
    """How many values of a column are none of the true ones of their pages."""
    return sum(len(held.get(page, set()) - values) for page, values in truth.items())


def _shown_names(file: Path) -> dict[str, str]:
    """What the pages of a class call its fields, where that is another name."""
    names = file.parent.parent / "shown-names.tsv"
    rows = _tab_separated(names) if names.is_file() else ()
    return {field: shown for name, field, shown in rows if name == file.stem}


def demo_truth(file: Path) -> NamedValues:
    """The values of each field of a class, by page; `SET.FIELD` for those of records inside."""
    fields: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for record in _json_lines(file):
        page = record.pop("_url")
        for name, text in _parts(record):
            if not isinstance(record.get(name), list) or not _holds_records(record[name]):
                fields[name][page].add(text)
    return fields


def _holds_records(value: list[Any]) -> bool:
    return any(isinstance(one, dict) for one in value)


def _is_named(field: str, column: str) -> bool:
    """Whether a column has all words of the last part of a field's name, together or apart."""
    joined = "".join(_ordered_words(column)).removesuffix("s")
    return _last_words(field) <= _last_words(column) | {joined}


def _are_alike(truth: PageValues, held: PageValues, field: str, column: str) -> bool:
    """Whether both are of pages, or both of the records in them: else they are different things.

    A page's title is not the title of what it lists.
    """
    if "." not in field:
        return "." not in column
    several = sum(len(values) > 1 for values in truth.values())
    return not several or any(len(held.get(page, ())) > 1 for page in truth)


def _ordered_words(name: str) -> list[str]:
    last = name.removesuffix(_RAW).rpartition(".")[2]
    return [word for word in re.split(r"[_\W]+", last.lower()) if word]


def _last_words(name: str) -> set[str]:
    """The words of the last part of a column's name, plurals as one."""
    return {word.removesuffix("s") for word in _ordered_words(name)}


# What there is to measure in a folder of data.


@dataclass(frozen=True, slots=True)
class RunCase:
    """A folder of pages, and the function that scores the tables of a run over it."""

    name: str
    group: str
    """What is averaged first: the vertical of a site, the pair of a side."""
    folder: Path
    kind: str
    site: ExtractionSite | None = None
    words: Mapping[str, Sequence[str]] | None = None
    relations: Path | None = None

    def scores(self, out: Path) -> list[dict[str, Any]]:
        """The scores of tables that were made of the folder: one row, of the demo one a class."""
        tables = RunTables.of(out)
        head = {"site": self.name, "group": self.group}
        if self.site is not None:
            return [head | swde_scores(tables, self.site, self.words or {}, self.relations)]
        if self.kind == "redesign":
            return [head | redesign_scores(tables, self.folder.parent, self.folder.name)]
        truths = sorted((self.folder.parent / "truth" / "records").glob("*.jsonl"))
        return [
            {"site": f"{self.name} {file.stem}", "group": self.group, **demo_scores(tables, file)}
            for file in truths
        ]


def run_cases(data: Path, names: Path | None = None) -> list[RunCase]:
    """The sites of a folder of data, whatever kind it is."""
    demos = sorted(file.parent.parent for file in data.glob("**/truth/records"))
    pairs = sorted(file.parent for file in data.glob("**/pairs/*/truth.tsv"))
    if demos:
        return [RunCase(one.name, one.name, one / "site", "demo") for one in demos]
    if pairs:
        return [
            RunCase(f"{pair.name} {side}", pair.name, pair / side, "redesign")
            for pair in pairs
            for side in ("before", "after")
        ]
    words = read_name_words(names) if names is not None else {}
    relations = {file.stem: file for file in data.glob("**/relations/*.jsonl")}
    return [
        RunCase(
            site.name, site.vertical, site.files[0].parent, "swde", site,
            words.get(site.vertical, {}), relations.get(site.name),
        )
        for site in labelled_sites(data)
    ]  # fmt: skip


def run_scores(case: RunCase, seed: int = 0) -> list[dict[str, Any]]:
    """Do the whole job on the pages of a case, and score the tables."""
    with tempfile.TemporaryDirectory() as out:
        Project(out, str(case.folder)).run(Exploring(seed=seed))
        return case.scores(Path(out))


def run_means(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Means over the sites of each group, then over groups, of what all or some sites have."""
    measures = dict.fromkeys(name for row in rows for name in row if name in _MEASURES)
    groups = sorted({row["group"] for row in rows})
    found: dict[str, Any] = {"site": "all", "sites": len(rows)}
    for name in measures:
        inside = [
            [row[name] for row in rows if row["group"] == group and name in row] for group in groups
        ]
        found[name] = fmean(fmean(values) for values in inside if values)
    return found


_MEASURES = frozenset(
    "best named columns faulty rejected relations relations_named fields fields_named "
    "values values_named values_named_exactly wrong_values".split()
)
