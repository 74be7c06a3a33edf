"""`sitewright strip`: pages without their template."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import click

from sitewright import formats
from sitewright.classes.features import evenly
from sitewright.cli.group import NOTHING_FOUND
from sitewright.cli.options import (
    PageOptions,
    crawl_options,
    encoding_option,
    json_option,
    output_option,
    pages_argument,
    refuse,
)
from sitewright.cli.pages import open_page
from sitewright.errors import InvalidInput
from sitewright.formats import complete_or_absent, output_folder
from sitewright.methods import distill
from sitewright.papers.cosulschi import xhtml
from sitewright.template import Stripped, Template, strip
from sitewright.template.article import MainText, finished_by_trafilatura, main_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sitewright.cli.console import Console
    from sitewright.page import Document
    from sitewright.site.web import CrawlOptions


_ENDINGS = {"html": ".html", "xhtml": ".xhtml", "text": ".txt", "markdown": ".md"}
_FEWEST_PAGES = 4
"""Pages from which on a template can be learnt from the pages themselves."""
_LEARNT_FROM = 16
"""The paper's t."""
_HEAD = re.compile(r"(<head[^>]*>)")
_FORMS: dict[str, Callable[[Stripped | MainText], str]] = {
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
    type=click.Path(path_type=Path),
    help="Template file that `sitewright template` wrote.  [default: with --main, that of PAGE...]",
)
@click.option("--main", "is_main", is_flag=True, help="Keep the main text alone, as of an article.")
@click.option("--finish", is_flag=True, help="With --main: let trafilatura read what is left.")
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
    template_file: Path | None,
    is_main: bool,
    finish: bool,
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

    --main also leaves out what stands beside the content: a table of contents, related links, the
    byline; title, date and author are fields of the JSON object. Without -t the template is that of
    the given pages, if they are four or more; for fewer the page itself must do. --finish needs the
    extra `text`, and gives text.

    \b
    Example:
      sitewright strip -t template.json article17.html -f markdown
      sitewright strip -t template.json articles/*.html -f text -o texts
      sitewright strip --main articles/*.html -f text --json > corpus.jsonl
    """
    console: Console = context.obj
    if not is_main:
        refuse(context, ("finish",), "needs --main")
    if is_main:
        if finish and form != "text":
            raise click.UsageError("--finish gives text: add -f text.", context)
        read = partial(open_page, crawl=crawl, page=PageOptions(encoding=encoding))
        template = formats.read(template_file, Template) if template_file else None
        _main_texts(console, pages, read, template, _MainRequest(form, output, as_json, finish))
        return
    if template_file is None:
        raise click.UsageError("Missing option '-t' / '--template'.", context)
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
        _print_result(console, where, stripped, file, as_json=as_json, content={form: content})
    context.exit(0 if found else NOTHING_FOUND)


class _MainRequest(NamedTuple):
    """How main texts are to be written."""

    form: str
    output: Path | None
    as_json: bool
    finish: bool


def _main_texts(
    console: Console,
    pages: Sequence[str],
    read: Callable[[str], Document],
    template: Template | None,
    wanted: _MainRequest,
) -> None:
    if template is None and len(pages) >= _FEWEST_PAGES:
        template = distill([read(where) for where in evenly(pages, _LEARNT_FROM)])
    files = _output_files(pages, wanted.output, wanted.form)
    for where, file in zip(pages, files, strict=True):
        found = main_text(read(where), template)
        found = finished_by_trafilatura(found) if wanted.finish else found
        content: str = _FORMS[wanted.form](found)
        if file:
            with complete_or_absent(file) as written:
                written.write(_valid_unicode(content) + "\n")
        about = {"page": where, "title": found.title, "author": found.author, "date": found.date}
        about = {name: _valid_unicode(value) for name, value in about.items()}
        if file and console.speaks_json(wanted.as_json):
            console.write_json({**about, "output": str(file)})
        elif wanted.as_json:
            console.write_json({**about, wanted.form: _valid_unicode(content)})
        elif not file:
            click.echo(_valid_unicode(content))


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


def _print_result(
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
