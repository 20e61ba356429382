"""The errors of providers, as one exception whose text says what to do.

They never contain the key. Providers echo keys, whole or partly masked, so their words are scrubbed
here; and ``client`` raises errors outside the handler of the original exception, so that neither
``__cause__`` nor ``__context__`` leads to the request and its headers.
"""

import math
import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from conversations.bounded_json import parse
from instances.translatable import (
    TranslatableText,
    cleaned,
    sentences,
    shortened,
    translatable,
)
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.field_values import storable

if TYPE_CHECKING:
    from openai import APIStatusError


#: The most characters of an error message.
MAX_ERROR_CHARACTERS = 500


class ErrorKind(StrEnum):
    """Kind of an error, as far as callers need to know."""

    #: No connection, or the connection broke before an answer came.
    UNREACHABLE = "unreachable"
    #: Connected, but no answer in time.
    TIMEOUT = "timeout"
    #: 429, or the account is out of credit.
    RATE_LIMITED = "rate_limited"
    #: 401 or 403: the key is wrong, missing or not allowed to.
    UNAUTHORIZED = "unauthorized"
    #: The provider does not accept the request as it is: wrong model, address or parameter.
    BAD_REQUEST = "bad_request"
    #: 5xx.
    SERVER_ERROR = "server_error"
    #: Not sent: the server has failed too often and is not called until `retry_after`.
    CIRCUIT_OPEN = "circuit_open"
    #: The server is not called, because its address is not allowed.
    NOT_ALLOWED = "not_allowed"
    #: An answer came that cannot be used: not JSON, cut off, refused, wrong shape, NaN.
    UNUSABLE_ANSWER = "unusable_answer"


_PERMANENT = frozenset({ErrorKind.UNAUTHORIZED, ErrorKind.BAD_REQUEST, ErrorKind.NOT_ALLOWED})


class ProviderError(Exception):
    """A call to a provider failed. ``str()`` says what happened and what to do about it.

    ``retryable``: the same call may succeed later by itself. ``retry_after``: when, in seconds, if
    the provider says so. ``status``: the HTTP status, if there was one. ``detail`` and ``labels``:
    the provider's own words, scrubbed, and its ``type``, ``param`` and ``code``, if it sent an
    error object in the API's format. ``hint``: the text of any other body, which is matched against
    patterns and never shown.
    """

    def __init__(
        self,
        kind: ErrorKind,
        message: str,
        *,
        retryable: bool | None = None,
        retry_after: float | None = None,
        status: int | None = None,
        detail: str = "",
        labels: Mapping[str, str] | None = None,
        hint: str = "",
    ) -> None:
        message = shortened(cleaned(message, storable), MAX_ERROR_CHARACTERS)
        super().__init__(kind, message)
        self.kind = kind
        self.message = message
        self.retryable = kind not in _PERMANENT if retryable is None else retryable
        self.retry_after = retry_after
        self.status = status
        self.detail = detail
        self.labels = dict(labels or {})
        self.hint = hint or detail

    @property
    def was_sent(self) -> bool:
        """True if the call was sent. A call that the circuit breaker refuses is not in the usage
        log and does not count as an attempt.
        """
        return self.kind != ErrorKind.CIRCUIT_OPEN

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        return f"ProviderError({self.kind.value}: {self.message!r})"


#: What replaces a key.
SCRUBBED = "[key]"

#: The most characters of a text that are scrubbed and kept.
MAX_SCRUBBED_CHARACTERS = 2_000

