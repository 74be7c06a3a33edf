"""What is learnt from pages that list many things, or hold lists beside what they tell."""

import random
import re
from collections import Counter

import pytest
from wrapper_pages import (
    SITE,
    book,
    books,
    card_page,
    document,
    header_table_page,
    item_page,
    learnt,
    learnt_list,
    read,
    rows_of,
    shelf_books,
)

from sitewright.page import Document
from sitewright.wrapper import Record, extract, induce, lines
from sitewright.wrapper.pages import expected_overlap, homogeneity
from sitewright.wrapper.values.types import ValueKind

LISTS = [card_page, header_table_page, item_page]


def rows(wrapper, page):
    """The rows of a list page, as its table has them."""
    found = extract(wrapper, page)
    assert isinstance(found, Record)
    return list(lines(wrapper, found))


def names_of(wrapper, truth, shelf, make):
    """The column that holds these values, row by row."""
    found = rows(wrapper, make(shelf))
    return [name for name in found[0] if [row[name] for row in found] == truth]


@pytest.mark.parametrize("make", LISTS)
def test_a_class_of_lists_has_one_record_for_each_row(make):
    wrapper = learnt_list(make)
    assert wrapper.rows is not None
    for shelf in (30, 31, 32, 33):
        assert len(rows(wrapper, make(shelf))) == len(shelf_books(shelf))


@pytest.mark.parametrize("make", LISTS)
def test_every_row_has_the_address_of_its_page_first(make):
    for row in rows(learnt_list(make), make(30)):
        assert next(iter(row)) == "_url"
        assert row["_url"] == f"{SITE}/shelf/30.html"


@pytest.mark.parametrize("make", LISTS)
def test_the_values_of_the_rows_are_right_on_other_pages(make):
    wrapper = learnt_list(make)
    shelf = shelf_books(31)
    assert names_of(wrapper, [one.title for one in shelf], 31, make)
    assert names_of(wrapper, [one.author for one in shelf], 31, make)
    assert names_of(wrapper, [f"{SITE}/book/{one.number}.html" for one in shelf], 31, make)


@pytest.mark.parametrize("make", [card_page, header_table_page])
def test_the_values_of_the_rows_have_types(make):
    shelf = shelf_books(31)
    prices = names_of(learnt_list(make), [float(one.price[1:]) for one in shelf], 31, make)
    assert prices == ["price"]


def test_the_titles_of_a_table_name_its_columns():
    wrapper = learnt_list(header_table_page)
    (records,) = wrapper.record_sets
    named = {field.name: field.named_by for field in records.fields}
    assert named["author"] == named["price"] == named["published"] == "header"
    assert "Author" not in {row["author"] for row in rows(wrapper, header_table_page(31))}


@pytest.mark.parametrize("make", LISTS)
def test_the_links_of_rows_are_foreign_keys(make):
    wrapper = learnt_list(make, leads_to=lambda url: "book" if "/book/" in url else None)
    (records,) = wrapper.record_sets
    links = [field for field in records.fields if field.type.kind is ValueKind.URL]
    assert [field.references for field in links] == ["book"]


@pytest.mark.parametrize("count", [1, 2, 360])
@pytest.mark.parametrize(
    ("make", "row"),
    [
        (card_page, r"<div class=card>.*?</div>"),
        (header_table_page, r"<tr><td>.*?</tr>"),
        (item_page, r"<li>.*?</li>"),
    ],
)
def test_pages_with_more_or_fewer_rows_than_those_learnt_from_are_read(make, row, count):
    wrapper = learnt_list(make)
    one = make(31).body.decode()
    found = re.findall(row, one)
    assert len(found) == len(shelf_books(31))
    start, end = one.index(found[0]), one.index(found[-1]) + len(found[-1])
    page = one[:start] + "".join((found * 40)[:count]) + one[end:]
    titles = [one.title for one in shelf_books(31) * 40][:count]
    table = rows(wrapper, Document(page.encode(), f"{SITE}/{count}.html"))
    assert [name for name in table[0] if [line[name] for line in table] == titles]


def test_a_row_that_lacks_a_part_has_null_there():
    def make(shelf):
        cards = "".join(
            f"<div class=card><h3>{one.title}</h3>"
            + (f"<b class=price>{one.price}</b>" if one.number % 3 else "")
            + f"<i class=author>{one.author}</i></div>"
            for one in shelf_books(shelf)
        )
        return document(cards, f"{SITE}/shelf/{shelf}.html")

    wrapper = learnt_list(make)
    found = rows(wrapper, make(30))
    assert [row["price_raw"] for row in found] == [
        one.price if one.number % 3 else None for one in shelf_books(30)
    ]
    assert [row["author"] for row in found] == [one.author for one in shelf_books(30)]


def with_editions(one):
    """A page of a book that lists its editions."""
    facts = "".join(f"<dt>{label}</dt><dd>{value}</dd>" for label, value in rows_of(one))
    editions = "".join(
        f"<li><span class=day>{other.published}</span> <i class=isbn>{other.isbn}</i> "
        f"<b class=price>{other.price}</b></li>"
        for other in editions_of(one)
    )
    body = f"<h1>{one.title}</h1><dl>{facts}</dl><h2>Editions</h2><ul>{editions}</ul>"
    return document(body, one.url)


def editions_of(one):
    return books(3 + one.number % 4, start=100 * one.number)


def test_a_page_may_hold_a_list_beside_its_own_fields():
    wrapper = learnt(with_editions, 16)
    assert wrapper.rows is None
    for one in books(5, start=60):
        values = read(wrapper, with_editions(one))
        assert values["published"] == one.day
        (name,) = (records.name for records in wrapper.record_sets)
        assert name == "editions"
        assert [row["isbn"] for row in values[name]] == [other.isbn for other in editions_of(one)]
        assert [row["price_raw"] for row in values[name]] == [
            other.price for other in editions_of(one)
        ]


def test_a_page_without_any_row_has_an_empty_list():
    def make(one):
        page = with_editions(one)
        if one.number % 4:
            return page
        text = page.body.decode()
        start, end = text.index("<h2>"), text.index("</ul>") + 5
        return Document((text[:start] + text[end:]).encode(), page.url)

    wrapper = learnt(make, 16)
    (name,) = (records.name for records in wrapper.record_sets)
    assert read(wrapper, make(book(60)))[name] == []
    assert len(read(wrapper, make(book(61)))[name]) == len(editions_of(book(61)))


