"""Measurement of what a model can do."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from memoryapp.providers.abilities import Schema, Tools
from memoryapp.providers.chat import complete_json
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ErrorKind, ProviderError
from memoryapp.providers.measuring import measure
from tests.scripted_provider import Request, Says, ScriptedProvider

CALL = ("look_up_weather", {"city": "Lyon"})
OBEYED = '{"lighthouse_colours": ["red", "white"], "tower_steps": 200, "told_in_ten_words": "x"}'


def model(*, forms: tuple[str, ...] = (), tools: str = "") -> Callable[[Request], Any]:
    """A model that obeys these response formats, and calls tools in this way."""

    def answer(request: Request) -> Says | str:
        form = request.get("response_format", {}).get("type", "")
        if request.get("tools"):
            written = json.dumps({"name": CALL[0], "arguments": CALL[1]})
            says: dict[str, Says | str] = {"native": Says(calls=[CALL]), "text": written}
            return says.get(tools, "It is sunny.")
        if form in forms:
            return OBEYED if form == "json_schema" else '{"town": "a harbour"}'
        return "It is painted in red and white, as everybody in the town knows."

    return answer


@pytest.mark.parametrize(
    ("forms", "schema"),
    [
        (("json_schema",), Schema.JSON_SCHEMA),
        (("json_object",), Schema.JSON_OBJECT),
        ((), Schema.NONE),
    ],
)
def test_way_to_json(
    forms: tuple[str, ...], schema: Schema, server: ScriptedProvider, chat_endpoint: Endpoint
) -> None:
    server.reply_with(model(forms=forms))
    assert measure(chat_endpoint).schema is schema


@pytest.mark.parametrize("tools", list(Tools))
def test_way_of_calling_tools(
    tools: Tools, server: ScriptedProvider, chat_endpoint: Endpoint
) -> None:
    server.reply_with(model(forms=("json_schema",), tools=tools))
    measured = measure(chat_endpoint)
    assert measured.tools is tools
    assert (measured.address, measured.model) == (chat_endpoint.base_url, chat_endpoint.model)
    assert measured.is_local


def test_server_that_refuses_is_measured_without(
    server: ScriptedProvider, chat_endpoint: Endpoint
) -> None:
    server.reply_with(model(forms=("json_schema",), tools="native"))
    server.fail_next("reject_response_format", times=None)
    assert measure(chat_endpoint).schema is Schema.NONE
    server.reset()
    server.reply_with(model(forms=("json_schema",), tools="native"))
    server.fail_next("reject_tools", times=None)
    assert measure(chat_endpoint).tools is Tools.NONE


def test_speed_is_measured(server: ScriptedProvider, chat_endpoint: Endpoint) -> None:
    server.reply_with(model(forms=("json_schema",)))
    measured = measure(chat_endpoint)
    assert measured.read
    assert measured.read > 0
    assert measured.written
    # Each time another beginning, which the server has not in its cache.
    measure(chat_endpoint)
    bodies = [request.body for request in server.requests]
    asked = [body["messages"][0]["content"] for body in bodies if "messages" in body]
    long = [text for text in asked if len(text) > 500]
    assert len(long) == len({text[:8] for text in long}) == 2


@pytest.mark.parametrize(
    ("path", "body", "context"),
    [
        ("/props", {"default_generation_settings": {"n_ctx": 4096}}, 4096),
        ("/api/show", {"parameters": "stop x\nnum_ctx      2048\n"}, 2048),
        ("/v1/models", {"data": [{"id": "MODEL", "max_model_len": 32768}]}, 32768),
        ("/props", {"default_generation_settings": {"n_ctx": "many"}}, None),
        ("/props", [1], None),
    ],
)
def test_context(
    path: str,
    body: Any,
    context: int | None,
    server: ScriptedProvider,
    chat_endpoint: Endpoint,
) -> None:
    text = json.dumps(body).replace("MODEL", chat_endpoint.model)
    server.answer_with(path, json.loads(text))
    server.reply_with(model())
    assert measure(chat_endpoint).context == context


def test_context_of_a_model_that_ollama_has_loaded(
    server: ScriptedProvider, chat_endpoint: Endpoint
) -> None:
    server.answer_with("/api/show", {"details": {}, "parameters": ""})
    loaded = {"name": f"{chat_endpoint.model}:latest", "context_length": 4096}
    server.answer_with("/api/ps", {"models": [loaded]})
    server.reply_with(model())
    assert measure(chat_endpoint).context == 4096


def test_server_that_does_not_answer_is_an_error(
    server: ScriptedProvider, chat_endpoint: Endpoint
) -> None:
    server.fail_next("500", times=None)
    with pytest.raises(ProviderError) as caught:
        measure(chat_endpoint)
    assert caught.value.kind is ErrorKind.SERVER_ERROR


def test_model_is_asked_for_json_in_the_way_that_it_understands(
    server: ScriptedProvider, chat_endpoint: Endpoint
) -> None:
    server.reply_with(model(forms=("json_object",)))
    endpoint = replace(chat_endpoint, abilities=measure(chat_endpoint))
    server.reset()
    server.reply_with('{"town": "a harbour"}')
    schema = {"type": "object", "properties": {"town": {"type": "string"}}}
    complete_json(endpoint, system="Say.", user="What?", schema=schema, schema_name="town")
    (request,) = server.requests
    assert request.body["response_format"] == {"type": "json_object"}
    assert '"town"' in request.body["messages"][0]["content"]
