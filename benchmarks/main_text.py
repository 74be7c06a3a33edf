"""Main texts of pages whose main text is known: ours and trafilatura in the same run.

The gold text is what the site's generator or CMS put into the element that it has for the content
of a page, which a selector names; of flink-web's posts it is the Markdown that they were made from.
F is over the multiset of words. The template of a site is learnt from 16 of its pages, which are
not scored. What is found is scored with and without the title, and the better counts. The rules
were made while looking at the sites of `LOOKED_AT`; the scores of the others were seen, too.
"""

from __future__ import annotations

import html
import os
import random
import re
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from selectolax.lexbor import LexborHTMLParser

from benchmarks.pages import data_folder, debian_package
from benchmarks.scores import Datasets
from sitewright.methods import distill
from sitewright.page import Document
from sitewright.template import strip
from sitewright.template.article import finished_by_trafilatura, main_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sitewright.template import Template

LEARNT_FROM = 16
TESTED = 40
"""The most pages of a site that are scored."""
_FEWEST_WORDS = 30
"""Pages with less text of their own are no articles."""
_FENCE = re.compile(r"(?m)^\s*(?:```|~~~).*$")
_MARKUP = (
    (re.compile(r"\{\{[<%].*?[%>]\}\}", re.DOTALL), " "),
    (re.compile(r"<!--.*?-->", re.DOTALL), " "),
    (re.compile(r"!\[[^\]]*\]\([^)]*\)"), " "),
    (re.compile(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])"), r"\1"),
    (re.compile(r"(?m)^\[[^\]]+\]:.*$"), " "),
    (re.compile(r"<[^>]+>"), " "),
)


class Article(NamedTuple):
    page: Path
    title: str
    text: str

    def document(self) -> Document:
        return Document(self.page.read_bytes(), f"http://site.invalid/{self.page.name}")


@dataclass(frozen=True, slots=True)
class GoldSite:
    """Where the main text of a site's pages stands."""

    name: str
    content: str
    """The selector of the element that the content was put into."""
    page_class: str = ""
    """The label of the articles, of a site whose pages have labels."""
    without: str = ""
    """What else the theme puts into this element."""


LOOKED_AT = (
    GoldSite("hexo-landscape", ".article-entry", without=".gutter"),
    GoldSite("mkdocs-default", "[role=main]"),
    GoldSite("sphinx-alabaster", "div.body"),
    GoldSite("cms-sites/symscape", ".node-type-story > .content", "node-story"),
    GoldSite("cms-sites/drupalutah-2014", ".field--name-body", "node-session"),
    GoldSite("cms-sites/midcamp-2015", ".field-name-body", "node-news"),
    GoldSite("cms-sites-2/anoninsiders", ".entry-content", "post"),
    GoldSite(
        "cms-sites-2/modextreme", ".tribe-events-single-event-description", "event", ".sharedaddy"
    ),
)
HELD_BACK = (
    GoldSite("honkit-default", "section.normal"),
    GoldSite("mkdocs-readthedocs", "[itemprop=articleBody]"),
    GoldSite("pelican-notmyidea", ".entry-content", without="footer"),
    GoldSite("pelican-simple", "article", without="header, footer"),
    GoldSite("sphinx-python-docs", "div.body"),
    GoldSite("sphinx-rtd", "[itemprop=articleBody]"),
    GoldSite("vitepress-default", "main .vp-doc"),
    GoldSite("cms-sites/shanghai-lectures", ".field-name-body", "node-news-entry"),
    GoldSite("cms-sites/floral-shop", ".et_pb_post_content", "post"),
    GoldSite("cms-sites-2/everbloom", ".field--name-body", "node-article"),
    GoldSite("cms-sites-2/lafuite", ".post-body", "post"),
    GoldSite("cms-sites-2/mbon", ".article-content", "article"),
    GoldSite("cms-sites-2/stefanscherer", ".post-content", "post"),
    GoldSite("python3.11-doc", "div.body"),
)
FLINK = "flink-web"


def articles(site: str, sets: Datasets) -> list[Article]:
    """The pages of a site whose main text is known; none where the site cannot be had."""
    if site == FLINK:
        folder = sets["flink-web-html"]
        return posts(folder / "flink-web") if folder else []
    (known,) = (one for one in (*LOOKED_AT, *HELD_BACK) if one.name == site)
    pages = sorted(_pages(known, sets))
    random.Random(0).shuffle(pages)
    found: dict[str, Article] = {}
    for page in pages:
        article = _article(page, known)
        if words(article.text).total() >= _FEWEST_WORDS:
            found.setdefault(article.text, article)  # one page can have several addresses
        if len(found) == LEARNT_FROM + TESTED:
            break
    return list(found.values())


