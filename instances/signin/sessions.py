"""The sessions of a person: listing and ending them."""

import time
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from instances.models import User
from instances.signin.address import client_address

#: How often "last seen" is updated. This also renews the session's 14 days.
SEEN_EVERY_SECONDS = 300

#: How long a session without a user lasts, which remembers the first step of a sign-in.
ANONYMOUS_SECONDS = 900

_SEEN_AT = "seen_at"
_MAX_USER_AGENT_CHARACTERS = 200


def open_sessions(user: User) -> QuerySet[UserSession]:
    """Return the live sessions of *user*, the most recently used first."""
    alive = Session.objects.filter(expire_date__gt=timezone.now())
    return UserSession.objects.filter(
        user=user, session_key__in=alive.values("session_key")
    ).order_by("-last_seen_at")


def end_sessions(user: User, keep: str | None = None) -> int:
    """End all sessions of *user* except the one with the key *keep*; return how many."""
    return _end(UserSession.objects.filter(user=user).exclude(session_key=keep))


def end_session(user: User, pk: int) -> int:
    """End one session of *user*; return how many ended, 1 or 0."""
    return _end(UserSession.objects.filter(user=user, pk=pk))


@transaction.atomic
def _end(sessions: QuerySet[UserSession]) -> int:
    keys = list(sessions.values_list("session_key", flat=True))
    Session.objects.filter(session_key__in=keys).delete()
    UserSession.objects.filter(session_key__in=keys).delete()
    return len(keys)


def record_session(request: HttpRequest, user: User) -> None:
    """Record the session that *request* has just begun or renewed."""
    request.session.set_expiry(None)
    if not request.session.session_key:
        request.session.save()  # It gets its key only now.
    UserSession.objects.update_or_create(
        session_key=request.session.session_key, defaults={"user": user} | _client(request)
    )
    request.session[_SEEN_AT] = int(time.time())


def limit_anonymous_session(request: HttpRequest) -> None:
    """Let a session without a user end soon, since anyone can create any number of them."""
    if request.session.modified and not request.session.is_empty():
        request.session.set_expiry(ANONYMOUS_SECONDS)


def refresh_session(request: HttpRequest) -> None:
    """Update "last seen" and renew the session, at most once in five minutes."""
    session: SessionBase = request.session
    now = int(time.time())
    if now - session.get(_SEEN_AT, 0) < SEEN_EVERY_SECONDS:
        return
    session[_SEEN_AT] = now
    UserSession.objects.filter(session_key=session.session_key).update(**_client(request))


def _client(request: HttpRequest) -> dict[str, Any]:
    return {
        "ip": str(client_address(request)),
        "user_agent": request.headers.get("User-Agent", "")[:_MAX_USER_AGENT_CHARACTERS],
        "last_seen_at": timezone.now(),
    }


def note_password_reset(user: User) -> None:
    """Show *user* that their password was reset, until they dismiss it.

    For resets with a superadmin's link, not for a person's own change.
    """
    User.objects.filter(pk=user.pk).update(password_reset_at=timezone.now())


def dismiss_password_reset(user: User) -> None:
    """Stop showing the reset to *user*."""
    User.objects.filter(pk=user.pk).update(password_reset_at=None)


def delete_expired() -> int:
    """Delete expired sessions and the records of their browsers; return how many sessions."""
    with transaction.atomic():
        number, _ = Session.objects.filter(expire_date__lte=timezone.now()).delete()
        UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()
    return number
