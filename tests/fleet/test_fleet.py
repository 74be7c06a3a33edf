"""Many sites from WARC files: what comes out, and that it is the same however it is made."""

from __future__ import annotations

import json
import os
import shutil
import signal
from importlib.util import find_spec

import duckdb
import pytest

from sitewright import load
from sitewright.errors import InvalidInput, MissingExtra, NoPages
from sitewright.fleet import FleetOptions, apply, engines, learn, run_fleet
from sitewright.fleet.apply import SiteReaders
from sitewright.fleet.engines import LocalEngine, make_engine
from sitewright.fleet.job import (
    FleetJob,
    FleetStep,
    GroupBy,
    Task,
    folder_name,
    make_job,
    marker,
    read_job,
)
from sitewright.fleet.run import Shard, done_together
from sitewright.fleet.storage import open_storage
from sitewright.site.base import Page
from sitewright.site.warc_writer import WarcWriter
from tests.fleet.small_fleet import (
    DAY,
    HTML,
    InThisProcess,
    digest,
    product,
    rows,
    write_fleet,
    write_warc,
)


def run(archives, out, **options):
    steps = {name: options.pop(name) for name in ("index", "shard", "steps") if name in options}
    return run_fleet([str(archives)], out, FleetOptions(**options), engine=InThisProcess(), **steps)


@pytest.fixture(scope="module")
def fleet(tmp_path_factory):
    """The archives and the results of a small fleet, with its summary."""
    folder = tmp_path_factory.mktemp("fleet")
    archives = write_fleet(folder / "warcs")
    return archives, folder / "out", run(archives, folder / "out")


def test_every_page_gets_a_row_with_its_class(fleet):
    _, out, summary = fleet
    pages = rows(out, "pages")
    assert len(pages) == 2 * 25 + 3
    assert summary.counts["pages"] == 53
    assert summary.counts["sites"] == 3
    assert summary.counts["learnt"] == 2
    classes = {
        (row["site"], row["url"].split("/")[3]): row["class"]
        for row in pages
        if row["site"] == "a.example"
    }
    assert classes["a.example", "products"] != classes["a.example", "news"] is not None
    assert {row["file"] for row in pages} == {"part-0.warc.gz", "part-1.warc.gz"}


def test_text_is_without_the_template(fleet):
    _, out, _ = fleet
    texts = {row["url"]: row for row in rows(out, "text")}
    text = texts["https://a.example/news/7.html"]
    assert "It rained for 7 hours" in text["text"]
    assert "All about a.example" not in text["text"]
    assert text["by_template"]


def test_records_have_the_values_of_their_pages(fleet):
    _, out, _ = fleet
    found = {row["url"]: json.loads(row["fields"]) for row in rows(out, "records")}
    values = found["https://b.example/products/thing-9.html"]
    assert values["price"] == 9.5
    assert values["weight"] == 900


def test_a_site_with_few_pages_is_read_without_a_model(fleet):
    _, out, _ = fleet
    pages = [row for row in rows(out, "pages") if row["site"] == "small.example"]
    assert {(row["class"], row["problem"]) for row in pages} == {(None, "the site was not learnt")}
    texts = [row for row in rows(out, "text") if row["site"] == "small.example"]
    assert len(texts) == 3
    assert not any(row["by_template"] for row in texts)
    assert not (out / "projects" / "small.example").exists()


def test_sites_and_catalogue_answer_which_sites_have_a_price(fleet):
    _, out, _ = fleet
    (site,) = (row for row in rows(out, "sites") if row["site"] == "a.example")
    assert site["pages"] == 25
    assert site["records"] >= 24
    assert {one["pages"] for one in site["classes"]} >= {12}
    priced = {row["site"] for row in rows(out, "catalogue") if row["field"] == "price"}
    assert priced == {"a.example", "b.example"}