def test_short_lists_of_values_are_one_field_of_many():
    def make(one):
        genres = "".join(
            f"<li>{other.author}</li>" for other in books(1 + one.number % 5, 9 * one.number)
        )
        return document(f"<h1>{one.title}</h1><ul class=writers>{genres}</ul>", one.url)

    wrapper = learnt(make, 16)
    values = read(wrapper, make(book(64)))
    writers = [other.author for other in books(1 + 64 % 5, 9 * 64)]
    assert writers in values.values()


def writers_of(one):
    return [other.author for other in books(1 + one.number % 4, 9 * one.number)]


@pytest.mark.parametrize(
    "written",
    [
        # with a symbol behind some of them, commas, and a word before the last
        lambda names: "<p>" + ", ".join(
            f"<a href=/by/{name}>{name}</a>" + " <a href=/>\N{E-MAIL SYMBOL}</a>" * (len(name) % 2)
            for name in names
        ).replace("</a>, ", "</a> and ", 1) + "</p>",
        # beside their label, with what all pages have behind them
        lambda names: "<p>Writers: <span>" + ", ".join(
            f"<a href=/by/{name}>{name}</a>" for name in [*names, "Full list"]
        ) + "</span></p>",
        # as elements beside their label
        lambda names: "<p>Writers: " + " ".join(
            f"<a href=/by/{name}>{name}</a>" for name in names
        ) + "</p>",
    ],
)  # fmt: skip
def test_a_list_is_read_to_its_end_whatever_stands_between_its_values(written):
    def make(one):
        return document(
            f"<h1>{one.title}</h1>{written(writers_of(one))}<p>Price: {one.price}</p>", one.url
        )

    wrapper = learnt(make, 20)
    for one in books(5, 60):
        assert writers_of(one) in read(wrapper, make(one)).values()


def test_lists_inside_rows_do_not_become_rows():
    def make(shelf):
        cards = "".join(
            f"<div class=card><h3>{one.title}</h3><ul>"
            + "".join(f"<li>{other.isbn}</li>" for other in books(2 + one.number % 3, one.number))
            + f"</ul><b class=price>{one.price}</b></div>"
            for one in shelf_books(shelf)
        )
        return document(f"<h1>Shelf {shelf}</h1>{cards}", f"{SITE}/shelf/{shelf}.html")

    wrapper = learnt_list(make)
    found = rows(wrapper, make(31))
    assert len(found) == len(shelf_books(31))
    numbers = [
        [other.isbn for other in books(2 + one.number % 3, one.number)] for one in shelf_books(31)
    ]
    assert any([row[name] for row in found] == numbers for name in found[0])


def test_menus_that_all_pages_share_are_no_records():
    wrapper = learnt_list(card_page)
    assert len(wrapper.record_sets) == 1
    samples = {sample for field in wrapper.all_fields() for sample in field.samples}
    assert "Home" not in samples


def test_foreign_pages_do_not_ruin_a_list():
    own = [card_page(shelf) for shelf in range(1, 19)]
    odd = [Document(b"<h2>Gone</h2><p>Nothing here, sorry.</p>", f"{SITE}/x{n}") for n in (1, 2)]
    wrapper = induce([*own, *odd], "shelf")
    clean = induce(own, "shelf")
    assert wrapper.rows == clean.rows
    assert rows(wrapper, card_page(40)) == rows(clean, card_page(40))


def test_one_list_page_alone_gives_its_rows():
    wrapper = induce([card_page(3)], "shelf")
    assert len(rows(wrapper, card_page(3))) == len(shelf_books(3))
    assert len(rows(wrapper, card_page(31))) == len(shelf_books(31))


def test_rows_in_two_cells_side_by_side_are_one_list():
    def make(shelf):
        items = [
            f"<li><a href=/book/{one.number}.html>{one.title}</a> <i>{one.author}</i></li>"
            for one in books(20, 30 * shelf)
        ]
        body = f"<ul>{''.join(items[:10])}</ul><td><ul>{''.join(items[10:])}</ul>"
        return document(f"<table class=index><tr><td>{body}</table>", f"{SITE}/index/{shelf}.html")

    wrapper = learnt_list(make)
    assert len(rows(wrapper, make(31))) == 20


def test_terms_and_what_is_said_of_them_are_rows_of_two_columns():
    def make(shelf):
        items = "".join(
            f"<dt><a href=/book/{one.number}.html>{one.title}</a></dt>"
            f"<dd>by {one.author}, {one.isbn}</dd>"
            for one in books(15, 30 * shelf)
        )
        return document(f"<dl class=index>{items}</dl>", f"{SITE}/index/{shelf}.html")

    wrapper = learnt_list(make)
    found = rows(wrapper, make(31))
    assert len(found) == 15
    assert any(book(930).isbn in str(value) for value in found[0].values())
    assert book(930).title in found[0].values()


def test_rows_whose_values_come_from_a_small_set_are_still_rows():
    def make(one):
        editions = "".join(
            f"<li><span class=day>{other.published}</span> <i>{other.publisher}</i> "
            f"<b class=price>{other.price}</b></li>"
            for other in editions_of(one)
        )
        return document(f"<h1>{one.title}</h1><ul class=editions>{editions}</ul>", one.url)

    wrapper = learnt(make, 16)
    (records,) = wrapper.record_sets
    found = read(wrapper, make(book(61)))[records.name]
    houses = [other.publisher for other in editions_of(book(61))]
    assert any([row[name] for row in found] == houses for name in found[0])


def test_the_key_of_a_list_tells_its_rows_apart():
    wrapper = learnt_list(card_page)
    assert wrapper.key
    found = [tuple(row[name] for name in wrapper.key) for row in rows(wrapper, card_page(31))]
    assert len(set(found)) == len(shelf_books(31))


