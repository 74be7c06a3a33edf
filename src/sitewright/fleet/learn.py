"""A project of each site, learnt from its sample: page classes, templates, wrappers."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from hashlib import blake2b
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from sitewright import formats
from sitewright.errors import NoPages
from sitewright.export.folder import TEMPLATE, parse_wrapper, read_model
from sitewright.export.search import read_templates
from sitewright.fleet.job import folder_name
from sitewright.fleet.sample import sampled_rows
from sitewright.fleet.storage import ArchiveReader
from sitewright.page import TokenKind
from sitewright.project import Project
from sitewright.project_steps import Exploring
from sitewright.site.base import Page, Reason
from sitewright.site.http import outcome
from sitewright.site.open import ARCHIVE_FILE
from sitewright.site.warc import MAX_RECORD, WarcRecord
from sitewright.template import Template

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from sitewright.classes import SiteModel
    from sitewright.fleet.job import FleetJob, Task
    from sitewright.fleet.storage import Storage
    from sitewright.page import Document
    from sitewright.wrapper import Field, Wrapper


PROJECTS = "projects"
Made = TypeVar("Made")


class OnDemand(Mapping[str, Made]):
    """Values by name, each made when it is first asked for.

    Most archives hold few pages of a site, and a page needs what is known of its own class alone.
    """

    def __init__(self, makers: Mapping[str, Callable[[], Made]]) -> None:
        self._makers = makers
        self._made: dict[str, Made] = {}

    def __getitem__(self, name: str) -> Made:
        if name not in self._made:
            self._made[name] = self._makers[name]()
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._makers

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


class SiteKnowledge(NamedTuple):
    """What was learnt of a site, as `apply` needs it."""

    model: SiteModel
    templates: Mapping[str, Template]
    wrappers: Mapping[str, Wrapper]


def project_folder(site: str) -> str:
    """The folder of a site's project in the folder of results."""
    return f"{PROJECTS}/{folder_name(site)}"


def learn_site(job: FleetJob, task: Task, storage: Storage) -> dict[str, Any]:
    """Learn one site from its sample and write its project; gives what the marker says."""
    site = task.subject
    rows = sampled_rows(job, site, storage)
    with storage.workspace(task.name) as work:
        folder = work / "project"
        folder.mkdir()
        urls, problems = _write_pages(job, rows, folder / ARCHIVE_FILE)
        marker = {"site": site, "sampled": len(rows), "problems": problems}
        if not urls:
            return {**marker, "classes": [], "problem": "no page of the sample can be read"}
        try:
            knowledge = _learn(job, folder, urls[0])
        except NoPages as error:
            return {**marker, "classes": [], "problem": error.why}
        # Where it lies was the workspace: from the project's folder it is the file beside.
        storage.publish_folder(project_folder(site), folder)
    return {**marker, "classes": list(_described(knowledge)), "problem": None}


def _learn(job: FleetJob, folder: Path, home: str) -> SiteKnowledge:
    archive = folder / ARCHIVE_FILE
    project = Project(folder, archive, base_url=home, scope=job.scope(), settings=job.in_force)
    # A sample has no links that lead through it, so all of its pages are taken.
    model = project.discover(Exploring(local_only=True))
    wrappers = project.learn_wrappers()
    return SiteKnowledge(model, read_templates(folder, model), wrappers)


def _write_pages(
    job: FleetJob, rows: list[dict[str, Any]], path: Path
) -> tuple[list[str], list[dict[str, Any]]]:
    """Copy the records of a sample into one archive; gives the URLs of what can be read.

    The records are written as members of fixed bytes: the same sample gives the same archive.
    """
    problems: list[dict[str, Any]] = []
    copies: dict[str, bytes] = {}
    by_file = sorted(rows, key=lambda row: (row["file"], row["member"], row["offset"]))
    for number, group in groupby(by_file, key=lambda row: int(row["file"])):
        with ArchiveReader(job.archives[number]) as archive:
            for row in group:
                found = _copied(archive, row)
                if isinstance(found, str):
                    name = job.archive_names[number]
                    problems.append({"file": name, "url": row["url"], "problem": found})
                else:
                    copies[row["url"]] = found
    urls = [row["url"] for row in rows if row["url"] in copies]
    with path.open("wb") as file:
        for url in urls:
            file.write(copies[url])
    return urls, problems[: job.in_force.fleet.max_listed_problems]


