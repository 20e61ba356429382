"""Who uses an instance: people, their places in it, and the personas they talk with."""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """A person who signs in. `is_superuser` makes a superadmin."""

    #: When a superadmin last had the password reset; the person is told until they dismiss it.
    password_reset_at = models.DateTimeField(null=True, blank=True, editable=False)


class Membership(models.Model):
    """One person's place in one instance."""

    instance = models.ForeignKey("Instance", on_delete=models.CASCADE)
    user = models.ForeignKey(User, on_delete=models.CASCADE)
    manage = models.BooleanField(
        default=False, help_text="May change this instance’s settings, secrets and members."
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["instance", "user"], name="membership_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.instance}"


class Agent(models.Model):
    """A named persona inside an instance, which conversations may be held with."""

    instance = models.ForeignKey("Instance", on_delete=models.CASCADE, related_name="agents")
    slug = models.SlugField(max_length=60)
    name = models.CharField(max_length=100)
    instructions = models.TextField(
        "Instructions",
        max_length=20_000,
        blank=True,
        help_text="Told after those of the instance: what is special about this agent.",
    )
    recall_enabled = models.BooleanField(
        "Recall",
        default=True,
        help_text="Off: this agent answers without what is remembered, and cannot search it. What "
        "is said to it is still read and filed, as the memory settings say.",
    )

    class Meta:
        ordering: ClassVar = ["name", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["instance", "slug"], name="agent_slug_once"),
            models.UniqueConstraint(fields=["id", "instance"], name="agent_in_instance"),
        ]

    def __str__(self) -> str:
        return self.name
