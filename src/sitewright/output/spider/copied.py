"""The modules that a project has verbatim: the same code reads texts here and there."""

from __future__ import annotations

import re
from importlib.resources import files

_MODULES = {
    "reading/address.py": "sitewright.html.address",
    "reading/elements.py": "sitewright.html.elements",
    "reading/host.py": "sitewright.site.host",
    "reading/url.py": "sitewright.site.url",
    "reading/types.py": "sitewright.wrapper.types",
    "reading/types_dates.py": "sitewright.wrapper.types_dates",
    "reading/types_numbers.py": "sitewright.wrapper.types_numbers",
    "reading/types_units.py": "sitewright.wrapper.types_units",
    "reading/text.py": "sitewright.output.spider.runtime.text",
    "loaders.py": "sitewright.output.spider.runtime.loaders",
    "page_classes.py": "sitewright.output.spider.runtime.page_classes",
    "crawling.py": "sitewright.output.spider.runtime.crawling",
}
"""Where in the project's package each module goes."""
_PLACES = {module: place for place, module in _MODULES.items()}
_IMPORT = re.compile(r"(?<=from )sitewright\.[\w.]+(?= import )")
_PACKAGE_NOTE = '"""How texts and addresses are read."""\n'


def copied_modules() -> dict[str, str]:
    """The source of each module by its path in the package, with imports within the package."""
    copies = {place: _moved(_text(module), place) for place, module in _MODULES.items()}
    return {"reading/__init__.py": _PACKAGE_NOTE, **copies}


def _moved(text: str, place: str) -> str:
    """The source with its imports relative to its new place."""
    folder = place.rpartition("/")[0]

    def relative(imported: re.Match[str]) -> str:
        target_folder, _, name = _PLACES[imported[0]].removesuffix(".py").rpartition("/")
        if target_folder == folder:
            return f".{name}"
        return f"..{name}" if folder else f".{target_folder}.{name}"

    return _IMPORT.sub(relative, text)


def _text(module: str) -> str:
    package, _, name = module.rpartition(".")
    return (files(package) / f"{name}.py").read_text(encoding="utf-8")
