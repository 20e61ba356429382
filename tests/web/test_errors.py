"""Error pages: they say what to do."""

import psycopg
import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.test import Client
from django.urls import path
from pytest_django import Settings

from instances.models import Instance, User
from instances.models.keys import ApiKeyQuerySet
from memoryapp import urls


def refuses(request: HttpRequest) -> HttpResponse:
    raise PermissionDenied


def doubts(request: HttpRequest) -> HttpResponse:
    raise SuspiciousOperation


def loses_the_database(request: HttpRequest) -> HttpResponse:
    raise OperationalError("the server closed the connection") from psycopg.OperationalError()


def meets_another(request: HttpRequest) -> HttpResponse:
    raise OperationalError("deadlock") from psycopg.errors.DeadlockDetected()


urlpatterns = [
    *urls.urlpatterns,
    path("refuses", refuses),
    path("doubts", doubts),
    path("loses", loses_the_database),
    path("meets", meets_another),
]
handler400 = urls.handler400
handler500 = urls.handler500


def test_expired_form_explains_what_to_do(instance: Instance) -> None:
    client = Client(enforce_csrf_checks=True)
    response = client.post("/accounts/login", {"login": "alice"})
    page = response.content.decode()
    assert response.status_code == 403
    assert "Nothing was changed" in page
    assert "reload it" in page
    assert "CSRF verification" not in page


def test_expired_form_keeps_the_navigation_of_a_signed_in_user(alice: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    response = client.post("/instances/new", {"name": "Too late"})
    assert response.status_code == 403
    assert "Nothing was changed" in response.content.decode()
    assert 'class="rail"' in response.content.decode()


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [("/refuses", 403, "You may not do this"), ("/doubts", 400, "could not make sense")],
)
def test_error_pages_use_the_layout(
    address: str, status: int, words: str, as_alice: Client, settings: Settings
) -> None:
    settings.ROOT_URLCONF = __name__
    response = as_alice.get(address)
    assert response.status_code == status
    page = response.content.decode()
    assert words in page
    assert 'href="/"' in page
    assert 'class="rail"' in page


def test_unknown_host_is_rejected_before_authentication() -> None:
    response = Client().get("/accounts/login", headers={"host": "elsewhere.example.org"})
    assert response.status_code == 400
    assert "could not make sense" in response.content.decode()


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [("/loses", 503, "database does not answer"), ("/meets", 500, "Something went wrong")],
)
def test_unreachable_database_is_503(
    address: str, status: int, words: str, alice: User, settings: Settings
) -> None:
    settings.ROOT_URLCONF = __name__
    client = Client(raise_request_exception=False)
    client.force_login(alice)
    response = client.get(address)
    assert response.status_code == status
    assert words in response.content.decode()
    assert response.get("Retry-After") == ("5" if status == 503 else None)


@pytest.mark.parametrize("address", ["/api/memories?instance_id=desk", "/v1/models"])
def test_api_errors_are_json(
    address: str, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*args: object) -> None:
        raise OperationalError("gone") from psycopg.errors.AdminShutdown()

    monkeypatch.setattr(ApiKeyQuerySet, "opened_by", away)
    response = Client().get(address, headers={"Authorization": "Bearer ks_anything"})
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert "The database does not answer" in response.content.decode()
    assert response.json().get("code", response.json().get("error", {}).get("code")) == (
        "unavailable"
    )


@pytest.mark.parametrize("address", ["/nowhere", "/server/people", "/accounts/set-password"])
def test_error_pages_keep_the_navigation_of_a_signed_in_user(
    address: str, as_alice: Client
) -> None:
    signed_in, stranger = as_alice.get(address), Client().get("/accounts/set-password")
    assert signed_in.status_code in (403, 404)
    assert 'class="rail"' in signed_in.content.decode()
    assert "data-back" in signed_in.content.decode()
    assert 'class="rail"' not in stranger.content.decode()
    assert 'class="brand"' in stranger.content.decode()


def test_early_rejection_needs_no_user() -> None:
    assert "There is nothing here" in render_to_string("404.html")
    assert "You may not do this" in render_to_string("403.html")
