"""The type of a column is inferred over all its texts, and reads each of them in one way."""

import random
import time
from dataclasses import asdict
from datetime import date

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright import formats
from sitewright.settings import TypeSettings
from sitewright.wrapper.values.types import FieldType, ValueKind, infer_type, raw_differs

MESSY = st.text(st.sampled_from("0123456789.,-/: '$€%kgmJulMai\u2013\u0660\ud800T+"), max_size=20)
WRITTEN = st.one_of(
    st.text(max_size=20),
    MESSY,
    st.integers().map(str),
    st.dates().map(str),
    st.sampled_from("$5|5 €|12 reviews|06/05/2010|28/05/2009|May 2010|-|007".split("|")),
)
COLUMNS = st.lists(WRITTEN, max_size=12)


def read(*texts):
    """The kind of a column, its unit, and its values."""
    column = infer_type(texts)
    return column.kind.value, column.unit, [column.value(text) for text in texts]


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("$61,550", "USD", 61550),
        ("US$ 1,299.00", "USD", 1299.0),
        ("$.99", "USD", 0.99),
        ("-$5", "USD", -5),
        ("$5 CAD", "CAD", 5),
        ("USD 5", "USD", 5),
        ("5 USD", "USD", 5),
        ("£3.99", "GBP", 3.99),
        ("1.234,56 €", "EUR", 1234.56),
        ("1\xa0234,50\xa0€", "EUR", 1234.5),
        ("€1,234.50", "EUR", 1234.5),
        ("12,50 zł", "PLN", 12.5),
        ("CHF 12'345.50", "CHF", 12345.5),
        ("₹12,34,567.00", "INR", 1234567.0),
        ("kr 99", "kr", 99),
        ("188 cm", "cm", 188),
        ("75kg", "kg", 75),
        ("280 lbs.", "lb", 280),
        ("5.4L", "l", 5.4),
        ("17 MPG", "mpg", 17),
        ("90 minutes", "min", 90),
        ("850 sq. ft.", "ft²", 850),
        ("63%", "%", 63),
        ("\u22125 °C", "°C", -5),
    ],
)
def test_amounts_and_measures_are_decimals_with_a_unit(text, unit, value):
    assert read(text) == ("decimal", unit, [value])


@pytest.mark.parametrize(
    ("text", "value"),
    [("0", 0), ("-12", -12), ("+3", 3), ("68,650", 68650), ("1955", 1955), ("1,234,567", 1234567),
     ("9780805087444", 9780805087444), ("1'234", 1234)],
)  # fmt: skip
def test_whole_numbers_are_integers(text, value):
    assert read(text) == ("integer", "", [value])


@pytest.mark.parametrize(
    "text",
    [
        "6-5", "6'5\"", "1\u20131",
        "2:1", "14:00", "1st", "#5", "5.", "(12)", "1e5", "1.2.3",
        "½", "٣", "10 - 20", "$5 - $7", "$5/kg", "from $5", "MSRP: $33,255",
        "12 Monkeys", "5 May", "Rs.500", "5,-", "--5", "+-5", "12,3456.7",
    ],
)  # fmt: skip
def test_what_is_no_plain_number_stays_text(text):
    assert read(text) == ("text", "", [text])


@pytest.mark.parametrize(
    "text",
    ["00501", "007", "1234567890123456", "212-675-5980", "+442071234567", "+1 212 675 5980",
     "(212) 675-5980", "020 7123 4567", "732 829 320", "978-0-8050-8744-4", "080442957X",
     "192.168.0.1", "3.14159265358979323846"],
)  # fmt: skip
def test_identifiers_stay_text(text):
    assert read(text) == ("text", "", [text])


