"""What HTML says of its elements, as tables: the one list of each kind."""

from __future__ import annotations

LINK_ATTRIBUTES = {"a": "href", "area": "href", "frame": "src", "iframe": "src"}
"""The elements that lead to another page, each with the attribute that says where."""
VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source "
    "track wbr".split()
)
"""Elements that have no end tag."""
RAW_TEXT = frozenset("iframe noembed noframes plaintext script style xmp".split())
"""Elements whose content the parser takes as one text, whatever stands in it."""
UNSEEN = RAW_TEXT | {"noscript", "template"}
"""Elements whose text no reader sees."""
INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s "
    "samp small span strike strong sub sup time tt u var wbr".split()
)
"""Elements that do not part the words on both sides of their tags."""
SAYING = frozenset("code data del dfn ins kbd label mark q s samp strike sub sup time var".split())
"""Those of them whose tag says what they hold: a `<time>` is a time, an `<s>` an old price."""
