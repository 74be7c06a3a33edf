"""A type of value: international standard book numbers, without their hyphens."""

from __future__ import annotations


def isbn(text: str) -> str | None:
    """The 13 digits of an ISBN; None for any other text."""
    digits = text.upper().removeprefix("ISBN").replace("-", "").replace(" ", "")
    if len(digits) != 13 or not digits.isdecimal():
        return None
    total = sum(int(digit) * (1, 3)[place % 2] for place, digit in enumerate(digits))
    return digits if total % 10 == 0 else None
