import json
import sys
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright import formats
from sitewright.errors import MissingExtra
from sitewright.evaluate.vips import vips_blocks
from sitewright.visual import BlockRole, segment
from sitewright.visual.elements import block_candidates
from sitewright.visual.roles import feature_rows
from sitewright.visual.segmentation import Ensemble, Growth, _tree, threshold, train
from tests.visual.drawn_pages import page

SHOP = """<!doctype html><style>
body {margin: 0; font: 16px sans-serif}
header, footer {background: #123; color: #fff; padding: 20px}
header a, footer a {color: #fff; margin: 10px} main {display: flex; padding: 30px}
article {width: 500px; margin-right: 40px} aside {width: 200px; background: #eee; padding: 20px}
</style>
<header><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width=120 height=60 alt=Shop>
<nav><a href=1>Home</a><a href=2>Products</a><a href=3>Prices</a><a href=4>Contact</a></nav>
</header>
<main><article><h1>Kettles of the year</h1><p>{prose}</p><p>{prose}</p></article>
<aside><h2>More kettles</h2><ul><li><a href=5>Copper kettle</a><li><a href=6>Steel kettle</a>
<li><a href=7>Glass kettle</a></ul></aside></main>
<footer><p>Made by hand since 1908 in a small town by the sea.</p></footer>
""".replace("{prose}", "Kettles are boiled and poured with care. " * 12)


@pytest.fixture(scope="module")
def shop(renderer):
    return renderer.render(SHOP)


def test_a_page_is_cut_into_the_blocks_that_a_reader_sees(shop):
    roles = {block.role for block in segment(shop)}
    assert {BlockRole.HEADER, BlockRole.MENU, BlockRole.FOOTER, BlockRole.SIDEBAR} <= roles


def test_blocks_are_a_tree_in_document_order(shop):
    blocks = segment(shop, granularity=0.9)
    assert [block.number for block in blocks] == list(range(1, len(blocks) + 1))
    for block in blocks:
        if block.parent is None:
            assert block.depth == 0
        else:
            outer = blocks[block.parent - 1]
            assert outer.number < block.number
            assert outer.depth == block.depth - 1
            assert outer.box.contains(block.box)


def test_finer_means_the_same_blocks_and_more(shop):
    levels = [{b.node for b in segment(shop, granularity=g)} for g in (0.0, 0.3, 0.5, 0.8, 1.0)]
    assert all(coarse <= fine for coarse, fine in pairwise(levels))
    assert len(levels[0]) < len(levels[-1])


def test_a_block_is_written_as_a_flat_object(shop):
    written = segment(shop)[0].as_json()
    assert json.loads(json.dumps(written)) == written
    assert {"number", "role", "lx", "ly", "dx", "dy", "path", "text"} <= set(written)


def test_a_page_on_which_nothing_is_visible_has_no_blocks(renderer):
    assert segment(renderer.render("<title>Empty</title>")) == []


def test_wrappers_and_what_they_wrap_are_one_candidate():
    found = block_candidates(page(("div", ("section", ("p", "One"), ("p", "Two")))))
    assert [[node.tag for node in part.nodes] for part in found] == [
        ["html", "body", "div", "section"], ["p"], ["p"],
    ]  # fmt: skip
    assert [part.parent for part in found] == [-1, 0, 0]
    assert found[0].node.tag == "section"
    assert found[0].outermost.tag == "div"


LINE_UP = "".join(f"<tr><td>{n}<td><a href={n}>Player number {n}</a><td>90" for n in range(1, 9))
SCORE = "<b>Alberia</b> <span style='font-size: 40px'>2 : 1</span> <b>Borungu</b>"
CREST = '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width=60 height=60 alt="">'


@pytest.mark.parametrize(
    ("html", "tag", "role"),
    [
        (f"<table cellpadding=12><tbody>{LINE_UP}</tbody></table>", "tbody", BlockRole.TABLE),
        (f"<section>{CREST}{SCORE}{CREST}</section>", "section", BlockRole.ARTICLE),
        (f"<section>{CREST}<br><b>Alberia</b></section>", "section", BlockRole.IMAGE),
    ],
)
def test_a_table_of_links_is_a_table_and_a_score_between_pictures_is_no_image(
    renderer, html, tag, role
):
    far = "<div style='height:600px'></div>"
    rendering = renderer.render(f"<body><p>Words.</p>{far}{html}{far}<p>End.</p>")
    assert [block.role for block in chosen_blocks(rendering, tag)] == [role]


