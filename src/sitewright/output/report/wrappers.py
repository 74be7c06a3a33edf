"""The report's section on wrappers: the fields of each class, and a page with them marked."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from sitewright.output.field_marks import page_with_fields
from sitewright.output.harmless import MAX_PAGE, sandboxed
from sitewright.output.report.frame import Section
from sitewright.output.templates import spread_sample

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitewright.html import Document
    from sitewright.wrapper import Dropped, Field, RecordSet, Rule, Wrapper

_LOOKED_AT = 7
"""Of so many pages the one with the most fields is shown."""
_SAMPLES = 3
_SAMPLE_LENGTH = 48
_SHOWN_DROPPED = 100
_STYLE = """<style>
.wrapper { border-bottom: 1px solid var(--line); padding: .3rem 0; }
.wrapper[open] { padding-bottom: 1.5rem; } .wrapper h4 { margin: 1.2rem 0 .2rem; }
.wrapper summary { cursor: pointer; } .wrapper td { overflow-wrap: anywhere; }
.wrapper td:last-child { max-width: 13rem; } .wrapper td > details { margin: 0; }
.wrapper td:nth-child(-n+2), .wrapper .n { overflow-wrap: normal; }
.wrapper td summary { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.wrapper .mark { font-size: .75rem; border: 1px solid; border-radius: 3px; padding: 0 .3rem;
  white-space: nowrap; color: var(--accent); }
.wrapper .sample + .sample::before { content: " \\B7  "; color: var(--soft); }
</style>
"""
_LEAD = (
    '<p class="soft">Coverage: the share of pages (or records) that have a value. Confidence: how '
    "sure it is that the values are one attribute. Stability: the share of pages on which the rule "
    "selects exactly the right node.</p>\n"
)
_HEAD = (
    '<div class="wide"><table><tr><th>field</th><th>type</th><th class="n">coverage</th>'
    '<th class="n">confidence</th><th class="n">stability</th><th>samples</th><th>rule</th></tr>\n'
)


def wrappers_section(
    wrappers: Mapping[str, Wrapper], pages: Mapping[str, Sequence[Document]]
) -> Section:
    """For each class its fields and record sets, what was left out, and a page with marks."""
    classes = "".join(_wrapper(one, pages.get(name, ())) for name, one in wrappers.items())
    return Section("Tables", f"{_STYLE}{_LEAD}{classes}")


def _wrapper(wrapper: Wrapper, pages: Sequence[Document]) -> str:
    sets = "".join(_record_set(one, wrapper) for one in wrapper.record_sets)
    summary = f'<b>{escape(wrapper.page_class)}</b> <span class="soft">{_shape(wrapper)}</span>'
    return (
        f'<details class="wrapper"><summary>{summary}</summary>\n'
        f"{_fields(wrapper.fields, wrapper.key)}{sets}{_picture(wrapper, pages)}"
        f"{_dropped(wrapper.dropped)}</details>\n"
    )


def _shape(wrapper: Wrapper) -> str:
    """What a record is, how many columns there are, and where they come from."""
    if not wrapper.width():
        return f"no fields in {_counted(wrapper.pages, 'page')}"
    record = f"a list of {wrapper.rows}, one record each" if wrapper.rows else "one record a page"
    return escape(
        f"{record}; {_counted(wrapper.width(), 'column')}, "
        f"learnt from {_counted(wrapper.pages, 'page')}"
    )


def _record_set(records: RecordSet, wrapper: Wrapper) -> str:
    rows = f"{records.rows:.1f} a page, on {records.coverage:.0%} of the pages"
    return (
        f'<h4>{escape(records.name)} <span class="soft">{rows}</span></h4>\n'
        f"{_fields(records.fields, wrapper.key)}"
    )


def _fields(fields: Sequence[Field], key: Sequence[str]) -> str:
    rows = "".join(_field(field, is_key=field.name in key) for field in fields)
    return f"{_HEAD}{rows}</table></div>\n" if rows else ""


def _field(field: Field, *, is_key: bool) -> str:
    shares = (field.coverage, field.confidence, field.stability)
    numbers = "".join(f'<td class="n">{share:.0%}</td>' for share in shares)
    return (
        f"<tr><td>{_name(field, is_key=is_key)}</td><td>{escape(_type(field))}</td>{numbers}"
        f"<td>{_samples(field.samples)}</td><td>{_rule(field.rule)}</td></tr>\n"
    )


def _name(field: Field, *, is_key: bool) -> str:
    marks = ["key"] if is_key else []
    marks += [f"→ {field.references}"] if field.references else []
    shown = "".join(f' <span class="mark">{escape(mark)}</span>' for mark in marks)
    source = f' title="named by its {escape(field.named_by)}"' if field.named_by else ""
    return f"<b{source}>{escape(field.name)}</b>{shown}"


def _type(field: Field) -> str:
    unit = f", {field.type.unit}" if field.type.unit else ""
    return f"{'list of ' if field.many else ''}{field.type.kind}{unit}"


def _samples(samples: Sequence[str]) -> str:
    shown = (escape(_short(sample)) for sample in samples[:_SAMPLES])
    return "".join(f'<span class="sample">{sample}</span>' for sample in shown)


def _rule(rule: Rule) -> str:
    """A rule as people read it; unfolded, as it is."""
    pattern = f'<br><code class="soft">{escape(rule.pattern)}</code>' if rule.pattern else ""
    return (
        f"<details><summary><code>{escape(rule.selector.short())}</code></summary>"
        f"<code>{escape(rule.xpath)}</code>{pattern}</details>"
    )


def _dropped(dropped: Sequence[Dropped]) -> str:
    """What was seen and left out, folded."""
    if not dropped:
        return ""
    rows = "".join(
        f"<tr><td>{escape(one.reason)}</td><td>{escape(_short(one.sample))}</td>"
        f"<td><code>{escape(one.xpath)}</code></td></tr>\n"
        for one in dropped[:_SHOWN_DROPPED]
    )
    more = len(dropped) - _SHOWN_DROPPED
    rest = f'<p class="soft">and {more:,} more in wrapper.json</p>' if more > 0 else ""
    return (
        f"<details><summary>{_counted(len(dropped), 'column')} left out</summary>"
        f'<div class="wide"><table><tr><th>why</th><th>sample</th><th>where</th></tr>\n{rows}'
        f"</table></div>{rest}</details>\n"
    )


def _picture(wrapper: Wrapper, pages: Sequence[Document]) -> str:
    """A page with its fields marked, folded."""
    shown = [page for page in spread_sample(pages, _LOOKED_AT) if len(page.body) <= MAX_PAGE]
    if not shown or not wrapper.width():
        return ""
    page = max(shown, key=lambda page: _filled(wrapper, page))
    frame = sandboxed(
        page_with_fields(page, wrapper), f"A page of {wrapper.page_class} with its fields marked"
    )
    summary = f"A page with its fields marked: <code>{escape(page.url)}</code>"
    return f"<details><summary>{summary}</summary>{frame}</details>\n"


def _filled(wrapper: Wrapper, page: Document) -> int:
    """How many fields and record sets a page has."""
    rules = [field.rule for field in wrapper.fields]
    rules += [records.rule for records in wrapper.record_sets]
    return sum(bool(rule.texts(page.index)) for rule in rules)


def _short(text: str) -> str:
    return text if len(text) <= _SAMPLE_LENGTH else text[: _SAMPLE_LENGTH - 1] + "…"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
