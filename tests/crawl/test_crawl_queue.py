"""The queue of links: in the order of the definition, and in linear time whatever a site links to.

The definition: the kind of URL that was visited least comes first, of several the first by name.
"""

from time import process_time

from hypothesis import given
from hypothesis import strategies as st

from sitewright.crawl.frontier import BalancedQueue
from sitewright.settings import Settings, using

HOST = "http://site.invalid"


def test_the_cost_of_a_queue_is_linear_in_its_urls():
    """A page of 50,000 links, few of which lead anywhere, is asked for five at a time."""
    queue = BalancedQueue()
    urls = tuple(f"http://x/p{number}" for number in range(50_000))
    before = process_time()
    queue.add(0, [(1, urls)])
    found = []
    while len(queue):
        found += queue.pop(5)
    assert sorted(found) == sorted(urls)
    assert process_time() - before < 5


def test_the_cost_of_a_queue_is_linear_in_the_places_of_its_urls():
    """Each link of a page has a class of its own, so each stands in a place of its own."""
    queue = BalancedQueue()
    urls = [f"http://x/p{number}" for number in range(20_000)]
    before = process_time()
    queue.add(0, [(path, (url,)) for path, url in enumerate(urls)])
    found = []
    while len(queue):
        found += queue.pop(5)
    assert sorted(found) == sorted(urls)
    assert process_time() - before < 5


class DefinedQueue(BalancedQueue):
    """The queue as it is defined: every kind, and every place, is looked at for every wave."""

    def _first_place(self, kind):
        places = self._waiting[kind]
        return min(places, key=lambda place: (self._taken[place], -len(places[place]), place))

    def _first_kind(self):
        return min(self._waiting, key=lambda kind: (self._familiarity(kind), repr(kind)))


WORDS = st.sampled_from(["a", "b", "cd", "x1", "2024", "list", "page-3"])
URLS = st.builds(
    lambda words, query: f"{HOST}/{'/'.join(words)}" + (f"?{query}=1" if query else ""),
    st.lists(WORDS, min_size=1, max_size=4),
    st.sampled_from(["", "id", "q"]),
)
PAGES = st.lists(
    st.tuples(st.integers(0, 3), st.lists(st.tuples(st.integers(0, 2), st.lists(URLS)))),
    min_size=1,
    max_size=8,
)


@given(PAGES, st.integers(1, 5))
def test_urls_come_in_the_order_that_is_defined(pages, size):
    queue, defined = BalancedQueue(), DefinedQueue()
    for number, collections in pages:
        for waiting in (queue, defined):
            waiting.add(number, [(path, tuple(urls)) for path, urls in collections])
        if len(queue):
            assert queue.pop(size) == defined.pop(size)
        known = sum(len(urls) for places in queue._waiting.values() for urls in places.values())
        assert len(queue) == known
    while len(queue):
        assert queue.pop(size) == defined.pop(size)
    assert not defined._waiting


def seconds_to_crawl(links, shape):
    queue = BalancedQueue()
    before = process_time()
    for page in range(20):
        urls = tuple(f"{HOST}/{shape.format(page * links + n)}" for n in range(links))
        queue.add(0, [(0, urls)])
    for _ in range(100):
        queue.pop(5)
        len(queue)
    return process_time() - before


def test_a_site_that_makes_up_a_folder_for_every_link_costs_linear_time():
    small, large = (min(seconds_to_crawl(n, "d{}/a.html") for _ in range(2)) for n in (500, 4000))
    assert large < 8 * 3 * small


def test_the_urls_that_are_remembered_have_a_limit(caplog):
    queue = BalancedQueue()
    with using(Settings.of({"limits.max_waiting_urls": 10})):
        queue.add(0, [(0, tuple(f"{HOST}/{n}" for n in range(25)))])
    assert len(queue) == 10
    assert queue.dropped == 15
    assert caplog.text.count("further ones are left out") == 1


def test_a_known_form_that_is_new_in_a_known_folder_comes_before_more_of_the_same():
    """Articles in the folder of their lists, which are called as teams are."""
    queue = BalancedQueue()
    lists = [f"{HOST}/news/page-{n}.html" for n in range(20)]
    teams = [f"{HOST}/{top}/t{n}/index.html" for top in ("men", "women", "u21") for n in range(40)]
    articles = [f"{HOST}/news/a{n}/index.html" for n in range(40)]
    queue.add(0, [(0, tuple(lists)), (1, tuple(teams))])
    for _ in range(10):
        queue.pop(5)
    queue.add(0, [(2, tuple(articles))])
    assert set(queue.pop(5)) <= set(articles)
