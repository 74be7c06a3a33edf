"""From a site and its wrappers to tables: every page is a record, rejected, or sent on."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from sitewright import formats
from sitewright.errors import InputNotFound, InvalidInput, SitewrightError, UnreadableInput
from sitewright.export.class_tables import chosen_classes, extract_site
from sitewright.export.folder import read_model, read_wrappers, write_model
from sitewright.extraction import parallel
from sitewright.extraction.page_results import ExtractionJob, PageExtractor
from sitewright.page import Document
from sitewright.page.page_index import select, text_of
from sitewright.site import Page, open_site
from sitewright.site.folder import MAX_FILE
from sitewright.site.warc_writer import WarcWriter
from sitewright.wrapper import Field, RecordSet, Rule, Wrapper
from sitewright.wrapper.values.types import FieldType
from tests.export.shop_site import (
    ITEMS,
    discover_shop,
    item_wrapper,
    page,
    write_shop,
    write_wrapper,
)


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shop")
    discover_shop(write_shop(folder / "site"), folder / "out")
    return folder


@pytest.fixture
def site(shop, tmp_path):
    return shutil.copytree(shop / "site", tmp_path / "site")


@pytest.fixture
def out(shop, tmp_path):
    return shutil.copytree(shop / "out", tmp_path / "out")


def extracted(out, site, *names, workers=1):
    model = read_model(out)
    wrappers = read_wrappers(out, model)
    job = ExtractionJob(model, wrappers, chosen_classes(names, model, wrappers), workers=workers)
    return asyncio.run(extract_site(out, open_site(str(site)), job))


def records(out, name, file="table.jsonl"):
    return [json.loads(line) for line in (out / "classes" / name / file).read_text().splitlines()]


def reasons(out):
    lines = map(json.loads, (out / "rejected.jsonl").read_text().splitlines())
    return {line["url"].removeprefix("http://folder.invalid/"): line for line in lines}


def test_a_page_is_a_record_of_its_class_with_typed_values(out, site):
    summary = extracted(out, site)
    found = {record["_url"]: record for record in records(out, "item")}
    assert len(found) == summary.extracted["item"] == ITEMS
    assert found["http://folder.invalid/item/7.html"] == {
        "_url": "http://folder.invalid/item/7.html",
        "name": "Article 7",
        "price": 7.5,
        "size": 7,
        "size_raw": "7 cm",
        "_doubtful": None,
        "_fetched": None,
        "_key": "/item/7.html",
        "_confidence": 1.0,
    }
    assert found["http://folder.invalid/item/8.html"]["size"] is None


def test_a_row_of_a_list_is_a_record_with_what_its_page_says(out, site):
    summary = extracted(out, site)
    rows = records(out, "shelf")
    assert summary.records["shelf"] == len(rows) == 45
    assert rows[0] == {
        "_url": "http://folder.invalid/shelf/0.html",
        "name": "Shelf 0",
        "link": "http://folder.invalid/item/0.html",
        "text": "item/0.html",
        "_doubtful": None,
        "_fetched": None,
        "_key": "/shelf/0.html#1",
        "_confidence": 1.0,
    }
    assert len({row["_key"] for row in rows}) == len(rows)


def test_a_record_of_an_archive_tells_when_its_page_was_fetched(out, site, tmp_path):
    then = datetime(2025, 3, 9, 12, 30, tzinfo=UTC)
    with contextlib.closing(WarcWriter(tmp_path / "site.warc.gz")) as archive:
        for file in sorted(site.rglob("*.html")):
            url = f"http://folder.invalid/{file.relative_to(site).as_posix()}"
            html = [("Content-Type", "text/html")]
            archive.write_response(url, 200, html, file.read_bytes(), date=then)
    archived = open_site(str(tmp_path / "site.warc.gz"))
    model = read_model(out)
    job = ExtractionJob(model, read_wrappers(out, model), workers=1)
    asyncio.run(extract_site(out, archived, job))
    asyncio.run(archived.aclose())
    assert {one["_fetched"] for one in records(out, "item")} == {"2025-03-09T12:30:00Z"}


def test_on_request_every_value_has_its_selector_and_its_place(out, site):
    model = read_model(out)
    job = ExtractionJob(model, read_wrappers(out, model), workers=1, provenance=True)
    asyncio.run(extract_site(out, open_site(str(site)), job))
    places = records(out, "item", "provenance.jsonl")
    (name,) = [
        one for one in places if one["_url"].endswith("/item/7.html") and one["field"] == "name"
    ]
    assert name["text"] == "Article 7"
    assert name["xpath"] == job.wrappers["item"].fields[0].rule.xpath
    page_of_it = Document((site / "item/7.html").read_bytes())
    (element,) = select(page_of_it.tree, name["place"])
    assert text_of(element) == "Article 7"
    extracted(out, site)
    assert not (out / "classes/item/provenance.jsonl").exists()


def test_every_table_has_its_three_forms(out, site):
    extracted(out, site)
    names = {path.name for path in (out / "classes" / "item").iterdir()}
    assert names == {"wrapper.json", "tables.json", "table.jsonl", "table.csv", "table.parquet"}


def test_each_page_that_does_not_fit_is_rejected_with_the_reason(out, site):
    (site / "item/5.html").write_text(page("item", "", ["shelf/0.html"]))
    (site / "strange.html").write_text("<x><y><z>".join("abc"))
    with (site / "huge.html").open("wb") as file:
        file.write(b"<p>")
        file.truncate(MAX_FILE + 1)
    extracted(out, site)
    told = reasons(out)
    assert told["item/5.html"]["reason"].startswith("only 0 of 2 required fields")
    assert told["item/5.html"]["class"] == "item"
    assert told["talk/1.html"] == {
        "url": "http://folder.invalid/talk/1.html",
        "class": "talk",
        "reason": "the class has no wrapper",
    }
    assert told["huge.html"]["reason"] == "too large"
    assert told["index.html"]["class"] == "home"
    assert "item/5.html" not in str(records(out, "item"))


def test_every_page_is_extracted_rejected_or_sent_on(out, site):
    summary = extracted(out, site)
    assert summary.redirects == 1
    assert "old/1.html" not in reasons(out)
    counted = summary.extracted.total() + summary.rejected.total() + summary.redirects
    assert summary.pages == counted == len(list(site.rglob("*.html")))
    assert len(reasons(out)) == summary.rejected.total() == 61


def test_a_page_that_no_class_fits_is_rejected_whatever_class_is_wanted(out, site):
    """Nobody knows what it is, so it may be one of those that are wanted."""
    (site / "x/y/z").mkdir(parents=True)
    (site / "x/y/z/odd.html").write_text("<main><q><w><e>x")
    model = read_model(out)
    plain = [one for one in model.classes if one.name in {"item", "talk"}]
    write_model(out, replace(model, classes=tuple(plain)))
    write_wrapper(out, item_wrapper())
    for names in ((), ("item",)):
        extracted(out, site, *names)
        told = reasons(out)["x/y/z/odd.html"]
        assert (told["class"], told["reason"]) == (None, "no class fits")


def test_some_classes_can_be_chosen_and_the_tables_of_the_others_stay(out, site):
    extracted(out, site)
    before = (out / "classes/shelf/table.jsonl").stat()
    summary = extracted(out, site, "item")
    assert [one.page_class for one in summary.of_classes()] == ["item"]
    assert summary.other_classes == 66
    assert summary.rejected.total() == 0
    assert (out / "classes/shelf/table.jsonl").stat() == before


def test_the_number_of_workers_changes_no_byte(out, site, tmp_path, monkeypatch):
    monkeypatch.setattr(parallel, "CHUNK_PAGES", 7)
    written = []
    for workers in (1, 2):
        extracted(out, site, workers=workers)
        files = [path for path in out.rglob("*") if path.is_file()]
        written.append({path: path.read_bytes() for path in sorted(files)})
    assert len(written[0]) == 12
    assert written[0] == written[1]


def test_processes_start_by_themselves_when_there_are_enough_pages(out, site, monkeypatch):
    extracted(out, site)
    alone = (out / "classes/item/table.jsonl").read_bytes()
    monkeypatch.setattr(parallel, "CHUNK_PAGES", 10)
    monkeypatch.setattr(parallel, "ALONE_SECONDS", 1e-3)
    monkeypatch.setattr(parallel, "cores", lambda: 2)
    summary = extracted(out, site, workers=None)
    assert summary.pages == 107
    assert (out / "classes/item/table.jsonl").read_bytes() == alone


def test_a_worker_that_dies_is_told_in_one_line_and_old_tables_stay(out, site, monkeypatch):
    extracted(out, site)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    monkeypatch.setattr(parallel, "_extract_chunk", _die)
    with pytest.raises(SitewrightError, match="--workers 1"):
        extracted(out, site, workers=2)
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def _die(_):
    os.kill(os.getpid(), signal.SIGKILL)


def test_pages_are_read_no_further_than_the_workers_can_follow(out, monkeypatch):
    monkeypatch.setattr(parallel, "CHUNK_PAGES", 1)
    model = read_model(out)
    job = ExtractionJob(model, read_wrappers(out, model), workers=2)
    given = []

    def pages():
        for number in range(100):
            given.append(number)
            yield Page(f"http://x.example/{number}", b"x")

    async def first():
        results = parallel.extract_parallel(pages(), job)
        await anext(results)
        await results.aclose()

    asyncio.run(first())
    assert len(given) <= 6


def test_memory_does_not_grow_with_the_paths_of_strange_pages(out, monkeypatch):
    monkeypatch.setattr("sitewright.extraction.page_results.MOST_PATHS", 5000)
    model = read_model(out)
    judge = PageExtractor(ExtractionJob(model, {}))
    for number in range(60):
        tags = "".join(f"<b{number}-{one}>" for one in range(200))
        judge.of_page(Page(f"http://x.example/{number}", tags.encode()))
    assert len(judge.classifier.vocabulary) < 6000


def test_an_old_table_stays_whole_when_the_site_breaks_off(out, site, monkeypatch):
    extracted(out, site)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    monkeypatch.setattr(PageExtractor, "of_page", _interrupt)
    with pytest.raises(KeyboardInterrupt):
        extracted(out, site)
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def _interrupt(*_):
    raise KeyboardInterrupt


def test_a_class_without_a_page_has_an_empty_table(out, site):
    for path in (site / "item").iterdir():
        path.unlink()
    extracted(out, site)
    assert records(out, "item") == []


def test_a_site_whose_pages_mostly_do_not_fit_has_changed(out, site):
    assert not extracted(out, site).has_changed
    for path in (site / "item").iterdir():
        path.write_text(path.read_text().replace("<h1", "<h2").replace("price", "cost"))
    summary = extracted(out, site)
    assert summary.has_changed
    assert records(out, "shelf")


def test_few_pages_do_not_tell_that_a_site_has_changed(out, tmp_path):
    (tmp_path / "few").mkdir()
    for number in range(9):
        (tmp_path / "few" / f"{number}.html").write_text("<i><b><u>")
    assert not extracted(out, tmp_path / "few").has_changed


@pytest.mark.parametrize("name", ["../evil", "..", ".", "/tmp/evil", "a/b", "", "a\0b"])
def test_the_name_of_a_class_leads_nowhere_else(out, tmp_path, name):
    model = read_model(out)
    odd = replace(model, classes=(replace(model.classes[0], name=name), *model.classes[1:]))
    (tmp_path / "evil").mkdir()
    for known in ("item", "shelf"):
        path = out / "classes" / known / "wrapper.json"
        formats.write(path, formats.read(path, Wrapper), model=formats.identity(odd))
    for where in (tmp_path / "evil", out, out / "classes"):
        (where / "wrapper.json").write_text((out / "classes/item/wrapper.json").read_text())
    assert set(read_wrappers(out, odd)) == {"item", "shelf"}


def test_names_from_pages_are_columns_and_never_paths_or_commands(out, site):
    hostile = ['a"; DROP TABLE x; --', "../../up", "$(id)", "=1+1", "a,b", "schön"]
    fields = tuple(Field(name, Rule.parse("//h1"), FieldType()) for name in hostile)
    sets = (RecordSet("../../../rows'", Rule.parse("//li"), fields),)
    write_wrapper(out, Wrapper("item", fields, sets))
    before = set(out.parent.iterdir())
    extracted(out, site)
    record = records(out, "item")[0]
    assert set(hostile) < set(record)
    assert record["../../../rows'"] == [] or record["../../../rows'"][0].keys() == set(hostile)
    assert set(out.parent.iterdir()) == before
    assert {path.parent.name for path in out.rglob("*.jsonl")} == {"item", "shelf", "out"}


def test_a_folder_without_wrappers_says_what_makes_them(out):
    for path in out.rglob("wrapper.json"):
        path.unlink()
    with pytest.raises(InputNotFound, match="make them with: sitewright run"):
        read_wrappers(out, read_model(out))


def test_a_class_that_is_not_there_or_has_no_wrapper_is_named_with_those_that_are(out):
    model = read_model(out)
    wrappers = read_wrappers(out, model)
    with pytest.raises(InvalidInput, match=r"player: no such class; there are .*item"):
        chosen_classes(["player"], model, wrappers)
    with pytest.raises(InvalidInput, match="talk: has no wrapper; these have: item, shelf"):
        chosen_classes(["talk"], model, wrappers)


@pytest.mark.parametrize(
    "change",
    [
        {"page_class": "shelf"},
        {"fields": (Field("a", Rule.parse("//h1", "("), FieldType()),)},
        {"fields": (Field("a", Rule.parse("//h1"), FieldType()),) * 2},
    ],
    ids=["of another class", "bad pattern", "one name twice"],
)
def test_a_wrapper_that_cannot_be_applied_is_refused_before_any_page_is_read(out, change):
    changed = replace(item_wrapper(), **change)
    path = out / "classes/item/wrapper.json"
    write_wrapper(out, changed)
    path.write_bytes((out / "classes" / changed.page_class / "wrapper.json").read_bytes())
    with pytest.raises(UnreadableInput, match=r"item.wrapper\.json: "):
        read_wrappers(out, read_model(out))


def test_a_wrapper_with_what_is_no_xpath_is_refused(out):
    path = out / "classes/item/wrapper.json"
    path.write_text(path.read_text().replace('"//h1"', '"//h1["'))
    with pytest.raises(UnreadableInput, match=r"item.wrapper\.json: .*not an XPath expression"):
        read_wrappers(out, read_model(out))


def test_progress_is_told_while_pages_come(out, site, monkeypatch):
    monkeypatch.setattr(parallel, "CHUNK_PAGES", 25)
    model = read_model(out)
    job = ExtractionJob(model, read_wrappers(out, model), workers=1)
    told = []
    asyncio.run(
        extract_site(out, open_site(str(site)), job, lambda summary: told.append(summary.pages))
    )
    assert told == [25, 50, 75, 100, 107]