def chosen_blocks(rendering, *tags):
    """The blocks of a page, if those with these tags are chosen."""
    parts = block_candidates(rendering)
    chosen = [part for part in parts[1:] if part.node.tag in tags]
    return _tree(rendering, parts, chosen, [1.0] * len(parts))


def test_a_heading_belongs_to_the_block_that_it_heads():
    rendering = page(
        ("h1", "Team"),
        ("h2", "Matches"),
        ("ul", ("li", "One"), ("li", "Two")),
        ("p", "Words."),
        ("ol", ("li", "Three"), ("li", "Four")),
    )
    first, second = chosen_blocks(rendering, "ul", "ol")
    assert first.text == "Team Matches One Two"
    assert (first.box.ly, first.box.dy) == (0, 80)
    assert second.text == "Three Four"


def test_a_heading_is_taken_once_and_not_from_another_block():
    rendering = page(
        ("h2", "Players"),
        ("ul", ("li", ("b", "One"), "forward"), ("li", ("b", "Two"), "back")),
        ("section", ("p", "Other"), ("h3", "Its own")),
        ("ol", ("li", "Three"), ("li", "Four")),
    )
    texts = [block.text for block in chosen_blocks(rendering, "ul", "li", "section", "ol")]
    assert texts[:3] == ["Players One forward Two back", "One forward", "Two back"]
    assert texts[3] == "Other Its own"
    assert texts[4] == "Three Four"


def test_every_candidate_has_the_same_features_whatever_the_ids():
    plain = feature_rows(block_candidates(page(("div", ("p", "One"), ("p", "Two")))))
    named = feature_rows(
        block_candidates(page(("div", {"id": "x"}, ("p", {"class": "y"}, "One"), ("p", "Two"))))
    )
    assert (plain == named).all()
    assert np.isfinite(plain).all()


def test_thousands_of_siblings_are_no_trouble():
    many = block_candidates(page(*(("p", "x") for _ in range(3000))))
    assert len(feature_rows(many)) == 3001


def test_the_usual_threshold_lies_between_the_extremes():
    assert 0 < threshold(1.0) < threshold(0.5) < threshold(0.0) < 1


def test_vips_divides_a_page_until_text_stands_alone():
    drawn = page(("div", ("p", "One ", ("b", "bold")), ("p", "Two")), ("ul", ("li", "Three")))
    blocks = [drawn.nodes[number].tag for number in vips_blocks(drawn)]
    assert blocks == ["p", "p", "li"]


def test_boosted_trees_learn_what_can_be_told():
    chance = np.random.default_rng(1)
    rows = chance.uniform(size=(600, 4))
    answers = (rows[:, 0] > 0.5) ^ (rows[:, 2] > 0.3)
    learned = train(rows, answers, Growth(rounds=30))
    fresh = chance.uniform(size=(300, 4))
    expected = (fresh[:, 0] > 0.5) ^ (fresh[:, 2] > 0.3)
    assert ((learned.probabilities(fresh) > 0.5) == expected).mean() > 0.9


def test_rows_that_all_have_one_answer_give_that_answer():
    rows = np.zeros((30, 2))
    assert (train(rows, np.full(30, fill_value=True)).probabilities(rows) > 0.99).all()
    assert (train(rows, np.full(30, fill_value=False)).probabilities(rows) < 0.01).all()


def test_training_without_scikit_learn_names_the_command_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.ensemble", None)
    with pytest.raises(MissingExtra, match=r"pip install 'sitewright\[evaluate\]'"):
        train(np.array([[0.0], [1.0]]), np.array([False, True]))


@given(st.integers(0, 5))
def test_what_was_learned_is_the_same_each_time_and_can_be_saved(seed):
    rows = np.random.default_rng(seed).uniform(size=(80, 3)).round(2)
    answers = rows[:, 0] > 0.4
    learned = train(rows, answers, Growth(rounds=5, least_rows=5))
    assert learned == train(rows, answers, Growth(rounds=5, least_rows=5))
    saved = formats.parse(formats.dump(learned).encode(), Ensemble, "saved")
    assert saved.probabilities(rows) == pytest.approx(learned.probabilities(rows), abs=1e-3)