def test_a_button_in_every_row_is_no_column():
    def make(shelf):
        cards = "".join(
            f"<div class=card><h3>{one.title}</h3><b class=price>{one.price}</b>"
            f"<a href=/cart/{one.number}>Add to cart</a></div>"
            for one in shelf_books(shelf)
        )
        return document(f"<h1>Shelf {shelf}</h1>{cards}", f"{SITE}/shelf/{shelf}.html")

    wrapper = learnt_list(make)
    assert "Add to cart" not in {s for field in wrapper.all_fields() for s in field.samples}
    assert any(one.sample == "Add to cart" for one in wrapper.dropped)


def test_members_that_many_pages_share_are_rows_not_labels():
    common = [(f"method{one.number}", f"(int) : {one.author}") for one in books(60)]

    def make(number):
        inherited = common[(number % 3) * 20 :][:20] if number % 4 else common[:40]
        own = [
            (f"own{number}x{one.number}", f"() : {one.author}")
            for one in books(2 + number % 3, 10 * number)
        ]
        items = "".join(
            f"<li class=fn><b><a href=#{name}>{name}</a></b>{rest}</li>"
            for name, rest in sorted([*own, *inherited])
        )
        return document(f"<h1>Members of C{number}</h1><ul>{items}</ul>", f"{SITE}/c/{number}.html")

    wrapper = induce([make(number) for number in range(1, 17)], "members")
    assert len(rows(wrapper, make(21))) == 2 + 21 % 3 + 20
    assert len(rows(wrapper, make(24))) == 2 + 24 % 3 + 40


def test_a_grid_of_cells_without_row_elements_has_a_row_for_each_first_cell():
    def make(shelf):
        cells = "".join(
            f"<div class='col-first {state} list'><a href={one.url}>{one.title}</a></div>"
            f"<div class='col-last {state} list'>{one.author} for {one.price}</div>"
            for state, one in zip(["even", "odd"] * 30, shelf_books(shelf), strict=False)
        )
        heads = "<div class='head col-first'>Title</div><div class='head col-last'>About</div>"
        return document(
            f"<h1>Shelf {shelf}</h1><div class=grid>{heads}{cells}</div>",
            f"{SITE}/shelf/{shelf}.html",
        )

    wrapper = learnt_list(make)
    found = extract(wrapper, make(31)).values
    (records,) = wrapper.record_sets
    about = [f"{one.author} for {one.price}" for one in shelf_books(31)]
    assert any(
        [row[name] for row in found[records.name]] == about for name in found[records.name][0]
    )


def test_a_long_list_in_a_section_of_running_text_has_rows():
    def section(one, turn):
        links = "".join(
            f"<li class=entry><a href=/e/{one.number}/{turn}/{place}>{other.title}</a></li>"
            for place, other in enumerate(books(15 + turn, one.number * 7 + turn))
        )
        text = "".join(
            f"<p>{' '.join(near.title for near in books(9, other.number))} <a href=/x>"
            f"{other.author}</a> and so on.</p>"
            for other in books(turn + one.number % 3, one.number)
        )
        return f"<section><h2>{one.publisher} {turn}</h2>{text}<ul>{links}</ul></section>"

    def make(one):
        sections = "".join(section(one, turn) for turn in range(1, 4))
        return document(f"<h1>{one.title}</h1>{sections}", one.url)

    wrapper = learnt(make, 10)
    values = read(wrapper, make(book(30)))
    assert (
        any(
            isinstance(value, list) and len(value) == sum(15 + turn for turn in range(1, 4))
            for value in values.values()
        )
        or wrapper.rows
    )


def squad_page(number, *, header):
    """Players, some without the cell of their picture."""
    rows = ""
    for one in books(4 + number % 5, start=20 * number):
        face = "" if one.number % 3 else f"<td><img src='/face/{one.number}.jpg'></td>"
        rows += f"<tr>{face}<td>{one.author}</td><td>{one.publisher}</td><td>{one.pages}</td></tr>"
    titles = "<tr><th>Face</th><th>Name</th><th>House</th><th>Caps</th></tr>" if header else ""
    return document(f"<h1>Squad {number}</h1><table>{titles}{rows}</table>", f"{SITE}/s/{number}")


@pytest.mark.parametrize("header", [True, False])
def test_rows_that_lack_their_first_cell_keep_their_values_in_one_column(header):
    wrapper = induce([squad_page(number, header=header) for number in range(1, 17)], "squad")
    for number in (30, 31, 32):
        found = rows(wrapper, squad_page(number, header=header))
        truth = books(4 + number % 5, start=20 * number)
        columns = {tuple(str(row[name]) for row in found) for name in found[0]}
        for wanted in ("author", "publisher", "pages"):
            assert tuple(getattr(one, wanted) for one in truth) in columns
        if header:
            assert [row["name"] for row in found] == [one.author for one in truth]


def also_bought(one, *, facts):
    """A product with a long list of other products, which is the most regular part of the page."""
    others = "".join(
        f"<li class=card><a href='/p/{other.number}'>{other.title}</a><b>{other.price}</b>"
        f"<i>{other.author}</i><em>{other.pages} pages</em></li>"
        for other in books(12, start=30 * one.number)
    )
    own = f"<p>{one.price}</p>" + (f"<div>{one.author}</div>" if facts > 1 else "")
    body = f"<h1>{one.title}</h1>{own}<h2>Others also bought</h2><ul>{others}</ul>"
    return document(body, one.url)


@pytest.mark.parametrize("facts", [1, 2])
def test_a_product_with_a_long_list_beside_it_is_the_record(facts):
    wrapper = induce([also_bought(one, facts=facts) for one in books(16)], "product")
    assert wrapper.rows is None
    for one in books(3, start=60):
        values = read(wrapper, also_bought(one, facts=facts))
        assert values["title"] == one.title
        assert len(values["others_also_bought"]) == 12


def test_the_contents_of_a_book_beside_a_short_page_are_not_its_records():
    def page(book, number):
        chapters = "".join(
            f"<li class=chapter><a href='/{book}/{other.number}'><b>{other.number}.</b> "
            f"{other.title}</a></li>"
            for other in books(12, start=20 * book)
        )
        text = f"<h1>{books(12, start=20 * book)[number].title}</h1><p>This edition has moved.</p>"
        url = f"http://books.invalid/{book}/{number}"
        return document(f"<nav><ol>{chapters}</ol></nav><main>{text}</main>", url)

    wrapper = induce([page(book, number) for book in range(3) for number in range(6)], "moved")
    assert wrapper.rows is None
    values = read(wrapper, page(4, 3))
    assert books(12, start=80)[3].title in values.values()


