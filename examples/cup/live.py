"""Sections of the demo site that only a live web server has, with their truth.

- `live/scorers/`: a list and its pages that scripts fill from JSON;
- `live/kits/`: pages that have their data in `__NEXT_DATA__`, and a list with filters that scripts
  would run: the parameters change nothing;
- `live/notices/`: of which every other one is only in the sitemap; the feed has the newest;
- `live/archive/`: reports that only the search form leads to;
- `live/transfers`: a list over many pages by a parameter, with a row on top that all of them have;
- `live/fans/`: a list of which a button loads more rows;
- `live/calendar`: months without end;
- `live/members/`: for those who have the cookie.

`live_sections` answers for what is no file. `python -m examples.cup OUT --live` writes the rest.
"""

from __future__ import annotations

import json
import random
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from examples.cup.faults import Answer, page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

COOKIE = "member=halcyon"
_DATA = "live/sections.json"
_FIRST = "Ada Bruno Chiku Dara Emil Fatou Goran Hana Ines Jonas Kofi Lena Mato Nia Oto".split()
_LAST = "Adler Brandt Castel Dorn Eklund Farkas Gruber Holm Ilves Jansen Kovac Lindt".split()
_CITIES = "Almere Borg Cadiz Delft Evora Fermo Gent Hilo Ivrea Jena".split()
_COLOURS = "amber blue crimson green ivory jade navy ochre plum red".split()
_WEATHER = ("rain", "sunshine", "fog", "wind", "snow")

_APP = """\
const part = location.pathname.split("/");
const show = (where, html) => { document.getElementById(where).innerHTML = html; };
if (part[2] === "fans") {
  let page = 1;
  const button = document.getElementById("more");
  button.addEventListener("click", () => {
    page += 1;
    fetch("/live/api/fans-" + page + ".json").then(r => r.json()).then(list => {
      document.getElementById("fans").innerHTML += list.rows.map(fan =>
        `<tr class="fan"><td>${fan.name}</td><td>${fan.city}</td></tr>`).join("");
      button.hidden = list.last;
    });
  });
} else if (part[2] === "scorers") {
  fetch("/live/api/scorers.json").then(r => r.json()).then(list => show("list",
    list.map(s => `<li class="scorer"><a href="/live/scorer/${s.id}.html">${s.name}</a></li>`)
      .join("")));
} else {
  const id = part[3].split(".")[0];
  fetch("/live/api/scorer/" + id + ".json").then(r => r.json()).then(s => show("scorer",
    `<h1>${s.name}</h1><dl><dt>City</dt><dd>${s.city}</dd><dt>Goals</dt><dd>${s.goals}</dd>` +
    `<dt>Minutes</dt><dd>${s.minutes}</dd></dl>`));
}
"""
Record = dict[str, object]


def live_files(seed: int, count: int = 40) -> Iterator[tuple[str, bytes]]:
    """Every file of the live sections and of their truth; `count` records for each class."""
    chance = random.Random(seed)
    made = {name: make(chance, count) for name, make in _SECTIONS.items()}
    yield "site/live/index.html", _page("Live", _INDEX).encode()
    yield "site/live/app.js", _APP.encode()
    yield from _scorer_files(made["scorers"])
    yield from _kit_files(made["kits"])
    yield from _fan_files(made["fans"])
    for name in ("notices", "archive", "members"):
        yield from _plain_files(name, made[name])
    served = {name: made[name] for name in ("notices", "archive", "transfers")}
    yield f"site/{_DATA}", json.dumps(served).encode()
    for name, records in made.items():
        lines = (json.dumps(record) + "\n" for record in records)
        yield f"truth/live/{name}.jsonl", "".join(lines).encode()


def _page(title: str, body: str, head: str = "") -> str:
    return (
        f"<!DOCTYPE html>\n<html lang=en><head><title>{escape(title)} - Live</title>{head}</head>\n"
        '<body class="live"><nav class="live-menu"><a href="/live/">Live</a> '
        '<a href="/index.html">The cup</a></nav>\n'
        f"{body}\n</body></html>\n"
    )


