import json
import logging
import pickle
import socket
import traceback
from dataclasses import replace
from email.utils import formatdate

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai import APIResponseValidationError, RateLimitError

from instances.presets import PRESETS
from instances.provider_urls import base_url_problem
from memoryapp.providers import chat
from memoryapp.providers.embeddings import OpenAIEmbedder
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import (
    MAX_SCRUBBED_CHARACTERS,
    SCRUBBED,
    ErrorKind,
    ProviderError,
    from_error_object,
    from_openai,
    from_status,
    scrub,
)
from tests.providers.conftest import KEY
from tests.scripted_provider import ScriptedProvider

ENDPOINT = Endpoint("custom", "http://localhost:11434/v1", KEY, "llama")


@pytest.mark.parametrize(
    ("fault", "kind", "retryable"),
    [
        ("429", ErrorKind.RATE_LIMITED, True),
        ("500", ErrorKind.SERVER_ERROR, True),
        ("401", ErrorKind.UNAUTHORIZED, False),
        ("hang", ErrorKind.TIMEOUT, True),
        ("drop", ErrorKind.UNREACHABLE, True),
        ("truncated_json", ErrorKind.UNUSABLE_ANSWER, True),
        ("html", ErrorKind.UNUSABLE_ANSWER, True),
        ("empty", ErrorKind.UNUSABLE_ANSWER, True),
        ("error_in_200", ErrorKind.SERVER_ERROR, True),
    ],
)
@pytest.mark.parametrize("call", ["chat", "embeddings"])
def test_each_fault_has_its_kind(
    server: ScriptedProvider,
    chat_endpoint: Endpoint,
    call: str,
    fault: str,
    kind: ErrorKind,
    retryable: bool,
) -> None:
    server.fail_next(fault)
    with pytest.raises(ProviderError) as caught:
        if call == "chat":
            chat.check_chat(chat_endpoint, timeout=0.3)
        else:
            OpenAIEmbedder(chat_endpoint, timeout=0.3).embed(["text"])
    assert (caught.value.kind, caught.value.retryable) == (kind, retryable)
    assert len(server.requests) == 1, "the client retried by itself"


@pytest.mark.parametrize(
    ("status", "code", "kind", "retryable"),
    [
        (400, "", ErrorKind.BAD_REQUEST, False),
        (402, "", ErrorKind.RATE_LIMITED, False),
        (403, "", ErrorKind.UNAUTHORIZED, False),
        (404, "", ErrorKind.BAD_REQUEST, False),
        (408, "", ErrorKind.TIMEOUT, True),
        (409, "", ErrorKind.SERVER_ERROR, True),
        (413, "", ErrorKind.BAD_REQUEST, False),
        (422, "", ErrorKind.BAD_REQUEST, False),
        (429, "insufficient_quota", ErrorKind.RATE_LIMITED, False),
        (503, "", ErrorKind.SERVER_ERROR, True),
        (504, "", ErrorKind.TIMEOUT, True),
        (529, "", ErrorKind.SERVER_ERROR, True),
    ],
)
def test_each_status_has_its_kind(status: int, code: str, kind: ErrorKind, retryable: bool) -> None:
    error = from_status(status, ENDPOINT, code=code, detail="Because.")
    assert (error.kind, error.retryable, error.status) == (kind, retryable, status)
    assert str(status) in str(error) and "Because." in str(error)


def closed_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@pytest.mark.parametrize(
    ("base_url", "kind", "words"),
    [
        ("http://127.0.0.1:{}/v1", ErrorKind.UNREACHABLE, "connection refused. Is the server"),
        ("http://nowhere.invalid/v1", ErrorKind.UNREACHABLE, "no such host"),
        ("", ErrorKind.BAD_REQUEST, "missing"),
        ("localhost:11434/v1", ErrorKind.BAD_REQUEST, "http://"),
        ("ftp://localhost/v1", ErrorKind.BAD_REQUEST, "http://"),
        ("http://localhost:99999/v1", ErrorKind.BAD_REQUEST, "not a valid URL"),
        ("http://[::1/v1", ErrorKind.BAD_REQUEST, "not a valid URL"),
        ("http://user:hunter22@localhost/v1", ErrorKind.BAD_REQUEST, "password"),
        ("http://localhost/v1?key=hunter22", ErrorKind.BAD_REQUEST, "field of its own"),
        ("http://localhost/v1/chat/completions", ErrorKind.BAD_REQUEST, "Leave"),
    ],
)
def test_wrong_urls_are_explained(base_url: str, kind: ErrorKind, words: str) -> None:
    endpoint = replace(ENDPOINT, base_url=base_url.format(closed_port()))
    with pytest.raises(ProviderError) as caught:
        chat.check_chat(endpoint)
    assert caught.value.kind == kind
    assert words in str(caught.value)
    assert "hunter22" not in str(caught.value)


