"""Signing in by OpenID Connect, with a provider on this machine."""

import html
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from cryptography.hazmat.primitives.asymmetric import rsa
from django.test import Client
from pytest_django import Settings

from instances.models import User
from tests.instances.signin.identity_provider import (
    CLIENT_ID,
    CLIENT_SECRET,
    IdentityProvider,
    identity_provider,
)

ERIN = {"email": "erin@example.org", "email_verified": True, "preferred_username": "erin"}


@pytest.fixture
def idp(db: None, settings: Settings) -> Iterator[IdentityProvider]:
    """A provider that lets in those of example.org, and those of a group."""
    with identity_provider() as provider:
        settings.OUTGOING_ALLOW = []
        settings.OIDC_ISSUER = provider.issuer
        settings.OIDC_NAME = "Example ID"
        settings.OIDC_ALLOWED_DOMAINS = ["example.org"]
        settings.OIDC_ALLOWED_GROUPS = ["keepers"]
        app = {
            "provider_id": "oidc",
            "name": "Example ID",
            "client_id": CLIENT_ID,
            "secret": CLIENT_SECRET,
            "settings": {"server_url": provider.issuer, "oauth_pkce_enabled": True},
        }
        settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [app]}}
        provider.claims |= ERIN
        yield provider


def leave(client: Client, **form: str) -> dict[str, str]:
    """Press the button; return what goes to the provider."""
    page = client.post("/accounts/oidc", form)
    assert page.status_code == 200, page
    address = re.search(r'content="0;url=([^"]+)"', page.content.decode())
    assert address
    url = urlsplit(html.unescape(address[1]))
    assert f"{url.scheme}://{url.netloc}{url.path}" == "https://login.example.org/authorize"
    return {name: values[0] for name, values in parse_qs(url.query).items()}


def come_back(client: Client, idp: IdentityProvider, sent: dict[str, str], **query: str) -> Any:
    """Be sent back by the provider."""
    idp.claims.setdefault("nonce", sent["nonce"])
    return client.get("/accounts/oidc/callback", {"code": "c0de", "state": sent["state"]} | query)


def sign_in(client: Client, idp: IdentityProvider, **form: str) -> Any:
    idp.claims.pop("nonce", None)
    return come_back(client, idp, leave(client, **form))


def is_signed_in(client: Client) -> bool:
    return client.get("/account").status_code == 200


def said(client: Client, answer: Any) -> str:
    page = client.get(answer["Location"]) if answer.status_code == 302 else answer
    return html.unescape(page.content.decode())


def test_somebody_of_the_domain_comes_in_and_gets_an_account(
    client: Client, idp: IdentityProvider
) -> None:
    assert "Sign in with Example ID" in client.get("/accounts/login").content.decode()
    sent = leave(client, next="/account")
    assert sent["client_id"] == CLIENT_ID
    assert sent["redirect_uri"] == "http://testserver/accounts/oidc/callback"
    assert sent["code_challenge_method"] == "S256"
    assert come_back(client, idp, sent)["Location"] == "/account"
    erin = User.objects.get()
    assert (erin.username, erin.email) == ("erin", "erin@example.org")
    assert not erin.has_usable_password()
    assert not erin.is_superuser and not erin.is_staff
    assert idp.exchanged["client_secret"] == CLIENT_SECRET
    assert idp.exchanged["code_verifier"]
    page = client.get("/account").content.decode()
    assert "Example ID signs you in" in page

    again = Client()
    sign_in(again, idp)
    assert is_signed_in(again)
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    "claims",
    [
        {"email": "erin@example.com"},
        {"email": "erin@evil-example.org"},
        {"email": "erin@example.org.evil.com"},
        {"email": "erin@example.org@evil.com"},
        {"email_verified": False},
        {"email_verified": "false"},
        {"email_verified": None},
        {"email": None},
        {"email": ["erin@example.org"]},
        {"email_verified": False, "groups": ["keeper", "KEEPERS"]},
        {"email_verified": False, "groups": {"keepers": True}},
    ],
)
def test_others_do_not_come_in(
    client: Client, idp: IdentityProvider, claims: dict[str, Any]
) -> None:
    idp.claims |= claims
    answer = sign_in(client, idp)
    assert "may not sign in here" in said(client, answer) or answer.status_code == 401
    assert not is_signed_in(client)
    assert not User.objects.exists()


