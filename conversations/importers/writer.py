"""What becomes of what the formats read: stored, or only compared with what is there. In chunks,
whatever order the conversations come in.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from conversations import messages as turns
from conversations.importers.reader import ParsedMessage
from conversations.importers.report import Report
from conversations.importers.seen_counter import SeenCounter
from conversations.messages import NewMessage, short_id
from conversations.models import Conversation, ConversationOrigin, Message
from conversations.sanitizer import sanitize
from instances.models import Instance

#: Messages that wait to be stored together.
MAX_CHUNK_MESSAGES = 500
#: Characters that wait to be stored together.
MAX_CHUNK_CHARACTERS = 4_000_000


class MessageChunks(ABC):
    """Gathers messages by conversation until there are enough to be worth the queries."""

    def __init__(
        self,
        instance: Instance,
        report: Report,
        on_progress: Callable[[Report], None],
        tally: SeenCounter,
    ) -> None:
        """Count in *report*, and tell ``on_progress`` after each chunk."""
        self._instance = instance
        self._report = report
        self._on_progress = on_progress
        self._tally = tally
        self._waiting: dict[str, list[ParsedMessage]] = {}
        self._messages = 0
        self._characters = 0

    def add(self, said: ParsedMessage) -> None:
        """Take one message in."""
        self._waiting.setdefault(said.conversation, []).append(said)
        self._messages += 1
        self._characters += len(said.turn.content) + len(said.turn.caption)
        if self._messages >= MAX_CHUNK_MESSAGES or self._characters >= MAX_CHUNK_CHARACTERS:
            self._empty(current=said.conversation)

    def end(self) -> None:
        """Deal with what still waits: no more will come."""
        self._empty(current=None)

    def _empty(self, *, current: str | None) -> None:
        for external_id, waiting in self._waiting.items():
            if self._tally.count("conversation", external_id) == 1:
                self._report.conversations += 1
                self._report.note([], next((s.title for s in waiting if s.title), ""))
            self._report.note([said.turn.sent_at for said in waiting])
        self._deal_with(self._waiting, current)
        self._waiting.clear()
        self._messages = self._characters = 0

    @abstractmethod
    def _deal_with(self, waiting: dict[str, list[ParsedMessage]], current: str | None) -> None:
        """Do what is to be done with these; *current* is the conversation that may go on."""

    def _belongs(self, said: ParsedMessage, end_user: str) -> bool:
        """Whether *said* is of the conversation's own end user; if not, it is left out."""
        if not said.end_user or sanitize(said.end_user)[:200] == end_user:
            return True
        self._report.skip(said.place, "its end user is not the conversation’s.")
        return False


class MessageWriter(MessageChunks):
    """Stores messages, a chunk in one transaction a conversation.

    A conversation is taken for complete when another one has begun, or at the end. If it goes on
    later all the same, it is completed once more.
    """

    def __init__(self, *args: Any, on_complete: Callable[[Conversation], None]) -> None:
        """Tell ``on_complete`` of each conversation that has come in as a whole."""
        super().__init__(*args)
        self._on_complete = on_complete
        #: Conversations with stored messages that have not been declared complete.
        self._open: dict[str, Conversation] = {}

    def _deal_with(self, waiting: dict[str, list[ParsedMessage]], current: str | None) -> None:
        for external_id, messages in waiting.items():
            conversation = self._conversation(external_id, messages)
            belonging = [s.turn for s in messages if self._belongs(s, conversation.end_user)]
            appended = turns.append(conversation, belonging, finished=False)
            self._open[external_id] = conversation
            self._report.messages_added += len(appended.added)
            self._report.messages_known += appended.known
            self._on_progress(self._report)
        for external_id in [key for key in self._open if key != current]:
            self._on_complete(self._open.pop(external_id))

    def _conversation(self, external_id: str, waiting: list[ParsedMessage]) -> Conversation:
        end_user = sanitize(next((s.end_user for s in waiting if s.end_user), ""))[:200]
        defaults: dict[str, Any] = {
            "title": sanitize(next((s.title for s in waiting if s.title), ""))[:300],
            "end_user": end_user,
            "origin": ConversationOrigin.IMPORT,
        }
        if begun := next((s.turn.sent_at for s in waiting if s.turn.sent_at), None):
            defaults["created_at"] = begun
        conversation, _ = Conversation.objects.get_or_create(
            instance=self._instance,
            external_id=turns.short_id(external_id),
            defaults=defaults,
        )
        return conversation


#: End users of conversations that are not there yet, kept while the file goes on.
_MAX_END_USERS = 10_000


class MessageComparison(MessageChunks):
    """Changes nothing: finds out which messages are new, and which nobody has read for facts."""

    def __init__(self, *args: Any, on_unread: Callable[[str, NewMessage], None]) -> None:
        """Tell ``on_unread`` of each message, with its conversation's id in the file, that reading
        for facts would have to read.
        """
        super().__init__(*args)
        self._on_unread = on_unread
        self._end_users: dict[str, str] = {}

    def _deal_with(self, waiting: dict[str, list[ParsedMessage]], current: str | None) -> None:
        there = {
            external_id: (pk, watermark, end_user)
            for external_id, pk, watermark, end_user in Conversation.objects.filter(
                instance=self._instance, external_id__in=[short_id(key) for key in waiting]
            ).values_list("external_id", "pk", "watermark", "end_user")
        }
        ids = [short_id(s.turn.external_id) for said in waiting.values() for s in said]
        positions = {
            (conversation, external_id): position
            for conversation, external_id, position in Message.objects.filter(
                conversation__in=[pk for pk, _, _ in there.values()], external_id__in=ids
            ).values_list("conversation", "external_id", "position")
        }
        for key, messages in waiting.items():
            pk, watermark, end_user = there.get(
                short_id(key), (0, 0, self._end_user(key, messages))
            )
            for said in messages:
                if not self._belongs(said, end_user):
                    continue
                external_id = short_id(said.turn.external_id)
                position = positions.get((pk, external_id))
                first_time = self._tally.count("said", key, external_id) == 1
                if position is None and first_time:
                    self._report.messages_added += 1
                else:
                    self._report.messages_known += 1
                if first_time and (position is None or position > watermark):
                    self._on_unread(key, said.turn)
        self._on_progress(self._report)

    def _end_user(self, key: str, messages: list[ParsedMessage]) -> str:
        if key not in self._end_users:
            if len(self._end_users) >= _MAX_END_USERS:
                self._end_users.clear()
            self._end_users[key] = sanitize(
                next((said.end_user for said in messages if said.end_user), "")
            )[:200]
        return self._end_users[key]
