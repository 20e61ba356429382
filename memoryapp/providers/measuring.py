"""Measures what a language model can do, with three short requests."""

import contextlib
import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memoryapp.providers.abilities import (
    CHARACTERS_PER_TOKEN,
    ModelAbilities,
    Schema,
    Tools,
)
from memoryapp.providers.chat_stream import Assembly
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ErrorKind, ProviderError
from memoryapp.providers.server_info import context_of, is_local
from memoryapp.providers.stream_chunks import stream_chunks
from memoryapp.providers.written_calls import CallReader

#: Seconds that a server may take to begin an answer, and how long it is heard then.
FIRST_WORD_SECONDS, LISTENING_SECONDS = 120.0, 12.0
#: A text of a known length, to be read; about 230 tokens.
_TEXT = (
    "A harbour town lives by the tide. In the morning the boats return with herring and mackerel, "
    "and the women of the market weigh what was caught and write the prices on slates. At noon the "
    "ferry brings the mail, two crates of oranges and, on most days, a visitor who asks for the "
    "lighthouse. It stands on the northern pier, is painted in red and white, and has a keeper who "
    "has not missed a night in thirty years. In the afternoon the nets are mended on the quay. The "
    "schoolchildren count the gulls, which are many, and the seals, which are few, and put both "
    "into a table that hangs in the corridor. When the fog comes, a bell is rung every other "
    "minute, and the boats find home by its sound. In the evening the lamps are lit along the "
    "promenade, the inn smells of soup and wet wool, and somebody plays the accordion until the "
    "keeper goes by to climb the two hundred steps of his tower."
)
#: A schema that no model would follow by chance.
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["lighthouse_colours", "tower_steps", "told_in_ten_words"],
    "properties": {
        "lighthouse_colours": {"type": "array", "items": {"type": "string"}},
        "tower_steps": {"type": "integer"},
        "told_in_ten_words": {"type": "string"},
    },
}
_TOOL: Mapping[str, Any] = {
    "type": "function",
    "function": {
        "name": "look_up_weather",
        "description": "Look up the weather of a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
        },
    },
}


@dataclass
class _Heard:
    """Outcome of a request."""

    answer: Assembly
    sent_characters: int
    #: Seconds until the first word, and from there to the last that was heard.
    first: float = 0.0
    writing: float = 0.0
    #: Pieces of the answer, which most servers send one for each token.
    pieces: int = 0
    #: llama.cpp's own measurement.
    timings: Mapping[str, Any] | None = None
    error: ProviderError | None = None

    @property
    def read(self) -> float | None:
        """Tokens read a second."""
        if (rate := _rate(self.timings, "prompt_per_second")) is not None:
            return rate
        tokens = self.answer.prompt_tokens or self.sent_characters / CHARACTERS_PER_TOKEN
        return tokens / self.first if self.first > 0 else None

    @property
    def written(self) -> float | None:
        """Tokens written a second."""
        if (rate := _rate(self.timings, "predicted_per_second")) is not None:
            return rate
        tokens = self.answer.completion_tokens or self.pieces
        return (tokens - 1) / self.writing if tokens > 4 and self.writing > 0 else None


def measure(endpoint: Endpoint) -> ModelAbilities:
    """Measure what the model at *endpoint* can do. Raises `ProviderError` if it does not answer."""
    # The first request may have to wait until the model is loaded.
    _check(_hear(endpoint, "Answer with the word yes.", {}, listening=0.0))
    # Never the same beginning, which the server may have read before.
    text = f"{secrets.token_hex(4)}\n\n{_TEXT}\n\nWhat colour is the lighthouse? Tell me in prose."
    schema, read = _schema(endpoint, text)
    return ModelAbilities(
        address=endpoint.base_url,
        model=endpoint.model,
        is_local=is_local(endpoint.base_url),
        context=context_of(endpoint),
        schema=schema,
        tools=_tools(endpoint),
        read=_rounded(read.read),
        written=_rounded(read.written),
    )


def _schema(endpoint: Endpoint, text: str) -> tuple[Schema, _Heard]:
    """Return how the server can be made to answer with JSON, and what came of reading *text*."""
    named = {"name": "harbour", "strict": True, "schema": dict(_SCHEMA)}
    by_schema: dict[str, Any] = {"type": "json_schema", "json_schema": named}
    heard = _hear(endpoint, text, {"response_format": by_schema})
    if _refused(heard):
        heard = _check(_hear(endpoint, text, {}))
    elif _begins_with(_check(heard).answer.text, "lighthouse_colours"):
        return Schema.JSON_SCHEMA, heard
    question = f"{_TEXT[:93]}\n\nAnswer with a JSON object: {json.dumps({'town': '…'})}"
    asked = _hear(endpoint, question, {"response_format": {"type": "json_object"}})
    obeyed = not asked.error and _begins_with(asked.answer.text, "town")
    return (Schema.JSON_OBJECT if obeyed else Schema.NONE), heard


def _tools(endpoint: Endpoint) -> Tools:
    """Return how the model calls a tool that it is asked to use."""
    question = "What is the weather in Lyon? Use the tool to look it up."
    options = {"tools": [_TOOL], "tool_choice": "auto"}
    heard = _hear(endpoint, question, options, reads_calls=True)
    reader = heard.answer.reader
    if any(call.name for call in heard.answer.calls):
        return Tools.NATIVE
    if isinstance(reader, CallReader) and (reader.calls or reader.unreadable):
        return Tools.TEXT
    return Tools.NONE


def _hear(
    endpoint: Endpoint,
    question: str,
    options: Mapping[str, Any],
    *,
    listening: float = LISTENING_SECONDS,
    reads_calls: bool = False,
) -> _Heard:
    """Send *question* and listen to the answer for *listening* seconds from its first word."""
    answer = Assembly(endpoint, CallReader(["look_up_weather"]) if reads_calls else None)
    heard = _Heard(answer, len(question))
    request = {"messages": [{"role": "user", "content": question}], **options}
    began = time.monotonic()
    chunks = stream_chunks(endpoint, request, silence=FIRST_WORD_SECONDS)
    # Closing ends the connection, and the server stops writing.
    with contextlib.closing(chunks):  # type: ignore[type-var]  # It is a generator, or empty.
        for chunk in chunks:
            if isinstance(chunk, ProviderError):
                heard.error = chunk
                break
            text = answer.take(chunk)
            now = time.monotonic() - began
            if isinstance(chunk.get("timings"), dict):
                heard.timings = chunk["timings"]
            if text or answer.calls:
                heard.first = heard.first or now
                heard.pieces += 1
                heard.writing = now - heard.first
            if heard.first and now - heard.first >= listening and not answer.finish_reason:
                break
    answer.end()
    return heard


def _begins_with(text: str, key: str) -> bool:
    """True if *text*, which may not be complete, is an object that begins with *key*."""
    return text.lstrip().startswith("{") and f'"{key}"' in text


def _refused(heard: _Heard) -> bool:
    error = heard.error
    return error is not None and error.kind is ErrorKind.BAD_REQUEST


def _check(heard: _Heard) -> _Heard:
    """Raise the error of a request that had no answer at all."""
    if heard.error is not None and not heard.first:
        raise heard.error
    return heard


def _rate(timings: Mapping[str, Any] | None, name: str) -> float | None:
    value = timings.get(name) if timings else None
    is_rate = isinstance(value, int | float) and not isinstance(value, bool) and value > 0
    return float(value) if is_rate and value is not None else None


def _rounded(rate: float | None) -> float | None:
    return None if rate is None else round(rate, 1)
