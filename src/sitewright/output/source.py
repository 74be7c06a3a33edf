"""Where the pages of an output folder came from, so that later commands need not be told."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from sitewright import formats
from sitewright.errors import InputNotFound
from sitewright.site.open import is_url
from sitewright.site.scope import ScopeKind

FILE_NAME = "site.json"


@dataclass(frozen=True, slots=True)
class Source:
    """The site that a folder of results is about, as it was named."""

    FORMAT: ClassVar[str] = "sitewright-site"
    site: str
    """A URL, or the path of a folder or file, from the output folder."""
    base_url: str | None = None
    home: str | None = None
    scope: ScopeKind = ScopeKind.HOST


def write_source(out: Path, source: Source, *, model: str) -> None:
    """Write OUT/site.json; a path is written as the way from OUT, so that both can be moved."""
    if not is_url(source.site):
        source = replace(source, site=Path(os.path.relpath(source.site, out)).as_posix())
    formats.write(out / FILE_NAME, source, model=model)


def read_source(out: Path) -> Source:
    """Read OUT/site.json; a path comes back as the way from here."""
    path = out / FILE_NAME
    if not path.exists():
        why = "does not say where its pages came from; name the SITE with --site"
        raise InputNotFound(str(out), why)
    source = formats.read(path, Source)
    if is_url(source.site):
        return source
    return replace(source, site=os.path.normpath(out / source.site))
