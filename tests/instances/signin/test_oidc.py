"""Sign-in with OpenID Connect, with a local provider."""

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
    """A configured provider that allows the domain example.org and one group."""
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


def start_sign_in(client: Client, **form: str) -> dict[str, str]:
    """Start the sign-in; return the parameters sent to the provider."""
    page = client.post("/accounts/oidc", form)
    assert page.status_code == 200, page
    address = re.search(r'content="0;url=([^"]+)"', page.content.decode())
    assert address
    url = urlsplit(html.unescape(address[1]))
    assert f"{url.scheme}://{url.netloc}{url.path}" == "https://login.example.org/authorize"
    return {name: values[0] for name, values in parse_qs(url.query).items()}


def finish_sign_in(
    client: Client, idp: IdentityProvider, sent: dict[str, str], **query: str
) -> Any:
    """Follow the provider's redirect back to Keepsake."""
    idp.claims.setdefault("nonce", sent["nonce"])
    return client.get("/accounts/oidc/callback", {"code": "c0de", "state": sent["state"]} | query)


def sign_in(client: Client, idp: IdentityProvider, **form: str) -> Any:
    idp.claims.pop("nonce", None)
    return finish_sign_in(client, idp, start_sign_in(client, **form))


def is_signed_in(client: Client) -> bool:
    return client.get("/account").status_code == 200


def page_text(client: Client, answer: Any) -> str:
    page = client.get(answer["Location"]) if answer.status_code == 302 else answer
    return html.unescape(page.content.decode())


def test_user_of_an_allowed_domain_gets_an_account(client: Client, idp: IdentityProvider) -> None:
    assert "Sign in with Example ID" in client.get("/accounts/login").content.decode()
    sent = start_sign_in(client, next="/account")
    assert sent["client_id"] == CLIENT_ID
    assert sent["redirect_uri"] == "http://testserver/accounts/oidc/callback"
    assert sent["code_challenge_method"] == "S256"
    assert finish_sign_in(client, idp, sent)["Location"] == "/account"
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
def test_other_users_are_rejected(
    client: Client, idp: IdentityProvider, claims: dict[str, Any]
) -> None:
    idp.claims |= claims
    answer = sign_in(client, idp)
    assert "may not sign in here" in page_text(client, answer) or answer.status_code == 401
    assert not is_signed_in(client)
    assert not User.objects.exists()


@pytest.mark.parametrize("groups", [["others", "keepers"], "keepers"])
def test_user_of_an_allowed_group_signs_in(
    client: Client, idp: IdentityProvider, groups: list[str] | str
) -> None:
    idp.claims |= {"email": "erin@example.com"}
    idp.userinfo = {"groups": groups}
    sign_in(client, idp)
    assert is_signed_in(client)


def test_user_who_left_the_group_is_rejected(client: Client, idp: IdentityProvider) -> None:
    idp.claims |= {"email": "erin@example.com", "groups": ["keepers"]}
    sign_in(client, idp)
    idp.claims["groups"] = []
    again = Client()
    assert "may not sign in here" in page_text(again, sign_in(again, idp))
    assert not is_signed_in(again)


def test_new_users_are_rejected_without_an_allow_list(
    client: Client, idp: IdentityProvider, settings: Settings
) -> None:
    settings.OIDC_ALLOWED_DOMAINS = settings.OIDC_ALLOWED_GROUPS = []
    assert "No account here is connected" in page_text(client, sign_in(client, idp))
    assert not User.objects.exists()


def test_provider_claims_take_over_no_account(
    client: Client, alice: User, idp: IdentityProvider
) -> None:
    """Neither the email address nor the name matches an existing account."""
    User.objects.filter(pk=alice.pk).update(email="alice@example.org")
    idp.claims |= {"email": "alice@example.org", "preferred_username": "alice"}
    sign_in(client, idp)
    assert is_signed_in(client)
    assert client.session["_auth_user_id"] != str(alice.pk)
    assert User.objects.exclude(pk=alice.pk).get().username != "alice"
    assert not SocialAccount.objects.filter(user=alice).exists()


def test_username_in_another_case_is_taken(client: Client, idp: IdentityProvider) -> None:
    User.objects.create_user("Erin")
    sign_in(client, idp)
    assert is_signed_in(client)
    assert SocialAccount.objects.get().user.username.lower() != "erin"


def connect(client: Client, idp: IdentityProvider, name: str = "alice") -> Any:
    """Start connecting, confirm the password, and return from the provider."""
    idp.claims.pop("nonce", None)
    response = client.post("/accounts/oidc")
    assert response["Location"].startswith("/accounts/confirm")
    client.post("/accounts/confirm", {"password": f"{name}-password"})
    return finish_sign_in(client, idp, start_sign_in(client))


def test_signed_in_user_connects_the_account(
    as_alice: Client, alice: User, idp: IdentityProvider, settings: Settings
) -> None:
    settings.OIDC_ALLOWED_DOMAINS = settings.OIDC_ALLOWED_GROUPS = []
    assert "Connected." in page_text(as_alice, connect(as_alice, idp))
    fresh = Client()
    sign_in(fresh, idp)
    assert fresh.session["_auth_user_id"] == str(alice.pk)

    assert as_alice.post("/account/oidc/remove").status_code == 302
    fresh = Client()
    sign_in(fresh, idp)
    assert not is_signed_in(fresh)


