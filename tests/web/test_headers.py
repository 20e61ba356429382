"""Security headers of every kind of response."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from instances.models import Instance, User
from memoryapp.models import Memory

POLICY = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
}

ANSWERS: dict[str, Callable[[Client], Any]] = {
    "a page": lambda client: client.get("/memory?instance=desk"),
    "a fragment": lambda client: client.get(
        "/memory?instance=desk", headers={"HX-Request": "true"}
    ),
    "a redirect": lambda client: client.get("/"),
    "the login page": lambda client: Client().get(reverse("login")),
    "not found": lambda client: client.get("/nowhere"),
    "the API": lambda client: client.get("/api/memories?instance_id=desk"),
    "an error of the API": lambda client: Client().get("/api/memories"),
    "the people": lambda client: client.get("/server/people"),
    "a static file": lambda client: client.get("/static/css/keepsake.css"),
    "a probe": lambda client: Client().get("/healthz"),
    "a refused form": lambda client: Client(enforce_csrf_checks=True).post(reverse("login")),
    "a wrong method": lambda client: client.post("/healthz"),
}


@pytest.fixture
def as_dana(client: Client, dana: User, instance: Instance, static_files: None) -> Client:
    client.force_login(dana)
    return client


@pytest.mark.parametrize("kind", ANSWERS)
def test_every_response_has_the_headers(kind: str, as_dana: Client) -> None:
    headers = ANSWERS[kind](as_dana).headers
    assert set(headers["Content-Security-Policy"].split("; ")) == POLICY
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "camera=()" in headers["Permissions-Policy"]
    assert "Strict-Transport-Security" not in headers


def test_only_static_files_are_cacheable(as_dana: Client) -> None:
    for kind, ask in ANSWERS.items():
        stored = "no-store" not in ask(as_dana).headers["Cache-Control"]
        assert stored == (kind == "a static file"), kind


def test_server_error_has_the_headers_too(as_dana: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(Memory.objects, "in_instance", broken)
    as_dana.raise_request_exception = False
    answer = as_dana.get("/memory?instance=desk")
    assert answer.status_code == 500
    assert "no-store" in answer.headers["Cache-Control"]
    assert set(answer.headers["Content-Security-Policy"].split("; ")) == POLICY


@override_settings(SECURE_SSL_REDIRECT=True, SECURE_HSTS_SECONDS=3600)
def test_https_redirects_browsers_but_not_probes(client: Client, db: None) -> None:
    assert client.get("/memory")["Location"] == "https://testserver/memory"
    assert client.get("/healthz").status_code == 200
    answer = client.get(reverse("login"), secure=True)
    assert answer.headers["Strict-Transport-Security"] == "max-age=3600"


def test_only_api_docs_allow_images_in_the_stylesheet(as_dana: Client) -> None:
    policy = set(as_dana.get("/api/docs").headers["Content-Security-Policy"].split("; "))
    assert policy - POLICY == {"img-src 'self' data:"}
