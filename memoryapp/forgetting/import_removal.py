"""Takes out what an import has brought, besides memories: its conversations, with their messages
and filings, and the readings that still wait. Part of the rollback of an import.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from conversations.models import Conversation, ConversationOrigin, Import, Message
from memoryapp.models import Run

_OPEN = (Run.State.QUEUED, Run.State.RUNNING)


@dataclass(frozen=True)
class ImportRemoval:
    """Rows that the rollback of an import takes out, by their ids."""

    #: The conversations that hold nothing but messages of the import: they go.
    conversations: list[int] = field(default_factory=list)
    #: The number of their messages.
    messages: int = 0
    #: The conversations that hold other messages, too: they stay as they are.
    staying: list[int] = field(default_factory=list)
    #: The readings that wait or are at work: they end.
    runs: list[int] = field(default_factory=list)
    #: How far conversations that stay count as read afterwards: the unread messages of the import
    #: are skipped.
    watermarks: dict[int, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """True if anything is to be taken out."""
        return bool(self.conversations or self.runs or self.watermarks)


def conversations_of(import_: Import) -> set[int]:
    """Return the ids of the conversations of the file, new or known before, and of those that its
    messages have begun when it ended early.
    """
    return _filled(import_) | set(import_.brought.order_by().values_list("pk", flat=True))


def removal_of(import_: Import) -> ImportRemoval:
    """Return what taking *import_* back would take out; nothing changes."""
    filled, touched = _filled(import_), conversations_of(import_)
    among = Message.objects.filter(conversation__in=touched).order_by()
    others = among.exclude(batch=import_.batch)
    mixed = set(others.values_list("conversation", flat=True).distinct())
    # Begun by the import, with messages that were all left out.
    empty = Conversation.objects.filter(
        pk__in=touched - filled - mixed, origin=ConversationOrigin.IMPORT
    )
    gone = (filled - mixed) | set(empty.values_list("pk", flat=True))
    runs = Run.objects.extractions().filter(conversation__in=touched, state__in=_OPEN)
    return ImportRemoval(
        sorted(gone),
        among.filter(conversation__in=gone).count(),
        sorted(mixed & filled),
        sorted(runs.values_list("pk", flat=True)),
        dict(_watermarks(import_, mixed & filled)),
    )


def remove(removal: ImportRemoval) -> None:
    """Take *removal* out. The caller has locked out the writers of its conversations.

    A worker that is reading one of the conversations finds that its run is gone, and stores
    nothing.
    """
    runs = Run.objects.filter(pk__in=removal.runs)
    waited = set(runs.values_list("conversation", flat=True))
    runs.delete()
    for pk, position in removal.watermarks.items():
        Conversation.objects.filter(pk=pk).update(watermark=position)
    Conversation.objects.filter(pk__in=removal.conversations).delete()
    # What others have said in the meantime is still to be read.
    for conversation in Conversation.objects.filter(pk__in=waited):
        if Message.objects.filter(conversation=conversation, batch=None).unread().exists():
            Run.objects.queue(conversation, Run.Kind.EXTRACTION)


def _filled(import_: Import) -> set[int]:
    """The ids of the conversations that hold messages of *import_*."""
    own = Message.objects.filter(instance=import_.instance_id, batch=import_.batch).order_by()
    return set(own.values_list("conversation", flat=True).distinct())


def _watermarks(import_: Import, conversations: set[int]) -> Iterator[tuple[int, int]]:
    """The positions up to which the unread messages are all of the import, by conversation."""
    rows = Message.objects.filter(conversation__in=conversations).unread()
    stopped: set[int] = set()
    positions: dict[int, int] = {}
    for pk, position, batch in rows.order_by("conversation", "position").values_list(
        "conversation", "position", "batch"
    ):
        if batch != import_.batch:
            stopped.add(pk)
        elif pk not in stopped:
            positions[pk] = position
    yield from positions.items()
