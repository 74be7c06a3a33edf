"""What opens doors goes to the user's own host, and into no file and no log."""

from __future__ import annotations

import base64
import gzip
import json
import re

import pytest
from click.testing import CliRunner
from live import fetch_from, write_site

import sitewright
from examples.cup.faults import Answer, page
from examples.cup.server import serve
from sitewright.cli import sitewright as program
from sitewright.cli.run_log import _command
from sitewright.errors import InputNotFound, InvalidInput, InvalidURL, UnreadableInput
from sitewright.site.base import Page, explain_missing
from sitewright.site.credentials import Credentials, parse_header, without_secrets
from sitewright.site.web import CrawlOptions

SECRET = "s3cr3t-0123456789"
TEXT = "<title>Members</title><a href='/m/1'>one</a><p>Welcome"


def members(path, _query, headers):
    """Answer members only; and try to have them keep a session."""
    if SECRET in headers.get("Cookie", "") + headers.get("X-Key", "") + _password(headers):
        return Answer(TEXT.encode() + path.encode(), headers={"Set-Cookie": f"s={SECRET}"})
    return Answer(page("Members only"), status=403) if path != "/robots.txt" else None


def _password(headers):
    given = headers.get("Authorization", "").removeprefix("Basic ")
    return base64.b64decode(given).decode()


@pytest.fixture
def club(tmp_path):
    (tmp_path / "site").mkdir()
    with serve(write_site(tmp_path / "site"), dynamic=members) as server:
        yield server


def cookies_file(tmp_path, host="127.0.0.1"):
    path = tmp_path / "cookies.txt"
    line = "\t".join([host, "FALSE", "/", "FALSE", "0", "session", SECRET])
    path.write_text(f"# Netscape HTTP Cookie File\n{line}\n")
    return path


@pytest.mark.parametrize("kind", ["header", "cookie", "file", "auth"])
def test_each_kind_opens_the_door(club, tmp_path, kind):
    given = {
        "header": {"headers": (("X-Key", SECRET),)},
        "cookie": {"cookies": (f"session={SECRET}",)},
        "file": {"cookies_file": cookies_file(tmp_path)},
        "auth": {"auth": f"ann:{SECRET}"},
    }[kind]
    [closed] = fetch_from(club.url, [club.url])
    assert not isinstance(closed, Page)
    [opened] = fetch_from(club.url, [club.url], credentials=Credentials(**given))
    assert isinstance(opened, Page)


def test_cookies_of_another_host_are_not_sent(club, tmp_path):
    file = cookies_file(tmp_path, "other.example")
    [closed] = fetch_from(club.url, [club.url], credentials=Credentials(cookies_file=file))
    assert not isinstance(closed, Page)


def test_only_the_host_that_was_named_gets_them():
    given = Credentials((("X-Key", SECRET),), ("a=b",), auth="u:p")
    start = "https://shop.example/"
    assert given.for_url("https://shop.example/x", start).keys() == {
        "X-Key",
        "Cookie",
        "Authorization",
    }
    assert given.for_url("https://www.shop.example/x", start)
    for url in ("https://evil.example/", "https://a.shop.example/", "http://shop.example/",
                "https://shop.example:8443/"):  # fmt: skip
        assert given.for_url(url, start) == {}


def test_nothing_secret_is_in_any_file_or_log(club, tmp_path, monkeypatch):
    out, log = tmp_path / "out", tmp_path / "run.log"
    arguments = ["-v", "run", club.url, "-o", str(out), "--log-file", str(log)]
    arguments += ["--header", f"X-Key: {SECRET}", f"--cookie=a={SECRET}", "--auth", f"u:{SECRET}"]
    monkeypatch.setattr("sys.argv", ["sitewright", *arguments])
    result = CliRunner().invoke(program, arguments)
    assert result.exit_code == 0, result.output
    assert SECRET not in result.output
    files = [path for path in out.rglob("*") if path.is_file()]
    assert {"pages.warc.gz", "site.json", "report.html"} <= {path.name for path in files}
    for path in (*files, log):
        body = path.read_bytes()
        if path.name.endswith(".gz"):
            body = gzip.decompress(body)
        assert SECRET.encode() not in body, path
        assert base64.b64encode(f"u:{SECRET}".encode()) not in body
    assert SECRET not in repr(CrawlOptions(credentials=Credentials((("X-Key", SECRET),))))
    assert SECRET not in _command()


def test_a_proxy_gets_all_requests(tmp_path):
    (tmp_path / "index.html").write_text("<title>Through a proxy</title>")
    with serve(tmp_path, dynamic=lambda *_: Answer(b"<title>Proxied</title>")) as proxy:
        address = proxy.url.replace("http://", "http://user:pass@")
        credentials = Credentials(proxy=address)
        [found] = fetch_from(
            "http://far.example/", ["http://far.example/far"], credentials=credentials,
            obey_robots=False, delay=0.0,
        )  # fmt: skip
        assert isinstance(found, Page)
        assert found.body == b"<title>Proxied</title>"
        [hit] = proxy.requests
    assert hit.path == "http://far.example/far"
    assert hit.headers["Proxy-Authorization"].startswith("Basic ")


