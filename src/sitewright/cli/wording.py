"""Text from elsewhere, made fit for a terminal: words, never commands."""

from __future__ import annotations


def printable(text: str) -> str:
    """The text with a mark for each character that a terminal would obey rather than show."""
    return "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text
    )


def one_line(text: str) -> str:
    """The text on one line, white space collapsed, fit for a terminal."""
    return printable(" ".join(text.split()))
