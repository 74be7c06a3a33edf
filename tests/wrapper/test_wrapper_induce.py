"""What is learnt from pages that tell of one thing each."""

import random

import pytest
from wrapper_pages import (
    SITE,
    behind_page,
    bold_page,
    book,
    books,
    class_page,
    column,
    definition_page,
    document,
    learnt,
    linked_page,
    microdata_page,
    one_text_page,
    read,
    rows_of,
    table_page,
)

from sitewright import formats
from sitewright.page import Document
from sitewright.settings import current
from sitewright.wrapper import Wrapper, induce
from sitewright.wrapper.values.types import ValueKind

LABELLED = [table_page, definition_page, one_text_page, bold_page, behind_page, linked_page]
HELD_OUT = books(10, start=50)


@pytest.mark.parametrize("make", LABELLED)
def test_values_beside_labels_are_found_whatever_their_order(make):
    wrapper = learnt(make, 20)
    for one in HELD_OUT:
        values, rows = read(wrapper, make(one)), dict(rows_of(one))
        assert values["isbn"] == rows.get("ISBN")
        assert values["publisher"] == rows.get("Publisher")
        assert values["pages"] == (int(rows["Pages"]) if "Pages" in rows else None)
        assert values["published"] == one.day
        assert values["published_raw"].endswith(one.published)


@pytest.mark.parametrize("make", LABELLED)
def test_labels_name_their_fields(make):
    wrapper = learnt(make, 20)
    named = {field.name: field for field in wrapper.fields}
    for name in ("isbn", "pages", "publisher", "published"):
        assert named[name].named_by == "label"
        assert named[name].confidence > 0.9
        assert named[name].stability > 0.95


@pytest.mark.parametrize("make", [*LABELLED, class_page])
def test_the_heading_above_is_a_field_of_its_own(make):
    wrapper = learnt(make, 20)
    pages = [make(one) for one in HELD_OUT]
    assert column(wrapper, pages, [one.title for one in HELD_OUT]) == "title"


def test_rows_that_some_pages_lack_are_nullable():
    wrapper = learnt(table_page, 20)
    coverage = {field.name: field.coverage for field in wrapper.fields}
    assert coverage["published"] == 1
    assert 0.5 < coverage["isbn"] < 1
    assert "published" in wrapper.required


def test_a_row_that_few_pages_have_is_not_required():
    def make(one):
        rare = f"<tr><th>Series</th><td>{one.author}</td></tr>" if one.number % 3 == 0 else ""
        page = table_page(one)
        return Document(page.body.replace(b"</table>", rare.encode() + b"</table>"), page.url)

    wrapper = learnt(make, 21)
    assert "series" in {field.name for field in wrapper.fields}
    assert "series" not in wrapper.required


def test_values_have_types():
    wrapper = learnt(class_page)
    kinds = {field.name: field.type.kind for field in wrapper.fields}
    assert kinds["price"] is ValueKind.DECIMAL
    assert kinds["date"] is ValueKind.DATE
    assert kinds["cover_image"] is ValueKind.IMAGE
    assert kinds["house_url"] is ValueKind.URL
    assert kinds["author"] is ValueKind.TEXT
    assert {field.name: field.type.unit for field in wrapper.fields}["price"] == "USD"


def test_values_of_attributes_and_classes_are_right_on_other_pages():
    wrapper = learnt(class_page)
    for one in HELD_OUT:
        values = read(wrapper, class_page(one))
        assert values["author"] == one.author
        assert values["price"] == float(one.price[1:])
        assert values["price_raw"] == one.price
        assert values["date"] == one.day
        assert values["cover_image"] == f"{SITE}/covers/{one.number}.jpg"
        assert values["house_url"] == f"{SITE}/house/{one.number % 5}.html"
        assert values["house"] == one.publisher


def test_the_page_says_what_its_values_are():
    wrapper = learnt(microdata_page)
    named = {field.name: field.named_by for field in wrapper.fields}
    for name in ("name", "author", "isbn", "price"):
        assert named[name] == "microdata"
    values = read(wrapper, microdata_page(book(50)))
    assert values["name"] == book(50).title
    assert values["isbn"] == book(50).isbn


def test_what_all_pages_have_is_no_field_but_is_listed():
    wrapper = learnt(table_page)
    said = {sample for field in wrapper.all_fields() for sample in field.samples}
    listed = {one.sample: one.reason for one in wrapper.dropped}
    for constant in ("All rights reserved", "Terms of use", "/terms.html"):
        assert constant not in said
        assert listed[constant] == "constant"