def test_one_provider_account_opens_one_local_account(
    as_alice: Client, bob: User, idp: IdentityProvider
) -> None:
    connect(as_alice, idp)
    as_bob = Client()
    as_bob.force_login(bob)
    assert "connected to another person" in page_text(as_bob, connect(as_bob, idp, "bob"))
    assert SocialAccount.objects.get().user.username == "alice"


def test_user_without_a_password_cannot_disconnect(client: Client, idp: IdentityProvider) -> None:
    sign_in(client, idp)
    answer = client.post("/account/oidc/remove")
    assert "could no longer sign in" in page_text(client, answer)
    assert SocialAccount.objects.exists()


def test_local_second_factor_is_required(client: Client, idp: IdentityProvider) -> None:
    sign_in(client, idp)
    Authenticator.objects.create(user=User.objects.get(), type="totp", data={"secret": "any"})
    fresh = Client()
    assert sign_in(fresh, idp)["Location"] == "/accounts/login/code"
    assert not is_signed_in(fresh)


@pytest.mark.parametrize("state", ["", "made-up", "short"])
def test_unknown_state_is_rejected(client: Client, idp: IdentityProvider, state: str) -> None:
    answer = finish_sign_in(client, idp, start_sign_in(client), state=state)
    assert answer.status_code == 401
    assert "That did not work" in page_text(client, answer)
    assert not User.objects.exists()
    assert "/token" not in idp.requests


def test_state_of_another_browser_is_rejected(client: Client, idp: IdentityProvider) -> None:
    """Otherwise a link could sign a visitor in to another account."""
    sent = start_sign_in(client)
    assert finish_sign_in(Client(), idp, sent).status_code == 401
    assert finish_sign_in(client, idp, sent).status_code == 302
    assert finish_sign_in(client, idp, sent).status_code == 401, "the state was accepted twice"


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
def test_token_with_wrong_claims_is_rejected(
    client: Client, idp: IdentityProvider, claims: dict[str, Any]
) -> None:
    idp.claims |= claims
    assert finish_sign_in(client, idp, start_sign_in(client)).status_code == 401
    assert not User.objects.exists()


def test_token_with_a_wrong_signature_is_rejected(client: Client, idp: IdentityProvider) -> None:
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
def test_invalid_jwks_leads_to_the_error_page(
    client: Client, idp: IdentityProvider, keys: Any
) -> None:
    idp.jwks = {"keys": keys}
    answer = sign_in(client, idp)
    assert answer.status_code == 401
    assert "That did not work" in page_text(client, answer)


@pytest.mark.parametrize(
    "name", ["preferred_username", "name", "given_name", "family_name", "email"]
)
@pytest.mark.parametrize("value", [5, None, ["erin"], {"erin": "erin"}])
def test_non_text_name_is_ignored(
    client: Client, idp: IdentityProvider, name: str, value: Any
) -> None:
    idp.claims |= {"groups": ["keepers"], name: value}
    sign_in(client, idp)
    assert is_signed_in(client)
    assert name not in SocialAccount.objects.get().extra_data["userinfo"]


def test_userinfo_of_another_subject_is_rejected(client: Client, idp: IdentityProvider) -> None:
    idp.userinfo = {"sub": "another"}
    assert sign_in(client, idp).status_code == 401


def test_mismatched_issuer_is_rejected(client: Client, idp: IdentityProvider) -> None:
    idp.discovery = {"issuer": "https://elsewhere.example.org"}
    answer = client.post("/accounts/oidc")
    assert answer.status_code == 401
    assert "That did not work" in page_text(client, answer)


def test_subjects_of_different_issuers_are_different_accounts(
    client: Client, idp: IdentityProvider, settings: Settings
) -> None:
    sign_in(client, idp)
    with identity_provider() as other:
        other.claims |= idp.claims | ERIN
        settings.OIDC_ISSUER = other.issuer
        fresh = Client()
        sign_in(fresh, other)
    assert User.objects.count() == 2


def test_unreachable_provider_is_explained(client: Client, db: None, settings: Settings) -> None:
    with identity_provider() as provider:
        settings.OIDC_ISSUER = provider.issuer
        app = {"provider_id": "oidc", "name": "Example ID", "client_id": CLIENT_ID, "secret": "x"}
        settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [app]}}
    answer = client.post("/accounts/oidc")
    assert answer.status_code == 401
    assert "That did not work" in answer.content.decode()


def test_only_the_configured_server_is_called_on_a_private_network(
    client: Client, idp: IdentityProvider
) -> None:
    """Other URLs from its discovery document go through the gate."""
    with identity_provider() as inner:
        idp.discovery = {"token_endpoint": f"{inner.issuer}/token"}
        assert sign_in(client, idp).status_code == 401
        assert inner.requests == []


def test_login_requires_a_post_from_the_form(idp: IdentityProvider) -> None:
    client = Client(enforce_csrf_checks=True)
    assert client.post("/accounts/oidc").status_code == 403
    assert client.get("/accounts/oidc").status_code == 405


def test_pages_do_not_exist_without_a_provider(client: Client, db: None) -> None:
    assert client.post("/accounts/oidc").status_code == 404
    assert client.get("/accounts/oidc/callback").status_code == 404
    assert "Sign in with" not in client.get("/accounts/login").content.decode().replace(
        "Sign in with a passkey", ""
    )
