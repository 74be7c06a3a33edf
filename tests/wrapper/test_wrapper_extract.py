"""From a page to its record with a wrapper that is known: values, lists, rows, misfits."""

from itertools import pairwise

import pytest
from wrapper_pages import SITE, book, class_page, document, learnt, table_page

from sitewright import formats
from sitewright.errors import InputNotFound, UnreadableInput, WrongFormatVersion
from sitewright.page import Document
from sitewright.wrapper import (
    Field,
    Misfit,
    Record,
    RecordSet,
    Rule,
    Wrapper,
    extract,
    lines,
)
from sitewright.wrapper.values.types import FieldType, ValueKind

NUMBER = FieldType(ValueKind.DECIMAL, decimal_mark=".")


def wrapper_of(*fields, **options):
    return Wrapper("c", fields, **options)


def page(body):
    return Document(body.encode(), f"{SITE}/a/b.html")


def values(wrapper, body):
    found = extract(wrapper, page(body))
    assert isinstance(found, Record)
    return found.values


def test_a_field_has_the_first_value_that_its_rule_selects():
    wrapper = wrapper_of(Field("name", Rule.parse("//b/text()"), FieldType()))
    assert values(wrapper, "<b>One</b><b>Two</b>") == {"name": "One"}


def test_a_field_of_many_has_them_all():
    wrapper = wrapper_of(Field("names", Rule.parse("//b/text()"), FieldType(), many=True))
    assert values(wrapper, "<b>One</b><b>Two</b>") == {"names": ["One", "Two"]}


def test_white_space_is_collapsed():
    wrapper = wrapper_of(Field("name", Rule.parse("//p"), FieldType()))
    assert values(wrapper, "<p> One \n\t two&nbsp;three </p>") == {"name": "One two three"}


def test_inline_tags_glue_words_and_blocks_part_them():
    wrapper = wrapper_of(Field("name", Rule.parse("//div"), FieldType()))
    assert values(wrapper, "<div>1<b>2</b>3<br>4<p>5</p>6</div>") == {"name": "123 4 5 6"}


def test_scripts_and_styles_are_not_read():
    wrapper = wrapper_of(Field("name", Rule.parse("//div"), FieldType()))
    body = "<div>a<script>b</script><style>c</style><template>d</template><noscript>e</noscript>"
    assert values(wrapper, body) == {"name": "a"}


def test_the_pattern_cuts_the_value_out_of_its_text():
    wrapper = wrapper_of(
        Field(
            "pages", Rule.parse("//p", r"^Pages:\s+(.+)$"), FieldType(ValueKind.INTEGER), raw=True
        )
    )
    found = values(wrapper, "<p>Other: 1</p><p>Pages: 312</p>")
    assert found == {"pages": 312, "pages_raw": "Pages: 312"}


def test_a_text_that_is_not_of_the_type_has_no_value_but_stays_raw():
    wrapper = wrapper_of(Field("price", Rule.parse("//p/text()"), NUMBER, raw=True))
    assert values(wrapper, "<p>sold out</p>") == {"price": None, "price_raw": "sold out"}


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("x.html", f"{SITE}/a/x.html"),
        ("/x.html", f"{SITE}/x.html"),
        ("//other.example/x", "//other.example/x".replace("//", "http://", 1)),
        ("https://other.example/x", "https://other.example/x"),
    ],
)
def test_addresses_are_absolute(written, expected):
    wrapper = wrapper_of(Field("link", Rule.parse("//a/@href"), FieldType.of_url()))
    assert values(wrapper, f"<a href={written}>x</a>") == {"link": expected}


def test_addresses_refer_to_the_base_of_the_page():
    wrapper = wrapper_of(Field("link", Rule.parse("//a/@href"), FieldType.of_url()))
    body = "<base href=http://base.example/deep/><a href=x>x</a>"
    assert values(wrapper, body) == {"link": "http://base.example/deep/x"}


LIST = Wrapper(
    "c",
    (Field("title", Rule.parse("//h1/text()"), FieldType()),),
    (
        RecordSet(
            "items",
            Rule.parse("//li"),
            (
                Field("name", Rule.parse("./b/text()"), FieldType()),
                Field("price", Rule.parse("./i/text()"), NUMBER),
            ),
        ),
    ),
)


def test_rows_are_read_each_for_itself():
    body = "<h1>T</h1><ul><li><b>a</b><i>1.5</i><li><b>b</b><li><i>2</i></ul>"
    assert values(LIST, body)["items"] == [
        {"name": "a", "price": 1.5},
        {"name": "b", "price": None},
        {"name": None, "price": 2},
    ]


