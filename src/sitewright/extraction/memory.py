"""Memory that is given back to the system before it is needed again."""

from __future__ import annotations

import ctypes
from contextlib import suppress

MANY_BYTES = 1_000_000
"""The trees of pages with fewer bytes are not worth a look at all of the memory."""


def return_memory() -> None:
    """Give the system back what large pages have taken: glibc would keep it for the next ones.

    Elsewhere nothing is done; memory then stays as large as the largest pages need together.
    """
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
