"""`python -m sitewright` is `sitewright`."""

from sitewright.cli import main

main()