# What is learnt from some pages is learnt from others.

NAMES = "Ada Bea Cleo Dora Edda Fay Gail Hana Ines Jana".split()


def talk(number, sections=None):
    """A talk: its title, one to ten people, and headings in its text, all of one level."""
    people = [NAMES[(number * 7 + turn * 3) % 10] for turn in range(1 + number * number % 9)]
    links = ", ".join(f"<a href=/who/{one.lower()}>{one} {one}son</a>" for one in people)
    count = number % 6 if sections is None else sections
    parts = "".join(
        f"<h1>Part {NAMES[(number + turn) % 10]} of {turn}</h1><p>Words on {number * turn}.</p>"
        for turn in range(count)
    )
    return Document(
        f"<title>On {NAMES[number % 10]} {number}</title><body><div><h1>On {NAMES[number % 10]} "
        f"{number}</h1><p class=by>{links}</p>{parts}</div>".encode(),
        f"http://talks.invalid/{number}",
    )


def test_headings_in_the_text_are_no_columns_by_their_turn():
    wrapper = induce([talk(number) for number in range(24)], "talk")
    names = [one.name for one in wrapper.fields]
    assert "title" in names
    assert not [name for name in names if name.startswith(("heading", "title_"))]
    found = extract(wrapper, talk(3))
    assert isinstance(found, Record)
    assert found.values["title"] == "On Dora 3"


@pytest.mark.parametrize("numbers", [range(12), range(12, 24), range(0, 24, 2), range(1, 24, 2)])
def test_a_list_of_one_to_nine_is_a_list_whatever_pages_it_is_learnt_from(numbers):
    wrapper = induce([talk(number, 0) for number in numbers], "talk")
    lists = {one.name: one for one in wrapper.fields if one.many}
    found = extract(wrapper, talk(26, 0))
    assert isinstance(found, Record)
    people = [NAMES[(26 * 7 + turn * 3) % 10] for turn in range(1 + 26 * 26 % 9)]
    assert [f"{one} {one}son" for one in people] in [found.values[name] for name in lists]


def test_few_texts_are_as_like_all_as_so_few_can_be():
    shapes = Counter({("a", "", 1): 6, ("a", "", 2): 3, ("0", "", 1): 1})
    assert expected_overlap(1, shapes) == pytest.approx(0.36 + 0.09 + 0.01)
    assert expected_overlap(10**6, shapes) == pytest.approx(1, abs=0.01)
    assert expected_overlap(3, Counter({("a", "", 1): 5})) == 1


def test_a_text_that_is_alone_makes_no_group_pure():
    one, other = ("a", "", 1), ("0", "", 1)
    assert homogeneity([Counter({one: 1}), Counter({other: 1})]) == 0
    assert homogeneity([Counter({one: 3, other: 1})]) == 0.75


def test_links_to_the_other_pages_of_a_list_are_no_column():
    def page(number):
        own = "".join(
            f"<tr><td>Player {number}-{row}</td><td>{row * 31 % 7}</td></tr>" for row in range(6)
        )
        links = [f'<a href="/list?page={one}">{one}</a>' for one in range(1, 5) if one != number]
        links.append(f'<a href="/list?page={number % 4 + 1}">Next</a>')
        html = f"<title>Players</title><table>{own}</table><p>{' '.join(links)}</p>"
        return Document(html.encode(), f"{SITE}/list?page={number}")

    wrapper = induce([page(number) for number in range(1, 5)], "list")
    assert not wrapper.fields
    assert len(rows(wrapper, page(2))) == 6


def test_rows_that_a_class_numbers_are_records_with_their_pictures():
    def make(shelf):
        items = "".join(
            f"<li class='tile tile-{turn} {'first' if turn == 1 else ''}'>"
            f"<div class=cover><a href={one.url}><img src=/{one.number}.jpg></a></div>"
            f"<div class=name><a href={one.url}>{one.title}</a></div></li>"
            for turn, one in enumerate(books(6, shelf * 10), 1)
        )
        return document(f"<h1>Shelf {shelf}</h1><ul>{items}</ul>", f"{SITE}/s/{shelf}.html")

    wrapper = induce([make(shelf) for shelf in range(1, 13)], "shelf")
    found = rows(wrapper, make(20))
    assert [row["_url"] for row in found] == [f"{SITE}/s/20.html"] * 6
    titles = [one.title for one in books(6, 200)]
    pictures = [f"{SITE}/{one.number}.jpg" for one in books(6, 200)]
    columns = [[row[name] for row in found] for name in found[0]]
    assert titles in columns
    assert pictures in columns


def test_classes_that_number_three_parts_of_a_page_tell_them_apart():
    def make(one):
        facts = (one.author, one.publisher, one.price)
        parts = "".join(
            f"<div class='part part-{turn}'><p>{fact}</p></div>"
            for turn, fact in enumerate(facts, 1)
        )
        return document(f"<h1>{one.title}</h1>{parts}", one.url)

    found = read(learnt(make), make(book(40))).values()
    assert {book(40).author, book(40).publisher} <= set(found)


def test_the_classes_of_a_row_itself_part_no_columns():
    def make(shelf, topic):
        items = "".join(
            f"<article class='post topic-{topic}'><h2><a href={one.url}>{one.title}</a></h2>"
            f"<p class=by>{one.author}</p></article>"
            for one in books(shelf, shelf * 10)
        )
        return document(f"<h1>About {topic}</h1>{items}", f"{SITE}/{topic}/{shelf}.html")

    topics = [(5, "stone"), (17, "lamp"), (8, "river")]
    wrapper = induce([make(*one) for one in topics], "topic")
    (records,) = wrapper.record_sets
    assert [one.coverage for one in records.fields] == [1.0] * 3
    assert len(rows(wrapper, make(5, "wood"))) == 5


