"""Edits of the skeleton: what a person says of the navigation tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitewright.edits.edit import (
    SKELETON_EDITS,
    EditOutcome,
    EditStatus,
    MoveNode,
    RenameNode,
)
from sitewright.skeleton.corrections import moved_node, removed_node, renamed_node

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitewright.edits.edit import Edit, SkeletonEdit
    from sitewright.skeleton import SkeletonNode


def edited_skeleton(
    root: SkeletonNode, edits: Iterable[Edit]
) -> tuple[SkeletonNode, list[EditOutcome]]:
    """A skeleton as people refined it, and what became of each edit that is about it."""
    outcomes = []
    for edit in edits:
        if not isinstance(edit, SKELETON_EDITS):
            continue
        try:
            changed = _edited(root, edit)
        except ValueError as error:
            outcomes.append(EditOutcome(edit, EditStatus.FAILED, str(error)))
            continue
        status = EditStatus.NOT_NEEDED if changed is root else EditStatus.APPLIED
        outcomes.append(EditOutcome(edit, status))
        root = changed
    return root, outcomes


def _edited(root: SkeletonNode, edit: SkeletonEdit) -> SkeletonNode:
    if isinstance(edit, MoveNode):
        return moved_node(root, edit.page, edit.under)
    if isinstance(edit, RenameNode):
        return renamed_node(root, edit.page, edit.to)
    return removed_node(root, edit.page, branch=edit.branch)
