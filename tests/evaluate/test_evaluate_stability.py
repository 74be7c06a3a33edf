"""Whether learning again gives the same columns."""

from sitewright import Document
from sitewright.evaluate.stability import ColumnStability, halves_stability
from tests.change.lamp_shop import old_page, product


def pages(page=old_page, count=24):
    return [
        Document(page(product(number)).encode(), f"http://shop.invalid/item-{number}.html")
        for number in range(count)
    ]


def test_halves_of_a_plain_class_teach_the_same_columns():
    found = halves_stability(pages())
    assert found.columns >= 10  # those of both halves
    assert found.share == found.share_of_values == 1.0


def test_a_column_that_only_one_half_shows_does_not_come_back():
    def page(one):
        number = int(one["title"].rpartition(" ")[2])
        note = f"<p class=note>Handle no. {number} with great care</p>" if number < 3 else ""
        return old_page(one).replace("</body>", f"{note}</body>")

    assert halves_stability(pages(page)).share < 1.0


def test_counts_add_up():
    one, other = ColumnStability(4, 3, 4, 5), ColumnStability(6, 5, 5, 6)
    assert one + other == ColumnStability(10, 8, 9, 11)
    assert (one + other).share == 0.8
    assert ColumnStability().share == 0.0
