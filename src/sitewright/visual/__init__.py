"""Pages as people see them: rendered, cut into blocks, and matched block by block.

A `Browser` lays a page out and gives a `Rendering`, plain data. `segment` cuts it into blocks;
`match` finds what plays the same part in two renderings.
"""

from sitewright.visual.association import Relation, box_relation, relation
from sitewright.visual.elements import Correspondence
from sitewright.visual.matching import BlockPair, block_pairs, leaf_pairs
from sitewright.visual.roles import BlockRole
from sitewright.visual.segmentation import GRANULARITY, Block, segment

__all__ = [
    "GRANULARITY",
    "Block",
    "BlockPair",
    "BlockRole",
    "Correspondence",
    "Relation",
    "block_pairs",
    "box_relation",
    "leaf_pairs",
    "relation",
    "segment",
]
