"""Oversized answers are passed on and stored truncated."""

import json
import socket
from typing import Any

import pytest
from openai import OpenAI

from conversations.messages import TRUNCATION_NOTICE
from conversations.models import Message, Role
from instances.models import Instance
from memoryapp.assistant.answer import MAX_REPLY_CHARACTERS
from memoryapp.models import Answer, Usage
from tests.api.v1.test_clients import HELLO
from tests.outgoing.wire import Wire, request, whole, wire

pytestmark = pytest.mark.django_db(transaction=True)

LONG = "word " * 100_000
ABSURD: dict[str, Any] = {
    "id": "x",
    "object": "chat.completion",
    "created": 1,
    "model": "mod\x00el" + "l" * 100,
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": f"\x00{LONG}"},
            "finish_reason": "stop",
        }
    ],
    "usage": {"prompt_tokens": 99999999999999999999, "completion_tokens": 1, "total_tokens": 1},
}


def absurd(connection: socket.socket, seen: Wire) -> None:
    while request(connection):
        connection.sendall(whole(json.dumps(ABSURD).encode(), "Content-Type: application/json"))


@pytest.mark.parametrize("streams", [False, True])
def test_oversized_answer_is_stored_truncated(
    streams: bool, client: OpenAI, assisted: Instance
) -> None:
    with wire(absurd) as server:
        Instance.objects.update(base_url=f"{server.url}/v1")
        for messages in (HELLO, [*HELLO, {"role": "assistant", "content": f"\x00{LONG}"}, *HELLO]):
            answer = client.chat.completions.create(
                model="keepsake", messages=messages, stream=streams
            )
            if streams:
                list(answer)
    replies = Message.objects.filter(role=Role.ASSISTANT)
    # The truncated message is recognized when the client resends it completely.
    assert replies.count() == 2
    assert {message.conversation_id for message in replies} == {replies[0].conversation_id}
    for message in replies:
        assert len(message.content) == MAX_REPLY_CHARACTERS
        assert message.content.endswith(TRUNCATION_NOTICE)
    for each in Answer.objects.all():
        assert (each.state, each.model) == ("done", "model" + "l" * 100)
    assert Usage.objects.filter(model__startswith="model", error="").count() == 2


@pytest.mark.parametrize("streams", [False, True])
def test_answer_in_the_form_of_another_api_is_passed_on(
    streams: bool, client: OpenAI, assisted: Instance
) -> None:
    said = ["Hello", " there."]
    lines = [{"message": {"role": "assistant", "content": each}, "done": False} for each in said]
    last = {"message": {"content": ""}, "done": True, "done_reason": "stop"}
    body = "\n".join(map(json.dumps, (*lines, last))).encode()

    def answers(connection: socket.socket, seen: Wire) -> None:
        while request(connection):
            connection.sendall(whole(body, "Content-Type: application/x-ndjson"))

    with wire(answers) as server:
        Instance.objects.update(base_url=f"{server.url}/v1")
        chat = client.chat.completions
        if streams:
            chunks = list(chat.create(model="keepsake", messages=HELLO, stream=True))
            pieces = [each.choices[0].delta.content or "" for each in chunks if each.choices]
        else:
            answer = chat.create(model="keepsake", messages=HELLO)
            pieces = [answer.choices[0].message.content or ""]
    assert "".join(pieces) == "".join(said)
    assert Message.objects.get(role=Role.ASSISTANT).content == "".join(said)
