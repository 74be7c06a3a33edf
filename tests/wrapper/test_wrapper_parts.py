"""Values inside a line, parts of articles, and parts of pages that come and go."""

import random

import pytest
from wrapper_pages import book, books, document, learnt, read

from sitewright.wrapper import Record, extract
from sitewright.wrapper.values.types import ValueKind

BOOKS = books(40)


def fields(make, pages=16):
    return {field.name: field for field in learnt(make, pages).fields}


def rows(make, pages=16):
    wrapper = learnt(make, pages)
    return [extract(wrapper, make(one)).values for one in BOOKS[:pages]]


def test_a_by_line_is_a_date_an_author_and_whom_he_speaks_for():
    def make(one):
        team = f" on behalf of the {one.publisher} team" if one.number % 3 else ""
        line = f"<div class=byline>{one.published} \u00b7 {one.author}{team}</div>"
        return document(f"<h1>{one.title}</h1>{line}", one.url)

    first, second = rows(make)[:2]
    assert first["date"].count("-") == 2
    assert first["date_raw"] == BOOKS[0].published
    assert first["author"] == BOOKS[0].author
    assert first["on_behalf_of"] == f"the {BOOKS[0].publisher} team"
    assert first["byline"].startswith(BOOKS[0].published)
    assert second["author"] == BOOKS[1].author


def test_the_words_before_a_date_name_it():
    def make(one):
        return document(f"<h1>{one.title}</h1><p>Released {one.published}</p>", one.url)

    assert rows(make)[0]["released"] == BOOKS[0].day


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Publicada el {day} de mayo de 2026", "publicada_el"),
        ("Publicado em {day} de maio de 2026", "publicado_em"),
        ("公開日2026年5月{day}日更新", "date"),
        ("등록 2026년 5월 {day}일", "date"),
    ],
)
def test_a_date_inside_a_line_is_found_in_other_languages(written, name):
    def make(one):
        line = written.format(day=one.number % 28 + 1)
        return document(f"<h1>{one.title}</h1><p>{line}</p>", one.url)

    first = rows(make)[0]
    found = [key for key, value in first.items() if value == "2026-05-02"]
    assert found == [name] or name == "date"
    assert found


def test_what_is_counted_behind_a_date_is_a_number_of_that_name():
    def make(one):
        answers = f" \u00b7 {one.number * 3} answers" if one.number % 4 else ""
        return document(f"<h1>{one.title}</h1><p>Asked on {one.published}{answers}</p>", one.url)

    first, second = rows(make)[:2]
    assert (first["asked_on"], first["answers"]) == (BOOKS[0].day, 3)
    assert second["answers"] == 6
    assert rows(make)[3].get("answers") is None


def test_a_text_with_as_many_separators_on_all_pages_is_parted_at_them():
    def make(one):
        return document(f"<h1>{one.title}</h1><p>{one.isbn} | {one.author} | x</p>", one.url)

    first = rows(make)[0]
    assert BOOKS[0].isbn in first.values()
    assert BOOKS[0].author in first.values()


def test_a_text_whose_separators_come_and_go_stays_whole():
    def make(one):
        line = f"{one.isbn} | {one.author}" + (" | x" if one.number % 2 else "")
        return document(f"<h1>{one.title}</h1><p>{line}</p>", one.url)

    assert not any("part" in name for name in fields(make))


def test_titles_are_not_parted():
    def make(one):
        return document(f"<h1>{one.author}: {one.title}</h1><p>{one.isbn}</p>", one.url)

    assert not any("part" in name for name in fields(make))


def test_an_article_has_a_first_paragraph_and_headings():
    def make(one):
        chance = random.Random(one.number)
        said = iter([f"words of {chance.random()} and more of them" for _ in range(99)])
        blocks = [
            f"<p>Some <b>{next(said)}</b> of a <i>{next(said)}</i></p>",
            f"<ul><li>{next(said)}</li><li>{next(said)}</li></ul>",
            f"<pre>{next(said)}</pre>",
            f"<blockquote><p>{next(said)}</p></blockquote>",
            f"<table><tr><td>{next(said)}</td><td>{next(said)}</td></tr></table>",
            f"<div><em>{next(said)}</em><span>{next(said)}</span></div>",
        ]
        lead = f"{one.title} is a book of {one.author}, and one that nobody should miss this year."
        more = "".join(
            f"<h2>Of {one.author} {turn}</h2>{''.join(chance.sample(blocks, chance.randint(1, 4)))}"
            for turn in range(1 + one.number % 4)
        )
        return document(f"<h1>{one.title}</h1><div class=post><p>{lead}</p>{more}</div>", one.url)

    first = rows(make)[0]
    assert first["lead"].startswith(f"{BOOKS[0].title} is a book")
    assert first["headings"][0] == f"Of {BOOKS[0].author} 0"


