"""Which texts are labels, which leaves they govern, and what is prose."""

import pytest
from wrapper_pages import (
    bold_page,
    book,
    books,
    column,
    definition_page,
    document,
    learnt,
    read,
    table_page,
)

from sitewright.page import Document
from sitewright.wrapper.class_pages import analyse_pages
from sitewright.wrapper.labels import is_separator, label_name, prefix
from sitewright.wrapper.pages import ELEMENT, TEXT, flat_page
from sitewright.wrapper.titles import columns_of_row


def said(pages):
    """The labels of pages, and for each page which label governs which text."""
    seen = analyse_pages(pages)
    governed = [
        {
            leaf.text: reading.leaves[place].text
            for leaf, place in zip(reading.leaves, governing, strict=True)
            if place >= 0
        }
        for reading, governing in zip(seen.readings, seen.labels_of_leaves, strict=True)
    ]
    return {text for _path, text in seen.labels.words}, governed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Phone: 555", "Phone"),
        ("Phone\uff1a555", "Phone"),
        ("Phone:", ""),
        ("no colon", ""),
        ("Re: your phone", ""),
        ("AW: Ihr Telefon", ""),
        ("12:30", ""),
        ("on Thu, 05/04/2017 - 04:49", ""),
        ("Room:302", "Room"),
        ("one two three four five six: x", ""),
        ("", ""),
    ],
)
def test_what_stands_before_a_colon_is_a_label(text, expected):
    assert prefix(text) == expected


@pytest.mark.parametrize("text", ["Actors:", "actor", "Actor(s):", "ACTORS :", "Actors *"])
def test_a_label_is_the_same_whatever_its_case_and_number(text):
    assert label_name(text) == "actor"


@pytest.mark.parametrize(
    ("text", "expected"), [("|", True), ("\u2013 ", True), ("a", False), ("", True)]
)
def test_a_separator_is_nothing_but_punctuation(text, expected):
    assert is_separator(text) is expected


@pytest.mark.parametrize("make", [table_page, definition_page, bold_page])
def test_labels_are_found_and_values_are_not(make):
    found, governed = said([make(one) for one in books(16)])
    assert {text.rstrip(":") for text in found} == {"ISBN", "Pages", "Publisher", "Published"}
    for one, mine in zip(books(16), governed, strict=True):
        assert mine[one.published].rstrip(":") == "Published"
        assert one.title not in mine


def test_a_value_that_comes_back_often_is_no_label():
    def make(one):
        genre = "Drama" if one.number % 2 else "Comedy"
        return document(f"<h1>{one.title}</h1><p class=genre>{genre}</p><p>{one.isbn}</p>", one.url)

    found, _ = said([make(one) for one in books(16)])
    assert found == set()


def test_titles_of_columns_are_no_labels_of_the_first_row():
    def make(one):
        rows = "".join(f"<tr><td>{o.title}<td>{o.author}<td>{o.isbn}" for o in books(4, one.number))
        return document(f"<table><tr><th>Title<th>Author<th>ISBN{rows}</table>", one.url)

    _, governed = said([make(one) for one in books(12)])
    assert all(mine == {} for mine in governed)


def test_a_paragraph_with_links_in_it_is_one_value():
    def make(one):
        links = " and ".join(
            f"<a href=/x>{o.title}</a>" for o in books(one.number % 4, 9 * one.number)
        )
        words = f"A long story about {one.author} who has written {links} in the old days"
        return document(f"<h1>{one.title}</h1><p class=about>{words} of {one.publisher}.</p>")

    seen = analyse_pages([make(one) for one in books(16)])
    for reading in seen.readings:
        assert sum(leaf.text.startswith("A long story") for leaf in reading.leaves) == 1
        assert {leaf.part for leaf in reading.leaves if "story" in leaf.text} == {ELEMENT}


def test_texts_and_telling_attributes_are_read():
    body = (
        b"<title>T</title><meta name=d content=c><p> a  b </p><a href=/l>x</a><img src=i alt=j>"
        b"<time datetime=2020-01-02>then</time>"
    )
    leaves = flat_page(Document(body, "http://a.example/")).leaves
    parts = [(leaf.part, leaf.text) for leaf in leaves]
    assert parts == [
        (TEXT, "T"),
        ("content", "c"),
        (TEXT, "a b"),
        ("href", "/l"),
        (TEXT, "x"),
        ("src", "i"),
        ("alt", "j"),
        ("datetime", "2020-01-02"),
        (TEXT, "then"),
    ]


