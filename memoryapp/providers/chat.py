"""One question to a language model, one answer as JSON."""

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from instances.presets import PRESETS, Preset
from instances.translatable import TranslatableText, translatable
from memoryapp.providers.abilities import Schema
from memoryapp.providers.client import RawAnswer, send_request
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ProviderError, from_error_object, scrub, unusable
from memoryapp.providers.field_values import is_cut_off, model_name, said_in, token_count, utf8
from memoryapp.providers.native_answers import as_completion
from memoryapp.providers.refusals import refusals
from memoryapp.telemetry import traces

if TYPE_CHECKING:
    from openai import OpenAI, Timeout
    from openai.types.chat import ChatCompletionMessageParam
    from openai.types.shared_params import ResponseFormatJSONObject, ResponseFormatJSONSchema

    ResponseFormat = ResponseFormatJSONSchema | ResponseFormatJSONObject


@dataclass(frozen=True)
class Completion:
    """An answer and what it cost."""

    #: What the model wrote, not yet parsed.
    text: str
    #: The model that answered, according to the server.
    model: str
    prompt_tokens: int
    completion_tokens: int
    #: True if the server took the schema. It may still have ignored it.
    structured: bool = False
    #: True if the limit of tokens has ended it.
    cut_off: bool = False


_OPTION, _TEMPERATURE = "response_format", "temperature"
_ABOUT_RESPONSE_FORMAT = re.compile(
    r"response[\s_-]?format|json[\s_-]?schema|structured[\s_-]?output|\bgrammar\b", re.IGNORECASE
)
#: The fields of a message in which servers put its thinking.
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")
_ABOUT_TEMPERATURE = re.compile(r"temperature", re.IGNORECASE)


def complete_json(
    endpoint: Endpoint,
    *,
    system: str,
    user: str,
    schema: Mapping[str, Any],
    schema_name: str,
    timeout: float = 60.0,
    greedy: bool = True,
) -> Completion:
    """Ask for an answer that follows a JSON schema.

    A server that refuses ``response_format`` is asked once more without it, with the schema
    written into the prompt. Retries are the caller's.

    If ``greedy``, a local model is asked for its likeliest words, which are the same each time.

    A model that was measured is asked in the way that it understands.

    ``schema`` is in the strict dialect: every property required, no additional ones;
    ``schema_name`` has letters, digits, ``_`` and ``-``, at most 64. ``timeout`` is in seconds for
    each silence of the server; the whole call may take 1.5 times that.

    Raises `ProviderError`; a refused or empty answer is ``unusable_answer``.
    """
    with traces.model_span("chat", endpoint) as span:
        completion = _complete_json(
            endpoint, system, user, schema, schema_name, timeout=timeout, greedy=greedy
        )
        traces.note_tokens(span, completion.prompt_tokens, completion.completion_tokens)
        return completion


def _complete_json(
    endpoint: Endpoint,
    system: str,
    user: str,
    schema: Mapping[str, Any],
    schema_name: str,
    *,
    timeout: float,
    greedy: bool,
) -> Completion:
    preset, known = PRESETS.get(endpoint.provider), endpoint.abilities.schema
    greedy = greedy and endpoint.abilities.is_local
    by_schema = known in (None, Schema.JSON_SCHEMA)
    if by_schema and not refusals.has(endpoint, _OPTION) and _takes_schemas(preset):
        try:
            form = _format(schema, schema_name)
            payload = _complete(endpoint, system, user, timeout, form, greedy=greedy)
        except ProviderError as error:
            if not _refuses(error, _ABOUT_RESPONSE_FORMAT):
                raise
        else:
            return replace(read_completion(payload, endpoint), structured=True)
    in_words = f"{system}\n\nAnswer with JSON only, following this JSON schema:\n"
    loose: ResponseFormat | None = {"type": "json_object"} if known is Schema.JSON_OBJECT else None
    in_words += json.dumps(schema)
    payload = _complete(endpoint, in_words, user, timeout, loose, greedy=greedy)
    if by_schema:
        refusals.add(endpoint, _OPTION)
    return read_completion(payload, endpoint)


def _takes_schemas(preset: Preset | None) -> bool:
    return preset is None or preset.structured_output


def check_chat(endpoint: Endpoint, timeout: float = 30.0) -> str:
    """Make a tiny call; return the result, or raise `ProviderError`, as a line to show."""
    started = time.monotonic()
    payload = _complete(endpoint, "Answer briefly.", "Say hello in three words.", timeout, None)
    seconds = time.monotonic() - started
    completion = read_completion(payload, endpoint)
    words = scrub(" ".join(completion.text.split()), endpoint.api_key)
    shown = words if len(words) <= 60 else words[:59] + "…"
    return translatable(
        "%(model)s answered in %(seconds)s s: %(words)s",
        model=scrub(completion.model, endpoint.api_key),
        seconds=f"{seconds:.1f}",
        words=shown,
    )


