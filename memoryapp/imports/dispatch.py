"""Which of the two an uploaded file holds, and what follows from conversations coming in."""

from django.db import transaction
from django.db.models import Avg

from conversations.importers import check_file, import_file
from conversations.messages import NewMessage
from conversations.models import Conversation, Import, Message, Role
from instances.models import Instance
from memoryapp.extraction.run import queue
from memoryapp.extraction.windows import Estimate
from memoryapp.imports import memory_import
from memoryapp.mining.queue import queue_arrived
from memoryapp.models import Usage

#: Tokens that a call writes, for as long as the instance's own calls say nothing about that: some
#: three facts.
TOKENS_WRITTEN = 200
#: Calls of the instance whose average counts.
MAX_SAMPLED_CALLS = 100


class ExtractionEstimate:
    """What reading the messages of a file for facts would take: hand `note` to whoever looks
    through the file.
    """

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._estimate = Estimate()

    def note(self, conversation: str, turn: NewMessage) -> None:
        """Take a message into account that has not been read yet."""
        self._estimate.add(
            conversation,
            f"{turn.content}{turn.caption}",
            from_people=turn.role in (Role.USER, Role.TOOL),
        )

    def result(self) -> dict[str, int]:
        """Return the calls, and the tokens that they read and write, by the columns of `Import`."""
        self._estimate.end()
        calls = Usage.objects.filter(
            instance=self._instance, source=Usage.Source.EXTRACT, completion_tokens__gt=0
        )[:MAX_SAMPLED_CALLS]
        average = calls.aggregate(average=Avg("completion_tokens"))["average"]
        return {
            "calls": self._estimate.calls,
            "prompt_tokens": self._estimate.prompt_tokens,
            "completion_tokens": round(self._estimate.calls * (average or TOKENS_WRITTEN)),
        }


def check(import_: Import) -> None:
    """Look through the file of *import_*, which the caller has claimed."""
    import_.kind = (
        Import.Kind.MEMORIES if memory_import.holds_memories(import_) else Import.Kind.CONVERSATIONS
    )
    Import.objects.filter(pk=import_.pk).update(kind=import_.kind)
    if import_.is_of_memories:
        memory_import.check(import_)
        return
    survey = ExtractionEstimate(import_.instance)
    check_file(import_, survey.note, survey.result)


def store(import_: Import) -> None:
    """Bring in the file of *import_*, which the caller has claimed."""
    if import_.is_of_memories:
        memory_import.store(import_)
        return
    import_file(import_, read_for_facts if import_.read else leave_unread)


def read_for_facts(conversation: Conversation) -> None:
    """Queue the runs, whatever the instance does by itself: somebody has asked for it."""
    with transaction.atomic():
        # In the order of locks of everybody who adds to a conversation: the conversation first.
        Conversation.objects.select_for_update(of=("self",)).get(pk=conversation.pk)
        if Message.objects.filter(conversation=conversation).unread().exists():
            queue(conversation)
    queue_arrived(conversation, with_model=True)


def leave_unread(conversation: Conversation) -> None:
    """Have its turns filed, which takes no calls; it can be read later."""
    queue_arrived(conversation, with_model=False)
