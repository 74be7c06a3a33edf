"""skeleton.json: the navigation tree in a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from sitewright.errors import InputNotFound, UnreadableInput
from sitewright.output.files import complete_or_absent
from sitewright.skeleton import from_json

if TYPE_CHECKING:
    import os

    from sitewright.skeleton import SkeletonNode


def write_skeleton(root: SkeletonNode, path: str | os.PathLike[str]) -> None:
    """Write a tree as nested `{"url", "title", "kind", "children"}`."""
    text = json.dumps(root.as_json(), ensure_ascii=False, indent=1)
    with complete_or_absent(path) as file:
        # Lone surrogates come out of broken pages; escaped they are JSON, raw they are no UTF-8.
        file.write(text.encode("utf-8", "backslashreplace").decode() + "\n")


def read_skeleton(path: str | os.PathLike[str]) -> SkeletonNode:
    """Read a tree that `write_skeleton` wrote."""
    path = Path(path)
    try:
        written = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputNotFound(str(path)) from None
    except (OSError, ValueError, RecursionError) as error:
        raise UnreadableInput(str(path), f"cannot be read: {error}") from None
    return from_json(written, str(path))
