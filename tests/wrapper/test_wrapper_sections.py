"""Sections under headings, headings as lists, code in one piece, lists without their commas."""

from __future__ import annotations

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
