"""`python -m sitewright` is `sitewright`."""

from __future__ import annotations

from sitewright.cli import main

main()
