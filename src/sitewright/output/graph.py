"""The graph of page classes in the formats that graph programs read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

if TYPE_CHECKING:
    from collections.abc import Callable

    from sitewright.classes import ClassLink, SiteModel

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="size" for="node" attr.name="size" attr.type="int"/>
<key id="url" for="node" attr.name="url" attr.type="string"/>
<key id="links" for="edge" attr.name="links" attr.type="int"/>
<key id="path" for="edge" attr.name="path" attr.type="string"/>
<graph id="site" edgedefault="directed">
"""


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
    nodes = "".join(
        f"<node id={_xml(one.name)}><data key='size'>{one.size}</data>"
        f"<data key='url'>{_text(one.url_template)}</data></node>\n"
        for one in model.classes
    )
    edges = "".join(
        f"<edge source={_xml(source)} target={_xml(target)}><data key='links'>{count}</data>"
        f"<data key='path'>{_text(link.path)}</data></edge>\n"
        for source, target, count, link in arcs(model)
    )
    return f"{_HEAD}{nodes}{edges}</graph>\n</graphml>\n"


def dot(model: SiteModel) -> str:
    """The class graph for Graphviz."""
    nodes = "".join(
        f"  {json.dumps(one.name)} [label={json.dumps(f'{one.name} ({one.size})')}];\n"
        for one in model.classes
    )
    edges = "".join(
        f"  {json.dumps(source)} -> {json.dumps(target)} [label={json.dumps(str(count))}];\n"
        for source, target, count, _ in arcs(model)
    )
    return f"digraph site {{\n  rankdir=LR;\n{nodes}{edges}}}\n"


def plain_json(model: SiteModel) -> str:
    """Classes and links without what only classification needs."""
    hidden = {"schema", "scores", "prior", "worst", "structure_deficit"}
    data = model.as_json()
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


def _xml(text: str) -> str:
    return quoteattr(_clean(text))


def _text(text: str) -> str:
    return _clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _clean(text: str) -> str:
    """XML has no place for control characters and lone surrogates."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)