def _pages(site: GoldSite, sets: Datasets) -> Iterator[Path]:
    if site.page_class:
        archive, name = site.name.split("/")
        folder = sets[archive]
        labels = folder / "labels" / f"{name}.tsv" if folder else None
        for line in labels.read_text(encoding="utf-8").splitlines() if labels else ():
            path, label = line.split("\t")[:2]
            if label == site.page_class:
                yield folder / "sites" / name / path  # type: ignore[operator]
    elif site.name.endswith("-doc"):
        package = debian_package(site.name)
        yield from package.glob("usr/share/doc/python3.11/html/*/*.html") if package else ()
    elif (folder := sets["templates/sites"]) is not None:
        yield from (folder / site.name / "pages").rglob("*.html")


def _article(page: Path, site: GoldSite) -> Article:
    tree = LexborHTMLParser(page.read_bytes())
    heading = tree.css_first("h1")
    title = heading.text() if heading else ""
    texts = []
    for content in tree.css(site.content)[:1]:
        for other in content.css(
            ", ".join(filter(None, ("script, style, noscript", site.without)))
        ):
            other.decompose()
        texts.append(content.text(separator="\n"))
    return Article(page, title, "\n".join(texts))


def posts(folder: Path) -> list[Article]:
    """The posts of flink-web whose Markdown is known."""
    pages: dict[str, list[Path]] = {}
    for page in folder.glob("content/20*/*/*/*/index.html"):
        pages.setdefault("-".join(page.parts[-5:-2]), []).append(page)
    found = []
    for file in sorted((folder / "docs/content/posts").glob("*.md")):
        _, head, body = file.read_text(encoding="utf-8").split("---", 2)
        title = re.search(r'^title:\s*"?(.*?)"?\s*$', head, re.MULTILINE)
        date = re.search(r'date:\s*"?(\d{4}-\d\d-\d\d)', head)
        same_day = pages.get(date[1] if date else "", []) or pages.get(file.name[:10], [])
        named = [page for page in same_day if title and _slug(page.parent.name) == _slug(title[1])]
        if title and (named or len(same_day) == 1):
            found.append(Article((named or same_day)[0], title[1], _plain(body)))
    return found


def _plain(markdown: str) -> str:
    """The words of Markdown; code stays as it is."""
    pieces = _FENCE.split(markdown)
    for place in range(0, len(pieces), 2):
        for pattern, instead in _MARKUP:
            pieces[place] = pattern.sub(instead, pieces[place])
        pieces[place] = html.unescape(pieces[place])
    return "\n".join(pieces)


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", text.lower())


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


def f_of_words(found: Counter[str], true: Counter[str]) -> float:
    return 2 * (found & true).total() / max(1, found.total() + true.total())


class Measured(NamedTuple):
    """A way to the main text on one site."""

    f: float
    lowest: float
    ms: float
    """Processor time of a page, in milliseconds."""


def _trafilatura(page: Document, _template: Template) -> str:
    from trafilatura import extract  # noqa: PLC0415 - an extra

    return extract(page.body, include_comments=False) or ""


WAYS: dict[str, Callable[[Document, Template], str]] = {
    "strip": lambda page, template: strip(page, template).text,
    "strip --main": lambda page, template: main_text(page, template).text,
    "strip --main, no template": lambda page, _: main_text(page).text,
    "strip --main --finish": lambda page, template: (
        finished_by_trafilatura(main_text(page, template)).text
    ),
    "trafilatura": _trafilatura,
}


def measure(known: Sequence[Article], seed: int = 0) -> dict[str, Measured]:
    """Each way on the pages of one site that the template was not learnt from."""
    learnt = random.Random(seed).sample(known, min(LEARNT_FROM, len(known) // 2))
    template = distill([article.document() for article in learnt])
    tested = [article for article in known if article not in learnt]
    return {name: _measured(partial(_with, way, template), tested) for name, way in WAYS.items()}


def _with(way: Callable[[Document, Template], str], template: Template, page: Document) -> str:
    return way(page, template)


def _measured(way: Callable[[Document], str], tested: Sequence[Article]) -> Measured:
    begin = time.process_time()
    found = [words(way(article.document())) for article in tested]
    spent = time.process_time() - begin
    scores = []
    for article, have in zip(tested, found, strict=True):
        true, title = words(article.text), words(article.title)
        goods = (true, true + title, true - title)
        scores.append(max(f_of_words(have, gold) for gold in goods))
    return Measured(fmean(scores), min(scores), 1000 * spent / len(tested))


def main() -> None:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory() as work:
        sets = Datasets(data_folder(), Path(work))
        for part in ((FLINK, *(one.name for one in LOOKED_AT)), [one.name for one in HELD_BACK]):
            found = {name: measure(known) for name in part if (known := articles(name, sets))}
            for name, ways in found.items():
                told = "  ".join(f"{way} {one.f:.3f}" for way, one in ways.items())
                print(f"{name:28} {told}")
            for way in WAYS:
                f = fmean(ways[way].f for ways in found.values())
                ms = fmean(ways[way].ms / ways["trafilatura"].ms for ways in found.values())
                print(f"mean {way:28} F {f:.4f}  {ms:.2f} of trafilatura's time")
