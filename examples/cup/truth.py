"""The truth about the site, as files: classes, navigation, templates, records, irregularities."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from examples.cup.page import HOME
from examples.cup.records import FIELDS, SHOWN_NAMES, record
from examples.cup.tokens import outline, template_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from examples.cup.page import Page
    from examples.cup.templating import PageTemplate


def truth_files(
    pages: Sequence[Page],
    templates: Mapping[str, PageTemplate],
    topics: Mapping[str, Sequence[str]],
    malformed: Iterable[str],
) -> Iterator[tuple[str, str]]:
    """Write every file of the truth: its path and its text."""
    spoilt = set(malformed)
    yield "page-classes.tsv", _lines(sorted(f"{page.path}\t{page.page_class}" for page in pages))
    yield "skeleton.tsv", _lines(skeleton(pages, topics))
    yield "broken-links.tsv", _lines(sorted(f"{p.path}\t{t}" for p in pages for t in p.broken))
    yield "redirects.tsv", _lines(sorted(f"{p.path}\t{p.leads_to}" for p in pages if p.leads_to))
    yield "malformed.txt", _lines(sorted(spoilt))
    yield (
        "shown-names.tsv",
        _lines(
            f"{name}\t{field}\t{shown}"
            for name, fields in SHOWN_NAMES.items()
            for field, shown in fields.items()
        ),
    )
    yield "orphans.txt", _lines(sorted(page.path for page in pages if page.orphan))
    for name, fields in FIELDS.items():
        members = [page for page in pages if page.page_class == name]
        whole = [page for page in members if page.path not in spoilt]
        yield f"templates/{name}.json", template(templates[name], whole)
        records = ({"_url": page.path, **record(page.view, fields)} for page in members)
        yield f"records/{name}.jsonl", _lines(_json(each) for each in records)


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def template(made_by: PageTemplate, pages: Sequence[Page]) -> str:
    """Write the template of a class: its tokens in document order, each with its support.

    The support is the share of the well-formed pages that have the token from the template.
    """
    found = list(template_tokens(outline(made_by.nodes), [page.view for page in pages]))
    answer = {
        "tokens": [each.token for each in found],
        "support": [round(each.pages / len(pages), 6) for each in found],
        "repeated": [each.repeated for each in found],
    }
    return _json(answer) + "\n"


def skeleton(pages: Sequence[Page], topics: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Write the navigation tree: what is not a link of the tree stands in front, after a #."""
    yield f"# home\t{HOME}"
    for topic, members in topics.items():
        yield f"# group\t{topic}\t{' '.join(members)}"
    yield from _asides(pages)
    children: dict[str, list[Page]] = {}
    for page in pages:
        children.setdefault(page.parent, []).append(page)
    yield from _below(HOME, 1, children)


def _asides(pages: Iterable[Page]) -> Iterator[str]:
    for page in pages:
        if page.continues:
            yield f"# neutral\t{page.path}\tcontinues {page.continues}"
        elif page.leads_to:
            yield f"# neutral\t{page.path}\tleads to {page.leads_to}"
        elif page.orphan:
            yield f"# neutral\t{page.path}\tno page links to it"
        for parent in page.other_parents:
            yield f"# alt\t{page.path}\t{parent}"


def _below(parent: str, level: int, children: Mapping[str, Sequence[Page]]) -> Iterator[str]:
    for page in children.get(parent, ()):
        yield f"{parent}\t{page.path}\t{page.label}\t{level}"
        yield from _below(page.path, level + 1, children)
