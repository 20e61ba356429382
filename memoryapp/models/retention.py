"""Retention rules: how long rows of a kind are kept."""

from typing import ClassVar, TypeAlias

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from instances.constraints import allow_values
from instances.models import Instance, User
from instances.models.content_keys import InstanceContent
from instances.tiers import Tier
from memoryapp.models.memory_choices import Category, Origin

#: The most days of a rule: a century.
MAX_RETENTION_DAYS = 36_500
#: The fields that narrow a rule for memories.
NARROWED_BY = ("category", "tier", "origin", "tag")


class Kept(models.TextChoices):
    """The kinds of rows that rules are for."""

    MEMORIES = "memories", _("Memories")
    MESSAGES = "messages", _("Messages")
    DOCUMENTS = "documents", _("Documents")
    ACTIVITY = "activity", _("Activity log")
    USAGE = "usage", _("Usage log")


class RetentionRule(InstanceContent):
    """A rule: rows of a kind are deleted some days after they were last said, changed or written.

    Each rule stands alone, so of several that fit a row, the shortest applies.
    """

    Kept: TypeAlias = Kept

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="retention_rules")
    kept = models.CharField(max_length=20, choices=Kept)
    days = models.PositiveIntegerField()
    #: Of memories, only those of this category, tier, origin or tag; empty: of any.
    category = models.CharField(max_length=20, choices=Category, blank=True)
    tier = models.PositiveSmallIntegerField(choices=Tier, null=True, blank=True)
    origin = models.CharField(max_length=20, choices=Origin, blank=True)
    tag = models.CharField(max_length=50, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering: ClassVar = ["kept", "days", "id"]
        constraints: ClassVar = [
            allow_values("kept", Kept, "retention_kept"),
            models.CheckConstraint(
                condition=Q(days__gte=1, days__lte=MAX_RETENTION_DAYS), name="retention_days"
            ),
            models.CheckConstraint(
                condition=Q(kept=Kept.MEMORIES.value)
                | Q(category="", tier=None, origin="", tag=""),
                name="retention_of_memories",
            ),
            models.UniqueConstraint(
                fields=["instance", "kept", *NARROWED_BY],
                nulls_distinct=False,
                name="retention_rule_once",
            ),
        ]

    def __str__(self) -> str:
        """The rule in the English of the activity log, such as ``memories, event: 30 days``."""
        narrowed = (self.category, Tier(self.tier).api_name if self.tier is not None else "")
        of = ", ".join(filter(None, (self.kept, *narrowed, self.origin, self.tag)))
        return f"{of}: {self.days} days"