@pytest.mark.parametrize(
    "body",
    [
        "<script>x</script>",
        "<style>x</style>",
        "<noscript>x</noscript>",
        "<template>x</template>",
        "<a href='javascript:x'></a>",
        "<a href='#x'></a>",
        "<img src='data:x'>",
        "<img src=pixel width=1 height=1>",
        "<!-- x -->",
        "<p> \n </p>",
    ],
)
def test_what_no_reader_sees_is_not_read(body):
    assert flat_page(Document(f"<body>{body}".encode(), "http://a.example/")).leaves == []


def test_a_value_of_several_pieces_is_there_whole_beside_its_pieces():
    def make(one):
        line = f"<b>{one.number % 7}</b> <i>out of {one.pages}</i>"
        return document(
            f"<h1>{one.title}</h1>"
            f"<div><span>Positive:</span> <span>{line}</span></div>"
            f"<div><span>Author:</span> <span>{one.author}</span></div>",
            one.url,
        )

    wrapper = learnt(make, 16)
    pages = [make(one) for one in books(4, 40)]
    whole = [f"{one.number % 7} out of {one.pages}" for one in books(4, 40)]
    assert column(wrapper, pages, whole).startswith("positive")
    assert column(wrapper, pages, [one.author for one in books(4, 40)]) == "author"


def test_a_value_that_nearly_all_pages_share_is_data_where_a_label_names_it():
    def make(one):
        faith = "Old" if one.number % 15 == 0 else "None"
        return document(
            f"<h1>{one.title}</h1><table><tr><td>Faith:</td><td id=faith>{faith}</td></tr>"
            f"<tr><td>Author:</td><td id=author>{one.author}</td></tr></table>",
            one.url,
        )

    wrapper = learnt(make, 60)
    assert [read(wrapper, make(book(number)))["faith"] for number in (75, 76)] == ["Old", "None"]


@pytest.mark.parametrize("row", ["<tr><td>{}</td><td>{}</td></tr>", "<dt>{}</dt><dd>{}</dd>"])
def test_labels_with_mostly_empty_values_are_labels(row):
    names = ("Name", "Town", "Site", "Job", "Hobby", "Phone", "Motto", "Fax", "Team", "Club")

    def make(one):
        values = (one.author, one.publisher if one.number % 3 else "") + ("",) * 8
        written = "".join(row.format(*pair) for pair in zip(names, values, strict=True))
        table = f"<table>{written}</table>" if row.startswith("<tr") else f"<dl>{written}</dl>"
        return document(f"<h1>{one.title}</h1>{table}", one.url)

    wrapper = learnt(make, 16)
    for one in books(6, 40):
        found = read(wrapper, make(one))
        assert found["name"] == one.author
        assert found["town"] == (one.publisher if one.number % 3 else None)


def test_who_wrote_the_comments_of_pages_is_no_label():
    people = (
        "Ada Bela Cleo Dora Ewa Fay Gus Hal Ida Jon Kit Lea Mia Noa Ole Pia Rui Sia Tom".split()
    )

    def make(one):
        comments = "".join(
            f"<div class=comment><strong>{people[(one.number * 7 + turn * 5) % 19]}</strong>"
            f"<p>{other.title} of {other.publisher} is here.</p></div>"
            for turn, other in enumerate(books(1 + one.number % 3, one.number))
        )
        head = f"<h2>Facts</h2><ul><li>{one.isbn}</li><li>{one.pages}</li></ul>"
        told = f"<section class=told><h2>{1 + one.number % 3} comments</h2>{comments}</section>"
        return document(f"<h1>{one.title}</h1>{head}{told}", one.url)

    wrapper = learnt(make, 36)
    found = {field.name for field in wrapper.fields}
    assert not found & {one.lower() for one in people}
    assert not any(name.startswith(("n_", "facts_2")) for name in found)


def test_a_value_behind_words_that_all_pages_have_is_no_list_with_them():
    def make(one):
        by = f"<p class=byline>Recipe by <a href=/cook/{one.pages}>{one.author}</a></p>"
        return document(f"<h1>{one.title}</h1>{by}", one.url)

    wrapper = learnt(make, 24)
    values = [read(wrapper, make(one)) for one in books(4)]
    assert [one.author for one in books(4)] in [
        [value[name] for value in values] for name in values[0]
    ]


def test_links_to_a_place_in_their_page_are_no_labels_of_what_follows():
    verbs = "open close read write merge split flush".split()

    def make(one):
        rows = "".join(
            f"<div class=second><code><a href=#{verb}>{verb}</a>"
            f"({'int size' if (one.number + turn) % 3 else 'String name'})</code></div>"
            f"<div class=last>{book(one.number * 9 + turn).title}</div>"
            for turn, verb in enumerate(verbs)
            if (one.number * 5 + turn * turn) % 7 < 3
        )
        return document(f"<h1>{one.title}</h1><div class=all>{rows}</div>", one.url)

    wrapper = learnt(make, 24)
    rules = [field.rule.xpath for field in wrapper.fields]
    assert not any(f"'{verb}'" in rule for verb in verbs for rule in rules)


