"""Templates in the folders of their classes."""

from sitewright import formats
from sitewright.export.class_tables import spread_sample, write_templates
from sitewright.page import Document
from sitewright.template import Template

MENU = '<ul id="menu"><li><a href="/a">A</a></li></ul>'


def pages(number: int, content: str = "<p>Words {}</p>") -> list[Document]:
    return [
        Document(
            f"<html><head><title>T</title></head><body>{MENU}{content.format(n)}</body></html>".encode(),
            f"http://s.example/{n:03}.html",
        )
        for n in range(number)
    ]


def test_every_class_of_several_pages_gets_a_template(tmp_path):
    classes = {"story": pages(4), "home": pages(1)}
    templates = write_templates(tmp_path, classes, model="m")
    assert list(templates) == ["story"]
    path = tmp_path / "classes" / "story" / "template.json"
    assert formats.read(path, Template, model="m") == templates["story"]
    assert not (tmp_path / "classes" / "home").exists()


def test_the_order_of_pages_changes_no_byte(tmp_path):
    write_templates(tmp_path / "a", {"story": pages(90)}, model="m")
    write_templates(tmp_path / "b", {"story": pages(90)[::-1]}, model="m")
    file = "classes/story/template.json"
    assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_a_large_class_is_sampled_over_its_addresses():
    sample = spread_sample(pages(100), 10)
    assert [page.url[-8:-5] for page in sample] == [f"{n:03}" for n in range(0, 100, 10)]
    assert len(spread_sample(pages(3), 10)) == 3
