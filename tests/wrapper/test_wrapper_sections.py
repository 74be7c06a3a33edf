"""Sections under headings, headings as lists, code in one piece, lists without their commas."""

from __future__ import annotations

import pytest
from wrapper_pages import book, books, document

from sitewright.page import Document
from sitewright.wrapper import extract, induce
from sitewright.wrapper.reading import Record

_WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi".split()


def _record(pages: list[str]) -> dict[str, object]:
    documents = [
        Document(
            f"<title>{_WORDS[turn]}</title><body>{html}</body>".encode(), f"http://x.test/{turn}"
        )
        for turn, html in enumerate(pages)
    ]
    found = extract(induce(documents, "page"), documents[0])
    assert isinstance(found, Record)
    return found.values


def test_text_under_a_heading_that_comes_back_is_a_field_of_that_name() -> None:
    def page(turn: int) -> str:
        more = "<ul><li>one <b>thing</b></li><li>more</li></ul>" * (turn % 3)
        value = f"<p>Gives <code>{_WORDS[turn]}</code> back,</p><p>or {turn} of it.</p>{more}"
        return (
            f"<main><h1>{_WORDS[turn]}</h1>"
            f"<div><h2>Return value<a href=#v>#</a></h2>{value}</div>"
            f"<div><h2>Notes</h2><p>Note {turn} is <i>new</i>.</p></div></main>"
        )

    values = _record([page(turn) for turn in range(12)])
    assert values["return_value"] == "Gives alpha back, or 0 of it."


def test_a_section_that_nearly_all_pages_have_word_for_word_is_no_field() -> None:
    """The recent posts of a blog, from which only its own page is missing."""

    def page(turn: int) -> str:
        recent = [f"{_WORDS[n]} and {_WORDS[n + 1]} of the {n} {_WORDS[n + 2]}" for n in range(6)]
        items = "".join(f"<li>{one}</li>" for one in recent[: 5 if turn else 4])
        text = f"<h1>{_WORDS[turn % 14]} {turn}</h1><p>Told {turn * 7} times.</p>"
        return f"{text}<div><h3>Recent posts</h3><ul>{items}</ul></div>"

    assert not [name for name in _record([page(turn) for turn in range(14)]) if "recent" in name]


def test_the_first_paragraph_of_a_section_is_no_second_field() -> None:
    def page(turn: int) -> str:
        first = f"<p>{_WORDS[turn % 13]} is what was new in {turn} of all of these {turn * 7}.</p>"
        more = f"<ul><li>{_WORDS[turn % 11]}</li><li>more {turn}</li></ul>" if turn % 2 else ""
        notes = f"<section id=notes><h2>Notes</h2>{first}{more}</section>" if turn % 3 else ""
        return f"<section><h1>{_WORDS[turn % 14]} {turn}</h1><p>Text {turn}.</p>{notes}</section>"

    names = [name for name in _record([page(turn % 27) for turn in range(1, 14)]) if "note" in name]
    assert names == ["notes"]


def test_one_tag_and_several_tags_are_one_list() -> None:
    def page(turn: int) -> str:
        tags = "".join(
            f"<a href='/t/{one}'>{one}</a> " for one in _WORDS[turn % 9 : turn % 9 + 1 + turn % 3]
        )
        label = "Tags" if tags.count("<a") > 1 else "Tag"
        author = f"<li><span>Author:</span> <a href='/a/{turn % 4}'>{_WORDS[turn % 4]} x</a></li>"
        return f"<h1>{_WORDS[turn]}</h1><ul>{author}<li><span>{label}:</span> {tags}</li></ul>"

    values = _record([page(turn) for turn in range(14)])
    assert values["tags"] == ["alpha"]
    assert "tag" not in values


def test_code_is_one_value_whatever_is_coloured_in_it() -> None:
    def page(turn: int) -> str:
        arguments = ", ".join(f"<i>{word}</i>" for word in _WORDS[: turn % 5 + 1])
        return f"<h1>{_WORDS[turn]}</h1><pre><b>get_{turn}</b>({arguments})</pre>"

    values = _record([page(turn) for turn in range(12)])
    assert "get_0(alpha)" in values.values()


def test_headings_of_an_article_are_one_list() -> None:
    def page(turn: int) -> str:
        parts = "".join(
            f"<h2>Part {word} of {turn}</h2><p>About {word} and {turn} things to say of it.</p>"
            for word in _WORDS[turn : turn + 1 + turn % 4]
        )
        return f"<h1>{_WORDS[turn]}</h1><article>{parts}</article>"

    values = _record([page(turn) for turn in range(10)])
    lists = [value for value in values.values() if isinstance(value, list)]
    assert ["Part alpha of 0"] in lists
    assert not any(name.endswith("_5") for name in values)


def test_commas_and_words_between_values_are_no_values() -> None:
    def page(turn: int) -> str:
        names = [
            f"<a href=/{word}>{word.title()}</a>" for word in _WORDS[turn : turn + 2 + turn % 2]
        ]
        joined = ", ".join(names[:-1]) + f" and {names[-1]}"
        return f"<h1>{_WORDS[turn]}</h1><dl><dt>Authors:</dt><dd>{joined}</dd></dl>"

    values = _record([page(turn) for turn in range(11)])
    assert values["authors"] == ["Alpha", "Beta"]


def test_a_class_of_the_heading_names_what_stands_in_it() -> None:
    pages = [
        f"<h1>{word.title()} {turn}</h1><h1 class=teamName><div>{_WORDS[turn % 5]} club</div></h1>"
        for turn, word in enumerate(_WORDS[:12])
    ]
    assert _record(pages)["team_name"] == "alpha club"


