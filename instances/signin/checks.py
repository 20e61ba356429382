"""System checks of the sign-in settings."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.checks import CheckMessage, Error, Warning, register
from django.core.exceptions import ValidationError

from instances.models import User

_OIDC = ("OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET")
_ONLY_WITH_OIDC = ("OIDC_ALLOWED_DOMAINS", "OIDC_ALLOWED_GROUPS")


#: The tag of checks of the settings, to have them without those of Django.
SETTINGS = "keepsake"


@register(SETTINGS)
def sign_in_fits(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Check the settings of the first password and the identity provider."""
    return [*_first_password(), *_identity_provider()]


def _first_password() -> Iterator[CheckMessage]:
    if not settings.ADMIN_PASSWORD:
        return
    try:
        validate_password(settings.ADMIN_PASSWORD, User(username=settings.ADMIN_USERNAME))
    except ValidationError as error:
        yield Warning(
            f"ADMIN_PASSWORD is easy to guess. {' '.join(error.messages)}",
            hint="Leave it out, and one is generated and shown once. Or change the password on "
            "the account screen after the first sign-in, and remove it from the environment.",
            id="keepsake.W030",
        )


def _identity_provider() -> Iterator[CheckMessage]:
    given = [name for name in _OIDC if getattr(settings, name)]
    missing = [name for name in _OIDC if not getattr(settings, name)]
    lists = [name for name in _ONLY_WITH_OIDC if getattr(settings, name)]
    if missing and (given or lists):
        yield Error(
            f"{(given + lists)[0]} is set, but {' and '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} not.",
            hint="Signing in by OpenID Connect needs OIDC_ISSUER, OIDC_CLIENT_ID and "
            "OIDC_CLIENT_SECRET. Set them all, or none.",
            id="keepsake.E031",
        )
    elif given and not _is_safe(settings.OIDC_ISSUER):
        yield Error(
            f"OIDC_ISSUER is {settings.OIDC_ISSUER}, which is not https: an attacker on the "
            "network could sign in as anyone.",
            hint="Use the https address that the provider calls its issuer. Plain http is only "
            "for a provider on this machine.",
            id="keepsake.E032",
        )


def _is_safe(issuer: str) -> bool:
    url = urlsplit(issuer)
    if url.scheme == "http":
        return url.hostname in ("localhost", "127.0.0.1", "::1")
    return url.scheme == "https" and bool(url.hostname)
