"""The quality Q of a model against a reference (Crescenzi et al. 2005, section 4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence, Set


def schema_f(page: Set[int], reference: Set[int]) -> float:
    """`F(s_p, s_C)`: precision and recall of a page's paths against those of a class."""
    shared = len(page & reference)
    return 2 * shared / (len(page) + len(reference)) if shared else 0.0


def model_quality(references: Sequence[Set[int]], computed: Sequence[Sequence[Set[int]]]) -> float:
    """`Q = 2 F RevF / (F + RevF)`: how like the computed classes are to the reference ones.

    `references` are class schemas; a computed class is the schemas of its pages.
    `sim(C, Ĉ)` is the mean of `F(s_p, s_C)` over the pages of Ĉ; F is the mean over reference
    classes of the best sim, RevF the mean over computed classes.
    """
    if not references or not computed:
        return 0.0
    similar = [
        [sum(schema_f(page, reference) for page in pages) / len(pages) for pages in computed]
        for reference in references
    ]
    forward = sum(map(max, similar)) / len(references)
    backward = sum(map(max, zip(*similar, strict=True))) / len(computed)
    return 2 * forward * backward / (forward + backward) if forward + backward else 0.0
