"""Erasures of end users: work to be resumed, and afterwards the certificate of it.

While an erasure is under way, its row names the person. When it is done, only keyed hashes of the
ids are left, by which those who know an id find its certificate.
"""

import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import lru_cache
from typing import ClassVar, Self, TypeAlias

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from instances.constraints import allow_values
from instances.models import HashKey, Instance, User
from instances.models.fields import TranslatableTextField
from instances.models.leased_jobs import LeasedJob, lease_is_free

#: Seconds before a failed step is tried again.
RETRY_SECONDS = 60


#: The key of an instance never changes, and the audit log needs it with each write about a person.
_key_of = lru_cache(maxsize=1024)(HashKey.of)


def hash_of(instance_id: int, end_user: str) -> str:
    """Return a keyed hash of the id of an end user (HMAC-SHA256, hex). Its key is the instance's,
    so it is the same in every restored database, and under another id of the instance.
    """
    key = _key_of(instance_id)
    return salted_hmac("keepsake.erasure", end_user, secret=key, algorithm="sha256").hexdigest()


class ErasureState(models.TextChoices):
    """How far an erasure has got."""

    RUNNING = "running", "under way"
    DONE = "done", "done"


class ErasureQuerySet(models.QuerySet["Erasure"]):
    def due(self) -> Self:
        """Erasures that a worker may claim now."""
        return self.filter(lease_is_free(), state=ErasureState.RUNNING, due_at__lte=timezone.now())

    def of_person(self, instance: Instance, end_user: str) -> Self:
        """Erasures of the person with this id."""
        return self.filter(instance=instance, hashes__contains=[hash_of(instance.pk, end_user)])

    def asked_since(self, instance: Instance, end_users: Iterable[str], moment: datetime) -> bool:
        """True if the erasure of one of these people was asked for since *moment*."""
        recent = self.filter(instance=instance, asked_at__gte=moment)
        asked = {digest for hashes in recent.values_list("hashes", flat=True) for digest in hashes}
        return bool(asked) and any(hash_of(instance.pk, each) in asked for each in end_users)


class Erasure(LeasedJob):
    """One erasure of one end user."""

    State: TypeAlias = ErasureState

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="erasures")
    #: Names it in the list beside the backups.
    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    state = models.CharField(max_length=10, choices=State, default=State.RUNNING)
    #: The ids of the person while it is under way; empty when it is done.
    ids = ArrayField(models.CharField(max_length=200, blank=True), default=list, blank=True)
    #: Keyed hashes of these ids; see `hash_of`.
    hashes = ArrayField(models.CharField(max_length=64), default=list)
    asked_at = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    #: The name of the person, key or command that asked for it, which outlives their account.
    asked_by = models.CharField(max_length=200)
    via = models.CharField(max_length=20)
    #: True if the never-again rules are deleted as well.
    with_rules = models.BooleanField(default=False)
    #: The numbers of rows by table: ``{"memoryapp.Memory": {"deleted": 12, "stripped": 0}}``.
    counts = models.JSONField(default=dict, blank=True)
    #: What was done and what remains; see `memoryapp.people.certificate`. Empty until it is done.
    certificate = models.JSONField(default=dict, blank=True)
    #: When it was written to the list beside the backups.
    listed_at = models.DateTimeField(null=True, blank=True)
    #: Why it has to wait, as a sentence.
    error = TranslatableTextField(blank=True)
    #: Not to be continued before.
    due_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = ErasureQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-asked_at", "-id"]
        constraints: ClassVar = [
            allow_values("state", ErasureState, "erasure_state"),
            models.CheckConstraint(
                condition=~Q(state=ErasureState.DONE.value) | Q(ids=[]),
                name="erasure_done_without_ids",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["instance", "-asked_at"], name="erasure_list"),
        ]

    def __str__(self) -> str:
        return f"Erasure {self.uid}: {self.state}"

    def get_absolute_url(self) -> str:
        return reverse("erasure", args=[self.pk])

    @property
    def is_done(self) -> bool:
        return self.state == self.State.DONE

    @property
    def rows(self) -> int:
        """How many rows were deleted or stripped so far."""
        return sum(sum(each.values()) for each in self.counts.values())

    def claim(self) -> bool:
        """Claim it for the calling worker; False if another one has it, or if it is not due."""
        return self.claim_among(Erasure.objects.due(), error="")

    def try_later(self, *, error: str = "") -> None:
        """Let another worker continue: at once, or after a pause if there was an *error*."""
        pause = timedelta(seconds=RETRY_SECONDS if error else 0)
        self.release(error=error, due_at=timezone.now() + pause)
