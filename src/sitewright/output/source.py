"""Where the pages of an output folder came from, so that later commands need not be told."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from sitewright.errors import InputNotFound, UnreadableInput
from sitewright.output.files import complete_or_absent
from sitewright.site.open import is_url
from sitewright.site.scope import ScopeKind

FILE_NAME = "site.json"


@dataclass(frozen=True, slots=True)
class Source:
    """The site that a folder of results is about, as it was named."""

    site: str
    """A URL, or the path of a folder or file, from the output folder."""
    base_url: str | None = None
    home: str | None = None
    scope: ScopeKind = ScopeKind.HOST


def write_source(out: Path, source: Source) -> None:
    """Write OUT/site.json; a path is written as the way from OUT, so that both can be moved."""
    site = source.site
    if not is_url(site):
        site = Path(os.path.relpath(site, out)).as_posix()
    with complete_or_absent(out / FILE_NAME) as file:
        file.write(json.dumps({**asdict(source), "site": site}) + "\n")


def read_source(out: Path) -> Source:
    """Read OUT/site.json; a path comes back as the way from here."""
    path = out / FILE_NAME
    try:
        source = Source(**json.loads(path.read_bytes()))
        source = replace(source, scope=ScopeKind(source.scope))
    except FileNotFoundError:
        why = "does not say where its pages came from; name the SITE with --site"
        raise InputNotFound(str(out), why) from None
    except (OSError, ValueError, TypeError) as error:
        raise UnreadableInput(str(path), f"does not name a site: {error}") from None
    if is_url(source.site):
        return source
    return replace(source, site=os.path.normpath(out / source.site))