def _copied(archive: ArchiveReader, row: dict[str, Any]) -> bytes | str:
    """One page as a WARC record of its own, compressed; or why it cannot be read."""
    record = archive.record(row["member"], row["offset"], row["inner"], row["length"])
    if not isinstance(record, WarcRecord):
        return f"a bad record: {record}"
    page = outcome(record.reply, row["url"], row["url"], MAX_RECORD)
    if not isinstance(page, Page):
        return f"no page: {page.reason}"
    if len(page.body) > MAX_RECORD:
        return f"no page: {Reason.TOO_LARGE}"
    place = "-".join(str(row[name]) for name in ("file", "member", "offset", "inner"))
    return _member(page, record.date, place)


def _member(page: Page, date: int, place: str) -> bytes:
    """A record whose bytes follow from the page and its place, however it was read."""
    charset = f"; charset={page.encoding}" if page.encoding else ""
    http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html{charset}\r\n".encode("latin-1", "replace")
    http += f"Content-Length: {len(page.body)}\r\n\r\n".encode() + page.body
    head = (
        "WARC/1.1\r\nWARC-Type: response\r\n"
        f"WARC-Record-ID: <urn:sitewright:{place}>\r\n"
        f"WARC-Target-URI: {page.url}\r\nWARC-Date: {_date(date)}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    pack = zlib.compressobj(6, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    return pack.compress(head.encode() + http + b"\r\n\r\n") + pack.flush()


def _date(seconds: int) -> str:
    from datetime import UTC, datetime  # noqa: PLC0415 - here alone

    return datetime.fromtimestamp(min(seconds, 1 << 32), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


# What markers, and so the catalogue, say of a site's classes.


def _described(knowledge: SiteKnowledge) -> Iterator[dict[str, Any]]:
    for one in knowledge.model.classes:
        wrapper = knowledge.wrappers.get(one.name)
        template = knowledge.templates.get(one.name)
        yield {
            "name": one.name,
            "url_template": one.url_template,
            "visited": one.visited,
            "has_template": template is not None,
            "marks": [] if template is None else template_marks(template),
            "fields": [] if wrapper is None else list(_fields(wrapper)),
        }


def _fields(wrapper: Wrapper) -> Iterator[dict[str, Any]]:
    for one in wrapper.fields:
        yield _field(one, "")
    for records in wrapper.record_sets:
        for one in records.fields:
            yield _field(one, records.name)


def _field(one: Field, record_set: str) -> dict[str, Any]:
    return {
        "record_set": record_set or None,
        "field": one.name,
        "type": one.type.kind.value,
        "unit": one.type.unit or None,
        "many": one.many,
        "coverage": round(one.coverage, 4),
        "references": one.references,
        "example": (one.samples or (None,))[0],
    }


def read_knowledge(folder: Path) -> SiteKnowledge:
    """What a project's folder says of its site; the folder may be gone when it is used."""
    model = read_model(folder)
    names = [one.name for one in model.classes]
    templates = {
        name: partial(formats.parse, text, Template, str(path))
        for name, path, text in _class_files(folder, names, TEMPLATE)
    }
    return SiteKnowledge(model, OnDemand(templates), project_wrappers(folder, names))


def project_wrappers(folder: Path, names: Iterable[str]) -> Mapping[str, Wrapper]:
    """The wrappers of some classes of a project, of those that have one."""
    files = _class_files(folder, names, "wrapper.json")
    return OnDemand({name: partial(parse_wrapper, text, path) for name, path, text in files})


def _class_files(
    folder: Path, names: Iterable[str], file: str
) -> Iterator[tuple[str, Path, bytes]]:
    for name in names:
        path = folder / "classes" / name / file
        if path.is_file():
            yield name, path, formats.file_bytes(path)


# What a theme is known by: the classes of the elements in its templates.

_TAG = re.compile(r"<([^\s>/]+)")
_CLASSES = re.compile(r' class="([^"]*)"')
_MOST_MARKS = 2000
"""Marks of one template that are kept; real ones have up to some hundred."""


def _mark(tag: str, name: str) -> int:
    digest = blake2b(f"{tag.lower()}.{name.lower()}".encode("utf-8", "replace"), digest_size=8)
    return int.from_bytes(digest.digest(), "big")


def template_marks(template: Template) -> list[int]:
    """The elements of a template that have classes, each as one number, in order."""
    found: set[int] = set()
    for token in template:
        if token.kind is TokenKind.START and (classes := _CLASSES.search(token.spelling)):
            tag = _TAG.match(token.spelling)
            found.update(_mark(tag[1] if tag else "", name) for name in classes[1].split())
    return sorted(found)[:_MOST_MARKS]


def page_marks(document: Document) -> NDArray[np.uint64]:
    """The same of a page."""
    seen: set[tuple[str, str]] = set()
    for element in document.tree.iter_elements():
        if names := element.attr("class"):
            seen.add((element.tag, names))
    found = {_mark(tag, name) for tag, names in seen for name in names.split()}
    return np.array(sorted(found), dtype=np.uint64)
