"""Pages as people see them: rendered, cut into blocks, and matched block by block.

A `Browser` lays a page out and gives a `Rendering`, plain data. `segment` cuts it into blocks;
`match` finds what plays the same part in two renderings.
"""

from sitewright.visual.associate import Correspondence
from sitewright.visual.boxes import Box
from sitewright.visual.browser import Browser, Layout
from sitewright.visual.match import METHODS, match
from sitewright.visual.pairs import Pair, block_pairs, leaf_pairs
from sitewright.visual.relations import Relation, box_relation, relation
from sitewright.visual.rendering import Node, Rendering
from sitewright.visual.resources import (
    ArchiveResources,
    FolderResources,
    NoResources,
    Resource,
    Resources,
    site_folder,
)
from sitewright.visual.roles import Role
from sitewright.visual.segment import GRANULARITY, Block, segment

__all__ = [
    "GRANULARITY",
    "METHODS",
    "ArchiveResources",
    "Block",
    "Box",
    "Browser",
    "Correspondence",
    "FolderResources",
    "Layout",
    "NoResources",
    "Node",
    "Pair",
    "Relation",
    "Rendering",
    "Resource",
    "Resources",
    "Role",
    "block_pairs",
    "box_relation",
    "leaf_pairs",
    "match",
    "relation",
    "segment",
    "site_folder",
]
