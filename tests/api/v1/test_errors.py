"""Errors in the format of the OpenAI API."""

import json
from typing import Any

import openai
import pytest
from django.test import Client
from openai import OpenAI
from pytest_django import Settings

from conversations.models import Conversation
from instances.models import Instance, Provider, Secret, SecretName
from memoryapp.api import throttling
from memoryapp.api.v1 import worker_threads
from memoryapp.models import Answer, Usage
from memoryapp.process.fair_slots import FairSlots
from tests.api.conftest import key_of
from tests.api.v1.test_clients import HELLO, transcript
from tests.scripted_provider import ScriptedProvider

pytestmark = pytest.mark.django_db(transaction=True)
QUESTION = [("user", "What should I not cook?")]


def ask(client: OpenAI, streams: bool = False, **more: Any) -> Any:
    answer = client.chat.completions.create(
        model="keepsake", messages=HELLO, stream=streams, **more
    )
    return list(answer) if streams else answer


def code_and_type(error: openai.APIStatusError) -> tuple[Any, Any]:
    assert isinstance(error.body, dict)
    assert error.body.keys() == {"message", "type", "param", "code"}
    return error.body["code"], error.body["type"]


def test_invalid_key_is_401(address: str) -> None:
    with OpenAI(base_url=address, api_key="ks_nothing", max_retries=0) as client:
        with pytest.raises(openai.AuthenticationError, match="is invalid") as raised:
            ask(client)
        assert code_and_type(raised.value) == ("invalid_api_key", "authentication_error")
        with pytest.raises(openai.AuthenticationError):
            client.models.list()


@pytest.mark.parametrize(
    ("scopes", "missing"),
    [(["read"], "write"), (["write"], "read"), (["delete"], "read and write")],
)
def test_missing_scope_is_403(
    scopes: list[str], missing: str, address: str, assisted: Instance
) -> None:
    secret = key_of(assisted, scopes)[1].secret
    refused = pytest.raises(openai.PermissionDeniedError, match=f"permission to {missing}")
    with OpenAI(base_url=address, api_key=secret, max_retries=0) as client, refused as raised:
        ask(client)
    assert code_and_type(raised.value) == ("scope_required", "permission_error")
    assert not Conversation.objects.exists()


def test_missing_language_model_is_explained(client: OpenAI, assisted: Instance) -> None:
    assisted.provider = Provider.NONE
    assisted.save()
    with pytest.raises(openai.BadRequestError, match="Choose one in Settings") as raised:
        ask(client)
    assert code_and_type(raised.value) == ("no_language_model", "invalid_request_error")
    assert [each.id for each in client.models.list()] == ["keepsake"]


@pytest.mark.parametrize(
    ("body", "param"),
    [
        (b"{", None),
        (b"[" * 100_000, None),
        (b"[]", None),
        (b"{}", "messages"),
        (b'{"messages": []}', "messages"),
        (b'{"messages": "Hello"}', "messages"),
        (b'{"messages": [{}], "model": 7}', "model"),
        (b'{"messages": [{}], "model": "%s"}' % (b"m" * 201), "model"),
        (b'{"messages": [%s]}' % (b"[" * 900 + b"]" * 900), None),
        (b'{"messages": [%s]}' % b",".join([b"[]"] * 600_000), None),
    ],
)
def test_invalid_request_is_400(
    body: bytes, param: str | None, client: OpenAI, secret: str
) -> None:
    answer = Client().generic(
        "POST",
        "/v1/chat/completions",
        body,
        content_type="application/json",
        headers={"Authorization": f"Bearer {secret}"},
    )
    assert answer.status_code == 400
    assert json.loads(answer.content)["error"]["param"] == param


def test_invalid_boolean_is_400(client: OpenAI) -> None:
    with pytest.raises(openai.BadRequestError, match="must be “on” or “off”"):
        ask(client, extra_headers={"X-Keepsake-Recall": "perhaps"})


