"""The command line: one module for each verb, imported only when it is called."""

from __future__ import annotations

import gc
import os
import sys

import click

from sitewright.cli.group import BAD_INPUT, INTERRUPTED, NOTHING_FOUND, VerbGroup, one_line
from sitewright.cli.run_log import RUN_LOG
from sitewright.errors import NoPages, SitewrightError
from sitewright.event_loop import BLAS_THREADS, INTERRUPTED_MESSAGE, InterruptHandler


@click.command(
    cls=VerbGroup,
    package=__name__,
    verbs={
        "run": "The whole job on one site.",
        "discover": "The page classes of a site.",
        "classify": "Which class a page belongs to.",
        "show": "What is known of a site, or of one of its classes.",
        "export": "A Scrapy project, a database, a graph or a site map.",
        "extract": "The records of every page class, as tables.",
        "explore": "See the results in a browser, and correct them.",
        "apply": "Corrections again, on what is there now.",
        "mcp": "The results for programs that speak MCP.",
        "diff": "What is different between two projects.",
        "repair": "A new project with the old names, after a redesign.",
        "check": "Whether a site still fits what was learnt of it.",
        "learn": "The wrapper of a class from example values.",
        "inspect": "The links, schema and tokens of a page.",
        "skeleton": "The tree of a site's navigation.",
        "template": "What pages share.",
        "strip": "Pages without their template.",
        "segment": "The visual blocks of a page.",
        "match": "What plays the same part in two pages.",
        "fleet": "Many sites, from many WARC files.",
        "upgrade": "Results of an earlier version, in the formats of this one.",
        "evaluate": "The papers' experiments and measures.",
        "completion": "Completion of our commands for your shell.",
    },
    renamed={"wrap": "learn"},
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="sitewright", message="%(prog)s %(version)s")
@click.option(
    "--config",
    metavar="FILE",
    type=click.Path(),
    help="Options in a file.  [default: sitewright.toml, or [tool.sitewright] of pyproject.toml]",
)
@click.pass_context
def sitewright(context: click.Context, config: str | None) -> None:
    """Find out how a web site is made and what is in it.

    SITE is a URL, a folder of saved pages, one saved page, or a .warc, .warc.gz or .wacz file.
    PAGE is a URL, a file, or - for standard input.

    \b
    Example:
      sitewright run https://example.org/ -o out
      sitewright inspect page.html
    """
    from sitewright.cli.console import Console
    from sitewright.cli.options_file import read_options, settings_file

    context.ensure_object(Console).set_up_logging()
    if (found := settings_file(config)) is not None:
        context.default_map = read_options(found, sitewright, context.invoked_subcommand)


def main() -> None:
    """Run the program: errors in one line, and the exit codes of the design."""
    InterruptHandler.install()
    _tune_process()
    try:
        exit_code = _exit_code()
    except Exception:
        RUN_LOG.crashed()
        RUN_LOG.end(NOTHING_FOUND)
        raise
    RUN_LOG.end(exit_code)
    sys.exit(exit_code)


def _exit_code() -> int:
    """Run the verb; say in one line what went wrong."""
    try:
        return sitewright.main(standalone_mode=False) or 0
    except (SitewrightError, click.ClickException) as error:
        return _failed(_message(error), NOTHING_FOUND if isinstance(error, NoPages) else BAD_INPUT)
    except (KeyboardInterrupt, click.Abort):
        return _failed(INTERRUPTED_MESSAGE, INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output has gone; there is nobody left to tell.
        _give_up_output()
        return 0
    except OSError as error:
        # The machine's own: no file may be opened, no memory is left, a disk is gone.
        _give_up_output()
        subject = f"{error.filename}: " if error.filename else ""
        return _failed(f"{subject}{error.strerror or error}", BAD_INPUT)


def _message(error: SitewrightError | click.ClickException) -> str:
    if isinstance(error, click.UsageError):
        verb = error.ctx.command_path if error.ctx else "sitewright"
        return f"{error.format_message()} Try: {verb} --help"
    return error.format_message() if isinstance(error, click.ClickException) else str(error)


def _failed(message: str, exit_code: int) -> int:
    line = f"sitewright: {one_line(message)}"
    RUN_LOG.write(line)
    click.echo(line, err=True)
    return exit_code


_COLLECT_EVERY = 50_000
"""New objects between two runs of the garbage collector: pages make many, and hardly a cycle."""


def _tune_process() -> None:
    """Settle what is for a whole process to decide: a library must leave it to its program."""
    # Our matrices are small: further threads take processor time to wait for each other.
    os.environ.update({name: os.environ.get(name, "1") for name in BLAS_THREADS})
    gc.set_threshold(_COLLECT_EVERY)


def _give_up_output() -> None:
    """What could not be written is not tried again at the end, where Python would complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
