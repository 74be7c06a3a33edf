"""One page, parsed once."""

from sitewright.html.document import Document

__all__ = ["Document"]
