"""Names from links: what an address says of the thing it leads to, or what the menu calls it."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urljoin

from sitewright.classes.naming import singular
from sitewright.page.page_index import text_of
from sitewright.page.parser import Element
from sitewright.page.url import folder_url, split_url
from sitewright.settings import current
from sitewright.wrapper.naming.names import slug

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from urllib.parse import SplitResult

    from sitewright.wrapper.class_pages import ClassPages
    from sitewright.wrapper.columns import ValueColumn
    from sitewright.wrapper.pages import FlatPage


_NO_FOLDER = frozenset(
    "index page pages list search view show detail details item items node".split()
)
_FOLDER = re.compile(r"[a-z]{3,20}")
_LEAST_ADDRESSES = 2
_LEAST_SINGULAR = 5
"""Letters of a word whose `s` at the end may be that of a plural."""


def name_of_links(view: ClassPages, column: ValueColumn) -> str:
    """What the links around the values of a column lead to; empty if nothing says it."""
    settings = current().wrapper.fields
    links = sorted(links_around(view, column))
    pages = [view.readings[page] for page, _link in links]
    addresses = sorted(
        {_address(page, page.nodes[link]) for page, (_, link) in zip(pages, links, strict=True)}
    )
    if (
        len(addresses) < _LEAST_ADDRESSES
        or len(links) < settings.min_name_agreement * len(column.cells)
        or len({split_url(address).netloc for address in addresses}) > 1
    ):
        return ""
    split = [split_url(address) for address in addresses]
    if len({one.path for one in split}) == 1:
        return _differing_parameter(split)
    return _differing_folder(split) or _called_by_menu(pages, addresses)


def links_around(view: ClassPages, column: ValueColumn) -> set[tuple[int, int]]:
    """The links that the first values of a column stand in: pages and elements."""
    found = (
        (page, _link_around(view.readings[page], places[0]))
        for page, places in column.cells.items()
    )
    return {(page, link) for page, link in found if link >= 0}


def _link_around(reading: FlatPage, place: int) -> int:
    """The link that a leaf stands in; -1 if it is in none."""
    around = reading.ancestry(reading.leaves[place].element)
    return next((up for up in around if reading.tags[up] == "a"), -1)


def _address(reading: FlatPage, link: Element) -> str:
    """What a link leads to: `index.html` is in the folder of its page, which may say more."""
    written = link.attr("href") or ""
    try:
        return written if written[:1] in {"", "#", "?"} else urljoin(reading.url, written)
    except ValueError:
        return written


def _differing_folder(addresses: Sequence[SplitResult]) -> str:
    """The last folder before what differs."""
    name = ""
    for folders in zip(*(one.path.strip("/").split("/") for one in addresses), strict=False):
        if len(set(folders)) > 1:
            break
        name = _telling_folder(folders[0]) or name
    return _one_of(name)


def _telling_folder(folder: str) -> str:
    folder = folder.lower()
    return folder if _FOLDER.fullmatch(folder) and folder not in _NO_FOLDER else ""


def _one_of(name: str) -> str:
    return singular(name) if len(name) >= _LEAST_SINGULAR else name


# Parameters: `?team=3` is a team, `team.php?id=3` too, and so is `?page=/teams/3.html`.

_NO_PARAMETER = _NO_FOLDER | frozenset("act action content do file key num path site type".split())
"""Parameters that any program has."""
_SCRIPT_VERBS = frozenset("browse display get list open read show view".split())
_WORD = re.compile(r"[a-z]{3,}")


def _differing_parameter(addresses: Sequence[SplitResult]) -> str:
    """The only parameter that differs, or what its values or the program say of it."""
    queries = [dict(parse_qsl(one.query)) for one in addresses]
    keys = set.intersection(*(set(query) for query in queries))
    varied = [key for key in keys if len({query[key] for query in queries}) > 1]
    if len(varied) != 1:
        return ""
    name = slug(re.sub(r"_?(?:id|no)$", "", varied[0].lower()))
    if _WORD.search(name) and name not in _NO_PARAMETER:
        return name
    values = [split_url(query[varied[0]]) for query in queries]
    inside = _differing_folder(values) if all("/" in value.path for value in values) else ""
    return inside or _script_name(addresses[0].path) or name


def _script_name(path: str) -> str:
    """What the program at an address shows: teams, in `/nba-teams.aspx`."""
    stem, _dot, ending = path.rpartition("/")[2].lower().partition(".")
    words = [word for word in re.findall(r"[a-z]+", stem) if word not in _SCRIPT_VERBS]
    last = words[-1] if words and ending else ""
    return _one_of(last) if _telling_folder(last) else ""


# The menu: where all pages have a link to the folder of some addresses, its text says what they
# are: `/e/21.html` is one of the companies that `/e/` lists.

_MENU_PAGES = 4
"""Pages that the link is sought on: a menu is the same on all."""
_MOST_MENU_WORDS = 2


def _called_by_menu(readings: Sequence[FlatPage], addresses: Sequence[str]) -> str:
    folders = {address.rpartition("/")[0] for address in addresses if "/" in address}
    if len(folders) != 1:
        return ""
    folder = f"{folders.pop()}/"
    if not split_url(folder).path.strip("/"):
        return ""  # all of the site
    pages = list({one.url: one for one in readings}.values())[:_MENU_PAGES]
    said: Counter[str] = Counter()
    for reading in pages:
        said.update({text for text in _texts_of_links(reading, folder) if slug(text)})
    text, count = said.most_common(1)[0] if said else ("", 0)
    is_menu = count == len(pages) >= _LEAST_ADDRESSES
    words = text.split()
    is_name = all(map(str.isalpha, words)) and len(words) <= _MOST_MENU_WORDS
    return _one_of(slug(text)) if is_menu and is_name else ""


def _root(reading: FlatPage) -> Element:
    """The outermost element of the page, of which a reading may be a part."""
    root = reading.nodes[0]
    while isinstance(root.parent, Element):
        root = root.parent
    return root


def _texts_of_links(reading: FlatPage, folder: str) -> Iterator[str]:
    """What the links of a page to a folder say."""
    links = islice(_root(reading).iter_elements(("a",)), _MOST_LINKS)
    for link in links:
        address = _address(reading, link).partition("#")[0]
        if folder_url(address) in {folder, folder[:-1]}:
            yield " ".join(text_of(link).split())


_MOST_LINKS = 400
