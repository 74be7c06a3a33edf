"""The papers' worked examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.choices import Heterogeneity
from sitewright.page import (
    Document,
    Labelling,
    PathVocabulary,
    Schema,
    link_collections,
    page_schema,
)
from sitewright.papers.crescenzi import (
    ClassCounts,
    Costs,
    PaperModel,
    candidate_classes,
    class_cost,
    distance,
    encoding_cost,
    is_heterogeneous,
    merged_cost,
    schema_cost,
)
from sitewright.settings import CrescenziSettings

P1 = b"""<table><tr><td><a href=B1></a><a href=B2></a></table><ul><li><a href=C1></a><a href=C2></a>
</ul>"""
P2 = b"""<table><tr><td><a href=B3></a><a href=B4></a><a href=B2></a></table><b><a href=B1></a></b>
<ul><li><a href=C2></a></ul>"""

schemas = st.dictionaries(st.integers(0, 12), st.integers(1, 5), max_size=8).map(Schema.of)


def paths_of(bits: str) -> Schema:
    return Schema.of({place: 1 for place, bit in enumerate(bits) if bit == "1"})


def test_the_schemas_of_figure_3():
    vocabulary = PathVocabulary(Labelling.TAG)
    written = []
    for body in (P1, P2):
        collections = link_collections(Document(body, "http://x.example/"), vocabulary)
        schema = page_schema(collections)
        paths = [vocabulary.labels(path) for path in schema.paths.tolist()]
        # A browser's tree has body and tbody, which the figure leaves out.
        short = ["-".join(t for t in p if t not in {"body", "tbody", "a"}).upper() for p in paths]
        written.append(dict(zip(short, schema.counts.tolist(), strict=True)))
    assert written == [
        {"HTML-TABLE-TR-TD": 2, "HTML-UL-LI": 2},
        {"HTML-TABLE-TR-TD": 3, "HTML-UL-LI": 1, "HTML-B": 1},
    ]


def test_the_encoding_of_section_3_2_costs_3ci_7cu_1cp_1cmiss():
    page = Schema.of({1: 2, 3: 3, 4: 2})
    costs = Costs(url=1000, path=1, index=10, miss=100)
    assert encoding_cost(page, {1, 2, 3}, costs) == 3 * 10 + 7 * 1000 + 1 * 1 + 1 * 100
    assert encoding_cost(page, {1, 2, 3}) == pytest.approx(3 * 0.8 + 7 + 1 + 1)
    assert schema_cost(3) == 3


def test_the_bit_vectors_of_the_report_collapse_into_two_groups():
    # The report writes v1 with eight ones in one place and seven in another; its distance of 13
    # bits is that of seven.
    v1, v2, v3 = (
        paths_of("1111111000000000"),
        paths_of("0011000111111110"),
        paths_of("0011000111111111"),
    )
    groups = candidate_classes([v1] * 10 + [v2] * 5 + [v3] * 5, dt=0.5)
    assert groups == [list(range(10)), list(range(10, 20))]
    assert not is_heterogeneous(groups)


def test_distance_is_the_normalised_symmetric_difference():
    assert distance({1, 2}, {1, 2}) == 0
    assert distance({1}, {2}) == 1
    assert distance({1, 2, 3}, {2, 3, 4}) == 0.5
    assert distance(set(), set()) == 0


def test_a_menu_is_heterogeneous_and_a_list_is_not():
    menu = [paths_of(bits) for bits in ("1100000", "0011000", "0000110", "0000001")]
    assert is_heterogeneous(candidate_classes(menu))
    assert not is_heterogeneous(candidate_classes([paths_of("1100")] * 4))
    assert not is_heterogeneous(candidate_classes([paths_of("1100")]))


@given(st.lists(schemas, max_size=12))
def test_candidates_are_a_partition_of_the_wave(wave):
    groups = candidate_classes(wave)
    assert sorted(place for group in groups for place in group) == list(range(len(wave)))


@given(st.lists(schemas, min_size=1, max_size=8))
def test_the_cost_of_a_class_is_its_schema_and_the_encodings_of_its_pages(pages):
    summary = ClassCounts.of(pages)
    one_by_one = sum(encoding_cost(page, summary.occurrences) for page in pages)
    assert class_cost(summary) == pytest.approx(schema_cost(len(summary.occurrences)) + one_by_one)


@given(st.lists(schemas, min_size=1, max_size=5), st.lists(schemas, min_size=1, max_size=5))
def test_the_cost_of_a_merge_needs_no_page(some, others):
    together = ClassCounts.of(some + others)
    one, other = ClassCounts.of(some), ClassCounts.of(others)
    assert merged_cost(one, other) == pytest.approx(class_cost(together))
    one.add(other)
    assert one == together


def test_the_loop_of_the_report_and_the_pass_of_the_paper_differ():
    """2004, figure 6, and 2005, figure 5: the loop takes the nearest of the smallest first."""
    wave = [Schema.of(dict.fromkeys(range(size), 1)) for size in (10, 10, 10, 12, 12, 13)]
    assert candidate_classes(wave, 0.2, "pass") == [[0, 1, 2, 3, 4], [5]]
    assert candidate_classes(wave, 0.2, "loop") == [[0, 1, 2], [3, 4, 5]]


@given(st.lists(schemas, max_size=10))
def test_after_the_loop_no_two_candidates_are_near(wave):
    groups = candidate_classes(wave, 0.5, "loop")
    assert sorted(place for group in groups for place in group) == list(range(len(wave)))
    unions = [set().union(*(wave[place].paths.tolist() for place in group)) for group in groups]
    for one in range(len(unions)):
        for other in range(one):
            assert distance(unions[one], unions[other]) >= 0.5


def test_heterogeneity_is_judged_by_groups_or_by_candidates():
    """Five pages of five schemas that are near each other: a menu by groups, one candidate."""
    wave = [Schema.of(dict.fromkeys([*range(20), 20 + n], 1)) for n in range(5)]
    for rule, classes in ((Heterogeneity.GROUPS, 0), (Heterogeneity.CANDIDATES, 1)):
        model = PaperModel(CrescenziSettings(heterogeneity=rule))
        model.update(wave)
        assert len(model.classes) == classes
