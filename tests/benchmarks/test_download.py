"""The download of LongMemEval, from a local server."""

import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from benchmarks import download
from tests.benchmarks import samples

CONTENT = json.dumps(samples.LONGMEMEVAL).encode()
Answer = Callable[[BaseHTTPRequestHandler], None]


def send(request: BaseHTTPRequestHandler, body: bytes, *, status: int = 200) -> None:
    request.send_response(status)
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


def redirect(request: BaseHTTPRequestHandler, location: str) -> None:
    request.send_response(302)
    request.send_header("Location", location)
    request.send_header("Content-Length", "0")
    request.end_headers()


class Server(ThreadingHTTPServer):
    """Answers each path as ``answers`` says, and keeps the paths."""

    answers: dict[str, Answer]
    asked: list[str]

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/data"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        answer = self.server.answers.get(self.path)
        answer(self) if answer else send(self, b"{}", status=404)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server(("127.0.0.1", 0), Handler)
    server.answers, server.asked = {}, []
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def run(server: Server, folder: Path, *more: str) -> int:
    return download.main(["longmemeval", str(folder), "--from", server.base, *more])


def test_file_is_downloaded_with_its_checksum(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.answers["/data/longmemeval_s_cleaned.json"] = lambda request: send(request, CONTENT)
    assert run(server, tmp_path / "new") == 0
    (file,) = (tmp_path / "new").iterdir()
    assert file.name == "longmemeval_s_cleaned.json"
    assert file.read_bytes() == CONTENT
    assert hashlib.sha256(CONTENT).hexdigest() in capsys.readouterr().out
    # Not twice, unless it is asked for.
    assert run(server, tmp_path / "new") == 0
    assert len(server.asked) == 1
    assert hashlib.sha256(CONTENT).hexdigest() in capsys.readouterr().out
    assert run(server, tmp_path / "new", "--again") == 0
    assert len(server.asked) == 2


def test_redirects_are_followed_with_their_keys(server: Server, tmp_path: Path) -> None:
    server.answers = {
        "/data/longmemeval_oracle.json": lambda request: redirect(request, "/cache/x?key=secret"),
        "/cache/x?key=secret": lambda request: send(request, CONTENT),
    }
    assert run(server, tmp_path, "--file", "oracle") == 0
    assert (tmp_path / "longmemeval_oracle.json").read_bytes() == CONTENT


def cut_off(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.send_header("Content-Length", str(2 * len(CONTENT)))
    request.end_headers()
    request.wfile.write(CONTENT)


@pytest.mark.parametrize(
    ("answer", "more", "words"),
    [
        (lambda request: send(request, b"no", status=404), [], "does not have the file (404)"),
        (lambda request: send(request, b"no", status=500), [], "failed (500)"),
        (lambda request: send(request, b"<html>"), [], "is not JSON"),
        (lambda request: send(request, b""), [], "nothing at all"),
        (cut_off, [], "broke off"),
        (
            lambda request: send(request, b"[" + b"1," * 2_000_000),
            ["--max-megabytes", "1"],
            "more than 1 MB",
        ),
        (lambda request: redirect(request, request.path), [], "redirects too often"),
        (lambda request: redirect(request, "ftp://127.0.0.1/x"), [], "not encrypted"),
        # Only the server that the operator names may be in this network.
        (lambda request: redirect(request, "http://127.0.0.1:9/x"), [], "is not called"),
    ],
)
def test_failure_is_explained_and_leaves_the_folder_as_it_was(
    server: Server,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    answer: Answer,
    more: list[str],
    words: str,
) -> None:
    server.answers["/data/longmemeval_s_cleaned.json"] = answer
    target = tmp_path / "longmemeval_s_cleaned.json"
    target.write_text("[]")
    assert run(server, tmp_path, "--again", *more) == 1
    assert words in capsys.readouterr().err
    assert target.read_text() == "[]"
    assert list(tmp_path.iterdir()) == [target]


def test_missing_network_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["longmemeval", str(tmp_path), "--from", "http://nowhere.invalid/"]
    assert download.main(options) == 1
    assert "Is there a network?" in capsys.readouterr().err
    assert download.main([*options[:3], "http://[::1/"]) == 1
    assert "is not an address" in capsys.readouterr().err


def test_folder_that_cannot_be_written_is_explained(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert run(server, tmp_path / "file") == 1
    assert "cannot be written" in capsys.readouterr().err
