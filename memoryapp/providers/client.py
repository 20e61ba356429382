"""The HTTP call that chat and embeddings share: one attempt, and a JSON object or an error."""

import os
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from django.db import connections

from instances.provider_urls import base_url_problem
from instances.translatable import sentences, translatable
from memoryapp.process.fair_slots import FairSlots, NoSlot
from memoryapp.providers import event_stream
from memoryapp.providers.chunk_merging import merged
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import (
    ErrorKind,
    ProviderError,
    from_error_object,
    from_openai,
    unusable,
)
from memoryapp.providers.key_redaction import without_key
from memoryapp.providers.native_answers import as_completion

if TYPE_CHECKING:
    from openai import OpenAI, Timeout

CONNECT_SECONDS = 5.0
#: The total time of a call, as a multiple of the silence that it allows, against servers that only
#: send a byte now and then.
TOTAL_FACTOR = 1.5

#: The most bytes of a chat answer, of JSON by our own schema, and of a list of models.
MAX_ANSWER_BYTES = 8_000_000
MAX_STRUCTURED_BYTES = 1_000_000
MAX_LIST_BYTES = 1_000_000
#: Calls that one process makes at once. Each blocks a thread, often that of a request.
MAX_CALLS = 128
#: Seconds after which a call without a slot may be retried.
RETRY_AFTER_SECONDS = 5.0

_slots = FairSlots(MAX_CALLS, what=translatable("calls to providers"))


class RawAnswer(Protocol):
    """Result of the ``openai`` client's ``with_raw_response`` methods, as far as used here."""

    @property
    def content(self) -> bytes:
        """Return the body as it came."""


#: Makes the call, with the client and the limits given to it.
Send = Callable[["OpenAI", "Timeout"], RawAnswer]


def send_request(
    endpoint: Endpoint, timeout: float, send: Send, *, max_bytes: int = MAX_STRUCTURED_BYTES
) -> dict[str, Any]:
    """Make one call through ``send`` and return the JSON object of the answer.

    The body is parsed here and not by the client, which checks nothing, and walks through every
    number of an embedding.

    ``timeout`` is in seconds, for connecting and for each silence of the server. While it waits,
    the thread holds no database connection of a pool. Raises `ProviderError`,
    ``rate_limited`` also if the endpoint's holder has used its share of this process's calls.
    """
    _let_go_of_connections()
    try:
        with _slots.taken(endpoint.holder):
            answer = _send(endpoint, limits(timeout, max_bytes), send)
    except NoSlot as full:
        answer = ProviderError(ErrorKind.RATE_LIMITED, str(full), retry_after=RETRY_AFTER_SECONDS)
    if isinstance(answer, ProviderError):
        raise answer
    return answer


def _let_go_of_connections() -> None:
    """Return the thread's database connections to their pool, as at the end of a request. Without a
    pool, they belong to the thread, and closing them would help no other.
    """
    for connection in connections.all(initialized_only=True):
        if "pool" in connection.settings_dict["OPTIONS"] and not connection.in_atomic_block:
            connection.close()


def client_for(endpoint: Endpoint) -> "OpenAI | ProviderError":
    """Return the client for *endpoint*, or the error in its settings. Does not use the network."""
    if failure := _misconfigured(endpoint):
        return failure
    try:
        return _client(endpoint.base_url, endpoint.api_key, os.getpid())
    except Exception:  # URL parsers raise many kinds.
        return ProviderError(ErrorKind.BAD_REQUEST, translatable("The address is not a valid URL."))


def limits(silence: float, max_bytes: int, *, total: float | None = None) -> "Timeout":
    """Allow *silence* seconds without data, *total* seconds for the call, and *max_bytes* of the
    decoded answer.
    """
    from instances.outgoing.client import LimitedTimeout
    from instances.outgoing.limits import Limits

    return LimitedTimeout(
        Limits(
            silence_seconds=silence,
            total_seconds=silence * TOTAL_FACTOR if total is None else total,
            max_bytes=max_bytes,
            connect_seconds=CONNECT_SECONDS,
        )
    )


