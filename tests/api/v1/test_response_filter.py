"""Responses of servers are reduced to the fields of the API, without keys that they repeat."""

from typing import Any

import openai
import pytest
from openai import OpenAI

from instances.models import Instance, Secret, SecretName
from memoryapp.models import Answer, Usage
from tests.api.v1.test_clients import HELLO, transcript
from tests.scripted_provider import Says, ScriptedProvider

pytestmark = pytest.mark.django_db(transaction=True)

KEY = "sk-test-4f2aQ9zLk31VbXw7Yp0C"


def ask(client: OpenAI, streams: bool = False) -> Any:
    answer = client.chat.completions.create(model="m", messages=HELLO, stream=streams)
    return list(answer) if streams else answer


@pytest.fixture
def key(assisted: Instance) -> str:
    secret = Secret(instance=assisted, name=SecretName.CHAT_API_KEY)
    secret.seal(KEY, assisted.base_url)
    secret.save()
    return KEY


@pytest.mark.parametrize("streams", [False, True])
@pytest.mark.parametrize(
    "body",
    [
        {"any": "INTERNAL", "secret": "topsecret123"},
        {"choices": [{"secret": "topsecret123"}]},
        {"error": "topsecret123"},
        {"error": {"detail": "topsecret123"}},
        ["topsecret123"],
    ],
)
def test_unexpected_json_is_an_invalid_response(
    body: object, streams: bool, client: OpenAI, provider: ScriptedProvider
) -> None:
    provider.answer_with("chat/completions", body)
    with pytest.raises(openai.APIStatusError) as raised:
        ask(client, streams)
    assert raised.value.status_code in (500, 502)
    assert "topsecret" not in raised.value.response.text
    assert "topsecret" not in str(transcript()) + Answer.objects.get().error


@pytest.mark.parametrize("status", [400, 404, 422, 500, 503])
@pytest.mark.parametrize(
    "body",
    [
        "topsecret123",
        {"message": "topsecret123"},
        {"error": "topsecret123", "code": "topsecret123"},
        {"detail": [{"msg": "topsecret123"}]},
    ],
)
def test_error_bodies_are_not_passed_on(
    body: object, status: int, client: OpenAI, provider: ScriptedProvider
) -> None:
    provider.answer_with("chat/completions", body, status=status)
    with pytest.raises(openai.APIStatusError) as raised:
        ask(client)
    assert raised.value.status_code == status
    assert "topsecret" not in raised.value.response.text
    assert "topsecret" not in Usage.objects.get().error


def test_message_of_an_error_object_is_passed_on(
    client: OpenAI, provider: ScriptedProvider
) -> None:
    error = {"message": "Too long.", "param": "messages", "extra": "topsecret123"}
    provider.answer_with("chat/completions", {"error": error}, status=400)
    with pytest.raises(openai.BadRequestError, match="Too long") as raised:
        ask(client)
    assert raised.value.param == "messages"
    assert "topsecret" not in raised.value.response.text


def test_models_are_passed_on_without_unrelated_fields(
    client: OpenAI, provider: ScriptedProvider
) -> None:
    described = {"id": "m", "object": "model", "context_length": 8_000}
    provider.answer_with(
        "models", {"data": [{**described, "token": "topsecret123"}, {"token": "topsecret123"}]}
    )
    assert [each.to_dict() for each in client.models.list()][1:] == [described]


def test_extra_fields_of_known_servers_are_passed_on(
    client: OpenAI, provider: ScriptedProvider
) -> None:
    message = {"role": "assistant", "content": "Hi.", "reasoning_content": "Let me see."}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "stop_reason": None}
    sent = {"id": "1", "choices": [choice], "provider": "Somebody", "citations": ["https://a"]}
    provider.answer_with("chat/completions", {**sent, "metadata": {"secret": "topsecret123"}})
    assert ask(client).to_dict() == sent


@pytest.mark.parametrize("streams", [False, True])
def test_key_in_a_reply_is_neither_passed_on_nor_stored(
    streams: bool, client: OpenAI, provider: ScriptedProvider, key: str
) -> None:
    halves = f"{key[:11]} {key[:9]}"  # too short to be redacted
    provider.reply_with(Says(f"It is {key}, not {halves}.", calls=[("note", {"text": key})]))
    answer = ask(client, streams)
    parts = [chunk.to_dict() for chunk in (answer if streams else [answer])]
    assert provider.requests[-1].headers["authorization"] == f"Bearer {key}"
    assert key not in str(parts)
    contents = [
        choice.get("delta", choice.get("message")).get("content") or ""
        for part in parts
        for choice in part["choices"]
    ]
    assert "".join(contents) == f"It is [key], not {halves}."
    stored = Answer.objects.get().reply
    assert stored is not None and stored.content == "".join(contents)
    assert key not in str(stored.tool_calls) and "[key]" in str(stored.tool_calls)


def test_key_in_the_model_name_is_not_recorded(
    client: OpenAI, provider: ScriptedProvider, key: str
) -> None:
    message = {"role": "assistant", "content": "Hi."}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    provider.answer_with("chat/completions", {"model": f"m-{key}", "choices": [choice]})
    assert ask(client).model == "m-[key]"
    assert Usage.objects.get().model == Answer.objects.get().model == "m-[key]"
