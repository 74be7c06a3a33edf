"""Rules outlive small changes of a page, and people can read them."""

import re
from urllib.parse import quote

import pytest
from wrapper_pages import (
    SITE,
    behind_page,
    bold_page,
    book,
    books,
    card_page,
    class_page,
    definition_page,
    document,
    header_table_page,
    item_page,
    learnt,
    learnt_list,
    linked_page,
    microdata_page,
    one_text_page,
    read,
    rows_of,
    table_page,
)

from sitewright.page import Document
from sitewright.wrapper import induce, selectors

DETAILS = [table_page, definition_page, one_text_page, bold_page, behind_page, linked_page]
OTHERS = [class_page, microdata_page]
LISTS = [card_page, header_table_page, item_page]


def changed(page, old, new, count=1):
    """The page with a part of its source replaced."""
    text = page.body.decode()
    assert old in text
    return Document(text.replace(old, new, count).encode(), page.url)


def banner(page):
    return changed(
        page,
        "<div id=main>",
        "<div class=banner><p>Sale: all <b>red</b> things!</p></div><div id=main>",
    )


def banner_inside(page):
    return changed(page, "<div id=main>", "<div id=main><div class=banner>Sale today</div>")


def another_box(page):
    text = page.body.decode().replace("<div id=main>", "<div class=new><div id=main>")
    return Document(text.replace("<div id=bottom>", "</div><div id=bottom>").encode(), page.url)


def added_class(page):
    text = page.body.decode()
    for tag in ("p", "b", "i", "td", "th", "dt", "dd", "li", "h1", "h3", "tr"):
        text = text.replace(f"<{tag}>", f"<{tag} class=fresh>")
    return Document(text.replace("class=author", 'class="fresh author"').encode(), page.url)


def longer_footer(page):
    return changed(page, "<div id=bottom>", "<div id=bottom><p>Follow us</p><ul><li>A<li>B</ul>")


CHANGES = [banner, another_box, added_class, longer_footer]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("make", DETAILS + OTHERS)
def test_a_small_change_of_a_page_changes_no_value(make, change):
    wrapper = learnt(make, 20)
    for one in books(3, start=60):
        page = make(one)
        assert read(wrapper, change(page)) == read(wrapper, page)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("make", LISTS)
def test_a_small_change_of_a_list_changes_no_row(make, change):
    wrapper = learnt_list(make)
    assert read(wrapper, change(make(31))) == read(wrapper, make(31))


@pytest.mark.parametrize("make", DETAILS)
def test_a_banner_among_the_data_changes_no_labelled_value(make):
    wrapper = learnt(make, 20)
    page = make(book(60))
    before, after = read(wrapper, page), read(wrapper, banner_inside(page))
    for name in ("isbn", "pages", "publisher", "published"):
        assert after[name] == before[name]


@pytest.mark.parametrize(
    ("make", "first", "row"),
    [
        (table_page, "<table class=facts>", "<tr><th>Weight</th><td>300 g</td></tr>"),
        (definition_page, "<dl>", "<dt>Weight</dt><dd>300 g</dd>"),
        (one_text_page, "</h1>", "<p>Weight: 300 g</p>"),
        (bold_page, "<div class=facts>", "<b>Weight:</b> 300 g<br>"),
    ],
)
def test_a_row_with_a_new_label_changes_no_value(make, first, row):
    wrapper = learnt(make, 20)
    page = make(book(60))
    before, after = read(wrapper, page), read(wrapper, changed(page, first, first + row))
    assert after == before


@pytest.mark.parametrize("make", DETAILS)
def test_rules_name_labels_not_places(make):
    rules = {field.name: field.rule.xpath for field in learnt(make, 20).fields}
    for name, label in (("isbn", "ISBN"), ("pages", "Pages"), ("publisher", "Publisher")):
        assert label in rules[name]
        assert "/html" not in rules[name]


def test_rules_name_classes_and_ids_where_there_is_no_label():
    rules = {field.name: field.rule.xpath for field in learnt(class_page).fields}
    assert "author" in rules["author"]
    assert "price" in rules["price"]
    assert rules["title"] == "//h1/text()[normalize-space()]"
    assert rules["date"].startswith("//time/")


