"""kill -9 at any moment loses nothing: the next run ends with the same bytes.

Resuming a live site asks again for what was under way when it was killed: at most as many pages as
are fetched at a time. That is the promise, and no more.
"""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter

import pytest

from examples.cup.faults import Faults
from examples.cup.server import serve
from tests.hostile.wire import hostile_server, page

COMMAND = [sys.executable, "-m", "sitewright"]
ENVIRONMENT = os.environ | {"PYTHONHASHSEED": "0"}
MOMENTS = 20
"""For each verb."""


def write_site(folder, pages=20):
    folder.mkdir()
    links = "".join(f"<li><a href=thing{n}.html>Thing {n}</a>" for n in range(pages))
    (folder / "index.html").write_text(f"<!doctype html><title>Home</title><ul>{links}</ul>")
    for n in range(pages):
        rows = "".join(f"<tr><td>part {n}-{k}</td><td>{n * k} g</td></tr>" for k in range(5))
        (folder / f"thing{n}.html").write_text(
            f"<!doctype html><title>Thing {n}</title><h1>Thing {n}</h1><dl><dt>Size</dt>"
            f"<dd>{n}7 cm</dd></dl><table>{rows}</table><a href=index.html>Home</a>"
        )
    return folder


def digest(folder):
    """The bytes of all results, by name; the archive holds dates, so it is left out."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "pages.warc.gz" and not _is_left_over(path, folder)
    }


def _is_left_over(path, folder):
    """Whether a file is half written: it, or its folder, has a name of its own, and no reader."""
    return any(one.startswith((".", "__")) for one in path.relative_to(folder).parts)


def left_over(folder):
    """What killed processes have left behind; all of it long ago."""
    found = [path for path in folder.rglob(".*") if path.name != ".gitignore"]
    for path in found:
        os.utime(path, (1, 1))
    return [str(path.relative_to(folder)) for path in found]


def start(arguments):
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=ENVIRONMENT,
        start_new_session=True,
    )


def finish(arguments):
    before = time.monotonic()
    run = subprocess.run(
        [*COMMAND, *map(str, arguments)], capture_output=True, env=ENVIRONMENT, check=False
    )
    assert run.returncode == 0, run.stderr
    return time.monotonic() - before


def kill_at(arguments, seconds):
    """Start a command, and kill it and all it started after so long, if it still runs."""
    run = start(arguments)
    try:
        run.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, 9)  # its own session, so its own processes and nobody else's
        run.wait()


def redesigned(site, folder):
    """The same pages with other markup."""
    folder.mkdir()
    for path in site.iterdir():
        text = path.read_text().replace("<dl>", "<div class=facts><dl>")
        (folder / path.name).write_text(text.replace("<h1>", "<h1 class=name>"))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["run", "extract", "repair", "sqlite", "scrapy"])
def test_kill_9_at_any_moment_loses_nothing(verb, tmp_path):
    site, out = write_site(tmp_path / "site", 12), tmp_path / "out"
    finish(["run", site, "-o", out, "--workers", "2"])
    new, made = redesigned(site, tmp_path / "new"), tmp_path / "made"
    arguments, result, is_made_anew = {
        "run": (["run", site, "-o", out, "--workers", "2"], out, False),
        "extract": (["extract", out, site, "--workers", "2"], out, False),
        "repair": (["repair", out, new, "-o", made / "repaired", "--workers", "2"], made, True),
        "sqlite": (["export", "sqlite", out, "-o", made / "site.db"], made, False),
        "scrapy": (["export", "scrapy", out, "--site", site, "--force"], out, False),
    }[verb]
    made.mkdir()
    seconds = finish(arguments)
    wanted = digest(result)
    chance = random.Random(verb)
    for _ in range(MOMENTS):
        if is_made_anew or chance.random() < 0.3:
            shutil.rmtree(result)
            result.mkdir()
            if result is out and verb != "run":
                finish(["run", site, "-o", out, "--workers", "2"])
        kill_at(arguments, chance.uniform(0.1, 1.0) * seconds)
        if not (is_made_anew and digest(result) == wanted):  # it was as quick as that
            finish(arguments)
        assert digest(result) == wanted
    if not is_made_anew and left_over(result):
        finish(arguments)
        assert left_over(result) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_killed_live_run_goes_on_and_asks_for_few_pages_twice(seed, tmp_path):
    site = write_site(tmp_path / "site", 16)
    asked: Counter[str] = Counter()
    answers = {f"/{path.name}": page(path.read_bytes()) for path in site.iterdir()}
    answers["/"] = page((site / "index.html").read_bytes())
    arguments = ["--delay", "0.02", "--pages", "60", "--workers", "1"]
    with hostile_server(answers) as server:
        seconds = finish(["run", server.url, "-o", tmp_path / "whole", *arguments])
        wanted = digest(tmp_path / "whole")
        server.requests.clear()
        chance = random.Random(seed)
        kill_at(["run", server.url, "-o", tmp_path / "out", *arguments],
                chance.uniform(0.3, 0.9) * seconds)  # fmt: skip
        finish(["run", server.url, "-o", tmp_path / "out", *arguments])
        asked.update(path for path in server.requests if path != "/robots.txt")
    assert digest(tmp_path / "out") == wanted
    twice = [path for path, count in asked.items() if count > 1]
    # Links to pages that are not there are asked for again in a later run only if they failed.
    assert len(twice) <= 4
    assert max(asked.values()) <= 2


def test_what_is_under_way_at_a_kill_is_at_most_what_is_fetched_at_a_time():
    from sitewright.site.web import CrawlOptions  # noqa: PLC0415

    assert CrawlOptions().concurrency == 4


def test_a_resumed_run_asks_for_nothing_that_it_has(tmp_path):
    site = write_site(tmp_path / "site", 6)
    with serve(site, faults=Faults()) as server:
        finish(["run", server.url, "-o", tmp_path / "out", "--pages", "20", "--workers", "1"])
        first = digest(tmp_path / "out")
        finish(["run", server.url, "-o", tmp_path / "out", "--pages", "20", "--workers", "1"])
    assert digest(tmp_path / "out") == first
