"""What allauth asks Keepsake."""

import logging
from typing import Any

import qrcode
import requests
from allauth.account.adapter import DefaultAccountAdapter
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
from qrcode.image.svg import SvgPathImage

from instances import secrets
from instances.signin import identity, oidc_session
from instances.signin.address import client_address

#: Characters of an identity provider's error that are logged.
MAX_LOGGED = 300

CONFIRM_WITH = {
    "reauthenticate": "with your password",
    "mfa_reauthenticate": "with a code",
    "mfa_reauthenticate:webauthn": "with a passkey",
}

logger = logging.getLogger("keepsake.signin")


class AccountAdapter(DefaultAccountAdapter):
    """Accounts are made by superadmins, or come from an identity provider; nobody signs up."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": "That name and password do not go together.",
        "incorrect_password": "That is not your password.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Let nobody make an account for themselves."""
        return False

    def get_reauthentication_methods(
        self, user: AbstractBaseUser | AnonymousUser
    ) -> list[dict[str, Any]]:
        """Return the ways to confirm who one is, in our words."""
        methods = super().get_reauthentication_methods(user)
        return [method | {"description": CONFIRM_WITH[method["id"]]} for method in methods]

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address that everything else in Keepsake goes by."""
        return str(client_address(request))

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count nothing here: the backend does, for every door."""


class SecondFactorAdapter(DefaultMFAAdapter):
    """Second factors, their secrets encrypted like every other."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": "That is not the right code.",
    }

    def encrypt(self, text: str) -> str:
        """Encrypt the secret of an authenticator app or the seed of recovery codes."""
        return secrets.encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        """Open what `encrypt` made; raises `secrets.UnreadableSecret`."""
        return secrets.decrypt(encrypted_text)

    def get_totp_issuer(self) -> str:
        """Name what the authenticator app shows above the code."""
        return f"Keepsake ({super().get_totp_issuer()})"

    def build_totp_svg(self, url: str) -> str:
        """Draw the QR code as an SVG that can stand in a page."""
        return qrcode.make(url, image_factory=SvgPathImage).to_string(encoding="unicode")

    def generate_authenticator_name(self, user: AbstractBaseUser, type: Authenticator.Type) -> str:
        """Propose a name for a new passkey."""
        return "Passkey"


class IdentityAdapter(DefaultSocialAccountAdapter):
    """Accounts of people who come in by an identity provider."""

    def get_requests_session(self) -> requests.Session:
        """Return a session that calls the provider through the gate."""
        return oidc_session.session()

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Let in only those whom the settings allow, each time that they come.

        Connecting is another matter: it opens an account to somebody who is in it already.
        """
        if sociallogin.state.get("process") == AuthProcess.CONNECT:
            return
        listed = settings.OIDC_ALLOWED_DOMAINS or settings.OIDC_ALLOWED_GROUPS
        if identity.is_allowed(sociallogin) or (sociallogin.is_existing and not listed):
            return
        name = settings.OIDC_NAME
        messages.error(
            request,
            f"Your account at {name} may not sign in here. Ask a superadmin of this server."
            if listed
            else f"Nobody here is connected to this account at {name}. Sign in with your password, "
            "and connect it under Your account.",
        )
        raise ImmediateHttpResponse(redirect("login"))

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        """Make accounts for those whom the settings allow."""
        return identity.is_allowed(sociallogin)

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Any,
        error: Any = None,
        exception: Exception | None = None,
        extra_context: Any = None,
    ) -> None:
        """Tell the operator why; the person learns only that it did not work."""
        logger.warning("OpenID Connect: %s", str(exception or error)[:MAX_LOGGED])
