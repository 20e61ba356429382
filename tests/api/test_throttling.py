"""The rate limit of API keys."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.test import Client
from pytest_django import Settings

from instances.models import Instance, User
from memoryapp.api import throttling
from tests.api.conftest import Program, key_of


@pytest.fixture(autouse=True)
def one_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """Freeze the rate-limit window, so that a slow test stays within one minute."""
    monkeypatch.setattr(throttling, "WINDOW_SECONDS", 10**7)


def test_request_over_the_limit_is_429_with_retry_after(
    program: Program, settings: Settings
) -> None:
    settings.API_RATE_LIMIT = 3
    for _ in range(3):
        program.send("GET", "me")
    response = program.ask("POST", "memories", {"content": "The user keeps bees."})
    assert response.status_code == 429
    assert response.json()["code"] == "rate_limited"
    assert "3 requests a minute" in response.json()["detail"]
    assert 0 < int(response["Retry-After"]) <= 10**7
    program.send("GET", "memories/1", status=429)


def test_limit_resets_every_minute(
    program: Program, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.API_RATE_LIMIT = 1
    program.send("GET", "me")
    program.send("GET", "me", status=429)
    monkeypatch.setattr(throttling, "WINDOW_SECONDS", 10**6)
    program.send("GET", "me")


@pytest.mark.parametrize("address", ["/api/me", "/v1/models", "/v1/ping/"])
def test_headers_say_what_is_left(address: str, program: Program, settings: Settings) -> None:
    settings.API_RATE_LIMIT = 2
    headers = {"Authorization": f"Bearer {program.secret}"}
    found = []
    for _ in range(3):
        response = Client().get(address, headers=headers)
        limit = re.fullmatch(r'"key";r=(\d+);t=(\d+)', response.get("RateLimit", ""))
        assert limit, response.headers
        assert 0 < int(limit[2]) <= 10**7
        assert response["RateLimit-Policy"] == f'"key";q=2;w={10**7}'
        found.append((response.status_code, int(limit[1])))
    assert found == [(200, 1), (200, 0), (429, 0)]


@pytest.mark.parametrize(
    ("method", "address"),
    [
        ("DELETE", "/api/memories/1"),
        ("GET", "/api/health"),
        ("POST", "/v1/chat/completions"),
        ("DELETE", "/v1/memories/1/"),
        ("GET", "/api/openapi.json"),
    ],
)
def test_what_a_key_may_not_do_counts_as_well(
    method: str, address: str, instance: Instance, settings: Settings
) -> None:
    settings.API_RATE_LIMIT = 2
    key, program = key_of(instance, ["read"])
    if address == "/api/health":
        key.end_user = "ana"
        key.save()
    headers = {"Authorization": f"Bearer {program.secret}"}
    found = []
    for _ in range(3):
        response = Client().generic(method, address, headers=headers)
        found.append((response.status_code, response.get("RateLimit", "")[:9]))
    refused = 200 if address == "/api/openapi.json" else 403
    assert found == [(refused, '"key";r=1'), (refused, '"key";r=0'), (429, '"key";r=0')]
    assert 0 < int(response["Retry-After"]) <= 10**7


def test_no_headers_without_a_count(program: Program, alice: User, settings: Settings) -> None:
    client = Client()
    client.force_login(alice)
    assert "RateLimit" not in client.get("/api/me").headers
    settings.API_RATE_LIMIT = 0
    assert "RateLimit" not in program.ask("GET", "me").headers


def test_keys_are_counted_separately_and_users_are_not(
    program: Program, instance: Instance, alice: User, settings: Settings
) -> None:
    settings.API_RATE_LIMIT = 1
    program.send("GET", "me")
    program.send("GET", "me", status=429)
    key_of(instance)[1].send("GET", "me")
    client = Client()
    client.force_login(alice)
    for _ in range(3):
        assert client.get("/api/me").status_code == 200


def test_no_limit_means_no_counting(program: Program, settings: Settings) -> None:
    settings.API_RATE_LIMIT = 0
    for _ in range(5):
        program.send("GET", "me")


@pytest.mark.django_db(transaction=True)
def test_concurrent_requests_respect_the_limit(settings: Settings, alice: User) -> None:
    settings.API_RATE_LIMIT = 5
    secret = key_of(Instance.objects.create(slug="desk", name="Desk"))[1].secret

    def ask(_: int) -> int:
        try:
            return int(Program(secret).ask("GET", "me").status_code)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as threads:
        assert sorted(threads.map(ask, range(12))) == [200] * 5 + [429] * 7


@pytest.fixture
def broken_cache(settings: Settings) -> Iterator[None]:
    """A cache whose Redis does not answer."""
    down = settings.CACHES["default"] | {"LOCATION": "unix:///nowhere/redis.sock"}
    settings.CACHES = {"default": down}
    throttling.pause.end()
    yield
    throttling.pause.end()


def test_requests_are_served_without_redis(
    program: Program, settings: Settings, broken_cache: None, caplog: pytest.LogCaptureFixture
) -> None:
    settings.API_RATE_LIMIT = 1
    for _ in range(3):
        program.send("GET", "me")
    assert caplog.text.count("API requests are not counted") == 1