def test_conversation_of_another_instance_is_404(client: OpenAI) -> None:
    ask(client, user="ana", extra_headers={"X-Conversation-Id": "c1"})
    with pytest.raises(openai.ConflictError) as raised:
        ask(client, user="bo", extra_headers={"X-Conversation-Id": "c1"})
    assert code_and_type(raised.value)[0] == "conversation_of_another_user"


def test_unknown_urls_and_methods(client: OpenAI) -> None:
    with pytest.raises(openai.NotFoundError) as raised:
        client.moderations.create(input="x")
    assert code_and_type(raised.value)[0] == "not_found"
    with pytest.raises(openai.NotFoundError) as raised:
        client.models.retrieve("no-such-model")
    assert code_and_type(raised.value)[0] == "model_not_found"
    with pytest.raises(openai.APIStatusError) as refused:
        client.get("/chat/completions", cast_to=object)
    assert refused.value.status_code == 405
    assert refused.value.response.headers["Allow"] == "POST"


def test_rate_limit_is_429(
    client: OpenAI, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttling, "WINDOW_SECONDS", 10**7)
    settings.API_RATE_LIMIT = 1
    ask(client)
    with pytest.raises(openai.RateLimitError, match="1 requests a minute") as raised:
        ask(client)
    assert code_and_type(raised.value) == ("rate_limited", "rate_limit_error")
    assert int(raised.value.response.headers["Retry-After"]) > 0


def test_too_many_concurrent_requests(client: OpenAI, monkeypatch: pytest.MonkeyPatch) -> None:
    full = FairSlots(1, what="requests")
    full.take("instance of somebody else")
    monkeypatch.setattr(worker_threads.threads, "slots", full)
    with pytest.raises(openai.RateLimitError) as raised:
        ask(client)
    assert code_and_type(raised.value)[0] == "server_busy"
    assert not Conversation.objects.exists()


# Provider errors


@pytest.mark.parametrize("streams", [False, True])
@pytest.mark.parametrize(
    ("fault", "status", "words"),
    [
        ("429", 429, "Rate limit reached."),
        ("500", 500, "The server had an error."),
        ("401", 401, "Check the key in Settings."),
        ("drop", 502, "did not answer"),
        ("html", 502, "a web page instead of JSON"),
        ("error_in_200", 503, "Upstream is overloaded."),
    ],
)
def test_provider_errors_are_passed_on_and_messages_kept(
    fault: str, status: int, words: str, streams: bool, client: OpenAI, provider: ScriptedProvider
) -> None:
    provider.fail_next(fault, retry_after=7)
    with pytest.raises(openai.APIStatusError) as raised:
        ask(client, streams)
    assert raised.value.status_code == status
    assert words in raised.value.message
    code_and_type(raised.value)
    if status == 429:
        assert code_and_type(raised.value) == ("rate_limit_exceeded", "scripted")
        assert raised.value.response.headers["Retry-After"] == "7"
    assert transcript() == QUESTION
    answer = Answer.objects.get()
    assert answer.state == Answer.State.FAILED and answer.error
    assert Usage.objects.get(source=Usage.Source.CHAT).error
    # After a retry, the message is answered and stored once.
    ask(client, streams)
    assert transcript() == [*QUESTION, ("assistant", "You said: What should I not cook?")]


def test_unknown_model_of_the_provider(client: OpenAI, assisted: Instance) -> None:
    assisted.base_url += "/nowhere"
    assisted.save()
    with pytest.raises(openai.NotFoundError, match="There is no /v1/nowhere/chat/completions"):
        ask(client)


def test_provider_key_is_in_no_error(
    client: OpenAI, provider: ScriptedProvider, assisted: Instance
) -> None:
    secret = Secret(instance=assisted, name=SecretName.CHAT_API_KEY)
    secret.seal("sk-test-0123456789abcdef", assisted.base_url)
    secret.save()
    provider.fail_next("401")
    with pytest.raises(openai.AuthenticationError) as raised:
        ask(client)
    assert "cdef" not in str(raised.value.body)
    assert "sk-test" not in str(raised.value.body)
