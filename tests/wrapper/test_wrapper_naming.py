"""Names of columns: from labels first, then from what the page says, headers, classes and tags."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wrapper_pages import SITE, books, document, learnt, read

from sitewright.wrapper import Record, induce, lines
from sitewright.wrapper.naming.names import plural, slug, telling_name, unique
from sitewright.wrapper.naming.value_names import named_by_other_classes
from sitewright.wrapper.naming.volatile import volatile_classes


def names(make):
    return {field.name: field.named_by for field in learnt(make, 16).fields}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Author", "author"),
        ("Date of Birth:", "date_of_birth"),
        ("Prix (€)", "prix"),
        ("Größe", "grösse"),
        ("2nd author", "n_2nd_author"),
        ("author's name", "authors_name"),
        ("作者", "作者"),
        ("!!!", ""),
        ("a" * 100, "a" * 40),
    ],
)
def test_a_name_is_words_in_lower_case(text, expected):
    assert slug(text) == expected


@given(st.text(max_size=80))
def test_a_name_is_an_identifier_or_nothing(text):
    name = slug(text)
    assert name == "" or f"x{name}".isidentifier()
    assert len(name) <= 42


@given(st.lists(st.sampled_from(["a", "b", "a_2", "a_raw", "b_raw", "a_2_raw"]), max_size=12))
def test_no_two_columns_have_one_name(wanted):
    found = unique(wanted)
    columns = [column for name in found for column in (name, f"{name}_raw")]
    assert len(columns) == len(set(columns))
    assert len(found) == len(wanted)


@pytest.mark.parametrize(
    ("classes", "expected"),
    [
        (["col-md-3", "playerName"], "player_name"),
        (["left", "box", "price"], "price"),
        (["bk-author"], "author"),
        (["x1", "r2"], ""),
    ],
)
def test_a_class_that_says_how_a_thing_looks_is_no_name(classes, expected):
    assert telling_name(classes) == expected


def test_microdata_names_before_a_label():
    def make(one):
        other = f"<tr><th>Pages</th><td>{one.pages}</td></tr>"
        row = f"<tr><th>Writer</th><td itemprop=author>{one.author}</td></tr>"
        return document(f"<table>{row + other if one.number % 2 else other + row}</table>", one.url)

    assert names(make)["author"] == "microdata"


def test_microdata_names_before_classes():
    def make(one):
        return document(f"<h1>{one.title}</h1><p class=who itemprop=author>{one.author}</p>")

    assert names(make)["author"] == "microdata"


def test_where_microdata_says_what_a_link_is_it_is_kept_though_few_have_it_and_all_say_the_same():
    def make(one):
        site = f"<a itemprop=url href='https://b{one.number}.example.org/'>Official site</a>"
        return document(
            f"<h1>{one.title}</h1><p>{site if one.number % 3 == 0 else ''}</p>", one.url
        )

    assert "url" in names(make)


def test_the_code_of_a_country_is_no_name_of_the_number_behind_it():
    def make(one):
        number = f"+351 {226_000_000 + one.number * 377}"
        return document(f"<h1>{one.title}</h1><p><b itemprop=telephone>{number}</b></p>", one.url)

    assert not [name for name in names(make) if "351" in name]


def test_open_graph_names_what_stands_in_the_head():
    def make(one):
        head = f'<meta property="og:description" content="{one.author}, {one.isbn}">'
        return document(f"<h1>{one.title}</h1>", one.url, head)

    assert "description" in names(make)


def test_tags_name_where_nothing_else_does():
    def make(one):
        return document(f"<h1>{one.title}</h1><p>{one.isbn}</p>", one.url)

    assert names(make)["title"] == "title"


def test_the_titles_of_a_grid_name_its_cells_and_not_the_cell_before():
    def make(one):
        head = "<tr><td>Copies</td><td>Pages</td><td>Price</td></tr>"
        row = f"<tr><td>{one.number * 7 % 31}</td><td>{one.pages}</td><td>{one.price}</td></tr>"
        return document(f"<h1>{one.title}</h1><table>{head}{row}</table>", one.url)

    found = {field.name: field.samples for field in learnt(make, 16).fields}
    assert {"copies", "pages", "price"} <= found.keys()
    assert all(sample.startswith("$") for sample in found["price"])


def test_a_row_of_a_grid_is_part_of_the_names_of_its_cells():
    def make(one):
        head = "<tr><td></td><td>Pages</td><td>Price</td></tr>"
        rows = "".join(
            f"<tr><td>{kind}</td><td>{int(one.pages) + turn}</td><td>${one.number + turn}.99</td>"
            for turn, kind in enumerate(["Hardback", "Paperback"])
        )
        return document(f"<h1>{one.title}</h1><table>{head}{rows}</table>", one.url)

    assert {"hardback_pages", "paperback_price"} <= names(make).keys()


def test_what_the_title_of_the_page_says_is_its_title():
    def make(one):
        body = (
            f"<h2>Shop of {one.author}</h2><div class=zz><b>{one.title}</b></div><p>{one.isbn}</p>"
        )
        return document(body, one.url, f"<title>{one.title} - The shop</title>")

    found = {field.name: field.samples[0] for field in learnt(make, 16).fields}
    assert not found["title"].startswith("Shop of")


def test_one_of_two_names_in_a_title_is_not_the_title():
    """A match is titled after both teams."""

    def make(one):
        home, away = f"Ab{one.isbn}", f"Cd{one.isbn}"
        body = f"<div class=side>{home}</div><p>v</p><div class=side>{away}</div>"
        head = f"<title>{home} {away} - The cup</title>"
        return document(f"{body}<p>{one.author}</p>", one.url, head)

    found = {field.name for field in learnt(make, 16).fields}
    assert "side" in found
    assert "title" not in found


def test_a_link_before_a_heading_does_not_name_it():
    def make(one):
        body = f"<div><b><a href='/'>Back to search</a></b></div><h1>{one.title}</h1>"
        return document(f"{body}<p>{one.isbn}</p>", one.url)

    assert "back_to_search" not in names(make)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (lambda one: one.price, "price"),
        (lambda one: f"({one.number + 200}) 555-{one.number + 1000}", "phone"),
        (lambda one: f"info@{one.number}.example.com", "email"),
        (lambda one: f"www.book{one.number}.example.com", "website"),
        (lambda one: f"{one.number % 10 + 1}/10", "rating"),
    ],
)
def test_types_name_what_nothing_else_names(value, expected):
    def make(one):
        return document(f"<h1>{one.title}</h1><div class=box>{value(one)}</div>", one.url)

    assert expected in names(make)


def test_the_folder_or_parameter_of_a_link_names_what_nothing_else_names():
    def make(one):
        slug_of = one.author.replace(" ", "-").lower()
        links = f"<div><a href='/teams/{slug_of}'>{one.author}</a></div>"
        links += f"<span><a href='/list.php?publisher={one.number % 5}'>{one.publisher}</a></span>"
        return document(f"<h1>{one.title}</h1>{links}", one.url)

    assert {"team", "publisher"} <= names(make).keys()


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("/show.php?page=/data/teams/team{}.html", "team"),
        ("/nba-teams.aspx?page={}", "team"),
        ("/player.php?id={}", "player"),
        ("/list.php?maker={}&page=1", "maker"),
    ],
)
def test_what_any_program_calls_its_parameter_does_not_name_what_it_shows(address, name):
    def make(one):
        link = f"<a href='{address.format(one.number)}'>{one.author}</a>"
        return document(f"<h1>{one.title}</h1><div>{link}</div>", one.url)

    assert names(make)[name] == "link"


def test_what_the_menu_calls_a_folder_names_what_is_in_it():
    def make(one):
        menu = "<nav><a href='/b/index.html'>Books</a> <a href='/v/'>Verlage</a></nav>"
        link = f"<a href='/v/{one.number % 7}.html'>{one.publisher}</a>"
        return document(f"{menu}<h1>{one.title}</h1><div>{link}</div>", one.url)

    assert names(make)["verlage"] == "link"


def test_what_the_menu_calls_a_folder_names_what_rows_link_to():
    def make(one):
        rows = "".join(
            f"<li><b>{other.title}</b> <a href='/v/{other.number % 7}.html'>{other.publisher}</a>"
            for other in books(3 + one.number % 4, 10 * one.number)
        )
        menu = "<nav><a href='/v/'>Houses</a> <a href='/b/'>Books</a></nav>"
        return document(f"{menu}<h1>{one.title}</h1><ul class=also>{rows}</ul>", one.url)

    fields = learnt(make, 16).record_sets[0].fields
    assert "house" in {field.name for field in fields}


def test_a_class_on_unlike_things_names_none_of_them():
    def make(one):
        body = f"<p class=soft>{one.isbn}</p><div class=soft>{one.author}</div>"
        return document(f"<h1>{one.title}</h1>{body}<i class=soft>{one.price}</i>", one.url)

    assert not any(name.startswith("soft") for name in names(make))


def test_no_field_takes_the_name_of_a_column_of_ours():
    def make(one):
        return document(
            f"<h1>{one.title}</h1><p class=_url>{one.isbn}</p><p class=_row>{one.pages}</p>"
        )

    assert not {"_url", "_row", "url", "row"} & set(names(make))


def test_a_heading_names_what_it_comes_and_goes_with():
    def make(one):
        people = f"<h4>In this photo</h4><ul><li><a href='/{one.number}'>{one.author}</a></li></ul>"
        shown = people if one.number % 3 else ""
        body = f"<h1>{one.title}</h1><div class=photo><p>{one.isbn}</p>{shown}</div>"
        return document(body, one.url)

    assert "in_this_photo" in names(make)


def test_where_a_link_leads_names_it_before_the_part_of_the_page_around_it():
    def make(one):
        link = f"<a href='/houses/{one.number % 7}.html'>{one.publisher}</a>"
        body = f"<h1>{one.title}</h1><div class='book-head'><div><p>{link}</p></div></div>"
        return document(body, one.url)

    assert names(make)["house"] == "link"


def test_the_sentence_beside_a_title_in_rows_is_the_lead_and_scores_are_scores():
    def make(one):
        rows = "".join(
            f"<div class=teaser><h3><a href='/n/{one.number}-{turn}'>{one.author} {turn}</a></h3>"
            f"<p>The {one.title} of {one.author} was read {turn + 2} times.</p>"
            f"<i>{turn}\u2013{one.number % 10}</i></div>"
            for turn in range(4 + one.number % 3)
        )
        return document(f"<h1>News</h1>{rows}", one.url)

    (rows,) = learnt(make, 16).record_sets
    assert {"title", "lead", "score"} <= {field.name for field in rows.fields}


def test_a_remark_in_brackets_is_no_part_of_the_name_before_it():
    def make(one):
        told = "".join(
            f"<p>{one.title} was written by {one.author} and is read {turn} times a day, as the "
            f"people of {one.publisher} say of it.</p>"
            for turn in range(2 + one.number % 3)
        )
        head = "<tr><th>Mission <span class=small>(as told by the house)</span></th></tr>"
        rows = f"{head}<tr class=told><td>{told}</td></tr>"
        return document(f"<h1>{one.title}</h1><table>{rows}</table>", one.url)

    assert {"mission", "mission_lead"} & names(make).keys()


def test_the_heading_of_a_page_is_not_called_by_a_button_before_it():
    def make(one):
        button = "<label for=toc>Toggle the contents</label>"
        body = f"<header>{button}<h1><span>{one.title}</span></h1></header><p>{one.author}</p>"
        return document(body, one.url, head=f"<title>{one.title} - Wiki</title>")

    assert names(make)["title"] == "title"


def test_a_word_that_only_relates_is_no_name():
    def make(one):
        filed = f"<span>in</span> <a href=/topic/{one.publisher[:3]}>{one.publisher}</a>"
        return document(f"<h1>{one.title}</h1><p>{filed}</p>", one.url)

    assert {"in", "topic"} & names(make).keys() == {"topic"}


def test_the_width_of_an_image_is_called_so():
    def make(one):
        meta = f"<meta property=og:image:width content={one.pages}>"
        return document(f"<h1>{one.title}</h1><p>{one.author}</p>", one.url, head=meta)

    assert "image_width" in names(make)


def test_a_date_with_a_sign_is_no_phone():
    def make(one):
        return document(f"<h1>{one.title}</h1><p class=x>+{one.day}</p>", one.url)

    assert "phone" not in names(make)


def test_a_link_within_its_folder_is_named_by_the_folder():
    def make(one):
        url = f"{one.url.rpartition('/')[0]}/albums/{one.title.replace(' ', '-')}/photo.html"
        body = f"<div class=photo><p><a href=index.html>{one.publisher} {one.number}</a></p></div>"
        return document(f"{body}<h1>{one.title}</h1><img src=/{one.number}.jpg>", url)

    assert "album" in names(make)


def test_the_minutes_of_a_match_are_called_so():
    def make(one):
        return document(
            f"<h1>{one.title}</h1><p><span>{one.number % 90 + 1}\u2032</span></p>", one.url
        )

    assert "minute" in names(make)


def test_a_column_without_a_name_gets_that_of_the_same_values_in_other_classes():
    houses = [f"{one} House {n}" for n, one in enumerate("Fig North Paper Quill Tall".split())]

    def make_house(number):
        head = f"<title>{houses[number % 5]} | Shop</title>"
        return document(f"<h1>{houses[number % 5]}</h1><p class=x>No. {number}</p>", head=head)

    def make_list(one):
        rows = "".join(
            f"<li><a href=/book/{other.number}.html>{other.title}</a> "
            f"<small>{houses[other.number % 5]}</small></li>"
            for other in books(7, one.number * 7)
        )
        return document(f"<h1>{one.title}</h1><ul class=names>{rows}</ul>", one.url)

    pages = {
        "house": [make_house(number) for number in range(5)],
        "list": [make_list(one) for one in books(6)],
    }
    wrappers = {name: induce(documents, name) for name, documents in pages.items()}
    records = {
        name: [
            line
            for one in documents
            for line in lines(wrappers[name], Record(one.url, read(wrappers[name], one)))
        ]
        for name, documents in pages.items()
    }
    changed = named_by_other_classes(wrappers, records)
    assert changed.keys() == {"list"}
    (part,) = changed["list"].record_sets
    assert [one.name for one in part.fields] == ["book_url", "book", "house"]


_MADE_UP = "3xY9q t5Rw8 Zk2Lp q9Bv4 m7Nc1 h4Jd6 w2Xs8 e6Fg3".split()


def made_up(number, name=""):
    """A class as a build makes it: of the component, or nothing but letters and digits."""
    return f"Card_{name}__{_MADE_UP[number]}" if name else f"css-{_MADE_UP[number].lower()}a1"


def test_what_a_build_makes_up_is_no_name_and_no_selector():
    def make(one):
        return document(
            f"<div class={made_up(0)}><h1 class={made_up(1)}>{one.title}</h1>"
            f"<p class={made_up(2)}>{one.author}</p><p class={made_up(3)}>{one.publisher}</p>"
            f"<span class={made_up(4)}>{one.isbn}</span></div>",
            one.url,
            head=f"<title>{one.title}</title>",
        )

    found = learnt(make, 16)
    assert {field.name for field in found.fields} == {"title", "text", "text_2", "text_3"}
    assert not any("css-" in field.rule.xpath for field in found.fields)


def test_of_a_class_of_a_component_its_own_word_is_the_name():
    def make(one):
        return document(
            f"<div class={made_up(0, 'box')}><h1 class={made_up(1, 'head')}>{one.title}</h1>"
            f"<p class={made_up(2, 'author')}>{one.author}</p>"
            f"<p class={made_up(3, 'publisher')}>{one.publisher}</p></div>",
            one.url,
        )

    assert {"author", "publisher"} <= names(make).keys()


def test_utility_classes_name_nothing():
    def make(one):
        return document(
            "<div class='md:flex mt-4 px-2 justify-between'>"
            f"<h1 class='text-lg font-bold truncate mb-2'>{one.title}</h1>"
            f"<p class='text-sm truncate text-gray-500 uppercase'>{one.author}</p>"
            f"<p class='leading-6 uppercase py-2 text-center'>{one.publisher}</p>"
            f"<p class='mt-2 items-center lg:w-full tracking-wide'>{one.isbn}</p></div>",
            one.url,
        )

    told = {name.rstrip("_234") for name in names(make)}
    assert told <= {"title", "text", "isbn"}, told


def test_words_of_people_are_not_made_up():
    found = volatile_classes(
        ("div", name)
        for name in "product-title h1title col-2 isNew playerName top nav price2 btn-3d".split()
    )
    assert not found


def test_short_words_are_made_up_where_most_of_their_neighbours_are():
    found = volatile_classes(("p", name) for name in "t589c t4b2a t69b7 t8f98 tad tafa".split())
    assert {"tad", "tafa"} <= found.made_up


def test_an_article_is_no_name():
    def make(one):
        return document(f"<h1>{one.title}</h1><p>The {one.author}</p>", one.url)

    assert "the" not in names(make)


def test_what_programs_call_a_part_of_a_page_names_it():
    def make(one):
        return document(
            f"<h1>{one.title}</h1><p><i class=x1 data-testid=publisher>{one.publisher}</i></p>",
            one.url,
        )

    assert "publisher" in names(make)


def test_what_is_counted_names_the_number():
    def make(one):
        return document(
            f"<h1>{one.title}</h1><p><span>({one.number} reviews)</span></p>"
            f"<div><span>{one.number % 9 + 2} min read</span></div>",
            one.url,
        )

    assert {"reviews", "reading_time"} <= names(make).keys()


def test_classes_of_rows_are_made_up_where_those_of_the_page_are():
    def make(one):
        rows = "".join(
            f"<li class='sc-{_MADE_UP[5]} hZq'><b class=abcde>{other.title}</b>"
            f"<i class=vwxyz>{other.author}</i></li>"
            for other in books(4 + one.number % 3, 10 * one.number)
        )
        body = "".join(
            f"<p class={name}><u class={name[::-1]}>{text}</u></p>"
            for name, text in zip(_MADE_UP, (one.author, one.isbn, one.pages), strict=False)
        )
        return document(f"<h1 class={_MADE_UP[6]}>{one.title}</h1>{body}<ul>{rows}</ul>", one.url)

    (part,) = learnt(make, 16).record_sets
    assert not {"abcde", "vwxyz"} & {field.name for field in part.fields}


def test_words_of_microdata_stand_apart():
    def make(one):
        return document(
            f"<h1>{one.title}</h1><b itemprop=datePublished>{one.published}</b>", one.url
        )

    assert "date_published" in names(make)


def test_what_only_tells_rows_apart_is_no_name():
    assert telling_name(["even-row-color"]) == ""
    assert telling_name(["odd", "color"]) == "color"


@pytest.mark.parametrize(
    ("word", "several"),
    [("summary", "summaries"), ("box", "boxes"), ("day", "days"), ("news", "news")],
)
def test_a_class_of_rows_is_a_plural(word, several):
    assert plural(word) == several


def field_page(one):
    """As some systems write the fields of a record: the wrappers of all have the same classes."""
    fields = {
        "field-name-field-image field-type-image field-label-hidden": (
            f"<img src='/i/{one.isbn}.png'>"
        ),
        "field-name-field-house field-type-reference field-label-hidden": (
            f"<a href='/node/{one.pages}'>{one.publisher} {one.pages}</a>"
        ),
        "field-name-body field-type-text field-label-hidden": (
            f"<p>{one.title} was written by {one.author} in {one.day[:4]}.</p>"
        ),
    }
    return "".join(
        f"<div class='field {classes}'><div class=field-items><div class='field-item even'>{inside}"
        "</div></div></div>"
        for classes, inside in fields.items()
    )


def test_a_class_of_several_kinds_is_named_by_what_the_kinds_add():
    pages = [document(f"<h1>{one.title}</h1>{field_page(one)}", one.url) for one in books(12)]
    named = [field.name for field in induce(pages, "book").fields]
    assert {"title", "image", "house", "body"} <= set(named)
    assert not any(name.startswith(("items", "node", "field")) for name in named)


def test_kinds_of_rows_are_told_by_what_their_classes_add():
    def page(number):
        rows = "".join(
            "<tr class=views-row>"
            f"<td class='views-field views-field-title'><a href='/b/{one.isbn}'>{one.title}</a>"
            "</td>"
            f"<td class='views-field views-field-field-author'>{one.author}</td>"
            f"<td class='views-field views-field-field-press'>{one.publisher}</td></tr>"
            for one in books(6, start=number * 10)
        )
        return document(f"<h1>Shelf</h1><table>{rows}</table>", f"{SITE}/shelf/{number}")

    (records,) = induce([page(number) for number in range(8)], "shelf").record_sets
    assert {"title", "author", "press"} <= {field.name for field in records.fields}


@pytest.mark.parametrize(
    ("sign", "unit"), [(" \u20ac", "EUR"), ("\u00a0\u20ac", "EUR"), (" \u20b9", "INR")]
)
def test_a_sign_of_money_behind_all_numbers_is_a_part_of_them(sign, unit):
    def make(one):
        price = f"{one.number * 37 % 9}.{one.number * 131 % 900 + 100},{one.number % 90 + 10}{sign}"
        return document(f"<h1>{one.title}</h1><div><b>{price}</b></div>", one.url)

    found = {field.name: field for field in learnt(make, 16).fields}
    assert found["price"].type.unit == unit
    assert not found["price"].rule.pattern


@pytest.mark.parametrize(
    ("before", "name"), [("Art.-Nr.", "art_nr"), ("Réf.", "réf"), ("Cat. no. #", "cat_no")]
)
def test_words_that_end_in_a_mark_before_all_values_name_them(before, name):
    def make(one):
        code = f"{one.author[:2].upper()}-{one.number * 37 % 1000}"
        return document(f"<h1>{one.title}</h1><p><i>{before} {code}</i></p>", one.url)

    found = {field.name: field for field in learnt(make, 16).fields}
    assert found[name].named_by == "before"
    assert not any(sample.startswith(before) for sample in found[name].samples)


def test_a_label_whose_colon_stands_behind_its_tag_names_what_follows():
    """Headers of a message, as archives of mailing lists show them."""

    def make(one):
        answered = "Re: " if one.number % 3 else ""
        facts = [("To", "list"), ("From", one.author), ("Date", one.published)]
        lines = "".join(f"<li><em>{label}</em>: {value}</li>" for label, value in facts)
        return document(f"<h1>{answered}{one.title}</h1><ul>{lines}</ul>", one.url)

    wrapper = learnt(make, 16)
    first = read(wrapper, make(books(1)[0]))
    assert first["from"] == books(1)[0].author
    assert first["date"] == books(1)[0].day
    assert first["title"] == f"Re: {books(1)[0].title}"
    assert "from_raw" not in first


def test_words_before_all_values_name_them_before_the_part_of_the_page_does():
    """Two facts in one box: its class says of each less than the words that it begins with."""

    def make(one):
        facts = f"<div>Brand = {one.publisher}</div><p>Item # {one.isbn}</p>"
        return document(f"<h1>{one.title}</h1><div class=product>{facts}</div>", one.url)

    found = {field.name: field for field in learnt(make, 16).fields}
    assert set(found["brand"].samples) <= {one.publisher for one in books(16)}
    assert found["item"].named_by == "before"


def test_of_the_texts_of_a_card_that_is_a_link_its_title_alone_is_named_after_it():
    def card(one):
        facts = f"<h3>{one.title}</h3><p>{one.author}</p><p>{one.published}</p><p>{one.price}</p>"
        return f"<li><a href='/books/{one.number}.html'>{facts}</a></li>"

    def make(one):
        rows = "".join(map(card, books(3 + one.number % 4, 10 * one.number)))
        return document(f"<h1>{one.title}</h1><h2>Also bought</h2><ul>{rows}</ul>", one.url)

    fields = {field.name for field in learnt(make, 16).record_sets[0].fields}
    assert {"title", "date", "price"} <= fields
    assert "book_url" in fields
    assert "book" not in fields


def test_of_the_plain_texts_of_a_link_the_first_is_named_after_it():
    def card(one):
        facts = f"<p>{one.published}</p><p>{one.title}</p><p>{one.author}</p>"
        return f"<li><a href='/books/{one.number}.html'>{facts}</a></li>"

    def make(one):
        rows = "".join(map(card, books(3 + one.number % 4, 10 * one.number)))
        return document(f"<h1>{one.title}</h1><h2>Also bought</h2><ul>{rows}</ul>", one.url)

    fields = {field.name: field.samples for field in learnt(make, 16).record_sets[0].fields}
    assert {"date", "book", "text"} <= fields.keys()
    assert all(any(map(str.isdigit, title)) for title in fields["book"])


def _only(value):
    """The names of the columns of pages that say one thing of a book, without a word for it."""

    def make(one):
        return document(f"<h1>{one.title}</h1><div><h4>{value(one)}</h4></div>", one.url)

    return names(make)


_TOWNS = "Graz, Austria|Springfield, IL 62704|Lyon, France|Ottawa, Ontario, Canada|Köln, Germany"
_FIRMS = "Acme, Inc.|Nordlicht|Quill House|Muster GmbH & Co. KG|Paper Moon|Ruiz Hermanos S.L."


@pytest.mark.parametrize(
    ("values", "name"),
    [
        (_TOWNS, "location"),
        ("Austria|France|Deutschland|Canada", "country"),
        (_FIRMS, "company"),
        ("Ada, Bea|Cleo, Dora|Ewa, Fay", "heading"),
        ("+33 (0)4 86 19 57 36|03 22 76 22 30|+33 2 58 80 81 97|+1 (212) 555-0123", "phone"),
    ],
)
def test_places_firms_and_phones_are_called_so_where_no_word_says_what_they_are(values, name):
    known = values.split("|")
    assert name in _only(lambda one: known[one.number % len(known)])


def test_a_link_whose_text_is_an_address_is_a_website():
    def make(one):
        link = f"<a href='http://house-{one.number}.example/'>www.house-{one.number}.com</a>"
        return document(f"<h1>{one.title}</h1><div>{link}</div>", one.url)

    assert "website" in names(make)


def test_what_a_label_names_has_the_name_and_what_stands_in_a_box_of_it_a_number():
    def make(one):
        box = f"<div class=summary><p><i>{one.publisher}</i></p><p><b>{one.price}</b></p></div>"
        fact = f"<div><em>Summary:</em> <span>{one.author} and the {one.title}</span></div>"
        return document(f"<h1>{one.title}</h1>{box}{fact}", one.url)

    fields = {field.name: field for field in learnt(make, 16).fields}
    assert fields["summary"].named_by == "label"
    assert fields["summary_2"].named_by != "label"


def test_what_stands_under_one_label_is_told_apart_by_where_it_leads():
    def make(one):
        link = f"<a href='/houses/{one.number % 7}.html'>{one.publisher}</a>"
        facts = f"<div>{link}</div><div>{one.author}</div><div>0{one.number + 3100} 55 66 77</div>"
        return document(f"<h1>{one.title}</h1><h2>Seller</h2><div>{facts}</div>", one.url)

    assert {"seller", "seller_house"} <= names(make).keys()


def test_what_holds_all_of_a_page_names_nothing_in_it():
    def make(one):
        text = f"<p>{one.author} wrote of the {one.title}, and of much else besides.</p>"
        return document(f"<main id=skip><h1>{one.title}</h1>{text}</main>", one.url)

    assert "text" in names(make)
    assert not any("skip" in name for name in names(make))


@pytest.mark.parametrize("classes", [["fontsmall"], ["img-fluid"], ["stretched-link"], ["d-flex"]])
def test_two_words_for_looks_in_one_are_no_name(classes):
    assert telling_name(classes) == ""


def test_a_word_that_only_begins_like_one_for_looks_is_a_name():
    assert telling_name(["headline"]) == "headline"
    assert telling_name(["listing-price"]) == "listing_price"


def test_a_line_of_several_facts_is_not_called_after_what_one_of_them_counts():
    def make(one):
        line = f"{one.author} · {one.number * 7 % 90 + 2} employees"
        return document(f"<h1>{one.title}</h1><div><div><p>{line}</p></div></div>", one.url)

    assert {"text", "employees"} <= names(make).keys()


def test_one_label_in_two_parts_of_a_page_is_told_apart_by_the_heading_of_one():
    def make(one):
        rows = f"<li><i>Format:</i> {one.pages} pages<li><i>Published:</i> {one.published}"
        more = f"<li><i>ISBN:</i> {one.isbn}<li><i>Published:</i> {one.day[:4]}"
        parts = f"<ul class=facts>{rows}</ul><div><h2>Details</h2><ul class=more>{more}</ul></div>"
        return document(f"<h1>{one.title}</h1>{parts}", one.url)

    assert {"published", "details_published"} <= names(make).keys()


def test_a_heading_that_is_a_link_names_the_list_below_it():
    def make(one):
        items = "".join(
            f"<li>{other.title}</li>" for other in books(2 + one.number % 4, one.number)
        )
        head = f"<h3><a href='/compare?with={one.number}'>Comparable books</a></h3>"
        parts = f"<div class=nearby>{head}<ul class=nanotabs>{items}</ul></div>"
        return document(f"<h1>{one.title}</h1><p class=by>{one.author}</p>{parts}", one.url)

    assert names(make)["comparable_books"] in {"before", "label"}


def test_words_that_count_parts_name_no_column():
    def page(turn):
        return document(
            f"<h1>Offer {turn}</h1><div class=layout-two><p>Given since {turn * 7}</p></div>"
            f"<div class=part-one><em>Kept for {turn * 3} years</em></div>",
            f"{SITE}offer/{turn}",
        )

    names = {field.name for field in induce([page(turn) for turn in range(12)], "offer").fields}
    assert names.isdisjoint({"one", "two"})


def test_all_the_words_behind_a_number_that_texts_share_say_what_is_counted():
    def make(one):
        days = f"Usually ships in {one.number % 5 + 2} business days"
        return document(f"<h1>{one.title}</h1><div><p><b>{days}</b></p></div>", one.url)

    assert "business_days" in names(make)


def test_how_many_there_are_is_no_part_of_what_a_heading_calls_them():
    def make(one):
        others = books(2 + one.number % 4, one.number)
        items = "".join(f"<li>{other.title}</li>" for other in others)
        parts = f"<div><h3><a href='/comparable'>Comparable (48)</a></h3><ul>{items}</ul></div>"
        return document(f"<h1>{one.title}</h1><p class=by>{one.author}</p>{parts}", one.url)

    assert "comparable" in names(make)


def test_a_sentence_with_a_number_is_not_called_after_what_it_counts():
    def make(one):
        said = f"I have had the {one.publisher.split()[0]} one for {one.number} years."
        return document(f"<h1>{one.title}</h1><div><div><p>{said}</p></div></div>", one.url)

    assert "text" in names(make)
    assert "years" not in names(make)
