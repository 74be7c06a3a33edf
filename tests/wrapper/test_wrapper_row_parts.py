"""Rows that have one path and are not of one kind, and values that only some rows have."""

from sitewright.page import Document
from sitewright.wrapper import Record, extract, induce

WORDS = "Amber Birch Cedar Dune Elm Fern Gorse Heath Iris Juniper Kelp Larch Moss".split()
HOST = "http://site.invalid/"


def learnt(bodies):
    pages = (f"<!doctype html><title>Page</title><body>{body}</body>" for body in bodies)
    documents = [Document(page.encode(), f"{HOST}{n}") for n, page in enumerate(pages)]
    wrapper = induce(documents, "thing")
    records = [extract(wrapper, document) for document in documents]
    assert all(isinstance(one, Record) for one in records)
    return wrapper, [one.values for one in records]


def name(n):
    return f"{WORDS[n % 13]} {WORDS[n * 5 % 11]}"


def fact(label, value):
    return f"<div><div>{label}</div><div>{value}</div></div>"


def card(n):
    link = f"<div><a href='/{n}'><img src='/{n}.jpg'></a></div><div><a href='/{n}'>{name(n)}</a>"
    return f"<div>{link}</div><div>{1990 + n % 30}</div><div>{n * 37} km</div></div>"


def test_facts_and_cards_of_one_path_are_not_one_list():
    """Without a class in the page, both are a `div` in a `div` in a `div`."""
    bodies = []
    for n in range(20):
        facts = [fact("Year", 2000 + n), fact("Doors", n % 4 + 2), fact("Colour", WORDS[n % 13])]
        cards = "".join(card(n * 7 + k) for k in range(3 + n % 4))
        head = f"<h1>{name(n)} {n}</h1>"
        bodies.append(f"{head}<div>{''.join(facts[: 2 + n % 2])}</div><div>{cards}</div>")
    wrapper, records = learnt(bodies)
    assert len(wrapper.record_sets) == 1
    rows = wrapper.record_sets[0].name
    assert [len(one[rows]) for one in records] == [3 + n % 4 for n in range(20)]


def test_of_equal_elements_the_last_keep_their_columns_where_rows_lack_the_first():
    """A work by nobody has a date all the same: it is no maker."""
    works = []
    for n in range(60):
        maker = f"<span class=sub>{name(n)}</span>" if n % 6 else ""
        works.append(f"<b>{name(n * 3)} {n}</b>{maker}<span class=sub>{1600 + n}</span>")
    items = [f"<li>{one}</li>" for one in works]
    bodies = [f"<h1>Works {n}</h1><ul>{''.join(items[n * 6 : n * 6 + 6])}</ul>" for n in range(10)]
    wrapper, records = learnt(bodies)
    (found,) = wrapper.record_sets
    rows = [row for one in records for row in one[found.name]]
    columns = [[row[key] for row in rows] for key in rows[0]]
    assert [1600 + n for n in range(60)] in columns
    assert [name(n) if n % 6 else None for n in range(60)] in columns


def test_links_to_other_pages_in_the_last_row_of_a_table_are_no_row():
    """No class tells it from the others; what it holds does."""
    bodies = []
    for n in range(12):
        cells = (f"<td>{n + 1}.{k}.2026</td><td><a href='/{n}-{k}'>{name(n + k)} {k}</a></td>"
                 f"<td>{(n * 7 + k) % 9}-{k % 5}</td>" for k in range(1, 9))  # fmt: skip
        rows = "".join(f"<tr>{one}</tr>" for one in cells)
        pager = "".join(f"<a href='/p{k}'>{k}</a> " for k in range(1, 13) if k != n)
        last = f"<tr><td colspan=3><b>{n}</b> {pager}</td></tr>"
        bodies.append(f"<h1>Matches {n}</h1><table>{rows}{last}</table>")
    wrapper, records = learnt(bodies)
    (rows,) = wrapper.record_sets
    assert [len(one[rows.name]) for one in records] == [8] * 12


def test_a_table_with_titles_beside_one_of_facts_has_rows_of_its_own():
    """Nothing but its titles tells it apart; a season of two rows has its name in the first."""
    bodies = []
    for n in range(20):
        facts = [
            ("Team", name(n)),
            ("Born", f"{1980 + n}-03-0{n % 9 + 1}"),
            ("Weight", f"{70 + n} kg"),
        ]
        told = "".join(f"<tr><td><b>{k}</b></td><td>{v}</td></tr>" for k, v in facts[: 2 + n % 2])
        seasons = ""
        for year in range(2020, 2022 + n % 3):
            both = (year + n) % 2
            span = f"<td rowspan=2>{year}</td>" if both else f"<td>{year}</td>"
            seasons += f"<tr>{span}<td>League</td><td>{year % 7 + n}</td><td>{n}</td></tr>"
            seasons += f"<tr><td>Cup</td><td>{year % 5}</td><td>{n % 4}</td></tr>" if both else ""
        titles = "".join(f"<th>{one}</th>" for one in ("Season", "Kind", "Games", "Goals"))
        rows = f"<table><tr>{titles}</tr>{seasons}</table>"
        bodies.append(f"<p>{name(n)} {n}</p><table>{told}</table><br>{rows}")
    wrapper, records = learnt(bodies)
    (found,) = wrapper.record_sets
    assert [one.name for one in found.fields] == ["season", "kind", "games", "goals"]
    assert {row["kind"] for one in records for row in one[found.name]} == {"League", "Cup"}
    assert [one["weight_raw"] for one in records[:2]] == [None, "71 kg"]


def test_a_value_without_a_class_is_not_taken_from_the_one_behind_it():
    """Utility classes name nothing, but having none tells a salary from a date."""
    jobs = []
    for n in range(60):
        salary = f"<span>{20 + n},000 a year</span>" if n % 3 else ""
        day = f"<span class='text-sm mt-2 md:flex text-slate-400'>{n % 28 + 1}.3.2026</span>"
        jobs.append(
            f"<a class='block p-4 md:flex rounded-2xl' href='/j/{n}'><p class='font-bold mt-1'>"
            f"{name(n)} {n}</p><div class='mt-3 flex gap-4'><span>{name(n * 3)}</span>{salary}{day}"
            "</div></a>"
        )
    groups = ["".join(jobs[n * 6 : n * 6 + 6]) for n in range(10)]
    bodies = [f"<h1>Jobs {n}</h1><div class='mt-6'>{one}</div>" for n, one in enumerate(groups)]
    wrapper, records = learnt(bodies)
    (found,) = wrapper.record_sets
    rows = [row for one in records for row in one[found.name]]
    columns = [[row[key] for row in rows] for key in rows[0]]
    assert [f"{20 + n},000 a year" if n % 3 else None for n in range(60)] in columns
    assert [name(n * 3) for n in range(60)] in columns