# A word or a mask matches from its first character or not at all, without backtracking (`++`):
# otherwise each character of a long run would start a search to its end.
_KEY_SHAPES = re.compile(
    r"""
    \bbearer\s+[^\s"',]+                                            # an Authorization header
    | \b(?:sk|pk|rk|gsk|xai|hf|nvapi|pplx|fw|r8|key|api|tok)[-_][\w*.…•-]{4,}
    | \b(?:AKIA|ASIA|ABSK|AIza)[\w+/=*-]{8,}                        # cloud keys
    | \beyJ[\w-]{8,500}+\.[\w.-]+                                   # a JSON web token
    | (?:(?<![\w-])[\w-]++)?                                        # masked: abc***wxyz, …4f2a
      (?:(?<!\*)\*{2,}+|(?<!•)•{2,}+|…|(?<!\.)\.{3,}+)[\w-]{2,}
    | (?<![\w-])[\w-]{2,}+(?:\*{2,}|•{2,})                          # masked: sk-abc****
    | \b(?=\w*[0-9])(?=\w*[A-Za-z])\w{24,}                          # long and random
    """,
    re.VERBOSE | re.IGNORECASE,
)


def scrub(text: str, api_key: str = "") -> str:
    """Replace in *text* the key, pieces of it and everything that is shaped like a key; keep at
    most `MAX_SCRUBBED_CHARACTERS`. In doubt, it is replaced: a lost word is better than a key in a
    log.
    """
    too_long = len(text) > MAX_SCRUBBED_CHARACTERS
    text = text[:MAX_SCRUBBED_CHARACTERS]
    if len(api_key) >= 4:
        text = text.replace(api_key, SCRUBBED)
    if too_long:
        # The cut may have left the start of a key, too short to be recognised.
        text = text[: max(0, len(text) - len(api_key))]
    if len(api_key) >= 12:
        pieces = {api_key[i : i + 6] for i in range(len(api_key) - 5)}

        def scrubbed(word: re.Match[str]) -> str:
            shown = word.group()
            parts = (shown[i : i + 6] for i in range(len(shown) - 5))
            return shown if pieces.isdisjoint(parts) else SCRUBBED

        text = re.sub(r"[^\s\"'<>(),]+", scrubbed, text)
        text = re.sub(rf"(?<!\w){re.escape(api_key[-4:])}(?!\w)", SCRUBBED, text)
    return _KEY_SHAPES.sub(SCRUBBED, text)


def from_openai(error: Exception, endpoint: Endpoint) -> ProviderError:
    """Turn any exception of the ``openai`` client into a ``ProviderError``."""
    # Imported late: it takes half a second, which users of the built-in embedder do not need.
    from openai import APIConnectionError, APIStatusError, APITimeoutError

    if ended := from_gate(error, endpoint):
        return ended
    if isinstance(error, APITimeoutError):
        return ProviderError(
            ErrorKind.TIMEOUT,
            translatable(
                "%(server)s did not answer in time. Is the server busy, or still loading the "
                "model?",
                server=endpoint.base_url,
            ),
        )
    if isinstance(error, APIConnectionError):
        return ProviderError(ErrorKind.UNREACHABLE, why_unreachable(error, endpoint.base_url))
    if isinstance(error, APIStatusError):
        error_object = _error_object(error)
        return from_status(
            error.status_code,
            endpoint,
            detail=_provider_words(error_object),
            code=error.code or "",
            retry_after=_retry_after(error),
            labels=_labels(error_object, endpoint),
            hint=_provider_words(error.body),
        )
    return unusable(
        translatable(
            "%(server)s answered with something that the client does not understand.",
            server=endpoint.base_url,
        )
    )


