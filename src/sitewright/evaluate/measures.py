"""How well computed classes agree with the true ones (Crescenzi et al. 2005, sections 4.1, 4.3)."""

from __future__ import annotations

import lzma
import tarfile
import tempfile
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from math import log2
from pathlib import Path
from typing import TYPE_CHECKING

from sitewright.errors import InputNotFound, UnreadableInput

if TYPE_CHECKING:
    import os
    from collections.abc import Hashable, Iterable, Iterator, Mapping


@dataclass(frozen=True)
class ConfusionMatrix:
    """How many pages of each true class went to each computed class: the paper's `e_ij`.

    A page that no class was found for counts as one of the computed class None.
    """

    counts: Mapping[tuple[str, Hashable], int]

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, Hashable]]) -> ConfusionMatrix:
        """Count pairs of the true and the computed class of a page."""
        return cls(Counter(pairs))

    @cached_property
    def true_sizes(self) -> Counter[str]:
        """`|C_i|`."""
        sizes: Counter[str] = Counter()
        for (true, _), count in self.counts.items():
            sizes[true] += count
        return sizes

    @cached_property
    def computed_sizes(self) -> Counter[Hashable]:
        """`|Ĉ_j|`."""
        sizes: Counter[Hashable] = Counter()
        for (_, computed), count in self.counts.items():
            sizes[computed] += count
        return sizes

    @property
    def pages(self) -> int:
        """How many pages were counted."""
        return sum(self.counts.values())

    def rows(self) -> dict[str, dict[Hashable, int]]:
        """For each true class, the largest first, where its pages went, most of them first."""
        table: dict[str, dict[Hashable, int]] = {}
        ordered = sorted(self.counts.items(), key=lambda item: (-item[1], str(item[0])))
        for true, _ in sorted(self.true_sizes.items(), key=lambda item: (-item[1], item[0])):
            table[true] = {computed: count for (row, computed), count in ordered if row == true}
        return table


def precision(matrix: ConfusionMatrix, true: str, computed: Hashable) -> float:
    """`P(C_i, Ĉ_j) = |C_i n Ĉ_j| / |Ĉ_j|`."""
    size = matrix.computed_sizes[computed]
    return matrix.counts.get((true, computed), 0) / size if size else 0.0


def recall(matrix: ConfusionMatrix, true: str, computed: Hashable) -> float:
    """`R(C_i, Ĉ_j) = |C_i n Ĉ_j| / |C_i|`.

    The paper's formulas over `e_ij` divide by the other sums; its definitions over sets, which
    are followed here, are the usual ones.
    """
    size = matrix.true_sizes[true]
    return matrix.counts.get((true, computed), 0) / size if size else 0.0


def class_f(matrix: ConfusionMatrix, true: str) -> float:
    """`F_i = max_j 2 P(C_i, Ĉ_j) R(C_i, Ĉ_j) / (P + R)`; the class None is no class."""
    found = (computed for row, computed in matrix.counts if row == true and computed is not None)
    return max((_pair_f(matrix, true, computed) for computed in found), default=0.0)


def f_star(matrix: ConfusionMatrix, support: Mapping[str, int] | None = None) -> float:
    """`F* = sum_i F_i |C_i| / |u C_k|`, over the classes of the matrix.

    `|C_i|` is the number of pages of the class that were tested (2005 paper, section 4.1), or its
    `support`, the number of its pages in the site (2004 report, figures 7 and 8).
    """
    scores = {true: class_f(matrix, true) for true in matrix.true_sizes}
    return weighted_f(scores, matrix.true_sizes if support is None else support)


def weighted_f(scores: Mapping[str, float], support: Mapping[str, int]) -> float:
    """The mean of the F of classes, each with the weight of its support."""
    total = sum(support[true] for true in scores)
    return sum(f * support[true] for true, f in scores.items()) / total if total else 0.0


def entropy(matrix: ConfusionMatrix) -> float:
    """`H = sum_j H(Ĉ_j) |Ĉ_j| / |u C_k|`, `H(Ĉ_j) = - sum_i P(C_i, Ĉ_j) log2 P(C_i, Ĉ_j)`.

    The paper does not say which logarithm it takes, and has a minus too many in `H`.
    """
    total = matrix.pages
    bits = 0.0
    for (_, computed), count in matrix.counts.items():
        bits -= count * log2(count / matrix.computed_sizes[computed])
    return bits / total if total else 0.0


def purity(matrix: ConfusionMatrix) -> float:
    """`P = sum_j P(Ĉ_j) |Ĉ_j| / |u C_k|`, `P(Ĉ_j) = max_i e_ij / |Ĉ_j|`."""
    largest: Counter[Hashable] = Counter()
    for (_, computed), count in matrix.counts.items():
        largest[computed] = max(largest[computed], count)
    total = matrix.pages
    return largest.total() / total if total else 0.0


def _pair_f(matrix: ConfusionMatrix, true: str, computed: Hashable) -> float:
    shared = matrix.counts.get((true, computed), 0)
    return 2 * shared / (matrix.true_sizes[true] + matrix.computed_sizes[computed])


# Truth about sites, read from files; folders of data, packed or not.


def read_labels(path: str | os.PathLike[str]) -> dict[str, str]:
    """The true class of each page, from lines `path<TAB>class`; the file may be packed (.xz).

    Empty lines and lines that begin with `#` are skipped. A page that is given two classes is an
    error: the truth must be one.
    """
    path, labels = Path(path), dict[str, str]()
    for number, line in enumerate(_lines(path), start=1):
        if not line or line.startswith("#"):
            continue
        page, tab, label = line.partition("\t")
        if not tab or not page or not label.strip():
            raise UnreadableInput(str(path), f"line {number}: expected path<TAB>class")
        if labels.setdefault(page, label.strip()) != label.strip():
            raise UnreadableInput(str(path), f"line {number}: {page} has two classes")
    if not labels:
        raise UnreadableInput(str(path), "no labels in this file")
    return labels


def _lines(path: Path) -> list[str]:
    try:
        raw = path.read_bytes()
        return (lzma.decompress(raw) if path.suffix == ".xz" else raw).decode().splitlines()
    except FileNotFoundError:
        raise InputNotFound(str(path)) from None
    except (OSError, lzma.LZMAError, UnicodeDecodeError) as error:
        raise UnreadableInput(str(path), f"cannot be read as labels: {error}") from None


@contextmanager
def unpacked(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A folder of data; a packed one (.tar.xz) is unpacked for the while."""
    path = Path(path)
    if not path.exists():
        raise InputNotFound(str(path))
    if path.is_dir():
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        try:
            with tarfile.open(path) as archive:
                archive.extractall(folder, filter="data")
        except (OSError, EOFError, lzma.LZMAError, tarfile.TarError) as error:
            why = str(error).partition("\n")[0]
            raise UnreadableInput(str(path), f"neither a folder nor a packed one: {why}") from None
        yield Path(folder)
