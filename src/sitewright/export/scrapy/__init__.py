"""A Scrapy project from a site model: to keep, to read and to change."""

from sitewright.export.scrapy.project import ScrapyProject, make_project, write_project

__all__ = [
    "ScrapyProject",
    "make_project",
    "write_project",
]
