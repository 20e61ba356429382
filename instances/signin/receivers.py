"""Receivers for every kind of sign-in."""

from typing import Any, cast

from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest

from instances.models import User
from instances.signin import second_factor, sessions


@receiver(user_logged_in)
def signed_in(sender: Any, request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Record the session, and have the middleware remember the browser."""
    sessions.record_session(request, user)
    cast(Any, request).has_just_signed_in = True


@receiver(authenticator_added)
def activated(
    sender: Any, request: HttpRequest, user: User, authenticator: Authenticator, **kwargs: Any
) -> None:
    """Use up the code that has activated an authenticator app."""
    if authenticator.type == Authenticator.Type.TOTP:
        second_factor.use_code(user, request.POST.get("code", ""))
