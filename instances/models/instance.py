"""Instances: their settings, and who may see them."""

from collections.abc import Iterable
from typing import ClassVar, Self
from unicodedata import normalize

from django.db import models
from django.db.models import Q
from django.db.models.expressions import RawSQL
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from instances.constraints import allow_values
from instances.languages import LANGUAGES
from instances.models.assistant_settings import AssistantSettings
from instances.models.choices import (
    ContextPlacement,
    EmbeddingProvider,
    ExtractWhen,
    PIIPolicy,
    Provider,
    RecallProfile,
)
from instances.models.memory_settings import MemorySettings
from instances.models.people import InstanceRole, User
from instances.models.provider_settings import ProviderSettings
from instances.models.sensitivity_settings import SensitivitySettings, area_constraints
from instances.tiers import TierHandling

#: The slug of the instance that the first start creates.
DEMO = "demo"
#: Characters of the id of an end user.
MAX_END_USER = 200


class InstanceQuerySet(models.QuerySet["Instance"]):
    def visible_to(self, user: User) -> Self:
        """Instances that *user* may read. A private instance is visible to its owner only."""
        return self._open_to(user, InstanceRole.VIEWER)

    def edited_by(self, user: User) -> Self:
        """Instances whose memories and conversations *user* may change and export."""
        return self._open_to(user, InstanceRole.MEMBER)

    def managed_by(self, user: User) -> Self:
        """Instances whose settings, keys and members *user* may change."""
        return self._open_to(user, InstanceRole.MANAGER)

    def _open_to(self, user: User, role: InstanceRole) -> Self:
        """Instances in which *user* has at least *role*; `Instance.role_of` is the same for one."""
        seen = Q(private_to=user) | Q(
            private_to=None, membership__user=user, membership__role__in=role.and_above
        )
        if user.is_superuser:
            seen |= Q(private_to=None)
        # A subquery rather than a join: a person's membership must not double a row.
        return self.filter(pk__in=Instance.objects.filter(seen).values("pk"))


class Instance(MemorySettings, SensitivitySettings, ProviderSettings, AssistantSettings):
    """One assistant with a memory of its own: the partition that no read or write crosses."""

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=100)
    private_to = models.ForeignKey(
        User,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="private_instances",
        help_text=_("Set on a private instance: the one person who can see it."),
    )
    members = models.ManyToManyField(User, through="Membership", related_name="instances")
    #: True if end users of it have several ids: see `EndUserAlias`.
    has_aliases = models.BooleanField(default=False, editable=False)
    #: True if memories of it are shared: see `Group`.
    has_groups = models.BooleanField(default=False, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = InstanceQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["name", "id"]
        constraints: ClassVar = [
            allow_values("extract_when", ExtractWhen, "instance_extract_when"),
            allow_values("pii_policy", PIIPolicy, "instance_pii_policy"),
            allow_values("provider", Provider, "instance_provider"),
            allow_values("assistant_handling", TierHandling, "instance_assistant_handling"),
            allow_values("tool_handling", TierHandling, "instance_tool_handling"),
            allow_values("document_handling", TierHandling, "instance_document_handling"),
            *area_constraints(),
            allow_values("embedding_provider", EmbeddingProvider, "instance_embedding_provider"),
            models.CheckConstraint(
                condition=Q(language__in=[name for name, label in LANGUAGES]),
                name="instance_language",
            ),
            models.CheckConstraint(
                condition=Q(
                    dedup_update__gte=0.5,
                    dedup_exact__gte=models.F("dedup_update"),
                    dedup_exact__lte=1.0,
                ),
                name="instance_dedup_thresholds",
            ),
            models.CheckConstraint(
                condition=Q(dedup_merge__gte=0.5, dedup_merge__lte=models.F("dedup_exact")),
                name="instance_dedup_merge",
            ),
            allow_values("recall_profile", RecallProfile, "instance_recall_profile"),
            allow_values("context_placement", ContextPlacement, "instance_context_placement"),
            models.CheckConstraint(condition=Q(top_k__gte=1, top_k__lte=20), name="instance_top_k"),
            models.CheckConstraint(
                condition=Q(stale_minutes__gte=1, stale_minutes__lte=1440),
                name="instance_stale_minutes",
            ),
            models.CheckConstraint(
                condition=Q(monthly_cap=None) | Q(monthly_cap__gte=0), name="instance_monthly_cap"
            ),
            models.CheckConstraint(
                condition=Q(decay_days=None) | Q(decay_days__gte=1), name="instance_decay_days"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("instance_settings", args=[self.slug])

    @property
    def can_read(self) -> bool:
        """True if conversations can be read for facts, by a language model or without one."""
        return self.builtin_reader or self.has_language_model

    @property
    def reads_by_itself(self) -> bool:
        """True if the built-in reader reads, since no language model is set up."""
        return self.builtin_reader and not self.has_language_model

    @property
    def reads_at_no_cost(self) -> bool:
        """True if reading calls no provider: neither for facts nor for their vectors."""
        return self.reads_by_itself and self.embeddings.is_builtin

    def role_of(self, user: User) -> InstanceRole | None:
        """The role of *user* here; None if they may not know of the instance."""
        if self.private_to_id is not None:
            return InstanceRole.MANAGER if self.private_to_id == user.pk else None
        if user.is_superuser:
            return InstanceRole.MANAGER
        membership = self.membership_set.filter(user=user).first()
        return InstanceRole(membership.role) if membership else None

    def note_languages(self, languages: Iterable[str]) -> None:
        """Have texts in these *languages* found. A statement is needed only for a new one."""
        if set(languages) <= set(self.search_languages):
            return
        # A row of another process may have others by now.
        Instance.objects.filter(pk=self.pk).update(
            further_languages=RawSQL(
                "ARRAY(SELECT DISTINCT unnest(further_languages || %s::varchar[]) ORDER BY 1)",
                [sorted(set(languages))],
            )
        )
        self.refresh_from_db(fields=["further_languages"])

    def canonical_end_user(self, end_user: str) -> str:
        """The id under which everything of *end_user* is stored: in the one form of Unicode of all
        ids, and another one if it was joined.
        """
        end_user = normalize("NFC", end_user)[:MAX_END_USER]
        if not (self.has_aliases and end_user):
            return end_user
        stored = self.aliases.filter(alias=end_user).values_list("end_user", flat=True)
        return stored.first() or end_user

    @property
    def holder(self) -> str:
        """Holder of the share of workers and slots that this instance uses: its own, or the owner's
        for all private instances together, since a person may create any number of them.
        """
        if self.private_to_id is not None:
            return f"person {self.private_to_id}"
        return f"instance {self.pk}"