def _format(schema: Mapping[str, Any], name: str) -> "ResponseFormatJSONSchema":
    return {
        "type": "json_schema",
        "json_schema": {"name": name, "strict": True, "schema": dict(schema)},
    }


def _complete(
    endpoint: Endpoint,
    system: str,
    user: str,
    timeout: float,
    response_format: "ResponseFormat | None",
    *,
    greedy: bool = False,
) -> dict[str, Any]:
    messages: list[ChatCompletionMessageParam] = [
        {"role": "system", "content": utf8(system)},
        {"role": "user", "content": utf8(user)},
    ]
    # No limit of tokens, and for models elsewhere no temperature: each is refused by some model or
    # other, and a refusal costs a second call.
    options: dict[str, Any] = {}
    if response_format is not None:
        options[_OPTION] = response_format
    if greedy and not refusals.has(endpoint, _TEMPERATURE):
        options[_TEMPERATURE] = 0.0

    def send(client: "OpenAI", limits: "Timeout") -> RawAnswer:
        create = client.chat.completions.with_raw_response.create
        answer: RawAnswer = create(
            model=endpoint.model, messages=messages, timeout=limits, **options
        )
        return answer

    try:
        return send_request(endpoint, timeout, send)
    except ProviderError as error:
        if _TEMPERATURE not in options or not _refuses(error, _ABOUT_TEMPERATURE):
            raise
    refusals.add(endpoint, _TEMPERATURE)
    del options[_TEMPERATURE]
    return send_request(endpoint, timeout, send)


def _refuses(error: ProviderError, option: re.Pattern[str]) -> bool:
    return error.status in (400, 404, 422) and bool(option.search(error.hint))


def read_completion(payload: Mapping[str, Any], endpoint: Endpoint) -> Completion:
    """Take the answer out of a completion object of any shape; raises `ProviderError`."""
    server = endpoint.base_url
    payload = as_completion(payload)
    choices = payload.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if isinstance(choice, dict) and choice.get("error"):
        raise from_error_object(choice["error"], endpoint)
    # Some servers write a whole answer as one piece of a stream.
    message = (choice.get("message") or choice.get("delta")) if isinstance(choice, dict) else None
    if isinstance(choice, dict) and isinstance(choice.get("text"), str):
        # As in answers of the older API.
        message = message or {"content": choice["text"]}
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise unusable(
            translatable(
                "%(server)s answered with JSON of the wrong shape. Is it an OpenAI-compatible "
                "server?",
                server=server,
            )
        )
    finish_reason = choice.get("finish_reason")
    cut_off = is_cut_off(finish_reason)
    if finish_reason == "content_filter" or message.get("refusal"):
        raise unusable(
            translatable(
                "%(server)s answered with a refusal: the model did not want to read this text.",
                server=server,
            )
        )
    content = _answer_in(message)
    if cut_off and not content.strip():
        raise unusable(cut_short(endpoint))
    if not content.strip():
        raise unusable(translatable("%(server)s answered with an empty message.", server=server))
    usage = payload.get("usage")
    return Completion(
        text=content,
        model=model_name(payload) or endpoint.model,
        prompt_tokens=token_count(usage, "prompt_tokens"),
        completion_tokens=token_count(usage, "completion_tokens"),
        cut_off=cut_off,
    )


def cut_short(endpoint: Endpoint) -> TranslatableText:
    """Say that nothing of an answer can be used because its end is missing."""
    return translatable(
        "%(server)s gave an answer so long that it was cut off.", server=endpoint.base_url
    )


def _answer_in(message: Mapping[str, Any]) -> str:
    """The answer in a *message*, in any of the places where servers put it; empty if there is none.

    Without any text, a call's arguments are the answer; or what follows at the end of the thinking,
    if the server has taken all for thinking. It is marked as such, since drafts are in it, too.
    """
    content = message.get("content")
    if isinstance(content, dict):
        return json.dumps(content, ensure_ascii=False)
    if (said := said_in(content)).strip():
        return said
    calls = message.get("tool_calls")
    calls = calls if isinstance(calls, list) else []
    called = [each.get("function") for each in calls if isinstance(each, dict)]
    for function in [*called, message.get("function_call")]:
        arguments = function.get("arguments") if isinstance(function, dict) else None
        if isinstance(arguments, dict) and arguments:
            return json.dumps(arguments, ensure_ascii=False)
        if isinstance(arguments, str) and arguments.strip():
            return arguments
    thought = next(filter(None, (said_in(message.get(name)) for name in _THOUGHTS)), "")
    return f"<think>{thought}" if thought.rstrip().endswith(("}", "]", "```")) else ""
