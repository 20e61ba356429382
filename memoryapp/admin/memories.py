"""Memories, and what has become of them."""

from collections.abc import Iterable
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memoryapp.admin import actions
from memoryapp.admin.base import TableAdmin, Tool
from memoryapp.admin.columns import list_of
from memoryapp.models import (
    Activity,
    ArchivedMemory,
    Contradiction,
    HeldStatement,
    Memory,
    MemoryRevision,
    MemorySource,
    RefusedProposal,
    SavedFilter,
    StoredDocument,
    Summary,
    SuppressedStatement,
    SuppressionRule,
)


class MemoryAdmin(TableAdmin[Memory]):
    model = Memory
    name, plural = gettext_lazy("Memory"), gettext_lazy("Memories")
    columns = ("content", "instance", "category", "importance", "origin", "tier", "created_at")
    details = (
        *("end_user", "tags", "key", "value", "valid_until", "said_at", "approved_at", "pinned_at"),
        *("language", "stale_since", "recall_count", "last_recalled_at", "external_id"),
        *("stored_at", "updated_at"),
    )
    filters = ("category", "origin", "tier", "created_at", "stale_since", "valid_until")
    exact = ("external_id",)
    has_words = True
    instance_order = ("-created_at", "-id")
    actions = (actions.archive_memories, actions.delete_memories)

    def tools(self, row: Memory) -> Iterable[Tool]:
        """To its screen, its form, its sources and versions."""
        yield _("Open in Keepsake"), row.get_absolute_url()
        yield _("Edit"), reverse("memory_edit", args=[row.pk])
        yield _("Sources"), list_of(MemorySource, memory=row.pk)
        yield _("Versions"), list_of(MemoryRevision, memory=row.pk)
        yield _("Activity"), list_of(Activity, memory_id=row.pk)


class SourceAdmin(TableAdmin[MemorySource]):
    model = MemorySource
    name, plural = gettext_lazy("Source"), gettext_lazy("Sources of memories")
    columns = (
        *("id", "memory", "instance", "action", "via", "conversation", "message", "created_at"),
    )
    filters = ("action", "created_at")
    links = ("memory", "conversation")
    instance_order = ("-created_at", "-id")


class RevisionAdmin(TableAdmin[MemoryRevision]):
    model = MemoryRevision
    name, plural = gettext_lazy("Version"), gettext_lazy("Versions of memories")
    columns = ("content", "memory", "instance", "reason", "by", "replaced_at")
    details = (
        *("category", "importance", "tags", "key", "value", "valid_until", "origin", "tier"),
        *("approved_at", "said_at", "valid_from"),
    )
    filters = ("reason", "category", "origin", "tier", "replaced_at")
    links = ("memory",)


class ContradictionAdmin(TableAdmin[Contradiction]):
    model = Contradiction
    name, plural = gettext_lazy("Contradiction"), gettext_lazy("Possible contradictions")
    columns = ("id", "memory", "other", "instance", "created_at", "resolved_at", "resolved_by")
    filters = ("created_at", "resolved_at")


class HeldAdmin(TableAdmin[HeldStatement]):
    model = HeldStatement
    name, plural = gettext_lazy("Held statement"), gettext_lazy("Statements held for review")
    columns = (
        *("content", "instance", "tier", "reason", "conversation", "created_at", "rejected_at"),
    )
    details = ("end_user", "message", "via")
    filters = ("tier", "reason", "created_at", "rejected_at")
    actions = (actions.approve_held, actions.reject_held)

    def tools(self, row: HeldStatement) -> Iterable[Tool]:
        """To the review of its instance."""
        yield _("Open in Keepsake"), f"{reverse('review')}?instance={row.instance.slug}"


class RefusedAdmin(TableAdmin[RefusedProposal]):
    model = RefusedProposal
    name, plural = gettext_lazy("Refused fact"), gettext_lazy("Refused facts")
    columns = ("content", "instance", "reason", "conversation", "created_at")
    details = ("end_user", "message", "run")
    filters = ("created_at",)

    def tools(self, row: RefusedProposal) -> Iterable[Tool]:
        """To the refused facts of its instance."""
        yield _("Open in Keepsake"), f"{reverse('refused')}?instance={row.instance.slug}"


class ArchivedAdmin(TableAdmin[ArchivedMemory]):
    model = ArchivedMemory
    name, plural = gettext_lazy("Archived memory"), gettext_lazy("Bin")
    columns = ("content", "instance", "category", "by", "via", "archived_at")
    details = ("end_user", "memory_id")
    filters = ("archived_at",)
    actions = (actions.restore_archived, actions.forget_archived)

    def tools(self, row: ArchivedMemory) -> Iterable[Tool]:
        """To the bin of its instance."""
        yield _("Open in Keepsake"), f"{reverse('bin')}?instance={row.instance.slug}"


class SuppressionRuleAdmin(TableAdmin[SuppressionRule]):
    """Without the hashes by which the text is recognised."""

    model = SuppressionRule
    name, plural = gettext_lazy("Never-again rule"), gettext_lazy("Never-again rules")
    columns = ("id", "instance", "end_user", "kept_out", "last_kept_out_at", "by", "created_at")
    details = ("memory_id", "via")
    filters = ("created_at", "last_kept_out_at")

    def tools(self, row: SuppressionRule) -> Iterable[Tool]:
        """To the rules of its instance."""
        yield _("Open in Keepsake"), f"{reverse('suppression')}?instance={row.instance.slug}"


class SuppressedStatementAdmin(TableAdmin[SuppressedStatement]):
    """Without the hashes by which the text is recognised."""

    model = SuppressedStatement
    name, plural = gettext_lazy("Muted statement"), gettext_lazy("Muted statements")
    columns = ("id", "instance", "message", "memory_id", "created_at")
    filters = ("created_at",)


class SummaryAdmin(TableAdmin[Summary]):
    model = Summary
    name, plural = gettext_lazy("Summary"), gettext_lazy("Summaries")
    columns = ("text", "instance", "end_user", "model", "written_at")
    details = ("attempts",)
    filters = ("written_at",)
    exact = ("end_user",)


class SavedFilterAdmin(TableAdmin[SavedFilter]):
    model = SavedFilter
    name, plural = gettext_lazy("Saved filter"), gettext_lazy("Saved filters")
    columns = ("name", "instance", "user", "created_at")
    filters = ("created_at",)
    title_field = "name"
    parts = ("name",)


class DocumentAdmin(TableAdmin[StoredDocument]):
    model = StoredDocument
    name, plural = gettext_lazy("Document"), gettext_lazy("Documents of programs")
    columns = ("key", "namespace", "instance", "end_user", "size", "version", "updated_at")
    details = ("created_at",)
    filters = ("updated_at",)
    exact = ("key",)
    has_words = True

    def tools(self, row: StoredDocument) -> Iterable[Tool]:
        """To its screen."""
        yield _("Open in Keepsake"), reverse("stored_document", args=[row.pk])


TABLES: list[type[TableAdmin[Any]]] = [
    *(MemoryAdmin, SourceAdmin, RevisionAdmin, ContradictionAdmin, HeldAdmin, RefusedAdmin),
    *(
        ArchivedAdmin,
        SuppressionRuleAdmin,
        SuppressedStatementAdmin,
        SummaryAdmin,
        SavedFilterAdmin,
    ),
    DocumentAdmin,
]
