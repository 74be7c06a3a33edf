"""What notebooks show of values."""

from sitewright.notebook import html_table


def test_lists_are_shown_as_their_values_and_nothing_as_nothing():
    html = html_table("c", ("a", "b", "c"), [(["x", 1], [], None)])
    assert "<td>x, 1</td><td></td><td></td>" in html
