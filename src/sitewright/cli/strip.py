"""`sitewright strip`: pages without their template."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from sitewright import formats
from sitewright.cli.group import NOTHING_FOUND
from sitewright.cli.options import (
    PageOptions,
    crawl_options,
    encoding_option,
    json_option,
    output_option,
    pages_argument,
)
from sitewright.cli.pages import open_page
from sitewright.errors import InvalidInput
from sitewright.formats import complete_or_absent, output_folder
from sitewright.papers.cosulschi import xhtml
from sitewright.template import Stripped, Template, strip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sitewright.cli.console import Console
    from sitewright.site.web import CrawlOptions


_ENDINGS = {"html": ".html", "xhtml": ".xhtml", "text": ".txt", "markdown": ".md"}
_HEAD = re.compile(r"(<head[^>]*>)")
_FORMS: dict[str, Callable[[Stripped], str]] = {
    # What declared the page's encoding may have gone with the template, and is now wrong anyway.
    "html": lambda stripped: _HEAD.sub(r'\1<meta charset="utf-8">', stripped.html, count=1),
    "xhtml": lambda stripped: xhtml(stripped.html),
    "text": lambda stripped: stripped.text,
    "markdown": lambda stripped: stripped.markdown,
}


@click.command("strip")
@pages_argument
@click.option(
    "-t",
    "--template",
    "template_file",
    metavar="FILE",
    required=True,
    type=click.Path(path_type=Path),
    help="Template file that `sitewright template` wrote.",
)
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(list(_ENDINGS)),
    default="html",
    show_default=True,
    help="Output format.",
)
@encoding_option
@output_option("FOLDER", "Folder that gets a file for each page. Default: standard output.")
@json_option
@crawl_options
@click.pass_context
def command(
    context: click.Context,
    /,
    pages: tuple[str, ...],
    template_file: Path,
    form: str,
    encoding: str | None,
    output: Path | None,
    as_json: bool,
    crawl: CrawlOptions,
) -> None:
    """Remove a template from pages: what is left is each page's own content.

    Order and nesting of what is left stay as they were. With --json each page is one JSON object;
    else the page itself goes to standard output, or with -o to a file. The exit code is 1 if the
    template was in none of the pages.

    \b
    Example:
      sitewright strip -t template.json article17.html -f markdown
      sitewright strip -t template.json articles/*.html -f text -o texts
    """
    console: Console = context.obj
    template = formats.read(template_file, Template)
    files = _output_files(pages, output, form)
    found = False
    for where, file in zip(pages, files, strict=True):
        stripped = strip(open_page(where, crawl, PageOptions(encoding=encoding)), template)
        found = found or stripped.removed > 0
        content: str = _FORMS[form](stripped)
        if file:
            with complete_or_absent(file) as written:
                written.write(_valid_unicode(content) + "\n")
        _tell(console, where, stripped, file, as_json=as_json, content={form: content})
    context.exit(0 if found else NOTHING_FOUND)


def _output_files(pages: Sequence[str], folder: Path | None, form: str) -> Sequence[Path | None]:
    """A file for each page, named as the page is; None for standard output."""
    if folder is None:
        return [None] * len(pages)
    files = [folder / (_stem(where) + _ENDINGS[form]) for where in pages]
    for where, file in zip(pages, files, strict=True):
        if files.count(file) > 1:
            raise InvalidInput(where, f"another page would be written to {file} too")
        if Path(where).resolve() == file.resolve():
            raise InvalidInput(where, "would be overwritten; choose another output folder")
    output_folder(folder)
    return files


def _stem(where: str) -> str:
    return PurePosixPath(urlsplit(where).path).stem.strip(".") or "page"


def _tell(
    console: Console,
    where: str,
    stripped: Stripped,
    file: Path | None,
    *,
    as_json: bool,
    content: dict[str, str],
) -> None:
    """Say what was removed: to programs with the result, to people beside it."""
    summary = {
        "page": where,
        "tokens": stripped.tokens,
        "removed": stripped.removed,
        "fraction": round(stripped.fraction, 4),
    }
    if file and console.speaks_json(as_json):
        console.write_json({**summary, "output": str(file)})
    elif as_json:
        console.write_json({**summary, **content})
    else:
        if not file:
            click.echo(_valid_unicode(*content.values()))
        console.note(
            f"{where}: {stripped.fraction:.0%} removed, "
            f"{stripped.removed:,} of {stripped.tokens:,} tokens"
        )


def _valid_unicode(text: str) -> str:
    # A broken page can hold half a character, which no file can.
    return text.encode("utf-8", "replace").decode()