def test_one_leading_zero_makes_a_column_of_numbers_identifiers():
    zips = [str(code) for code in range(94100, 94120)]
    assert infer_type(zips).kind is ValueKind.INTEGER
    assert infer_type([*zips, "02134"]).kind is ValueKind.TEXT


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2010-06-25", "2010-06-25"),
        ("2010/6/5", "2010-06-05"),
        ("2010-06-25 00:12:45", "2010-06-25T00:12:45"),
        ("2010-06-25T00:12:45.123Z", "2010-06-25T00:12:45.123Z"),
        ("2010-06-25T00:12+0200", "2010-06-25T00:12+02:00"),
        ("8 July 2010", "2010-07-08"),
        ("08-Jul-2010", "2010-07-08"),
        ("Jul 8, 2010", "2010-07-08"),
        ("July 8th, 2010", "2010-07-08"),
        ("the 8th of July 2010", "2010-07-08"),
        ("Thursday, July 8, 2010 at 3:15 PM", "2010-07-08T15:15"),
        ("on Tue, 07/13/2010 - 04:49", "2010-07-13T04:49"),
        ("on Fri, 2010-06-25 11:45", "2010-06-25T11:45"),
        ("on Jul 8, 2010.", "2010-07-08"),
        ("am 8. Juli 2010", "2010-07-08"),
        ("Thu, 08 Jul 2010 12:00:00 GMT", "2010-07-08T12:00:00Z"),
        ("8. Juli 2010, 12:30 Uhr", "2010-07-08T12:30"),
        ("Do, 1. März 2012", "2012-03-01"),
        ("1er août 2010", "2010-08-01"),
        ("mar. 6 juillet 2010", "2010-07-06"),
        ("8 de julio de 2010", "2010-07-08"),
        ("8 luglio 2010", "2010-07-08"),
        ("quinta-feira, 8 de julho de 2010", "2010-07-08"),
        ("8 июля 2010 г.", "2010-07-08"),  # noqa: RUF001
        ("8 lipca 2010", "2010-07-08"),
        ("8. heinäkuuta 2010", "2010-07-08"),
        ("8 Temmuz 2010", "2010-07-08"),
        ("2010. július 8.", "2010-07-08"),
        ("2010年7月8日", "2010-07-08"),
        ("2010 年 7 月 8 日(木) 6:59", "2010-07-08T06:59"),
        ("2010年7月8日 星期四 下午3點20分", "2010-07-08T15:20"),
        ("2010년 7월 8일 (목) 오전 12:20", "2010-07-08T00:20"),
        ("8 juillet 2010 à 13 h 50", "2010-07-08T13:50"),
        ("18/07/2010 a las 17:24", "2010-07-18T17:24"),
        ("8 lipca 2010, godz. 14:20", "2010-07-08T14:20"),
        ("8. juli 2010 kl. 14:20", "2010-07-08T14:20"),
        ("July 8, 2010 (Thu)", "2010-07-08"),
        ("2010년 7월 8일", "2010-07-08"),
        ("2010年7月", "2010-07"),
        ("Mar 2010", "2010-03"),
        ("May 2010", "2010-05"),
        ("05/2010", "2010-05"),
        ("13/05/2010", "2010-05-13"),
        ("5/13/2010 12:05 am", "2010-05-13T00:05"),
        ("12.06.2010", "2010-06-12"),
        ("05/05/2010", "2010-05-05"),
    ],
)
def test_dates_are_iso_and_as_exact_as_the_page(text, iso):
    assert read(text) == ("date", "", [iso])


@pytest.mark.parametrize(
    "text",
    ["06/05/2010", "12-6-2010 3:15 PM", "28/05/09", "31/02/2010", "July 8", "32 July 2010",
     "2010-11", "1-3 May 2010", "2010-06-25 25:00", "8 Smarch 2010", "May 2010 12:00",
     "8 July 2010 3:15 PM EST", "8 July 0010", "8 listopada 2010", "2010年13月8日"],
)  # fmt: skip
def test_what_could_be_several_dates_or_none_stays_text(text):
    assert read(text) == ("text", "", [text])


def test_one_date_of_the_column_says_where_the_day_stands():
    assert read("03/01/2011", "28/05/2009")[2] == ["2011-01-03", "2009-05-28"]
    assert read("12-6-2010", "11-19-2010")[2] == ["2010-12-06", "2010-11-19"]
    assert read("12.6.2010", "11.19.2010")[2] == ["2010-12-06", "2010-11-19"]
    assert read("28/05/2009", "05/28/2009")[0] == "text"


def test_a_bare_year_is_a_number_and_beside_dates_a_date():
    assert read("2009", "2010") == ("integer", "", [2009, 2010])
    assert read("2009", "May 2010") == ("date", "", ["2009", "2010-05"])


def test_the_column_says_which_mark_is_the_decimal_one():
    assert read("1,5", "1,234") == ("decimal", "", [1.5, 1.234])
    assert read("1.5", "1,234") == ("decimal", "", [1.5, 1234])
    assert read("1.234", "1.234.567") == ("integer", "", [1234, 1234567])
    assert read("1.234", "0.567") == ("decimal", "", [1.234, 0.567])


def test_an_undecided_mark_is_read_as_programs_write_it_or_not_at_all():
    assert read("1,234", "987") == ("integer", "", [1234, 987])
    assert read("1.234", "5.678") == ("decimal", "", [1.234, 5.678])
    assert read("1.234 €", "987 €") == ("decimal", "EUR", [1234, 987])
    assert read("1.234", "987")[0] == "text"
    assert read("1.234", "1,234")[0] == "text"


