"""Main texts of flink-web's posts against their Markdown: ours and trafilatura in the same run.

The Markdown lies in `docs/` of the site's archive. Its words, without those of the title and of the
front matter, are the gold text; F is over the multiset of words. The template is learnt from 16
posts, which are not scored. What trafilatura finds is scored with and without the title, and the
better counts: it keeps some titles.
"""

from __future__ import annotations

import html
import random
import re
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.scores import Datasets, data_folder
from sitewright.methods import distill
from sitewright.page import Document
from sitewright.template import strip
from sitewright.template.article import finished_by_trafilatura, main_text

if TYPE_CHECKING:
    from collections.abc import Callable

LEARNT_FROM = 16
_FENCE = re.compile(r"(?m)^\s*(?:```|~~~).*$")
_MARKUP = (
    (re.compile(r"\{\{[<%].*?[%>]\}\}", re.DOTALL), " "),
    (re.compile(r"<!--.*?-->", re.DOTALL), " "),
    (re.compile(r"!\[[^\]]*\]\([^)]*\)"), " "),
    (re.compile(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])"), r"\1"),
    (re.compile(r"(?m)^\[[^\]]+\]:.*$"), " "),
    (re.compile(r"<[^>]+>"), " "),
)


class Post(NamedTuple):
    page: Path
    title: str
    text: str

    def document(self) -> Document:
        return Document(
            self.page.read_bytes(), f"https://flink.apache.org/{self.page.parent.name}/"
        )


def posts(folder: Path) -> list[Post]:
    """The posts of the site whose Markdown is known."""
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
            found.append(Post((named or same_day)[0], title[1], _plain(body)))
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


def measure(all_posts: list[Post], seed: int = 0) -> dict[str, dict[str, float]]:
    """For each way to the main text: mean F, the lowest, and milliseconds of processor time."""
    learnt = random.Random(seed).sample(all_posts, LEARNT_FROM)
    template = distill([post.document() for post in learnt])
    tested = [post for post in all_posts if post not in learnt]
    ways: dict[str, Callable[[Document], str]] = {
        "strip": lambda page: strip(page, template).text,
        "strip --main": lambda page: main_text(page, template).text,
        "strip --main, no template": lambda page: main_text(page).text,
    }
    try:
        from trafilatura import extract  # noqa: PLC0415 - an extra
    except ImportError:
        pass
    else:
        ways["strip --main --finish"] = lambda page: (
            finished_by_trafilatura(main_text(page, template)).text
        )
        ways["trafilatura"] = lambda page: extract(page.body, include_comments=False) or ""
    return {name: _measured(way, tested) for name, way in ways.items()}


def _measured(way: Callable[[Document], str], tested: list[Post]) -> dict[str, float]:
    begin = time.process_time()
    found = [words(way(post.document())) for post in tested]
    spent = time.process_time() - begin
    scores = []
    for post, have in zip(tested, found, strict=True):
        true = words(post.text)
        scores.append(max(f_of_words(have, true), f_of_words(have, true + words(post.title))))
    return {
        "f": sum(scores) / len(scores),
        "lowest": min(scores),
        "ms": 1000 * spent / len(tested),
    }


def main() -> None:
    with tempfile.TemporaryDirectory() as work:
        folder = Datasets(data_folder(), Path(work))["flink-web-html"]
        if folder is None:
            return
        found: dict[str, Any] = measure(posts(folder / "flink-web"))
    rival = found.get("trafilatura", {}).get("ms")
    for name, row in found.items():
        ratio = f"  {row['ms'] / rival:.2f} of trafilatura's time" if rival else ""
        print(f"{name:28} F {row['f']:.4f}  lowest {row['lowest']:.3f}{ratio}")