_INDEX = """<h1>Live</h1><ul class="sections"><li><a href="/live/scorers/">Scorers</a></li>
<li><a href="/live/kits/">Kits</a></li><li><a href="/live/notices/">Notices</a></li>
<li><a href="/live/archive/">Archive</a></li>
<li><a href="/live/calendar?month=2031-06">Calendar</a></li>
<li><a href="/live/transfers">Transfers</a></li><li><a href="/live/fans/">Fans</a></li>
<li><a href="/live/members/">Members</a></li></ul>"""


def _person(chance: random.Random) -> str:
    return f"{chance.choice(_FIRST)} {chance.choice(_LAST)}"


def _scorers(chance: random.Random, count: int) -> list[Record]:
    return [
        {"id": number, "name": f"{_person(chance)} {number}", "city": chance.choice(_CITIES),
         "goals": chance.randint(1, 40), "minutes": chance.randint(90, 4000)}
        for number in range(count)
    ]  # fmt: skip


def _kits(chance: random.Random, count: int) -> list[Record]:
    return [
        {"id": number, "team": f"{chance.choice(_CITIES)} {number}",
         "shirt": chance.choice(_COLOURS), "price": chance.randint(20, 90)}
        for number in range(count)
    ]  # fmt: skip


def _notices(chance: random.Random, count: int) -> list[Record]:
    return [
        {"id": number, "title": f"Notice {number} of {chance.choice(_CITIES)}",
         "author": _person(chance), "day": f"2031-{chance.randint(1, 12):02}-{1 + number % 28:02}"}
        for number in range(count)
    ]  # fmt: skip


def _reports(chance: random.Random, count: int) -> list[Record]:
    return [
        {"id": number, "title": f"{chance.choice(_CITIES)} against {chance.choice(_CITIES)}",
         "referee": _person(chance), "weather": chance.choice(_WEATHER),
         "crowd": chance.randint(300, 60000)}
        for number in range(count)
    ]  # fmt: skip


def _members(chance: random.Random, count: int) -> list[Record]:
    return [
        {"id": number, "title": f"{_person(chance)} {number}", "since": 1990 + number % 40,
         "seat": f"{chance.choice('ABCDEF')}{chance.randint(1, 99)}"}
        for number in range(count)
    ]  # fmt: skip


def _transfers(chance: random.Random, count: int) -> list[Record]:
    return [
        {"id": number, "player": f"{_person(chance)} {number}", "club": chance.choice(_CITIES),
         "fee": chance.randint(100, 9000)}
        for number in range(count)
    ]  # fmt: skip


def _fans(chance: random.Random, count: int) -> list[Record]:
    return [
        {"id": number, "name": f"{_person(chance)} {number}", "city": chance.choice(_CITIES)}
        for number in range(count)
    ]


_SECTIONS: Mapping[str, Callable[[random.Random, int], list[Record]]] = {
    "scorers": _scorers,
    "kits": _kits,
    "notices": _notices,
    "archive": _reports,
    "members": _members,
    "transfers": _transfers,
    "fans": _fans,
}
ROWS_A_PAGE = 5
PINNED = {"player": "Every club", "club": "Nowhere", "fee": 0}
"""The row that stands on every page of the transfers, and is none of them."""


def _scorer_files(records: list[Record]) -> Iterator[tuple[str, bytes]]:
    script = '<script src="/live/app.js"></script>'
    body = f'<h1>Scorers</h1><ul id="list"></ul>{script}'
    yield "site/live/scorers/index.html", _page("Scorers", body).encode()
    listed = [{"id": record["id"], "name": record["name"]} for record in records]
    yield "site/live/api/scorers.json", json.dumps(listed).encode()
    for record in records:
        shell = f'<div id="scorer">Loading</div>{script}'
        yield f"site/live/scorer/{record['id']}.html", _page("Scorer", shell).encode()
        yield f"site/live/api/scorer/{record['id']}.json", json.dumps(record).encode()


