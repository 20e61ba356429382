"""Log lines, and secrets that must not be logged."""

import io
import json
import logging
import logging.config
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.test import Client

from conversations.models import Conversation
from instances.models import Instance, SecretName, User
from memoryapp.models import Memory, Run
from memoryapp.tasks import extract
from memoryapp.telemetry import logs
from memoryapp.telemetry.middleware import ACCEPTED
from tests.deployment.files import PROJECT
from tests.provider_fixtures import keep_everything, provider, read_with
from tests.scripted_provider import ScriptedProvider

__all__ = ["provider"]

SECRET = "the heliotrope is in the third drawer"


class Lines:
    """Log lines written since the start of the test."""

    def __init__(self, stream: io.StringIO) -> None:
        self.stream = stream

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    def named(self, event: str) -> list[dict[str, Any]]:
        """Return the JSON lines with that event."""
        return [line for line in map(json.loads, self.text.splitlines()) if line["event"] == event]


@pytest.fixture
def logged() -> Iterator[Callable[..., Lines]]:
    """Configure logging as in the settings, but into a buffer; restore it after the test."""
    names = ["", *logs.config("json", "INFO")["loggers"]]
    before = [
        (it, it.level, list(it.handlers), it.propagate) for it in map(logging.getLogger, names)
    ]

    def begin(form: str = "json", level: str = "DEBUG") -> Lines:
        stream = io.StringIO()
        config = logs.config(form, level)
        config["handlers"]["console"]["stream"] = stream
        logging.config.dictConfig(config)
        return Lines(stream)

    yield begin
    for logger, level, handlers, propagate in before:
        logger.setLevel(level)
        logger.handlers, logger.propagate = handlers, propagate


def test_request_is_logged_once_without_its_query(
    as_alice: Client, alice: User, instance: Instance, logged: Callable[..., Lines]
) -> None:
    lines = logged()
    answer = as_alice.get("/memory", {"instance": "desk", "q": SECRET})
    (line,) = lines.named("request")
    assert (line["method"], line["path"], line["status"]) == ("GET", "/memory", 200)
    assert (line["user"], line["instance"]) == (alice.pk, instance.pk)
    assert line["ms"] > 0
    assert line["request_id"] == answer["X-Request-ID"]
    assert line["time"].endswith("Z") and line["level"] == "info"
    assert "heliotrope" not in lines.text


@pytest.mark.parametrize(
    ("form", "level", "expected"),
    [
        ("json", "INFO", ["info", "warning"]),
        ("json", "WARNING", ["warning"]),
        ("console", "INFO", ["[info] It begins.", "[warning] It is late."]),
    ],
)
def test_web_server_writes_its_first_lines_like_all_others(
    form: str, level: str, expected: list[str]
) -> None:
    """Its main process has nothing but this file, which Compose names on its command line."""
    ((file,),) = [
        re.findall(r'"--log-config", "(.+?)"', (PROJECT / "docker-compose.yml").read_text())
    ]
    result = subprocess.run(
        [sys.executable, "-c", BEGIN, file],
        cwd=PROJECT,
        env=os.environ | {"LOG_FORMAT": form, "LOG_LEVEL": level},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = result.stderr.splitlines()
    assert [json.loads(it)["level"] if form == "json" else it for it in lines] == expected


BEGIN = """
import logging, sys, uvicorn
uvicorn.Config("memoryapp.asgi:application", log_config=sys.argv[1])
logging.getLogger("uvicorn.error").info("It begins.", extra={"color_message": "…"})
logging.getLogger("uvicorn.error").warning("It is late.")
assert "django" not in sys.modules, "it would take 100 MB"
"""


@pytest.mark.parametrize(
    ("request_id", "reused"),
    [
        ("0f8c2d1e-77aa-4b5e-9c7d-3f1d2a6b8e90", True),
        ("short", False),
        ("x" * 65, False),
        ("id-with\nnew-line", False),
        ("ſpecial-ıetters", False),
    ],
)
def test_valid_request_id_of_a_proxy_is_reused(
    request_id: str, reused: bool, client: Client
) -> None:
    answer = client.get("/healthz", headers={"X-Request-ID": request_id})
    assert (answer["X-Request-ID"] == request_id) is reused
    assert ACCEPTED.fullmatch(answer["X-Request-ID"])


def test_run_logs_the_id_of_its_request(
    as_alice: Client,
    instance: Instance,
    provider: ScriptedProvider,
    logged: Callable[..., Lines],
    transactional_db: None,
) -> None:
    instance.secrets.create(name=SecretName.CHAT_API_KEY, token="", ending="")
    secret = instance.secrets.get()
    secret.seal("sk-not-for-any-log-1234567890", "https://api.openai.com/v1")
    secret.save()
    read_with(provider, instance)
    provider.reply_with(keep_everything)
    conversation = Conversation.objects.create(instance=instance)
    lines = logged()
    answer = as_alice.post(
        f"/api/conversations/{conversation.pk}/messages",
        {
            "messages": [
                {"role": "user", "content": SECRET},
                {"role": "assistant", "content": "Oh."},
            ]
        },
        content_type="application/json",
    )
    run = Run.objects.get()
    assert run.request_id == answer["X-Request-ID"]
    extract(run_id=run.pk)
    (line,) = lines.named("run")
    assert (line["run"], line["instance"]) == (run.pk, instance.pk)
    assert (line["state"], line["stored"]) == ("succeeded", 1)
    assert line["request_id"] == answer["X-Request-ID"]
    assert Memory.objects.get().content == SECRET
    for never in ("heliotrope", "sk-not-for-any-log"):
        assert never not in lines.text


@pytest.mark.parametrize("form", logs.FORMATS)
def test_values_of_a_rejected_row_are_not_logged(
    form: str, db: None, instance: Instance, logged: Callable[..., Lines]
) -> None:
    lines = logged(form)
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO conversations_conversation (title) VALUES (%s)", [SECRET + "\n\nmore"]
            )
    except IntegrityError:
        logging.getLogger("memoryapp").exception("failed")
    assert "IntegrityError" in lines.text and "null value in column" in lines.text
    assert "direct cause" in lines.text
    for never in ("heliotrope", "more", "DETAIL"):
        assert never not in lines.text


def test_plain_log_shows_only_failures(
    as_alice: Client, instance: Instance, logged: Callable[..., Lines]
) -> None:
    lines = logged("console", "INFO")
    as_alice.get("/memory?instance=desk")
    as_alice.get("/nowhere")
    assert lines.text == ""
    logging.getLogger("memoryapp").info("import is in", extra={"messages": 12})
    assert lines.text == "[info] import is in messages=12\n"


def test_json_log_has_one_line_per_error(
    as_alice: Client,
    instance: Instance,
    monkeypatch: pytest.MonkeyPatch,
    logged: Callable[..., Lines],
) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr(Memory.objects, "in_instance", broken)
    as_alice.raise_request_exception = False
    lines = logged()
    answer = as_alice.get("/memory?instance=desk")
    (line,) = lines.named("request")
    assert (line["status"], line["level"]) == (500, "error")
    (trace,) = lines.named("Internal Server Error: /memory")
    assert trace["exception"].endswith("RuntimeError: out of order")
    assert trace["request_id"] == answer["X-Request-ID"]