def test_a_link_that_says_the_same_everywhere_is_boilerplate():
    def make(one):
        body = f"<h1>{one.title}</h1><p>{one.author}</p><a href=/buy/{one.number}>Buy now</a>"
        return document(body, one.url)

    wrapper = learnt(make)
    assert "Buy now" not in {sample for one in wrapper.fields for sample in one.samples}
    assert any(one.reason == "boilerplate" for one in wrapper.dropped)


def test_the_same_value_twice_is_one_field():
    def make(one):
        return document(f"<h1>{one.title}</h1><p class=again>{one.title}</p>", one.url)

    wrapper = learnt(make)
    assert [field.name for field in wrapper.fields] == ["title"]
    assert any(one.reason == "the same as another" for one in wrapper.dropped)


def test_the_key_tells_all_pages_apart():
    wrapper = learnt(class_page)
    assert wrapper.key == ("title",)


def test_links_to_pages_of_another_class_are_foreign_keys():
    wrapper = learnt(class_page, leads_to=lambda url: "house" if "/house/" in url else None)
    references = {field.name: field.references for field in wrapper.fields}
    assert references["house_url"] == "house"
    assert references["cover_image"] is None


def foreign(number: int) -> Document:
    """A page of another kind that got into the class."""
    body = f"<h2>Oops {number}</h2><ul><li>nothing here<li>error {number * 7}</ul><p>Sorry.</p>"
    return Document(body.encode(), f"{SITE}/error/{number}.html")


@pytest.mark.parametrize("make", [*LABELLED, class_page, microdata_page])
def test_one_foreign_page_in_ten_does_no_harm(make):
    own = [make(one) for one in books(18)]
    clean = induce(own, "book")
    mixed = induce([*own[:5], foreign(1), *own[5:], foreign(2)], "book")
    names = {field.name for field in clean.fields}
    assert names <= {field.name for field in mixed.fields}
    for one in HELD_OUT:
        expected, found = read(clean, make(one)), read(mixed, make(one))
        assert {name: found[name] for name in names} == {name: expected[name] for name in names}


@pytest.mark.parametrize("make", [*LABELLED, class_page])
def test_five_pages_are_enough(make):
    wrapper = learnt(make, 5)
    full = learnt(make, 20)
    for one in HELD_OUT:
        few, many = read(wrapper, make(one)), read(full, make(one))
        for name in ("published", "price"):
            assert few.get(name) == many.get(name)


def test_two_layouts_in_one_class_both_give_their_values():
    def make(one):
        return table_page(one) if one.number % 2 else definition_page(one)

    wrapper = learnt(make, 30)
    pages = [make(one) for one in HELD_OUT]
    found = [read(wrapper, page) for page in pages]
    days = [
        [value for value in values.values() if value == one.day]
        for values, one in zip(found, HELD_OUT, strict=True)
    ]
    assert all(days)


def test_no_page_gives_a_wrapper_without_fields():
    wrapper = induce([], "nothing")
    assert wrapper.fields == ()
    assert wrapper.record_sets == ()
    assert wrapper.pages == 0


@pytest.mark.parametrize("count", [1, 2])
def test_one_or_two_pages_give_a_wrapper_that_reads_them(count):
    wrapper = learnt(table_page, count)
    values = read(wrapper, table_page(book(1)))
    assert book(1).title in map(str, values.values())
    assert wrapper.pages == count


def test_empty_pages_give_nothing_and_do_not_raise():
    wrapper = induce([Document(b"", f"{SITE}/{number}") for number in range(5)], "empty")
    assert wrapper.fields == ()


@pytest.mark.parametrize("make", [table_page, class_page, microdata_page])
def test_the_same_pages_give_the_same_wrapper(make):
    assert formats.dump(learnt(make)) == formats.dump(learnt(make))


@pytest.mark.parametrize("make", [table_page, class_page, microdata_page, bold_page])
def test_the_order_of_the_pages_does_not_matter(make):
    pages = [make(one) for one in books(20)]
    ordered = induce(pages, "book")
    random.Random(1).shuffle(pages)
    shuffled = induce(pages, "book")
    assert {(one.name, one.rule) for one in ordered.fields} == {
        (one.name, one.rule) for one in shuffled.fields
    }


