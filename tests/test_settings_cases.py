"""The case that a setting exists for: what comes out at its default, and not beyond it."""

import pytest

from sitewright.methods import distill
from sitewright.page import Document
from sitewright.page.url_pattern import learn_url_pattern
from sitewright.settings import Settings, using
from sitewright.site.identity import FilterParameters
from sitewright.wrapper import Extractor, Misfit, Record, induce
from sitewright.wrapper.fields import column_type
from sitewright.wrapper.values.types import ValueKind

HOST = "http://site.invalid/"


def documents(bodies):
    pages = (f"<!doctype html><title>Page</title><body>{body}</body>" for body in bodies)
    return [Document(page.encode(), f"{HOST}{number}") for number, page in enumerate(pages)]


def learnt(bodies, **changes):
    named = {name.replace("__", "."): value for name, value in changes.items()}
    with using(Settings.of(named)):
        return induce(documents(bodies), "thing")


def field_names(wrapper):
    return {one.name for one in wrapper.fields}


def facts(number, *more):
    rows = "".join(f"<dt>{label}</dt><dd>{value}</dd>" for label, value in more)
    return f"<h1>Thing {number}</h1><dl><dt>Size</dt><dd>{number}7 cm</dd>{rows}</dl>"


def test_what_four_of_five_pages_have_is_required():
    bodies = [facts(n, *([("Weight", f"{n}3 g")] if n < 8 else [])) for n in range(10)]
    assert "weight" in learnt(bodies).required
    assert "weight" not in learnt(bodies, wrapper__min_required_share=0.85).required


def test_a_text_that_nine_of_ten_pages_have_is_template_unless_it_has_a_label():
    bodies = [
        facts(n, ("Colour", "red" if n > 1 else f"c{n}"))
        + f"<p>{'New' if n > 1 else f'Old {n}'}</p>"
        for n in range(20)
    ]
    assert "colour" in field_names(learnt(bodies))
    usual = {one.rule.xpath for one in learnt(bodies).fields}
    strict = {one.rule.xpath for one in learnt(bodies, min_unlabelled_constant_share=0.95).fields}
    assert not any(xpath.startswith("//p") or "/p" in xpath for xpath in usual)
    assert any(xpath.startswith("//p") or "/p" in xpath for xpath in strict)
    labelled = learnt(bodies, wrapper__columns__min_constant_share=0.89)
    assert "colour" not in field_names(labelled)


def test_the_texts_of_images_are_columns_that_come_last_and_are_dropped_first():
    bodies = [facts(n) + f"<img src='/{n}.png' alt='Picture {n}'>" for n in range(6)]
    assert any("alt" in one.rule.xpath for one in learnt(bodies).fields)
    assert not any("alt" in one.rule.xpath for one in learnt(bodies, min_information=0.2).fields)


def test_one_text_in_ten_may_not_be_of_the_type_of_its_column():
    texts = [*map(str, range(10, 28)), "some", "few"]
    assert column_type(texts).kind is ValueKind.INTEGER
    with using(Settings.of({"max_odd_share": 0.05})):
        assert column_type(texts).kind is ValueKind.TEXT


def test_a_word_is_what_is_counted_behind_three_different_numbers():
    assert column_type(["3 reviews", "5 reviews", "9 reviews"]).kind is ValueKind.INTEGER
    with using(Settings.of({"min_counts": 4})):
        assert column_type(["3 reviews", "5 reviews", "9 reviews"]).kind is ValueKind.TEXT


PAIRS = [("name", "price"), ("author", "year"), ("city", "street"), ("team", "goals")]


def test_rows_with_little_in_common_are_no_records():
    odd = [f"<li><div class={a}>{{0}}</div><div class={b}>{{0}}</div>" for a, b in PAIRS]
    bodies = [
        facts(n) + "<ul>" + "".join(odd[k % 4].format(f"{n} {k}") for k in range(4 + n)) + "</ul>"
        for n in range(8)
    ]
    assert not learnt(bodies).record_sets
    assert learnt(bodies, wrapper__repeats__min_similarity=0.2).record_sets


