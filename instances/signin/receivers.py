"""Receivers for every kind of sign-in."""

import logging
from typing import Any, cast

from django.contrib.auth.models import update_last_login
from django.contrib.auth.signals import user_logged_in
from django.db import OperationalError, transaction
from django.dispatch import receiver
from django.http import HttpRequest

from instances.models import User
from instances.signin import sessions

logger = logging.getLogger(__name__)


# By the name of Django's own receiver, which is not connected beside this one.
@receiver(user_logged_in, dispatch_uid="update_last_login")
def remember_last_sign_in(sender: type[User], user: User, **kwargs: Any) -> None:
    """Store the time, unless that cannot be done now: on Citus, a change of a person needs each of
    the servers, a sign-in only one.
    """
    try:
        with transaction.atomic():
            update_last_login(sender, user, **kwargs)
    except OperationalError:
        logger.warning("the time of a sign-in was not stored: a server does not answer")


@receiver(user_logged_in)
def signed_in(sender: Any, request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Record the session, and have the middleware remember the browser."""
    sessions.record_session(request, user)
    cast(Any, request).has_just_signed_in = True