def _fan_files(records: list[Record]) -> Iterator[tuple[str, bytes]]:
    """The first rows stand in the page; the others come when its button is pressed."""
    pages = [records[at : at + ROWS_A_PAGE] for at in range(0, len(records), ROWS_A_PAGE)]
    rows = "".join(
        f'<tr class="fan"><td>{one["name"]}</td><td>{one["city"]}</td></tr>' for one in pages[0]
    )
    body = (
        f'<h1>Fans</h1><table><tbody id="fans">{rows}</tbody></table>'
        '<button id="more">Load more</button><script src="/live/app.js"></script>'
    )
    yield "site/live/fans/index.html", _page("Fans", body).encode()
    for number, page_rows in enumerate(pages[1:], 2):
        data = {"rows": page_rows, "last": number == len(pages)}
        yield f"site/live/api/fans-{number}.json", json.dumps(data).encode()


def _kit_files(records: list[Record]) -> Iterator[tuple[str, bytes]]:
    filters = " ".join(
        f'<a href="?{name}={value}">{value}</a>'
        for name, values in (("sort", ("price", "team", "shirt")), ("view", ("grid", "rows")))
        for value in values
    )
    rows = "".join(
        f'<li class="kit"><a href="/live/kits/{one["id"]}.html">{one["team"]}</a></li>'
        for one in records
    )
    body = f'<h1>Kits</h1><p class="filters">{filters}</p><ul class="kits">{rows}</ul>'
    yield "site/live/kits/index.html", _page("Kits", body).encode()
    for record in records:
        data = json.dumps({"props": {"pageProps": {"kit": record}}})
        shown = f'<h1>{record["team"]}</h1><p class="shirt">{record["shirt"]}</p>'
        script = f'<script id="__NEXT_DATA__" type="application/json">{data}</script>'
        yield f"site/live/kits/{record['id']}.html", _page("Kit", shown + script).encode()


def _plain_files(name: str, records: list[Record]) -> Iterator[tuple[str, bytes]]:
    """The pages of a section whose records stand in them as they are."""
    linked = {"notices": records[::2], "archive": [], "members": records}[name]
    rows = "".join(
        f'<li class="{name}-row"><a href="/live/{name}/{one["id"]}.html">{one["title"]}</a></li>'
        for one in linked
    )
    form = '<form action="/live/search"><input type="search" name="q"><button>Find</button></form>'
    body = f"<h1>{name.title()}</h1>{form if name == 'archive' else f'<ul>{rows}</ul>'}"
    head = '<link rel="alternate" type="application/rss+xml" href="/live/feed.xml">'
    yield f"site/live/{name}/index.html", _page(name.title(), body, head).encode()
    for record in records:
        facts = "".join(
            f"<dt>{key.title()}</dt><dd>{value}</dd>"
            for key, value in record.items()
            if key not in {"id", "title"}
        )
        text = f'<article class="{name}-page"><h1>{record["title"]}</h1><dl>{facts}</dl></article>'
        page_text = _page(str(record["title"]), text)
        yield f"site/live/{name}/{record['id']}.html", page_text.encode()


# What is no file.


def live_sections(
    folder: Path,
) -> Callable[[str, str, Mapping[str, str]], Answer | None] | None:
    """What answers for the live sections of a folder; None if it has none."""
    file = folder / _DATA
    if not file.is_file():
        return None
    data: dict[str, list[Record]] = json.loads(file.read_bytes())

    def answer(path: str, query: str, headers: Mapping[str, str]) -> Answer | None:
        asked = {name: values[0] for name, values in parse_qs(query).items()}
        if path.startswith("/live/members/") and COOKIE not in headers.get("Cookie", ""):
            return Answer(page("Members only"), status=403)
        make = _ANSWERS.get(path)
        return None if make is None else make(data, asked, headers.get("Host", "127.0.0.1"))

    return answer


