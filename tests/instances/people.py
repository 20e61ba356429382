"""Helpers that invite people, open their password links, and sign in."""

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
    """Return the path of the link on the page."""
    pattern = r">http://testserver(/accounts/set-password\?token=[^<]+)<"
    match = re.search(pattern, page(response))
    assert match, page(response)
    return match[1]


def page(response: Any) -> str:
    return str(response.content.decode())


def token_in(link: str) -> str:
    return link.partition("token=")[2]


def choose(client: Client, link: str, password: str = PASSWORD) -> Any:
    fields = {"token": token_in(link), "new_password1": password, "new_password2": password}
    return client.post("/accounts/set-password", fields)


def invite(client: Client, username: str = "eve", **fields: str) -> str:
    response = client.post("/server/people/invite", {"username": username} | fields)
    assert response.status_code == 302
    return link_in(client.get(response["Location"]))


def can_sign_in(username: str, password: str) -> bool:
    client = Client()
    client.post("/accounts/login", {"login": username, "password": password})
    return client.get("/account").status_code == 200


def reset(client: Client, person: User) -> str:
    response = client.post(f"/server/people/{person.pk}/link")
    assert response["Location"] == f"/server/people/{person.pk}"
    return link_in(client.get(response["Location"]))
