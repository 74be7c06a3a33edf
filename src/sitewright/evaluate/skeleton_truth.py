"""True skeletons, read from files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin

from sitewright.errors import InputNotFound, UnreadableInput

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_MARKS = ("home", "group", "optional", "neutral", "alt", "dropped")


@dataclass(frozen=True, slots=True)
class SkeletonTruth:
    """The true tree of a site, pages named by their path below the site's root."""

    home: str
    parents: Mapping[str, str]
    """The parent of every page but the home page, in the order of the site."""
    levels: Mapping[str, int]
    optional: frozenset[str] = frozenset()
    """Pages that are in the tree, but not counted as missed."""
    neutral: frozenset[str] = frozenset()
    """Pages that count neither for nor against."""
    alternatives: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Equally good parents of a page."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Redirect stubs and the pages that they lead to."""

    def accepts(self, parent: str, child: str) -> bool:
        """Whether this is a true edge, or as good as one."""
        return self.parents.get(child) == parent or parent in self.alternatives.get(child, ())

    def accepted_levels(self, page: str) -> frozenset[int]:
        """The level of a page, and those below its other good parents; none if it has no place."""
        if page not in self.levels:
            return frozenset()
        known = (self.levels.get(parent, -1) for parent in self.alternatives.get(page, ()))
        return frozenset({self.levels[page], *(level + 1 for level in known if level >= 0)})

    def children(self, page: str) -> list[str]:
        """The pages one level below a page."""
        return [child for child, parent in self.parents.items() if parent == page]


def read_skeleton_truth(path: Path, redirects: Path | None = None) -> SkeletonTruth:
    """Read `parent<TAB>child<TAB>title<TAB>level` lines, and the `# mark` lines in front of them.

    `# dropped` pages (too deep to be in the file) are neutral; `# group` lines, headings without
    a page, change nothing: their pages hang one level up.
    """
    marks: dict[str, list[list[str]]] = {mark: [] for mark in _MARKS}
    parents: dict[str, str] = {}
    levels: dict[str, int] = {}
    for number, line in enumerate(_lines(path), start=1):
        fields = line.split("\t")
        if line.startswith("# "):
            marks.get(fields[0][2:].strip(), []).append(fields[1:])
        elif line and not line.startswith("#"):
            if len(fields) != 4 or not fields[3].isdigit():
                raise UnreadableInput(
                    str(path), f"line {number}: expected parent, child, title, level"
                )
            parents[fields[1]] = fields[0]
            levels[fields[1]] = int(fields[3])
    if not marks["home"] or not parents:
        raise UnreadableInput(str(path), "no home page or no edges in this file")
    home = marks["home"][0][0]
    alternatives: dict[str, set[str]] = {}
    for page, parent, *_ in marks["alt"]:
        alternatives.setdefault(page, set()).add(parent)
    return SkeletonTruth(
        home=home,
        parents=parents,
        levels={home: 0, **levels},
        optional=frozenset(fields[0] for fields in marks["optional"]),
        neutral=frozenset(fields[0] for fields in marks["neutral"] + marks["dropped"]),
        alternatives={page: frozenset(others) for page, others in alternatives.items()},
        aliases=_aliases(redirects) if redirects is not None else {},
    )


def page_path(url: str, home: str) -> str:
    """What the truth calls a page: its path below the folder of the home page, unescaped."""
    root = urljoin(home, ".")
    return unquote(url.removeprefix(root))


def _aliases(path: Path) -> dict[str, str]:
    pairs = (line.split("\t") for line in _lines(path) if line and not line.startswith("#"))
    return {pair[0]: pair[1] for pair in pairs if len(pair) == 2}


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise InputNotFound(str(path)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableInput(str(path), f"cannot be read as a skeleton: {error}") from None