def test_preset_urls_are_valid() -> None:
    assert [slug for slug, preset in PRESETS.items() if base_url_problem(preset.base_url)] == [
        "custom"
    ]
    assert not any(preset.base_url.endswith("/") for preset in PRESETS.values())


@pytest.mark.parametrize("key", ["schlüssel-12345678", "sk-abc def-12345678", "sk-abc\nX-Evil: 1"])
def test_unsendable_key_is_rejected_without_a_call(
    server: ScriptedProvider, chat_endpoint: Endpoint, key: str
) -> None:
    with pytest.raises(ProviderError, match="Paste it again") as caught:
        chat.check_chat(replace(chat_endpoint, api_key=key))
    assert caught.value.kind == ErrorKind.UNAUTHORIZED
    assert key not in str(caught.value)
    assert not server.requests


def test_environment_key_is_not_sent_to_another_server(
    chat_endpoint: Endpoint, server: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer operators-own-secret")
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "operators-own-secret")
    with pytest.raises(ProviderError, match="wants a key"):
        chat.check_chat(replace(chat_endpoint, api_key=""))
    assert "operators-own-secret" not in str(server.requests[-1].headers)


ECHOED = [
    f"Incorrect API key provided: {KEY}.",
    f"Incorrect API key provided: {KEY[:7]}********{KEY[-4:]}.",
    f"Incorrect API key provided: {KEY[:4]}...{KEY[-4:]}",
    f"The key ending in {KEY[-4:]} has no access",
    f"Invalid header Authorization: Bearer {KEY}",
    f"token={KEY}&model=x",
    f"key fragment {KEY[5:14]} unknown",
]


def all_representations(error: ProviderError) -> str:
    """Return everything that a log, debugger or error page prints of an exception."""
    texts = [str(error), repr(error), repr(error.args), repr(vars(error)), error.detail]
    texts += traceback.format_exception(error)
    cause = error.__cause__ or error.__context__
    while cause is not None:
        texts.append(repr(cause))
        cause = cause.__cause__ or cause.__context__
    return "\n".join(texts)


@pytest.mark.parametrize("words", ECHOED)
@pytest.mark.parametrize("status", [400, 403, 404, 429, 500])
def test_echoed_key_is_redacted(words: str, status: int) -> None:
    texts = all_representations(from_status(status, ENDPOINT, detail=words))
    assert not any(KEY[i : i + 6] in texts for i in range(len(KEY) - 5))
    assert KEY[-4:] not in texts


