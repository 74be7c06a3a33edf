"""The skeleton of a site: the tree of its navigation pages and content pages.

Our method (the default) reads all that a few hundred pages say
about the hierarchy; the paper's method is SEW (Liu et al. 2004).
"""

from sitewright.skeleton.tree import PageKind, Skeleton, SkeletonNode, build_tree, shape_note

__all__ = [
    "PageKind",
    "Skeleton",
    "SkeletonNode",
    "build_tree",
    "shape_note",
]
