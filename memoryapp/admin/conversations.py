"""Conversations, their messages, and the answers of the chat."""

from collections.abc import Iterable
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from conversations.models import Conversation, Import, Message
from memoryapp.admin import actions
from memoryapp.admin.base import TableAdmin, Tool
from memoryapp.admin.columns import list_of
from memoryapp.models import (
    Activity,
    Answer,
    MemorySource,
    ProposedDeletion,
    RecallLog,
    Run,
    ToolRun,
)


class ConversationAdmin(TableAdmin[Conversation]):
    model = Conversation
    name, plural = gettext_lazy("Conversation"), gettext_lazy("Conversations")
    columns = ("title", "instance", "origin", "end_user", "without_memory", "last_activity_at")
    details = ("agent", "external_id", "created_at")
    filters = ("origin", "without_memory", "last_activity_at")
    title_field = "title"
    exact = ("external_id", "end_user")
    parts = ("title",)
    instance_order = ("-last_activity_at", "-id")
    actions = (actions.read_conversations,)

    def tools(self, row: Conversation) -> Iterable[Tool]:
        """To its transcript and its deletion, its messages, runs and memories."""
        yield _("Open in Keepsake"), row.get_absolute_url()
        yield _("Messages"), list_of(Message, conversation=row.pk)
        yield _("Memories"), list_of(MemorySource, conversation=row.pk)
        yield _("Runs"), list_of(Run, conversation=row.pk)
        yield _("Activity"), list_of(Activity, conversation=row.pk)
        yield _("Delete"), reverse("conversation_delete", args=[row.pk])


class MessageAdmin(TableAdmin[Message]):
    """The text as it is recalled: that of a muted message is in the transcript only."""

    model = Message
    name, plural = gettext_lazy("Message"), gettext_lazy("Messages")
    columns = ("content", "role", "conversation", "instance", "sent_at")
    details = ("position", "author", "trust", "api_key", "language", "nature", "external_id")
    filters = ("role", "nature", "trust", "sent_at")
    links = ("conversation",)
    has_words = True

    def tools(self, row: Message) -> Iterable[Tool]:
        """To its place in the transcript."""
        yield _("Open in Keepsake"), row.get_absolute_url()


class AnswerAdmin(TableAdmin[Answer]):
    model = Answer
    name, plural = gettext_lazy("Answer"), gettext_lazy("Answers of the chat")
    columns = ("id", "instance", "conversation", "state", "model", "error", "created_at")
    details = ("message", "reply", "finished_at")
    filters = ("state", "created_at")
    links = ("conversation",)

    def tools(self, row: Answer) -> Iterable[Tool]:
        """To what was recalled for it, and to its tools."""
        yield _("What was recalled"), list_of(RecallLog, answer=row.pk)
        yield _("Tool calls"), list_of(ToolRun, answer=row.pk)


class RecallAdmin(TableAdmin[RecallLog]):
    model = RecallLog
    name, plural = gettext_lazy("Recall"), gettext_lazy("What the chat recalled")
    columns = ("id", "instance", "answer", "placement", "problem", "milliseconds", "created_at")
    filters = ("placement", "created_at")
    links = ("answer",)


class ToolRunAdmin(TableAdmin[ToolRun]):
    model = ToolRun
    name, plural = gettext_lazy("Tool call"), gettext_lazy("Tool calls of the chat")
    columns = ("name", "instance", "answer", "ok", "outcome", "milliseconds", "created_at")
    details = ("memory_ids",)
    filters = ("ok", "created_at")
    links = ("answer",)


class ProposedDeletionAdmin(TableAdmin[ProposedDeletion]):
    model = ProposedDeletion
    name, plural = gettext_lazy("Proposed deletion"), gettext_lazy("Proposed deletions")
    columns = ("id", "instance", "answer", "memory_id", "decision", "decided_by", "decided_at")
    filters = ("decision", "decided_at")


class ImportAdmin(TableAdmin[Import]):
    model = Import
    name, plural = gettext_lazy("Import"), gettext_lazy("Imports")
    columns = ("filename", "instance", "by", "kind", "state", "created_at", "finished_at")
    details = (
        *("error", "attempts", "conversations", "messages_added", "memories_new"),
        *("memories_changed", "memories_held"),
    )
    filters = ("state", "kind", "created_at")
    title_field = "filename"
    parts = ("filename",)

    def tools(self, row: Import) -> Iterable[Tool]:
        """To its screen."""
        yield _("Open in Keepsake"), row.get_absolute_url()


TABLES: list[type[TableAdmin[Any]]] = [
    *(ConversationAdmin, MessageAdmin, ImportAdmin, AnswerAdmin, RecallAdmin, ToolRunAdmin),
    ProposedDeletionAdmin,
]
