"""Draw docs/pictures/fields.png: a page with its fields marked, beside the table that comes out.

::

    make demo && .venv/bin/python docs/readme_picture.py

The boxes are where Chromium shows what the selectors of `wrapper.json` find; nothing is placed by
hand but the choice of the fields.
"""

from __future__ import annotations

import base64
import csv
import json
import shutil
from html import escape
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "demo" / "cup" / "site"
CLASS = ROOT / "demo" / "out" / "classes" / "match"
PICTURE = ROOT / "docs" / "pictures" / "fields.png"

PAGE = "matches/001-grimland-meroria.html"
COLOURS = {
    "side": "#2563eb",
    "score": "#dc2626",
    "side_2": "#7c3aed",
    "date": "#059669",
    "stadium": "#d97706",
    "attendance": "#be185d",
}
BESIDE = {"date", "stadium", "attendance"}
"""Their names stand beside the boxes: above is no room."""
ROWS = 11
WIDTH, HEIGHT = 760, 500

BOXES = """
(fields) => Object.fromEntries(Object.entries(fields).map(([name, xpath]) => {
  const found = document.evaluate(xpath, document, null, 9, null).singleNodeValue;
  const range = document.createRange();
  range.selectNode(found);
  const box = range.getBoundingClientRect();
  return [name, [box.x, box.y, box.width, box.height]];
}))
"""

STYLE = """
body { margin: 0; font: 14px/1.4 "DejaVu Sans", sans-serif; color: #111827; background: #fff; }
#all { display: flex; gap: 20px; padding: 16px; width: max-content; align-items: flex-start; }
#page { position: relative; border: 1px solid #9ca3af; border-radius: 6px; overflow: hidden; }
#page img { display: block; }
.box { position: absolute; border: 2.5px solid; border-radius: 4px; }
.box span { position: absolute; left: -2px; top: -20px; font: bold 12px/16px "DejaVu Sans Mono";
  color: #fff; padding: 0 5px; border-radius: 3px; white-space: nowrap; }
.box.beside span { left: 100%; top: 2px; margin-left: 6px; }
table { border-collapse: collapse; font-size: 13.5px; }
td, th { padding: 8px 9px; text-align: left; white-space: nowrap; }
td { border-bottom: 1px solid #e5e7eb; }
th { font: bold 13px "DejaVu Sans Mono"; color: #fff; border-right: 2px solid #fff; }
td.number { text-align: right; }
tr.marked td { background: #fef9c3; }
p { margin: 0 0 10px; font: bold 14px "DejaVu Sans Mono"; color: #374151; }
table + p { font-weight: normal; margin-top: 12px; }
"""


def main() -> None:
    """Draw the picture."""
    wrapper = json.loads((CLASS / "wrapper.json").read_bytes())
    xpaths = {one["name"]: one["xpath"] for one in wrapper["fields"] if one["name"] in COLOURS}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        page = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=1.5
        )
        page.goto((SITE / PAGE).as_uri())
        boxes = page.evaluate(BOXES, xpaths)
        shot = page.screenshot()
        _draw(page, shot, boxes)
        browser.close()


def _draw(page: Page, shot: bytes, boxes: dict[str, list[float]]) -> None:
    marks = "".join(_mark(name, *boxes[name]) for name in COLOURS)
    picture = base64.b64encode(shot).decode()
    page.set_viewport_size({"width": 1800, "height": HEIGHT + 40})
    page.set_content(
        f"<style>{STYLE}</style><div id=all><div id=page>"
        f"<img width={WIDTH} src='data:image/png;base64,{picture}'>{marks}</div>"
        f"<div>{_table()}</div></div>"
    )
    page.locator("#all").screenshot(path=PICTURE)


def _mark(name: str, x: float, y: float, width: float, height: float) -> str:
    colour = COLOURS[name]
    place = "beside" if name in BESIDE else ""
    return (
        f"<div class='box {place}' style='left:{x - 5}px;top:{y - 4}px;width:{width + 5}px;"
        f"height:{height + 3}px;border-color:{colour}'>"
        f"<span style='background:{colour}'>{name}</span></div>"
    )


def _table() -> str:
    with (CLASS / "table.csv").open(encoding="utf-8", newline="") as file:
        records = list(csv.DictReader(file))
    head = "".join(f"<th style='background:{colour}'>{name}" for name, colour in COLOURS.items())
    rows = "".join(
        f"<tr class={'marked' if one['_url'].endswith(PAGE) else 'other'}>"
        + "".join(
            f"<td class={'number' if name == 'attendance' else 'text'}>{escape(one[name])}"
            for name in COLOURS
        )
        for one in records[:ROWS]
    )
    return (
        f"<p>out/classes/match/table.csv</p><table><tr>{head}{rows}</table>"
        f"<p>… {len(records)} records, {len(records[0])} columns</p>"
    )


if __name__ == "__main__":
    main()
