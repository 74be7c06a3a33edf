"""The command line as a stranger uses it: good input, bad input, pipes and exit codes."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import interruptible
import pytest
from click.testing import CliRunner

from examples.cup.server import serve
from sitewright.cli import sitewright as program
from sitewright.cli.evaluate import EXPERIMENTS
from sitewright.event_loop import BLAS_THREADS

PAGE = """<!doctype html><title>Two  teams</title>
<ul class=teams><li><a href=one.html>One</a><li><a href=two.html>Two \x1b[31m</a></ul>"""


def sitewright(*arguments, stdin=None, cwd=None):
    command = [sys.executable, "-m", "sitewright", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, input=stdin, cwd=cwd, check=False
    )


def on_a_terminal(*arguments):
    """Run with a terminal as standard output; what it shows."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "sitewright", *map(str, arguments)]
    environment = {**os.environ, "COLUMNS": "120", "TERM": "xterm"}
    with subprocess.Popen(
        command, stdout=theirs, stderr=subprocess.DEVNULL, env=environment
    ) as run:
        os.close(theirs)
        shown = b""
        while True:
            try:
                chunk = os.read(ours, 65536)
            except OSError:
                break
            if not chunk:
                break
            shown += chunk
    os.close(ours)
    return run.returncode, shown.decode()


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "teams.html"
    path.write_text(PAGE)
    return path


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.html").write_text("<a href=a.html>A</a> <a href=gone.html>Gone</a>")
    (folder / "a.html").write_text("<a href=index.html>Home</a>")
    return folder


def test_inspect_writes_one_json_object_a_page_into_a_pipe(page):
    run = sitewright("inspect", page, page)
    assert (run.returncode, run.stderr) == (0, "")
    first, second = map(json.loads, run.stdout.splitlines())
    assert first == second
    assert first["title"] == "Two teams"
    (collection,) = first["collections"]
    assert collection["path"] == "html > body > ul.teams > li > a"
    assert [link["text"] for link in collection["links"]] == ["One", "Two \x1b[31m"]
    assert collection["links"][0]["url"] == (page.parent / "one.html").as_uri()
    assert first["schema"] == {"html > body > ul.teams > li > a": 2}
    assert first["nodes"]["html > body > ul.teams > li"] == 2
    assert {"kind": "text", "text": "two teams", "node": 3} in first["tokens"]


def test_inspect_shows_tables_on_a_terminal_and_no_commands_of_the_page(page):
    code, shown = on_a_terminal("inspect", page)
    assert code == 0
    assert "ul.teams > li > a" in shown
    assert "Link collections" in shown
    assert "\x1b[31m" not in shown


def test_inspect_reads_standard_input(page):
    run = sitewright("inspect", "-", "--url", "https://cup.example/x/", stdin=PAGE)
    (link, _) = json.loads(run.stdout)["collections"][0]["links"]
    assert link["url"] == "https://cup.example/x/one.html"


def test_standard_input_without_an_address_is_a_page_of_the_current_folder(tmp_path):
    run = sitewright("inspect", "-", stdin=PAGE, cwd=tmp_path)
    (link, _) = json.loads(run.stdout)["collections"][0]["links"]
    assert link["url"] == (tmp_path / "one.html").as_uri()


@pytest.mark.parametrize(("label", "path"), [("tag", "html > body > ul > li > a")])
def test_inspect_takes_the_label_of_nodes(page, label, path):
    run = sitewright("inspect", page, "--label", label)
    assert list(json.loads(run.stdout)["schema"]) == [path]


def test_inspect_fetches_a_url(site):
    with serve(site) as server:
        run = sitewright("inspect", server.url)
    assert json.loads(run.stdout)["collections"][0]["links"][0]["url"] == server.url + "a.html"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["inspect", "no-such-file.html"], "no-such-file.html: no such file or folder"),
        (["inspect", "."], "is a folder, not a page"),
        (["inspect", "http://127.0.0.1:1/"], "no answer"),
        (["inspect", "ftp://example.org/x"], "only http and https"),
        (["inspect"], "Missing argument 'PAGE...'"),
        (["inspect", "x", "--label", "colour"], "'colour' is not one of"),
        (["frobnicate"], "No such command 'frobnicate'"),
        (["run", "no-such-folder", "-o", "out"], "no such file or folder"),
        (["run", "."], "Missing option '-o'"),
        (["run", ".", "-o", "out", "--pages", "0"], "0 is not in the range"),
        (["run", "http://user@:80/", "-o", "out"], "not an http or https URL"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(arguments, words, tmp_path):
    run = sitewright(*arguments, cwd=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert words in run.stderr
    assert run.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_url_that_is_not_there_says_so(site):
    with serve(site) as server:
        run = sitewright("inspect", server.url + "nothing.html")
    assert run.returncode == 2
    assert "not found: 404" in run.stderr


@pytest.mark.parametrize("verb", [(), ("run",), ("inspect",), ("completion",)])
def test_help_has_an_example(verb):
    run = sitewright(*verb, "--help")
    assert run.returncode == 0
    assert "Example:" in run.stdout


NOTE = "teams.html: not a page, left out"


@pytest.mark.parametrize(
    "words",
    [
        ["-q", "template"],
        ["template", "-q"],
        ["template", "--quiet"],
    ],
)
def test_quiet_is_taken_before_and_after_the_verb(words, tmp_path):
    (tmp_path / "teams.html").write_bytes(b"\0")
    assert NOTE in sitewright("template", "teams.html", cwd=tmp_path).stderr
    assert NOTE not in sitewright(*words, "teams.html", cwd=tmp_path).stderr


@pytest.mark.parametrize(
    "words",
    [["-vv", "inspect"], ["inspect", "-vv"], ["-v", "inspect", "-v"], ["inspect", "-v", "-v"]],
)
def test_verbose_is_taken_before_and_after_the_verb_and_adds_up(words, site):
    with serve(site) as server:
        assert "DEBUG" not in sitewright("-v", "inspect", server.url).stderr
        assert "DEBUG" in sitewright(*words, server.url).stderr


@pytest.mark.parametrize(
    "words",
    [
        *([verb] for verb in program.list_commands(None)),
        *(["evaluate", name] for name in EXPERIMENTS),
        ["skeleton", "train"],
        ["skeleton", "-q", "train"],
        ["evaluate", "-v", "classes"],
    ],
    ids=" ".join,
)
def test_every_verb_takes_quiet_and_verbose(words):
    result = CliRunner().invoke(program, [*words, "-q", "-v", "--help"])
    assert result.exit_code == 0
    assert "-q, --quiet" in result.output
    assert "-v, --verbose" in result.output


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_can_complete_our_commands(shell):
    run = sitewright("completion", shell)
    assert run.returncode == 0
    assert "_SITEWRIGHT_COMPLETE" in run.stdout


@pytest.mark.parametrize("verb", ["inspect", "run", "template", "segment"])
def test_shells_complete_the_names_of_files(verb):
    words = {"COMP_WORDS": f"sitewright {verb} x", "COMP_CWORD": "2"}
    environment = {**os.environ, **words, "_SITEWRIGHT_COMPLETE": "bash_complete"}
    program = Path(sys.executable).parent / "sitewright"
    run = subprocess.run([program], capture_output=True, text=True, env=environment, check=False)
    assert run.stdout == "file,x\n"


def test_run_visits_every_page_of_a_folder(site, tmp_path):
    out = tmp_path / "out"
    run = sitewright("run", site, "-o", out)
    assert run.returncode == 0
    assert json.loads(run.stdout)["pages"] == 2
    assert {"model.json", "skeleton.json", "report.html"} <= {path.name for path in out.iterdir()}


def test_the_same_pages_give_the_same_bytes(site, tmp_path):
    written = []
    for name in ("one", "two"):
        sitewright("run", site, "-o", tmp_path / name)
        files = sorted(path for path in (tmp_path / name).rglob("*") if path.is_file())
        written.append([path.read_bytes() for path in files])
    assert len(written[0]) >= 3
    assert written[0] == written[1]


def test_a_live_site_is_fetched_once_and_read_back_ever_after(site, tmp_path):
    with serve(site) as server:
        first = sitewright("run", server.url, "-o", tmp_path / "out")
        asked = len(server.paths)
        second = sitewright("run", server.url, "-o", tmp_path / "out")
        assert len(server.paths) == asked
    assert first.stdout == second.stdout
    offline = sitewright("run", tmp_path / "out" / "pages.warc.gz", "-o", tmp_path / "offline")
    # The home page answers to two addresses, / and /index.html, and is one page.
    assert json.loads(offline.stdout)["pages"] == json.loads(first.stdout)["pages"] == 2


def test_a_closed_pipe_is_no_error(page):
    command = f"{sys.executable} -m sitewright inspect {page} | head -c 10"
    run = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


def test_a_stopped_run_says_how_to_go_on_and_keeps_what_it_fetched(tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    links = "".join(f"<a href=p{n}.html>{n}</a>" for n in range(500))
    (folder / "index.html").write_text(links)
    for number in range(500):
        (folder / f"p{number}.html").write_text(f"<p>{number}")
    out = tmp_path / "out"
    with serve(folder) as server:
        command = [*interruptible.COMMAND, "run", server.url, "-o", str(out)]
        command += ["--delay", "0.02", "--concurrency", "1"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as run:
            while len(server.paths) < 20 and run.poll() is None:
                time.sleep(0.02)
            run.send_signal(signal.SIGINT)
            _, errors = run.communicate()
        fetched = set(server.paths)
        assert run.returncode == 130
        last = errors.strip().splitlines()[-1]
        assert last == "sitewright: interrupted; the same command goes on from here"
        assert list(out.iterdir()) == [out / "pages.warc.gz"]
        again = sitewright("run", server.url, "-o", out, "--delay", "0")
        assert again.returncode == 0
        # At most the request that was under way when the run was stopped is asked for twice.
        assert len(server.paths) - len(set(server.paths)) <= 2
        assert fetched < set(server.paths)


def test_a_verb_computes_with_one_thread_and_a_library_leaves_that_to_its_program():
    ask = "import os; print(os.environ.get('OPENBLAS_NUM_THREADS'))"
    unset = {name: value for name, value in os.environ.items() if name not in BLAS_THREADS}
    for setting, source, said in (
        ({}, f"import sitewright; {ask}", "None"),
        ({}, f"import sitewright.cli; sitewright.cli._tune_process(); {ask}", "1"),
        (
            {BLAS_THREADS[0]: "3"},
            f"import sitewright.cli; sitewright.cli._tune_process(); {ask}",
            "3",
        ),
    ):
        run = subprocess.run([sys.executable, "-c", source], env={**unset, **setting},
                             capture_output=True, text=True, check=True)  # fmt: skip
        assert run.stdout.strip() == said
