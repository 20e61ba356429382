"""Changes to accounts."""

import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db import IntegrityError, transaction
from django.db.models import Q

from instances.activity import InstanceAction, record
from instances.actor import Actor
from instances.models import Instance, Membership, PasswordLink, User
from instances.server_activity import ServerAction, record_on_server
from instances.signin.sessions import end_sessions, note_password_reset

logger = logging.getLogger("keepsake.people")

#: People who have been invited and have not set a password yet.
INVITED = Q(last_login=None, password__startswith=UNUSABLE_PASSWORD_PREFIX)


class LastSuperadmin(Exception):
    """The change would leave Keepsake without a superadmin who can sign in."""


def create_first_admin() -> str | None:
    """Create the first superadmin, with name and password from the settings.

    Return the password if it was generated, an empty string if it is from the settings, and None if
    there is a superadmin already.
    """
    if User.objects.filter(is_superuser=True).exists():
        return None
    generated = "" if settings.ADMIN_PASSWORD else secrets.token_urlsafe(12)
    try:
        with transaction.atomic():
            User.objects.create_superuser(
                settings.ADMIN_USERNAME, password=settings.ADMIN_PASSWORD or generated
            )
    except IntegrityError:
        # Another process was faster, or an ordinary user has that name.
        if User.objects.filter(is_superuser=True).exists():
            return None
        raise
    return generated


@transaction.atomic
def invite(
    username: str, name: str, memberships: dict[Instance, str], *, by: User
) -> tuple[User, str]:
    """Create a person without a password; return them and the token of their password link."""
    person = User.objects.create_user(username, first_name=name)
    for instance, role in memberships.items():
        add_member(instance, person, role, by=by)
    token = make_password_link(person, by=by)
    return person, token


@transaction.atomic
def add_member(instance: Instance, person: User, role: str, *, by: User) -> None:
    """Make *person* a member of a shared instance, or give them another role there."""
    _, added = Membership.objects.update_or_create(
        instance=instance, user=person, defaults={"role": role}
    )
    # This replaces an invitation by a manager.
    instance.invitations.filter(username=person.username).delete()
    action = InstanceAction.JOINED if added else InstanceAction.ROLE_CHANGED
    record(instance, Actor(by), action, about=person.username)


@transaction.atomic
def make_password_link(person: User, *, by: User) -> str:
    """Make a link with which *person* sets a password; return its token. It replaces an earlier
    one, and is recorded in the activity of their private instances.
    """
    link = PasswordLink.objects.filter(user=person).first() or PasswordLink(user=person)
    link.made_by = by
    token = link.make_token()
    link.save()
    _record_privately(person, InstanceAction.PASSWORD_LINK, by=Actor(by))
    _note(ServerAction.ACCOUNT_LINK, person, by)
    return token


@transaction.atomic
def set_password(token: str, password: str) -> tuple[User, bool] | None:
    """Use the link with this *token* to set a password. Return the person, and whether this was an
    invitation rather than a reset; None if the link no longer works.
    """
    # The lock decides between two uses of one link: the second finds it gone.
    link = PasswordLink.objects.opened_by(token).select_for_update(of=["self"]).first()
    if link is None:
        return None
    person = link.user
    invited = is_invited(person)
    link.delete()
    person.set_password(password)
    person.save(update_fields=["password"])
    if not invited:
        end_sessions(person)
        note_password_reset(person)
        # It is not known who opened the link: its maker could have.
        _record_privately(person, InstanceAction.PASSWORD_RESET, by=Actor(via="link"))
    _note(ServerAction.ACCOUNT_PASSWORD, person, None)
    return person, invited


def is_invited(person: User) -> bool:
    """True if *person* has not set a password yet; see `INVITED`."""
    return person.last_login is None and not person.has_usable_password()


def deactivate(person: User, *, by: User) -> None:
    """Stop *person* from signing in; end their sessions and their password link."""
    with _superadmins_locked(leaving=person):
        User.objects.filter(pk=person.pk).update(is_active=False)
        PasswordLink.objects.filter(user=person).delete()
        end_sessions(person)
        _note(ServerAction.DEACTIVATED, person, by)


def reactivate(person: User, *, by: User) -> None:
    """Let *person* sign in again."""
    with transaction.atomic():
        User.objects.filter(pk=person.pk).update(is_active=True)
        _note(ServerAction.REACTIVATED, person, by)


def appoint(person: User, *, by: User) -> None:
    """Make *person* a superadmin."""
    with transaction.atomic():
        User.objects.filter(pk=person.pk).update(is_superuser=True)
        _note(ServerAction.APPOINTED, person, by)


def dismiss(person: User, *, by: User) -> None:
    """Take the rights of a superadmin from *person*."""
    with _superadmins_locked(leaving=person):
        User.objects.filter(pk=person.pk).update(is_superuser=False)
        _note(ServerAction.DISMISSED, person, by)


def delete(person: User, *, by: User) -> None:
    """Delete *person* with everything that is private to them; shared instances stay.

    Open invitations stay on managers' lists, although no one can accept them: removing them would
    reveal that the username existed.
    """
    with _superadmins_locked(leaving=person):
        _note(ServerAction.ACCOUNT_DELETED, person, by)
        end_sessions(person)
        person.delete()


@contextmanager
def _superadmins_locked(*, leaving: User) -> Iterator[None]:
    """Lock the superadmins; raise `LastSuperadmin` if *leaving* is the last who can sign in."""
    with transaction.atomic():
        # The row locks decide between two superadmins who leave at the same moment: the second
        # waits, and then no longer finds the first.
        able = User.objects.filter(is_superuser=True, is_active=True).exclude(INVITED)
        locked = set(able.select_for_update().order_by("pk").values_list("pk", flat=True))
        if locked == {leaving.pk}:
            raise LastSuperadmin
        yield


def _record_privately(person: User, action: InstanceAction, *, by: Actor) -> None:
    """Record *action* in the activity of the private instances of *person*, which only they see."""
    for instance in person.private_instances.all():
        record(instance, by, action, about=person.username)


def _note(action: ServerAction, person: User, by: User | None) -> None:
    """Note it in the audit log and for the operator: it belongs to no instance's activity."""
    actor = Actor(by) if by else Actor(via="link")
    record_on_server(actor, action, about=person.username)
    logger.info("account: %s", action, extra={"person": person.pk, "by": by.pk if by else None})
