"""No page makes induction or extraction raise, hang or grow out of proportion."""

import subprocess
import sys
import time

import pytest
from lxml import etree
from parsel import Selector
from wrapper_pages import SITE

from sitewright import formats
from sitewright.page import Document
from sitewright.settings import current
from sitewright.wrapper import Record, Wrapper, extract, induce, lines

LETTERS = str.maketrans("0123456789", "abcdefghij")
SECONDS_A_PAGE = 4
"""Of processor time, on a busy machine; the aim is below one for a page of a megabyte."""


def word(number):
    """A number as a word: names with digits count siblings, and are no names."""
    return str(number).translate(LETTERS)


HOSTILE = {
    "nested elements": lambda n: f"<h1>N{n}</h1>" + "<div>" * 20_000 + f"text {n}",
    "nested texts": lambda n: "".join(f"<div>t{(n * 7 + k) % 99} " for k in range(20_000)),
    "rows below nested elements": lambda n: (
        "<div>" * 2_000 + "".join(f"<p>r{k}</p><p>q{k * n}</p>" for k in range(2_000))
    ),
    "nested lists": lambda n: f"<ul><li>a{n}" * 3_000,
    "nested tables": lambda n: f"<table><tr><td>a{n}" * 1_500,
    "an attribute of 5 MB": lambda n: f"<a href='/{'x' * 5_000_000}'>n{n}</a><p>v{n}</p>",
    "a class of 1 MB": lambda n: f"<p class='{'x' * 1_000_000} c'>n{n}</p>",
    "an id of 1 MB": lambda n: f"<p id='{'x' * 1_000_000}'>n{n}</p>",
    "20,000 classes": lambda n: f"<p class='{' '.join(map(word, range(20_000)))}'>n{n}</p>",
    "a label of 2 MB": lambda n: f"<dl><dt>{'L' * 2_000_000}:</dt><dd>{n}</dd></dl>",
    "a text of 700 kB": lambda n: f"<p>{f'word{n} ' * 100_000}</p><b>{n}</b>",
    "digits without end": lambda n: f"<p>{'1' * 1_000_000}{n}</p><b>{n}</b>",
    "points and digits without end": lambda n: f"<p>{'1.1.' * 250_000}{n}</p><b>{n}</b>",
    "colons without end": lambda n: f"<p>{':' * 1_000_000}{n}</p>",
    "spaces without end": lambda n: f"<p>a{' ' * 1_000_000}:{n}</p>",
    "words in common without end": lambda n: f"<p>{'w ' * 300_000}{n}</p>",
    "2,000 labels in a table": lambda n: "".join(
        ["<table>"] + [f"<tr><th>L {word(k)}:<td>{k * n}" for k in range(2_000)]
    ),
    "2,000 labels in a list": lambda n: "".join(
        ["<dl>"] + [f"<dt>L {word(k)}<dd>{k * n}" for k in range(2_000)]
    ),
    "2,000 labels in texts": lambda n: "".join(f"<p>L {word(k)}: {k * n}" for k in range(2_000)),
    "8,000 cells in a row": lambda n: "".join(
        ["<table><tr>"] + [f"<td>{word(k * n)} {n}" for k in range(8_000)]
    ),
    "10,000 siblings": lambda n: "".join(f"<p>s{k * n % 97}</p>" for k in range(10_000)),
    "4,000 ids": lambda n: "".join(f"<p id={word(k)}>{k * n}" for k in range(4_000)),
    "2,000 classes": lambda n: "".join(f"<p class={word(k)}>{k * n}" for k in range(2_000)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_time_and_the_wrapper_stay_small(name):
    pages = [Document(HOSTILE[name](n).encode(), f"{SITE}/{n}.html") for n in range(1, 4)]
    begin = time.process_time()
    wrapper = induce(pages, "hostile")
    extract(wrapper, pages[0])
    assert time.process_time() - begin < SECONDS_A_PAGE * len(pages)
    assert wrapper.width() <= current().wrapper.max_columns
    assert len(formats.dump(wrapper)) < 500_000


def test_a_list_longer_than_what_is_learnt_from_gives_all_its_rows():
    def make(n):
        rows = "".join(f"<tr><td>{k * 7 + n}<td>n{k * n + n}" for k in range(11_000))
        return Document(f"<table class=long>{rows}</table>".encode(), f"{SITE}/{n}.html")

    wrapper = induce([make(1), make(2)], "long")
    found = extract(wrapper, make(3))
    assert isinstance(found, Record)
    assert sum(1 for _ in lines(wrapper, found)) == 11_000


MEMORY = """
import resource
from sitewright.page import Document
from sitewright.wrapper import extract, induce
def make(n):
    row = "<tr><td>{0}<td>n{1}<td><a href=/x{0}>y{0}</a>"
    rows = "".join(row.format(k * 7 + n, k * n) for k in range(8_000))
    return Document(f"<table>{rows}</table>".encode(), f"http://a.example/{n}.html")
pages = [make(n) for n in (1, 2, 3)]
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
extract(induce(pages, "long"), pages[0])
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def test_memory_stays_in_proportion():
    done = subprocess.run(
        [sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 300


NAMES = {
    "both quotes": """it's "so" """,
    "a bracket": "a]b",
    "an expression": "'] | //* | //x['",
    "a call": "concat('a', \"b\")",
    "markup": "&lt;script&gt;alert(1)&lt;/script&gt;",
    "SQL": "x'; DROP TABLE t; --",
    "NUL": "a\0b",
    "control characters": "a\x01\x02\x1fb",
    "right to left": "\u202eabc\u202c",
    "a joiner": "a\u200db\ufeff",
    "a private character": "\ue000\U000f0000",
    "not a character": "a\ufffeb",
    "no-break spaces": "a\xa0\xa0b",
    "other spaces": "a\u2003b\u3000c",
    "braces": "{a} %s ${b}",
    "a backslash": "a\\1\\g<0>(.*)[",
    "an emoji": "\U0001f4d6\ufe0f",
}


def named_page(name, n):
    """A page with a hostile name in every place that gives names."""
    attribute = name.replace('"', "&quot;")
    text = (
        f'<h1 class="{attribute}">Title {n * 13}</h1><dl id="{attribute}">'
        f"<dt>{name}</dt><dd>{n * 7} kg</dd><dt>Other</dt><dd>v{n}</dd></dl>"
        f'<p itemprop="{attribute}">said {n}</p><p>{name}: {n * 3}</p>'
        f'<ul class="{attribute}">'
        + "".join(f"<li><b>{k * n}</b> <i class='{word(k)}'>x{k + n}</i></li>" for k in range(4))
        + f"</ul><table><tr><th>{name}</th><th>B</th><th>C</th></tr>"
        + "".join(f"<tr><td>{k}{n}</td><td>b{k * n}</td><td>c</td></tr>" for k in range(4))
        + "</table>"
    )
    return Document(text.encode(), f"{SITE}/{n}.html")


@pytest.mark.parametrize("name", NAMES)
def test_hostile_names_make_no_hostile_rules(name, tmp_path):
    pages = [named_page(NAMES[name], n) for n in range(1, 9)]
    wrapper = induce(pages, "named")
    assert extract(wrapper, pages[0]) == extract(wrapper, named_page(NAMES[name], 1))
    selector = Selector(pages[0].body.decode().replace("\0", ""))
    for field in wrapper.fields:
        selector.xpath(field.rule.xpath)
    for field in wrapper.all_fields():
        etree.XPath(field.rule.xpath)
        assert field.name.isidentifier()
    path = tmp_path / "wrapper.json"
    formats.write(path, wrapper)
    assert formats.read(path, Wrapper) == wrapper


@pytest.mark.parametrize("name", ["both quotes", "an expression", "SQL", "no-break spaces"])
def test_values_beside_hostile_labels_are_right(name):
    wrapper = induce([named_page(NAMES[name], n) for n in range(1, 13)], "named")
    found = extract(wrapper, named_page(NAMES[name], 50))
    assert isinstance(found, Record)
    assert "350 kg" in map(str, found.values.values())
    assert "v50" in found.values.values()
    assert "Title 650" in found.values.values() or 650 in found.values.values()


def test_lone_surrogates_do_no_harm(tmp_path):
    body = b"<h1 class='\xed\xa0\x80'>t%d</h1><dl><dt>\xed\xa0\x80</dt><dd>%d</dd></dl>&#xd800;"
    pages = [Document(body % (n, n), f"{SITE}/{n}.html") for n in range(6)]
    wrapper = induce(pages, "broken")
    assert isinstance(extract(wrapper, pages[0]), Record)
    path = tmp_path / "wrapper.json"
    formats.write(path, wrapper)
    assert formats.read(path, Wrapper) == wrapper


def test_addresses_beyond_reason_are_kept_as_they_are_or_left_out():
    def make(n):
        links = (
            f"<a class=x href='http://[{n}/'>a{n}</a><a class=y href='//{'y' * 9_000}/{n}'>b{n}</a>"
        )
        return Document(links.encode(), f"{SITE}/{n}.html")

    wrapper = induce([make(n) for n in range(6)], "links")
    assert isinstance(extract(wrapper, make(7)), Record)


@pytest.mark.parametrize(
    "tag", ["o:p", 'x"y', "x'y", "a[b", "a(", "a,b", "x@y", "a::b", "a$", "a²"]
)
def test_a_tag_that_is_no_name_to_xpath_does_no_harm(tag):
    def make(n):
        rows = "".join(f"<dt>t{n + k}</dt><{tag}>r{n * k}</{tag}>" for k in range(4))
        value = f"<h1>N{n}</h1><p class=c><{tag} class=c>v{n}</{tag}></p><b>Size:</b><{tag}>{n}"
        return Document(f"{value}</{tag}><dl>{rows}</dl>".encode(), f"{SITE}/{n}.html")

    wrapper = induce([make(n) for n in range(12)], "odd")
    found = extract(wrapper, make(50))
    assert isinstance(found, Record)
    assert "N50" in found.values.values()