def test_a_class_that_changes_with_the_value_makes_no_columns_of_its_own():
    def make(one):
        score = one.number * 7 % 30
        state = ["bad", "fair", "good"][score // 10]
        return document(
            f"<h1>{one.title}</h1><div><span class='score score_{state}'>{score}</span></div>",
            one.url,
        )

    assert fields(make, 24)["score"].coverage == 1.0


def test_classes_of_different_things_side_by_side_are_no_states():
    def make(one):
        cells = f"<b class='cell cell-isbn'>{one.isbn}</b><b class='cell cell-who'>{one.author}</b>"
        return document(f"<h1>{one.title}</h1><div>{cells}</div>", one.url)

    assert {"isbn", "who"} <= {name.rpartition("_")[2] for name in fields(make)}


def test_another_column_in_words_that_all_pages_have_is_left_out():
    def make(one):
        body = f"<h1>{one.title}</h1><p>{one.isbn}</p><div><i>Photos of {one.title} here</i></div>"
        return document(body, one.url, f"<title>{one.title} at the shop</title>")

    assert sorted(fields(make)) == ["text", "title"]


@pytest.mark.parametrize("pages", [20, 40])
def test_a_page_without_an_optional_part_gives_a_record(pages):
    def make(one):
        rows = "".join(
            f"<tr><th>{name}:</th><td>{one.number * 31 % (97 + turn)}</td></tr>"
            for turn, name in enumerate("Height Width Depth Weight Paper Print Ink Glue".split())
        )
        extra = f"<table>{rows}</table>" if one.number % 8 else ""
        return document(
            f"<h1>{one.title}</h1><p class=who>{one.author}</p>{one.price}{extra}", one.url
        )

    wrapper = learnt(make, pages)
    assert isinstance(extract(wrapper, make(BOOKS[7])), Record)


def test_values_of_which_pages_have_more_or_fewer_are_one_list():
    def make(one):
        guides = "".join(
            f"{'<div>' * 5}<b class=guide>{one.author} {turn}</b>{'</div>' * 5}"
            for turn in range(1 + one.number % 4)
        )
        return document(f"<h1>{one.title}</h1>{guides}", one.url)

    assert [name for name in fields(make, 24) if name.startswith("guide")] == ["guide"]


def people(one):
    """One to three people, some of them with a note."""
    names = [other.author for other in books(1 + one.number % 3, 7 * one.number)]
    return names, [f"{name} (@{name.split()[1].lower()})" for name in names]


def test_the_people_behind_a_date_are_a_list_beside_the_line():
    def make(one):
        _names, written = people(one)
        line = f"{one.published} {' & '.join(written)}"
        return document(f"<h1>{one.title}</h1><p class=by>{line}</p>", one.url)

    wrapper = learnt(make, 16)
    for one in books(4, 50):
        found = read(wrapper, make(one))
        names, _written = people(one)
        assert found["authors"] == names
        assert found["handles"] == [f"@{name.split()[1].lower()}" for name in names]
        assert found["date"] == one.day


def test_a_list_of_people_has_one_name_for_each_value():
    def make(one):
        names, written = people(one)
        linked = f"<a href=/by/{one.number}>{names[0]}</a>"
        rest = f", {' and '.join(written[1:])}" if written[1:] else ""
        return document(
            f"<h1>{one.title}</h1><dl><dt>Authors:<dd>{linked}{rest}<dt>Price:<dd>{one.price}</dl>",
            one.url,
        )

    wrapper = learnt(make, 16)
    for one in books(6, 50):
        assert people(one)[0] in read(wrapper, make(one)).values()


def test_places_with_a_comma_are_no_list_of_people():
    def make(one):
        return document(
            f"<h1>{one.title}</h1><p class=place>{one.publisher.split()[0]}, NY</p>", one.url
        )

    found = read(learnt(make, 16), make(book(40)))
    assert not any(isinstance(value, list) for value in found.values())


def test_a_time_behind_a_date_is_no_author():
    def make(one):
        hour = one.number % 9 + 1
        when = f"{one.published} {hour}:00 AM - {hour + 2}:30 PM"
        return document(f"<h1>{one.title}</h1><p class=when>{when}</p>", one.url)

    assert "author" not in read(learnt(make, 16), make(book(40)))


def test_who_submitted_a_page_before_a_date_is_its_author():
    def make(one):
        by = f"Submitted by {one.author} on {one.published} - 10:{one.number % 50 + 10}"
        return document(f"<h1>{one.title}</h1><div class=submitted>{by}</div>", one.url)

    wrapper = learnt(make, 24)
    values = [read(wrapper, make(one)) for one in books(3)]
    assert [one["author"] for one in values] == [one.author for one in books(3)]
    assert [one["date"] for one in values] == [one.day for one in books(3)]


def test_a_day_with_its_time_is_one_date_without_parts():
    def make(one):
        chance = random.Random(one.number)
        day = f"{chance.randint(1, 12):02}/{chance.randint(1, 28):02}/{one.day[:4]}"
        time = f"{chance.randint(0, 23):02}:{chance.randint(10, 59)}"
        by = f"<p class=by>by {one.author} <span class=created>on Thu, {day} - {time}</span></p>"
        return document(f"<h1>{one.title}</h1>{by}", one.url)

    found = fields(make)
    assert found["created"].type.kind is ValueKind.DATE
    assert not any("part" in name for name in found)


def test_a_part_that_a_label_names_may_be_the_same_on_all_pages():
    """Nobody on these pages has an assist: the label says what the number is, all the same."""

    def make(one):
        counts = f"{one.number % 5}, 0, {one.number % 3}"
        row = f"<tr><td><b>Goals, assists, cards:</b></td><td>{counts}</td></tr>"
        more = f"<tr><td><b>Club:</b></td><td>{one.publisher}</td></tr>"
        return document(f"<h1>{one.title}</h1><table>{row}{more}</table>", one.url)

    fields = {field.name: field.samples for field in learnt(make, 16).fields}
    assert {"goals", "assists", "cards"} <= fields.keys()
    assert fields["assists"] == ("0",)


def test_parts_of_a_line_without_a_word_are_called_what_they_are():
    towns = ("Graz, Austria", "Lyon, France", "Köln, Germany", "Springfield, IL", "Bari, Italy")

    def make(one):
        size = f"{one.number * 7 % 90 + 2}\u2013{one.number * 7 % 90 + 50} employees"
        line = f"<p>{towns[one.number % 5]} · {size} · www.house-{one.number}.com</p>"
        return document(f"<h1>{one.title}</h1><div><div>{line}</div></div>", one.url)

    assert {"location", "employees", "website"} <= fields(make).keys()


def test_two_amounts_with_a_dash_between_them_are_the_ends_of_a_range():
    def make(one):
        pay = f"{one.number * 3 + 20}.000 € \u2013 {one.number * 3 + 25}.000 €"
        return document(f"<h1>{one.title}</h1><dl><dt>Salary</dt><dd>{pay}</dd></dl>", one.url)

    assert {"salary", "salary_from", "salary_to"} <= fields(make).keys()


def test_the_goals_of_a_result_are_no_range():
    def make(one):
        goals = f"{one.number * 7 % 5} - {one.number * 3 % 4}"
        return document(f"<h1>{one.title}</h1><dl><dt>Result</dt><dd>{goals}</dd></dl>", one.url)

    assert "result_from" not in fields(make)


def test_several_labels_in_one_text_are_fields_beside_it():
    def make(one):
        height = f"; Height: {one.number % 7 + 9} cm" if one.number % 3 else ""
        size = f"Width: {one.number % 9 + 10} cm{height}; Weight (net): {one.number % 5 + 1} kg"
        row = f"<tr><td>Size</td><td>{size}</td></tr><tr><td>ISBN</td><td>{one.isbn}</td></tr>"
        return document(f"<h1>{one.title}</h1><table>{row}</table>", one.url)

    found = fields(make)
    assert {"size", "width", "height", "weight_net"} <= found.keys()
    assert not found["size"].rule.pattern
    first = rows(make)[0]
    assert (first["width"], first["height"], first["weight_net"]) == (11, 10, 2)
    assert rows(make)[2]["height"] is None


def test_what_all_texts_of_a_label_begin_with_is_no_label_where_others_follow():
    def make(one):
        fee = f"Fees: ${one.number * 7},000"
        both = f"In state: ${one.number * 5},000; Out of state: ${one.number * 7},000"
        facts = f"<tr><td>Costs:</td><td>{both if one.number % 2 else fee}</td></tr>"
        more = f"<tr><td>Founded:</td><td>{1800 + one.number}</td></tr>"
        return document(f"<h1>{one.title}</h1><table>{facts}{more}</table>", one.url)

    assert {"fees", "in_state", "out_of_state"} <= fields(make, 24).keys()


def test_the_time_between_a_date_and_its_author_is_no_part_of_the_author():
    def make(one):
        time = f"{one.number % 14 + 9}:{one.number % 50 + 10}"
        day = f"{13 + one.number % 15}/05/2021"
        by = f"page{one.number}.txt · Última modificación: {day} a las {time} por {one.author}"
        return document(f"<h1>{one.title}</h1><p class=doc>{by}</p>", one.url)

    wrapper = learnt(make, 24)
    for one in books(3):
        values = read(wrapper, make(one))
        assert values["author"] == one.author
        assert values["date"] == f"2021-05-{13 + one.number % 15}"


def test_a_label_before_several_labels_names_them_all_where_nothing_stands_around_it():
    def make(one):
        both = f"city: {one.number % 9 + 10} mpg; highway: {one.number % 7 + 20} mpg"
        octane = one.number % 4 + 87
        facts = f"<li>Fuel use: {both}</li><li>Fuel: unleaded {octane} octane</li>"
        more = "".join(f"<li>{one.author} {turn}</li>" for turn in range(one.number % 3))
        return document(f"<h1>{one.title}</h1><ul>{facts}{more}</ul>", one.url)

    found = fields(make)
    assert {"fuel", "fuel_use"} <= found.keys()