@pytest.mark.parametrize("groups", [["others", "keepers"], "keepers"])
def test_somebody_of_the_group_comes_in(
    client: Client, idp: IdentityProvider, groups: list[str] | str
) -> None:
    idp.claims |= {"email": "erin@example.com"}
    idp.userinfo = {"groups": groups}
    sign_in(client, idp)
    assert is_signed_in(client)


def test_who_leaves_the_group_does_not_come_in_again(client: Client, idp: IdentityProvider) -> None:
    idp.claims |= {"email": "erin@example.com", "groups": ["keepers"]}
    sign_in(client, idp)
    idp.claims["groups"] = []
    again = Client()
    assert "may not sign in here" in said(again, sign_in(again, idp))
    assert not is_signed_in(again)


def test_without_a_list_nobody_new_comes_in(
    client: Client, idp: IdentityProvider, settings: Settings
) -> None:
    settings.OIDC_ALLOWED_DOMAINS = settings.OIDC_ALLOWED_GROUPS = []
    assert "No account here is connected" in said(client, sign_in(client, idp))
    assert not User.objects.exists()


def test_what_the_provider_says_takes_over_nobodys_account(
    client: Client, alice: User, idp: IdentityProvider
) -> None:
    """Neither by address nor by name."""
    User.objects.filter(pk=alice.pk).update(email="alice@example.org")
    idp.claims |= {"email": "alice@example.org", "preferred_username": "alice"}
    sign_in(client, idp)
    assert is_signed_in(client)
    assert client.session["_auth_user_id"] != str(alice.pk)
    assert User.objects.exclude(pk=alice.pk).get().username != "alice"
    assert not SocialAccount.objects.filter(user=alice).exists()


def test_a_username_in_another_case_is_taken(client: Client, idp: IdentityProvider) -> None:
    User.objects.create_user("Erin")
    sign_in(client, idp)
    assert is_signed_in(client)
    assert SocialAccount.objects.get().user.username.lower() != "erin"


def connect(client: Client, idp: IdentityProvider, name: str = "alice") -> Any:
    """Press "Connect", confirm by password, and come back from the provider."""
    idp.claims.pop("nonce", None)
    asked = client.post("/accounts/oidc")
    assert asked["Location"].startswith("/accounts/confirm")
    client.post("/accounts/confirm", {"password": f"{name}-password"})
    return come_back(client, idp, leave(client))


def test_an_account_is_connected_by_whoever_is_in_it(
    as_alice: Client, alice: User, idp: IdentityProvider, settings: Settings
) -> None:
    settings.OIDC_ALLOWED_DOMAINS = settings.OIDC_ALLOWED_GROUPS = []
    assert "Connected." in said(as_alice, connect(as_alice, idp))
    fresh = Client()
    sign_in(fresh, idp)
    assert fresh.session["_auth_user_id"] == str(alice.pk)

    assert as_alice.post("/account/oidc/remove").status_code == 302
    fresh = Client()
    sign_in(fresh, idp)
    assert not is_signed_in(fresh)


def test_one_account_there_opens_one_account_here(
    as_alice: Client, bob: User, idp: IdentityProvider
) -> None:
    connect(as_alice, idp)
    as_bob = Client()
    as_bob.force_login(bob)
    assert "connected to another person" in said(as_bob, connect(as_bob, idp, "bob"))
    assert SocialAccount.objects.get().user.username == "alice"


def test_who_has_no_password_does_not_lock_themselves_out(
    client: Client, idp: IdentityProvider
) -> None:
    sign_in(client, idp)
    answer = client.post("/account/oidc/remove")
    assert "could no longer sign in" in said(client, answer)
    assert SocialAccount.objects.exists()


def test_a_second_factor_is_asked_for_here_as_well(client: Client, idp: IdentityProvider) -> None:
    sign_in(client, idp)
    Authenticator.objects.create(user=User.objects.get(), type="totp", data={"secret": "any"})
    fresh = Client()
    assert sign_in(fresh, idp)["Location"] == "/accounts/login/code"
    assert not is_signed_in(fresh)


@pytest.mark.parametrize("state", ["", "made-up", "short"])
def test_a_state_of_no_sign_in_is_refused(
    client: Client, idp: IdentityProvider, state: str
) -> None:
    answer = come_back(client, idp, leave(client), state=state)
    assert answer.status_code == 401
    assert "That did not work" in said(client, answer)
    assert not User.objects.exists()
    assert "/token" not in idp.requests


def test_a_state_of_another_browser_is_refused(client: Client, idp: IdentityProvider) -> None:
    """Or a link would sign somebody in as somebody else."""
    sent = leave(client)
    assert come_back(Client(), idp, sent).status_code == 401
    assert come_back(client, idp, sent).status_code == 302
    assert come_back(client, idp, sent).status_code == 401, "and counts once"


