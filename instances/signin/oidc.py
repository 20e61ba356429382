"""Signing in by OpenID Connect, and connecting an account to an identity provider.

allauth runs the authorization code flow, with PKCE and a state that belongs to the session. This
module adds checks: the ID token must be signed by a key of the provider and carry the nonce of this
sign-in, the discovery document must be that of the configured issuer, and a subject is identified
together with its issuer.
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
#: Asymmetric signatures only.
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"]
CLOCK_SKEW_SECONDS = 60
#: The claims about a person that are stored. Those of `TEXTS` only if they are text.
TEXTS = ("name", "given_name", "family_name", "preferred_username", "email")
CLAIMS = (*TEXTS, "email_verified", "groups")

_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")


class OIDCAdapter(OpenIDConnectOAuth2Adapter):
    """Talks to the identity provider."""

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request, PROVIDER_ID)

    @property
    def openid_config(self) -> dict[str, Any]:
        """The discovery document. Raises `OAuth2Error` if it is of another issuer."""
        if not hasattr(self, "_openid_config"):
            config = _fetch(f"{settings.OIDC_ISSUER}/.well-known/openid-configuration")
            if str(config.get("issuer")).rstrip("/") != settings.OIDC_ISSUER:
                raise OAuth2Error(f"the issuer of the server is {config.get('issuer')}")
            if missing := [name for name in _ENDPOINTS if not isinstance(config.get(name), str)]:
                raise OAuth2Error(f"the discovery document has no {missing[0]}")
            self._openid_config = config
        document: dict[str, Any] = self._openid_config
        return document

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        return request.build_absolute_uri(reverse("oidc_callback"))

    def complete_login(
        self, request: HttpRequest, app: SocialApp, token: SocialToken, **kwargs: Any
    ) -> SocialLogin:
        """Return the person's login. Raises `OAuth2Error` if the provider does not prove it."""
        identity = self._identity(kwargs["response"].get("id_token"), app.client_id)
        if not constant_time_compare(str(identity.get("nonce")), _nonce(request.GET["state"])):
            raise OAuth2Error("the ID token belongs to another sign-in")
        if "userinfo_endpoint" in self.openid_config:
            info = _fetch(self.profile_url, Authorization=f"Bearer {token.token}")
            if info.get("sub") != identity["sub"]:
                raise OAuth2Error("the user information belongs to another person")
            identity = info | identity
        claims = {
            name: identity[name]
            for name in CLAIMS
            if name in identity and (name not in TEXTS or isinstance(identity[name], str))
        }
        subject = f"{settings.OIDC_ISSUER} {identity['sub']}"
        claims["sub"] = hashlib.sha256(subject.encode()).hexdigest()
        login: SocialLogin = _provider(request).sociallogin_from_response(
            request, {"userinfo": claims}
        )
        return login

    def _identity(self, id_token: Any, client_id: str) -> dict[str, Any]:
        keys = _keys(_fetch(self.openid_config["jwks_uri"]))
        try:
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


class OIDCProvider(OpenIDConnectProvider):
    """The provider, with our adapter."""

    def get_oauth2_adapter(self, request: HttpRequest) -> OIDCAdapter:
        return OIDCAdapter(request)


def name_on_button() -> str:
    """Return the name of the provider for screens; empty if there is none."""
    return settings.OIDC_NAME if settings.OIDC_ISSUER else ""


@login_not_required
@never_cache
@require_POST
def begin(request: HttpRequest) -> HttpResponse:
    """Send the person to the provider: to sign in, or to connect the account they are in."""
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
        # A page, since the content security policy forbids a form to redirect to another server.
        context = {"address": response.url, "name": settings.OIDC_NAME}
        return render(request, "socialaccount/leaving.html", context)

    return _with_error_page(request, leave)


@login_not_required
@never_cache
@require_GET
def callback(request: HttpRequest) -> HttpResponse:
    """Handle the person's return from the provider."""
    return _with_error_page(request, lambda: OAuth2CallbackView.adapter_view(OIDCAdapter)(request))


def _with_error_page(request: HttpRequest, answer: Callable[[], HttpResponse]) -> HttpResponse:
    """Return *answer*, or a page if a call to the provider fails."""
    if not settings.OIDC_ISSUER:
        raise Http404
    try:
        return answer()
    except (OAuth2Error, requests.RequestException) as error:
        page: HttpResponse = render_authentication_error(
            request, _provider(request), exception=error
        )
        return page


def _provider(request: HttpRequest) -> OIDCProvider:
    return OIDCProvider(request, app=get_adapter().get_app(request, PROVIDER_ID))


def _nonce(state: str) -> str:
    """Return the nonce for a state, which belongs to one session and is used once."""
    return salted_hmac("instances.signin.oidc.nonce", state, algorithm="sha256").hexdigest()


def _keys(document: dict[str, Any]) -> jwt.PyJWKSet:
    """Return the keys in a JWKS document; raises `OAuth2Error` if there are none."""
    try:
        return jwt.PyJWKSet.from_dict(document)
    # PyJWT passes on what its parts raise for JSON of other types.
    except (jwt.PyJWTError, AttributeError, TypeError, ValueError) as error:
        raise OAuth2Error(f"the keys of the server are not valid: {error}") from error


def _fetch(url: str, **headers: str) -> dict[str, Any]:
    """Return the JSON object at *url*; raises `OAuth2Error` and ``requests.RequestException``."""
    with get_adapter().get_requests_session() as session:
        response = session.get(url, headers=headers)
        response.raise_for_status()
        document = response.json()
    if not isinstance(document, dict):
        raise OAuth2Error(f"no JSON object at {url}")
    return document
