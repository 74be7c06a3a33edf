"""Work that waits for the network, and how a person stops it."""

from __future__ import annotations

from sitewright.event_loop import run_async

__all__ = ["run_async"]