def from_status(
    status: int,
    endpoint: Endpoint,
    *,
    detail: str = "",
    code: str = "",
    retry_after: float | None = None,
    labels: Mapping[str, str] | None = None,
    hint: str = "",
) -> ProviderError:
    """Build the error for an HTTP status, or for the same number inside a 200 answer. ``detail``,
    ``hint`` and ``code`` are the provider's own words, not yet scrubbed.
    """
    detail = scrub(" ".join(detail.split()), endpoint.api_key)[:500]
    hint = scrub(" ".join(hint.split()), endpoint.api_key)
    retryable: bool | None = None
    server = endpoint.base_url
    if status == 402 or (status == 429 and code == "insufficient_quota"):
        kind, retryable = ErrorKind.RATE_LIMITED, False
        message = translatable(
            "The account has no credit left (%(status)s). Top it up or use another key.",
            status=status,
        )
    elif status == 429:
        kind = ErrorKind.RATE_LIMITED
        if retry_after:
            message = translatable(
                "%(server)s gets too many requests (429). Wait %(seconds)s s, then try again.",
                server=server,
                seconds=round(retry_after),
            )
        else:
            message = translatable(
                "%(server)s gets too many requests (429). Wait a moment, then try again.",
                server=server,
            )
    elif status == 401:
        kind = ErrorKind.UNAUTHORIZED
        message = (
            translatable("The key was refused (401). Check the key in Settings.")
            if endpoint.api_key
            else translatable("The server wants a key (401). Check the key in Settings.")
        )
        return ProviderError(kind, message, status=status, labels=labels)
    elif status == 403:
        kind = ErrorKind.UNAUTHORIZED
        message = translatable(
            "The key has no right to do this (403). Check the key and the model in Settings."
        )
    elif status in (408, 504):
        kind = ErrorKind.TIMEOUT
        message = translatable(
            "%(server)s did not answer in time (%(status)s).", server=server, status=status
        )
    elif status == 404:
        kind = ErrorKind.BAD_REQUEST
        message = translatable(
            "%(server)s has no model “%(model)s”, or the address is wrong (404). Check both in "
            "Settings.",
            server=server,
            model=scrub(endpoint.model, endpoint.api_key),
        )
    elif status == 409 or status >= 500:
        kind = ErrorKind.SERVER_ERROR
        message = translatable(
            "%(server)s failed (%(status)s). Try again later.", server=server, status=status
        )
    else:
        kind = ErrorKind.BAD_REQUEST
        message = translatable(
            "%(server)s did not accept the request (%(status)s). Check the settings.",
            server=server,
            status=status,
        )
    if detail:
        shown = detail if len(detail) <= 200 else detail[:199] + "…"
        message = translatable(
            "%(problem)s The server said: %(detail)s", problem=message, detail=shown
        )
    return ProviderError(
        kind,
        message,
        retryable=retryable,
        retry_after=retry_after,
        status=status,
        detail=detail,
        labels=labels,
        hint=hint,
    )


def from_error_object(payload: object, endpoint: Endpoint) -> ProviderError:
    """Build the error for an ``{"error": …}`` object that came with a successful status."""
    code = payload.get("code") if isinstance(payload, Mapping) else None
    number = str(code) if code is not None else ""
    status = int(number) if re.fullmatch(r"[45]\d\d", number) else 500
    error_object = payload if _is_error_object(payload) else None
    return from_status(
        status,
        endpoint,
        detail=_provider_words(error_object),
        code=number,
        labels=_labels(error_object, endpoint),
        hint=_provider_words(payload),
    )


def unusable(message: TranslatableText, *, retryable: bool = True) -> ProviderError:
    """Build the error for an answer that came but cannot be used."""
    return ProviderError(ErrorKind.UNUSABLE_ANSWER, message, retryable=retryable)


def from_gate(error: Exception, endpoint: Endpoint) -> ProviderError | None:
    """Build the error for a call that the outgoing gate refused or ended; None for any other."""
    from instances.outgoing.limits import OutgoingError, TooSlow
    from instances.outgoing.transport import CallRefused, Redirected

    ended = next((each for each in _chain(error) if isinstance(each, OutgoingError)), None)
    if ended is None:
        return None
    if isinstance(ended, CallRefused):
        return ProviderError(ErrorKind.NOT_ALLOWED, str(ended))
    message = ended.at(endpoint.base_url, scrub=lambda text: scrub(text, endpoint.api_key))
    if isinstance(ended, Redirected):
        advice = translatable("Enter that address in Settings if it is right.")
        return ProviderError(ErrorKind.BAD_REQUEST, sentences(message, advice))
    kind = ErrorKind.TIMEOUT if isinstance(ended, TooSlow) else ErrorKind.UNUSABLE_ANSWER
    return ProviderError(kind, message)


