"""Codes of second factors."""

from allauth.core.internal.cryptokit import compare_user_code
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.db import transaction

from instances import secrets
from instances.models import User


@transaction.atomic
def use_code(user: User, code: str) -> Authenticator | None:
    """Use up *code* and return the second factor of *user* that it belongs to; None if it is wrong.

    Raises `secrets.UnreadableSecret` if the stored secret can no longer be decrypted.
    """
    # The lock decides between two uses of one code at the same moment: only one succeeds.
    authenticator: Authenticator
    for authenticator in Authenticator.objects.select_for_update().filter(user=user):
        match authenticator.type:
            case Authenticator.Type.TOTP:
                proven = _use_totp(authenticator, code)
            case Authenticator.Type.RECOVERY_CODES:
                proven = authenticator.wrap().validate_code(code)
            case _:
                proven = False  # A passkey has no codes.
        if proven:
            return authenticator
    return None


def _use_totp(authenticator: Authenticator, code: str) -> bool:
    """Whether *code* is right and newer than the last one used (RFC 6238, section 5.2).

    allauth stores used codes in the cache. That is Redis, and sign-in must work while it is down.
    """
    secret = secrets.decrypt(authenticator.data["secret"])
    for counter in totp.yield_hotp_counters_from_time():
        expected = totp.format_hotp_value(totp.hotp_value(secret, counter))
        if compare_user_code(actual=code, expected=expected):
            if counter <= authenticator.data.get("last_counter", -1):
                return False
            authenticator.data["last_counter"] = counter
            authenticator.save(update_fields=["data"])
            return True
    return False


def remove_all(user: User) -> int:
    """Remove every second factor of *user*; return how many there were, recovery codes aside."""
    factors = Authenticator.objects.filter(user=user)
    count = factors.exclude(type=Authenticator.Type.RECOVERY_CODES).count()
    factors.delete()
    return count