def test_as_many_rows_on_each_of_three_pages_are_no_fields_by_their_place():
    def make(shelf):
        chosen = (
            "Lamp", "Nine long winters in the north of it", "Who? Me & you!", "A-Z", "Top: all",
            "Ten (or so) roads", "Rain/Snow", "On", "#best of", "@home",
        )  # fmt: skip
        items = "".join(
            f"<div class=post><h2><a href=/p/{shelf}{turn}>{words} {'abc'[shelf - 1]}</a></h2>"
            f"<p class=by>{book(shelf * 7 + turn).author}</p></div>"
            for turn, words in enumerate(chosen[shelf * 3 :] + chosen[: shelf * 3], 1)
        )
        return document(f"<h1>Page {shelf}</h1>{items}", f"{SITE}/blog/{shelf}.html")

    wrapper = induce([make(shelf) for shelf in (1, 2, 3)], "blog")
    assert len(rows(wrapper, make(2))) == 10


def test_rows_of_labels_and_values_that_come_back_are_no_menu():
    def make(shelf):
        items = "".join(
            f"<div class=hit><h3><a href={one.url}>{one.title}</a></h3>"
            f"<div><b>Rank</b> <i>{turn}</i></div><div><b>Copies</b> <i>{turn % 2}</i></div></div>"
            for turn, one in enumerate(books(8, shelf * 10), 1)
        )
        return document(f"<h1>Found {shelf}</h1>{items}", f"{SITE}/found/{shelf}.html")

    wrapper = induce([make(shelf) for shelf in range(1, 13)], "found")
    found = rows(wrapper, make(20))
    assert [row["rank"] for row in found] == list(range(1, 9))


def test_items_far_from_each_other_in_the_tree_are_one_list():
    def make(shelf):
        items = "".join(
            "<div class=row><article><header><div><h2>"
            f"<a href={one.url}><span>{one.title}</span></a></h2></div></header></article></div>"
            for one in books(6, shelf * 10)
        )
        return document(f"<h1>Topic {shelf}</h1>{items}", f"{SITE}/topic/{shelf}.html")

    wrapper = induce([make(shelf) for shelf in range(1, 13)], "topic")
    assert [one.title for one in books(6, 200)] in read(wrapper, make(20)).values()


def test_a_table_on_few_pages_is_named_by_the_heading_and_the_titles_over_it():
    def make(one):
        rows = "".join(
            f"<tr><td>{other.publisher}</td><td>{other.pages}</td></tr>"
            for other in books(2 + one.number % 3, one.number)
        )
        titles = "<tr><th>Category</th><th>Amount</th></tr>"
        table = f"<h2>Prices</h2><table class=data>{titles}{rows}</table>"
        return document(
            f"<article class=help><h1>{one.title}</h1><p>{one.author} says more.</p>"
            f"{table if one.number % 4 == 0 else ''}</article>",
            one.url,
        )

    wrapper = learnt(make, 24)
    (records,) = wrapper.record_sets
    assert records.name == "prices"
    assert [field.name for field in records.fields] == ["category", "amount"]


def test_what_counts_the_rows_is_their_rank():
    def make(shelf):
        rows = "".join(
            f"<tr><td>{turn}</td><td>{one.author}</td><td>{one.pages}</td></tr>"
            for turn, one in enumerate(shelf_books(shelf), 1)
        )
        titles = "<tr><th>#</th><th>Author</th><th>Pages</th></tr>"
        return document(f"<h1>Shelf {shelf}</h1><table>{titles}{rows}</table>")

    (records,) = learnt_list(make).record_sets
    assert [field.name for field in records.fields] == ["rank", "author", "pages"]


@pytest.mark.parametrize("form", ["table", "cards"])
def test_rows_that_every_page_has_under_another_class_lose_no_list(form):
    """Two rows are pinned to the top of each page of a list, and marked as such."""
    row, outer, head = {
        "table": (
            "<tr class='{mark}'><td>{one.title}<td>{one.author}<td>{one.price}</tr>",
            "table",
            "<tr><th>Title<th>Author<th>Price</tr>",
        ),
        "cards": (
            (
                "<li class='card {mark}'><h3><a href=/book/{one.number}.html>{one.title}</a></h3>"
                "<span class=author>{one.author}</span> <b class=price>{one.price}</b></li>"
            ),
            "ul",
            "",
        ),
    }[form]
    pinned = books(2, start=900)

    def page(shelf):
        rows = [row.format(one=one, mark="pinned") for one in pinned]
        rows += [row.format(one=one, mark="") for one in shelf_books(shelf)]
        body = f"<h1>Shelf {shelf}</h1><{outer} class=books>{head}{''.join(rows)}</{outer}>"
        return document(body, f"{SITE}/shelf/{shelf}.html")

    wrapper = learnt_list(page)
    assert wrapper.rows is not None
    found = rows(wrapper, page(31))
    titles = [one.title for one in [*pinned, *shelf_books(31)]]
    assert titles in [[row[name] for row in found] for name in found[0]]


def nine_events(number):
    """Nine items of three plain paragraphs: no class says what is what, and no page has fewer."""
    items = (9 * number + turn for turn in range(9))
    rows = "".join(
        f"<li><p>{NAMES[one * 7 % 10]} {NAMES[one * 3 % 9]}son {one}</p>"
        f"<p>speaks of {one} lamps that {NAMES[one % 7]} left in the hall of the old house</p>"
        f"<p>{1 + one % 27} May 20{10 + one % 15}</p></li>"
        for one in items
    )
    return document(f"<h1>Evening {number}</h1><ul>{rows}</ul>", f"{SITE}/evening/{number}.html")


def test_items_of_equal_paragraphs_are_rows_though_all_pages_have_nine():
    wrapper = induce([nine_events(number) for number in range(20)], "evening")
    (events,) = wrapper.record_sets
    assert len(events.fields) == 3
    assert len(wrapper.fields) < 3
    found = extract(wrapper, nine_events(30))
    assert isinstance(found, Record)
    assert len(found.values[events.name]) == 9
    dates = [row["date"] for row in found.values[events.name]]
    assert dates[:2] == ["2010-05-01", "2011-05-02"]


