"""What a fleet has to do: the archives, how pages are grouped into sites, and the tasks.

The job is written to OUT/fleet.json and is the same for every process and machine that works on it:
the number of a task, and the names of the files that it writes, follow from it alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypedDict

import msgspec

from sitewright import formats
from sitewright.choices import Choice
from sitewright.errors import InvalidInput, UnreadableInput
from sitewright.fleet.storage import archive_paths, is_remote
from sitewright.page.host import registered_domain
from sitewright.page.url import parts
from sitewright.settings import Settings, current
from sitewright.site.scope import ScopeKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sitewright.fleet.storage import Storage


FLEET_FILE = "fleet.json"
_SAFE_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9_-]+)*")
_LONGEST_NAME = 100
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?")
"""Names that mean devices on some systems."""


class GroupBy(Choice):
    """Which pages are of one site."""

    HOST = "host"
    """Those of one host and port; `www.` makes no difference."""
    DOMAIN = "domain"
    """Those of one registered domain."""
    PREFIX = "prefix"
    """Those of one host whose paths begin with the same folder, as in `/~alice/`."""


class FleetStep(Choice):
    """The steps of a fleet, in their order."""

    INDEX = "index"
    SAMPLE = "sample"
    LEARN = "learn"
    THEMES = "themes"
    OFFER = "offer"
    APPLY = "apply"
    FINISH = "finish"


class Task(NamedTuple):
    """One piece of work: what it writes is a function of it and the job."""

    step: FleetStep
    number: int
    subject: str = ""
    """The site of a task of `learn` or `offer`."""
    more: tuple[int, ...] = ()
    """The numbers of tasks that are done together with it: each has a marker of its own."""

    @property
    def parts(self) -> list[Task]:
        """The tasks that are done together, each by itself."""
        return [Task(self.step, number, self.subject) for number in (self.number, *self.more)]

    @property
    def name(self) -> str:
        """The name of its marker: unique in the job."""
        what = folder_name(self.subject) if self.subject else f"{self.number:06}"
        return f"{self.step.value}-{what}"


@dataclass(frozen=True, slots=True)
class FleetOptions:
    """How pages become sites, and how much of each site is looked at."""

    by: GroupBy | str = GroupBy.HOST
    pages_per_site: int = 1000
    """The most pages that a site is learnt from."""
    min_pages: int = 20
    """Sites with fewer pages are not learnt; their pages are read without a model."""
    settings: Mapping[str, object] = field(default_factory=dict)
    """Settings that differ from the defaults, by dotted name."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "by", GroupBy(self.by))
        for name in ("pages_per_site", "min_pages"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise InvalidInput(f"{name}={value!r}", "not a whole number of at least one")


@dataclass(frozen=True)
class FleetJob:
    """Everything that decides what a fleet gives."""

    FORMAT: ClassVar[str] = "sitewright-fleet"
    archives: tuple[str, ...]
    """The paths or URLs of the WARC files: their order numbers them."""
    sizes: tuple[int, ...]
    by: GroupBy
    pages_per_site: int
    min_pages: int
    buckets: int
    """How many tasks choose the samples."""
    index: tuple[str, ...] = ()
    """Parquet files that name the pages, in place of reading the archives for it."""
    base: str = ""
    """What stands before the file names of the index."""
    settings: dict[str, int | float | str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.archives) != len(self.sizes) or self.buckets < 1:
            raise ValueError("archives and sizes are lists of different lengths")

    @cached_property
    def in_force(self) -> Settings:
        """The settings of the job."""
        return Settings.of(self.settings)

    @cached_property
    def archive_names(self) -> tuple[str, ...]:
        """The archives without the folders that all of them have in common: names in the output."""
        if len(self.archives) == 1:
            return (self.archives[0].rpartition("/")[2],)
        first, last = min(self.archives), max(self.archives)
        same = next(
            (
                place
                for place, pair in enumerate(zip(first, last, strict=False))
                if len({*pair}) > 1
            ),
            min(len(first), len(last)),
        )
        common = first[: first.rfind("/", 0, same) + 1]
        return tuple(one.removeprefix(common) for one in self.archives)

    @property
    def groups(self) -> list[range]:
        """The archives of each task of `index`: with a columnar index many, else one."""
        step = self.in_force.fleet.index_files_at_once if self.index else 1
        return [
            range(first, min(first + step, len(self.archives)))
            for first in range(0, len(self.archives), step)
        ]

    def scope(self) -> ScopeKind:
        """What belongs to a site once its pages are in an archive of their own."""
        return ScopeKind.DOMAIN if self.by is GroupBy.DOMAIN else ScopeKind.HOST

    def site_of(self, url: str) -> str:
        """The site of a canonical URL."""
        split = parts(url)
        return _site_of(self.by, split.host, split.port, _first_folder(self.by, split.path))

    def bucket_of(self, site: str) -> int:
        """The number of the task that chooses the sample of a site."""
        return url_rank(site) % self.buckets


def make_job(
    named: Sequence[str],
    options: FleetOptions | None = None,
    index: Sequence[str] = (),
) -> FleetJob:
    """The job for some archives; with an index, `named` is the folder its file names are in."""
    options = options or FleetOptions()
    settings = Settings.of(options.settings) if options.settings else current()
    base = ""
    if index:
        from sitewright.fleet.index import index_base, indexed_archives  # noqa: PLC0415 - a cycle

        base = index_base(named)
        files = indexed_archives([_absolute(one) for one in index], named)
    else:
        files = archive_paths(named)
    if not files:
        raise InvalidInput("no archives", "name at least one WARC file, folder or pattern")
    size = sum(one for _, one in files)
    return FleetJob(
        archives=tuple(path for path, _ in files),
        sizes=tuple(one for _, one in files),
        by=GroupBy(options.by),
        pages_per_site=options.pages_per_site,
        min_pages=options.min_pages,
        buckets=1 + size // settings.fleet.bucket_bytes,
        index=tuple(_absolute(one) for one in index),
        base=base,
        settings={
            name: value.value if isinstance(value, Choice) else value
            for name, value in settings.changes().items()
        },
    )


def _absolute(where: str) -> str:
    return where if is_remote(where) else str(Path(where).absolute())


def begin_job(storage: Storage, job: FleetJob) -> FleetJob:
    """Write the job into its folder; a folder with another job is refused, the same goes on."""
    if storage.exists(FLEET_FILE):
        before = read_job(storage)
        if before != replace(job):
            why = "holds another fleet: other archives or options; choose another folder"
            raise InvalidInput(storage.location, why)
        return before
    with storage.workspace("job") as work:
        path = work / FLEET_FILE
        path.write_text(formats.dump(job), encoding="utf-8")
        storage.publish({FLEET_FILE: path})
    return job


def read_job(storage: Storage) -> FleetJob:
    """The job of a folder of results."""
    try:
        text = storage.read(FLEET_FILE)
    except FileNotFoundError:
        why = f"no {FLEET_FILE} here; make one with: sitewright fleet run WARC... -o OUT"
        raise InvalidInput(storage.location, why) from None
    except (OSError, ValueError) as error:  # of a remote storage: it may say anything
        raise InvalidInput(storage.location, f"cannot be read: {error}") from None
    return formats.parse(text, FleetJob, f"{storage.location}/{FLEET_FILE}")


# Markers: what is done, and what has failed.

DONE, FAILED = "done", "failed"


def marker(task: Task, kind: str = DONE) -> str:
    """The file that says that a task is done, or has failed."""
    return f"{kind}/{task.step.value}/{task.name}.json"


def write_marker(storage: Storage, name: str, said: dict[str, Any]) -> None:
    """Write a marker, complete or not at all."""
    with storage.workspace("marker") as work:
        path = work / "marker.json"
        path.write_text(formats.json_line(said), encoding="utf-8")
        storage.publish({name: path})


class _MarkedClass(TypedDict):
    name: str
    url_template: str
    has_template: bool
    marks: list[int]
    fields: list[_MarkedField]


class _MarkedField(TypedDict):
    record_set: str | None
    field: str
    type: str
    unit: str | None
    many: bool
    coverage: float
    references: str | None
    example: str | None


class _PassedOver(TypedDict, total=False):
    problem: str
    records: int


class _Marker(TypedDict, total=False):
    """What the markers of all steps hold, as far as anybody reads it."""

    site: str
    pages: int
    sampled: int
    problem: str | None
    classes: list[_MarkedClass]
    theme: str
    taken: dict[str, str]
    problems: list[_PassedOver]


def read_marker(storage: Storage, name: str) -> dict[str, Any]:
    """What a marker says; nothing if it is not there, an error that names it if it is damaged."""
    try:
        said = formats.parsed_line(storage.read(name))
        msgspec.convert(said, _Marker)
    except FileNotFoundError:
        return {}
    except ValueError as error:
        why = f"damaged: {error}; remove it, and its task is done again"
        raise UnreadableInput(f"{storage.location}/{name}", why) from None
    return said


# Sites and their names.


def url_rank(text: str) -> int:
    """A number that spreads URLs, or sites, evenly: the smallest of a site are its sample."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


def _first_folder(by: GroupBy, path: str) -> str:
    if by is not GroupBy.PREFIX:
        return ""
    first, slash, _ = path.lstrip("/").partition("/")
    return first if slash else ""


@lru_cache(maxsize=1 << 14)
def _site_of(by: GroupBy, host: str, port: int | None, folder: str) -> str:
    bare = host.removeprefix("www.")
    if by is GroupBy.DOMAIN:
        return registered_domain(host) or bare
    site = bare if port is None else f"{bare}:{port}"
    return f"{site}/{folder}" if folder else site


@lru_cache(maxsize=1 << 14)
def folder_name(site: str) -> str:
    """A name for the folder of a site that is safe on every system, and no other site's.

    >>> folder_name("example.org")
    'example.org'
    >>> folder_name("example.org/~alice")
    'example.org__alice~e02cc24bc3f31db1'
    """
    is_safe = _SAFE_NAME.fullmatch(site) and len(site) <= _LONGEST_NAME
    if is_safe and not _RESERVED.fullmatch(site):
        return site
    shown = re.sub(r"[^a-z0-9_.-]", "_", site.lower())[: _LONGEST_NAME // 2].strip(".")
    return f"{shown or 'site'}~{url_rank(site):016x}"
