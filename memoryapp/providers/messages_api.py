"""Anthropic's Messages API: the caller's requests as they are, and answers as plain objects.

The shapes are those of https://docs.anthropic.com/en/api/messages.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx2

from instances.translatable import translatable
from memoryapp.providers import event_stream, messages_filter
from memoryapp.providers.client import (
    MAX_ANSWER_BYTES,
    MAX_LIST_BYTES,
    RawAnswer,
    Send,
    limits,
    parse_object,
    send_request,
)
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ProviderError, from_error_object, unusable
from memoryapp.providers.key_redaction import RedactedEvents
from memoryapp.providers.stream_chunks import (
    ANSWER_TIMEOUT_SECONDS,
    MAX_SILENCE_SECONDS,
    MAX_STREAM_SECONDS,
    interrupted,
    sendable,
    streamed,
    tokens_in,
)
from memoryapp.telemetry import traces

if TYPE_CHECKING:
    from openai import OpenAI, Timeout
    from openai._types import RequestOptions

#: The version of the API if the caller names none.
VERSION = "2023-06-01"
#: Seconds for a count of tokens.
COUNT_TIMEOUT_SECONDS = 30.0


@dataclass(frozen=True)
class MessagesOptions:
    """Options of a request besides its body: the version of the API, and its beta features."""

    version: str = VERSION
    #: The names of beta features, separated by commas.
    betas: str = ""
    #: True if the address names the beta of the API.
    is_beta: bool = False


def stream_events(
    endpoint: Endpoint,
    request: Mapping[str, Any],
    options: MessagesOptions,
    *,
    silence: float = MAX_SILENCE_SECONDS,
) -> Iterator[dict[str, Any] | ProviderError]:
    """Send *request*, the body for a message, and yield the events of the answer; an error is the
    last of them. A server that does not stream gives the events of its whole answer.

    Errors are yielded, not raised, for the same reason as those of `stream_chunks`.
    """
    return streamed(
        endpoint,
        lambda client: _received(client, endpoint, request, options, silence),
        RedactedEvents(endpoint.api_key),
    )


def complete_message(
    endpoint: Endpoint,
    request: Mapping[str, Any],
    options: MessagesOptions,
    *,
    timeout: float = ANSWER_TIMEOUT_SECONDS,
) -> dict[str, Any]:
    """Send *request* and return the whole message. Raises `ProviderError`."""
    body = {**request, "stream": False} if "stream" in request else request
    send = _sender("/messages", endpoint, body, options)
    with traces.model_span("chat", endpoint) as span:
        answer = messages_filter.message(
            send_request(endpoint, timeout, send, max_bytes=MAX_ANSWER_BYTES)
        )
        if answer is None:
            raise _misshapen(endpoint)
        traces.note_tokens(span, *tokens_in(answer))
    return answer


def count_tokens(
    endpoint: Endpoint,
    request: Mapping[str, Any],
    options: MessagesOptions,
    *,
    timeout: float = COUNT_TIMEOUT_SECONDS,
) -> dict[str, Any]:
    """Return how many tokens the server counts in *request*. Raises `ProviderError`."""
    send = _sender("/messages/count_tokens", endpoint, request, options)
    counts = messages_filter.token_counts(
        send_request(endpoint, timeout, send, max_bytes=MAX_LIST_BYTES)
    )
    if counts is None:
        raise _misshapen(endpoint)
    return counts


def _sender(
    path: str, endpoint: Endpoint, request: Mapping[str, Any], options: MessagesOptions
) -> Send:
    """Return what posts *request* to *path*."""

    def send(client: "OpenAI", timeout: "Timeout") -> RawAnswer:
        return client.post(
            path,
            cast_to=httpx2.Response,
            body=sendable({**request, "model": endpoint.model}),
            options=_options(endpoint, options, timeout),
        )

    return send


def _options(endpoint: Endpoint, options: MessagesOptions, timeout: "Timeout") -> "RequestOptions":
    from openai import Omit

    headers: dict[str, str | Omit] = {
        # A key as a bearer token would be taken for one of a login.
        "Authorization": Omit(),
        "anthropic-version": options.version,
    }
    if endpoint.api_key:
        headers["x-api-key"] = endpoint.api_key
    if options.betas:
        headers["anthropic-beta"] = options.betas
    more: RequestOptions = {"headers": headers, "timeout": timeout}
    if options.is_beta:
        more["params"] = {"beta": "true"}
    return more


def _received(
    client: "OpenAI",
    endpoint: Endpoint,
    request: Mapping[str, Any],
    options: MessagesOptions,
    silence: float,
) -> Iterator[dict[str, Any] | ProviderError]:
    from openai import Stream

    within = limits(silence, MAX_ANSWER_BYTES, total=MAX_STREAM_SECONDS)
    completed = messages_filter.CompletedEvents()
    with client.post(
        "/messages",
        cast_to=object,
        body=sendable({**request, "model": endpoint.model, "stream": True}),
        options=_options(endpoint, options, within),
        stream=True,
        stream_cls=Stream[object],
    ) as stream:
        begin, body = event_stream.with_begin(stream.response.iter_bytes())
        if not event_stream.is_stream(begin):
            yield from _whole(b"".join(body), endpoint)
            return
        for payload in event_stream.payloads(body):
            if payload is None and completed.begun:
                yield from completed.end()
            if payload is None:
                break
            if isinstance(payload, dict) and payload.get("error"):
                yield from_error_object(payload["error"], endpoint)
                return
            if messages_filter.says_nothing(payload):
                continue
            event = messages_filter.event(payload)
            kind = event and event["type"]
            if kind == "ping" and not completed.begun:
                continue  # An error that follows has a status of its own.
            if event is None or not (completed.begun or kind == "message_start"):
                yield _misshapen(endpoint)
                return
            yield from completed.take(event)
    if not completed.begun:
        yield _misshapen(endpoint)
    elif not completed.ended:
        yield interrupted(endpoint)


def _whole(content: bytes, endpoint: Endpoint) -> Iterator[dict[str, Any] | ProviderError]:
    """Yield the events of a message that was not streamed."""
    payload = parse_object(content, endpoint)
    if isinstance(payload, ProviderError):
        yield payload
    elif whole := messages_filter.message(payload):
        yield from messages_filter.events_of(whole)
    else:
        yield _misshapen(endpoint)


def _misshapen(endpoint: Endpoint) -> ProviderError:
    return unusable(
        translatable(
            "%(server)s answered with JSON of the wrong shape. Does it know Anthropic’s Messages "
            "API?",
            server=endpoint.base_url,
        )
    )