def test_a_proxy_that_does_not_let_us_through_is_named(tmp_path):
    def refusing(*_):
        return Answer(b"", status=407)

    def advice(url, proxy):
        found = fetch_from(
            url,
            [url],
            credentials=Credentials(proxy=proxy),
            obey_robots=False,
            delay=0.0,
            retries=0,
        )
        return explain_missing(found)

    with serve(tmp_path, dynamic=refusing) as server:
        assert "name and password" in advice("http://far.example/", server.url)
        gone = server.url
    assert "the proxy does not answer" in advice("http://far.example/", gone)
    assert "--proxy" in advice("https://far.example/", gone)


@pytest.mark.parametrize(
    "given",
    [{"headers": (("Bad name", "x"),)}, {"headers": (("X", "a\r\nHost: evil"),)},
     {"headers": (("Host", "evil.example"),)}, {"cookies": ("a",)}, {"cookies": ("a=b; c=d",)},
     {"auth": "nobody"}, {"proxy": "socks5://x"}, {"proxy": "x"}],
)  # fmt: skip
def test_what_cannot_be_sent_is_refused(given):
    with pytest.raises(InvalidInput):
        Credentials(**given)


def test_files_that_are_none_are_refused(tmp_path):
    with pytest.raises(InputNotFound):
        Credentials(cookies_file=tmp_path / "none")
    (tmp_path / "x").write_text("what is this")
    with pytest.raises(UnreadableInput, match="not a cookies file"):
        Credentials(cookies_file=tmp_path / "x")


def test_a_header_is_read_as_curl_writes_it():
    assert parse_header("A: b:c") == ("A", "b:c")
    with pytest.raises(InvalidInput):
        parse_header("A b")


def test_a_url_with_a_password_is_refused_and_not_repeated(tmp_path):
    with pytest.raises(InvalidURL) as error:
        sitewright.run(f"http://ann:{SECRET}@127.0.0.1:1/", tmp_path / "out")
    assert SECRET not in str(error.value)
    assert "--auth" in str(error.value)
    assert without_secrets("http://a@b/c@d") == "http://b/c@d"
    assert without_secrets("a@b") == "a@b"


# Options in a file.


def run_in(folder, monkeypatch, *arguments):
    monkeypatch.chdir(folder)
    return CliRunner().invoke(program, list(arguments))


def test_options_come_from_a_file_and_the_command_line_comes_first(club, tmp_path, monkeypatch):
    monkeypatch.setenv("KEY", SECRET)
    (tmp_path / "sitewright.toml").write_text(
        'header = ["X-Key: ${KEY}"]\nuser_agent = "filed/1"\ncontact = "a@b.example"\n'
        "[run]\npages = 3\n[discover]\npages = 7\n"
    )
    result = run_in(tmp_path, monkeypatch, "run", club.url, "-o", "out", "--user-agent", "typed/1")
    assert result.exit_code == 0, result.output
    assert club.requests[-1].user_agent == "typed/1 (+a@b.example)"
    model = json.loads((tmp_path / "out/model.json").read_text())
    assert model["parameters"]["limit"] == 3


def test_pyproject_has_a_table_for_options(club, tmp_path, monkeypatch):
    (tmp_path / "pyproject.toml").write_text(f'[tool.sitewright]\ncookie = ["a={SECRET}"]\n')
    result = run_in(tmp_path, monkeypatch, "run", club.url, "-o", "out")
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize(
    ("text", "why"),
    [("pagse = 3", "no option 'pagse'; do you mean pages?"), ("[run]\nlevels = 3", "no option"),
     ("a = ", "not a TOML file"), ('header = ["A: ${NO_SUCH_VARIABLE}"]', "no variable NO_SUCH")],
)  # fmt: skip
def test_a_file_that_is_wrong_says_where(tmp_path, monkeypatch, text, why):
    (tmp_path / "sitewright.toml").write_text(text)
    result = run_in(tmp_path, monkeypatch, "run", "x", "-o", "out")
    assert re.search(re.escape(why), str(result.exception)), result.exception


def test_a_file_with_options_of_other_verbs_is_fine(tmp_path, monkeypatch):
    (tmp_path / "sitewright.toml").write_text("complete = true\nunit = 3\n")
    result = run_in(tmp_path, monkeypatch, "inspect", "-")
    assert "no option 'unit'" in str(result.exception)
    (tmp_path / "sitewright.toml").write_text("complete = true\n[run]\nnonsense = 1\n")
    assert run_in(tmp_path, monkeypatch, "inspect", "-").exit_code == 0
