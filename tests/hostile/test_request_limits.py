"""Request bodies that are too large or too slow are rejected before they are stored."""

import asyncio
import contextlib
import http.client
import json
import resource
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest
from django.conf import settings
from django.test import Client

from conversations.models import Import
from instances.models import Instance, InstanceRole, User
from memoryapp.asgi import application
from tests.api.conftest import key_of
from tests.hostile.wire import CHUNK, Watch, Wire, chunked, megabytes
from tests.provider_fixtures import eventually

# The servers see only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)

CHAT, IMPORT = "POST /v1/chat/completions", "POST /conversations/import?instance=desk"
#: Maximum bytes on the disk for a request that is rejected in the end.
MAX_SPOOLED_BYTES = settings.MAX_BODY_BYTES

ERROR_FORMATS = {
    "/accounts/login": "page",
    "/nope": "page",
    "/admin/login/": "page",
    "/api/memories": "problem",
    "/mcp": "detail",
    "/v1/memories/": "detail",
    "/v1/models": "error",
    "/v1/nope": "error",
}


def cookie_of(user: User) -> str:
    client = Client()
    client.force_login(user)
    return f"sessionid={client.cookies['sessionid'].value}"


def upload_form(megabytes: int) -> tuple[bytes, list[bytes], bytes]:
    """Return the parts of a form with a file of that many megabytes of messages."""
    line = json.dumps({"content": "a" * 65_000}).encode() + b"\n"
    begin = (
        b'--edge\r\nContent-Disposition: form-data; name="file"; filename="talk.jsonl"\r\n'
        b"Content-Type: application/x-ndjson\r\n\r\n"
    )
    return begin, [line] * (megabytes * 16), b"\r\n--edge--\r\n"


@pytest.mark.parametrize("path", ERROR_FORMATS)
def test_large_body_is_rejected_at_every_address(path: str, served: str, watch: Watch) -> None:
    with Wire(served) as wire:
        wire.head(f"POST {path}", Content_Length=250 << 20, Authorization="Bearer ks_wrong")
        sent = wire.send(megabytes(250))
        answer = wire.answer()
    assert answer.status == 413
    assert sent < 20 << 20
    assert watch.most <= MAX_SPOOLED_BYTES
    assert answer.headers["connection"] == "close"
    match ERROR_FORMATS[path]:
        case "problem":
            assert answer.json()["code"] == "too_large"
            assert answer.json()["status"] == 413
            assert answer.headers["content-type"] == "application/problem+json"
        case "detail":
            assert answer.json()["code"] == "too_large"
            assert answer.json().keys() == {"detail", "code"}
            assert answer.headers["content-type"].startswith("application/json")
        case "error":
            assert answer.json()["error"]["code"] == "too_large"
            assert answer.json()["error"].keys() == {"message", "type", "param", "code"}
        case _:
            assert b"A request may have at most 3 MB here" in answer.body
            assert answer.headers["content-type"] == "text/html; charset=utf-8"
            assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"])
def test_large_body_is_rejected_for_every_method(method: str, served: str) -> None:
    with Wire(served) as wire:
        wire.head(f"{method} /api/memories", Content_Length=100 << 30)
        assert wire.answer().status == 413


def test_client_that_reads_late_receives_the_error(served: str) -> None:
    target = urlsplit(served)
    connection = http.client.HTTPConnection(str(target.hostname), target.port, timeout=30)
    connection.request("POST", "/nope", b"x" * (20 << 20))
    answer = connection.getresponse()
    assert (answer.status, b"too large" in answer.read()) == (413, True)
    connection.close()


def test_chunked_body_is_rejected_at_the_limit(served: str, watch: Watch) -> None:
    with Wire(served) as wire:
        wire.head("POST /accounts/login", Transfer_Encoding="chunked")
        sent = wire.send(chunked(megabytes(250)))
        answer = wire.answer()
    assert answer.status == 413
    assert 3 << 20 < sent < 30 << 20
    assert watch.most <= MAX_SPOOLED_BYTES
    assert watch.now() == 0


def test_expect_continue_is_rejected_for_a_large_body(served: str) -> None:
    for line, headers, status in (
        ("POST /nope", {}, 413),
        (CHAT, {}, 401),
        (CHAT, {"Authorization": "Bearer ks_wrong"}, 401),
        (IMPORT, {"Content-Type": "multipart/form-data; boundary=edge"}, 413),
    ):
        with Wire(served) as wire:
            wire.head(line, Content_Length=20 << 20, Expect="100-continue", **headers)
            assert wire.answer().status == status, line


def test_compressed_body_is_rejected(served: str) -> None:
    with Wire(served) as wire:
        wire.head("POST /api/memories", Content_Length=1000, Content_Encoding="gzip")
        answer = wire.answer()
    assert (answer.status, answer.json()["code"]) == (415, "unsupported_encoding")


