"""The text of a project's README.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitewright.wrapper.extract import ENOUGH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitewright.output.spider.plan import Plan, SpiderClass
    from sitewright.output.spider.trial_run import TrialRun

_TEXT = """# {package}

A Scrapy project for {home},
made by sitewright from {pages} pages of the site. It needs Scrapy 2.11 or later, and nothing else.

```
pip install scrapy pytest
scrapy crawl site
pytest
```

The crawl writes `records/CLASS.jsonl`, one JSON object a record; `-a home=URL` starts at another
address of the same site. Before you crawl: put an address under which you can be reached into
`{package}/settings.py`. The crawl obeys robots.txt and waits between requests; leave it so.

## What is where

- `{package}/items.py`: what pages of each class hold, and the selectors that find it. A selector
  that broke is mended here.
- `{package}/spiders/site.py`: the addresses of each class, and a rule for each that follows links.
- `{package}/loaders.py` and `{package}/reading/`: how texts become numbers, dates and addresses.
- `tests/`: saved pages, and what the spider must find in them.
- `selectors.jsonl`: on how many of the pages at hand each selector finds the same in Scrapy's tree
  as in a browser's.

A page is read as the first class whose addresses and marks it has, and at least {enough:.0%} of its
required fields; other pages only lead on. Links that fit no class are not followed.

## The classes

{classes}
"Alone" is the share of the pages with such an address that are of the class. "Same" is the share of
the pages at hand from which the spider takes exactly the records that `sitewright extract` takes.
{problems}"""


def readme(plan: Plan, run: TrialRun) -> str:
    """The text of README.md."""
    return _TEXT.format(
        package=plan.package,
        home=_code(plan.home),
        pages=run.pages.total(),
        classes="".join(_table(plan, run)),
        enough=ENOUGH,
        problems="".join(problems(plan, run)),
    )


def _table(plan: Plan, run: TrialRun) -> Iterator[str]:
    yield "| class | addresses | alone | pages at hand | fields | same |\n" + "|---" * 6 + "|\n"
    for one in plan.classes:
        cells = (
            _code(one.name),
            _code(one.url_template),
            f"{one.addresses.precision:.0%}",
            str(one.addresses.pages),
            *_outcome(one, run),
        )
        yield f"| {' | '.join(cells)} |\n"


def _outcome(one: SpiderClass, run: TrialRun) -> tuple[str, str]:
    if one.wrapper is None:
        return "none, leads on", ""
    width = sum(1 for _ in one.wrapper.all_fields())
    pages = run.pages[one.name]
    return str(width), f"{run.same[one.name] / pages:.1%}" if pages else ""


def problems(plan: Plan, run: TrialRun) -> Iterator[str]:
    """What the spider does not do as `sitewright extract` does, as Markdown."""
    left_out = [agreement for one in plan.classes for agreement in one.left_out]
    if left_out:
        yield (
            "\n## Left out\n\nScrapy's parser builds another tree than a browser. These selectors"
            " find something else in it, and no other way\nto write them was found:\n\n"
        )
        for agreement in left_out:
            name = _code(agreement.trial.name)
            yield f"- {name}: the same on {agreement.share:.1%} of {agreement.pages} pages\n"
    if run.taken_for:
        yield "\n## Pages that the spider takes for others\n\n"
        for (own, other), count in sorted(run.taken_for.items()):
            yield f"- {count} of {_class(own)} as {_class(other)}\n"


def _class(name: str) -> str:
    return _code(name) if name else "no class with records"


def _code(text: str) -> str:
    """A text of the site as code: it cannot end the code, the cell or the line."""
    shown = "".join(c if c.isprintable() else "\ufffd" for c in text)
    return "`" + shown.replace("`", "'").replace("|", "\\|") + "`"
