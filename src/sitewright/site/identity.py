"""Which URLs are one page, learnt from pages that were read.

Three things make two URLs one page: a redirect, equal bytes, and equal content where the URLs
differ only in what often means nothing: a parameter of the query, the name of an index page, or
what `rel=canonical` says. What a page says of itself is never enough: sites whose every page names
the home page as its canonical one must not lose a page.

What holds for some pairs is a rule for URLs of that kind, which are then not asked for: `sort` on
pages of `/shop/` changes nothing. A few of them are still asked for, and one that disagrees ends
the rule.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin
from zlib import crc32

from sitewright.page.url import canonical, folder_pattern, folder_url, is_index_page
from sitewright.settings import current
from sitewright.site.base import Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sitewright.site.base import Missing, Page


_DIGITS = re.compile(rb"\d+")
_MAX_PARAMETERS = 8
PARAMETER = "parameter"
FILTER = "filter"
VERSION = "version"
"""A first or a last folder: `/print/lamp`, `/lamp/amp/`."""
_ORDER = "parameter order"
_MIRRORED_QUERY = re.compile(r"([^?]*/[^/?@]*?)(%3F|@)([^/=&]+=[^/]*)\Z", re.IGNORECASE)
_HEAD = 1 << 16
_LINK = re.compile(rb"""\b(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_RELATIVE = re.compile(rb"(?![/#]|[a-z][a-z0-9+.-]*:|\Z)", re.IGNORECASE)
_BASE = re.compile(rb"<base\b", re.IGNORECASE)
_CANONICAL_LINK = re.compile(
    rb"<link\b(?=[^>]{0,2000}\brel\s*=\s*[\"']?canonical[\"'\s>])"
    rb"[^>]{0,2000}\bhref\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))",
    re.IGNORECASE,
)


class RuleKind(NamedTuple):
    """What sets some URLs apart from others without meaning another page."""

    kind: str
    """`parameter`, `parameter order`, `index page`, `filter` or `version`."""
    where: str
    """The first folder of the URLs, and how deep they are."""
    name: str
    """The name of the parameter, or of the index page."""


@dataclass(frozen=True, slots=True)
class SameContent:
    """A rule that was learnt: URLs with it show what they show without it."""

    kind: str
    where: str
    name: str
    compared: int
    """Pairs of pages that were compared."""
    left_out: int
    """URLs that were not asked for because of it."""
    values: tuple[str, ...] = ()
    """The values of the parameter that it holds for; none if for all."""

    def __str__(self) -> str:
        what = _written(self.kind, self.name) + " or ".join(self.values)
        return f"{what} on {self.where}: {self.compared} pairs alike, {self.left_out} URLs left out"


def _written(kind: str, name: str) -> str:
    """What a rule is about, as it stands in URLs."""
    if kind == VERSION:
        return f"/{name}/"
    return f"?{name}=" if kind in {PARAMETER, FILTER} else name


@dataclass(slots=True)
class _RuleEvidence:
    agreed: int = 0
    disagreed: int = 0
    values: set[str] = field(default_factory=set)
    """Of the parameter, in URLs whose pages were the same."""
    left_out: set[str] = field(default_factory=set)
    audited: set[str] = field(default_factory=set)

    @property
    def holds(self) -> bool:
        return not self.disagreed and self.agreed >= current().crawl.same_content_pairs

    @property
    def only_values(self) -> tuple[str, ...]:
        """The values of the parameter that it holds for; none if for all.

        Of a few values nothing follows for others: `?page=1` is the list itself, `?page=2` is not.
        """
        is_general = len(self.values) >= current().crawl.same_content_pairs
        return () if is_general else tuple(sorted(self.values))

    def holds_for(self, values: Iterable[str]) -> bool:
        """Whether it holds for these values of the parameter."""
        only = self.only_values
        return self.holds and (not only or set(only).issuperset(values))


class PageIdentity:
    """Gives each page one URL: that under which it was read first.

    `body` reads the bytes of a page that was taken in before; None if they are gone. `is_there`
    says whether the site may have a page at a URL: only there a rule may lead.
    """

    def __init__(
        self,
        body: Callable[[str], bytes | None],
        is_there: Callable[[str], bool] = lambda _: True,
    ) -> None:
        self._body = body
        self._is_there = is_there
        self._digests: dict[str, bytes] = {}
        """Of pages that were compared and whose bytes are gone: what they showed."""
        self.aliases: dict[str, str] = {}
        """URLs that turned out to be other URLs of a page, with the page's own."""
        self._by_bytes: dict[bytes, str] = {}
        self._variants: dict[str, dict[RuleKind, str]] = {}
        """By a URL without one thing: for each such thing the first page that has it."""
        self._declared: dict[str, str] = {}
        """By the URL that pages name as the canonical one: the first page that does."""
        self._evidence: dict[RuleKind, _RuleEvidence] = {}
        self._rules = 0
        """How many rules hold: while there are none, most URLs need no look."""

    def address(self, url: str) -> str:
        """The URL of the page that a URL leads to, as far as is known."""
        known = self.aliases.get(url)
        if known is not None:
            return known
        if not self._rules:
            return url
        found = self._by_rules(url)
        return found if found == url or self._is_there(found) else url

    def moved(self, requested: str, url: str) -> None:
        """Note a redirect."""
        if requested != url:
            self.aliases[requested] = url

    def take(self, page: Page, *, compare: bool = True) -> str:
        """Take in a page that was read; gives the URL of the page that it is.

        That is its own, or the one of an earlier page with the same content. Without `compare`
        only bytes count.
        """
        url = page.url
        if url in self.aliases:
            return self.aliases[url]
        twin = self._with_equal_bytes(page)
        if compare:
            twin = self._compared(page, twin)
        if twin != url:
            self.aliases[url] = twin
        return twin

    def take_passing(self, page: Page, *, compare: bool) -> str:
        """Take in a page whose bytes are not kept: what it shows is, where others may be it."""
        if compare and page.url not in self.aliases:
            self._digests[page.url] = content_digest(page.body, page.url)
        return self.take(page, compare=compare)

    def learned(self) -> Iterator[SameContent]:
        """The rules that hold."""
        for rule, evidence in sorted(self._evidence.items()):
            if evidence.holds and evidence.left_out:
                left_out = len(evidence.left_out)
                yield SameContent(*rule, evidence.agreed, left_out, evidence.only_values)

    def _by_rules(self, url: str) -> str:
        """The URL without what means nothing; a few go on as they are, to see if that still holds.

        Which ones, only the URL decides: a crawl that is repeated asks for the same.
        """
        changed = url
        for rule, _ in _forms(url):
            evidence = self._evidence.get(rule)
            if evidence is None or not evidence.holds_for(_values(url, rule.name)):
                continue
            if url in evidence.audited or (
                len(evidence.audited) < current().crawl.same_content_audits and _chance(url) == 0
            ):
                evidence.audited.add(url)
                return url
            evidence.left_out.add(url)
            changed = _without(changed, rule)
        return self.aliases.get(changed, changed)

    def _with_equal_bytes(self, page: Page) -> str:
        digest = blake2b(page.body, digest_size=16).digest()
        first = self._by_bytes.setdefault(digest, page.url)
        if first == page.url or not page.body:
            return page.url
        return first if _has_same_links(first, page) else page.url

    def _compared(self, page: Page, twin: str) -> str:
        """Compare a page with those whose URLs differ in one thing only.

        And with that which names it, or that it names, as the canonical one, and with the page
        that has no parameters at all.
        """
        url, found = page.url, twin
        for rule, other in list(self._counterparts(url)):
            is_same = other == twin or self._shows_the_same(page, other, rule)
            self._learn(rule, (url, other), is_same=is_same)
            if is_same and found == url:
                found = self.aliases.get(other, other)
        declared = declared_canonical(page)
        if declared is not None and declared != url:
            self._declared.setdefault(declared, url)
        queried = _queried(url)
        bare = None if queried is None else queried.url(())
        for named in filter(None, (declared, self._declared.get(url), bare)):
            if found == url != named and self._shows_the_same(page, named):
                found = self.aliases.get(named, named)
        return found

    def _shows_the_same(self, page: Page, other: str, rule: RuleKind | None = None) -> bool:
        """Whether a page shows what another does; `rule` is what their URLs differ in."""
        if not self._is_read(other):
            return False
        if self._digest(page.url, page.body) == self._digest(other):
            return True
        if rule is None or rule.kind != PARAMETER:
            return False
        kept = self.aliases.get(other, other)  # the bytes of a copy are gone
        visited = _digest_without_visit(self._body(kept) or b"", kept, rule.name)
        return visited is not None and visited == _digest_without_visit(
            page.body, page.url, rule.name
        )

    def _digest(self, url: str, body: bytes | None = None) -> bytes:
        """What a page shows; it is kept for those that were compared."""
        if url not in self._digests:
            self._digests[url] = content_digest(body or self._body(url) or b"", url)
        return self._digests[url]

    def _is_read(self, url: str) -> bool:
        return url in self._digests or self._body(url) is not None

    def _counterparts(self, url: str) -> Iterator[tuple[RuleKind, str]]:
        """Pages that were read whose URLs have one thing less than this one, more, or another."""
        for rule, variant in self._variants.get(url, {}).items():
            if self._is_read(variant):
                yield rule, variant
        for rule, without in _forms(url):
            first = self._variants.setdefault(without, {}).setdefault(rule, url)
            for other in (without, first):
                if other != url and self._is_read(other):
                    yield rule, other
                    break

    def _learn(self, rule: RuleKind, urls: Iterable[str], *, is_same: bool) -> None:
        evidence = self._evidence.setdefault(rule, _RuleEvidence())
        held = evidence.holds
        if is_same:
            evidence.agreed += 1
            evidence.values.update(value for url in urls for value in _values(url, rule.name))
        else:
            evidence.disagreed += 1
        self._rules += evidence.holds - held


class FilterParameters:
    """Finds parameters that only choose among what a page shows: filters, orders, print versions.

    A page is such a view if the page without the parameter was read, if all that it links to or
    shows is known, its own path aside, and if it says next to nothing that no page of its path has
    said. When some pages in a row with a parameter were views, others with it are left out; a few
    are asked for all the same, and one that shows something new ends that. So it is with versions
    that have a folder of their own, before or after the path: `/print/lamp`, `/lamp/amp/`.

    A parameter that a link called 2, or next, counts up turns the pages of a list: its rows are
    wanted even where each of them is known from elsewhere.
    """

    def __init__(self, body: Callable[[str], bytes | None]) -> None:
        self._body = body
        self._read: set[str] = set()
        self._turning: set[RuleKind] = set()
        self._shown: dict[str, _ShownTexts] = {}
        """By path: what its pages have shown so far."""
        self._views: Counter[RuleKind] = Counter()
        """Pages in a row that were views."""
        self._others: Counter[RuleKind] = Counter()
        """Pages that were not."""
        self._audited: dict[RuleKind, set[str]] = {}
        self._left_out: dict[RuleKind, set[str]] = {}

    def learned(self) -> Iterator[SameContent]:
        """The parameters that are left out."""
        for rule, urls in sorted(self._left_out.items()):
            if self._views[rule] >= self._enough(rule):
                kind = FILTER if rule.kind == PARAMETER else rule.kind
                yield SameContent(kind, rule.where, rule.name, self._views[rule], len(urls))

    def note(self, url: str, body: bytes, is_known: Callable[[str], bool]) -> None:
        """Take in a page; `is_known` says whether a link led to a URL before.

        Parameters that mostly lead to something new are content, and cost nothing from then on.
        """
        self._read.add(url)
        self._turning.update(_turning_parameters(url, body))
        if "?" not in url:
            self._note_version(url, body, is_known)
            return
        bases = [(rule, base) for rule, base in _forms(url) if self._is_open(rule)]
        if not bases:
            return
        shown = self._shown.setdefault(url.partition("?")[0], _ShownTexts())
        for _, base in bases:
            shown.add(base, self._body(base), is_known)
        has_new = shown.add(url, body, is_known)
        for rule, base in bases:
            if has_new:
                self._views[rule] = 0
                self._others[rule] += 1
            elif base in shown.urls:
                self._views[rule] += 1

    def _note_version(self, url: str, body: bytes, is_known: Callable[[str], bool]) -> None:
        """Take in a page that may be a version of one that was read."""
        for rule, base in _versions(url):
            if base in self._read and self._is_open(rule):
                shown = _ShownTexts(links={base})
                shown.add(base, self._body(base), is_known)
                if shown.add(url, body, is_known):
                    self._views[rule] = 0
                    self._others[rule] += 1
                else:
                    self._views[rule] += 1

    def note_same(self, url: str) -> None:
        """Take in a URL whose page turned out to be one that was read before."""
        for rule, base in _forms(url) if "?" in url else ():
            if self._is_open(rule) and self._body(base) is not None:
                self._views[rule] += 1

    def note_missing(self, url: str, missing: Missing) -> None:
        """Take in a URL that led to no page of the site: to a cart, or to another site.

        It counts where no page with the parameter had anything new; what is not found, or did
        not answer, says nothing of the others.
        """
        is_away = missing.reason in {Reason.BAD_REDIRECT, Reason.DISALLOWED}
        if not is_away or not missing.detail.startswith("to ") or "?" not in url:
            return
        for rule, _ in _forms(url):
            if self._is_open(rule) and not self._others[rule]:
                self._views[rule] += 1

    def left_out(self, url: str) -> str | None:
        """Say why a URL would show nothing new; None if it may."""
        if not self._views:
            return None
        for rule, base in _forms(url) if "?" in url else _versions(url):
            if rule in self._turning or (rule.kind == VERSION and base not in self._read):
                continue
            least = self._enough(rule)
            if self._views[rule] < least:
                continue
            audited = self._audited.setdefault(rule, set())
            if url in audited or (
                len(audited) < current().crawl.same_content_audits and _chance(url) == 0
            ):
                audited.add(url)
                return None
            self._left_out.setdefault(rule, set()).add(url)
            what = _written(rule.kind, rule.name)
            return f"{least} pages in a row with {what} on {rule.where} show nothing new"
        return None

    def _enough(self, rule: RuleKind) -> int:
        """Views in a row that are enough, for a parameter that showed something new so often.

        A run of five comes by chance where every other page has something new.
        """
        return current().crawl.filter_views + self._others[rule]

    def _is_open(self, rule: RuleKind) -> bool:
        return (
            rule.kind in {PARAMETER, VERSION}
            and rule not in self._turning
            and self._others[rule] < _CONTENT_PAGES + _CONTENT_SHARE * self._views[rule]
        )


@dataclass(slots=True)
class _ShownTexts:
    """What the pages of one path have shown."""

    urls: set[str] = field(default_factory=set)
    texts: set[bytes] = field(default_factory=set)
    links: set[str] = field(default_factory=set)

    def add(self, url: str, body: bytes | None, is_known: Callable[[str], bool]) -> bool:
        """Take in a page; whether it has more than a title of its own, or a link that is new."""
        if body is None or url in self.urls:
            return False
        self.urls.add(url)
        pieces, links = _content(body, url)
        texts = {blake2b(_DIGITS.sub(b"0", one), digest_size=8).digest() for one in pieces}
        has_new = len(texts - self.texts) > _NEW_TEXTS or not all(
            link in self.links or is_known(link) for link in links
        )
        self.texts |= texts
        self.links |= links
        return has_new


def _turning_parameters(url: str, body: bytes) -> Iterator[RuleKind]:
    """The parameters that lead to the next pages of the list that a page shows."""
    for match in _SEQUEL.finditer(body):
        written = (match[1] or match[2]).decode("utf-8", "replace").replace("&amp;", "&")
        try:
            target = canonical(urljoin(url, written)) or ""
        except ValueError:
            continue
        if _plain_path(target) == _plain_path(url):
            for rule, _ in _forms(target):
                values = _values(target, rule.name) if rule.kind == PARAMETER else []
                if any(value.isdecimal() for value in values) and values != _values(url, rule.name):
                    yield rule


_SEQUEL = re.compile(
    rb"""\bhref\s*=\s*["']?([^"'\s<>]+)["']?[^<>]{0,300}>\s{0,20}(?:<\w[^<>]{0,100}>\s{0,20}){0,2}2\s{0,20}<"""
    rb"""|<(?:a|link)\b(?=[^<>]{0,1000}\brel\s*=\s*["']?next\b)[^<>]{0,1000}\bhref\s*=\s*["']?([^"'\s<>]+)""",
    re.IGNORECASE,
)
"""A link called 2, or one that says that it leads to the next page."""
_NEW_TEXTS = 2
"""Texts that a view may have of its own: its title, and how many rows were chosen."""
_CONTENT_PAGES = 40
_CONTENT_SHARE = 4
"""A parameter with so many pages that were no views, and so many times more, is content."""


_ONE_IN = 16
"""Of the URLs that a rule leaves out, one in so many is asked for all the same."""


def _chance(url: str) -> int:
    """A number from 0 on, the same for the same path and query wherever the site is served."""
    return crc32(url.partition("://")[2].partition("/")[2].encode()) % _ONE_IN


def declared_canonical(page: Page) -> str | None:
    """The URL that a page names with `rel=canonical`, in its normal form."""
    found = _CANONICAL_LINK.search(page.body, 0, _HEAD)
    if found is None:
        return None
    written = next(filter(None, found.groups()), b"").decode("utf-8", "replace")
    try:
        return canonical(urljoin(page.url, written.replace("&amp;", "&")))
    except ValueError:
        return None


def content_digest(body: bytes, url: str) -> bytes:
    """A digest of the texts and links of a page, in whatever order they stand.

    Scripts, styles and comments do not count, nor do links from the page to other forms of itself:
    a list sorted by another column has the same rows and the same links, in another order.
    """
    return _digest_of(*_content(body, url))


def _digest_of(texts: Iterable[bytes], links: Iterable[str]) -> bytes:
    digest = blake2b(digest_size=16)
    for part in (*sorted(texts), b"\0", *(one.encode() for one in sorted(links))):
        digest.update(part + b"\n")
    return digest.digest()


_VISIT_PATHS = 3
"""Links to so many paths carry on who visits; one or two may name what the page is about."""


def _digest_without_visit(body: bytes, url: str, name: str) -> bytes | None:
    """A digest of a page without the parameter of its links, if they carry on who visits.

    They do if they have one value of the parameter, which is that of the page's own URL.
    """
    own = _values(url, name)
    texts, links = _content(body, url)
    carrying = {link: values for link in links if (values := _values(link, name))}
    visits = {one for some in carrying.values() for one in some}
    paths = {link.partition("?")[0] for link in carrying}
    if len(visits) != 1 or own not in ([], [*visits]) or len(paths) < _VISIT_PATHS:
        return None
    visit = RuleKind(PARAMETER, "", name)
    return _digest_of(
        texts, {_without(link, visit) if link in carrying else link for link in links}
    )


def _values(url: str, name: str) -> list[str]:
    """The values that a parameter has in a URL."""
    queried = _queried(url)
    pairs = (one.partition("=") for one in (queried.parameters if queried else ()))
    return [value for key, _, value in pairs if key == name]


def _content(body: bytes, url: str) -> tuple[list[bytes], set[str]]:
    """The texts of a page, and what it links to or shows, other forms of itself left out."""
    texts: list[bytes] = []
    links: set[str] = set()
    own = _plain_path(url)
    for piece in shown_html(body).split(b"<"):
        tag, _, text = piece.rpartition(b">")
        texts.append(b" ".join(text.split()))
        if b"=" in tag and tag[:4].lower() != b"link":  # among them the canonical link itself
            links.update(_links_in(tag, url, own))
    return [text for text in texts if text], links


def wording_digest(body: bytes) -> bytes:
    """A digest of what a page says, whatever numbers stand in it and in whatever order."""
    pieces = _DIGITS.sub(b"0", shown_html(body)).split(b"<")
    texts = sorted({b" ".join(piece.rpartition(b">")[2].split()) for piece in pieces})
    return blake2b(b"\n".join(texts), digest_size=16).digest()


def _links_in(tag: bytes, url: str, own: str) -> Iterator[str]:
    """Where a tag leads to, other forms of the page itself left out."""
    for match in _LINK.finditer(tag):
        written = next(filter(None, match.groups()), b"").decode("utf-8", "replace")
        try:
            target = urljoin(url, written.partition("#")[0].replace("&amp;", "&"))
        except ValueError:
            continue
        if _plain_path(target) != own:
            yield canonical(target) or target


def shown_html(body: bytes) -> bytes:
    """A page without its scripts, styles and comments; each byte is looked at a few times."""
    for start, end in ((b"<!--", b"-->"), (b"<script", b"</script"), (b"<style", b"</style")):
        first, *others = re.split(re.escape(start), body, flags=re.IGNORECASE)
        closing = re.compile(re.escape(end), re.IGNORECASE)
        kept = [first]
        for piece in others:
            found = closing.search(piece)
            kept.append(piece[found.end() :] if found else b"")
        body = b"<".join(kept)  # what is left of the closing tag is a tag of its own
    return body


def _has_same_links(first: str, page: Page) -> bool:
    """Whether pages of equal bytes lead to the same pages: relative links depend on the folder."""
    if _folder(first) == _folder(page.url) or _BASE.search(page.body, 0, _HEAD):
        return True
    links = _LINK.finditer(page.body)
    written = (next(filter(None, match.groups()), b"").lstrip() for match in links)
    return not any(map(_RELATIVE.match, written))


def _folder(url: str) -> str:
    return url.partition("?")[0].rpartition("/")[0]


class _Queried(NamedTuple):
    """A URL with parameters; those of a mirror stand in the name of a file: `list.html?sort=x`."""

    path: str
    mark: str
    """What stands before the parameters."""
    parameters: tuple[str, ...]
    ending: str
    """What a mirror adds to such a name, so that it opens as a page."""

    def url(self, parameters: Iterable[str]) -> str:
        """The URL with these parameters instead."""
        query = "&".join(parameters)
        if query:
            return f"{self.path}{self.mark}{query}{self.ending}"
        return self.path if self.path.endswith(self.ending) else self.path + self.ending


def _queried(url: str) -> _Queried | None:
    """A URL taken apart at its parameters; None if it has none."""
    path, mark, query = url.partition("?")
    if mark:
        return _Queried(path, mark, tuple(query.split("&")), "") if query else None
    # Most URLs have no parameters, and the expression would be tried at each of their letters.
    found = _MIRRORED_QUERY.search(url) if "=" in url else None
    if found is None:
        return None
    query, ending, _ = (
        found[3].partition(".html") if found[3].endswith(".html") else (found[3], "", "")
    )
    return _Queried(found[1], found[2], tuple(query.split("&")), ending)


def _plain_path(url: str) -> str:
    """A URL without its parameters, and without what only names of files have."""
    path = url.partition("?")[0]
    queried = _queried(path)
    return folder_url(path if queried is None else queried.path).removesuffix(".html")


def _forms(url: str) -> Iterator[tuple[RuleKind, str]]:
    """What a URL could do without, each with the URL that is left."""
    queried = _queried(url)
    if queried is None:
        if is_index_page(url):
            yield RuleKind("index page", "all folders", url.rpartition("/")[2]), folder_url(url)
        return
    names = dict.fromkeys(one.partition("=")[0] for one in queried.parameters)
    if len(names) > _MAX_PARAMETERS:
        return
    where = folder_pattern(queried.path)
    for name in names:
        rule = RuleKind(PARAMETER, where, name)
        yield rule, _without(url, rule)
    if queried.mark != "?" and len(names) > 1:  # those of a live site are sorted by `canonical`
        rule = RuleKind(_ORDER, where, "the order of parameters")
        yield rule, _without(url, rule)


def _versions(url: str) -> Iterator[tuple[RuleKind, str]]:
    """The pages that a page may be a version of: without its first folder, or its last."""
    root, path = url[: len(url) - len(_path(url))], _path(url)
    folders = path.strip("/").split("/")
    if len(folders) < _VERSION_FOLDERS:
        return
    where, end = folder_pattern(url), "/" if path.endswith("/") else ""
    yield RuleKind(VERSION, where, folders[0]), f"{root}/{'/'.join(folders[1:])}{end}"
    base = f"{root}/{'/'.join(folders[:-1])}"
    for one in (base, base + "/"):
        yield RuleKind(VERSION, where, folders[-1]), one


def _path(url: str) -> str:
    """The path of a URL without a query."""
    return "/" + url.partition("://")[2].partition("/")[2]


_VERSION_FOLDERS = 2
"""A page with one folder or none in its URL is the version of no other."""


def _without(url: str, rule: RuleKind) -> str:
    """A URL without the parameter or the index page of a rule."""
    queried = _queried(url)
    if queried is None:
        return folder_url(url)
    if rule.kind == _ORDER:
        return queried.url(sorted(queried.parameters))
    return queried.url(one for one in queried.parameters if one.partition("=")[0] != rule.name)


def variants(urls: Iterable[str]) -> set[str]:
    """Those of some URLs that may be one page with others of them, by their parameters."""
    found: set[str] = set()
    for url in urls:
        if _queried(url) is not None:
            found.add(url)
            found.update(base for _, base in _forms(url))
    return found
