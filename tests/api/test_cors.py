"""Pages of other sites call the APIs from a browser, if the settings name their site."""

import json
import re
from typing import Any

import pytest
from django.conf import settings as configured
from django.test import Client
from pytest_django.fixtures import Settings

from instances.models import User
from tests.api.conftest import Program

SITE = "https://app.example.org"
APIS = [
    "/api/memories",
    "/api/openapi.json",
    "/v1/chat/completions",
    "/v1/memories/",
    "/v2/memories/",
    "/v3/memories/add/",
    "/mcp",
    "/oauth/token",
    "/oauth/register",
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-protected-resource/mcp",
]
SCREENS = [
    "/",
    "/memory",
    "/accounts/login",
    "/api/docs",
    "/oauth/authorize",
    "/oauth/connections/1/end",
    "/memory/export",
    "/healthz",
    "/v1x",
]

pytestmark = pytest.mark.django_db


def preflight(path: str, origin: str = SITE) -> Any:
    asks = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x-user-id"}
    return Client().options(path, headers={"Origin": origin} | asks)


def grants(response: Any) -> list[str]:
    return [name for name in response.headers if name.lower().startswith("access-control-")]


@pytest.mark.parametrize("path", APIS)
def test_apis_are_open_to_the_sites_of_the_setting(path: str, settings: Settings) -> None:
    settings.CORS_ALLOWED_ORIGINS = [SITE]
    response = preflight(path)
    assert (response.status_code, response.content) == (200, b"")
    assert response["Access-Control-Allow-Origin"] == SITE
    assert response["Access-Control-Allow-Headers"] == "authorization, *"
    assert {"PATCH", "DELETE"} <= set(response["Access-Control-Allow-Methods"].split(", "))
    assert "Access-Control-Allow-Credentials" not in response
    assert grants(preflight(path, "https://other.example.org")) == []
    assert grants(preflight(path, "http://app.example.org")) == []


@pytest.mark.parametrize("path", SCREENS)
def test_screens_are_open_to_no_site(path: str, settings: Settings, client: Client) -> None:
    settings.CORS_ALLOW_ALL_ORIGINS = True
    assert grants(preflight(path)) == []
    assert grants(client.get(path, headers={"Origin": SITE})) == []


def test_no_site_is_allowed_by_default(program: Program) -> None:
    assert (configured.CORS_ALLOWED_ORIGINS, configured.CORS_ALLOW_ALL_ORIGINS) == ([], False)
    assert grants(preflight("/api/memories")) == []


def test_page_calls_the_api_with_a_key(program: Program, settings: Settings) -> None:
    settings.CORS_ALLOWED_ORIGINS = [SITE]
    headers = {"Origin": SITE, "Authorization": f"Bearer {program.secret}"}
    fact = json.dumps({"content": "The user keeps bees."})
    made = Client().post("/api/memories", fact, "application/json", headers=headers)
    refused = Client().get("/api/memories", headers={"Origin": SITE})
    assert (made.status_code, refused.status_code) == (201, 401)
    for response in (made, refused):
        assert response["Access-Control-Allow-Origin"] == SITE
        assert "origin" in response["Vary"]
    exposed = re.split(", ", made["Access-Control-Expose-Headers"])
    assert {"ETag", "Location", "RateLimit", "WWW-Authenticate", "Mcp-Session-Id"} <= set(exposed)
    assert {name for name in ("ETag", "Location", "RateLimit") if name not in made} == set()


def test_session_of_a_person_is_not_offered_to_other_sites(
    alice: User, settings: Settings, client: Client
) -> None:
    settings.CORS_ALLOW_ALL_ORIGINS = True
    client.force_login(alice)
    response = client.get("/api/me", headers={"Origin": SITE})
    # With a star and without this header, browsers show a page no answer to a request with cookies.
    assert response["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in response


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ({}, 403),
        ({"CORS_ALLOWED_ORIGINS": [SITE]}, 200),
        ({"CORS_ALLOW_ALL_ORIGINS": True}, 200),
        ({"CSRF_TRUSTED_ORIGINS": [SITE]}, 200),
        ({"CORS_ALLOWED_ORIGINS": ["https://other.example.org"]}, 403),
    ],
)
def test_mcp_takes_the_sites_of_the_setting(
    options: dict[str, Any], status: int, program: Program, settings: Settings
) -> None:
    for name, value in options.items():
        setattr(settings, name, value)
    headers = {
        "Origin": SITE,
        "Authorization": f"Bearer {program.secret}",
        "Accept": "application/json, text/event-stream",
    }
    ping = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    response = Client().post("/mcp", ping, "application/json", headers=headers)
    assert response.status_code == status, response.content
