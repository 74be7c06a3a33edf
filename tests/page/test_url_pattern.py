"""URL patterns: what is learnt from URLs matches these URLs."""

from hypothesis import example, given
from hypothesis import strategies as st

from sitewright.page.url_pattern import learn_url_pattern

HOST = "http://example.org"
names = st.text(alphabet="ab1-_.~%?=&é ", max_size=6)
paths = st.lists(names, max_size=4).map(lambda parts: "/" + "/".join(parts))


# Nearly all URLs decide a piece: of so few, all of them.
@given(st.lists(paths, min_size=1, max_size=9))
@example(["/", "//"])
@example(["//", "//a"])
@example(["/a/", "/a//b"])
@example(["/a/1", "/a//b/1", "/1"])
def test_a_pattern_matches_the_urls_that_it_was_learnt_from(paths):
    urls = [HOST + path for path in paths]
    pattern = learn_url_pattern(urls)
    assert [url for url in urls if not pattern.matches(url)] == []


def test_empty_folders_are_part_of_a_path():
    pattern = learn_url_pattern([f"{HOST}/", f"{HOST}//"])
    assert pattern.template == "/{path}/"
    assert pattern.matches(f"{HOST}/any/folder/")
    assert not pattern.matches(f"{HOST}/file")