def labelled_items(number):
    """Items of two paragraphs, the first of which says what the second is."""
    facts = {"Colour": NAMES[number % 10], "Weight": f"{number * 3 + 40} g", "Maker": NAMES[3]}
    facts |= {"Year": 1990 + number % 30, "Place": NAMES[number * 3 % 10]}
    rows = "".join(f"<li><p>{name}:</p><p>{value}</p></li>" for name, value in facts.items())
    return document(f"<h1>Lamp {number}</h1><ul>{rows}</ul>", f"{SITE}/lamp/{number}.html")


def test_items_with_labels_stay_fields_of_the_page():
    wrapper = induce([labelled_items(number) for number in range(20)], "lamp")
    assert {"colour", "weight", "year", "place"} <= {one.name for one in wrapper.fields}
    assert not wrapper.record_sets


def release_notes(number):
    """Paragraphs that are a date in a tag take turns with texts, of which a fifth has a link."""

    def note(one):
        said = f"{NAMES[one * 3 % 10]} mends the lamp that {NAMES[one * 7 % 9]} broke in room {one}"
        if one % 5 == 3:
            said = said.replace("the lamp", f"<a href=/lamps/{one}>the lamp</a>")
        return f"<p><em>{1 + one % 27} May 20{10 + one % 15}</em></p><p>{said}</p>"

    notes = "".join(note(5 * number + turn) for turn in range(2 + number % 3))
    return document(f"<h1>Notes {number}</h1>{notes}", f"{SITE}/notes/{number}.html")


def test_texts_with_links_are_whole_though_dates_stand_in_such_elements_too():
    wrapper = induce([release_notes(number) for number in range(20)], "notes")
    found = extract(wrapper, release_notes(31))
    assert isinstance(found, Record)
    texts = [f"{NAMES[one * 3 % 10]} mends the lamp that {NAMES[one * 7 % 9]} broke in room {one}"
             for one in range(155, 158)]  # fmt: skip
    assert texts in found.values.values()
    assert [f"20{10 + one % 15}-05-{1 + one % 27:02}" for one in range(155, 158)] in (
        found.values.values()
    )


def test_rows_of_which_some_are_texts_and_others_hold_elements_only():
    def page(number):
        def row(one):
            if one % 2:
                return f"<li><em>{1 + one % 27} May 2010</em> <b>{NAMES[one % 10]} {one}</b></li>"
            said = f"{NAMES[one * 3 % 10]} mends the lamp that {NAMES[one % 9]} broke in room {one}"
            link = f"<a href=/lamps/{one}>the lamp</a>" if one % 6 == 4 else "the lamp"
            return f"<li>{said.replace('the lamp', link)}</li>"

        rows = "".join(row(one) for one in range(7 * number, 7 * number + 4 + number % 4))
        return document(f"<h1>Notes {number}</h1><ul>{rows}</ul>", f"{SITE}/notes/{number}.html")

    wrapper = induce([page(number) for number in range(20)], "notes")
    found = extract(wrapper, page(31))
    assert isinstance(found, Record)


def sorted_page(number: int) -> Document:
    """One list of talks, each page in another order: by title, by track, from the end."""
    talks = [(f"Talk of {one.title}", one.author, one.publisher) for one in books(14)]
    random.Random(number).shuffle(talks)
    rows = "".join(
        f"<tr><td class=title><a href='/talk/{title}'>{title}</a></td><td class=who>{who}</td>"
        f"<td class=track>{track}</td></tr>"
        for title, who, track in talks
    )
    menu = "".join(f"<li><a href='/{word}'>{word}</a></li>" for word in ("home", "news", "camp"))
    return Document(
        f"<body><ul>{menu}</ul><h1>Talks</h1><table><tbody>{rows}</tbody></table>".encode(),
        f"{SITE}/talks-{number}.html",
    )


def test_one_list_in_several_orders_has_rows():
    pages = [sorted_page(number) for number in range(7)]
    wrapper = induce(pages, "talks")
    assert wrapper.rows is not None
    found = rows(wrapper, pages[2])
    assert len(found) == 14
    assert {row["title"] for row in found} == {f"Talk of {one.title}" for one in books(14)}
    assert len({row["track"] for row in found}) > 1


def members_page(number: int, width: int = 3) -> Document:
    """Members in a table of cards: a picture, a name and, of some, what they do."""
    cells = [
        f"<td class='col'><div><a href='/m/{one.number}'><img src='/i/{one.number}.png'></a></div>"
        f"<div class=name><a href='/m/{one.number}'>{one.author} {one.number}</a></div>"
        + (f"<div class=firm>{one.title}</div>" if one.number % 3 else "")
        + "</td>"
        for one in books(10 if number < 7 else 4, start=number * 20)
    ]
    cells += ["<td></td>"] * (-len(cells) % width)
    rows = "".join(
        f"<tr>{''.join(cells[first : first + width])}</tr>" for first in range(0, len(cells), width)
    )
    text = f"<body><h1>Members</h1><p>We are many.</p><table class=grid><tbody>{rows}</table>"
    return Document(text.encode(), f"{SITE}/members-{number}.html")


@pytest.mark.parametrize("width", [2, 3, 4])
def test_the_cells_of_a_grid_of_cards_are_rows(width):
    wrapper = induce([members_page(number, width) for number in range(1, 8)], "members")
    assert wrapper.rows is not None
    found = rows(wrapper, members_page(9, width))
    assert [row["name"] for row in found] == [
        f"{one.author} {one.number}" for one in books(4, start=180)
    ]
    assert [row["firm"] for row in found] == [
        one.title if one.number % 3 else None for one in books(4, start=180)
    ]


def facts_grid_page(number: int) -> Document:
    """A table of facts, two to a row: it says one thing at each place."""
    one = book(number)
    facts = {"Author": one.author, "Press": one.publisher, "Pages": one.pages, "ISBN": one.isbn}
    cells = [f"<td><b>{name}</b> <i>{value}</i></td>" for name, value in facts.items()]
    rows = f"<tr>{cells[0]}{cells[1]}</tr><tr>{cells[2]}{cells[3]}</tr>"
    text = f"<body><h1>{one.title}</h1><table class=grid><tbody>{rows}</table>"
    return Document(text.encode(), one.url)


def test_a_table_of_facts_is_no_grid_of_cards():
    wrapper = induce([facts_grid_page(number) for number in range(1, 9)], "facts")
    assert not wrapper.record_sets
    record = extract(wrapper, facts_grid_page(20))
    assert isinstance(record, Record)
    assert record.values["author"] == book(20).author


