"""Curves as SVG: well-formed, within their frame, whatever they are called."""

import xml.etree.ElementTree as ET

import pytest

from sitewright.cli.evaluate.pages import _template_plot
from sitewright.evaluate.plot import Axis, Series, line_plot

SVG = "{http://www.w3.org/2000/svg}"


def test_names_are_escaped_and_every_curve_is_drawn():
    series = [
        Series("<densest> & \"first\"", ((10, 0.2), (20, 0.9))),
        Series("queue", ((10, 5), (20, 700)), on_right=True, colour=0),
    ]  # fmt: skip
    root = ET.fromstring(line_plot("Q & queue", ("pages", "Q"), series, "waiting"))
    texts = [one.text for one in root.iter(f"{SVG}text")]
    assert {"Q & queue", "pages", "Q", "waiting", series[0].name} <= set(texts)
    lines = root.findall(f"{SVG}polyline")
    assert lines[0].attrib["stroke"] == lines[1].attrib["stroke"]
    for line in lines:
        for point in line.attrib["points"].split():
            x, y = map(float, point.split(","))
            assert 64 <= x <= 656
            assert 64 <= y <= 344


def test_curves_of_one_method_have_one_colour():
    rows = [{"site": "all", "pages": t, "f": 0.5, "seconds": 1.0} for t in (2, 4)]
    drawn = ET.fromstring(_template_plot({"paper": rows, "default": rows}))
    strokes = [one.attrib["stroke"] for one in drawn.findall(f"{SVG}polyline")]
    assert strokes[0] == strokes[1] != strokes[2] == strokes[3]


@pytest.mark.parametrize(("most", "end"), [(0.93, 1), (1, 1), (3, 4), (64, 80), (237, 250), (0, 1)])
def test_an_axis_ends_at_a_round_number(most, end):
    axis = Axis.of("x", [0, most])
    assert axis.high == end
    assert axis.ticks()[-1] == pytest.approx(end)


def test_no_points_are_a_drawing_too():
    ET.fromstring(line_plot("none", ("x", "y"), [Series("empty", ())]))