def test_what_the_heading_holds_between_constant_words_is_the_name() -> None:
    pages = [
        f"<div id=trail><a href=/>Home</a> {name} House</div><h1>{name} House Review</h1>"
        for name in map(str.title, _WORDS[:12])
    ]
    values = _record(pages)
    assert (values["name"], values["title"]) == ("Alpha House", "Alpha House Review")


def test_headlines_that_begin_alike_are_no_labels() -> None:
    def page(turn: int) -> str:
        start = "" if turn % 3 else "Jazz notes: "
        news = "".join(
            f"<li><a href=/n/{turn}{word}>{start}{word} {turn} won</a></li>"
            for word in _WORDS[turn % 4 : turn % 4 + 4]
        )
        return f"<h1>{_WORDS[turn]}</h1><ul>{news}<li><a href=/x>Other {turn} news</a></li></ul>"

    assert "jazz_notes" not in _record([page(turn) for turn in range(12)])


def test_an_element_that_holds_the_title_is_no_running_text() -> None:
    def page(turn: int) -> str:
        prose = "".join(
            f"<p>Some <b>{word}</b> words of page {turn} that run on and on.</p><h3>On {word}</h3>"
            for word in _WORDS[turn % 5 : turn % 5 + 1 + turn % 6]
        )
        return f"<section><h2>{_WORDS[turn]}</h2><i>{turn + 1} May 2020</i>{prose}</section>"

    values = _record([page(turn) for turn in range(14)])
    assert values["title"] == "alpha"
    assert "2020-05-01" in values.values()


def _release(number: int, *, is_turned: bool = False) -> Document:
    """A page that was written by hand: its facts are lines of one paragraph."""
    notes = "".join(
        f"<li><b>{turn}: fix of {_THINGS[(number + turn) % 5]} {number}</b> "
        f"<i>{_THINGS[turn]} only</i><br>"
        + " and ".join(_told(number + turn, one) for one in range((number + turn) % 4))
        + f" was mended, as the notes of {_THINGS[turn]} {number} say at great length.<p>"
        for turn in range(3 + number % 2)
    )
    lines = [
        f"Released May {number % 28 + 1}, 20{number:02}",
        f"Copyright 1990-20{number:02}, Ada Arden.",
        f"<font>ISBN 0-96{number * 37:05}-{number % 10}</font>",
        *[f"see <a href='#'>{_THINGS[number % 5]}</a>, or the others"] * (number % 3),
    ]
    turned = lines[number % 4 :] + lines[: number % 4] if is_turned else lines
    html = (
        f"<title>Kite {number}</title><body><h2>Kite {1 + number // 9}.{number % 9}</h2><p>"
        f"{'<br>'.join(turned)}<p>All of it is free.<ul>{notes}</ul></body>"
    )
    return Document(html.encode(), f"http://site.example/{number}.html")


def _told(number: int, turn: int) -> str:
    thing = _THINGS[(number * 3 + turn) % 5]
    return [f"a <a href='#'>{thing}</a>", f"<tt>{thing}</tt> {number}", f"the {thing}"][turn % 3]


_THINGS = "kernel driver shell editor mailer".split()


@pytest.mark.parametrize("is_turned", [False, True])
def test_lines_that_begin_with_one_word_on_most_pages_are_fields(is_turned: bool) -> None:
    pages = [_release(number, is_turned=is_turned) for number in range(10, 34)]
    found = extract(induce(pages, "release"), _release(40, is_turned=is_turned))
    assert isinstance(found, Record)
    assert found.values["isbn"] == "0-9601480-0"
    assert found.values["released"] == "2040-05-13"
    assert found.values["copyright"] == "1990-2040, Ada Arden"
    assert found.values["version"] == "5.4"


def test_what_running_text_begins_with_in_bold_is_a_value_beside_it() -> None:
    wrapper = induce([_release(number) for number in range(10, 34)], "release")
    found = extract(wrapper, _release(40))
    assert isinstance(found, Record)
    (name,) = (one.name for one in wrapper.record_sets)
    rows = found.values[name]
    assert isinstance(rows, list)
    assert [row["heading"] for row in rows] == [
        f"{turn}: fix of {_THINGS[(40 + turn) % 5]} 40" for turn in range(3)
    ]


def test_a_word_that_sentences_begin_with_is_no_field() -> None:
    def page(number: int) -> Document:
        lines = "<br>".join(f"This Kite {number} is number {turn}" for turn in range(2))
        html = f"<title>Kite {number}</title><body><h2>Kite {number}</h2><div>{lines}</div></body>"
        return Document(html.encode(), f"http://site.example/{number}.html")

    wrapper = induce([page(number) for number in range(10, 34)], "release")
    assert "this" not in [field.name for field in wrapper.fields]


def test_titles_of_comments_are_no_sections() -> None:
    """Each comment of a post has a page too, which is the whole post."""

    def page(post: int, comment: int) -> Document:
        comments = "".join(
            f"<div class=comment><h3 class=head><a href='/c/{one.isbn}'>{one.title}</a></h3>"
            f"<div class=by>by {one.author} {comment} times</div>"
            f"<div class=body><p>{one.published} was {one.publisher}.</p></div></div>"
            for one in books(5 + post, start=100 * post)
        )
        one = book(post)
        text = f"<h1>{one.title}</h1><p class=press>{one.publisher}</p><div id=c>{comments}</div>"
        return document(text, f"http://x.test/{post}/{comment}")

    wrapper = induce([page(post, turn) for post in range(1, 6) for turn in range(4)], "post")
    assert {field.name for field in wrapper.fields} == {"title", "press"}
    (records,) = wrapper.record_sets
    assert len(records.fields) > 3
