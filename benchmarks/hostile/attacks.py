"""What a stranger with a browser, and a person with an instance of their own, may try.

Each attack runs in a process of its own for at most `MAX_SECONDS`, and its requests are counted.
"""

import contextlib
import http.client
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from benchmarks.hostile.target import Target

MAX_SECONDS = 20
MEGABYTE = 1024 * 1024


@dataclass(frozen=True)
class Attack:
    """One attack; `provider` is the way in which the hostile instance's provider answers."""

    name: str
    run: Callable[[Target], None]
    provider: str = "good"
    #: True if it takes workers and slots, so that it matters how long others' work waits.
    starves: bool = False


# By a person who has an instance.


def long_model_name(target: Target) -> None:
    """Ask for a model whose name has 8,000 letters, then for one of 100,000."""
    for letters in (8_000, 100_000):
        _complete(target, model="e" * letters)


def one_call(target: Target) -> None:
    """Ask the provider once, four times side by side."""
    _side_by_side(4, lambda number: _complete(target))


def many_calls(target: Target) -> None:
    """Ask the provider 66 times side by side."""
    _side_by_side(66, lambda number: _complete(target))


def many_chats(target: Target) -> None:
    """Begin 16 chats."""
    _side_by_side(16, lambda number: _begin_chat(target, f"Hello {number}."))
    time.sleep(MAX_SECONDS / 2)


def many_readings(target: Target) -> None:
    """Have 8 conversations read for facts."""
    for number in range(8):
        converse(target.port, target.hostile_key, f"I like boats. ({number})")
    time.sleep(MAX_SECONDS / 2)


def many_models_lists(target: Target) -> None:
    """Ask 66 times for the models of the provider."""
    _side_by_side(66, lambda number: _api(target, "GET", "/v1/models"))


def long_names(target: Target) -> None:
    """Store memories that are one word of 4,000 letters."""
    for number in range(12):
        content = "The user likes " + chr(97 + number) * 3_900
        _api(target, "POST", "/api/memories", {"instance_id": "hostile", "content": content})


def deep_messages(target: Target) -> None:
    """Send lists in lists, 50,000 deep, and 900 deep."""
    for depth in (900, 50_000):
        body = '{"model":"m","messages":' + "[" * depth + "]" * depth + "}"
        _post(target.port, "/v1/chat/completions", body.encode(), _with_key(target))


def many_signs(target: Target) -> None:
    """Store 22 conversations side by side whose text takes long to be taken apart into words."""

    def say(number: int) -> None:
        key = target.hostile_key
        conversation = converse(target.port, key, f"I like signs. ({number})")
        turns = [{"role": "user", "content": f"{number} " + "1@a" * 33_000} for _ in range(25)]
        path = f"/api/conversations/{conversation}/messages"
        _post(target.port, path, json.dumps({"messages": turns}).encode(), _with_key(target))

    _side_by_side(22, say)


# By a stranger.


def large_bodies(target: Target) -> None:
    """Send 250 MB to three addresses, without being signed in."""
    paths = ("/accounts/login", "/api/memories", "/nope")
    _side_by_side(3, lambda number: _upload(target.port, paths[number], 250))


def slow_bodies(target: Target) -> None:
    """Open 150 requests, and send a byte of each now and then."""
    head = b"POST /accounts/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"
    with contextlib.ExitStack() as stack:
        opened = []
        for _ in range(150):
            opened.append(socket.create_connection(("127.0.0.1", target.port), timeout=5))
            stack.enter_context(opened[-1])
            opened[-1].sendall(head)
        until = time.monotonic() + MAX_SECONDS / 2
        while time.monotonic() < until:
            for each in opened:
                with contextlib.suppress(OSError):
                    each.sendall(b"a")
            time.sleep(1)


def guessed_passwords(target: Target) -> None:
    """Guess 40 passwords of one person, four at a time."""

    def guess(number: int) -> None:
        for turn in range(10):
            _sign_in(target.port, "admin", f"guess-{number}-{turn}")

    _side_by_side(4, guess)


def guessed_names(target: Target) -> None:
    """Guess one password each for 40 names, four at a time."""

    def guess(number: int) -> None:
        for turn in range(10):
            _sign_in(target.port, f"person-{number}-{turn}", "12345678")

    _side_by_side(4, guess)


ATTACKS = (
    Attack("nothing", lambda target: time.sleep(5)),
    Attack("a model name of 100,000 letters", long_model_name, "unknown-model"),
    Attack("an error of 100,000 letters", one_call, "long-error"),
    Attack("an answer of 300 MB", one_call, "endless"),
    Attack("an answer that unpacks to 300 MB", one_call, "bomb"),
    Attack("an answer that drips", one_call, "drip"),
    Attack("memories of one long word", long_names),
    Attack("lists in lists", deep_messages),
    Attack("50 MB of signs", many_signs),
    Attack("250 MB without signing in", large_bodies),
    Attack("150 slow bodies", slow_bodies),
    Attack("40 passwords of one person", guessed_passwords),
    Attack("a password of 40 people", guessed_names),
    Attack("66 lists of models that hang", many_models_lists, "hang"),
    Attack("8 readings that hang", many_readings, "hang", starves=True),
    Attack("16 chats that hang", many_chats, "hang", starves=True),
    Attack("66 calls that hang", many_calls, "hang", starves=True),
)


