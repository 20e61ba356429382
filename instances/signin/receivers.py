"""Receivers for every kind of sign-in."""

from typing import Any, cast

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest

from instances.models import User
from instances.signin import sessions


@receiver(user_logged_in)
def signed_in(sender: Any, request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Record the session, and have the middleware remember the browser."""
    sessions.record_session(request, user)
    cast(Any, request).has_just_signed_in = True
