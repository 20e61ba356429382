"""Filters of the pages for accounts and sign-in."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from allauth.mfa import app_settings
from allauth.mfa.models import Authenticator
from django import template
from django.utils.translation import gettext as _

register = template.Library()


@register.filter
def in_fours(text: str) -> str:
    """Format a code or secret in groups of four characters."""
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


@register.filter
def is_local(url: str) -> bool:
    """True if *url* leads to the machine on which it is opened."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


@register.filter
def codes_left(recovery_codes: Authenticator) -> str:
    """Say how many recovery codes are not used yet. Needs no key, unlike showing them."""
    used: int = recovery_codes.data["used_mask"].bit_count()
    total = app_settings.RECOVERY_CODE_COUNT
    return _("%(number)s of %(total)s left") % {"number": total - used, "total": total}
