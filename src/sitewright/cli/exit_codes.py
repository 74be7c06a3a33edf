"""How a command ends, for the program that called it."""

from __future__ import annotations

NOTHING_FOUND = 1
BAD_INPUT = 2
SITE_CHANGED = 3
INTERRUPTED = 130
