"""The texts of messages that state what was forgotten.

A muted message keeps its place in the conversation, but not its text, which lies here: search,
prompts, programs and exports read messages, and so cannot tell it. Only the transcript, which is
for people, reads this table.
"""

from datetime import datetime

from django.db import models
from django.db.models import Exists, OuterRef
from django.utils import timezone

from conversations.models import Message
from instances.models import Instance
from instances.models.content_keys import InstanceContent, OneToOneContentKey
from memoryapp.models.archived_memories import ArchivedMemory
from memoryapp.models.suppression import SuppressedStatement

#: Stands for what was taken out.
BLACKED_OUT = "█████"


class MutedQuerySet(models.QuerySet["MutedMessage"]):
    def delete_taken_out(self, before: datetime) -> int:
        """Delete what was taken out of messages that were muted *before*; return how many."""
        rows = list(self.filter(muted_at__lt=before).exclude(taken_out=[]))
        for row in rows:
            row.content, row.taken_out = row.shown, []
        return self.bulk_update(rows, ["content", "taken_out"], batch_size=500)

    def delete_filing(self, before: datetime) -> None:
        """Delete how messages were filed that stay muted, since they state a memory that was
        deleted *before*, and is not in the bin.
        """
        final = SuppressedStatement.objects.filter(
            message=OuterRef("pk"), created_at__lt=before
        ).exclude(memory_id__in=ArchivedMemory.objects.values("memory_id"))
        self.exclude(filing={}).filter(Exists(final)).update(filing={})


class MutedMessage(InstanceContent):
    """Text of a message from before it was muted."""

    message = OneToOneContentKey(
        Message, on_delete=models.CASCADE, primary_key=True, related_name="muted"
    )
    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="+")
    content = models.TextField(blank=True)
    caption = models.TextField(blank=True)
    tool_calls = models.JSONField(default=list, blank=True)
    #: The parts of `content` that a person has taken out, as beginnings and ends. Nobody sees them,
    #: and they are deleted when that cannot be undone any more.
    taken_out = models.JSONField(default=list, blank=True)
    #: What the palace and the graph knew from it, for as long as it may get its text back; see
    #: `memoryapp.forgetting.kept_filing`.
    filing = models.JSONField(default=dict, blank=True)
    #: The title of the conversation, if that was made from this message.
    title = models.CharField(max_length=300, blank=True)
    muted_at = models.DateTimeField(default=timezone.now)

    objects = MutedQuerySet.as_manager()

    def __str__(self) -> str:
        return f"Of message {self.message_id}"

    @property
    def shown(self) -> str:
        """The text without what was taken out."""
        text = self.content
        for start, end in sorted(self.taken_out, reverse=True):
            text = f"{text[:start]}{BLACKED_OUT}{text[end:]}"
        return text


def is_muted(message: Message) -> bool:
    """True if *message* is muted. Load many messages with ``muted``."""
    return hasattr(message, "muted")


def with_text(message: Message) -> Message:
    """Return *message* with its text, also if it is muted: to show it to people. It is not to be
    saved. Load many messages with ``muted``.
    """
    muted = getattr(message, "muted", None)
    if muted:
        message.content, message.caption = muted.shown, muted.caption
        message.tool_calls = muted.tool_calls
    return message


def spoken(message: Message) -> str:
    """Return the text of *message*, also if it is muted: for the answer to it, and to read it for
    its other facts. Load many messages with ``muted``.
    """
    muted = getattr(message, "muted", None)
    return muted.content if muted else message.content
