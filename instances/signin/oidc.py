"""Signing in by OpenID Connect, and connecting an account to an identity provider.

allauth runs the authorization code flow, with PKCE and with a state that belongs to the session.
What is added here: the ID token is always checked against the keys of the provider, it has to carry
the nonce of this very sign-in, the discovery document has to be of the issuer that is configured,
and the subject counts only together with that issuer.
"""

import hashlib
import secrets
from collections.abc import Callable
from typing import Any

import jwt
import requests
from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from allauth.account.utils import get_next_redirect_url
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.models import SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.base.constants import AuthProcess
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseRedirectBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

PROVIDER_ID = "oidc"
#: Signatures with a key of the provider's own; none that needs a secret which others share.
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"]
CLOCK_SKEW_SECONDS = 60
#: What is kept of what the provider says about somebody.
CLAIMS = ("name", "given_name", "family_name", "preferred_username", "email", "email_verified")

_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")


class Adapter(OpenIDConnectOAuth2Adapter):
    """Speaks to the identity provider."""

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request, PROVIDER_ID)

    @property
    def openid_config(self) -> dict[str, Any]:
        """The discovery document. Raises `OAuth2Error` unless it is of the configured issuer."""
        if not hasattr(self, "_openid_config"):
            config = _fetch(f"{settings.OIDC_ISSUER}/.well-known/openid-configuration")
            if str(config.get("issuer")).rstrip("/") != settings.OIDC_ISSUER:
                raise OAuth2Error(f"the server says that it is {config.get('issuer')}")
            if missing := [name for name in _ENDPOINTS if not isinstance(config.get(name), str)]:
                raise OAuth2Error(f"the server does not tell its {missing[0]}")
            self._openid_config = config
        found: dict[str, Any] = self._openid_config
        return found

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        """Return where the provider sends the person back to."""
        return request.build_absolute_uri(reverse("oidc_callback"))

    def complete_login(
        self, request: HttpRequest, app: SocialApp, token: SocialToken, **kwargs: Any
    ) -> SocialLogin:
        """Return whom the provider speaks of. Raises `OAuth2Error` for what it cannot prove."""
        identity = self._identity(kwargs["response"].get("id_token"), app.client_id)
        if not constant_time_compare(str(identity.get("nonce")), _nonce(request.GET["state"])):
            raise OAuth2Error("the ID token is of another sign-in")
        if "userinfo_endpoint" in self.openid_config:
            told = _fetch(self.profile_url, Authorization=f"Bearer {token.token}")
            if told.get("sub") != identity["sub"]:
                raise OAuth2Error("the user information is of somebody else")
            identity = told | identity
        claims = {name: identity[name] for name in (*CLAIMS, "groups") if name in identity}
        subject = f"{settings.OIDC_ISSUER} {identity['sub']}"
        claims["sub"] = hashlib.sha256(subject.encode()).hexdigest()
        login: SocialLogin = _provider(request).sociallogin_from_response(
            request, {"userinfo": claims}
        )
        return login

    def _identity(self, id_token: Any, client_id: str) -> dict[str, Any]:
        try:
            keys = jwt.PyJWKSet.from_dict(_fetch(self.openid_config["jwks_uri"]))
            kid = jwt.get_unverified_header(id_token).get("kid")
            key = keys[kid] if kid else keys.keys[0]
            claims: dict[str, Any] = jwt.decode(
                id_token,
                key,
                algorithms=ALGORITHMS,
                audience=client_id,
                issuer=self.openid_config["issuer"],
                leeway=CLOCK_SKEW_SECONDS,
                options={"require": ["exp", "iat", "sub"]},
            )
        except (jwt.PyJWTError, KeyError) as error:
            raise OAuth2Error(f"the ID token is not valid: {error}") from error
        if claims.get("azp", client_id) != client_id:
            raise OAuth2Error("the ID token is for another client")
        return claims


class Provider(OpenIDConnectProvider):
    """Begins the sign-in with our adapter."""

    def get_oauth2_adapter(self, request: HttpRequest) -> Adapter:
        """Return what speaks to the identity provider."""
        return Adapter(request)


def name_on_button() -> str:
    """Return what the provider is called on screens; empty if there is none."""
    return settings.OIDC_NAME if settings.OIDC_ISSUER else ""


@login_not_required
@never_cache
@require_POST
def begin(request: HttpRequest) -> HttpResponse:
    """Send the person to the provider: to sign in, or if they are in, to connect their account."""
    process = AuthProcess.LOGIN
    if request.user.is_authenticated:
        raise_if_reauthentication_required(request, app="allauth.socialaccount")
        process = AuthProcess.CONNECT

    def leave() -> HttpResponse:
        state = secrets.token_urlsafe(24)
        response: HttpResponse = _provider(request).redirect(
            request,
            process,
            next_url=get_next_redirect_url(request),
            auth_params={"nonce": _nonce(state)},
            state_id=state,
        )
        if not isinstance(response, HttpResponseRedirectBase):
            return response
        # A page, because a redirect of a form to another server is against the content policy.
        context = {"address": response.url, "name": settings.OIDC_NAME}
        return render(request, "socialaccount/leaving.html", context)

    return _tell_errors(request, leave)


@login_not_required
@never_cache
@require_GET
def callback(request: HttpRequest) -> HttpResponse:
    """Take the person back from the provider."""
    return _tell_errors(request, lambda: OAuth2CallbackView.adapter_view(Adapter)(request))


def _tell_errors(request: HttpRequest, answer: Callable[[], HttpResponse]) -> HttpResponse:
    """Make a page of what goes wrong on the way to the provider."""
    if not settings.OIDC_ISSUER:
        raise Http404
    try:
        return answer()
    except (OAuth2Error, requests.RequestException) as error:
        page: HttpResponse = render_authentication_error(
            request, _provider(request), exception=error
        )
        return page


def _provider(request: HttpRequest) -> Provider:
    return Provider(request, app=get_adapter().get_app(request, PROVIDER_ID))


def _nonce(state: str) -> str:
    """Return the nonce that goes with a state, which belongs to one session and is used once."""
    return salted_hmac("instances.signin.oidc.nonce", state, algorithm="sha256").hexdigest()


def _fetch(url: str, **headers: str) -> dict[str, Any]:
    """Return the JSON object at *url*; raises `OAuth2Error` and ``requests.RequestException``."""
    with get_adapter().get_requests_session() as session:
        response = session.get(url, headers=headers)
        response.raise_for_status()
        found = response.json()
    if not isinstance(found, dict):
        raise OAuth2Error(f"no JSON object at {url}")
    return found
