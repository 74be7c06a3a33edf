"""The report's section on the skeleton: a tree that folds."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from sitewright.output.report.frame import Section
from sitewright.skeleton import shape_note

if TYPE_CHECKING:
    from sitewright.skeleton import SkeletonNode

MAX_SHOWN = 5000
"""The most pages that are shown: the report is one file that people send around."""
SHOWN_CONTENT = 100
"""Content pages of one navigation page that are shown; the rest are counted."""
_OPEN_LEVELS = 1
_STYLE = (
    "<style>.tree ul{list-style:none;margin:0;padding-left:1.3rem}"
    ".tree>ul{padding:0}.tree li{margin:.1rem 0}.tree summary{cursor:pointer}"
    ".tree .leaf{padding-left:1rem}</style>\n"
)


def skeleton_section(root: SkeletonNode) -> Section:
    """The tree as nested lists, navigation pages folded below the first level."""
    pages = sum(1 for _ in root.walk())
    note = (
        shape_note(root) or f"{pages:,} pages; {len(root.children):,} directly below the home page"
    )
    tree = _Writer().tree(root)
    lead = f'<p class="soft">{escape(note)}.</p>\n'
    return Section("Skeleton", f'{_STYLE}{lead}<div class="tree"><ul>{tree}</ul></div>\n')


class _Writer:
    """Writes the tree without recursion, and stops showing pages at some number of them."""

    def __init__(self) -> None:
        self._left = MAX_SHOWN

    def tree(self, root: SkeletonNode) -> str:
        """Nested list items; a text on the stack is something to write as it is."""
        written: list[str] = []
        waiting: list[tuple[SkeletonNode, int] | str] = [(root, 0)]
        while waiting:
            item = waiting.pop()
            if isinstance(item, str):
                written.append(item)
                continue
            node, level = item
            self._left -= 1
            if not node.children:
                written.append(f'<li class="leaf">{_link(node)}</li>\n')
                continue
            shown = self._shown(node)
            opened = " open" if level < _OPEN_LEVELS else ""
            count = f'<span class="soft">{len(node.children):,}</span>'
            written.append(f"<li><details{opened}><summary>{_link(node)} {count}</summary><ul>\n")
            waiting.append(f"{_more(len(node.children) - len(shown))}</ul></details></li>\n")
            waiting += [(child, level + 1) for child in reversed(shown)]
        return "".join(written)

    def _shown(self, node: SkeletonNode) -> list[SkeletonNode]:
        content = [child for child in node.children if not child.children][:SHOWN_CONTENT]
        kept = {child.url for child in content}
        shown = [child for child in node.children if child.children or child.url in kept]
        return shown[: max(0, self._left)]


def _link(node: SkeletonNode) -> str:
    address = escape(node.url, quote=True)
    return f'<a href="{address}" rel="noreferrer">{escape(node.title or node.url)}</a>'


def _more(count: int) -> str:
    return f'<li class="leaf soft">… and {count:,} more</li>\n' if count > 0 else ""
