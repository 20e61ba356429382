"""Requests of the API that must not be carried out twice."""

from datetime import timedelta
from typing import ClassVar, Self

from django.db import models
from django.utils import timezone

from instances.models import Instance


class IdempotentRequestQuerySet(models.QuerySet["IdempotentRequest"]):
    def forgotten(self) -> Self:
        """Those too old to be remembered."""
        return self.filter(created_at__lt=timezone.now() - IdempotentRequest.REMEMBERED)


class IdempotentRequest(models.Model):
    """A request that came with an Idempotency-Key, and what it did: ids and counts, never text.

    Its row is claimed before the work begins, and finished in the very transaction of the work:
    whoever dies between the two leaves a claim that runs out.
    """

    #: How long a request is known again.
    REMEMBERED = timedelta(hours=24)
    #: How long a claim lasts. If its process has died, the request can be repeated after this time.
    #: A request that takes longer may be taken over; then only one of the two counts.
    LEASE = timedelta(seconds=30)

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="+")
    #: Digest of who asked and the key that they sent.
    key_digest = models.CharField(max_length=64)
    #: Keyed digest of method, address and body: the same key with something else is a mistake.
    request_digest = models.CharField(max_length=64)
    attempts = models.PositiveIntegerField(default=1)
    #: Ids and counts from which the answer is made again; None: not finished.
    result = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    lease_until = models.DateTimeField()

    objects = IdempotentRequestQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["instance", "key_digest"], name="idempotent_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["created_at"], name="idempotent_age")]

    def __str__(self) -> str:
        return f"Request {self.pk}: {'done' if self.result is not None else 'under way'}"
