"""Answers of the OpenAI API as plain objects, with everything that may be passed on."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from instances.translatable import translatable
from memoryapp.providers import event_stream, response_filter
from memoryapp.providers.circuit_breaker import Call
from memoryapp.providers.client import (
    MAX_ANSWER_BYTES,
    MAX_LIST_BYTES,
    RawAnswer,
    client_for,
    limits,
    parse_object,
    send_request,
)
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import (
    ErrorKind,
    ProviderError,
    from_error_object,
    from_gate,
    from_openai,
    unusable,
)
from memoryapp.providers.field_values import token_count, utf8
from memoryapp.providers.key_redaction import RedactedChunks, RedactedParts
from memoryapp.providers.native_answers import as_completion
from memoryapp.providers.refusals import refusals
from memoryapp.telemetry import traces

if TYPE_CHECKING:
    from openai import OpenAI, Timeout

#: Seconds of silence after which a server counts as dead. Some models think for long.
MAX_SILENCE_SECONDS = 120.0
#: Seconds for an answer that comes as a whole, when it is all written.
ANSWER_TIMEOUT_SECONDS = 600.0
#: Seconds for a whole streamed answer.
MAX_STREAM_SECONDS = 900.0

# Options that a server may not know, with the words of its refusals.
_OPTIONAL: Mapping[str, re.Pattern[str]] = {
    "tools": re.compile(r"\btools?\b|tool_|function[ _-]?call", re.IGNORECASE),
    "stream_options": re.compile(r"stream[_ ]options|include_usage", re.IGNORECASE),
}


class Extras:
    """Options that not every server knows: ``tools``, ``stream_options``. To a server that refuses
    one, requests are sent without it from then on.
    """

    def __init__(self, endpoint: Endpoint, options: Mapping[str, Any]) -> None:
        self.options = dict(options)
        self._endpoint = endpoint
        self._dropped: set[str] = set()
        for option in _OPTIONAL:
            if refusals.has(endpoint, option):
                self._leave_out(option)

    def refused_by(self, error: ProviderError) -> bool:
        """True if *error* refuses one of them; then it is left out from now on."""
        # llama.cpp answers with 500 if it must be started differently to accept tools.
        if error.status not in (400, 404, 422, 500, 501):
            return False
        refused = (name for name, words in _OPTIONAL.items() if words.search(error.hint))
        option = next((name for name in refused if name in self.options), None)
        if option is None:
            return False
        self._leave_out(option)
        self._dropped.add(option)
        return True

    def note_success(self) -> None:
        """Remember the refused options, now that the server has answered without them."""
        for option in self._dropped:
            refusals.add(self._endpoint, option)

    def _leave_out(self, option: str) -> None:
        self.options.pop(option, None)
        if option == "tools":
            self.options.pop("tool_choice", None)


def stream_chunks(
    endpoint: Endpoint, request: Mapping[str, Any], *, silence: float = MAX_SILENCE_SECONDS
) -> Iterator[dict[str, Any] | ProviderError]:
    """Send *request*, a body of the OpenAI API, and yield the chunks of the answer; an error is the
    last of them. A server that does not stream gives its whole answer in one.

    Errors are yielded, not raised: an exception raised inside these handlers would carry the
    request, and with it the key, along as its __context__.
    """
    return streamed(
        endpoint,
        lambda client: _received(client, endpoint, request, silence),
        RedactedChunks(endpoint.api_key),
    )


def streamed(
    endpoint: Endpoint,
    receive: Callable[["OpenAI"], Iterator[dict[str, Any] | ProviderError]],
    without_key: RedactedParts,
) -> Iterator[dict[str, Any] | ProviderError]:
    """Send a request, and yield the parts of its answer that *receive* reads, without the key; an
    error is the last.
    """
    client = client_for(endpoint)
    if isinstance(client, ProviderError):
        return iter([client])
    # In the calling thread, which has a database connection.
    call = Call(endpoint)
    if refusal := call.refusal():
        return iter([refusal])
    return _parts(receive(client), endpoint, call, without_key)


def _parts(
    received: Iterator[dict[str, Any] | ProviderError],
    endpoint: Endpoint,
    call: Call,
    without_key: RedactedParts,
) -> Iterator[dict[str, Any] | ProviderError]:
    """Yield the parts of a streamed answer as they are *received*, without the key. An error,
    raised or received, comes last, and ends *call*.
    """
    from openai import APIConnectionError, APIError, APIStatusError, OpenAIError

    failure: ProviderError | None = None
    traced = traces.ModelStream(endpoint)
    try:
        for part in traced.parts(received):
            if isinstance(part, ProviderError):
                failure = part
                break
            traced.count(*tokens_in(part))
            yield from without_key.pass_on(part)
    except GeneratorExit:
        # Nobody reads on: the caller hung up, or the answer was stopped.
        traced.end("cancelled")
        raise
    except (APIStatusError, APIConnectionError) as error:
        failure = from_openai(error, endpoint)
    except APIError as error:  # an error object in the middle of the stream
        failure = from_error_object(error.body, endpoint)
    except (ValueError, RecursionError):
        failure = unusable(
            translatable("%(server)s answered with broken JSON.", server=endpoint.base_url)
        )
    except OpenAIError as error:
        failure = from_openai(error, endpoint)
    except Exception as error:  # errors of the HTTP library, which the client does not wrap
        timed_out = "timeout" in type(error).__name__.lower()
        failure = from_gate(error, endpoint) or interrupted(endpoint, timed_out=timed_out)
    call.end(failure)
    traced.end(failure.kind if failure else "")
    yield from without_key.end()
    if failure is not None:
        yield failure


def complete_answer(
    endpoint: Endpoint, request: Mapping[str, Any], *, timeout: float = ANSWER_TIMEOUT_SECONDS
) -> dict[str, Any]:
    """Send *request* and return the whole answer. Raises `ProviderError`."""

    def send(client: "OpenAI", timeout: "Timeout") -> RawAnswer:
        create = cast(Any, client.chat.completions.with_raw_response.create)
        answer: RawAnswer = create(
            model=endpoint.model,
            messages=[],
            extra_body=sendable({**request, "model": endpoint.model}),
            timeout=timeout,
        )
        return answer

    with traces.model_span("chat", endpoint) as span:
        answer = response_filter.answer(
            send_request(endpoint, timeout, send, max_bytes=MAX_ANSWER_BYTES)
        )
        if answer is None:
            raise _misshapen(endpoint)
        traces.note_tokens(span, *tokens_in(answer))
    return answer


def list_models(endpoint: Endpoint, *, timeout: float = 5.0) -> list[dict[str, Any]]:
    """Return the server's models, described in the API's terms. Raises `ProviderError`."""

    def send(client: "OpenAI", timeout: "Timeout") -> RawAnswer:
        return client.models.with_raw_response.list(timeout=timeout)

    return response_filter.models(send_request(endpoint, timeout, send, max_bytes=MAX_LIST_BYTES))


def interrupted(endpoint: Endpoint, *, timed_out: bool = False) -> ProviderError:
    """Build the error for an answer that ended before its end."""
    if timed_out:
        return ProviderError(
            ErrorKind.TIMEOUT,
            translatable(
                "%(server)s stopped sending in the middle of its answer.",
                server=endpoint.base_url,
            ),
        )
    return ProviderError(
        ErrorKind.UNREACHABLE,
        translatable(
            "%(server)s closed the connection in the middle of its answer.",
            server=endpoint.base_url,
        ),
    )


def tokens_in(part: Mapping[str, Any]) -> tuple[int, int]:
    """Return the tokens read and written that *part* of an answer tells, 0 if it does not: a chunk
    or an answer of the OpenAI API, or an event or a message of Anthropic's.
    """
    message = part.get("message")
    usage = part.get("usage") or (message.get("usage") if isinstance(message, dict) else None)
    read = token_count(usage, "prompt_tokens") or token_count(usage, "input_tokens")
    return read, token_count(usage, "completion_tokens") or token_count(usage, "output_tokens")


def sendable(value: Any) -> Any:
    """Replace lone surrogates, which no request can carry, in all that *value* holds."""
    if isinstance(value, str):
        return utf8(value)
    if isinstance(value, Mapping):
        return {key: sendable(item) for key, item in value.items()}
    return [sendable(item) for item in value] if isinstance(value, list) else value


def _received(
    client: "OpenAI", endpoint: Endpoint, request: Mapping[str, Any], silence: float
) -> Iterator[dict[str, Any] | ProviderError]:
    # The client's types would drop fields that they do not know: so the body is passed as it is,
    # and each chunk is taken as it is.
    create = cast(Any, client.chat.completions.with_streaming_response.create)
    with create(
        model=endpoint.model,
        messages=[],
        stream=True,
        extra_body=sendable({**request, "model": endpoint.model, "stream": True}),
        timeout=limits(silence, MAX_ANSWER_BYTES, total=MAX_STREAM_SECONDS),
    ) as response:
        begin, body = event_stream.with_begin(response.iter_bytes())
        if event_stream.is_stream(begin):
            yield from _chunks(body, endpoint)
            return
        answer = parse_object(b"".join(body), endpoint)
    if isinstance(answer, dict):
        answer = response_filter.answer(as_completion(answer)) or _misshapen(endpoint)
    yield answer


def _chunks(body: Iterator[bytes], endpoint: Endpoint) -> Iterator[dict[str, Any] | ProviderError]:
    """Yield what may be passed on of the chunks in *body*, a stream of events. Each choice has an
    end, also if only the stream says that it has ended.
    """
    #: The reason for the end of each choice; not yet known: None.
    reasons: dict[int, str | None] = {}
    usual: dict[int, str] = {}
    last: dict[str, Any] = {}
    ended = False
    for payload in event_stream.payloads(body):
        if payload is None:
            ended = True
            break
        if isinstance(payload, dict) and payload.get("error"):
            yield from_error_object(payload["error"], endpoint)
            return
        if response_filter.says_nothing(payload):
            continue
        chunk = response_filter.chunk(payload)
        if chunk is None:
            yield _misshapen(endpoint)
            return
        last = chunk
        for choice in chunk["choices"]:
            index = choice.get("index", 0)
            reasons[index] = choice.get("finish_reason") or reasons.get(index)
            if choice.get("delta", {}).get("tool_calls"):
                usual[index] = "tool_calls"
        yield chunk
    without_end = [index for index, reason in reasons.items() if reason is None]
    around = {name: value for name, value in last.items() if name not in ("choices", "usage")}
    if not last:
        yield _misshapen(endpoint)
    elif ended and without_end:
        yield around | {
            "choices": [
                {"index": index, "delta": {}, "finish_reason": usual.get(index, "stop")}
                for index in without_end
            ]
        }
    elif reasons and len(without_end) == len(reasons):
        yield interrupted(endpoint)


def _misshapen(endpoint: Endpoint) -> ProviderError:
    return unusable(
        translatable(
            "%(server)s answered with JSON of the wrong shape. Is it an OpenAI-compatible server?",
            server=endpoint.base_url,
        )
    )
