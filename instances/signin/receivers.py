"""Receivers for every kind of sign-in."""

import logging
from typing import Any, cast

from django.contrib.auth.models import update_last_login
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.db import OperationalError, transaction
from django.dispatch import receiver
from django.http import HttpRequest

from instances.actor import Actor
from instances.models import User
from instances.server_activity import ServerAction, record_on_server
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
    record_on_server(Actor(user), ServerAction.SIGNED_IN)
    cast(Any, request).has_just_signed_in = True


@receiver(user_logged_out)
def signed_out(sender: Any, user: User | None, **kwargs: Any) -> None:
    """Record a signing out, if an account was signed in."""
    if user is not None:
        record_on_server(Actor(user), ServerAction.SIGNED_OUT)


@receiver(user_login_failed)
def failed(sender: Any, credentials: dict[str, Any], **kwargs: Any) -> None:
    """Record it with the name of the account, if there is one: another text could be a password."""
    name = str(credentials.get("username", ""))[:150].replace("\x00", "")
    known = User.objects.filter(username=name).exists()
    by = Actor(via="sign-in")
    record_on_server(by, ServerAction.SIGN_IN_FAILED, about=name if known else "")