def test_ids_and_classes_of_one_page_alone_are_in_no_rule():
    def make(one):
        return document(f"<div id=book-{one.number}><p class=p{one.number}>{one.author}</p></div>")

    [field] = learnt(make).fields
    assert re.search(r"book-|p\d", field.rule.xpath) is None
    assert read(learnt(make), make(book(60)))[field.name] == book(60).author


def test_a_label_with_both_kinds_of_quotes_can_be_written():
    def make(one):
        other = f"""<dt>Author's "own" price</dt><dd>{one.price}</dd>"""
        more = f"<dt>Pages</dt><dd>{one.pages}</dd>"
        return document(f"<dl>{other + more if one.number % 2 else more + other}</dl>", one.url)

    wrapper = learnt(make)
    values = read(wrapper, make(book(60)))
    assert book(60).price in values.values()
    assert int(book(60).pages) in values.values()


@pytest.mark.parametrize(
    ("name", "label"), [("isbn", "ISBN"), ("pages", "Pages"), ("publisher", "Publisher")]
)
def test_stability_and_coverage_are_shares_of_the_pages_learnt_from(name, label):
    wrapper = learnt(table_page, 20)
    [field] = [field for field in wrapper.fields if field.name == name]
    pages = [(one, table_page(one)) for one in books(20)]
    has_it = [label in page.body.decode() for _, page in pages]
    truth = [
        getattr(one, name) if has else "None" for (one, _), has in zip(pages, has_it, strict=True)
    ]
    found = [str(read(wrapper, page)[name]) for _, page in pages]
    assert 0 < sum(has_it) < 20
    assert field.coverage == sum(has_it) / 20
    right = [found == true for found, true in zip(found, truth, strict=True)]
    assert field.stability == sum(right) / 20 == 1


def test_a_value_that_wanders_without_a_name_is_less_stable():
    def make(one):
        before = "<p>Some words of the day</p>" * (one.number % 3)
        return document(
            f"<h1>{one.title}</h1>{before}<p>{one.isbn}</p><p>{one.author}</p>", one.url
        )

    fields = learnt(make, 30).fields
    title = next(field for field in fields if field.name == "title")
    assert title.stability == 1
    assert min(field.confidence for field in fields) < title.confidence


def test_a_value_behind_a_label_is_not_taken_from_the_next_row_where_it_is_empty():
    def is_gap(one, label):
        return label == "ISBN" and one.number % 4 == 0

    def make(one):
        known = [(label, "" if is_gap(one, label) else value) for label, value in rows_of(one)]
        rows = "".join(f"<tr><th>{label}</th><td>{value}</td></tr>" for label, value in known)
        return document(f"<table>{rows}</table>", f"{SITE}/{one.number}")

    wrapper = learnt(make, 20)
    for one in books(8, start=60):
        if one.number % 4 == 0:
            assert read(wrapper, make(one))["isbn"] is None


@pytest.mark.parametrize("page", [*DETAILS, *OTHERS, *LISTS])
def test_selectors_that_texts_rule_out_would_not_have_been_chosen(page, monkeypatch):
    def learnt_anew():
        given = range(1, 13) if page in LISTS else books(12)
        return induce([page(one) for one in given], "thing")

    chosen = learnt_anew()
    for trial in ("_trial_of_lists", "_trial_of_places"):
        monkeypatch.setattr(selectors, trial, lambda *_: True)
    assert learnt_anew() == chosen


@pytest.mark.parametrize("says_address", [True, False])
def test_links_to_share_a_page_elsewhere_are_no_data(says_address):
    def make(one):
        own = f"http://shop.example/p/{one.number}/" if says_address else one.url
        share = f"https://share.example/send?u={quote(own)}&amp;t={quote(one.title)}"
        mail = f"mailto:?subject=Look&amp;body={quote(one.title)} {own}"
        link = f"<b>Share:</b> <span><a href='{share}'>{one.title} on Share</a></span>"
        link += f"<b>Mail:</b> <span><a href='{mail}'>Send {one.title}</a></span>"
        maker = f"<b>Maker:</b> <span><a href='http://{one.number}.example/?u=x'>{one.author}</a></span>"
        canonical = f"<link rel=canonical href='{own}'>" if says_address else ""
        body = f"<h1>{one.title}</h1><p>{link}</p><p>{maker}</p>"
        return document(body, one.url, canonical)

    found = {field.name for field in learnt(make, 16).fields}
    assert "maker_url" in found
    assert found.isdisjoint({"share_url", "mail_url"})
