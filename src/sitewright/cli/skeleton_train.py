"""`sitewright skeleton train`: learn from labelled skeletons."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sitewright import formats
from sitewright.cli.options import json_option, output_option, pages_option

if TYPE_CHECKING:
    from sitewright.cli.console import Console


@click.command("train")
@click.argument("sites", metavar="SITES", type=click.Path(path_type=Path))
@output_option("FILE", "File for the learnt numbers.", required=True)
@pages_option(default=400)
@json_option
@click.pass_obj
def command(console: Console, /, sites: Path, output: Path, pages: int, as_json: bool) -> None:
    """Learn the numbers of both methods from sites whose skeletons are known.

    SITES is a file with one line a site: its name, the folder, archive or URL, the file with its
    true skeleton, and where they are needed the base URL and a file of redirects; tabs between.
    A skeleton is lines of parent, child, title and level, tabs between, with `# home PAGE` in
    front.

    \b
    Example:
      sitewright skeleton train sites.tsv -o trained.json
      sitewright skeleton https://example.org/ --trained trained.json
    """
    from sitewright.evaluate.skeleton import read_labelled_sites, survey
    from sitewright.skeleton import Trained

    labelled = read_labelled_sites(sites)
    lessons = []
    with console.progress() as progress:
        task = progress.add_task("learning", total=len(labelled))
        for site in labelled:
            lessons.append(survey(site, pages).lesson)
            progress.advance(task)
    formats.write(output, Trained.on(lessons).rounded())
    told = {
        "output": str(output),
        "sites": len(lessons),
        "link_sets": sum(len(lesson.link_sets) for lesson in lessons),
        "pages": sum(len(lesson.cases) for lesson in lessons),
    }
    if console.speaks_json(as_json):
        console.write_json(told)
    else:
        console.note(f"{output}: learnt from {told['pages']:,} pages of {len(lessons)} sites")
