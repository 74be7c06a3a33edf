"""Real pages through the foundation: nothing raises, both ways agree, links resolve."""

import asyncio
from itertools import islice

import pytest

from sitewright.crawl.waves import breadth_first
from sitewright.page import Document, PathVocabulary, Tokeniser, link_collections, node_schema
from sitewright.page.tokens import walk
from sitewright.site import Missing, open_site

ARCHIVES = {
    "mit-shakespeare.tar.xz": 40,
    "flink-web-html.tar.xz": 20,
    "swde-dev.tar.xz": 25,
    "templates/sites.tar.xz": 15,
}


@pytest.mark.parametrize(("name", "step"), ARCHIVES.items())
def test_both_ways_to_the_tokens_agree_on_real_pages(unpacked, name, step):
    files = sorted(path for path in unpacked(name).rglob("*.htm*") if path.is_file())
    assert len(files) > 400
    tokeniser, paths = Tokeniser(), PathVocabulary()
    for path in islice(files, 0, None, step):
        document = Document(path.read_bytes(), "http://real.example/")
        sequence = tokeniser.sequence(document)
        plain = list(walk(document.tree))
        assert sequence.tokens(tokeniser.vocabulary) == [token for token, _ in plain], path
        assert sequence.nodes.tolist() == [node for _, node in plain], path
        linked = {collection.path for collection in link_collections(document, paths)}
        assert linked <= set(node_schema(document, paths).paths.tolist()), path


def visited(where, **options):
    async def collect():
        return [visit async for visit in breadth_first(open_site(where, **options))]

    visits = asyncio.run(collect())
    missing = [visit for visit in visits if isinstance(visit, Missing)]
    return len(visits) - len(missing), len(missing)


def test_a_site_written_by_hand_is_found_whole(unpacked):
    """Of 1,212 pages 991 can be reached by links; the others are older copies."""
    folder = unpacked("mit-shakespeare.tar.xz") / "mit-shakespeare"
    found, missing = visited(str(folder), base_url="http://shakespeare.mit.edu/Shakespeare/")
    assert found > 950
    assert missing < 100


def test_a_generated_site_is_found_from_its_home_page(unpacked):
    folder = unpacked("flink-web-html.tar.xz") / "flink-web" / "content"
    found, missing = visited(str(folder), base_url="https://flink.apache.org/")
    assert found > 300
    assert missing < found
