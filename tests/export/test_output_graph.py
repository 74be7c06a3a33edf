"""The graph of classes for other programs: any name comes through as it is."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_shop import shop_model, write_shop

from sitewright.classes import ClassLink
from sitewright.export.graph import dot, graphml, xml_text

NAMESPACE = "{http://graphml.graphdrawing.org/xmlns}"
XML_TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\ufffe\uffff",
                                  min_codepoint=32)) | st.text("\t\n <>&\"']]>")  # fmt: skip


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return shop_model(write_shop(tmp_path_factory.mktemp("shop")))


def named(model, name, path="html > a"):
    """The model with one class and a link from it to itself."""
    one = replace(model.classes[0], name=name, url_template=name)
    return replace(model, classes=(one,), links=(ClassLink(name, name, path, 3, 2),))


def data(element):
    return {one.get("key"): one.text or "" for one in element}


@given(XML_TEXTS)
def test_graphml_gives_back_the_names_that_went_in(model, name):
    graph = ET.fromstring(graphml(named(model, name, path=name)).encode())
    (node,) = graph.iter(f"{NAMESPACE}node")
    (edge,) = graph.iter(f"{NAMESPACE}edge")
    assert (node.get("id"), data(node)["url"]) == (name, name)
    assert (edge.get("source"), edge.get("target"), data(edge)) == (
        name,
        name,
        {"links": "3", "path": name},
    )


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\u2009", "\u00ad"])
def test_spaces_that_xml_allows_are_kept(model, space):
    assert f"a{space}b" in graphml(named(model, f"a{space}b"))


@given(st.text())
def test_what_xml_forbids_is_replaced_and_the_file_can_be_written(model, name):
    ET.fromstring(graphml(named(model, name)).encode())
    assert len(xml_text(name)) == len(name)


def test_graphml_declares_what_it_says(model):
    graph = ET.fromstring(graphml(model))
    keys = {one.get("id"): one.get("attr.type") for one in graph.iter(f"{NAMESPACE}key")}
    assert keys == {"size": "int", "url": "string", "links": "int", "path": "string"}
    sizes = {one.get("id"): data(one)["size"] for one in graph.iter(f"{NAMESPACE}node")}
    assert sizes == {one.name: str(one.size) for one in model.classes}


@given(st.text())
def test_a_name_cannot_leave_its_quotes_in_dot(model, name):
    written = dot(named(model, name))
    assert re.sub(r'"(?:[^"\\\n]|\\.)*"', "Q", written) == (
        "digraph site {\n  rankdir=LR;\n  Q [label=Q];\n  Q -> Q [label=Q];\n}\n"
    )
    assert written.encode()


def test_graphviz_gets_the_letters_of_a_name(model):
    assert '"année" [label="année (' in dot(named(model, "année"))