def test_rows_without_any_value_are_left_out():
    assert values(LIST, "<h1>T</h1><ul><li>x<li><b>a</b></ul>")["items"] == [
        {"name": "a", "price": None}
    ]


def test_a_detail_class_has_one_line_a_page_with_its_rows_inside():
    record = extract(LIST, page("<h1>T</h1><ul><li><b>a</b><li><b>b</b></ul>"))
    (line,) = lines(LIST, record)
    assert list(line) == ["_url", "title", "items"]


def test_a_list_class_has_one_line_a_row_with_what_the_page_says_repeated():
    wrapper = Wrapper("c", LIST.fields, LIST.record_sets, rows="items")
    record = extract(wrapper, page("<h1>T</h1><ul><li><b>a</b><li><b>b</b></ul>"))
    url = f"{SITE}/a/b.html"
    assert list(lines(wrapper, record)) == [
        {"_url": url, "title": "T", "name": "a", "price": None},
        {"_url": url, "title": "T", "name": "b", "price": None},
    ]


def test_lines_do_not_share_their_data():
    wrapper = Wrapper("c", LIST.fields, LIST.record_sets, rows="items")
    record = extract(wrapper, page("<h1>T</h1><ul><li><b>a</b><li><b>b</b></ul>"))
    for one, other in pairwise(lines(wrapper, record)):
        assert one is not other
    assert record.values["items"][0] == {"name": "a", "price": None}


def test_a_page_without_any_value_is_a_misfit():
    found = extract(LIST, page("<p>nothing</p>"))
    assert found == Misfit(f"{SITE}/a/b.html", "no field has a value")


def test_a_page_that_lacks_what_every_page_has_is_a_misfit_and_names_it():
    wrapper = learnt(class_page)
    found = extract(wrapper, document("<h1>Only a title</h1>", f"{SITE}/odd.html"))
    assert isinstance(found, Misfit)
    assert found.url == f"{SITE}/odd.html"
    assert "author" in found.reason
    assert "required" in found.reason


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html><body><div class=error>Service unavailable</div>",
        b"\x89PNG\r\n\x1a\n\0\0",
    ],
)
@pytest.mark.parametrize("make", [table_page, class_page])
def test_pages_of_another_kind_are_misfits_never_half_filled(make, body):
    found = extract(learnt(make, 20), Document(body, f"{SITE}/odd.html"))
    assert isinstance(found, Misfit)
    assert found.reason


def test_a_heading_alone_makes_no_record():
    found = extract(learnt(table_page, 20), page("<h1>404</h1><p>Not found"))
    assert isinstance(found, Misfit)


def test_every_record_has_every_column():
    wrapper = learnt(table_page, 20)
    columns = [name for field in wrapper.fields for name in field.columns()]
    for number in range(60, 70):
        found = extract(wrapper, table_page(book(number)))
        assert list(found.values) == columns


def test_a_wrapper_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputNotFound, match=r"wrapper.json: no such file"):
        formats.read(tmp_path / "wrapper.json", Wrapper)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"format": "sitewright-wrapper", "version": 3}', "\x00", '"a"', "1e999"],
)
def test_a_damaged_wrapper_file_gets_one_clear_line(tmp_path, text):
    path = tmp_path / "wrapper.json"
    path.write_text(text)
    with pytest.raises(UnreadableInput, match="wrapper") as raised:
        formats.read(path, Wrapper)
    assert "\n" not in str(raised.value)


def test_a_wrapper_of_another_version_names_both(tmp_path):
    path = tmp_path / "wrapper.json"
    path.write_text(formats.dump(LIST).replace('"version": 3', '"version": 99'))
    with pytest.raises(WrongFormatVersion, match=r"99.*3"):
        formats.read(path, Wrapper)


def test_a_list_without_rows_is_rejected_never_silently_dropped():
    wrapper = Wrapper(
        "list",
        fields=(Field("title", Rule.parse("//h1"), FieldType()),),
        record_sets=(
            RecordSet("rows", Rule.parse("//li"), (Field("name", Rule.parse("./b"), FieldType()),)),
        ),
        rows="rows",
    )
    page = Document(b"<h1>Nothing found</h1><ul></ul>", "http://shop.example/list")
    found = extract(wrapper, page)
    assert isinstance(found, Misfit)
    assert found.reason == "a list without rows: no rows"