def test_rows_have_no_column_that_is_another_in_words_that_all_rows_have():
    def page(number):
        cards = "".join(
            f"<div class=member><img src='/i/{one.isbn}.png' alt=\"{one.author}'s picture\">"
            f"<a class=who href='/u/{one.isbn}'>{one.author}</a>"
            f"<span class=from>{one.publisher}</span>"
            f"<a class=tip href='/add/{one.isbn}'>Add {one.author} as a friend</a></div>"
            for one in books(5 + number, start=1 + 20 * number)
        )
        return document(f"<h1>Group {number}</h1><div id=all>{cards}</div>", f"{SITE}/g/{number}")

    (records,) = induce([page(number) for number in range(1, 8)], "group").record_sets
    named = {field.name for field in records.fields}
    assert {"who", "from"} <= named
    assert not {"image_text", "tip"} & named


def test_what_is_a_link_in_some_rows_and_plain_in_others_is_one_column():
    def page(number):
        cards = "".join(
            f"<li class=member><b class=who>{one.author} {one.number}</b><div class=firm>"
            + (f"<a href='/f/{one.isbn}'>{one.title}</a>" if one.number % 3 else one.title)
            + "</div></li>"
            for one in books(5 + number, start=1 + 20 * number)
        )
        return document(f"<h1>Group {number}</h1><ul>{cards}</ul>", f"{SITE}/g/{number}")

    wrapper = induce([page(number) for number in range(1, 8)], "group")
    assert [row["firm"] for row in rows(wrapper, page(9))] == [
        one.title for one in books(14, start=181)
    ]


def posts_page(number, *, kind):
    """Two posts a page, or two teams that met."""
    pair = books(2, start=1 + 2 * number)
    if kind == "teams":
        inside = "".join(
            f"<div class=team><h2>{one.author}</h2><p>{one.pages}</p><p>{one.publisher}</p></div>"
            for one in pair
        )
    else:
        inside = "".join(
            f"<div class=post><h2><a href='/p/{one.isbn}'>{one.title}</a></h2><i>{one.day}</i>"
            f"<p>It was {one.author} who wrote this long book of {one.pages} pages.</p></div>"
            for one in pair
        )
    return document(f"<h1>Number {number}</h1><div id=all>{inside}</div>", f"{SITE}/n/{number}")


def test_two_posts_on_each_page_are_rows():
    wrapper = induce([posts_page(number, kind="posts") for number in range(1, 12)], "news")
    found = extract(wrapper, posts_page(20, kind="posts"))
    assert isinstance(found, Record)
    posts = found.values[wrapper.record_sets[0].name]
    assert [post["title"] for post in posts] == [one.title for one in books(2, start=41)]


def test_two_teams_on_each_page_are_fields():
    wrapper = induce([posts_page(number, kind="teams") for number in range(1, 12)], "match")
    assert wrapper.rows is None
    assert not wrapper.record_sets


def test_short_texts_in_tags_of_their_own_are_values_though_some_are_missing():
    def card(one):
        price = f"<span>{one.price} a copy, used</span>" if one.number % 3 else ""
        return (
            f"<a class=card href=/book/{one.number}.html><div><p>{one.title}</p>"
            f"<p>{one.publisher}</p></div><div class=meta><span>{one.author}</span>{price}"
            f"<span>{one.published} or so</span></div></a>"
        )

    def make(shelf):
        return document(f"<h1>Shelf {shelf}</h1>{''.join(map(card, shelf_books(shelf)))}")

    found = rows(learnt_list(make), make(1))
    for one, row in zip(shelf_books(1), found, strict=True):
        assert {one.author, f"{one.published} or so"} <= set(map(str, row.values()))


def test_people_with_and_between_them_are_no_running_text_where_most_pages_have_one():
    def link(name):
        page = name.split()[-1].lower()
        return f"<a href=/authors/{page}>{name}</a> <a href=http://{page}.example/>\u2302</a>"

    def make(one):
        people = [one.author, *(other.author for other in books(one.number % 3, start=300))]
        line = ", ".join(map(link, people[:-1])) + " and " if len(people) > 1 else ""
        return document(
            f"<h1>{one.title}</h1><div class=by><p>{line}{link(people[-1])}</p></div>", one.url
        )

    wrapper = learnt(make, 24)
    for one in books(24):
        found = read(wrapper, make(one))["author"]
        assert one.author in (found if isinstance(found, list) else [found])


def topic_list(turn):
    """A list of topics as forums write it: a `dl` in each row, and words behind the numbers."""
    rows = "".join(
        f"<li class='row {'even' if row % 2 else 'odd'}'><dl class=icon>"
        f"<dt><a class=topictitle href=/topic/{turn}-{row}>Topic {turn * 31 + row * 7}</a><br>by "
        f"<a href=/member/{turn * 5 + row}>member{turn * 5 + row}</a></dt>"
        f"<dd class=posts>{(turn * row) % 9} <dfn>Replies</dfn></dd>"
        f"<dd class=views>{turn * 97 + row * 13} <dfn>Visits</dfn></dd>"
        f"<dd class=lastpost><span><dfn>Last </dfn>by <a href=/member/{turn * 7 + row}>"
        f"member{turn * 7 + row}</a><br>{1 + (turn + row) % 28} May 20{10 + row % 9}</span></dd>"
        "</dl></li>"
        for row in range(6 + turn % 3)
    )
    return document(
        f"<h2>Forum {turn}</h2><ul class='topiclist topics'>{rows}</ul>", f"{SITE}forum/{turn}"
    )


def test_cells_of_a_definition_list_in_a_row_belong_to_the_row():
    wrapper = induce([topic_list(turn) for turn in range(1, 13)], "forum")
    (rows,) = wrapper.record_sets
    names = {field.name for field in rows.fields}
    assert {"replies", "visits", "topictitle"} <= names
    assert not any(field.many for field in wrapper.fields)
    assert len(wrapper.fields) <= 2
    found = extract(wrapper, topic_list(13)).values[rows.name]
    assert [row["replies"] for row in found] == [13 * row % 9 for row in range(7)]
    assert [row["visits"] for row in found] == [13 * 97 + row * 13 for row in range(7)]


