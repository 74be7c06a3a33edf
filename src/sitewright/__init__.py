"""sitewright: how a web site is made, and what is in it."""
