"""`sitewright skeleton`: the navigation tree of a site; `skeleton train`: learn from true trees."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitewright import formats
from sitewright.choices import Method
from sitewright.cli.group import NOTHING_FOUND, with_verbosity
from sitewright.cli.options import (
    SiteOptions,
    crawl_options,
    json_option,
    output_option,
    pages_option,
    refuse,
    settings_option,
    site_options,
)
from sitewright.cli.tables import plain
from sitewright.edits.edit import EDITS_FILE, read_edits
from sitewright.edits.skeleton import edited_skeleton
from sitewright.event_loop import run_async
from sitewright.export.folder import model_id
from sitewright.formats import output_folder
from sitewright.methods import Trained, extract_skeleton, shipped
from sitewright.papers.liu import sew_skeleton
from sitewright.skeleton import shape_note

if TYPE_CHECKING:
    from sitewright.cli.console import Console
    from sitewright.papers.liu import Analysis, SewParameters
    from sitewright.site import Site
    from sitewright.site.web import CrawlOptions
    from sitewright.skeleton import Skeleton


# `sitewright skeleton train`: learn from labelled skeletons.


@click.command("train")
@click.argument("sites", metavar="SITES", type=click.Path(path_type=Path))
@output_option("FILE", "File for the learnt numbers.", required=True)
@pages_option(default=400)
@json_option
@click.pass_obj
def train_command(
    console: Console, /, sites: Path, output: Path, pages: int, as_json: bool
) -> None:
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
    from sitewright.evaluate.skeleton_truth import train

    labelled = read_labelled_sites(sites)
    training_cases = []
    with console.progress() as progress:
        task = progress.add_task("learning", total=len(labelled))
        for site in labelled:
            training_cases.append(survey(site, pages).training_case)
            progress.advance(task)
    formats.write(output, train(training_cases).rounded())
    summary = {
        "output": str(output),
        "sites": len(training_cases),
        "link_sets": sum(len(training_case.link_sets) for training_case in training_cases),
        "pages": sum(len(training_case.cases) for training_case in training_cases),
    }
    if console.speaks_json(as_json):
        console.write_json(summary)
    else:
        console.note(
            f"{output}: learnt from {summary['pages']:,} pages of {len(training_cases)} sites"
        )


class _WithTraining(click.Command):
    """A verb whose first word may be `train`, which is a command of its own."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> click.Context:
        """Hand over to the other command."""
        flags = list(takewhile(lambda word: word.startswith("-"), args))
        if args[len(flags) :][:1] == [train_command.name]:
            rest = [*flags, *args[len(flags) + 1 :]]
            training = with_verbosity(train_command)
            return training.make_context(f"{info_name} {train_command.name}", rest, parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command("skeleton", cls=_WithTraining)
@site_options
@output_option("OUT", "Folder for skeleton.json; it is created if it does not exist.")
@pages_option(default=400)
@click.option(
    "--method",
    type=click.Choice([method.value for method in Method]),
    default=Method.DEFAULT.value,
    show_default=True,
    help="Our own method, or SEW, the paper's.",
)
@click.option(
    "--trained",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="File from `sitewright skeleton train`. Default: the numbers that we ship.",
)
@click.option(
    "--depth",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Number of levels to show.",
)
@click.option(
    "--levels",
    type=click.IntRange(1),
    metavar="N",
    help="With --method paper: levels to go down.  [default: until no link set is accepted]",
)
@click.option(
    "--candidates",
    type=click.IntRange(1),
    metavar="K",
    help="With --method paper: print the K best link sets of each page instead, to choose from.",
)
@json_option
@crawl_options
@settings_option
@click.pass_context
def command(
    context: click.Context,
    /,
    site: SiteOptions,
    output: Path | None,
    pages: int,
    method: str,
    trained: Path | None,
    depth: int,
    levels: int | None,
    candidates: int | None,
    as_json: bool,
    crawl: CrawlOptions,
) -> None:
    """Find the tree of a site's navigation: what is under what, as a reader would say.

    OUT gets skeleton.json: {"url", "title", "kind", "level", "parent"} of each page, in the order
    of the tree; kind is navigation or content. A few pages of each list of links are fetched, the
    others only listed; corrections in OUT/edits.jsonl are replayed. Without -o the tree is only
    shown; piped, one JSON object a page. `sitewright skeleton train --help` tells how to learn from
    trees of your own.

    \b
    Example:
      sitewright skeleton https://example.org/ -o out
      sitewright skeleton demo/cup/site --depth 2
      sitewright skeleton demo/cup/site --method paper --levels 1 --candidates 3
    """
    console: Console = context.obj
    if Method(method) is not Method.PAPER:
        refuse(context, ("levels", "candidates"), "has an effect with --method paper alone")
    if as_json:
        refuse(context, ("depth",), "has no effect with --json")
    numbers = formats.read(trained, Trained) if trained else None
    model = model_id(output) if output else None
    opened = site.open(replace(crawl, max_pages=pages), output)
    if candidates is not None:
        parameters = (numbers or shipped()).paper
        ranked = run_async(_ranked(opened, parameters, levels, pages))
        _tell_candidates(console, ranked, candidates, parameters.tau, as_json=as_json)
        context.exit(0 if ranked else NOTHING_FOUND)
    skeleton = run_async(_extract(opened, Method(method), numbers, pages, levels, console))
    if output:
        root, _ = edited_skeleton(skeleton.root, read_edits(output / EDITS_FILE))
        skeleton = replace(skeleton, root=root)
        formats.write(output_folder(output) / "skeleton.json", skeleton.root, model=model)
    _print_result(console, skeleton, output, depth, as_json=as_json)
    context.exit(0 if skeleton.root.children else NOTHING_FOUND)


async def _ranked(
    site: Site, parameters: SewParameters, levels: int | None, pages: int
) -> dict[str, Analysis]:
    async with aclosing(site):
        _, analyses = await sew_skeleton(site, parameters, levels=levels, limit=pages)
    return analyses


def _tell_candidates(
    console: Console, analyses: dict[str, Analysis], most: int, tau: float, *, as_json: bool
) -> None:
    """The best candidate link sets of each page with their scores, for a person to choose from."""
    for page, analysis in analyses.items():
        for rank, one in enumerate(analysis.ranked[:most], start=1):
            links = [{"url": link.url or link.href, "name": link.name} for link in one.links]
            is_accepted = rank == 1 and one.prob >= tau
            row = {"page": page, "rank": rank, "confidence": one.confidence, "prob": one.prob,
                   "is_accepted": is_accepted, "links": links}  # fmt: skip
            if console.speaks_json(as_json):
                console.write_json(row)
            else:
                names = ", ".join(link.name for link in one.links)
                mark = "accepted" if is_accepted else ""
                console.show(plain(f"{page}  {rank}.  {one.prob:.3f} {mark}  {names}", 200))


async def _extract(
    site: Site,
    method: Method,
    trained: Trained | None,
    pages: int,
    levels: int | None,
    console: Console,
) -> Skeleton:
    with console.progress() as progress:
        task = progress.add_task("fetching pages", total=pages)
        async with aclosing(site):
            return await extract_skeleton(
                site,
                method=method,
                trained=trained,
                limit=pages,
                levels=levels,
                progress=lambda done: progress.update(task, completed=done),
            )


def _print_result(
    console: Console, skeleton: Skeleton, output: Path | None, depth: int, *, as_json: bool
) -> None:
    from sitewright.cli.tables import skeleton_tree, summary

    note = shape_note(skeleton.root)
    if not console.speaks_json(as_json):
        console.show(*skeleton_tree(skeleton, depth))
    elif output:
        console.write_json({"output": str(output), **summary(skeleton), "note": note})
    else:
        for level, parent, node in skeleton.root.walk():
            above = parent.url if parent else None
            console.write_json(
                {"url": node.url, "title": node.title, "kind": node.kind.value,
                 "level": level, "parent": above}
            )  # fmt: skip
    if note:
        console.note(note)
