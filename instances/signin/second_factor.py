"""The second step of signing in, and codes of second factors."""

from typing import Any

from allauth.account.stages import LoginStageController
from allauth.core.internal.cryptokit import compare_user_code
from allauth.mfa.models import Authenticator
from allauth.mfa.stages import AuthenticateStage
from allauth.mfa.totp.internal import auth as totp
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from instances import secrets
from instances.models import User


class SecondStep(AuthenticateStage):
    """The second step of a sign-in. It may outlast what was true at the first step."""

    def handle(self) -> tuple[Any, bool]:
        """Note the password of the first step, then ask for a second factor if there is one."""
        if self.login.user is not None:
            self.state["session_hash"] = self.login.user.get_session_auth_hash()
        return super().handle()

    @property
    def holds(self) -> bool:
        """True if the first step still counts: the account is active, with the same password."""
        user = self.login.user
        if user is None or not user.is_active:
            return False
        noted = str(self.state.get("session_hash"))
        return constant_time_compare(noted, user.get_session_auth_hash())

    @property
    def is_needed(self) -> bool:
        """True if the person still has a second factor."""
        return self._should_handle(self.request)

    def finish(self) -> HttpResponse:
        """Sign the person in."""
        response: HttpResponse = self.exit()  # type: ignore[no-untyped-call]  # Untyped library.
        return response

    def end(self) -> HttpResponse:
        """Forget the sign-in, and go back to the sign-in page."""
        response: HttpResponse = self.abort()  # type: ignore[no-untyped-call]  # Untyped library.
        return response


def pending_step(request: HttpRequest) -> SecondStep | None:
    """Return the second step that *request* has reached, if any."""
    stage: SecondStep | None = LoginStageController.enter(request, SecondStep.key)
    return stage


class CodeUsed(Exception):
    """The code is right, and was used before, so that it counts no more; the message says what to
    do. Only those who have the code are told.
    """


@transaction.atomic
def use_code(user: User, code: str) -> Authenticator | None:
    """Use up *code* and return the second factor of *user* that it belongs to; None if it is wrong.

    Raises `CodeUsed`, and `secrets.UnreadableSecret` if the stored secret can no longer be
    decrypted.
    """
    used: CodeUsed | None = None
    # The lock decides between two uses of one code at the same moment: only one succeeds.
    authenticator: Authenticator
    for authenticator in Authenticator.objects.select_for_update().filter(user=user):
        try:
            match authenticator.type:
                case Authenticator.Type.TOTP:
                    proven = _use_totp(authenticator, code)
                case Authenticator.Type.RECOVERY_CODES:
                    proven = _use_recovery_code(authenticator, code)
                case _:
                    proven = False  # A passkey has no codes.
        except CodeUsed as error:
            used = error  # It may still be that of another factor.
            continue
        if proven:
            return authenticator
    if used is not None:
        raise used
    return None


def _use_totp(authenticator: Authenticator, code: str) -> bool:
    """True if *code* is right and newer than the last one used (RFC 6238, section 5.2). Raises
    `CodeUsed` if it is right, and not newer.

    allauth stores used codes in the cache. That is Redis, and sign-in must work while it is down.
    """
    secret = secrets.decrypt(authenticator.data["secret"])
    for counter in totp.yield_hotp_counters_from_time():
        expected = totp.format_hotp_value(totp.hotp_value(secret, counter))
        if compare_user_code(actual=code, expected=expected):
            last = authenticator.data.get("last_counter", -1)
            if counter == last:
                raise CodeUsed(_("This code was used already. Wait for the next one."))
            if counter < last:
                raise CodeUsed(_("A newer code was used already. Wait for the next one."))
            authenticator.data["last_counter"] = counter
            authenticator.save(update_fields=["data"])
            return True
    return False


def _use_recovery_code(authenticator: Authenticator, code: str) -> bool:
    """True if *code* is a recovery code that was not used. Raises `CodeUsed` if it was."""
    codes = authenticator.wrap()
    if codes.validate_code(code):
        return True
    unused = set(codes.get_unused_codes())
    for known in codes.generate_codes():
        if known not in unused and compare_user_code(actual=code, expected=known):
            raise CodeUsed(_("This recovery code was used already. Each one works once."))
    return False


def remove_all(user: User) -> int:
    """Remove every second factor of *user*; return how many there were, recovery codes aside."""
    factors = Authenticator.objects.filter(user=user)
    count = factors.exclude(type=Authenticator.Type.RECOVERY_CODES).count()
    factors.delete()
    return count
