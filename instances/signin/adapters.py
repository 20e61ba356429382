"""Adapters, with which allauth lets Keepsake decide."""

import logging
from typing import Any

import qrcode
import requests
from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.base.constants import AuthProcess
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from qrcode.image.svg import SvgPathImage

from instances import secrets
from instances.outgoing import requests_session
from instances.signin.address import client_address
from instances.signin.devices import UNKNOWN_DEVICE, device_in_words
from instances.url_state import is_way_back

#: The most characters of an identity provider's error that are logged.
MAX_LOGGED_CHARACTERS = 300

CONFIRM_WITH = {
    "reauthenticate": _("Use your password"),
    "mfa_reauthenticate": _("Use a code"),
    "mfa_reauthenticate:webauthn": _("Use a passkey"),
}

logger = logging.getLogger("keepsake.signin")


class AccountAdapter(DefaultAccountAdapter):
    """Accounts of people. Superadmins or an identity provider create them; there is no sign-up."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": _("That is not the right username and password."),
        "incorrect_password": _("That is not your password."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def get_reauthentication_methods(
        self, user: AbstractBaseUser | AnonymousUser
    ) -> list[dict[str, Any]]:
        methods = super().get_reauthentication_methods(user)
        return [method | {"description": CONFIRM_WITH[method["id"]]} for method in methods]

    def get_login_stages(self) -> list[str]:
        return ["instances.signin.second_factor.SecondStep"]

    def get_client_ip(self, request: HttpRequest) -> str:
        return str(client_address(request))

    def is_safe_url(self, url: str | None) -> bool:
        """True if a person may be led to *url* after signing in."""
        return is_way_back(url or "")

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count nothing here: the backend does."""


class SecondFactorAdapter(DefaultMFAAdapter):
    """Second factors, with encrypted secrets."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": _("That is not the right code."),
    }

    def encrypt(self, text: str) -> str:
        return secrets.encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        return secrets.decrypt(encrypted_text)

    def get_totp_issuer(self) -> str:
        return f"Keepsake ({super().get_totp_issuer()})"

    def build_totp_svg(self, url: str) -> str:
        return qrcode.make(url, image_factory=SvgPathImage).to_string(encoding="unicode")

    def generate_authenticator_name(self, user: AbstractBaseUser, type: Authenticator.Type) -> str:
        """Return the default name of a new passkey: the browser and system that add it."""
        name = device_in_words(context.request.headers.get("User-Agent", ""))
        return gettext("Passkey") if name == str(UNKNOWN_DEVICE) else name


class IdentityAdapter(DefaultSocialAccountAdapter):
    """Accounts of people who sign in through an identity provider."""

    def get_requests_session(self) -> requests.Session:
        return requests_session.session(settings.OIDC_ISSUER)

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Check at each sign-in that the settings allow the person.

        Connecting is not checked: the person is already signed in to the account.
        """
        if sociallogin.state.get("process") == AuthProcess.CONNECT:
            return
        listed = settings.OIDC_ALLOWED_DOMAINS or settings.OIDC_ALLOWED_GROUPS
        if is_allowed(sociallogin) or (sociallogin.is_existing and not listed):
            return
        if listed:
            text = gettext(
                "Your account at %(name)s may not sign in here. Ask a superadmin of this server."
            )
        else:
            text = gettext(
                "No account here is connected to your account at %(name)s. Sign in with your "
                "password, and connect it under Your account."
            )
        messages.error(request, text % {"name": settings.OIDC_NAME})
        raise ImmediateHttpResponse(redirect("login"))

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        """Create accounts only for people whom the settings allow."""
        return is_allowed(sociallogin)

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Any,
        error: Any = None,
        exception: Exception | None = None,
        extra_context: Any = None,
    ) -> None:
        """Log the reason for the operator; the page shows none."""
        logger.warning("OpenID Connect: %s", str(exception or error)[:MAX_LOGGED_CHARACTERS])


def is_allowed(login: SocialLogin) -> bool:
    """True if the settings allow this person to sign in."""
    claims: dict[str, Any] = login.account.extra_data["userinfo"]
    return _in_domain(claims) or _in_group(claims)


def _in_domain(claims: dict[str, Any]) -> bool:
    """True if the provider has verified an e-mail address in one of the domains."""
    email = claims.get("email")
    if not isinstance(email, str) or claims.get("email_verified") not in (True, "true"):
        return False
    domain = email.rpartition("@")[2].casefold()
    return domain in {allowed.strip().casefold() for allowed in settings.OIDC_ALLOWED_DOMAINS}


def _in_group(claims: dict[str, Any]) -> bool:
    groups = claims.get("groups")
    if isinstance(groups, str):
        groups = [groups]
    if not isinstance(groups, list):
        return False
    return any(allowed.strip() in groups for allowed in settings.OIDC_ALLOWED_GROUPS)