def test_each_site_has_a_project_to_open_wherever_it_lies(fleet, tmp_path):
    _, out, _ = fleet
    project = load(shutil.copytree(out / "projects" / "a.example", tmp_path / "a"))
    assert len(project.model.classes) >= 2
    summary = project.extract(workers=1)
    assert summary.pages == 25


def test_a_page_costs_the_wrapper_of_its_class_and_no_other(fleet, monkeypatch):
    """An archive of a large crawl has one or two pages of each of very many sites."""
    _, out, _ = fleet
    read = []

    def parse_wrapper(text, path):
        read.append(path.parent.name)
        return parse(text, path)

    parse = learn.parse_wrapper
    monkeypatch.setattr(learn, "parse_wrapper", parse_wrapper)
    storage = open_storage(out)
    reader = SiteReaders(read_job(storage), storage).of_site("a.example")
    assert read == []
    url, html = product("a.example", 3)
    result = {"page": {"site": "a.example", "url": url}, "text": None, "records": []}
    for _ in range(2):
        reader.read(Page(url, html.encode()), result)
    assert read == [result["page"]["class"]]


def test_processes_give_the_same_bytes(fleet, tmp_path):
    archives, out, _ = fleet
    summary = run_fleet([str(archives)], tmp_path / "again", engine=LocalEngine(2))
    assert summary.is_complete
    assert digest(tmp_path / "again") == digest(out)
    assert not (tmp_path / "again" / ".work").exists()


def test_archives_that_are_read_together_give_the_same_bytes(fleet, tmp_path):
    """What is known of a site is read once for all of them."""
    archives, out, _ = fleet
    together = run_fleet(
        [str(archives)],
        tmp_path / "together",
        FleetOptions(settings={"fleet.apply_tasks": 1}),
        engine=(engine := Counting()),
    )
    assert together.is_complete
    assert [len(task.parts) for task in engine.done if task.step is FleetStep.APPLY] == [2]
    # The files of projects name the settings that they were made with.
    assert results(tmp_path / "together") == results(out)


class Counting(InThisProcess):
    """Keeps the tasks that it was given."""

    def __init__(self):
        self.done = []

    def outcomes(self, location, tasks):
        self.done += tasks
        return super().outcomes(location, tasks)


def results(out):
    """The bytes of all results but the projects."""
    return {name: known for name, known in digest(out).items() if not name.startswith("projects/")}


@pytest.mark.parametrize(
    ("limits", "groups"),
    [
        ({}, [[0], [1], [2], [3]]),
        ({"apply_tasks": 1}, [[0, 1, 2, 3]]),
        ({"apply_tasks": 2}, [[0, 1], [2, 3]]),
        ({"apply_tasks": 1, "apply_bytes_at_once": 30}, [[0, 1, 2], [3]]),
        ({"apply_tasks": 1, "apply_files_at_once": 3}, [[0, 1, 2], [3]]),
        ({"apply_tasks": 1, "apply_bytes_at_once": 5}, [[0], [1], [2], [3]]),
    ],
)
def test_how_many_archives_are_read_together(limits, groups):
    settings = {f"fleet.{name}": value for name, value in limits.items()}
    archives = tuple("abcd")
    job = FleetJob(archives, (10, 10, 10, 10), GroupBy.HOST, 10, 1, 1, settings=settings)
    tasks = [Task(FleetStep.APPLY, number) for number in range(4)]
    together = done_together(tasks, job)
    assert [[part.number for part in task.parts] for task in together] == groups


def test_an_archive_that_fails_costs_none_that_are_read_with_it(fleet, tmp_path, monkeypatch):
    archives, _, _ = fleet
    real = apply.output_part

    def broken(table, number):
        if number == 1:
            raise OSError("no space for this one")
        return real(table, number)

    monkeypatch.setattr(apply, "output_part", broken)
    summary = run(archives, tmp_path / "out", settings={"fleet.apply_tasks": 1})
    assert [name for name, _ in summary.failed] == ["apply-000001"]
    assert summary.done["apply"] == 1
    monkeypatch.undo()
    assert run(archives, tmp_path / "out", settings={"fleet.apply_tasks": 1}).is_complete


