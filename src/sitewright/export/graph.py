"""The graph of page classes in the formats that graph programs read."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

from sitewright import formats

if TYPE_CHECKING:
    from collections.abc import Callable

    from sitewright.classes import ClassLink, SiteModel


_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_KEYS = (
    ("size", "node", "int"),
    ("url", "node", "string"),
    ("links", "edge", "int"),
    ("path", "edge", "string"),
)
_NOT_XML = re.compile("[^\t\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 has no place for, and the carriage return, which its readers change."""


def arcs(model: SiteModel) -> list[tuple[str, str, int, ClassLink]]:
    """From, to, links, and the class link with the most of them; one arc for each pair."""
    totals: dict[tuple[str, str], int] = {}
    first: dict[tuple[str, str], ClassLink] = {}
    for link in model.links:
        pair = link.source, link.target
        totals[pair] = totals.get(pair, 0) + link.links
        first.setdefault(pair, link)
    return [(*pair, count, first[pair]) for pair, count in totals.items()]


def graphml(model: SiteModel) -> str:
    """The class graph as GraphML."""
    root = ET.Element("graphml", xmlns=_NAMESPACE)
    for name, target, kind in _KEYS:
        declared = {"id": name, "for": target, "attr.name": name, "attr.type": kind}
        ET.SubElement(root, "key", declared)
    graph = ET.SubElement(root, "graph", id="site", edgedefault="directed")
    for one in model.classes:
        node = ET.SubElement(graph, "node", id=xml_text(one.name))
        _add_data(node, size=str(one.size), url=one.url_template)
    for source, target, count, link in arcs(model):
        ends = {"source": xml_text(source), "target": xml_text(target)}
        edge = ET.SubElement(graph, "edge", ends)
        _add_data(edge, links=str(count), path=link.path)
    return xml_document(root)


def dot(model: SiteModel) -> str:
    """The class graph for Graphviz."""
    nodes = "".join(
        f"  {_quoted(one.name)} [label={_quoted(f'{one.name} ({one.size})')}];\n"
        for one in model.classes
    )
    edges = "".join(
        f"  {_quoted(source)} -> {_quoted(target)} [label={_quoted(str(count))}];\n"
        for source, target, count, _ in arcs(model)
    )
    return f"digraph site {{\n  rankdir=LR;\n{nodes}{edges}}}\n"


def plain_json(model: SiteModel) -> str:
    """Classes and links without what only classification needs."""
    hidden = {"schema", "scores", "prior", "shares", "least_fit", "structure_deficit"}
    data = formats.plain(model)
    classes = [
        {name: value for name, value in one.items() if name not in hidden}
        for one in data["classes"]
    ]
    shown = {"home": data["home"], "classes": classes, "links": data["links"]}
    return json.dumps(shown, indent=1, ensure_ascii=True) + "\n"


FORMATS: dict[str, Callable[[SiteModel], str]] = {
    "graphml": graphml,
    "dot": dot,
    "json": plain_json,
}


def xml_text(text: str) -> str:
    """The text with a replacement character for each character that XML does not allow."""
    return _NOT_XML.sub("\ufffd", text)


def xml_document(root: ET.Element) -> str:
    """An XML file of UTF-8, one element a line."""
    ET.indent(root, " ")
    written = ET.tostring(root, encoding="unicode", short_empty_elements=True)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{written}\n'


def _quoted(text: str) -> str:
    """A text for Graphviz, which reads UTF-8 and has no escapes for characters by number."""
    escaped = xml_text(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _add_data(element: ET.Element, **values: str) -> None:
    for key, value in values.items():
        ET.SubElement(element, "data", key=key).text = xml_text(value)