def test_rows_with_one_text_are_values_and_with_two_are_records():
    def rows(n, row):
        items = "".join(row.format(f"{n} {k}") for k in range(2 + n % 3))
        return f"{facts(n)}<ul>{items}</ul>"

    one = [rows(n, "<li>Part {0}</li>") for n in range(8)]
    two = [rows(n, "<li><b>Part {0}</b><i>No {0}</i></li>") for n in range(8)]
    assert not learnt(one).record_sets
    assert learnt(two).record_sets
    assert not learnt(two, min_texts_per_row=3).record_sets


def test_a_page_with_less_than_a_third_of_what_all_pages_have_does_not_fit():
    labels = ["Weight", "Colour", "Origin", "Maker"]
    bodies = [facts(n, *((label, f"{label} {n}") for label in labels)) for n in range(8)]
    wrapper = learnt(bodies)
    (little,) = documents(["<dl><dt>Size</dt><dd>17 cm</dd><dt>Maker</dt><dd>One</dd></dl>"])
    assert isinstance(Extractor(wrapper).extract(little), Record)
    with using(Settings.of({"extraction.min_required_share": 0.7})):
        assert isinstance(Extractor(wrapper).extract(little), Misfit)


def test_one_value_of_many_fields_makes_no_record():
    labels = ["Weight", "Colour", "Origin", "Maker"]
    bodies = [facts(n, *((label, f"{label} {n}") for label in labels)) for n in range(8)]
    wrapper = learnt(bodies)
    (page,) = documents(["<dl><dt>Size</dt><dd>17 cm</dd></dl>"])
    lenient = {"extraction.min_required_share": 0, "min_fields_for_two": 20}
    with using(Settings.of({"extraction.min_required_share": 0})):
        assert isinstance(Extractor(wrapper).extract(page), Misfit)
    with using(Settings.of(lenient)):
        assert isinstance(Extractor(wrapper).extract(page), Record)


def test_a_token_is_template_if_two_thirds_of_the_pages_have_it():
    bodies = [f"<h1>{n}</h1><p>{'Sale!' if n < 7 else n}</p><i>Footer</i>" for n in range(10)]
    spelled = [token.spelling for token in distill(documents(bodies))]
    assert "sale!" in spelled
    with using(Settings.of({"template.min_share": 0.8})):
        spelled = [token.spelling for token in distill(documents(bodies))]
    assert "footer" in spelled
    assert "sale!" not in spelled


@pytest.mark.parametrize(("share", "fits"), [(0.9, False), (0.8, True)])
def test_a_piece_of_a_url_pattern_fits_nine_urls_in_ten(share, fits):
    urls = [f"{HOST}player/{n}" for n in range(17)] + [f"{HOST}coach/{n}" for n in range(3)]
    with using(Settings.of({"min_pattern_share": share})):
        assert (learn_url_pattern(urls).template == "/player/{id}") is fits


@pytest.mark.parametrize(("views", "is_left_out"), [(3, True), (5, False)])
def test_a_list_whose_first_filters_show_nothing_new_may_have_one_that_does(views, is_left_out):
    """Three colours of what the list shows; the fourth has things that it does not show."""
    cards = "".join(f"<li><a href=/thing/{n}>Thing {n}</a></li>" for n in range(20)).encode()
    with using(Settings.of({"crawl.filter_views": views})):
        filters = FilterParameters({f"{HOST}list": cards}.get)
        for colour in range(3):
            filters.note(f"{HOST}list?colour={colour}", cards[: 90 * colour], lambda _: True)
        assert (filters.left_out(f"{HOST}list?colour=3") is not None) == is_left_out


def topic(number):
    """A question with its answers, and as long a list of what else there is."""
    answers = "".join(
        f"<div class=answer><a href=/u/{number * 7 + one}>member{number * 7 + one}</a>"
        f"<p class=said>Answer {number * 31 + one}</p></div>"
        for one in range(6 + number % 3)
    )
    others = "".join(
        f"<tr class=related><td class=what><a href=/t/{number * 11 + one}>Topic {number * 11 + one}"
        f"</a></td><td class=views>{number * 17 + one}</td></tr>"
        for one in range(6)
    )
    return f"<h3>Question</h3><main>{answers}</main><table class=more>{others}</table>"


def test_a_page_of_two_lists_alike_in_size_is_no_list_of_one_of_them():
    bodies = [topic(number) for number in range(12)]
    assert learnt(bodies).rows is None
    assert learnt(bodies, wrapper__min_main_share=0.4).rows is not None