def test_shards_give_the_same_bytes(fleet, tmp_path):
    archives, _, _ = fleet
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    run(archives, whole)
    for _ in range(5):
        ends = [run(archives, parts, shard=Shard(number, 3)).missing for number in (1, 2, 3)]
    assert ends == ["", "", ""]
    assert digest(parts) == digest(whole)


def test_a_shard_that_has_to_wait_says_what_for(fleet, tmp_path):
    archives, _, _ = fleet
    summary = run(archives, tmp_path / "out", shard=Shard(1, 2))
    assert summary.missing == "index"
    assert not summary.is_complete


def test_what_is_done_is_not_done_again(fleet, tmp_path):
    archives, _, _ = fleet
    first = run(archives, tmp_path / "out")
    before = digest(tmp_path / "out")
    again = run(archives, tmp_path / "out")
    assert again.done.total() == 0
    assert again.skipped == first.done.total()
    assert again.counts == first.counts
    assert digest(tmp_path / "out") == before


def test_one_step_at_a_time(fleet, tmp_path):
    archives, _, _ = fleet
    for step in FleetStep:
        for number in (1, 2):
            summary = run(archives, tmp_path / "out", steps=[step], shard=Shard(number, 2))
            assert summary.is_complete, step
    assert summary.counts["pages"] == 53


def test_another_fleet_in_the_same_folder_is_refused(fleet):
    archives, out, _ = fleet
    with pytest.raises(InvalidInput, match="holds another fleet"):
        run(archives, out, min_pages=3)


def test_a_sample_is_bounded_and_has_the_home_page(fleet, tmp_path):
    archives, _, _ = fleet
    run(archives, tmp_path / "out", pages_per_site=10, min_pages=10)
    found = rows(tmp_path / "out", "sites")
    assert {row["sampled"] for row in found if row["project"]} <= {10, 11}
    model = json.loads((tmp_path / "out/projects/a.example/model.json").read_text())
    assert model["home"] == "https://a.example/"


def test_the_newest_of_two_captures_is_learnt_and_both_are_read(tmp_path):
    pages = [product("a.example", n) for n in range(1, 25)]
    old = [(url, html.replace("Price", "Cost")) for url, html in pages]
    (tmp_path / "w").mkdir()
    write_warc(tmp_path / "w" / "b.warc.gz", pages)
    with WarcWriter(tmp_path / "w" / "a.warc.gz") as archive:
        for url, html in old:
            archive.write_response(url, 200, HTML, html.encode(), date=DAY.replace(year=2001))
    summary = run(tmp_path / "w", tmp_path / "out")
    assert summary.counts["pages"] == 48
    fields = {row["field"] for row in rows(tmp_path / "out", "catalogue")}
    assert "price" in fields
    assert "cost" not in fields


# What is a site, and what is its folder called.


def job(by):
    return FleetJob(("a.warc.gz",), (1,), GroupBy(by), 10, 2, 1)


@pytest.mark.parametrize(
    ("by", "url", "site"),
    [
        ("host", "https://www.example.org/a/b", "example.org"),
        ("host", "http://example.org:8080/", "example.org:8080"),
        ("domain", "https://shop.example.co.uk/x", "example.co.uk"),
        ("domain", "http://127.0.0.1/x", "127.0.0.1"),
        ("prefix", "https://www.example.org/~alice/x/y.html", "example.org/~alice"),
        ("prefix", "https://example.org/page.html", "example.org"),
    ],
)
def test_the_site_of_a_url(by, url, site):
    assert job(by).site_of(url) == site


@pytest.mark.parametrize(
    "site",
    ["example.org/..", "..", ".", "", "[::1]:80", "example.org:8080", "con", "nul.example",
     "a" * 300,
     "example.org/%2e%2e", "a/b\\c", "-", "example.org/" + "x" * 5000, "example.org/\u202e"],
)  # fmt: skip
def test_any_site_has_a_safe_folder_of_its_own(site):
    name = folder_name(site)
    assert name not in {"", ".", ".."}
    assert not set(name) & set('/\\:*?"<>|\0')
    assert len(name) < 120
    assert name.isascii()
    assert name != folder_name(site + "x")


