"""Log lines name no end user, and no search, whatever becomes of a request."""

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import IntegrityError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path, re_path
from psycopg import errors
from pytest_django import Settings

from instances.models import Instance, User
from memoryapp import urls
from memoryapp.api.ninja_api import KeepsakeAPI
from tests.api.conftest import key_of
from tests.telemetry.test_logs import Lines, logged
from tests.web.access_table import API_METHODS, addresses

__all__ = ["logged"]

PERSON, WORDS = "person-Walpurga", "gooseberries"
QUERY = f"?user_id={PERSON}&end_user={PERSON}&q={WORDS}"


def breaks(request: HttpRequest, user: str) -> HttpResponse:
    """Fail in the way that the address names."""
    kinds: dict[str, Exception] = {
        "403": PermissionDenied(),
        "400": SuspiciousOperation(),
        "500": ZeroDivisionError(),
        "503": OperationalError("the server closed the connection"),
    }
    error = kinds[request.GET["as"]]
    raise error from errors.AdminShutdown()


urlpatterns = [
    *urls.urlpatterns,
    path("breaks/<str:user>", breaks),
    re_path(r"^also/(?P<user>[^/]+)/breaks/?$", breaks),
]
handler400, handler500 = urls.handler400, urls.handler500


def assert_silent(lines: Lines) -> None:
    assert PERSON not in lines.text
    assert WORDS not in lines.text


@pytest.mark.parametrize("form", ["json", "console"])
@pytest.mark.parametrize("kind", ["400", "403", "500", "503"])
def test_failed_requests_are_logged_without_whom_they_are_about(
    kind: str, form: str, as_alice: Client, logged: Callable[..., Lines], settings: Settings
) -> None:
    settings.ROOT_URLCONF = __name__
    as_alice.raise_request_exception = False
    lines = logged(form)
    for address in (f"/breaks/{PERSON}", f"/also/{PERSON}/breaks"):
        response = as_alice.get(f"{address}{QUERY}&as={kind}")
        assert response.status_code == int(kind)
    assert_silent(lines)
    # Lines for people name only requests that the server could not answer.
    if form == "json" or kind.startswith("5"):
        assert "/breaks/<user>" in lines.text
        assert "/also/<user>/breaks" in lines.text


def test_no_address_is_logged_with_whom_it_is_about(
    instance: Instance, alice: User, logged: Callable[..., Lines]
) -> None:
    program = key_of(instance)[1]
    keyed = Client(
        headers={"Authorization": f"Bearer {program.secret}"}, raise_request_exception=False
    )
    # Without the token against forged requests, which Django itself logs.
    person = Client(enforce_csrf_checks=True, raise_request_exception=False)
    person.force_login(alice)
    lines = logged()
    asked = 0
    for address in addresses():
        if "/<str" in address.route or "<name>" in address.route or "(?P<" in address.route:
            route = address.route.replace("^", "").replace("$", "").replace("/?", "")
            for parameter in address.parameters:
                start = route.index(parameter)
                begin = max(route.rfind("<", 0, start), 0)
                begin = begin - 2 if route[begin - 2 : begin] == "(?" else begin
                end = route.index(">", start) + 1
                route = route[:begin] + PERSON + route[end:]
            for method in API_METHODS:
                for client in (keyed, person, Client(raise_request_exception=False)):
                    client.generic(method, f"/{route}{QUERY}", b"{}", "application/json")
                    asked += 1
    for unknown in (f"/nowhere/{PERSON}", f"/api/{PERSON}", f"/v1/{PERSON}", f"/v3/{PERSON}/"):
        for client in (keyed, person):
            assert client.get(f"{unknown}{QUERY}").status_code == 404
    for method in ("GET", "POST"):
        person.generic(method, f"/memory{QUERY}&instance=desk", b"", "text/plain")
    assert asked > 50
    assert len(lines.named("request")) > 50
    assert_silent(lines)


def test_conflicts_are_logged_without_the_row(client: Client, logged: Callable[..., Lines]) -> None:
    lines = logged()
    request = client.get(f"/api/memories{QUERY}").wsgi_request
    error = IntegrityError(f"duplicate key\nDETAIL:  Key (end_user)=({PERSON}) already exists.")
    assert (
        KeepsakeAPI(urls_namespace="of this test").on_exception(request, error).status_code == 409
    )
    assert "conflicts with another request" in lines.text
    assert_silent(lines)
