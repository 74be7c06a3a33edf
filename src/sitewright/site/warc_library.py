"""FastWARC, imported in silence: it warns of its own old names on every import.

Programs that turn warnings into errors, as test suites do, could not import sitewright otherwise.
"""

from __future__ import annotations

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import fastwarc
    import fastwarc.stream_io

__all__ = ["fastwarc"]
