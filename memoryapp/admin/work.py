"""Work in the background, and the logs of what was done, used and erased."""

from collections.abc import Iterable
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from instances.models import CircuitBreaker, Webhook
from memoryapp.admin import actions
from memoryapp.admin.base import TableAdmin, Tool
from memoryapp.admin.columns import list_of
from memoryapp.models import (
    Activity,
    EmbeddingJob,
    EmbeddingSpace,
    Erasure,
    GoldenQuestion,
    GoldenRound,
    LegalHold,
    RetentionRule,
    Run,
    Usage,
    VectorIndex,
    WebhookDelivery,
)


class RunAdmin(TableAdmin[Run]):
    model = Run
    name, plural = gettext_lazy("Run"), gettext_lazy("Runs")
    columns = (
        *("id", "kind", "state", "instance", "conversation", "attempts", "error", "created_at"),
    )
    details = ("with_model", "stored", "filed", "finished_at", "request_id")
    filters = ("state", "kind", "with_model", "created_at")
    links = ("conversation",)
    exact = ("request_id",)
    actions = (actions.retry_runs,)

    def tools(self, row: Run) -> Iterable[Tool]:
        """To its conversation, and what it used."""
        yield _("Open in Keepsake"), reverse("conversation", args=[row.conversation_id])
        yield _("Usage"), list_of(Usage, run=row.pk)


class ActivityAdmin(TableAdmin[Activity]):
    model = Activity
    name, plural = gettext_lazy("Entry"), gettext_lazy("Activity")
    columns = ("at", "action", "instance", "by", "via", "memory_id", "conversation", "count")
    details = ("about",)
    filters = ("action", "at")
    links = ("memory_id", "conversation")
    instance_order = ("-at", "-id")


class UsageAdmin(TableAdmin[Usage]):
    model = Usage
    name, plural = gettext_lazy("Call"), gettext_lazy("Usage")
    columns = (
        *("at", "source", "model", "instance", "prompt_tokens", "completion_tokens", "cost"),
        *("error_kind",),
    )
    details = ("run",)
    filters = ("source", "error_kind", "at")
    links = ("run",)
    exact = ("model", "error_kind")
    instance_order = ("-at", "-id")


class BreakerAdmin(TableAdmin[CircuitBreaker]):
    model = CircuitBreaker
    name, plural = gettext_lazy("Failing server"), gettext_lazy("Model servers that fail")
    columns = ("server", "instance", "failures", "retry_at", "said")
    exact = ("server",)


class EmbeddingJobAdmin(TableAdmin[EmbeddingJob]):
    model = EmbeddingJob
    name, plural = gettext_lazy("Embedding job"), gettext_lazy("Embedding jobs")
    columns = ("id", "kind", "state", "instance", "by", "done", "total", "error", "created_at")
    details = ("failures", "finished_at")
    filters = ("state", "kind", "created_at")


class SpaceAdmin(TableAdmin[EmbeddingSpace]):
    model = EmbeddingSpace
    name, plural = gettext_lazy("Embedding space"), gettext_lazy("Embedding spaces")
    columns = ("name", "instance")
    title_field = "name"
    parts = ("name",)


class VectorIndexAdmin(TableAdmin[VectorIndex]):
    model = VectorIndex
    name, plural = gettext_lazy("Vector index"), gettext_lazy("Vector indexes")
    columns = ("id", "instance", "space", "of", "state", "rows", "built_at")
    filters = ("state", "of", "built_at")


class WebhookAdmin(TableAdmin[Webhook]):
    """Without the secret that signs."""

    model = Webhook
    name, plural = gettext_lazy("Webhook"), gettext_lazy("Webhooks")
    columns = ("url", "instance", "enabled", "failures", "paused_at", "created_at")
    details = ("events", "created_by")
    filters = ("enabled", "paused_at", "created_at")
    title_field = "url"
    parts = ("url",)
    is_small = True

    def tools(self, row: Webhook) -> Iterable[Tool]:
        """To its settings, and what it was told."""
        yield _("Open in Keepsake"), reverse("webhook_edit", args=[row.instance.slug, row.pk])
        yield _("Deliveries"), list_of(WebhookDelivery, webhook=row.pk)


class DeliveryAdmin(TableAdmin[WebhookDelivery]):
    model = WebhookDelivery
    name, plural = gettext_lazy("Delivery"), gettext_lazy("Deliveries of webhooks")
    instance_path = "webhook__instance"
    columns = ("id", "webhook", "event", "state", "attempts", "status", "error", "created_at")
    details = ("ids",)
    filters = ("state", "event", "created_at")
    links = ("webhook",)
    exact = ()


class HoldAdmin(TableAdmin[LegalHold]):
    model = LegalHold
    name, plural = gettext_lazy("Legal hold"), gettext_lazy("Legal holds")
    columns = ("name", "instance", "scope", "set_at", "set_by_name", "lifted_at", "lifted_by_name")
    details = ("end_user", "conversation", "begins_at", "ends_at")
    filters = ("scope", "set_at", "lifted_at")
    title_field = "name"
    links = ("conversation",)

    def tools(self, row: LegalHold) -> Iterable[Tool]:
        """To the settings, where it can be lifted."""
        yield _("Open in Keepsake"), reverse("instance_card", args=[row.instance.slug, "holds"])


class RetentionAdmin(TableAdmin[RetentionRule]):
    model = RetentionRule
    name, plural = gettext_lazy("Retention rule"), gettext_lazy("Retention rules")
    columns = ("kept", "days", "instance", "category", "tier", "origin", "tag")
    details = ("created_at", "created_by")
    filters = ("kept", "created_at")

    def tools(self, row: RetentionRule) -> Iterable[Tool]:
        """To the settings, where it can be removed."""
        yield _("Open in Keepsake"), reverse("instance_card", args=[row.instance.slug, "retention"])


class GoldenQuestionAdmin(TableAdmin[GoldenQuestion]):
    model = GoldenQuestion
    name, plural = gettext_lazy("Golden question"), gettext_lazy("Golden questions")
    columns = ("text", "instance", "end_user", "created_at", "created_by")
    details = ("memories", "messages")
    filters = ("created_at",)
    title_field = "text"


class GoldenRoundAdmin(TableAdmin[GoldenRound]):
    model = GoldenRound
    name, plural = (
        gettext_lazy("Round of golden questions"),
        gettext_lazy("Rounds of golden questions"),
    )
    columns = ("created_at", "instance", "cause", "asked", "first", "shown", "finished_at")
    details = ("by",)
    filters = ("cause", "created_at")


class ErasureAdmin(TableAdmin[Erasure]):
    """Without the ids of the person, which the certificate does not have either."""

    model = Erasure
    name, plural = gettext_lazy("Erasure"), gettext_lazy("Erasures")
    columns = ("asked_at", "instance", "state", "asked_by", "via", "finished_at")
    details = ("error",)
    filters = ("state", "asked_at")

    def tools(self, row: Erasure) -> Iterable[Tool]:
        """To its certificate."""
        yield _("Open in Keepsake"), reverse("erasure", args=[row.pk])


TABLES: list[type[TableAdmin[Any]]] = [
    *(
        RunAdmin,
        ActivityAdmin,
        UsageAdmin,
        ErasureAdmin,
        HoldAdmin,
        RetentionAdmin,
        GoldenQuestionAdmin,
        GoldenRoundAdmin,
        BreakerAdmin,
        EmbeddingJobAdmin,
    ),
    *(SpaceAdmin, VectorIndexAdmin, WebhookAdmin, DeliveryAdmin),
]