def test_no_class_has_more_columns_than_the_limit():
    def make(one):
        chance = random.Random(one.number)
        rows = "".join(
            f"<tr><th>Label {chr(97 + row // 26)}{chr(97 + row % 26)}:</th>"
            f"<td>{chance.randint(1, 9999)} kg</td></tr>"
            for row in range(200)
        )
        return document(f"<h1>{one.title}</h1><table>{rows}</table>", one.url)

    wrapper = learnt(make)
    assert 100 <= wrapper.width() <= current().wrapper.max_columns
    assert 30 <= learnt(make, width=40).width() <= 40
    assert any("width" in one.reason for one in wrapper.dropped)


def test_a_narrower_table_can_be_asked_for():
    assert learnt(class_page, width=3).width() == 3


def test_column_names_are_unique_and_usable():
    def make(one):
        rows = "".join(
            f"<tr><th>{label}</th><td>{value}</td></tr>" for label, value in rows_of(one)
        )
        return document(
            f"<h1>{one.title}</h1><table>{rows}</table><h2>More</h2><p class=isbn>{one.author}</p>"
        )

    wrapper = learnt(make, 20)
    names = [name for field in wrapper.fields for name in field.columns()]
    assert len(names) == len(set(names))
    assert all(name.isidentifier() for name in names)


def test_a_wrapper_comes_back_from_its_file(tmp_path):
    wrapper = learnt(linked_page, leads_to=lambda url: "house")
    path = tmp_path / "wrapper.json"
    formats.write(path, wrapper)
    assert formats.read(path, Wrapper) == wrapper


def test_advertising_does_not_push_data_out():
    def make(one):
        chance = random.Random(one.number)
        ads = "".join(
            f"<div class=ad><a href=/ad/{chance.random()}>Ad {chance.randint(1, 999)}</a></div>"
            for _ in range(chance.randint(0, 9))
        )
        return document(f"{ads}<h1>{one.title}</h1><b class=price>{one.price}</b>{ads}", one.url)

    wrapper = learnt(make)
    for one in HELD_OUT:
        values = read(wrapper, make(one))
        assert values["title"] == one.title
        assert values["price_raw"] == one.price


def test_a_picture_that_all_pages_show_is_no_column_however_its_address_is_written():
    pages = [
        Document(
            f"<h1>Item {number}</h1><p class=logo><img src='{'../' * (number % 3)}logo.png'></p>"
            f"<p class=photo><img src='/photos/{number}.jpg'></p>".encode(),
            f"http://x.invalid/{'a/' * (number % 3)}{number}.html",
        )
        for number in range(12)
    ]
    wrapper = induce(pages, "item")
    samples = {sample for field in wrapper.fields for sample in field.samples}
    assert any("photos" in sample for sample in samples)
    assert not any("logo" in sample for sample in samples)


def test_an_address_that_is_written_out_and_linked_is_one_column():
    pages = [
        Document(
            f"<h1>Item {number}</h1><p>See <a class=home href='http://shop.example/{number}'>"
            f"http://shop.example/{number}</a></p>".encode(),
            f"http://x.invalid/{number}.html",
        )
        for number in range(12)
    ]
    fields = [field for field in induce(pages, "item").fields if "shop" in field.samples[0]]
    assert len(fields) == 1


def test_links_for_programs_and_pagers_are_no_columns():
    def make(one):
        head = "".join(
            f"<link rel='{rel}' href='/{rel}/{one.number}.css'>"
            for rel in ("stylesheet", "alternate", "shortlink", "dns-prefetch", "next")
        )
        pages = f"<div class='pager'><b>{one.number}</b> of <i>{one.number + 40}</i></div>"
        return document(f"<h1>{one.title}</h1><p>{one.author}</p>{pages}", one.url, head)

    wrapper = learnt(make, 16)
    assert {field.name for field in wrapper.fields} == {"title", "text"}


def test_pictures_that_nothing_but_a_number_tells_apart_are_one_list():
    forms = ("/a-{}.jpg", "/{}", "/x/{}/y?z=1", "http://img.example/{}#top", "{}.png", "/p/(q)/{}")

    def make(one):
        faces = "".join(f"<p><img src='{form.format(one.number)}'></p>" for form in forms)
        return document(f"<h1>{one.title}</h1><div class=faces>{faces}</div>", one.url)

    images = [field for field in learnt(make, 16).fields if field.type.kind is ValueKind.IMAGE]
    assert [field.many for field in images] == [True]
