"""The skeleton of a site: the tree of its navigation pages and content pages.

`extract_skeleton` is the way in. Our method (the default) reads all that a few hundred pages say
about the hierarchy; the paper's method is SEW (Liu et al. 2004).
"""

from sitewright.skeleton.build import Skeleton, build_tree
from sitewright.skeleton.extract import extract_skeleton, shape_note
from sitewright.skeleton.sew import sew_skeleton
from sitewright.skeleton.trained import Trained, shipped
from sitewright.skeleton.tree import PageKind, SkeletonNode

__all__ = [
    "PageKind",
    "Skeleton",
    "SkeletonNode",
    "Trained",
    "build_tree",
    "extract_skeleton",
    "sew_skeleton",
    "shape_note",
    "shipped",
]