def test_a_word_is_a_unit_if_several_numbers_stand_before_it():
    assert read("80 players", "1 player", "7 Players") == ("integer", "players", [80, 1, 7])
    assert read("1 Reply", "2 replies", "1,003 replies") == ("integer", "replies", [1, 2, 1003])
    assert read("12 reviews", "7 reviews")[0] == "text"
    assert read("1.5 goals", "2 goals", "3 goals", "4 goals")[0] == "text"


def test_different_units_make_text():
    assert read("188 cm", "75 kg")[0] == "text"
    assert read("$5", "5 €")[0] == "text"
    assert read("$5", "6")[0] == "text"


def test_one_text_in_ten_may_be_odd_and_has_no_value_then():
    prices = [f"${n}.99" for n in range(9)]
    assert read(*prices, "sold out") == ("decimal", "USD", [n + 0.99 for n in range(9)] + [None])
    assert read(*prices, "sold out", "7 €")[0] == "text"
    dates = ["8 July 2010"] * 9
    assert read(*dates, "soon")[2] == ["2010-07-08"] * 9 + [None]


def test_placeholders_and_empty_texts_speak_for_no_type():
    assert read("-", "N/A", "", "5", "TBA") == ("integer", "", [None, None, None, 5, None])
    assert read("-", "—", "") == ("text", "", ["-", "—", None])
    assert infer_type([]) == FieldType()


def test_an_absolute_address_is_a_url_and_the_name_of_a_host_is_text():
    assert read("http://x.edu/", "https://x.edu/a?b#c")[0] == "url"
    for text in ("www.x.edu", "x.edu/a", "ftp://x.edu/", "mailto:a@x.edu", "http://", "http://a b"):
        assert read(text)[0] == "text"


def test_the_type_of_an_attribute_is_told():
    assert FieldType.of_url(image=True).kind is ValueKind.IMAGE
    link = FieldType.of_url()
    assert link.kind is ValueKind.URL
    assert link.value("http://x.edu/ ") == "http://x.edu/"
    assert link.value("javascript:void(0)") is None


def test_white_space_is_collapsed():
    assert read(" 188\n cm ") == ("decimal", "cm", [188])
    assert FieldType().value(" a \n b ") == "a b"


def test_the_text_stands_beside_the_value_where_it_is_not_simply_that():
    assert not raw_differs("5", 5)
    assert not raw_differs("3.5", 3.5)
    assert not raw_differs(" a  b ", "a b")
    assert not raw_differs("", None)
    assert not raw_differs(None, None)
    assert raw_differs("3.50", 3.5)
    assert raw_differs("68,650", 68650)
    assert raw_differs("8 July 2010", "2010-07-08")
    assert raw_differs("sold out", None)


def test_a_count_in_brackets_needs_no_text_beside_it():
    for text in ["(233 reviews)", "( 1,233  Reviews )"]:
        column = infer_type([text, "(18 reviews)", "(7 reviews)", "(1 Review)"])
        assert column.unit == "reviews"
        assert not raw_differs(text, column.value(text))
    assert raw_differs("(233 reviews)", 234)
    assert raw_differs("(233 reviews)", None)
    assert raw_differs("(no reviews)", None)
    assert raw_differs("(12 km)", 12)
    assert raw_differs("12 reviews", 12)


@pytest.mark.parametrize("text", ["9", "1,", "a ", "1 ", "http://a/", "2010-", "-", "\t"])
def test_a_huge_value_is_text_at_once(text):
    start = time.process_time()
    assert infer_type([text * 10**6]).kind is ValueKind.TEXT
    assert time.process_time() - start < 2


@given(COLUMNS, WRITTEN)
def test_no_text_raises_and_every_value_is_of_the_column_s_kind(texts, other):
    column = infer_type(texts)
    wanted = {ValueKind.INTEGER: int, ValueKind.DECIMAL: int | float}.get(column.kind, str)
    for text in [*texts, other]:
        value = column.value(text)
        assert value is None or isinstance(value, wanted)
        raw_differs(text, value)
    known = [text for text in texts if FieldType().value(text) is not None]
    read = [text for text in known if column.value(text) is not None]
    assert len(read) >= (1 - TypeSettings().max_odd_share) * len(known)


@given(COLUMNS, st.randoms(use_true_random=False))
def test_the_order_of_the_texts_does_not_matter(texts, source: random.Random):
    shuffled = source.sample(texts, len(texts))
    assert infer_type(shuffled) == infer_type(texts)


@given(COLUMNS)
def test_a_type_comes_back_from_json(texts):
    column = infer_type(texts)
    assert msgspec.convert(formats.plain(column), FieldType) == column


@pytest.mark.parametrize("data", [[], {"kind": "x"}, {"kind": 1},
                                  {"kind": "date", "day_order": "x"},
                                  {"kind": "decimal", "decimal_mark": ";"}])  # fmt: skip
def test_what_is_no_type_is_refused(data):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(data, FieldType)


