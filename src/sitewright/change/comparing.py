"""`sitewright.diff`: two folders of results compared, or one and a site that is learnt first."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sitewright.change.comparison import comparison_with_changes
from sitewright.export.folder import MODEL
from sitewright.project import Progress, ProgressCallback, Project, load

if TYPE_CHECKING:
    from sitewright.change.comparison import Comparison
    from sitewright.export.changes import RecordChange
    from sitewright.project import PathLike


def _silent(_: Progress) -> None:
    """Show nothing."""


def diff(old: PathLike | Project, new: PathLike | Project) -> Comparison:
    """Say what is different between two projects, or between a project and a site.

    Each is a `Project` or the folder of one; `new` may be a URL, a folder of pages or an archive,
    which is learnt first, and of which nothing is kept.
    """
    return diff_with_changes(old, new)[0]


def diff_with_changes(
    old: PathLike | Project, new: PathLike | Project, *, progress: ProgressCallback = _silent
) -> tuple[Comparison, list[RecordChange]]:
    """The same with every record that is new, changed or gone."""
    first = old if isinstance(old, Project) else load(old)
    if isinstance(new, Project):
        return comparison_with_changes(first, new)
    if (Path(os.fspath(new)) / MODEL).is_file():
        return comparison_with_changes(first, load(new))
    with TemporaryDirectory(prefix="sitewright-") as folder:
        second = Project(folder, new, settings=first.settings, progress=progress)
        second.run()
        return comparison_with_changes(first, second)
