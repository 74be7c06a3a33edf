"""A Scrapy project from a site model and the wrappers of its classes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitewright.formats import json_line, output_folder, write_bytes
from sitewright.output.spider.at_hand import PagesAtHand
from sitewright.output.spider.check import check_selectors
from sitewright.output.spider.copied import copied_modules
from sitewright.output.spider.items import items_source
from sitewright.output.spider.plan import planned
from sitewright.output.spider.readme import readme
from sitewright.output.spider.site_source import settings_source, site_source
from sitewright.output.spider.trial_run import trial_run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from sitewright.classes import SiteModel
    from sitewright.output.spider.check import Agreement, Checked
    from sitewright.output.spider.plan import Plan
    from sitewright.output.spider.trial_run import Sample, TrialRun
    from sitewright.site import Page
    from sitewright.wrapper import Wrapper

_TEST = '''"""The spider's own selectors on saved pages."""

import json
from pathlib import Path

import pytest
from itemadapter import ItemAdapter
from scrapy.http import HtmlResponse

from {package}.spiders.site import SiteSpider

HERE = Path(__file__).parent
SAMPLES = json.loads((HERE / "samples.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample["file"])
def test_a_saved_page_gives_its_records(sample):
    response = HtmlResponse(
        sample["url"],
        headers={{"Content-Type": sample["content_type"]}},
        body=(HERE / "pages" / sample["file"]).read_bytes(),
    )
    callback = getattr(SiteSpider(), sample["callback"])
    assert [ItemAdapter(record).asdict() for record in callback(response)] == sample["records"]
'''
_RUFF = 'line-length = 100\n\n[lint]\nselect = ["E4", "E7", "E9", "F", "I"]\n'


@dataclass(frozen=True, slots=True)
class Project:
    """A project that was made, and how well it does on the pages at hand."""

    plan: Plan
    checked: Checked
    run: TrialRun

    def files(self) -> dict[str, bytes]:
        """Every file of the project by its path."""
        package = self.plan.package
        texts = {
            "scrapy.cfg": f"[settings]\ndefault = {package}.settings\n",
            "pytest.ini": "[pytest]\npythonpath = .\ntestpaths = tests\n",
            "ruff.toml": _RUFF,
            "README.md": readme(self.plan, self.run),
            "selectors.jsonl": "".join(map(_selector_line, self.checked.agreements)),
            "tests/test_selectors.py": _TEST.format(package=package),
            f"{package}/__init__.py": "",
            f"{package}/settings.py": settings_source(self.plan),
            f"{package}/items.py": items_source(
                one for page_class in self.plan.classes if page_class.items
                for one in page_class.items.classes
            ),
            f"{package}/spiders/__init__.py": "",
            f"{package}/spiders/site.py": site_source(self.plan),
            **{f"{package}/{path}": text for path, text in copied_modules().items()},
        }  # fmt: skip
        return {path: text.encode() for path, text in texts.items()} | self._samples()

    def _samples(self) -> dict[str, bytes]:
        identifiers = {one.name: one.identifier for one in self.plan.classes}
        entries, files = [], {}
        for number, sample in enumerate(self.run.samples_in_order, 1):
            identifier = identifiers[sample.page_class]
            name = f"{identifier}-{number}.html"
            files[f"tests/pages/{name}"] = sample.body
            entries.append(_entry(sample, name, f"parse_{identifier}"))
        listed = json.dumps(entries, indent=1) + "\n"
        return {"tests/samples.json": listed.encode(), **files}


def make_project(
    model: SiteModel,
    wrappers: Mapping[str, Wrapper],
    pages: Callable[[], Iterable[Page]],
) -> Project:
    """Check every selector on the pages at hand and plan a project of those that hold.

    `pages` streams the pages at hand, and is called several times.
    """
    at_hand = PagesAtHand(model, wrappers, pages)
    checked = check_selectors(wrappers, at_hand)
    plan = planned(model, checked, at_hand)
    return Project(plan, checked, trial_run(plan.runtime_classes(), checked.ours, at_hand))


def write_project(project: Project, folder: Path) -> None:
    """Write the files of a project; those of an older one are replaced, no other is touched."""
    for path, content in project.files().items():
        output_folder((folder / path).parent)
        write_bytes(folder / path, content)


def _selector_line(agreement: Agreement) -> str:
    return json_line(
        {
            "selector": agreement.trial.name,
            "xpath": agreement.trial.xpath,
            "exported": agreement.is_enough,
            "pages": agreement.pages,
            "same": agreement.agreeing,
        }
    )


def _entry(sample: Sample, file: str, callback: str) -> dict[str, object]:
    return {
        "file": file,
        "url": sample.url,
        "content_type": sample.content_type,
        "callback": callback,
        "records": list(sample.records),
    }