@given(st.lists(st.integers(-(10**15) + 1, 10**15 - 1), min_size=1), st.sampled_from(["", ","]))
def test_integers_come_back_grouped_or_not(numbers, group):
    texts = [f"{number:{group}}" for number in numbers]
    assert read(*texts) == ("integer", "", numbers)


@given(st.lists(st.decimals(0, 10**9, places=2), min_size=1))
def test_amounts_come_back_in_both_ways_of_writing(amounts):
    points = [f"{amount:,.2f}" for amount in amounts]
    commas = [text.translate(str.maketrans(".,", ",.")) for text in points]
    assert read(*[f"${text}" for text in points])[2] == [float(amount) for amount in amounts]
    assert read(*[f"{text} €" for text in commas])[2] == [float(amount) for amount in amounts]


@given(st.lists(st.dates(date(1000, 1, 1), date(2999, 12, 31)), min_size=1))
def test_dates_come_back_or_are_left_alone(dates):
    iso = [day.isoformat() for day in dates]
    for form in ("{0:%-d} {0:%B} {0.year}", "{0:%b} {0:%-d}, {0.year}", "{0:%d.%m.}{0.year}"):
        assert read(*[form.format(day) for day in dates])[2] in (iso, [*map(form.format, dates)])
    kind, _, values = read(*[f"{day:%d/%m/}{day.year}" for day in dates])
    assert kind == "text" or values == iso


@pytest.mark.parametrize(
    ("texts", "unit", "values"),
    [
        (["8.1/10", "7/10", "10/10"], "/10", [8.1, 7, 10]),
        (["4.5 out of 5 stars", "3 out of 5 stars"], "/5", [4.5, 3]),
        (["1 h 30 min", "2h 05m", "45 min"], "min", [90, 125, 45]),
        (["PT1H30M", "PT20M"], "min", [90, 20]),
        (["1 hr 10 mins 5 secs", "2 mins 30 secs"], "s", [4205, 150]),
        (["$1.5 million", "$300k", "$2M"], "USD", [1_500_000, 300_000, 2_000_000]),
        (["1.2k", "3k", "850"], "", [1200, 3000, 850]),
        (["1.2k views", "3M views", "8 views"], "views", [1200, 3_000_000, 8]),
        (["63%", "7.5 %"], "%", [63, 7.5]),
        (["4,800円", "12,000円"], "JPY", [4800, 12_000]),
        (["1,200件", "35件", "7件"], "件", [1200, 35, 7]),
        (["120명", "35명", "7명"], "명", [120, 35, 7]),
        (["1.5時間", "2時間"], "h", [1.5, 2]),
        (["4.5 stars", "3 stars"], "star", [4.5, 3]),
        (["188 cm", "190 cm", "1.67 m"], "cm", [188, 190, 167]),
        (["500 g", "750 g", "1.2 kg"], "g", [500, 750, 1200]),
    ],
)
def test_ratings_durations_and_amounts_are_numbers_with_a_unit(texts, unit, values):
    found = read(*texts)
    assert found[1:] == (unit, values)
    assert found[0] in {"decimal", "integer"}


@pytest.mark.parametrize(
    "texts",
    [
        ["1.10.2", "1.9.0", "2.0"],
        ["v2.0", "v2.1", "v3"],
        ["4K", "8K"],
        ["12/10", "3/10"],
        ["11/5", "3/5"],
        ["13:40", "9:05"],
    ],
)
def test_versions_fractions_and_clocks_are_no_numbers(texts):
    assert read(*texts)[0] == "text"


def test_the_defaults_are_those_of_the_settings():
    assert infer_type.__kwdefaults__ == asdict(TypeSettings())


@pytest.mark.parametrize(
    "texts",
    [
        ("(1 Bewertung)", "(8 Bewertungen)", "(52 Bewertungen)", "(3 Bewertungen)"),
        ("1 recensione", "3 recensioni", "7 recensioni", "12 recensioni"),
        (
            "1 \u043e\u0442\u0437\u044b\u0432",
            "3 \u043e\u0442\u0437\u044b\u0432\u0430",
            "7 \u043e\u0442\u0437\u044b\u0432\u043e\u0432",
            "9 \u043e\u0442\u0437\u044b\u0432\u043e\u0432",
        ),
    ],
)
def test_one_and_several_of_a_thing_are_counts_of_it_in_any_language(texts):
    found = infer_type(texts)
    assert found.kind is ValueKind.INTEGER
    assert [found.value(text) for text in texts] == [
        int("".join(filter(str.isdigit, text))) for text in texts
    ]


def test_different_things_are_not_counted_as_one():
    assert infer_type(["1 Stunde", "3 Tage", "7 Wochen", "12 Tage"]).kind is ValueKind.TEXT
