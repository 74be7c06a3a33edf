"""Later generations of the demo site: the same cup after a redesign, with exact truth.

Generation 2 has another theme: other class names and ids, facts in tables instead of lists,
headings one level down, other labels; one field is gone, one is new. Generation 3 also moves most
pages to other folders. `truth/generation.json` says what was renamed, removed, added and moved; the
truth of templates is left out, all other truth is that of the pages as they are now.
"""

from __future__ import annotations

import json
import re
import shutil
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

GENERATIONS = (1, 2, 3)
LABELS = {
    "Born": "Date of birth",
    "Place of birth": "Birthplace",
    "Club": "Plays for",
    "Capacity": "Seats",
    "Coach": "Head coach",
    "Referee": "Match official",
}
REMOVED = "Weight"
"""The label of the field that is gone, in the facts of players."""
ADDED = "Player id"
"""The label of the field that is new."""
FOLDERS = {
    "players": "people", "teams": "sides", "stadiums": "grounds", "matches": "games",
    "news": "stories",
}  # fmt: skip
_CLASSES = re.compile(r'\b(class|id)="([^"]*)"', re.IGNORECASE)
_FACTS = re.compile(r"<dl\b([^>]*)>(.*?)</dl>", re.DOTALL | re.IGNORECASE)
_FACT = re.compile(r"<dt([^>]*)>(.*?)</dt>\s*<dd([^>]*)>(.*?)</dd>", re.DOTALL | re.IGNORECASE)
_HEADING = re.compile(r"<(/?)h([1-4])\b", re.IGNORECASE)
_LINK = re.compile(r'\b(href|src|action)="([^"]*)"', re.IGNORECASE)


def redesign(out: Path, generation: int) -> None:
    """Turn a site and its truth into those of a later generation."""
    site, truth = out / "site", out / "truth"
    moved: dict[str, str] = {}
    for file in sorted(site.rglob("*")):
        if file.is_file() and ".html" in file.name:
            page = file.relative_to(site).as_posix()
            html = file.read_text("utf-8", "surrogateescape")
            file.write_text(_restyled(html, page), "utf-8", "surrogateescape")
    if generation == GENERATIONS[-1]:
        moved = _move_pages(site)
        _move_truth(truth)
    _without_removed(truth)
    shutil.rmtree(truth / "templates", ignore_errors=True)
    facts = {"generation": generation, "labels": LABELS, "removed": [REMOVED.lower()],
             "added": [ADDED.lower()], "moved": moved}  # fmt: skip
    (truth / "generation.json").write_text(json.dumps(facts, indent=1) + "\n", "utf-8")


def _restyled(html: str, page: str) -> str:
    is_player = page.startswith("players/")
    number = zlib.crc32(page.encode()) % 90_000 + 10_000

    def table(facts: re.Match[str]) -> str:
        rows = []
        for name, label, value_name, value in _FACT.findall(facts[2]):
            if not (is_player and label.strip() == REMOVED):
                shown = LABELS.get(label.strip(), label)
                rows.append(f"<tr><th{name}>{shown}</th><td{value_name}>{value}</td></tr>")
        if is_player:
            rows.insert(0, f"<tr><th>{ADDED}</th><td>P-{number}</td></tr>")
        return f"<table{facts[1]}>{''.join(rows)}</table>"

    html = _FACTS.sub(table, html)
    html = _HEADING.sub(lambda found: f"<{found[1]}h{int(found[2]) + 1}", html)
    html = html.replace("<main", '<div class="shell"><main').replace("</main>", "</main></div>")
    return _CLASSES.sub(lambda found: f'{found[1]}="{_other_names(found[2])}"', html)


def _other_names(names: str) -> str:
    return " ".join(f"t{zlib.crc32(name.encode()) % 46_656:x}" for name in names.split())


def _moved(path: str) -> str:
    """A path, or a link relative to a page, with the new names of its folders."""
    return "/".join(FOLDERS.get(part, part) for part in path.split("/"))


def _move_pages(site: Path) -> dict[str, str]:
    moved = {}
    for file in sorted(site.rglob("*")):
        if file.is_file() and ".html" in file.name:
            text = file.read_text("utf-8", "surrogateescape")
            text = _LINK.sub(lambda found: f'{found[1]}="{_moved(found[2])}"', text)
            file.write_text(text, "utf-8", "surrogateescape")
            page = file.relative_to(site).as_posix()
            if _moved(page) != page:
                moved[page] = _moved(page)
    for old, new in FOLDERS.items():
        if (site / old).is_dir():
            (site / old).rename(site / new)
    return moved


def _move_truth(truth: Path) -> None:
    names = "|".join(FOLDERS)
    folder = re.compile(rf"(?<![\w-])({names})/(?=[^\s\"]*\.html)")
    for file in sorted(truth.rglob("*")):
        if file.is_file() and file.suffix in {".tsv", ".txt", ".jsonl", ".json"}:
            text = file.read_text("utf-8", "surrogateescape")
            file.write_text(folder.sub(lambda found: FOLDERS[found[1]] + "/", text), "utf-8")


def _without_removed(truth: Path) -> None:
    for file in sorted((truth / "records").glob("player*.jsonl")):
        lines = []
        for line in file.read_text("utf-8", "surrogateescape").splitlines():
            record = json.loads(line)
            record.pop(REMOVED.lower(), None)
            lines.append(json.dumps(record, ensure_ascii=False))
        file.write_text("\n".join(lines) + "\n", "utf-8")