def parse_object(content: bytes, endpoint: Endpoint) -> dict[str, Any] | ProviderError:
    """Return the JSON object in the body of an answer, without the key; or the error."""
    server = endpoint.base_url
    if not content.strip():
        return unusable(translatable("%(server)s answered with nothing at all.", server=server))
    if content.lstrip().startswith(b"<"):
        return unusable(
            translatable(
                "%(server)s answered with a web page instead of JSON. Does the address end in "
                "/v1, as most do?",
                server=server,
            )
        )
    try:
        if event_stream.is_stream(content):
            # Some servers stream in any case.
            payload = _merged(event_stream.payloads([content]))
        else:
            payload = _parsed(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return unusable(translatable("%(server)s answered with broken JSON.", server=server))
    if isinstance(payload, list):
        # A stream as one list.
        payload = _merged(payload) or payload
    if not isinstance(payload, dict):
        return unusable(
            translatable("%(server)s answered with JSON of the wrong shape.", server=server)
        )
    if payload.get("error"):
        return from_error_object(payload["error"], endpoint)
    if payload.get("object") == "error":
        return from_error_object(payload, endpoint)
    without: dict[str, Any] = without_key(payload, endpoint.api_key)
    return without


def _parsed(text: str) -> Any:
    """Return the value of the JSON in *text*; of JSON on several lines, as some servers stream, a
    list of the values.
    """
    try:
        return event_stream.parsed(text)
    except ValueError:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2:
            raise
        return [event_stream.parsed(line) for line in lines]


def _merged(payloads: Iterable[Any]) -> dict[str, Any]:
    return merged(as_completion(each) for each in payloads if isinstance(each, Mapping))


def _send(endpoint: Endpoint, within: "Timeout", send: Send) -> dict[str, Any] | ProviderError:
    # Failures are returned, not raised: an exception raised inside these handlers would carry
    # the request, and with it the key, along as its __context__.
    from openai import OpenAIError

    # Also late: the built-in embedder works without Django's models.
    from memoryapp.providers.circuit_breaker import Call

    client = client_for(endpoint)
    if isinstance(client, ProviderError):
        return client
    call = Call(endpoint)
    if refusal := call.refusal():
        return refusal
    try:
        content = send(client, within).content
    except OpenAIError as error:
        answer: dict[str, Any] | ProviderError = from_openai(error, endpoint)
    else:
        answer = parse_object(content, endpoint)
    call.end(answer if isinstance(answer, ProviderError) else None)
    return answer


def _misconfigured(endpoint: Endpoint) -> ProviderError | None:
    if problem := base_url_problem(endpoint.base_url):
        advice = translatable("Correct it in Settings.")
        return ProviderError(ErrorKind.BAD_REQUEST, sentences(problem, advice))
    if not endpoint.model:
        return ProviderError(
            ErrorKind.BAD_REQUEST, translatable("No model is chosen. Choose one in Settings.")
        )
    key = endpoint.api_key
    if not key.isascii() or any(c.isspace() or not c.isprintable() for c in key):
        return ProviderError(
            ErrorKind.UNAUTHORIZED,
            translatable(
                "The key contains characters that no key has, such as a space or a line break. "
                "Paste it again in Settings."
            ),
        )
    return None


@lru_cache(maxsize=32)
def _client(base_url: str, api_key: str, _pid: int) -> "OpenAI":
    """Keep the connections of recent endpoints open; building a client alone takes 20 ms.

    The process id is in the cache's key because connections must not be shared after a fork.
    """
    from openai import OpenAI

    from instances.outgoing.client import Client

    # Without a key, the client would look for one in the environment and send the operator's own
    # to this server. The header and the two ids are set for the same reason; and limits go with
    # each call because a copy of the client would read the environment again.
    key = api_key or "none"
    client = OpenAI(
        api_key=key,
        base_url=base_url,
        max_retries=0,
        http_client=Client(),
        default_headers={"Authorization": f"Bearer {key}"},
    )
    client.organization = client.project = None
    return client
