"""Checks and stores an uploaded file, with memories or with conversations, as its kind requires."""

from django.db import transaction
from django.db.models import Avg

from conversations.importers import check_file, import_file
from conversations.messages import NewMessage
from conversations.models import Conversation, Import, Message, Role
from instances.models import Instance
from memoryapp.extraction.run import queue
from memoryapp.extraction.windows import CallEstimate
from memoryapp.imports import memory_import
from memoryapp.mining.queue import queue_arrived
from memoryapp.models import Usage

#: Tokens of a completion until the instance has calls of its own: about three facts.
DEFAULT_COMPLETION_TOKENS = 200
#: The latest calls of the instance that are averaged.
MAX_SAMPLED_CALLS = 100


class ExtractionEstimate:
    """Estimates the calls and tokens that reading the messages of a file for facts would take."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._estimate = CallEstimate()

    def note(self, conversation: str, message: NewMessage) -> None:
        """Add a message that has not been read yet."""
        self._estimate.add(
            conversation,
            f"{message.content}{message.caption}",
            from_people=message.role in (Role.USER, Role.TOOL),
        )

    def result(self) -> dict[str, int]:
        """Return the estimated calls and tokens by the columns of `Import`."""
        self._estimate.end()
        calls = Usage.objects.filter(
            instance=self._instance, source=Usage.Source.EXTRACT, completion_tokens__gt=0
        )[:MAX_SAMPLED_CALLS]
        average = calls.aggregate(average=Avg("completion_tokens"))["average"]
        return {
            "calls": self._estimate.calls,
            "prompt_tokens": self._estimate.prompt_tokens,
            "completion_tokens": round(
                self._estimate.calls * (average or DEFAULT_COMPLETION_TOKENS)
            ),
        }


def check(import_: Import) -> None:
    """Check the file of *import_*, which the caller has claimed."""
    import_.holds_both = memory_import.holds_both(import_)
    holds_memories = memory_import.holds_memories(import_)
    import_.kind = memory_import.kind_of(import_)
    import_.row().update(kind=import_.kind, holds_both=import_.holds_both)
    if holds_memories:
        memory_import.check(import_)
        return
    # It also says what can be imported, if the format is unknown.
    estimate = ExtractionEstimate(import_.instance)
    check_file(import_, estimate.note, estimate.result)


def store(import_: Import) -> None:
    """Store the content of the file of *import_*, which the caller has claimed."""
    if import_.is_of_memories:
        memory_import.store(import_)
        return
    import_file(import_, read_for_facts if import_.read else leave_unread)


def read_for_facts(conversation: Conversation) -> None:
    """Queue the runs, whatever the settings of the instance: a person has requested it."""
    with transaction.atomic():
        # The conversation is locked first, as by all that append to it.
        conversation.locked()
        if Message.objects.filter(conversation=conversation).unread().exists():
            queue(conversation)
    queue_arrived(conversation, with_model=True)


def leave_unread(conversation: Conversation) -> None:
    """Queue only the filing of messages in the palace, which takes no calls."""
    queue_arrived(conversation, with_model=False)
