"""Templates: what the pages of a class share, and pages without it.

The paper is F. Geraci and M. Maggini, "A multi-sequence alignment algorithm for web template
detection", 2011.
"""

from sitewright.template.stripping import Stripped, strip, template_nodes
from sitewright.template.template import Template, TemplateToken

__all__ = [
    "Stripped",
    "Template",
    "TemplateToken",
    "strip",
    "template_nodes",
]
