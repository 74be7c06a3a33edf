"""Visual blocks on real pages, a sample of them; the whole is `sitewright evaluate`."""

import asyncio

import pytest

from sitewright.errors import MissingBrowser, MissingExtra
from sitewright.evaluate.segmentation import (
    SegmentationResult,
    marked_pages,
    measures,
    score_blocks,
    trial,
)
from sitewright.site.browser import Browser
from sitewright.visual import segment

SAMPLE = 4


@pytest.fixture(scope="module")
def trials(unpacked):
    folder = unpacked("kreuzer-random.tar.xz") / "kreuzer-random"

    async def render():
        async with Browser() as browser:
            pages = list(marked_pages(folder))
            return [await trial(page, folder, browser) for page in pages[:: len(pages) // SAMPLE]]

    try:
        return asyncio.run(render())
    except (MissingExtra, MissingBrowser) as missing:
        pytest.skip(f"no browser: {missing}")


def test_saved_pages_of_the_wild_are_rendered_and_cut_into_blocks(trials):
    assert all(isinstance(each, SegmentationResult) for each in trials)
    scores = [
        score_blocks(each.rendering, [block.node for block in segment(each.rendering)], each.marks)
        for each in trials
    ]
    # The judge that comes with the package has seen these pages: it must do well on them.
    assert measures("default", scores)["exact_f"] > 0.5
