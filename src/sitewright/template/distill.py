"""Distil the template that pages share."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import numpy as np

from sitewright.choices import Method
from sitewright.errors import InvalidInput
from sitewright.html import TokenVocabulary, spelled_tokens
from sitewright.template.consensus import consensus
from sitewright.template.slots import THRESHOLD, shared_tokens
from sitewright.template.template import Template, TemplateToken

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from sitewright.html import Document

FEWEST_PAGES = 2


def distill(
    documents: Iterable[Document],
    *,
    method: Method | str = Method.DEFAULT,
    threshold: float | None = None,
    seed: int = 0,
    workers: int = 1,
) -> Template:
    """The template of pages of one class.

    The paper's method is the consensus tree of Geraci and Maggini (2011).
    `threshold` is the part of the pages that must have a token: 2/3, in the paper 1/2. `seed` and
    `workers` are the paper's: ours depends on no order, and needs no help.
    """
    method, pages = Method(method), list(documents)
    if len(pages) < FEWEST_PAGES:
        given = "one page" if pages else "no pages"
        raise InvalidInput(given, "a template is what several pages share; give at least two")
    if method is Method.PAPER:
        tokens = _paper_tokens(pages, 0.5 if threshold is None else threshold, seed, workers)
    else:
        tokens = shared_tokens(pages, THRESHOLD if threshold is None else threshold)
    return Template(tuple(tokens), len(pages), method.value)


def _paper_tokens(
    pages: Sequence[Document], threshold: float, seed: int, workers: int
) -> list[TemplateToken]:
    numbering = _Numbering()
    sequences = [numbering.sequence(page) for page in pages]
    profile = consensus(sequences, seed=seed, threshold=threshold, workers=workers)
    return [
        numbering.token(token_id, count / len(pages))
        for token_id, count in zip(profile.ids.tolist(), profile.counts.tolist(), strict=True)
    ]


class _Numbering:
    """Token sequences of pages as they are written, and how each token is mostly spelled."""

    def __init__(self) -> None:
        self._vocabulary = TokenVocabulary()
        self._spellings: defaultdict[int, Counter[str]] = defaultdict(Counter)

    def sequence(self, page: Document) -> NDArray[np.int32]:
        written = [spelled for spelled in spelled_tokens(page) if spelled.written]
        ids = [self._vocabulary.id(spelled.token) for spelled in written]
        for token_id, spelled in zip(ids, written, strict=True):
            self._spellings[token_id][spelled.spelling] += 1
        return np.array(ids, dtype=np.int32)

    def token(self, token_id: int, support: float) -> TemplateToken:
        spellings = self._spellings[token_id]
        usual = min(spellings, key=lambda spelling: (-spellings[spelling], spelling))
        return TemplateToken(self._vocabulary[token_id].kind, usual, support)