def striped_topic(turn, classes=("bg1", "bg2")):
    """Posts of a topic, every other one in another colour, and as many as there were answers."""
    posts = "".join(
        f"<div id=p{turn * 100 + post} class='post {classes[(turn + post) % 2]}"
        f"{' online' if (turn * 7 + post) % 5 == 0 else ''}'>"
        f"<h3>Re: Question {turn}</h3><p class=author>by <a href=/member/{turn * 3 + post}>"
        f"member{turn * 3 + post}</a></p><div class=content>Answer {turn * 31 + post} of many"
        f"</div><p class=since>Posts: {turn * 13 + post * 5}</p></div><hr>"
        for post in range(3 + turn % 6)
    )
    return document(f"<h2>Question {turn}</h2>{posts}", f"{SITE}topic/{turn}")


@pytest.mark.parametrize("classes", [("bg1", "bg2"), ("windowbg", "windowbg2"), ("light", "dark")])
def test_rows_whose_classes_take_turns_are_one_list(classes):
    pages = [striped_topic(turn, classes) for turn in range(1, 25)]
    wrapper = induce(pages, "topic")
    (posts,) = wrapper.record_sets
    for turn in (1, 2, 4):
        found = extract(wrapper, striped_topic(turn, classes)).values[posts.name]
        assert len(found) == 3 + turn % 6


def test_parts_that_take_turns_and_hold_different_things_are_told_apart():
    def page(turn):
        parts = "".join(
            f"<div class='part question'><h3>Why {turn * 17 + one}?</h3></div>"
            f"<div class='part answer'><p>Since {turn * 7 + one} is</p><ul><li>more {turn + one}"
            f"<li>less {turn * 3 + one}</ul></div>"
            for one in range(3 + turn % 4)
        )
        return document(f"<h1>Questions {turn}</h1>{parts}", f"{SITE}faq/{turn}")

    wrapper = induce([page(turn) for turn in range(1, 17)], "faq")
    selectors = [one.rule.xpath for one in (*wrapper.record_sets, *wrapper.fields)]
    assert any("question" in one for one in selectors)
    assert any("answer" in one for one in selectors)


PARTS = "maker model colour finish origin series grade season store shelf crate batch seal".split()


def test_a_record_set_keeps_what_has_a_label_however_late_it_comes():
    def page(turn):
        rows = "".join(
            "<li class=entry>"
            + "".join(
                f"<span class={part}>{part[0]}{turn * 7 + row * 3 + place}</span> "
                for place, part in enumerate(PARTS)
            )
            + f"<p><b>Weight:</b> {turn * 11 + row} kg</p></li>"
            for row in range(5 + turn % 3)
        )
        return document(f"<h1>Shelf {turn}</h1><ul>{rows}</ul>", f"{SITE}shelf/{turn}")

    wrapper = induce([page(turn) for turn in range(1, 13)], "shelf")
    assert {"weight", *PARTS} <= {field.name for field in wrapper.record_sets[0].fields}


MONTHS = "April May June July August".split()


def post_beside_archive(turn, leads=lambda _turn, month: f"/{month}"):
    """A post, and the months of some years: names that come again in another order."""
    years = "".join(
        f"<ul class=years>{''.join(months)}</ul>"
        for months in (
            [
                f"<li class=month><a href={leads(turn, year * 7 + month)}>{MONTHS[month]}</a> "
                f"<span>({1 + (year + month) % 3})</span></li>"
                for month in order
            ]
            for year, order in enumerate([(4, 3, 0), (0, 2, 1, 4), (3, 1, 4, 2)])
        )
    )
    words = " ".join(f"word{turn * 5 + one}" for one in range(30))
    return document(f"<h1>Post {turn}</h1><p class=text>{words}</p>{years}", f"{SITE}post/{turn}")


def test_rows_that_all_pages_have_are_no_record_set():
    wrapper = induce([post_beside_archive(turn) for turn in range(20)], "post")
    assert not wrapper.record_sets
    assert "the same rows on all pages" in {one.reason for one in wrapper.dropped}


def test_rows_of_the_same_words_that_lead_to_other_places_are_a_record_set():
    pages = [
        post_beside_archive(turn, lambda turn, month: f"/{turn}/{month}") for turn in range(20)
    ]
    assert induce(pages, "post").record_sets


def test_rows_of_a_name_and_a_few_words_are_read_as_a_whole_too():
    def make(one):
        rows = "".join(
            f"<li><a href=/lists/{other.number}.html>{other.title}</a> (#{other.number % 40})"
            for other in books(2 + one.number % 5, 10 * one.number)
        )
        lists = f"<h2>Ranks in these reading lists:</h2><ul>{rows}</ul>" if one.number % 4 else ""
        facts = f"<p class=by>{one.author}</p><p class=price>{one.price}</p>"
        return document(f"<h1>{one.title}</h1>{facts}{lists}", one.url)

    wrapper = learnt(make, 24)
    first, number = books(1)[0], 10
    rows = read(wrapper, make(first))["ranks_in_these_reading_lists"]
    assert [row["ranks_in_these_reading_list"] for row in rows] == [
        f"{other.title} (#{other.number % 40})" for other in books(3, number)
    ]
    assert rows[0]["list"] == books(1, number)[0].title


def test_a_pager_in_the_last_row_is_no_column_of_the_rows():
    def page(turn):
        rows = [
            f"<div class='teaser'><h3><a href=/n/{turn}-{row}>News {turn * 13 + row}</a></h3>"
            f"<p>Something of {turn * 31 + row} came up</p></div>"
            for row in range(5)
        ]
        links = " ".join(f"<a href=/list/{other}>{other}</a>" for other in range(1, 8))
        pager = f"<div class=custom-pagination>Page {turn} of 24 {links}</div></div>"
        rows[-1] = rows[-1].removesuffix("</div>") + pager
        return document(f"<h1>News</h1><main>{''.join(rows)}</main>", f"{SITE}list/{turn}")

    wrapper = induce([page(turn) for turn in range(1, 17)], "list")
    found = extract(wrapper, page(20)).values
    assert "News 260" in str(found)
    assert "of 24" not in str(found)