def test_words_that_all_pages_have_are_no_value_where_the_value_is_missing():
    def make(one):
        by = f" <a href=/cook/{one.pages}>{one.author}</a>" if one.number % 4 else ""
        return document(f"<h1>{one.title}</h1><p class=byline>Recipe by{by}</p>", one.url)

    wrapper = learnt(make, 24)
    assert "Recipe by" not in str([read(wrapper, make(one)) for one in books(6)])


@pytest.mark.parametrize(
    ("around", "fact"),
    [
        ("dl", "<dt>{}</dt><dd>{}</dd>"),
        ("dl", "<div><dt>{}</dt><dd>{}</dd></div>"),
        ("table", "<tr><th>{}</th><td>{}</td></tr>"),
    ],
)
def test_what_is_said_of_a_term_is_no_label_though_few_values_come_back(around, fact):
    def make(one):
        grade = ("easy", "medium", "hard")[one.number % 3]
        served = ("2 people", "4 people")[one.number % 2]
        facts = [("Time", f"{one.number % 4} hours"), ("Serves", served), ("Level", grade)]
        if one.number % 4:
            facts.append(("Price", ("cheap", "dear")[one.number % 2]))
        rows = "".join(fact.format(name, value) for name, value in facts)
        lines = "".join(f"<li>{word} {one.number}</li>" for word in one.author.split())
        return document(
            f"<h1>{one.title}</h1><{around}>{rows}</{around}><h2>Steps</h2><ol>{lines}</ol>",
            one.url,
        )

    found, governed = said([make(one) for one in books(24)])
    assert found <= {"Time", "Serves", "Level", "Price", "Steps"}
    assert governed[2]["easy"] == "Level"


@pytest.mark.parametrize("cell", ["div", "span", "p"])
def test_labels_and_values_side_by_side_without_any_class_are_told_apart(cell):
    def make(one):
        facts = [("Author", one.author), ("Publisher", one.publisher), ("Pages", one.pages)]
        facts += [("ISBN", one.isbn)] if one.number % 3 else []
        rows = "".join(
            f"<div><{cell}>{name}</{cell}><{cell}>{value}</{cell}></div>" for name, value in facts
        )
        others = "".join(
            f"<div><div><a href=/book/{other.number}.html>{other.title}</a></div>"
            f"<div>{other.author}</div><div>{other.price}</div></div>"
            for other in books(4 + one.number % 3, start=one.number + 1)
        )
        return document(f"<h1>{one.title}</h1><div>{rows}</div><div>{others}</div>", one.url)

    wrapper = learnt(make, 24)
    for one in books(24):
        found = read(wrapper, make(one))
        assert (found["author"], found["publisher"]) == (one.author, one.publisher)
        assert found["pages"] == int(one.pages)
        assert found["isbn"] == (one.isbn if one.number % 3 else None)


def test_a_cell_ends_in_the_last_column_that_it_stands_over():
    table = "<table><tr><td>in</td></tr></table>"
    html = f"<table><tr><th colspan=2>a<td>b<td>{table}<td>c</tr><tr><td>d</tr></table>"
    reading = flat_page(Document(html.encode()))
    first, *_ = (number for number, tag in enumerate(reading.tags) if tag == "tr")
    ends = {
        reading.leaves[place].text: column
        for cell, column in columns_of_row(reading, first).items()
        for place in range(len(reading.leaves))
        if reading.leaves[place].element == cell
    }
    assert ends == {"a": 2, "b": 3, "c": 5}


def test_the_row_of_an_element_is_that_of_the_walk_outwards():
    """A description belongs to the term before it, and one without a term to nothing."""
    orphans = "<dl><dd>one</dd><dd><b>two</b></dd></dl>"
    pages = [definition_page(one) for one in books(8)]
    pages += [document(f"<h1>{one.title}</h1>{orphans}", one.url) for one in books(8)]
    seen = analyse_pages([*pages, *(table_page(one) for one in books(8))])
    for page, reading in enumerate(seen.readings):
        for element in range(len(reading.nodes)):
            assert seen.rows(page, element) == row_around(seen, page, element)


def row_around(seen, page, element):
    reading, numbers = seen.readings[page], seen.numbers[page]
    for up in reading.ancestry(element):
        if numbers[up] in seen.repeated:
            return up
        if reading.tags[up] == "dd":
            terms = (
                before
                for before in range(up - 1, -1, -1)
                if reading.parents[before] == reading.parents[up] and reading.tags[before] == "dt"
            )
            term = next(terms, -1)
            return term if term >= 0 and numbers[term] in seen.repeated else -1
    return -1