def test_small_request_is_accepted(served: str) -> None:
    body = b"x" * ((3 << 20) - 1)
    with Wire(served) as wire:
        wire.head("POST /api/memories", Content_Length=len(body), Authorization="Bearer ks_wrong")
        wire.socket.sendall(body)
        assert wire.answer().status == 401
        # The connection stays usable.
        wire.head("GET /healthz")
        assert wire.answer().status == 200


def test_websockets_are_closed() -> None:
    messages: list[Any] = []

    async def send(message: Any) -> None:
        messages.append(message)

    async def receive() -> Any:
        raise AssertionError("nothing is read")

    asyncio.run(application({"type": "websocket", "path": "/memory"}, receive, send))
    assert messages == [{"type": "websocket.close", "code": 1000}]


# Slow clients


def test_trickling_body_times_out(short_timeouts: str) -> None:
    began = time.monotonic()
    with Wire(short_timeouts) as wire:
        wire.head("POST /accounts/login", Content_Length=100_000)
        wire.send((b"x" for _ in range(100)), pause=0.3)
        answer = wire.answer()
    assert answer.status == 408
    assert b"did not arrive in time" in answer.body
    assert 2.5 < time.monotonic() - began < 15


def test_stalled_body_times_out(short_timeouts: str) -> None:
    began = time.monotonic()
    with Wire(short_timeouts) as wire:
        wire.head("POST /api/memories", Content_Length=100_000)
        wire.socket.sendall(b"x" * 50_000)
        answer = wire.answer()
        assert (answer.status, answer.json()["code"]) == (408, "too_slow")
        assert 0.9 < time.monotonic() - began < 10
        # The connection is closed, too.
        assert wire.socket.recv(1) == b""


# Clients that may send more


@pytest.fixture
def desk(instance: Instance) -> Instance:
    return instance


def chat_body(megabytes: int) -> bytes:
    picture = "data:image/png;base64," + "A" * (megabytes << 20)
    parts = [{"type": "image_url", "image_url": {"url": picture}}]
    messages = [{"role": "user", "content": parts}]
    return json.dumps({"model": "keepsake", "messages": messages, "store": False}).encode()


