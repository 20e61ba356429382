"""Requests of the API with an Idempotency-Key, which must not be carried out twice."""

from datetime import timedelta
from typing import ClassVar, Self

from django.db import models
from django.utils import timezone

from instances.models import Instance
from instances.models.content_keys import InstanceContent


class IdempotentRequestQuerySet(models.QuerySet["IdempotentRequest"]):
    def forgotten(self) -> Self:
        """Requests that are too old to be remembered."""
        return self.filter(created_at__lt=timezone.now() - IdempotentRequest.REMEMBERED)


class IdempotentRequest(InstanceContent):
    """A request with an Idempotency-Key, and its result: ids and counts, never text.

    Its row is claimed before the work begins, and finished in the transaction of the work. The
    claim of a process that dies in between expires.
    """

    #: How long a repeated request is recognised.
    REMEMBERED = timedelta(hours=24)
    #: How long a claim lasts. If its process has died, the request can be repeated after this time.
    #: A request that takes longer may be taken over; then only one of the two counts.
    LEASE = timedelta(seconds=30)

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="+")
    #: Digest of the caller and their Idempotency-Key.
    key_digest = models.CharField(max_length=64)
    #: Keyed digest of method, URL and body: the same key with another request is an error.
    request_digest = models.CharField(max_length=64)
    attempts = models.PositiveIntegerField(default=1)
    #: Ids and counts from which the response is made again; None if not finished.
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
