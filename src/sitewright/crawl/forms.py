"""Search forms: pages that no link leads to, found by asking as a reader would.

Only forms that ask with GET, that have at most one field for words and otherwise lists to choose
from. A form is used further if the answers to its first questions differ from each other: the test
of informativeness of Google's crawl of the deep web (Madhavan et al., VLDB 2008, section 4).
"""

from __future__ import annotations

import re
from collections import Counter, deque
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import TYPE_CHECKING
from urllib.parse import quote_plus

from sitewright.settings import current
from sitewright.site.account import FormReport
from sitewright.site.identity import content_digest

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence

    from sitewright.page import Document
    from sitewright.page.parser import Element
    from sitewright.site.base import Page


_WORD_FIELDS = frozenset({"search", "text", ""})
_SILENT_FIELDS = frozenset({"submit", "button", "image", "reset"})
_WORD = re.compile(r"\w{3,20}")
_LONGEST_VALUE = 200
_SECRET = re.compile(r"pass|pwd|login|user|mail|card|token|csrf", re.IGNORECASE)
_ACTS = re.compile(
    r"(?<![a-z])(?:log[-_]?(?:out|off|on)|sign[-_]?(?:in|on|out|up)|register|(?:un)?subscribe|delete"
    r"|remove|vote|checkout)(?![a-z])",
    re.IGNORECASE,
)
"""What a URL says that does more than answer, although nothing should on GET."""


@dataclass(frozen=True, slots=True)
class SearchForm:
    """A form as it stands in a page."""

    action: str
    """The URL that it asks, without a query."""
    fixed: tuple[tuple[str, str], ...]
    """Fields that have one value: hidden ones."""
    words: str | None
    """The field for words, if it has one."""
    choices: tuple[tuple[str, tuple[str, ...]], ...]
    """Fields to choose from, with their values."""

    def url(self, values: dict[str, str]) -> str:
        """The URL of one question."""
        given = {**dict(self.fixed), **values}
        pairs = (f"{quote_plus(name)}={quote_plus(value)}" for name, value in given.items())
        return f"{self.action}?{'&'.join(pairs)}"

    def questions(self, words: Sequence[str]) -> Iterator[str]:
        """The URLs of all questions, one field at a time: the others stay as they are."""
        for name, values in self.choices:
            for value in values:
                yield self.url({name: value})
        if self.words is not None:
            for word in words:
                yield self.url({self.words: word})


def search_forms(document: Document) -> Iterator[SearchForm]:
    """The forms of a page that may be asked."""
    for form in document.tree.iter_elements(("form",)):
        found = _read_form(form, document)
        if found is not None and (found.words is not None or found.choices):
            yield found


def _read_form(form: Element, document: Document) -> SearchForm | None:
    action = _action(form, document)
    if action is None:
        return None
    fixed: list[tuple[str, str]] = []
    words: list[str] = []
    choices: list[tuple[str, tuple[str, ...]]] = []
    for element in form.iter_elements(("input", "select", "textarea")):
        name = (element.attr("name") or "").strip()
        match _kind(element) if name else "silent":
            case "choice":
                choices.append((name, _options(element)))
            case "hidden":
                fixed.append((name, (element.attr("value") or "")[:_LONGEST_VALUE]))
            case "words":
                words.append(name)
            case "other":
                return None  # a password, a file, a date: not for us
    if not _is_harmless(words, [name for name, _ in choices]):
        return None
    return SearchForm(action, tuple(fixed), words[0] if words else None, tuple(choices))


def _action(form: Element, document: Document) -> str | None:
    """The URL that a form asks; None if it asks otherwise than with GET, or for more than pages."""
    if (form.attr("method") or "get").strip().lower() != "get":
        return None
    action = document.resolve(form.attr("action") or document.url.partition("?")[0])
    path = (action or "").partition("://")[2].partition("/")[2]
    if action is None or _SECRET.search(path) or _ACTS.search(path):
        return None
    return action.partition("?")[0]


def _is_harmless(words: list[str], choices: list[str]) -> bool:
    """Whether nothing in a form asks who somebody is."""
    return len(words) <= 1 and not any(map(_SECRET.search, (*words, *choices)))


def _kind(element: Element) -> str:
    """What a named field is for."""
    kind = (element.attr("type") or "").strip().lower()
    if element.tag == "select":
        return "choice"
    if element.tag == "input" and kind == "hidden":
        return "hidden"
    if element.tag == "input" and kind in _WORD_FIELDS:
        return "words"
    return "silent" if kind in _SILENT_FIELDS else "other"


def _options(select: Element) -> tuple[str, ...]:
    values = []
    for option in select.iter_elements(("option",)):
        value = option.attr("value")
        text = " ".join(option.text.split()) if value is None else value
        if text and len(text) <= _LONGEST_VALUE:
            values.append(text)
    return tuple(dict.fromkeys(values))[: current().crawl.max_form_choices]


def words_of(groups: Iterable[Iterable[str]], most: int) -> list[str]:
    """Words to ask for, from the texts of each class: one of each class in turn, its common first.

    What a form searches may be like any of the classes, or like none.
    """
    ranked = []
    for texts in groups:
        seen: Counter[str] = Counter()
        for text in texts:
            seen.update({word.lower() for word in _WORD.findall(text) if not word.isdecimal()})
        ranked.append([word for word, _ in sorted(seen.items(), key=lambda one: (-one[1], one[0]))])
    turns = (word for turn in zip_longest(*ranked) for word in turn if word is not None)
    return list(islice(dict.fromkeys(turns), most))


async def ask_form(
    form: SearchForm,
    words: Sequence[str],
    fetch: Callable[[Sequence[str]], Awaitable[list[Page]]],
    new_links: Callable[[Page], Sequence[str]],
) -> FormReport:
    """Ask a form: some questions first, and more if the answers differ or lead to new pages.

    `new_links` takes an answer and gives the texts of its links to pages that were not known: their
    words are asked for next. It ends when many questions in a row have led to nothing new.
    """
    settings = current().crawl
    digests: set[bytes] = set()
    asked = found = in_vain = 0
    waiting = deque(dict.fromkeys(form.questions(words)))
    given: set[str] = set()
    while waiting and asked < settings.max_form_requests:
        batch = _next(waiting, given, settings.form_probes)
        for page in await fetch(batch):
            asked += 1
            digests.add(content_digest(page.body, form.action))
            texts = new_links(page)
            found += len(texts)
            in_vain = 0 if texts else in_vain + 1
            if form.words is not None:
                more = words_of([texts], settings.max_form_requests)
                waiting.extendleft(form.url({form.words: word}) for word in reversed(more))
        if in_vain >= settings.form_patience or (
            asked >= settings.form_trials * settings.form_probes
            and not _is_informative(digests, asked, found)
        ):
            break
    fields = ([form.words] if form.words else []) + [name for name, _ in form.choices]
    is_informative = _is_informative(digests, asked, found)
    return FormReport(form.action, tuple(fields), asked, len(digests), is_informative, found)


def _is_informative(digests: set[bytes], asked: int, found: int) -> bool:
    return found > 0 or len(digests) > max(1, current().crawl.min_form_answers * asked)


def _next(waiting: deque[str], given: set[str], most: int) -> list[str]:
    """The next questions that were not asked yet."""
    batch: list[str] = []
    while waiting and len(batch) < most:
        url = waiting.popleft()
        if url not in given:
            given.add(url)
            batch.append(url)
    return batch
