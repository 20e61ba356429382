"""Links to set a password, and invitations to an instance."""

import hashlib
from datetime import timedelta
from secrets import token_urlsafe
from typing import ClassVar, Self

from django.db import models
from django.utils import timezone

from instances.constraints import allow_values
from instances.models.instance import Instance
from instances.models.people import InstanceRole, User


class PasswordLinkQuerySet(models.QuerySet["PasswordLink"]):
    def valid(self) -> Self:
        """Links that still work."""
        return self.filter(expires_at__gt=timezone.now(), user__is_active=True)

    def opened_by(self, token: str) -> Self:
        """The link with that token, if it still works.

        It is looked up by its digest, so the time taken reveals nothing about any token.
        """
        return self.valid().filter(digest=PasswordLink.digest_of(token))


class PasswordLink(models.Model):
    """A link with which a person sets their own password, once. It is deleted when used."""

    LIFETIME = timedelta(days=7)

    #: A new link replaces the previous one.
    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="password_link")
    #: SHA-256 of the token. It needs no salt: 256 random bits cannot be guessed.
    digest = models.CharField(max_length=64, unique=True, editable=False)
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()

    objects = PasswordLinkQuerySet.as_manager()

    def __str__(self) -> str:
        return f"Password link for {self.user}"

    @staticmethod
    def digest_of(token: str) -> str:
        return hashlib.sha256(token.encode(errors="replace")).hexdigest()

    def make_token(self) -> str:
        """Set a new token and return it, for the only time; call `save` afterwards."""
        token = token_urlsafe(32)
        self.digest = self.digest_of(token)
        self.made_at = timezone.now()
        self.expires_at = self.made_at + self.LIFETIME
        return token

    @property
    def has_expired(self) -> bool:
        return self.expires_at <= timezone.now()


class MembershipInvitationQuerySet(models.QuerySet["MembershipInvitation"]):
    def open_for(self, user: User) -> Self:
        """Invitations that *user* can accept or decline."""
        return self.filter(user=user, declined_at=None, instance__private_to=None)


class MembershipInvitation(models.Model):
    """A manager's offer of a membership to a username, as entered.

    A manager does not learn whether the username exists: nothing that they see depends on `user`.
    """

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="invitations")
    username = models.CharField(max_length=150)
    #: The account with that username when the invitation was made. An account that takes the
    #: username later is not offered the invitation.
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    role = models.CharField(max_length=10, choices=InstanceRole, default=InstanceRole.MEMBER)
    invited_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    #: A declined invitation stays on the manager's list: its removal would reveal that the
    #: username exists.
    declined_at = models.DateTimeField(null=True)

    objects = MembershipInvitationQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["username"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["instance", "username"], name="invited_once"),
            allow_values("role", InstanceRole, "invited_role"),
        ]

    def __str__(self) -> str:
        return f"{self.username} to {self.instance}"
