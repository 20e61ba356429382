"""The pages of those for whom something went wrong: they say what to do."""

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from pytest_django import Settings

from instances.models import Instance
from memoryapp import urls


def refuses(request: HttpRequest) -> HttpResponse:
    raise PermissionDenied


def doubts(request: HttpRequest) -> HttpResponse:
    raise SuspiciousOperation


urlpatterns = [*urls.urlpatterns, path("refuses", refuses), path("doubts", doubts)]


def test_a_form_that_is_out_of_date_says_what_to_do(instance: Instance) -> None:
    client = Client(enforce_csrf_checks=True)
    response = client.post("/accounts/login", {"username": "alice"})
    page = response.content.decode()
    assert response.status_code == 403
    assert "Nothing was changed" in page
    assert "reload it" in page
    assert "CSRF verification" not in page


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [("/refuses", 403, "You may not do this"), ("/doubts", 400, "could not make sense")],
)
def test_errors_have_pages_of_the_house(
    address: str, status: int, words: str, as_alice: Client, settings: Settings
) -> None:
    settings.ROOT_URLCONF = __name__
    response = as_alice.get(address)
    assert response.status_code == status
    assert words in response.content.decode()
    assert 'href="/"' in response.content.decode()


def test_a_name_that_is_not_ours_is_refused_before_anybody_is_known() -> None:
    response = Client().get("/accounts/login", headers={"host": "elsewhere.example.org"})
    assert response.status_code == 400
    assert "could not make sense" in response.content.decode()