@pytest.mark.parametrize("fault", ["401", "429", "500", "drop", "hang", "html", "truncated_json"])
def test_key_is_not_in_a_real_failure(
    server: ScriptedProvider,
    chat_endpoint: Endpoint,
    fault: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    server.fail_next(fault)
    with pytest.raises(ProviderError) as caught:
        chat.check_chat(chat_endpoint, timeout=0.3)
    logging.getLogger("ours").error("It failed", exc_info=caught.value)
    for texts in (all_representations(caught.value), caplog.text, repr(chat_endpoint)):
        assert KEY not in texts
        assert KEY[-4:] not in texts
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


@given(
    key=st.text("abcdefghijkLMNOPQRSTU0123456789_-", min_size=16, max_size=60),
    before=st.text("aZ0-_*.…: \n\"'é", max_size=20),
    after=st.text("aZ0-_*.…: \n\"'é", max_size=20),
)
def test_key_is_redacted_in_any_context(key: str, before: str, after: str) -> None:
    assert key not in scrub(f"{before}{key}{after}", key)


@pytest.mark.parametrize(
    "key",
    [
        "sk-proj-Ab12Cd34Ef56Gh78",
        "sk-ant-api03-Ab12Cd34",
        "sk-or-v1-0123456789abcdef",
        "gsk_Ab12Cd34Ef56",
        "AKIAIOSFODNN7EXAMPLE",
        "AIzaSyA-1234567890abcdefg",
        "ABSKQmVkcm9ja0FQSUtleS1hYmM=",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
        "0123456789abcdef0123456789abcdef",
        "sk-a********wxyz",
    ],
)
def test_keys_are_redacted_by_format(key: str) -> None:
    assert scrub(f"Key {key} is not known.") == f"Key {SCRUBBED} is not known."


@pytest.mark.parametrize("key", [KEY, "local-key"])
def test_truncation_leaves_no_part_of_a_key(key: str) -> None:
    for before in range(MAX_SCRUBBED_CHARACTERS - len(key), MAX_SCRUBBED_CHARACTERS + 1):
        redacted = scrub("." * before + f"{key} is not known. " * 100, key)
        assert len(redacted) <= MAX_SCRUBBED_CHARACTERS
        assert not set(redacted) & set(key)


@pytest.mark.parametrize(
    "words",
    [
        f"{'a' * 300}***wxyz",
        "a***wxyz***stuv",
        "see a ***wxyz",
        "……4f2a",
        "key....4f2a",
        f"{'-' * 50}a****",
        f"eyJ{'a' * 400}.b.c",
    ],
)
def test_masked_keys_of_any_length_are_redacted(words: str) -> None:
    remaining = scrub(words).replace(SCRUBBED, "")
    assert not any(part in remaining for part in ("wxyz", "stuv", "4f2a", "aa", ".b"))


@pytest.mark.parametrize(
    "words",
    [
        "The model claude-haiku-4-5-20251001 does not exist.",
        "'response_format.type' must be 'text'",
        "This model's maximum context length is 8192 tokens, you asked for 9001.",
        "model nomic-embed-text-v1.5 not found, try pulling it first",
    ],
)
def test_plain_words_of_the_provider_are_kept(words: str) -> None:
    assert scrub(words, KEY) == words


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({}, None),
        ({"retry-after": formatdate(1030, usegmt=True), "date": formatdate(1000, usegmt=True)}, 30),
    ],
)
def test_retry_after(headers: dict[str, str], expected: float | None) -> None:
    response = httpx2.Response(
        429, headers=headers, request=httpx2.Request("POST", "http://localhost")
    )
    error = RateLimitError("slow down", response=response, body=None)
    assert from_openai(error, ENDPOINT).retry_after == expected


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({"error": {"message": "No\n such model."}}, "No such model."),
        ([{"error": {"message": "No such model.", "code": 404}}], "No such model."),
        ({"object": "error", "message": "No such model."}, "No such model."),
        (
            {"error": {"message": "Not supported.", "param": "response_format"}},
            "Not supported. (response_format)",
        ),
    ],
)
def test_message_of_an_error_object_is_shown(body: object, detail: str) -> None:
    error = refused(body)
    assert error.detail == error.hint == detail
    assert detail in str(error)


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        ({"message": "internal: secret"}, "internal: secret"),
        ({"error": "internal: secret"}, "internal: secret"),
        (
            {"detail": [{"loc": ["body", "response_format"], "msg": "Not permitted"}]},
            "Not permitted (body.response_format)",
        ),
        ({"error": {"detail": "internal: secret"}}, "internal: secret"),
        ([{"error": {"message": "a"}}, {"error": {"message": "b"}}], "a; b"),
        ("  plain\n words ", "plain words"),
        ("<html>Bad gateway</html>", ""),
        ({"unknown": 1, "code": "internal", "type": "internal"}, ""),
        (None, ""),
        ([], ""),
    ],
)
def test_other_bodies_are_not_shown(body: object, hint: str) -> None:
    """The body may come from any reachable server. Only a rejected parameter is detected."""
    error = refused(body)
    assert (error.detail, error.labels, error.hint) == ("", {}, hint)
    assert not hint or hint not in str(error)


def refused(body: object) -> ProviderError:
    """Return the error that the client raises for status 429 with *body*."""
    content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    response = httpx2.Response(
        429, content=content, request=httpx2.Request("POST", "http://localhost")
    )
    inside = body.get("error", body) if isinstance(body, dict) else body
    return from_openai(RateLimitError("429", response=response, body=inside), ENDPOINT)


def test_malformed_error_in_a_200_is_not_shown() -> None:
    error = from_error_object("internal: secret", ENDPOINT)
    assert "internal" not in str(error) + error.detail
    assert from_error_object({"message": "Overloaded.", "code": 503}, ENDPOINT).status == 503


def test_unexpected_client_error_becomes_a_provider_error() -> None:
    response = httpx2.Response(200, request=httpx2.Request("POST", "http://localhost"))
    error = from_openai(APIResponseValidationError(response, body=None), ENDPOINT)
    assert error.kind == ErrorKind.UNUSABLE_ANSWER


def test_error_can_be_pickled() -> None:
    error = from_status(429, ENDPOINT, retry_after=3.0, detail="slow")
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 (our own bytes)
    assert (str(copy), copy.kind, copy.retryable, copy.retry_after, copy.detail) == (
        str(error),
        ErrorKind.RATE_LIMITED,
        True,
        3.0,
        "slow",
    )
