"""Small pages laid out by hand, for tests that need no browser."""

from sitewright.page.rendering import TEXT, TRANSPARENT, Box, RenderedNode, Rendering, Style, around

LINE = 20
STYLE = Style(16.0, 400, "rgb(0, 0, 0)", TRANSPARENT, False, "block", "static", "none", 0, "start")
INLINE = Style(
    16.0, 400, "rgb(0, 0, 0)", TRANSPARENT, False, "inline", "static", "none", 0, "start"
)
HEAVY = Style(24.0, 700, "rgb(0, 0, 0)", TRANSPARENT, False, "block", "static", "none", 0, "start")
STYLES = {"a": INLINE, "b": INLINE, "em": INLINE, "h1": HEAVY, "h2": HEAVY}


def page(*children, url="http://page.example/"):
    """A page from nested tuples: (tag, child, ...), a text, or (tag, {attributes}, child, ...).

    Texts stand one below the other, 20 pixels high and 8 wide a character.
    """
    rows = []
    lines = iter(range(10_000))

    def add(item, parent, style):
        number = len(rows)
        if isinstance(item, str):
            box = Box(0, next(lines) * LINE, 8 * len(item), LINE)
            rows.append((parent, TEXT, box, style, item, ()))
            return
        tag, *inside = item
        attributes = tuple(inside.pop(0).items()) if inside and isinstance(inside[0], dict) else ()
        own = STYLES.get(tag, STYLE)
        rows.append(None)
        for child in inside:
            add(child, number, own)
        boxes = [row[2] for row in rows[number + 1 :]]
        rows[number] = parent, tag, around(boxes) or Box(0, 0, 10, 10), own, "", attributes

    add(("html", ("body", *children)), -1, STYLE)
    nodes = tuple(
        RenderedNode(number, parent, tag, box, True, style, text, attributes)
        for number, (parent, tag, box, style, text, attributes) in enumerate(rows)
    )
    height = max(node.box.bottom for node in nodes)
    return Rendering(url, "", (800, 600), 800, height, nodes)


def said(first, second, pairs):
    """The texts of matched leaves."""
    return [
        (first.nodes[a].text, second.nodes[b].text) for a, b in pairs if first.nodes[a].tag == TEXT
    ]