def test_sites_whose_folders_would_be_alike_have_two():
    assert folder_name("example.org/a?b") != folder_name("example.org/a*b")


def test_archives_are_named_without_the_folders_they_share():
    one = FleetJob(("/x/y/a.gz", "/x/y/z/b.gz"), (1, 1), GroupBy.HOST, 1, 1, 1)
    assert one.archive_names == ("a.gz", "z/b.gz")


@pytest.mark.parametrize("text", ["0/3", "4/3", "x", "1", "-1/3", "1/0"])
def test_a_shard_that_is_none_is_refused(text):
    with pytest.raises(InvalidInput, match="no shard"):
        Shard.parse(text)


def test_no_archive_is_an_error_before_anything_is_written(tmp_path):
    with pytest.raises(InvalidInput):
        make_job([str(tmp_path / "nothing.warc.gz")])
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidInput, match=r"no \.warc"):
        make_job([str(tmp_path / "empty")])


# What is wrong with files and records harms nothing else.


def test_a_bad_file_is_listed_and_the_others_are_read(fleet, tmp_path):
    archives, _, _ = fleet
    shutil.copytree(archives, tmp_path / "w")
    (tmp_path / "w" / "bad.warc.gz").write_bytes(b"this is no archive")
    summary = run(tmp_path / "w", tmp_path / "out")
    assert not summary.is_complete
    assert summary.counts["pages"] == 53
    errors = [json.loads(line) for line in (tmp_path / "out/errors.jsonl").read_text().splitlines()]
    (failed,) = (one for one in errors if "task" in one)
    assert failed["subject"] == "bad.warc.gz"
    assert "not a WARC" in failed["problem"]


def test_a_mended_file_is_read_by_the_next_run(fleet, tmp_path):
    archives, _, _ = fleet
    shutil.copytree(archives, tmp_path / "w")
    whole = (tmp_path / "w/part-1.warc.gz").read_bytes()
    (tmp_path / "w/part-1.warc.gz").write_bytes(b"x" * len(whole))
    assert not run(tmp_path / "w", tmp_path / "out", steps=["index"]).is_complete
    (tmp_path / "w/part-1.warc.gz").write_bytes(whole)
    assert run(tmp_path / "w", tmp_path / "out").is_complete
    run(tmp_path / "w", tmp_path / "other")
    assert digest(tmp_path / "out") == digest(tmp_path / "other")


def test_nothing_but_bad_files_is_no_pages(tmp_path):
    (tmp_path / "bad.warc.gz").write_bytes(b"this is no archive")
    with pytest.raises(NoPages, match="no archive can be read"):
        run(tmp_path / "bad.warc.gz", tmp_path / "out")


def test_damaged_records_are_counted_and_passed_over(fleet, tmp_path):
    archives, _, _ = fleet
    shutil.copytree(archives, tmp_path / "w")
    file = tmp_path / "w" / "part-0.warc.gz"
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0xFF
    file.write_bytes(bytes(data[:-20]))
    summary = run(tmp_path / "w", tmp_path / "out")
    assert summary.is_complete
    assert 51 <= summary.counts["pages"] <= 52
    assert summary.counts["bad_records"] >= 1


# Common Crawl's columnar index in place of the first pass.


def write_columns(out, target, base=""):
    duckdb.connect().execute(
        f"""copy (select url, site as url_host_name, site as url_host_registered_domain,
                  to_timestamp(date)::timestamp as fetch_time, status::smallint as fetch_status,
                  digest as content_digest, type as content_mime_type,
                  '{base}part-' || file || '.warc.gz' as warc_filename,
                  "offset"::int as warc_record_offset, length::int as warc_record_length
                  from '{out}/index/*.parquet') to '{target}' (format parquet)"""
    )
    return str(target)


