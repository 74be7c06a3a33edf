"""Templates in the folders of their classes, and pages in two colours."""

from sitewright import formats
from sitewright.export.class_tables import spread_sample, write_templates
from sitewright.export.report.sections import page_in_two_colours, template_row, templates_section
from sitewright.methods import distill
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


def test_template_and_content_are_marked():
    page = pages(5)[4]
    html = page_in_two_colours(page, distill(pages(4)))
    assert '<span data-sitewright="template">A</span>' in html
    assert '<span data-sitewright="content">Words 4</span>' in html


def test_nothing_in_it_runs_fetches_or_leads_away():
    hostile = (
        "<script>steal()</script><a href='http://evil.example' onclick='steal()'>x</a>"
        "<link rel=stylesheet href=http://evil.example/x.css><base href=http://evil.example>"
        "<meta http-equiv=refresh content='0;url=http://evil.example'><iframe src=http://evil.example>"
        "</iframe><form action=http://evil.example><button formaction=http://evil.example>b</button>"
        "<svg><a xlink:href='http://evil.example'>s</a></svg><table background=http://evil.example>"
    )
    html = page_in_two_colours(pages(1, hostile)[0], distill(pages(4)))
    assert "evil.example" not in html
    assert "steal" not in html
    assert "default-src 'none'" in html.partition("<style>")[0]


def test_the_report_shows_a_page_of_each_class_in_a_sandbox():
    classes = {"story <b>": pages(4), "note": pages(3, "<h2>Note {}</h2>")}
    templates = {name: distill(found) for name, found in classes.items()}
    section = templates_section(
        [template_row(name, one, classes[name]) for name, one in templates.items()]
    )
    assert section.title == "Templates"
    assert section.html.count('<iframe sandbox=""') == 2
    assert "story &lt;b&gt;" in section.html
    assert "<b>" not in section.html
    assert "Words 2" in section.html


def test_a_class_without_a_template_is_said_to_have_none():
    unlike = [Document(b"<p>one"), Document(b"<table><tr><td>two")]
    section = templates_section([template_row("odd", distill(unlike), unlike)])
    assert "no common template" in section.html
    assert "<iframe" not in section.html
