"""What comes over the wire may be anything: odd headers, no HTTP at all, bad certificates."""

from __future__ import annotations

import ipaddress
import os
import signal
import socketserver
import ssl
import subprocess
import sys
import textwrap
import threading
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from live import fetch, fetch_from, write_site

from examples.cup.faults import Faults
from examples.cup.server import serve
from sitewright.site.archive import ArchiveSite
from sitewright.site.base import Missing, Page, Reason
from sitewright.site.warc import read_records


@contextmanager
def wire(answers, default=b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"):
    """Answer each path with the bytes of the table; give the address."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self):
            path = self.rfile.readline().split(b" ")[1].decode()
            while self.rfile.readline().strip():
                pass
            self.wfile.write(answers.get(path, default))

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def page(headers, body=b"<p>"):
    return b"HTTP/1.1 200 OK\r\n" + headers + b"Connection: close\r\n\r\n" + body


def test_headers_that_are_not_utf_8_are_read_and_kept_as_they_are(tmp_path):
    answers = {
        "/": b"HTTP/1.1 302 Found\r\nLocation: /caf\xe9\r\nContent-Length: 0\r\n\r\n",
        "/caf%E9": page(b"Content-Type: text/html\r\nX-Name: Caf\xe9\r\n"),
    }
    archive = tmp_path / "pages.warc.gz"
    with wire(answers) as url:
        [found] = fetch_from(url, [url], archive)
    assert found == Page(url + "caf%E9", b"<p>", None, url)
    assert fetch_from(url, [url], archive) == [found]
    assert [r.reply.header("X-Name") for r in read_records(archive)][-1] == "Café"


@pytest.mark.parametrize("name", ["/café", "/日本"])
def test_a_redirect_to_a_name_in_utf_8_reads_back_as_it_was(name, tmp_path):
    escaped = quote(name)
    location = (
        b"HTTP/1.1 302 Found\r\nLocation: " + name.encode() + b"\r\nContent-Length: 0\r\n\r\n"
    )
    answers = {"/": location, escaped: page(b"Content-Type: text/html\r\n")}
    archive = tmp_path / "pages.warc.gz"
    with wire(answers) as url:
        [found] = fetch_from(url, [url], archive)
    assert found == Page(url + escaped[1:], b"<p>", None, url)
    assert fetch_from(url, [url], archive) == [found]
    assert fetch(ArchiveSite(archive, start=url), [url]) == [found]


def test_of_two_content_types_the_last_one_counts():
    twice = page(b"Content-Type: text/plain\r\nContent-Type: text/html; charset=koi8-r\r\n")
    with wire({"/": twice}) as url:
        assert fetch_from(url, [url]) == [Page(url, b"<p>", "koi8-r")]


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"\x00\xff\x00",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/1.1 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\nhalf",
    ],
)
def test_what_is_no_answer_is_no_answer(answer):
    with wire({"/": answer}) as url:
        [missing] = fetch_from(url, [url])
    assert missing.reason is Reason.NO_ANSWER
    assert "\n" not in missing.detail


def test_a_body_without_a_length_ends_with_the_connection():
    with wire({"/": page(b"Content-Type: text/html\r\n", b"<p>all of it")}) as url:
        assert fetch_from(url, [url])[0].body == b"<p>all of it"


@pytest.mark.parametrize(
    ("content_type", "charset"),
    [
        (b"text/html", None),
        (b"text/html; charset=ISO-8859-1", "ISO-8859-1"),
        (b'TEXT/HTML;CHARSET="utf-8"', "utf-8"),
        (b"application/xhtml+xml; x=y; charset='koi8-r'", "koi8-r"),
        (b"text/html; charset=", None),
    ],
)
def test_the_charset_is_taken_from_the_content_type(content_type, charset):
    with wire({"/": page(b"Content-Type: " + content_type + b"\r\n")}) as url:
        assert fetch_from(url, [url])[0].encoding == charset


@pytest.fixture
def secure_server(tmp_path):
    """Serve over TLS with a certificate that nobody has signed."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]),
            critical=False,
        )
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    file = tmp_path / "server.pem"
    file.write_bytes(key.private_bytes(pem, *plain) + certificate.public_bytes(pem))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    (tmp_path / "site").mkdir()
    with serve(write_site(tmp_path / "site")) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        yield server.url.replace("http:", "https:")


def test_a_certificate_that_nobody_has_signed_is_not_trusted_unless_told(secure_server):
    [missing] = fetch_from(secure_server, [secure_server], obey_robots=False)
    assert missing == Missing(
        secure_server, Reason.NO_ANSWER, "no secure connection: is the certificate valid?"
    )
    [found] = fetch_from(secure_server, [secure_server], verify_certificates=False)
    assert found.body == b"<title>Home</title>"


def test_an_interrupt_loses_nothing_that_came(tmp_path):
    (tmp_path / "site").mkdir()
    archive = tmp_path / "pages.warc.gz"
    with serve(write_site(tmp_path / "site", 30), faults=Faults(slow=1.0, delay=0.05)) as server:
        program = f"""
            import asyncio, signal
            from pathlib import Path
            from sitewright.site.web import WebSite

            async def run():
                site = WebSite({server.url!r}, archive=Path({str(archive)!r}))
                try:
                    await site.fetch([f"{{site.home}}{{n}}.html" for n in range(30)])
                finally:
                    await site.aclose()

            signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored
            try:
                asyncio.run(run())
            except KeyboardInterrupt:
                print("interrupted")
        """
        command = [sys.executable, "-c", textwrap.dedent(program)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        with subprocess.Popen(command, **pipes) as process:
            while len(server.requests) < 12 and process.poll() is None:
                threading.Event().wait(0.005)
            os.kill(process.pid, signal.SIGINT)
            assert process.communicate(timeout=20) == ("interrupted\n", "")
    assert len(list(read_records(archive))) >= 8
