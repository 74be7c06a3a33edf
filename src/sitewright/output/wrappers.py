"""The wrapper of each page class, in the class's folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitewright import formats
from sitewright.classes import Classifier
from sitewright.html.address import host_of
from sitewright.site.url import is_index_page
from sitewright.wrapper import induce

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from sitewright.classes import SiteModel
    from sitewright.html import Document
    from sitewright.wrapper import Wrapper


def write_wrappers(
    out: Path,
    model: SiteModel,
    pages: Mapping[str, Sequence[Document]],
    progress: Callable[[str], None] = lambda _name: None,
    *,
    kept: Mapping[str, Wrapper] | None = None,
) -> dict[str, Wrapper]:
    """Learn a wrapper from each class's pages and write OUT/classes/NAME/wrapper.json.

    A class whose wrapper is `kept` keeps it: it was made by example, say.
    """
    wrappers: dict[str, Wrapper] = {}
    kept = kept or {}
    identity = formats.identity(model)
    leads_to = classes_of_addresses(model)
    for name, documents in pages.items():
        progress(name)
        if name in kept:
            wrappers[name] = kept[name]
        elif documents:
            wrappers[name] = induce(documents, name, leads_to=leads_to)
            write_wrapper(out, wrappers[name], model=identity)
    return wrappers


def write_wrapper(out: Path, wrapper: Wrapper, *, model: str) -> None:
    """Write one wrapper into the folder of its class; `model` is the id of the site model."""
    folder = formats.output_folder(out / "classes" / wrapper.page_class)
    formats.write(folder / "wrapper.json", wrapper, model=model)


def classes_of_addresses(model: SiteModel) -> Callable[[str], str | None]:
    """The class behind an address: that of the visited page, else what the address looks like."""
    known = {url: one.name for one in model.classes if not one.is_stub for url in one.pages}
    classifier = Classifier(model)
    host = host_of(model.home)
    # The site may know folders by their index pages, where links name the folders.
    names = sorted({url.rpartition("/")[2] for url in known if is_index_page(url)})

    def leads_to(url: str) -> str | None:
        address = url.partition("#")[0]
        if host_of(address) != host:
            return None
        forms = (address, *map(address.__add__, names)) if address.endswith("/") else (address,)
        found = (known.get(form) or classifier.of_address(form).page_class for form in forms)
        return next(filter(None, found), None)

    return leads_to
