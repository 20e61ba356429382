"""People who may sign in through the identity provider."""

from typing import Any

from allauth.socialaccount.models import SocialLogin
from django.conf import settings


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
