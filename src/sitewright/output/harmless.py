"""A page as a picture of itself: HTML that runs nothing, fetches nothing and leads nowhere."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sitewright.html import Tree

MARK = "data-sitewright"
"""The attribute that marks nodes for the style of the picture."""
MAX_PAGE = 300_000
"""A larger page is not shown: the report is one file that people send around."""
_ACTIVE = "script, link, base, meta, iframe, frame, object, embed, audio, video, source, portal"
"""What could run, fetch or lead away."""
_LEADING_AWAY = frozenset(
    "action background data formaction href ping poster srcset xlink:href".split()
)
_HEAD = """<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<style>
html { background: #fff; }
a { color: inherit; text-decoration: underline; }
"""


def harmless_page(tree: Tree, style: str) -> str:
    """The HTML of a tree of one's own, in this style: it changes the tree.

    Everything that could run, fetch or lead away is taken out; a policy in its head forbids the
    rest. It still belongs into a frame with the `sandbox` attribute.
    """
    tree.remove(_ACTIVE)
    for element in tree.iter_elements():
        for name in [name for name in element.attrs if _leads_away(name)]:
            del element.attrs[name]
    return _with_head(tree.html, f"{_HEAD}{style}</style>\n")


def sandboxed(page: str, title: str) -> str:
    """A frame that shows a page and lets it do nothing."""
    return (
        f'<iframe sandbox="" loading="lazy" title="{escape(title)}"'
        ' style="width:100%;height:38rem;border:1px solid var(--line)"'
        f' srcdoc="{escape(page)}"></iframe>'
    )


def _leads_away(attribute: str) -> bool:
    return attribute.startswith("on") or attribute in _LEADING_AWAY


def _with_head(html: str, inserted: str) -> str:
    before, head, after = html.partition("<head")
    attributes, end, rest = after.partition(">")
    return f"{before}{head}{attributes}{end}{inserted}{rest}" if head else inserted + html