def test_large_images_are_accepted_with_a_valid_key(
    desk: Instance, served: str, watch: Watch
) -> None:
    secret = key_of(desk, ("read", "write"))[1].secret
    body = chat_body(20)
    with Wire(served) as wire:
        wire.head(CHAT, Content_Length=len(body), Authorization=f"Bearer {secret}")
        wire.socket.sendall(body)
        answer = wire.answer()
    # The request was parsed; only a model to pass it on to is missing.
    assert (answer.status, answer.json()["error"]["code"]) == (400, "no_language_model")
    assert watch.most >= 20 << 20
    with Wire(served) as wire:
        wire.head(CHAT, Content_Length=51 << 20, Authorization=f"Bearer {secret}")
        answer = wire.answer()
    assert (answer.status, answer.json()["error"]["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    "framing", [{"Content_Length": 20 << 20}, {"Transfer_Encoding": "chunked"}]
)
@pytest.mark.parametrize(
    ("scopes", "status", "code"),
    [
        (None, 401, "invalid_api_key"),
        ((), 401, "invalid_api_key"),
        (("read",), 403, "scope_required"),
        (("write", "delete"), 403, "scope_required"),
    ],
)
def test_large_images_are_rejected_without_a_valid_key(
    scopes: tuple[str, ...] | None,
    status: int,
    code: str,
    framing: dict[str, object],
    desk: Instance,
    served: str,
    watch: Watch,
) -> None:
    headers = {}
    if scopes is not None:
        secret = key_of(desk, scopes)[1].secret if scopes else "ks_wrong"
        headers["Authorization"] = f"Bearer {secret}"
    with Wire(served) as wire:
        wire.head(CHAT, **framing, **headers)
        answer = wire.answer()
    assert (answer.status, answer.json()["error"]["code"]) == (status, code)
    assert watch.most == 0


@pytest.mark.parametrize(
    "framing", [{"Content_Length": 20 << 20}, {"Transfer_Encoding": "chunked"}]
)
@pytest.mark.parametrize(
    ("who", "query", "status", "code"),
    [
        ("wrong key", "", 401, "unauthenticated"),
        ("key that reads", "", 403, "scope_required"),
        ("stranger", "instance_id=desk", 413, "too_large"),
        ("member", "", 400, "instance_required"),
        ("member", "instance_id=elsewhere", 404, "not_found"),
        ("outsider", "instance_id=desk", 404, "not_found"),
        ("viewer", "instance_id=desk", 403, "role_required"),
    ],
)
def test_import_by_a_program_is_refused_in_its_format(
    who: str,
    query: str,
    status: int,
    code: str,
    framing: dict[str, object],
    desk: Instance,
    alice: User,
    bob: User,
    charlie: User,
    served: str,
    watch: Watch,
) -> None:
    desk.membership_set.filter(user=bob).update(role=InstanceRole.VIEWER)
    people = {"member": alice, "viewer": bob, "outsider": charlie}
    keys = {"wrong key": "ks_wrong", "key that reads": key_of(desk, ["read"])[1].secret}
    headers: dict[str, object] = {"Content_Type": "application/octet-stream", **framing}
    if who in people:
        headers["Cookie"] = cookie_of(people[who])
    if who in keys:
        headers["Authorization"] = f"Bearer {keys[who]}"
    with Wire(served) as wire:
        wire.head(f"POST /api/imports?{query}", **headers)
        answer = wire.answer()
    assert (answer.status, answer.json()["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"
    assert ("ratelimit" in answer.headers) == (who == "key that reads")
    assert watch.most == 0


def test_a_large_request_counts_once(desk: Instance, served: str) -> None:
    secret = key_of(desk)[1].secret
    left = []
    for size in (4 << 20, 10):
        body = b'{"x": "' + b"a" * size + b'"}'
        with Wire(served) as wire:
            wire.head(CHAT, Content_Length=len(body), Authorization=f"Bearer {secret}")
            wire.socket.sendall(body)
            left.append(int(wire.answer().headers["ratelimit"].split(";")[1].removeprefix("r=")))
    # In another minute, they count anew.
    assert left in ([599, 598], [599, 599])


def test_file_of_100_megabytes_can_be_imported(desk: Instance, alice: User, served: str) -> None:
    client = Client()
    client.force_login(alice)
    token = client.get("/conversations/import?instance=desk").cookies["csrftoken"].value
    begin, lines, end = upload_form(100)
    cookies = f"sessionid={client.cookies['sessionid'].value}; csrftoken={token}"
    with Wire(served, timeout=120) as wire:
        wire.head(
            IMPORT,
            Content_Length=len(begin) + sum(map(len, lines)) + len(end),
            Content_Type="multipart/form-data; boundary=edge",
            Cookie=cookies,
            X_CSRFToken=token,
        )
        wire.send([begin, *lines, end])
        answer = wire.answer()
    assert (answer.status, answer.headers.get("location")) == (
        302,
        f"/conversations/imports/{Import.objects.get().pk}",
    )
    assert Import.objects.get().bytes_total == sum(map(len, lines))
    Import.objects.get().cancel()


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"Cookie": "sessionid=stolen"}, 413),
        ({"Cookie": ""}, 413),
        ({"Content_Type": "application/octet-stream"}, 413),
        ({"line": "PUT /conversations/import?instance=desk"}, 413),
        ({"line": "POST /conversations/import?instance=elsewhere"}, 404),
        ({"line": "POST /conversations/import"}, 404),
        ({"line": "POST /conversations/import?instance=%00"}, 404),
        ({"Content_Length": 100 << 30}, 413),
    ],
)
def test_unauthorized_upload_is_not_read(
    changed: dict[str, str], status: int, desk: Instance, alice: User, served: str, watch: Watch
) -> None:
    headers = {
        "line": IMPORT,
        "Content_Length": 100 << 20,
        "Content_Type": "multipart/form-data; boundary=edge",
        "Cookie": cookie_of(alice),
    } | changed
    with Wire(served) as wire:
        wire.head(**headers)  # type: ignore[arg-type]  # The line among the headers.
        answer = wire.answer()
    assert answer.status == status
    assert watch.most == 0


def announce_upload(wire: Wire, user: User) -> None:
    """Send the headers of an import of 100 MB."""
    wire.head(
        IMPORT,
        Content_Length=100 << 20,
        Content_Type="multipart/form-data; boundary=edge",
        Cookie=cookie_of(user),
    )


def test_outsider_upload_is_rejected(
    desk: Instance, charlie: User, served: str, watch: Watch
) -> None:
    with Wire(served) as wire:
        announce_upload(wire, charlie)
        answer = wire.answer()
    assert (answer.status, b"There is nothing here" in answer.body) == (404, True)
    assert watch.most == 0


def uploads() -> set[Path]:
    """Return the uploaded files, which other tests may have left behind."""
    return {path for path in Path(settings.FILE_UPLOAD_TEMP_DIR).rglob("*") if path.is_file()}


def test_viewer_upload_is_rejected(desk: Instance, bob: User, served: str, watch: Watch) -> None:
    desk.membership_set.filter(user=bob).update(role=InstanceRole.VIEWER)
    with Wire(served) as wire:
        announce_upload(wire, bob)
        answer = wire.answer()
    assert (answer.status, b"Ask a manager" in answer.body) == (403, True)
    assert watch.most == 0


