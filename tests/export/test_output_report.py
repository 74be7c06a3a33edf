"""The whole report: one file, without script or request, whatever the pages say."""

import subprocess
import sys
import xml.etree.ElementTree as ET
import zipfile
from dataclasses import replace
from pathlib import Path

import jinja2
import pytest
from small_shop import WRAPPERS, field, shop_model, write_shop

from sitewright.classes import ClassLink
from sitewright.export.report.report import Section, render_report, standalone_curves
from sitewright.export.report.sections import (
    class_sections,
    page_in_two_colours,
    skeleton_section,
    template_row,
    templates_section,
    wrapper_entry,
    wrappers_section,
    write_report,
)
from sitewright.methods import distill
from sitewright.page import Document
from sitewright.skeleton import SkeletonNode
from sitewright.wrapper import RejectedColumn

HOSTILE = [
    "<script>steal()</script>",
    "\"><img src=x onerror=steal()><p title=\"",
    "' onmouseover='steal()",
    "</title></style></svg></textarea><iframe src=//evil.example>",
    "{{ 7 * 7 }}{% raw %}{# #}",
    "]]>--><!-- \x00\ud800 \u202e",
    "&lt;script&gt;&quot;",
]  # fmt: skip
ALLOWED = frozenset(
    "html head meta title style body h1 h2 h4 p nav a section svg defs marker path circle text "
    "tspan line polyline div table tbody tr th td b code details summary ul li span br iframe"
    "".split()
)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return shop_model(write_shop(tmp_path_factory.mktemp("shop")))


def hostile_model(model, text):
    one = replace(
        model.classes[0],
        name=text,
        url_template=text,
        samples=(text,),
        entry_points=(text,),
        distinguishing=(text,),
        nearest=text,
    )
    other = replace(one, name=text + "2")
    links = (ClassLink(text, other.name, text, 3, 2), ClassLink(other.name, text, text, 3, 2))
    return replace(model, home=text, classes=(one, other), links=links, curve=((1, 0.5), (9, 1)))


def hostile_sections(model, text):
    body = f"<body><h1>{text}</h1><p>{text}</p>".encode("utf-8", "replace")
    pages = [Document(body, f"http://s.example/{n}?{text}") for n in range(3)]
    wrapper = replace(
        WRAPPERS["good"],
        page_class=text,
        rows=None,
        fields=(replace(field(text, "//h1", pattern=f"(.+)|{n}"), samples=(text,), named_by=text,
                        references=text) for n in range(2)),
        dropped=(RejectedColumn(text, text, text),),
    )  # fmt: skip
    wrapper = replace(wrapper, fields=tuple(wrapper.fields))
    return [
        *(one for some in class_sections(hostile_model(model, text)) for one in some),
        wrappers_section([wrapper_entry(wrapper, pages)]),
        skeleton_section(SkeletonNode(text, text, (SkeletonNode(text, text),))),
        templates_section([template_row(text, distill(pages), pages)]),
    ]


def elements(html):
    return list(Document(html.encode()).tree.iter_elements())


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_of_a_page_becomes_markup(model, text):
    report = render_report(text, text, hostile_sections(model, text))
    for element in elements(report):
        assert element.tag in ALLOWED
        assert not any(name.startswith("on") for name in element.attrs)
        assert "src" not in element.attrs
    harmless = render_report("x", "x", hostile_sections(model, "x"))
    assert [one.tag for one in elements(report)] == [one.tag for one in elements(harmless)]


@pytest.mark.parametrize("text", HOSTILE)
def test_pages_that_are_shown_stay_in_a_sandbox_and_fetch_nothing(model, text):
    report = render_report(text, text, hostile_sections(model, text))
    frames = [one for one in elements(report) if one.tag == "iframe"]
    assert len(frames) == 2
    for frame in frames:
        assert frame.attr("sandbox") == ""
        inner = elements(frame.attr("srcdoc"))
        assert not {"script", "iframe", "base", "link"} & {one.tag for one in inner}
        assert not any(name.startswith("on") for one in inner for name in one.attrs)


@pytest.mark.parametrize(
    "start", [b"<!-- <head> -->", b"<!DOCTYPE html><!--<head x--><html>", b"<html x='<head>'>"]
)
def test_the_policy_of_a_picture_stands_in_its_head_whatever_comes_before(start):
    page = Document(start + b"<title>t</title><p>x<img src=http://evil.example/x.png>")
    tree = Document(page_in_two_colours(page, distill([page, page])).encode()).tree
    policy = tree.select_one("head > meta[http-equiv=Content-Security-Policy]")
    assert policy is not None
    assert policy.attr("content").startswith("default-src 'none'")


def test_the_report_forbids_script_and_requests(model, tmp_path):
    write_report(tmp_path, model)
    tree = Document((tmp_path / "report.html").read_bytes()).tree
    policy = tree.select_one("head > meta[http-equiv=Content-Security-Policy]")
    assert policy.attr("content") == (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    )
    assert tree.select_one("script, link, img, object") is None


def test_the_same_model_gives_the_same_bytes(model, tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        write_report(tmp_path / name, model, [skeleton_section(SkeletonNode("http://x/", "x"))])
    assert (tmp_path / "a/report.html").read_bytes() == (tmp_path / "b/report.html").read_bytes()


def test_a_tree_of_any_depth_is_shown():
    node = SkeletonNode("http://s.example/", "leaf")
    for number in range(3000):
        node = SkeletonNode(f"http://s.example/{number}", f"level {number}", (node,))
    assert skeleton_section(node).html.count("<details") == 3000


def test_a_template_that_asks_for_what_is_not_there_fails():
    with pytest.raises(jinja2.UndefinedError):
        render_report("x", "x", [Section("x", "class_links.html", {})])


def test_curves_of_their_own_are_well_formed_svg():
    curves = {"<densest> & \"first\"": [(10, 0.2), (20, 0.9)], "other": [(5, 1.0)]}  # fmt: skip
    root = ET.fromstring(standalone_curves(curves))
    texts = [one.text for one in root.findall("{http://www.w3.org/2000/svg}text")]
    assert texts == list(curves)


def test_jinja2_is_loaded_only_when_something_is_rendered():
    program = (
        "import sys, sitewright.export.report, sitewright.export.scrapy, sitewright.cli\n"
        "sys.exit('jinja2' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_wheel_has_every_template(tmp_path):
    root = Path(__file__).parents[2]
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=root, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    templates = {
        str(path.relative_to(root / "src"))
        for folder in ("report/templates", "scrapy/templates")
        for path in (root / "src" / "sitewright" / "export" / folder).iterdir()
    }
    assert len(templates) > 20
    assert templates <= set(zipfile.ZipFile(wheel).namelist())
