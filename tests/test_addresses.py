"""An address with a slash at its end leads to the one without, and `/admin` to `/admin/`."""

import re

import pytest
from django.test import Client

from instances.models import Instance, User
from tests.web.access_table import addresses

#: What stands for a parameter of any type.
FILLINGS = {"int": "7", "slug": "desk", "uuid": "6c7c1f0e-7a55-4f0e-9d0a-1e5a4d3b2c1d", "str": "x"}


def paths() -> list[str]:
    """An address of each URL pattern without regular expressions."""
    found = []
    for address in addresses():
        path = "/" + re.sub(
            r"<(?:(\w+):)?\w+>", lambda m: FILLINGS.get(m[1] or "str", "x"), address.route
        )
        if not re.search(r"[\^$(\\]", path) and not address.name.endswith("nowhere"):
            found.append(path)
    return sorted(set(found))


def test_each_address_leads_to_the_spelling_that_is_served(client: Client) -> None:
    """Those of the APIs are answered at both, since programs do not follow redirects."""
    assert len(paths()) > 300
    for path in paths():
        if path == "/" or path.startswith(("/.well-known/", "/oauth/register/")):
            continue
        other = path.removesuffix("/") if path.endswith("/") else f"{path}/"
        for method in ("get", "head", "post"):
            response = getattr(client, method)(f"{other}?a=1&b=%2F")
            if re.match("/(api|v1|v2|v3|mcp|memories|search|entities|configure)(/|$)", path):
                assert response.status_code != 301, path
                if path != "/api/docs":
                    continue
            assert response.status_code == 308, f"{method} {other}: {response.status_code}"
            assert response["Location"] == f"{path}?a=1&b=%2F", other


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("/memory/palace?instance=desk&q=a%2Fb", "/conversations/palace?instance=desk&q=a%2Fb"),
        ("/memory/palace/drawers/7", "/conversations/palace/drawers/7"),
        ("/memory/palace/", "/conversations/palace"),
        ("/memory/bin?instance=desk", "/memory/removed/bin?instance=desk"),
        ("/memory/bin/restore?instance=desk", "/memory/removed/bin/restore?instance=desk"),
        ("/memory/refused/7/keep", "/memory/removed/refused/7/keep"),
        ("/memory/never-again", "/memory/removed/blocked"),
        ("/memory/rollback?instance=desk", "/memory/removed/rollback?instance=desk"),
        ("/memory/health?instance=desk", "/status/health?instance=desk"),
        ("/memory/health/merge?instance=desk", "/status/health/merge?instance=desk"),
        ("/usage?range=7", "/status/usage?range=7"),
        ("/jobs/", "/status/jobs"),
    ],
)
def test_addresses_of_before_lead_to_where_the_screens_are(
    client: Client, before: str, now: str
) -> None:
    for method in (client.get, client.post):
        response = method(before)
        assert (response.status_code, response["Location"]) == (308, now)


@pytest.mark.parametrize("path", ["/memory/palaces", "/memory/palace/nowhere", "/jobs/7"])
def test_only_what_moved_is_redirected(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    ("typed", "leads"),
    [
        ("/memory/", "/memory"),
        ("/memory///", "/memory"),
        ("/instances/", "/instances"),
        ("/chat/", "/chat"),
        ("/accounts/login/", "/accounts/login"),
        ("/api/docs/", "/api/docs"),
        ("/login", "/accounts/login"),
        ("/login/", "/accounts/login"),
        ("/api", "/api/docs"),
        ("/status", "/status/health"),
        ("/admin", "/admin/"),
        ("/admin/memoryapp/memory", "/admin/memoryapp/memory/"),
    ],
)
def test_what_people_type_leads_to_a_screen(typed: str, leads: str, dana: User) -> None:
    client = Client()
    client.force_login(dana)
    chain = client.get(typed, follow=True).redirect_chain
    assert leads in [address.partition("?")[0] for address, _ in chain]


@pytest.mark.parametrize(
    "path", ["/nowhere", "/nowhere/", "/memory/x/y/", "/admin/no/", "/admin/no"]
)
def test_unknown_addresses_stay_unknown(path: str, dana: User) -> None:
    client = Client()
    client.force_login(dana)
    assert client.get(path).status_code == 404


def test_a_form_is_not_lost(as_alice: Client, instance: Instance) -> None:
    response = as_alice.post(
        "/memory/new/?instance=desk",
        {"content": "The user sails.", "category": "fact", "importance": 5},
        follow=True,
    )
    assert response.redirect_chain[0] == ("/memory/new?instance=desk", 308)
    assert instance.memories.filter(content="The user sails.").exists()


def test_apis_answer_with_a_slash_as_without(as_alice: Client, instance: Instance) -> None:
    for path in ("/api/memories?instance_id=desk", "/api/memories/?instance_id=desk"):
        assert as_alice.get(path).status_code == 200
    assert as_alice.get("/api/").json()["code"] == "not_found"
