"""Everything that sitewright raises on purpose.

::

    SitewrightError
    ├── InvalidInput            what the user gave cannot be used: the command line exits with 2
    │   ├── InputNotFound       no such file, folder or archive
    │   ├── UnreadableInput     it is there, but it is not what it should be
    │   │   └── NoPages         a site without a page: the command line exits with 1
    │   ├── InvalidURL          a URL that leads nowhere
    │   ├── InvalidChoice       none of the words that an argument can be; a ValueError, too
    │   ├── UnknownName         none of those that are there; a KeyError, too
    │   ├── WrongFormatVersion  written by a version that speaks another format
    │   └── OtherModel          a file of another site model than that of its folder
    ├── BrokenPlugin            what an installed package adds to sitewright cannot be used
    ├── MissingExtra            an optional part that is not installed
    └── MissingBrowser          no browser that could render a page

A page is never the reason for an exception: bad HTML is normal. What could not be fetched or read
from a site is an ordinary result, `sitewright.site.base.Missing`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class SitewrightError(Exception):
    """The root of the tree; its text is one line, written for the person at the terminal."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Errors travel between processes, and their parameters are not what `args` holds.
        return _restored, (type(self), self.args, self.__dict__)


def _restored(
    kind: type[SitewrightError], args: tuple[Any, ...], state: dict[str, Any]
) -> SitewrightError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class InvalidInput(SitewrightError):
    """What the user gave cannot be used; `subject` is the thing itself."""

    def __init__(self, subject: str, why: str) -> None:
        super().__init__(f"{subject}: {why}")
        self.subject = subject
        self.why = why


class InputNotFound(InvalidInput):
    """No file, folder or archive of that name."""

    def __init__(self, subject: str, why: str = "no such file or folder") -> None:
        super().__init__(subject, why)


class UnreadableInput(InvalidInput):
    """It is there, but cannot be read as what it should be."""


class NoPages(UnreadableInput):
    """A site without a page: nothing is in the folder or archive, or nothing could be fetched."""


class InvalidURL(InvalidInput):
    """A URL that cannot be that of a page."""


class InvalidChoice(InvalidInput, ValueError):
    """An argument that is none of the words to choose from; the message lists them."""

    def __init__(self, subject: object, allowed: Sequence[str]) -> None:
        *most, last = allowed
        choices = f"{', '.join(most)} or {last}" if most else last
        super().__init__(repr(subject), f"no valid choice; choose {choices}")


class UnknownName(InvalidInput, KeyError):
    """A name that nothing here has; the message lists those that there are."""

    def __init__(self, subject: str, kind: str, known: Iterable[str]) -> None:
        super().__init__(subject, f"no such {kind}; there are {', '.join(known) or 'none'}")

    def __str__(self) -> str:
        return f"{self.subject}: {self.why}"  # a KeyError would put it into quotes


class WrongFormatVersion(InvalidInput):
    """A file in another version of our formats; the message names both, and what to do."""

    def __init__(self, subject: str, found: object, expected: int) -> None:
        is_older = found is None or (isinstance(found, int) and found < expected)
        remedy = "bring it up to date with: sitewright upgrade OUT"
        todo = remedy if is_older else "it needs a newer sitewright"
        super().__init__(
            subject, f"format version {found}, but this program reads {expected}; {todo}"
        )
        self.found = found
        self.expected = expected


class OtherModel(InvalidInput):
    """A file that belongs to another site model; the message names both models."""

    def __init__(self, subject: str, found: str | None, expected: str) -> None:
        owner = f"model {found}" if found else "no model"
        remedy = "make it again with: sitewright run SITE -o OUT"
        super().__init__(subject, f"belongs to {owner}, but model.json is {expected}; {remedy}")
        self.found = found
        self.expected = expected


class BrokenPlugin(SitewrightError):
    """A plugin that cannot be loaded, raised an error or returned what it must not."""

    def __init__(self, group: str, name: str, why: str) -> None:
        super().__init__(f"plugin {name} ({group}): {why}")
        self.group = group
        self.name = name


class MissingExtra(SitewrightError):
    """An optional part that is not installed; the message is the command that installs it."""

    def __init__(self, extra: str, what_for: str) -> None:
        super().__init__(f"{what_for} needs an extra: pip install 'sitewright[{extra}]'")
        self.extra = extra


class MissingBrowser(SitewrightError):
    """No browser that could render a page; the message is the command that installs one."""

    def __init__(self, what: str = "no Chromium was found") -> None:
        super().__init__(f"{what}: apt-get install chromium, or: playwright install chromium")
