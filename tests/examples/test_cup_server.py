"""The local server: a folder like a web server serves it, and faults that come back alike."""

from __future__ import annotations

import gzip
import http.client
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from examples.cup.faults import FAULTS, PREFIX, Faults
from examples.cup.server import main, serve


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "index.html").write_text("<title>Home</title>")
    (tmp_path / "a.html").write_text("<title>A</title>")
    (tmp_path / "list?page=2").write_text("<title>Second</title>")
    (tmp_path / "list").write_text("<title>First</title>")
    (tmp_path / "style.css").write_text("p {}")
    (tmp_path / "sub dir").mkdir()
    (tmp_path / "sub dir" / "index.html").write_text("<title>Sub</title>")
    return tmp_path


def get(server, target, **headers):
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=10)
    try:
        connection.request("GET", target, headers=headers)
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


def test_it_listens_on_this_machine_only(folder):
    with serve(folder) as server:
        assert server.server_address[0] == "127.0.0.1"


def test_files_come_with_their_types(folder):
    with serve(folder) as server:
        response, body = get(server, "/style.css")
        assert (response.status, response.headers["Content-Type"], body) == (
            200,
            "text/css",
            b"p {}",
        )
        response, body = get(server, "/list")
        assert (response.headers["Content-Type"], body) == ("text/html", b"<title>First</title>")


def test_a_folder_has_an_index_and_a_final_slash(folder):
    with serve(folder) as server:
        assert get(server, "/")[1] == b"<title>Home</title>"
        response, _ = get(server, "/sub%20dir")
        assert (response.status, response.headers["Location"]) == (301, "/sub%20dir/")
        assert get(server, "/sub%20dir/")[1] == b"<title>Sub</title>"


def test_a_query_names_a_file_of_its_own_where_there_is_one(folder):
    with serve(folder) as server:
        assert get(server, "/list?page=2")[1] == b"<title>Second</title>"
        assert get(server, "/list?page=3")[1] == b"<title>First</title>"


@pytest.mark.parametrize("target", ["/none", "/../secret", "/%2e%2e/secret", "/a%00b", "/a.html/b"])
def test_what_is_not_in_the_folder_is_not_found(folder, target):
    (folder.parent / "secret").write_text("secret")
    with serve(folder) as server:
        assert get(server, target)[0].status == 404


def test_every_request_is_logged_with_its_time(folder):
    with serve(folder) as server:
        get(server, "/a.html?x=1", **{"User-Agent": "tester"})
        get(server, "/none")
    first, second = server.requests
    assert (first.path, first.user_agent, second.path) == ("/a.html?x=1", "tester", "/none")
    assert first.at <= second.at


def test_without_faults_there_are_no_fault_paths(folder):
    with serve(folder) as server:
        assert get(server, PREFIX)[0].status == 404


def test_the_fault_paths_are_listed(folder):
    with serve(folder, faults=Faults(paths=True)) as server:
        listing = get(server, PREFIX)[1].decode()
        assert all(PREFIX + link in listing for _, link in FAULTS.values())
        assert get(server, PREFIX + "unheard-of")[0].status == 404


def test_errors_heal_after_some_tries(folder):
    with serve(folder, faults=Faults(paths=True)) as server:
        statuses = [get(server, PREFIX + "heals?after=2")[0].status for _ in range(3)]
        assert statuses == [500, 500, 200]


def test_a_busy_server_says_when_to_come_back(folder):
    with serve(folder, faults=Faults(paths=True)) as server:
        response, _ = get(server, PREFIX + "busy/503?retry=7")
        assert (response.status, response.headers["Retry-After"]) == (503, "7")
        assert get(server, PREFIX + "busy/503?retry=7")[0].status == 200


def test_redirects_lead_on_in_circles_and_anywhere(folder):
    with serve(folder, faults=Faults(paths=True)) as server:

        def location(target):
            return get(server, PREFIX + target)[0].headers["Location"]

        assert location("loop/a") == PREFIX + "loop/b"
        assert location("loop/b") == PREFIX + "loop/a"
        assert location("chain/3") == PREFIX + "chain/2"
        assert location("redirect?to=file:///etc/passwd") == "file:///etc/passwd"
        assert get(server, PREFIX + "chain/0")[0].status == 200


def test_a_body_can_break_off(folder):
    with (
        serve(folder, faults=Faults(paths=True)) as server,
        pytest.raises(http.client.IncompleteRead),
    ):
        get(server, PREFIX + "truncated")


def test_an_endless_body_ends_when_the_client_hangs_up(folder):
    with serve(folder, faults=Faults(paths=True)) as server:
        connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=10)
        connection.request("GET", PREFIX + "endless")
        assert len(connection.getresponse().read(100_000)) == 100_000
        connection.close()


def test_the_calendar_has_no_end(folder):
    with serve(folder, faults=Faults(paths=True)) as server:
        body = get(server, PREFIX + "calendar?month=12&year=9999")[1].decode()
        assert "calendar?month=1&year=10000" in body


def test_rates_strike_the_same_pages_every_time(tmp_path):
    for number in range(40):
        (tmp_path / f"{number}.html").write_text("<p>")
    faults = Faults(errors=0.3, heals_after=1, seed=5)

    def struck():
        with serve(tmp_path, faults=faults) as server:
            return [n for n in range(40) if get(server, f"/{n}.html")[0].status == 500]

    first = struck()
    assert first == struck()
    assert 4 <= len(first) <= 20


def test_pages_are_packed_for_clients_that_take_it(folder):
    with serve(folder, faults=Faults(gzip=True)) as server:
        assert "Content-Encoding" not in get(server, "/a.html")[0].headers
        response, body = get(server, "/a.html", **{"Accept-Encoding": "gzip"})
        assert response.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(body) == b"<title>A</title>"


def test_charset_and_robots_are_what_the_faults_say(folder):
    with serve(folder, faults=Faults(charset="koi8-r", robots="Disallow:")) as server:
        assert get(server, "/a.html")[0].headers["Content-Type"] == "text/html; charset=koi8-r"
        response, body = get(server, "/robots.txt")
        assert (response.headers["Content-Type"], body) == ("text/plain", b"Disallow:")


def test_the_command_line_fails_in_one_line(tmp_path, capsys):
    assert main([str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err == f"server: {tmp_path / 'none'}: no such folder\n"
    with serve(tmp_path) as server:
        assert main([str(tmp_path), "--port", str(server.server_port)]) == 2
        assert capsys.readouterr().err.startswith(f"server: port {server.server_port}: ")


def test_the_command_prints_its_address(folder):
    command = [sys.executable, "-m", "examples.cup.server", str(folder)]
    root = Path(__file__).parents[2]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("http://127.0.0.1:")
        process.terminate()
