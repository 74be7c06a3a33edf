"""Plugins of ten lines each, as docs/extending.md shows them: tests install and run them."""
