"""Proposals of a model that the gate refused, for people to look at."""

from datetime import timedelta
from typing import ClassVar, Self

from django.db import models
from django.utils import timezone

from conversations.models import Conversation, Message
from instances.models import Instance
from instances.models.content_keys import ContentKey, InstanceContent
from instances.models.fields import TranslatableTextField
from memoryapp.models.runs import Run

#: Days for which a refused proposal is kept, and how many of an instance.
MAX_AGE = timedelta(days=30)
MAX_OF_INSTANCE = 500


class RefusedQuerySet(models.QuerySet["RefusedProposal"]):
    def outdated(self) -> Self:
        """Older than `MAX_AGE`."""
        return self.filter(created_at__lt=timezone.now() - MAX_AGE)

    def trim(self, instance: Instance) -> None:
        """Delete what is outdated, and all but the last `MAX_OF_INSTANCE`, of *instance*."""
        rows = self.filter(instance=instance)
        first = rows.order_by("-pk").values_list("pk", flat=True)[MAX_OF_INSTANCE:][:1]
        rows.outdated().delete()
        rows.filter(pk__lte=models.Subquery(first)).delete()


class RefusedProposal(InstanceContent):
    """A fact that a model proposed and that is not stored, since what it read does not say so."""

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="refused")
    run = ContentKey(Run, on_delete=models.SET_NULL, null=True, blank=True, related_name="refused")
    conversation = ContentKey(Conversation, on_delete=models.CASCADE, related_name="refused")
    message = ContentKey(Message, on_delete=models.CASCADE, related_name="refused")
    end_user = models.CharField(max_length=200, blank=True)
    content = models.TextField()
    #: The columns that it would have had as a memory; see `memoryapp.trust.refusals`.
    as_memory = models.JSONField(default=dict)
    #: Of `memoryapp.policy.gate.RefusalReason`.
    reason = models.CharField(max_length=20)
    #: The reason in words that follow "it".
    words = TranslatableTextField()
    created_at = models.DateTimeField(default=timezone.now)

    objects = RefusedQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        indexes: ClassVar = [
            models.Index(fields=["instance", "end_user"], name="refused_of_person")
        ]

    def __str__(self) -> str:
        return f"Refused proposal {self.pk}: {self.reason}"
