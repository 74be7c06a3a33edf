"""A browser for the tests that need one; without one they skip."""

import asyncio
from dataclasses import replace

import pytest

from sitewright.errors import MissingBrowser, MissingExtra
from sitewright.site import Page
from sitewright.site.browser import Browser, Layout


class Renderer:
    """A browser in a loop of its own, asked from plain tests."""

    def __init__(self):
        self.loop = asyncio.new_event_loop()
        self.browser = Browser(Layout(viewport=(800, 600)))
        self.loop.run_until_complete(self.browser.__aenter__())

    def run(self, coroutine):
        return self.loop.run_until_complete(coroutine)

    def render(self, html, resources=None, url="http://page.example/", **layout):
        before = self.browser.layout
        self.browser.layout = replace(before, **layout)
        try:
            return self.run(self.browser.render(Page(url, html.encode()), resources))
        finally:
            self.browser.layout = before

    def close(self):
        self.loop.run_until_complete(self.browser.__aexit__())
        self.loop.close()


@pytest.fixture(scope="session")
def renderer():
    try:
        started = Renderer()
    except (MissingExtra, MissingBrowser) as missing:
        pytest.skip(f"no browser: {missing}")
    yield started
    started.close()
