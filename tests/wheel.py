"""Try an installed wheel as a new user would: from a URL to a DataFrame, and on the command line.

::

    make wheel-test                     # builds the wheel, installs it, and calls this

The program that is tried runs in an environment of its own, in an empty folder, and sees nothing of
the repository; only the demo site and its server come from here.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from examples.cup import generate
from examples.cup.server import serve

FIVE_LINES = """
import sitewright
project = sitewright.run({url!r}, "out")
matches = project["match"]
frame = matches.to_pandas()
print(len(frame), len(list(matches.records())), frame["attendance"].dtype, sitewright.__file__)
"""


def main(environment: Path) -> None:
    """Raise unless both ways give the records of the site."""
    programs = environment.absolute() / "bin"
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        generate(folder / "cup", scale=0.05)
        matches = len(list((folder / "cup" / "site" / "matches").glob("[0-9]*.html")))
        with serve(folder / "cup" / "site") as server:
            script = FIVE_LINES.format(url=server.url)
            said = output(folder, programs / "python", "-I", "-c", script)
            rows, records, dtype, where = said.split()
            assert (rows, dtype) == (records, "Int64"), said
            assert matches / 2 < int(rows) <= matches, f"{rows} rows of {matches} matches"
            assert Path(where).is_relative_to(environment.absolute()), f"not the wheel: {where}"
            said = output(folder, programs / "sitewright", "run", server.url, "-o", "out2")
            assert "match" in json.loads(said)["names"], said
        assert (folder / "out2" / "classes" / "match" / "table.parquet").is_file()
    sys.stdout.write(f"the wheel works: {rows} of {matches} matches in a DataFrame\n")


def output(folder: Path, *command: object) -> str:
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


if __name__ == "__main__":
    main(Path(sys.argv[1]))