def test_interrupted_upload_leaves_no_files(
    desk: Instance, alice: User, served: str, watch: Watch
) -> None:
    before = uploads()
    with Wire(served) as wire:
        announce_upload(wire, alice)
        wire.send([upload_form(1)[0], *megabytes(20)])
        eventually(lambda: watch.now() > 10 << 20, "the upload does not arrive")
    eventually(lambda: watch.now() == 0, "files of the upload are left")
    assert uploads() <= before


# Many connections


def test_slow_clients_do_not_block_others(served: str) -> None:
    wires = [Wire(served) for _ in range(200)]
    for number, wire in enumerate(wires):
        if number % 2:
            wire.head("POST /accounts/login", Content_Length=100_000)
            wire.socket.sendall(CHUNK[:100])
        else:
            wire.socket.sendall(b"GET /accounts/login HTTP/1.1\r\nHost: loc")
    began = time.monotonic()
    with Wire(served) as other:
        other.head("GET /accounts/login")
        assert other.answer().status == 200
    assert time.monotonic() - began < 15
    for wire in wires:
        wire.socket.close()


@pytest.mark.parametrize("beginning", [b"", b"GET /accounts/login HTTP/1.1\r\nHost: loc"])
def test_connection_with_incomplete_headers_is_closed(
    beginning: bytes, short_timeouts: str
) -> None:
    with Wire(short_timeouts) as wire:
        wire.socket.sendall(beginning)
        assert wire.socket.recv(1) == b""
    with Wire(short_timeouts) as wire:
        wire.head("GET /healthz")
        assert wire.answer().status == 200
        # A kept-alive connection may idle, but a started request must be completed in time.
        wire.socket.sendall(b"GET /healthz")
        assert wire.socket.recv(1) == b""


def test_silent_connections_leave_file_descriptors_for_requests(served: str) -> None:
    with few_files(served, 200) as servers, silent_connections(served, 600):
        assert all(server.num_fds() < 150 for server in servers)


def test_new_connections_close_idle_ones_and_no_requests(served: str) -> None:
    with few_files(served, 200), Wire(served) as idle, Wire(served) as busy:
        idle.head("GET /healthz")
        assert idle.answer().status == 200
        busy.head("POST /accounts/login", Content_Length=len(CHUNK))
        with silent_connections(served, 400):
            assert idle.socket.recv(1) == b""
            busy.socket.sendall(CHUNK)
            # Django's answer: the form has no token.
            assert busy.answer().status == 403


def test_too_many_requests_at_once_are_answered_with_503(served: str) -> None:
    with few_files(served, 200), contextlib.ExitStack() as connections:

        def begun(**headers: str) -> Wire:
            wire = connections.enter_context(Wire(served))
            return wire.head("POST /accounts/login", Content_Length=1, **headers)

        first = begun(Expect="100-continue")
        # It is being answered before the others come: a slow server may see them all at once.
        assert first.answer().status == 100
        others = [begun() for _ in range(250)]
        statuses = []
        for wire in (first, *others):
            wire.send([b"x"], pause=0.01)
            statuses.append(wire.answer().status)
    # 403 is Django's answer: the form has no token.
    assert statuses[0] == 403
    assert {503} <= {*statuses} <= {403, 503}


def test_server_raises_its_limit_of_open_files(served: str) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert [it.rlimit(psutil.RLIMIT_NOFILE)[0] for it in servers_of(served)] == [most, most]


@contextlib.contextmanager
def silent_connections(address: str, number: int) -> Iterator[None]:
    """Open connections that send nothing, while others are answered."""
    with contextlib.ExitStack() as connections:
        for count in range(number):
            connections.enter_context(Wire(address))
            if count % 20 == 0:
                with Wire(address) as other:
                    other.head("GET /accounts/login")
                    assert other.answer().status == 200
        yield


@contextlib.contextmanager
def few_files(address: str, number: int) -> Iterator[list[psutil.Process]]:
    """Limit the processes that serve *address* to that many open files; yield them."""
    before = {it: it.rlimit(psutil.RLIMIT_NOFILE) for it in servers_of(address)}
    for process, (_, most) in before.items():
        process.rlimit(psutil.RLIMIT_NOFILE, (number, most))
    try:
        yield list(before)
    finally:
        for process, limits in before.items():
            process.rlimit(psutil.RLIMIT_NOFILE, limits)


def servers_of(address: str) -> list[psutil.Process]:
    """Return the processes that serve *address*."""
    port = str(urlsplit(address).port)
    (parent,) = (it for it in psutil.Process().children() if port in it.cmdline())
    return [it for it in parent.children() if "spawn_main" in " ".join(it.cmdline())]