def perform(name: str, target: Target) -> None:
    """Run the attack of that *name*: what another process can be told to do."""
    next(attack for attack in ATTACKS if attack.name == name).run(target)


# Requests.


def converse(port: int, key: str, text: str) -> int:
    """Store a conversation of two messages, and return its id; 0 where that failed."""
    headers = {"Authorization": f"Bearer {key}"}
    turns = [{"role": "user", "content": text}, {"role": "assistant", "content": "Noted."}]
    begun = _post(port, "/api/conversations", json.dumps({"title": text}).encode(), headers)
    number = json.loads(begun or b"{}").get("id", 0)
    body = json.dumps({"messages": turns}).encode()
    _post(port, f"/api/conversations/{number}/messages", body, headers)
    return int(number)


def complete(port: int, key: str, *, model: str = "keepsake") -> bool:
    """Ask `/v1` for a reply; tell whether one came."""
    messages = [{"role": "user", "content": f"Hello. ({time.monotonic_ns()})"}]
    body = json.dumps({"model": model, "messages": messages}).encode()
    answer = _post(port, "/v1/chat/completions", body, {"Authorization": f"Bearer {key}"})
    return b'"choices"' in answer


def begin_chat(port: int, cookie: str, instance: str, text: str) -> int:
    """Say *text* in a new chat, and return its id; 0 where that failed."""
    token = next(
        (each.split("=", 1)[1] for each in cookie.split("; ") if each.startswith("csrftoken")), ""
    )
    headers = {
        "Cookie": cookie if token else f"{cookie}; csrftoken={_TOKEN}",
        "X-CSRFToken": token or _TOKEN,
        "Content-Type": "application/x-www-form-urlencoded",
    }
    body = urlencode({"message": text}).encode()
    with _request(port, "POST", f"/chat?instance={instance}", body, headers) as answer:
        led_to = answer.headers.get("Location", "") if answer else ""
    found = re.match(r"/chat/(\d+)", led_to)
    return int(found[1]) if found else 0


#: Any token of the right length: the cookie and the header have to agree.
_TOKEN = "a" * 32


def _complete(target: Target, *, model: str = "keepsake") -> None:
    complete(target.port, target.hostile_key, model=model)


def _begin_chat(target: Target, text: str) -> None:
    begin_chat(target.port, target.hostile_cookie, "hostile", text)


def _api(target: Target, method: str, path: str, body: Any = None) -> None:
    sent = json.dumps(body).encode() if body is not None else b""
    headers = _with_key(target) | {"Content-Type": "application/json"}
    with _request(target.port, method, path, sent, headers):
        pass


def _with_key(target: Target) -> dict[str, str]:
    return {"Authorization": f"Bearer {target.hostile_key}"}


def _post(port: int, path: str, body: bytes, headers: Mapping[str, str]) -> bytes:
    headers = {"Content-Type": "application/json", **headers}
    with _request(port, "POST", path, body, headers) as answer:
        return answer.read() if answer else b""


def _sign_in(port: int, username: str, password: str) -> None:
    headers = {
        "Cookie": f"csrftoken={_TOKEN}",
        "Content-Type": "application/x-www-form-urlencoded",
        "X-CSRFToken": _TOKEN,
    }
    # The names of the fields of Django's form, and of django-allauth's.
    body = urlencode({"username": username, "login": username, "password": password}).encode()
    with _request(port, "POST", "/accounts/login", body, headers):
        pass


def _upload(port: int, path: str, megabytes: int) -> None:
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; "
        f"boundary=b\r\nContent-Length: {megabytes * MEGABYTE}\r\n\r\n--b\r\n"
        'Content-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
    )
    with (
        contextlib.suppress(OSError),
        socket.create_connection(("127.0.0.1", port), timeout=MAX_SECONDS) as opened,
    ):
        opened.sendall(head.encode())
        for _ in range(megabytes):
            opened.sendall(b"a" * MEGABYTE)
        opened.recv(1000)


@contextlib.contextmanager
def _request(port: int, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Any:
    """Send a request and give the answer; None where none came in time."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=MAX_SECONDS)
    try:
        try:
            connection.request(method, path, body, dict(headers))
            answer = connection.getresponse()
        except (OSError, http.client.HTTPException):
            yield None
            return
        yield answer
    finally:
        connection.close()


def _side_by_side(number: int, act: Callable[[int], object]) -> None:
    threads = [threading.Thread(target=act, args=(each,), daemon=True) for each in range(number)]
    for thread in threads:
        thread.start()
    until = time.monotonic() + MAX_SECONDS
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))
