"""Links from memories to who or what states them: messages, programs, files and screens."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from django.db.models import F, Q

from conversations.models import Message
from instances.models import Instance
from memoryapp.models import Memory, MemoryRevision, MemorySource
from memoryapp.models.prepared_statements import insert
from memoryapp.pipeline.candidates import Candidate, Writer
from memoryapp.pipeline.plan import Plan

#: A link to a message by the ids of its memory, conversation and message.
_Place = tuple[int, int | None, int | None]
#: What makes a version of a memory.
_HEARD = MemorySource.Action.HEARD
_CHANGES = (MemorySource.Action.STORED, MemorySource.Action.UPDATED)


class SourceLinks:
    """The links from the memories that the facts of a call are about. *known* are the memories that
    are stored already.
    """

    def __init__(
        self,
        instance: Instance,
        plans: Sequence[Plan],
        writer: Writer,
        known: Mapping[int, Memory],
    ) -> None:
        self._instance = instance
        self._plans = plans
        self._writer = writer
        self._known = known
        #: What is to be stored.
        self._of_messages: dict[_Place, MemorySource] = {}
        self._of_programs: list[MemorySource] = []

    def add(
        self,
        memory: Memory,
        pk: int,
        candidate: Candidate,
        action: MemorySource.Action,
        revision: MemoryRevision | None,
    ) -> None:
        """Link *memory*, whose id *pk* may be provisional, to the message of *candidate*; without
        one, to the program, file or screen that it came through.

        A message has one link: a later one matters only if it changes the memory, and if the change
        of the first was undone, makes it again.
        """
        batches = [self._plans[0].batch, candidate.batch]
        link = MemorySource(
            memory=memory,
            instance=self._instance,
            conversation_id=candidate.conversation_id,
            via=candidate.via or self._writer.by.via,
            batches=[batch for batch in batches if batch],
            action=action,
        )
        if candidate.conversation_id is not None:
            self._add_message(pk, candidate, link, revision)
        elif action in _CHANGES or (pk, action == _HEARD) not in self._said_by_program:
            self._of_programs.append(link)
            if revision is not None:
                revision.source = link

    def _add_message(
        self, pk: int, candidate: Candidate, new: MemorySource, revision: MemoryRevision | None
    ) -> None:
        pair = candidate.conversation_id, candidate.message_id
        new.message_id = candidate.message_id if pair in self._messages else None
        place = pk, candidate.conversation_id, new.message_id
        link = self._of_messages.get(place) or self._present.get(place)
        if link is None:
            link = self._of_messages[place] = new
        elif revision is None:
            return
        elif link.action == MemorySource.Action.UNDONE:
            link.action, link.batches = new.action, new.batches
            self._of_messages[place] = link
        else:
            if link.action not in _CHANGES:
                link.action = new.action
            link.batches = list(dict.fromkeys([*link.batches, *new.batches]))
            self._of_messages[place] = link
            return
        if revision is not None:
            revision.source = link

    def was_taken_back(self, pk: int, message_id: int | None) -> bool:
        """True if the message changed the memory before, and a person undid that: reading the
        message again must not redo it.
        """
        return message_id is not None and any(
            (memory, message) == (pk, message_id) and link.action == MemorySource.Action.UNDONE
            for (memory, _, message), link in self._present.items()
        )

    def is_stated_by(self, pk: int, message_id: int | None) -> bool:
        """True if an earlier reading of the message has stated the memory."""
        return message_id is not None and any(
            (memory, message) == (pk, message_id) for memory, _, message in self._present
        )

    def store(self) -> None:
        """Store the links; their memories are stored."""
        links = [*self._of_messages.values(), *self._of_programs]
        changed = [link for link in links if link.pk is not None]
        insert(link for link in links if link.pk is None)
        if changed:
            MemorySource.objects.bulk_update(changed, ["action", "batches"])

    @cached_property
    def _present(self) -> dict[_Place, MemorySource]:
        """The links of the known memories to the messages of the facts."""
        conversations = {
            plan.candidate.conversation_id for plan in self._plans if plan.candidate.conversation_id
        }
        messages = self._message_ids
        if not self._known or not (conversations or messages):
            return {}
        links = MemorySource.objects.filter(
            Q(conversation__in=conversations) | Q(message__in=messages),
            instance=self._instance,
            memory__in=self._known,
        )
        return {(link.memory_id, link.conversation_id, link.message_id): link for link in links}

    @cached_property
    def _said_by_program(self) -> set[tuple[int, bool]]:
        """The known memories about which the writer's entry point has made a statement since they
        were changed last, outside of conversations; each with whether that was not adopted.
        """
        if self._writer.batch:  # Each file is a source of its own.
            return set()
        links = (
            MemorySource.objects.counting()
            .filter(
                instance=self._instance,
                memory__in=self._known,
                conversation=None,
                via=self._writer.by.via,
                created_at__gte=F("memory__updated_at"),
            )
            .exclude(action=MemorySource.Action.EDITED)
        )
        return {(pk, action == _HEARD) for pk, action in links.values_list("memory", "action")}

    @cached_property
    def _messages(self) -> set[tuple[int | None, int | None]]:
        """The conversations and messages of the facts, where one belongs to the other."""
        if not self._message_ids:
            return set()
        rows = Message.objects.filter(pk__in=self._message_ids)
        return set(rows.values_list("conversation_id", "pk"))

    @cached_property
    def _message_ids(self) -> set[int]:
        return {plan.candidate.message_id for plan in self._plans if plan.candidate.message_id}
