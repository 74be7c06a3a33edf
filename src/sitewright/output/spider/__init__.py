"""A Scrapy project from a site model: to keep, to read and to change."""

from sitewright.output.spider.project import Project, make_project, write_project

__all__ = ["Project", "make_project", "write_project"]