def why_unreachable(error: BaseException, server: str) -> TranslatableText:
    """Return why no answer came from *server*, in a sentence that says what to check."""
    for cause in _chain(error):
        if isinstance(cause, ConnectionRefusedError):
            return translatable(
                "%(server)s did not answer: connection refused. Is the server running?",
                server=server,
            )
        if isinstance(cause, socket.gaierror):
            return translatable(
                "%(server)s did not answer: there is no such host. Check the address.",
                server=server,
            )
        if isinstance(cause, ssl.SSLError):
            return translatable(
                "%(server)s did not answer: no secure connection could be made. Is it http "
                "instead of https?",
                server=server,
            )
        if isinstance(cause, OSError) and cause.errno is not None and not cause.filename:
            return translatable(
                "%(server)s did not answer: %(reason)s. Check the address.",
                server=server,
                reason=(cause.strerror or "network error").lower(),
            )
    return translatable(
        "%(server)s did not answer: the connection was closed before an answer came. Check that "
        "the server works.",
        server=server,
    )


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        yield error
        seen.add(id(error))
        error = error.__cause__ or error.__context__


def _error_object(error: "APIStatusError") -> object:
    """The error object of an answer in the API's format, ``{"error": {"message": …}}``; None for
    any other answer. Gemini puts it in a list, and old versions of vLLM omit the outer object.
    """
    try:
        body = parse(error.response.content)
    except (ValueError, RecursionError):
        return None
    if isinstance(body, list) and len(body) == 1:
        body = body[0]
    if not isinstance(body, dict):
        return None
    candidate = body if body.get("object") == "error" else body.get("error")
    return candidate if _is_error_object(candidate) else None


def _is_error_object(value: object) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("message"), str)


def _provider_words(body: object, depth: int = 0) -> str:
    """Find the sentence in an error body; each family of servers puts it somewhere else."""
    if depth > 4:
        return ""
    if isinstance(body, str):
        return "" if body.lstrip().startswith("<") else body
    if isinstance(body, list):
        return "; ".join(filter(None, (_provider_words(item, depth + 1) for item in body[:3])))
    if isinstance(body, Mapping):
        words = next(
            filter(None, (_provider_words(body.get(k), depth + 1) for k in _WORDS_UNDER)), ""
        )
        where = body.get("param") or body.get("loc")
        if isinstance(where, list):
            where = ".".join(str(part) for part in where)
        if words and isinstance(where, str) and where not in words:
            words = f"{words} ({where})"
        return words
    return ""


def _labels(body: object, endpoint: Endpoint) -> dict[str, str]:
    """The type, parameter and code of an error object, scrubbed like its words."""
    if not isinstance(body, Mapping):
        return {}
    values = {name: body.get(name) for name in ("type", "param", "code")}
    return {
        name: scrub(str(value), endpoint.api_key)[:200]
        for name, value in values.items()
        if isinstance(value, str | int)
    }


_WORDS_UNDER = ("message", "error", "detail", "msg")


def _retry_after(error: "APIStatusError") -> float | None:
    """Read Retry-After, which is a number of seconds or an HTTP date (RFC 9110, 10.2.3)."""
    headers = error.response.headers
    value: str = headers.get("retry-after", "")
    try:
        seconds = float(value)
    except ValueError:
        try:
            now = parsedate_to_datetime(headers["date"])
            seconds = (parsedate_to_datetime(value) - now).total_seconds()
        except (KeyError, TypeError, ValueError):
            return None
    return max(seconds, 0.0) if math.isfinite(seconds) else None