def _sitemap(notices: list[Record], host: str) -> bytes:
    entries = "".join(
        f"<url><loc>http://{host}/live/notices/{one['id']}.html</loc><lastmod>2020-01-01</lastmod>"
        "</url>"
        for one in notices
    )
    return f'<?xml version="1.0"?><urlset>{entries}</urlset>'.encode()


def _feed(notices: list[Record], host: str) -> bytes:
    items = "".join(
        f"<item><title>{one['title']}</title>"
        f"<link>http://{host}/live/notices/{one['id']}.html</link></item>"
        for one in notices[:10]
    )
    return f'<?xml version="1.0"?><rss><channel>{items}</channel></rss>'.encode()


def _results(reports: list[Record], words: str) -> bytes:
    """The reports that have a word in their title or in the name of the referee."""
    word = words.strip().lower()
    found = [
        one
        for one in reports
        if word and word in f"{one['title']} {one['referee']}".lower().split()
    ]
    rows = "".join(
        f'<li class="hit"><a href="/live/archive/{one["id"]}.html">{one["title"]}</a></li>'
        for one in found
    )
    return _page("Results", f"<h1>{len(found)} results</h1><ol>{rows}</ol>").encode()


def _transfer_page(transfers: list[Record], asked: str) -> bytes:
    """A page of the list: a row that all pages have, its own rows, and links to the others."""
    last = -(-len(transfers) // ROWS_A_PAGE)
    now = min(last, max(1, int(asked))) if asked.isdecimal() else 1
    rows = "".join(
        f'<tr class="transfer"><td>{one["player"]}</td><td>{one["club"]}</td>'
        f'<td class="fee">{one["fee"]}</td></tr>'
        for one in (PINNED, *transfers[(now - 1) * ROWS_A_PAGE : now * ROWS_A_PAGE])
    )
    named = [(str(at), at) for at in range(1, last + 1) if at != now]
    named += [("Next", now + 1)] if now < last else []
    links = " ".join(
        f'<a href="/live/transfers{f"?page={at}" if at > 1 else ""}">{name}</a>'
        for name, at in named
    )
    head = "<tr><th>Player</th><th>Club</th><th>Fee</th></tr>"
    body = f'<h1>Transfers</h1><table class="transfers">{head}{rows}</table><p>{links}</p>'
    return _page("Transfers", body).encode()


def _month(month: str) -> bytes:
    year, _, number = month.partition("-")
    if not (year.isdecimal() and number.isdecimal() and len(month) <= 8):
        return _page("Calendar", "<h1>No month</h1>").encode()
    now = int(year) * 12 + int(number) - 1
    links = " ".join(
        f'<a href="?month={at // 12:04}-{at % 12 + 1:02}">{name}</a>'
        for name, at in (("before", max(0, now - 1)), ("after", now + 1))
    )
    return _page("Calendar", f"<h1>Month {escape(month)}</h1><p>{links}</p>").encode()


_ANSWERS: Mapping[str, Callable[[Mapping[str, list[Record]], Mapping[str, str], str], Answer]] = {
    "/sitemap.xml": lambda data, _, host: Answer(
        _sitemap(data["notices"], host), type="application/xml"
    ),
    "/live/feed.xml": lambda data, _, host: Answer(
        _feed(data["notices"], host), type="application/rss+xml"
    ),
    "/live/search": lambda data, asked, _: Answer(_results(data["archive"], asked.get("q", ""))),
    "/live/transfers": lambda data, asked, _: Answer(
        _transfer_page(data["transfers"], asked.get("page", "1"))
    ),
    "/live/calendar": lambda _, asked, __: Answer(_month(asked.get("month", "2031-06"))),
}
