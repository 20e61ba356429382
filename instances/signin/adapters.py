"""What allauth asks Keepsake."""

from typing import Any

import qrcode
from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest
from qrcode.image.svg import SvgPathImage

from instances import secrets
from instances.signin.address import client_address


class AccountAdapter(DefaultAccountAdapter):
    """Accounts are made by superadmins, or come from an identity provider; nobody signs up."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": "That name and password do not go together.",
        "incorrect_password": "That is not your password.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Let nobody make an account for themselves."""
        return False

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