@pytest.mark.parametrize(
    "claims",
    [
        {"nonce": "of-another-sign-in"},
        {"nonce": None},
        {"aud": "somebody-else"},
        {"azp": "somebody-else", "aud": [CLIENT_ID, "somebody-else"]},
        {"iss": "https://elsewhere.example.org"},
        {"exp": 1_000_000_000},
    ],
)
def test_a_token_of_something_else_is_refused(
    client: Client, idp: IdentityProvider, claims: dict[str, Any]
) -> None:
    idp.claims |= claims
    assert come_back(client, idp, leave(client)).status_code == 401
    assert not User.objects.exists()


def test_a_token_that_somebody_else_has_signed_is_refused(
    client: Client, idp: IdentityProvider
) -> None:
    idp.signing_key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    assert sign_in(client, idp).status_code == 401


@pytest.mark.parametrize(
    "keys",
    [
        None,
        [],
        {},
        "first",
        [1, "first", None],
        [{"kid": "first", "kty": ["RSA"]}],
        [{"kid": "first", "kty": "RSA", "alg": ["RS256"]}],
        [{"kid": "first", "kty": "RSA", "alg": "RS256", "n": 5, "e": {}}],
    ],
)
def test_keys_that_are_none_end_on_the_error_page(
    client: Client, idp: IdentityProvider, keys: Any
) -> None:
    idp.jwks = {"keys": keys}
    answer = sign_in(client, idp)
    assert answer.status_code == 401
    assert "That did not work" in said(client, answer)


@pytest.mark.parametrize(
    "name", ["preferred_username", "name", "given_name", "family_name", "email"]
)
@pytest.mark.parametrize("value", [5, None, ["erin"], {"erin": "erin"}])
def test_a_name_that_is_not_text_is_no_name(
    client: Client, idp: IdentityProvider, name: str, value: Any
) -> None:
    idp.claims |= {"groups": ["keepers"], name: value}
    sign_in(client, idp)
    assert is_signed_in(client)
    assert name not in SocialAccount.objects.get().extra_data["userinfo"]


def test_user_information_of_somebody_else_is_refused(
    client: Client, idp: IdentityProvider
) -> None:
    idp.userinfo = {"sub": "another"}
    assert sign_in(client, idp).status_code == 401


def test_a_server_that_is_not_the_issuer_is_refused(client: Client, idp: IdentityProvider) -> None:
    idp.discovery = {"issuer": "https://elsewhere.example.org"}
    answer = client.post("/accounts/oidc")
    assert answer.status_code == 401
    assert "That did not work" in said(client, answer)


def test_the_subject_of_one_issuer_is_nobody_at_another(
    client: Client, idp: IdentityProvider, settings: Settings
) -> None:
    sign_in(client, idp)
    with identity_provider() as other:
        other.claims |= idp.claims | ERIN
        settings.OIDC_ISSUER = other.issuer
        fresh = Client()
        sign_in(fresh, other)
    assert User.objects.count() == 2


def test_a_provider_that_is_down_is_told_in_words(
    client: Client, db: None, settings: Settings
) -> None:
    with identity_provider() as provider:
        settings.OIDC_ISSUER = provider.issuer
        app = {"provider_id": "oidc", "name": "Example ID", "client_id": CLIENT_ID, "secret": "x"}
        settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [app]}}
    answer = client.post("/accounts/oidc")
    assert answer.status_code == 401
    assert "That did not work" in answer.content.decode()


def test_only_the_server_of_the_operator_is_called_on_a_private_network(
    client: Client, idp: IdentityProvider
) -> None:
    """What it names as its other addresses goes through the gate like anything."""
    with identity_provider() as inner:
        idp.discovery = {"token_endpoint": f"{inner.issuer}/token"}
        assert sign_in(client, idp).status_code == 401
        assert inner.requests == []


def test_leaving_takes_a_form_of_ours(idp: IdentityProvider) -> None:
    client = Client(enforce_csrf_checks=True)
    assert client.post("/accounts/oidc").status_code == 403
    assert client.get("/accounts/oidc").status_code == 405


def test_without_a_provider_there_is_no_such_page(client: Client, db: None) -> None:
    assert client.post("/accounts/oidc").status_code == 404
    assert client.get("/accounts/oidc/callback").status_code == 404
    assert "Sign in with" not in client.get("/accounts/login").content.decode().replace(
        "Sign in with a passkey", ""
    )
