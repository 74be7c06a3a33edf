"""The paper's recursion and its training."""

from __future__ import annotations

import asyncio
import sys

import numpy as np
import pytest
from small_sites import outline, site_of

from sitewright import formats
from sitewright.choices import Method
from sitewright.errors import MissingExtra, UnreadableInput, WrongFormatVersion
from sitewright.evaluate.skeleton_truth import (
    TrainingCase,
    evidence_weights,
    paper_parameters,
)
from sitewright.methods import Trained, extract_skeleton, shipped
from sitewright.papers.liu import SewParameters, combined_confidence, prob, sew_skeleton
from sitewright.settings import Settings, using
from sitewright.skeleton.parent_features import PRIOR

OPEN = SewParameters((1, 5, 1, 1, 0, 1), (1, 2, 2, 0.1, 1, 0.5), 0.0, 1.0, 0.0)
"""Parameters that accept every candidate."""


def menu(*names):
    return "<ul>" + "".join(f'<li><a href="{n}.html">{n}</a></li>' for n in names) + "</ul>"


def pages():
    return {
        "index.html": menu("world", "sport", "money", "maps"),
        "world.html": menu("asia", "africa", "europe", "oceania"),
        "sport.html": menu("world", "sport", "money", "maps"),
        **dict.fromkeys(("money.html", "maps.html", "asia.html", "africa.html"), "text"),
        **dict.fromkeys(("europe.html", "oceania.html"), "text"),
    }


def run(folder, **options):
    return asyncio.run(sew_skeleton(site_of(folder, pages()), OPEN, **options))


def test_the_skeleton_is_built_level_by_level_without_pages_twice(tmp_path):
    skeleton, analyses = run(tmp_path)
    assert outline(skeleton.root) == {
        "world.html": {"asia.html": {}, "africa.html": {}, "europe.html": {}, "oceania.html": {}},
        "sport.html": {},
        "money.html": {},
        "maps.html": {},
    }
    assert len(analyses) == 9


def test_levels_can_be_limited_as_in_the_papers_runs(tmp_path):
    skeleton, analyses = run(tmp_path, levels=1)
    assert len(outline(skeleton.root)) == 4
    assert skeleton.fetched == len(analyses) == 1


def test_the_recursion_ends_where_no_link_set_is_accepted_however_deep(tmp_path):
    """Figure 4 has no bound on levels."""
    deep = {f"p{n}.html": menu(f"p{n + 1}", f"a{n}", f"b{n}", f"c{n}") for n in range(6)}
    site = site_of(tmp_path, {"index.html": menu("p0", "x", "y", "z"), **deep})
    skeleton, _ = asyncio.run(sew_skeleton(site, OPEN))
    depth = max(level for level, _, _ in skeleton.root.walk())
    assert depth == 7
    with using(Settings.of({"levels": 2})):
        skeleton, _ = asyncio.run(sew_skeleton(site, OPEN))
    assert max(level for level, _, _ in skeleton.root.walk()) == 2


def test_a_link_set_that_another_page_had_is_not_chosen_again(tmp_path):
    _, analyses = run(tmp_path)
    assert analyses["http://folder.invalid/sport.html"].chosen == ()


def test_the_paper_can_be_asked_for_by_name(tmp_path):
    skeleton = asyncio.run(extract_skeleton(site_of(tmp_path, pages()), method=Method.PAPER))
    assert skeleton.root.url.endswith("index.html")


def test_training_takes_means_deviations_and_the_lowest_confidence():
    rows = ((1.0, 4.0, 0.0, 1.0, 0.0, 1.0), (3.0, 8.0, 0.0, 0.5, 0.0, 0.0))
    learnt = paper_parameters([TrainingCase(rows[:1], ()), TrainingCase(rows[1:], ())])
    assert learnt.means == (2.0, 6.0, 0.0, 0.75, 0.0, 0.5)
    assert learnt.deviations == (1.0, 2.0, 0.0, 0.25, 0.0, 0.5)
    scores = [combined_confidence(row, learnt) for row in rows]
    assert learnt.combined_mean == pytest.approx(np.mean(scores))
    lowest = prob(min(scores), learnt.combined_mean, learnt.combined_deviation)
    assert learnt.threshold == pytest.approx(lowest)


def test_weights_follow_the_evidence_but_never_change_their_sign():
    size = len(PRIOR)
    against = np.zeros((2, size))
    against[0, 0] = 1.0  # "named", and wrong every time
    training_case = TrainingCase((), ((against, np.array([False, True]), 1.0),) * 50)
    weights = evidence_weights([training_case])
    assert 0 <= weights["named"] < PRIOR["named"]
    assert all(weights[name] * PRIOR[name] >= 0 for name in PRIOR)


def test_weights_of_greatest_likelihood_leave_no_slope_where_they_are_free():
    chance = np.random.default_rng(3)
    cases = tuple(
        (chance.normal(size=(4, len(PRIOR))), np.arange(4) == chance.integers(4), 1.0)
        for _ in range(40)
    )
    prior = np.array(list(PRIOR.values()))
    weights = np.array(list(evidence_weights([TrainingCase((), cases)]).values()))

    def loss(at):
        found = 0.01 * ((at - prior) ** 2).sum()
        for rows, right, _weight in cases:
            scores = rows @ at
            found += (np.log(np.exp(scores).sum()) - scores[right][0]) / len(cases)
        return found

    for place in np.flatnonzero(weights):
        step = np.zeros(len(PRIOR))
        step[place] = 1e-4
        assert (loss(weights + step) - loss(weights - step)) / 2e-4 == pytest.approx(0, abs=1e-3)


def test_training_without_scipy_names_the_command_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    training_case = TrainingCase((), ((np.zeros((2, len(PRIOR))), np.array([False, True]), 1.0),))
    with pytest.raises(MissingExtra, match=r"pip install 'sitewright\[evaluate\]'"):
        evidence_weights([training_case])
    assert shipped().evidence


def test_without_lessons_the_weights_are_the_prior():
    assert evidence_weights([]) == PRIOR


def test_numbers_ship_with_the_package_and_can_be_read_from_a_file(tmp_path):
    numbers = shipped()
    assert set(numbers.evidence) == set(PRIOR)
    path = tmp_path / "trained.json"
    formats.write(path, numbers)
    assert formats.read(path, Trained) == numbers


def test_files_that_hold_something_else_are_refused(tmp_path):
    path = tmp_path / "trained.json"
    written = formats.dump(shipped())
    path.write_text(written.replace('"version": 3', '"version": 99'))
    with pytest.raises(WrongFormatVersion, match="99"):
        formats.read(path, Trained)
    path.write_text(written.replace('"means": [', '"means": [0.5, '))
    with pytest.raises(UnreadableInput, match="7 features instead of 6"):
        formats.read(path, Trained)
    path.write_text(written.replace('"echo"', '"eco"'))
    with pytest.raises(UnreadableInput, match="missing or unknown: echo, eco"):
        formats.read(path, Trained)
