"""People, their memberships, and the agents that they talk with."""

from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Upper
from django.utils.translation import gettext_lazy as _

from instances.constraints import allow_values
from instances.models.choices import Reach

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class User(AbstractUser):
    """A person who signs in. `is_superuser` makes a superadmin."""

    #: The language of the screens; empty: as the browser asks.
    language = models.CharField(max_length=5, blank=True, choices=settings.LANGUAGES)
    #: When the password was last reset with a superadmin's link; shown until dismissed.
    password_reset_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta(AbstractUser.Meta):
        constraints: ClassVar = [
            # As ``username__iexact`` compares.
            models.UniqueConstraint(Upper("username"), name="username_once_in_any_case")
        ]


class InstanceRole(models.TextChoices):
    """Role of a person in an instance. Each role includes those before it."""

    VIEWER = "viewer", _("Viewer")
    MEMBER = "member", _("Member")
    MANAGER = "manager", _("Manager")

    @property
    def help(self) -> "StrOrPromise":
        """Permissions of the role, in one line."""
        return ROLE_HELP[self]

    @property
    def and_above(self) -> list["InstanceRole"]:
        """The role itself and those that include it."""
        return list(InstanceRole)[list(InstanceRole).index(self) :]


ROLE_HELP = {
    InstanceRole.VIEWER: _("Reads and searches everything, and changes nothing."),
    InstanceRole.MEMBER: _("Also chats, adds, corrects, deletes, imports and exports."),
    InstanceRole.MANAGER: _("Also changes settings, keys and members."),
}


class Membership(models.Model):
    """A person's role in an instance."""

    instance = models.ForeignKey("Instance", on_delete=models.CASCADE)
    user = models.ForeignKey(User, on_delete=models.CASCADE)
    role = models.CharField(max_length=10, choices=InstanceRole, default=InstanceRole.MEMBER)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["instance", "user"], name="membership_once"),
            allow_values("role", InstanceRole, "membership_role"),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.instance}"


class Agent(models.Model):
    """A named persona inside an instance, which conversations may be held with."""

    instance = models.ForeignKey("Instance", on_delete=models.CASCADE, related_name="agents")
    slug = models.SlugField(max_length=60)
    name = models.CharField(max_length=100)
    instructions = models.TextField(
        _("Instructions"),
        max_length=20_000,
        blank=True,
        help_text=_("Added to those of the instance: what is special about this agent."),
    )
    recall_enabled = models.BooleanField(
        _("Recall"),
        default=True,
        help_text=_(
            "When off, this agent answers without memories and cannot search them. What it "
            "is told is still read and filed, as set under Memory."
        ),
    )
    reach = models.CharField(
        _("Is told"),
        max_length=10,
        choices=Reach,
        default=Reach.ALL,
        help_text=_("Memories are shared in groups."),
    )

    class Meta:
        ordering: ClassVar = ["name", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["instance", "slug"], name="agent_slug_once"),
            models.UniqueConstraint(fields=["id", "instance"], name="agent_in_instance"),
            allow_values("reach", Reach, "agent_reach"),
        ]

    def __str__(self) -> str:
        return self.name
