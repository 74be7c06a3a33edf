"""Plugins: what installed packages add to sitewright, found by their entry points.

There are three groups: `sitewright.sites`, `sitewright.types` and `sitewright.exporters`. A plugin
is loaded when it is first needed; one that cannot be used raises `BrokenPlugin`, which names it.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any

from sitewright.errors import BrokenPlugin, SitewrightError

if TYPE_CHECKING:
    from collections.abc import Callable


def plugin_names(group: str) -> list[str]:
    """The names of the installed plugins of a group, in alphabetical order; none is loaded."""
    return sorted(_installed(group, tuple(sys.path)))


def load_plugin(group: str, name: str) -> Callable[..., Any]:
    """Load one plugin, which must be callable."""
    return _loaded(group, name, tuple(sys.path))


def call_plugin(group: str, name: str, *arguments: object, **options: object) -> Any:  # noqa: ANN401 - the plugin's own
    """Call a plugin; its errors become one line that names it."""
    plugin = load_plugin(group, name)
    try:
        return plugin(*arguments, **options)
    except SitewrightError:
        raise  # it says what is wrong
    except Exception as error:
        raise BrokenPlugin(group, name, _in_one_line(error)) from error


# Where packages are found depends on `sys.path` alone. It takes some milliseconds to look.
@lru_cache(maxsize=16)
def _installed(group: str, _path: tuple[str, ...]) -> dict[str, EntryPoint]:
    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=group):
        known = found.setdefault(point.name, point)
        if known.value != point.value:
            raise BrokenPlugin(group, point.name, f"defined twice: {known.value}, {point.value}")
    return found


@lru_cache(maxsize=64)
def _loaded(group: str, name: str, path: tuple[str, ...]) -> Callable[..., Any]:
    point = _installed(group, path).get(name)
    if point is None:
        raise BrokenPlugin(group, name, "no installed package has it")
    try:
        plugin = point.load()
    except (Exception, SystemExit) as error:
        raise BrokenPlugin(group, name, f"cannot be loaded: {_in_one_line(error)}") from error
    if not callable(plugin):
        raise BrokenPlugin(group, name, f"{point.value} cannot be called")
    return plugin  # type: ignore[no-any-return] # whatever it is, it can be called


def _in_one_line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]
