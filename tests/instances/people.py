"""Inviting people, opening their password links, and signing in."""

import re
from typing import Any

from django.test import Client

from instances.models import User

PASSWORD = "a-kettle-in-the-attic"


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def link_in(response: Any) -> str:
    """The link on the page, without the server's name."""
    pattern = r">http://testserver(/accounts/set-password\?token=[^<]+)<"
    found = re.search(pattern, page(response))
    assert found, page(response)
    return found[1]


def page(response: Any) -> str:
    return str(response.content.decode())


def token_in(link: str) -> str:
    return link.partition("token=")[2]


def choose(client: Client, link: str, password: str = PASSWORD) -> Any:
    fields = {"token": token_in(link), "new_password1": password, "new_password2": password}
    return client.post("/accounts/set-password", fields)


def invite(client: Client, username: str = "eve", **fields: str) -> str:
    made = client.post("/server/people/invite", {"username": username} | fields)
    assert made.status_code == 302
    return link_in(client.get(made["Location"]))


def can_sign_in(username: str, password: str) -> bool:
    client = Client()
    client.post("/accounts/login", {"login": username, "password": password})
    return client.get("/account").status_code == 200


def reset(client: Client, person: User) -> str:
    made = client.post(f"/server/people/{person.pk}/link")
    assert made["Location"] == f"/server/people/{person.pk}"
    return link_in(client.get(made["Location"]))
