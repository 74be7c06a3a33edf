"""A few small sites in WARC files, and what a fleet makes of them."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

import duckdb

from sitewright.fleet.engines import TaskOutcome, do_task
from sitewright.site.warc_writer import WarcWriter


class InThisProcess:
    """An engine for tests: one task after the other, here."""

    def outcomes(self, location, tasks):
        for task in tasks:
            yield TaskOutcome(task, do_task(location, task))


DAY = datetime(2026, 1, 2, tzinfo=UTC)
HTML = [("Content-Type", "text/html; charset=utf-8")]


def product(host, n):
    rows = "".join(f"<tr><td>part {n}-{k}</td><td>{n * k + 1} g</td></tr>" for k in range(4))
    return (
        f"https://{host}/products/thing-{n}.html",
        (
            f"<!doctype html><html><head><title>Thing {n} | {host}</title></head><body>"
            f"<div class=menu><a href=/>Home</a> <a href=/news/>News</a></div>"
            f"<h1 class=name>Thing {n}</h1><dl class=facts><dt>Price</dt><dd>${n}.50</dd>"
            f"<dt>Weight</dt><dd>{n}00 g</dd><dt>Colour</dt><dd>shade {n * 7 % 11}</dd></dl>"
            f"<table class=parts>{rows}</table><p class=foot>All about {host}</p></body></html>"
        ),
    )


def story(host, n):
    return (
        f"https://{host}/news/{n}.html",
        (
            f"<!doctype html><html><head><title>News {n} | {host}</title></head><body>"
            f"<div class=menu><a href=/>Home</a> <a href=/news/>News</a></div>"
            f"<article><h2>What happened on day {n}</h2><p class=by>by Author {n % 5}</p>"
            f"<p>It rained for {n} hours, and then came the {n * 13 % 17} winds.</p>"
            f"<p>Nobody was there but {n} cats.</p></article>"
            f"<p class=foot>All about {host}</p></body></html>"
        ),
    )


def home(host):
    links = "".join(f"<li><a href=/products/thing-{n}.html>Thing {n}</a>" for n in range(5))
    return f"https://{host}/", f"<!doctype html><title>{host}</title><ul>{links}</ul>"


def site_pages(host, products=12, stories=12):
    yield home(host)
    for n in range(1, products + 1):
        yield product(host, n)
    for n in range(1, stories + 1):
        yield story(host, n)


def write_warc(path, pages):
    with WarcWriter(path) as archive:
        for url, html in pages:
            archive.write_response(url, 200, HTML, html.encode(), date=DAY)
    return path


def write_fleet(folder, hosts=("a.example", "b.example"), files=2):
    """Pages of several sites, dealt out to several files in turn."""
    folder.mkdir(parents=True, exist_ok=True)
    pages = [page for host in hosts for page in site_pages(host)]
    pages += [product("small.example", n) for n in range(1, 4)]
    for number in range(files):
        write_warc(folder / f"part-{number}.warc.gz", pages[number::files])
    return folder


def digest(out):
    """The bytes of all results, by name; fleet.json names the place of the archives."""
    return {
        str(path.relative_to(out)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(out.rglob("*"))
        if path.is_file()
        and path.name != "fleet.json"
        and not path.relative_to(out).parts[0].startswith(".")
    }


def rows(out, table):
    answer = duckdb.connect().execute(f"select * from read_parquet('{out}/{table}/*.parquet')")
    names = [column[0] for column in answer.description]
    return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]
