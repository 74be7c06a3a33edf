"""Makes the demo site from the command line: ``python -m examples.cup OUT``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from examples.cup import Summary, generate
from examples.cup.generations import GENERATIONS
from sitewright.errors import InvalidInput

_EXAMPLE = """\
example:
  python -m examples.cup demo/cup --seed 7
  writes demo/cup/site (the pages) and demo/cup/truth (what is true of them)
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m examples.cup",
        description="Make the demo site: a football cup that never was, of about 2,000 pages.",
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("out", metavar="OUT", type=Path, help="the folder to write; it is replaced")
    parser.add_argument("--seed", type=int, default=2002, help="another seed, another site (2002)")
    parser.add_argument("--scale", type=float, default=1.0, help="how large, 0.01 to 4 (1.0)")
    parser.add_argument(
        "--generation",
        type=int,
        choices=GENERATIONS,
        default=1,
        help="2: after a redesign; 3: after one that moved the pages, too (1)",
    )
    parser.add_argument(
        "--live", action="store_true", help="add the sections that only a server can complete"
    )
    return parser


def _report(summary: Summary) -> str:
    classes = {name: n for name, n in summary.classes.items() if not name.startswith("single:")}
    single = summary.pages - sum(classes.values())
    head = f"{summary.out}: {summary.pages} pages, {summary.size / 1e6:.1f} MB"
    head += f", seed {summary.seed}, scale {summary.scale:g}"
    lines = [f"{count:6}  {name}" for name, count in classes.items()]
    return "\n".join([head, *lines, f"{single:6}  single pages"])


def main(arguments: list[str] | None = None) -> int:
    """Make the site and say what was made; 2 if it cannot be made."""
    options = _parser().parse_args(arguments)
    try:
        summary = generate(
            options.out,
            seed=options.seed,
            scale=options.scale,
            live=options.live,
            generation=options.generation,
        )
    except (InvalidInput, OSError) as error:
        print(f"examples.cup: {error}", file=sys.stderr)
        return 2
    print(_report(summary))
    return 0


if __name__ == "__main__":
    sys.exit(main())
