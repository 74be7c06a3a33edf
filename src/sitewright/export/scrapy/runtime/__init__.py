"""What every exported project has in common: copied into it as it stands here.

These modules import nothing of sitewright but modules that are copied as well (see `project.py`),
so a project runs without it; and the check of a project runs the very code that it will run.
"""