def test_a_columnar_index_gives_the_same_bytes(fleet, tmp_path):
    archives, out, _ = fleet
    index = write_columns(out, tmp_path / "cc.parquet")
    summary = run(archives, tmp_path / "out", index=[index])
    assert summary.is_complete
    found = digest(tmp_path / "out")
    for name, wanted in digest(out).items():
        if name.startswith(("pages/", "text/", "records/", "sites/", "catalogue/")):
            assert found[name] == wanted, name


def test_an_index_that_lies_costs_its_rows(fleet, tmp_path):
    archives, out, _ = fleet
    index = write_columns(out, tmp_path / "good.parquet")
    duckdb.connect().execute(
        f"""copy (select * replace (case when warc_record_offset % 5 = 0 then 7
                                    else warc_record_offset end as warc_record_offset)
            from '{index}') to '{tmp_path}/lies.parquet' (format parquet)"""
    )
    summary = run(archives, tmp_path / "out", index=[str(tmp_path / "lies.parquet")])
    assert summary.is_complete
    assert summary.counts["bad_records"] > 0
    assert summary.counts["classified"] > 20


@pytest.mark.parametrize("name", ["../", "/etc/", "x/../../"])
def test_an_index_cannot_lead_out_of_its_folder(fleet, tmp_path, name):
    archives, out, _ = fleet
    index = write_columns(out, tmp_path / "cc.parquet", base=name)
    with pytest.raises(InvalidInput, match="leads out of the folder"):
        run(archives, tmp_path / "out", index=[index])


def test_a_file_that_is_no_index_is_refused(fleet, tmp_path):
    archives, out, _ = fleet
    with pytest.raises(InvalidInput, match="it has no"):
        run(archives, tmp_path / "out", index=[str(out / "sites/part-000000.parquet")])
    (tmp_path / "x.parquet").write_bytes(b"nothing")
    with pytest.raises(InvalidInput, match="not a Parquet file"):
        run(archives, tmp_path / "out", index=[str(tmp_path / "x.parquet")])


# Engines.


def test_a_process_that_dies_fails_its_own_task_alone(fleet, tmp_path, monkeypatch):
    """A task kills its process each time: it is listed, and the others are done."""
    archives, _, _ = fleet
    run(archives, tmp_path / "out", steps=["index"])
    tasks = [Task(FleetStep.INDEX, number) for number in range(2)]
    engine = LocalEngine(1)
    real = engines._give_task

    def kill_and_give(worker, waiting):
        if waiting and waiting[0] == tasks[1]:
            os.kill(worker.process.pid, signal.SIGKILL)
            worker.process.join()
        real(worker, waiting)

    monkeypatch.setattr(engines, "_give_task", kill_and_give)
    found = {one.task: one.problem for one in engine.outcomes(str(tmp_path / "out"), tasks)}
    assert found[tasks[0]] is None
    assert "signal 9" in found[tasks[1]]


def test_a_process_that_dies_gives_back_its_archives_one_by_one(fleet, tmp_path, monkeypatch):
    archives, _, _ = fleet
    run(archives, tmp_path / "out", steps=["index"])
    together = Task(FleetStep.INDEX, 0, more=(1,))
    for part in together.parts:
        (tmp_path / "out" / marker(part)).unlink()
    real = engines._give_task

    def kill_and_give(worker, waiting):
        if waiting and waiting[0] == together:
            os.kill(worker.process.pid, signal.SIGKILL)
            worker.process.join()
        real(worker, waiting)

    monkeypatch.setattr(engines, "_give_task", kill_and_give)
    found = list(LocalEngine(1).outcomes(str(tmp_path / "out"), [together]))
    assert [(one.task, one.problem) for one in found] == [(one, None) for one in together.parts]


@pytest.mark.skipif(find_spec("pyspark") is not None, reason="Spark is here")
def test_spark_is_an_extra_and_says_so():
    with pytest.raises(MissingExtra, match="spark"):
        make_engine("spark")
