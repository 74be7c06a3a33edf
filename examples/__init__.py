"""The demo site, and short programs that use sitewright."""
