"""Golden questions: questions with their right answers, and what came of asking them."""

from datetime import timedelta
from typing import Any, ClassVar, Self, TypeAlias

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from instances.constraints import allow_values
from instances.models import Instance, User
from instances.models.content_keys import InstanceContent
from instances.models.leased_jobs import LeasedJob, lease_is_free

#: The most questions of an instance, and characters of one.
MAX_QUESTIONS, MAX_CHARACTERS = 500, 2_000
#: Days for which the results of rounds are kept.
KEPT_DAYS = 365


class GoldenQuestion(InstanceContent):
    """A question of an instance, with the memories or messages that should answer it.

    They are named by their ids alone: one that is in the bin counts again when it is restored.
    """

    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="golden_questions"
    )
    text = models.CharField(max_length=MAX_CHARACTERS)
    #: The id of the person who asks; empty if none is named.
    end_user = models.CharField(max_length=200, blank=True)
    memories = ArrayField(models.BigIntegerField(), default=list, blank=True)
    messages = ArrayField(models.BigIntegerField(), default=list, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering: ClassVar = ["-created_at", "-id"]

    def __str__(self) -> str:
        return self.text


class RoundCause(models.TextChoices):
    """The reasons for asking the questions."""

    NIGHTLY = "nightly", _("nightly")
    BY_HAND = "by_hand", _("asked by hand")
    SETTINGS = "settings", _("after a change of settings")
    #: With settings that are not saved.
    TRIAL = "trial", _("trial of settings")


class GoldenRoundQuerySet(models.QuerySet["GoldenRound"]):
    def waiting(self) -> Self:
        """Rounds that a worker may take up."""
        return self.filter(lease_is_free(), finished_at=None)

    def of_saved_settings(self) -> Self:
        """Rounds that are no trials."""
        return self.exclude(cause=RoundCause.TRIAL)

    def finished(self) -> Self:
        """Rounds of the saved settings that are over."""
        return self.of_saved_settings().filter(finished_at__isnull=False)

    def delete_old(self) -> int:
        """Delete rounds of more than a year ago, and trials of yesterday; return how many."""
        now = timezone.now()
        trials = Q(cause=RoundCause.TRIAL, created_at__lt=now - timedelta(days=1))
        old = self.filter(Q(created_at__lt=now - timedelta(days=KEPT_DAYS)) | trials)
        return old.delete()[0]


class GoldenRound(LeasedJob):
    """One round of asking all golden questions of an instance."""

    Cause: TypeAlias = RoundCause

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="golden_rounds")
    cause = models.CharField(max_length=10, choices=RoundCause)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    #: The settings that decide what is found; with those that are tried, in a trial.
    settings = models.JSONField(default=dict)
    #: The place of the answer among the results, from 1, and the row that stood first, by the id of
    #: the question: ``{"7": {"place": 2, "top": ["memory", 12]}}``; null where there is none.
    results: "models.JSONField[dict[str, Any], dict[str, Any]]" = models.JSONField(default=dict)
    #: The numbers of questions: asked, with the answer first, with it among the results.
    asked = models.PositiveIntegerField(default=0)
    first = models.PositiveIntegerField(default=0)
    shown = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = GoldenRoundQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-created_at", "-id"]
        constraints: ClassVar = [
            allow_values("cause", RoundCause, "golden_round_cause"),
            models.UniqueConstraint(
                fields=["instance"],
                condition=Q(finished_at=None) & ~Q(cause=RoundCause.TRIAL.value),
                name="golden_round_one_open",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["instance", "-created_at"],
                condition=Q(finished_at__isnull=False),
                name="golden_rounds_finished",
            )
        ]

    def __str__(self) -> str:
        return (
            f"{self.cause} of {self.instance_id}: {self.first} first, {self.shown} of {self.asked}"
        )

    def claim(self) -> bool:
        """Claim it for the calling worker; return whether that worked."""
        return self.claim_among(GoldenRound.objects.waiting())

    def place_of(self, question: GoldenQuestion) -> int | None:
        """The place of the answer to *question*; None if it was not among the results."""
        place: int | None = self.results.get(str(question.pk), {}).get("place")
        return place

    def has_asked(self, question: GoldenQuestion) -> bool:
        return str(question.pk) in self.results
