"""Stores the messages of a file in chunks, or only compares them with those stored. Their
conversations may come in any order.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from conversations import hooks
from conversations.importers.reader import ParsedMessage
from conversations.importers.report import Report
from conversations.importers.seen_counter import SeenCounter, digest
from conversations.messages import BY_PEOPLE, MessageDoor, NewMessage, append, short_id
from conversations.models import Conversation, ConversationOrigin, Message
from conversations.sanitizer import sanitize
from conversations.titles import clean_title
from instances.models import Instance
from instances.translatable import translatable

#: Messages that wait to be stored together.
MAX_CHUNK_MESSAGES = 500
#: Characters that wait to be stored together.
MAX_CHUNK_CHARACTERS = 4_000_000


class MessageChunks(ABC):
    """Collects messages by conversation until there are enough for a chunk."""

    def __init__(
        self,
        instance: Instance,
        report: Report,
        on_progress: Callable[[Report], None],
        seen: SeenCounter,
    ) -> None:
        """Count in *report*, and call ``on_progress`` after each chunk."""
        self._instance = instance
        self._report = report
        self._on_progress = on_progress
        self._seen = seen
        self._waiting: dict[str, list[ParsedMessage]] = {}
        self._messages = 0
        self._characters = 0

    def add(self, parsed: ParsedMessage) -> None:
        """Add a message to the chunk, and process the chunk if it is full."""
        self._waiting.setdefault(parsed.conversation, []).append(parsed)
        self._messages += 1
        self._characters += len(parsed.message.content) + len(parsed.message.caption)
        if self._messages >= MAX_CHUNK_MESSAGES or self._characters >= MAX_CHUNK_CHARACTERS:
            self._process(current=parsed.conversation)

    def end(self) -> None:
        """Process the last chunk."""
        self._process(current=None)

    def _process(self, *, current: str | None) -> None:
        for external_id, waiting in self._waiting.items():
            if self._seen.count("conversation", external_id) == 1:
                self._report.conversations += 1
                self._report.note([], self._title(waiting))
            self._report.note([parsed.message.sent_at for parsed in waiting])
        self._process_chunk(self._waiting, current)
        self._waiting.clear()
        self._messages = self._characters = 0

    @abstractmethod
    def _process_chunk(self, waiting: dict[str, list[ParsedMessage]], current: str | None) -> None:
        """Store or compare the messages; *current* is the conversation that may go on."""

    def _title(self, messages: list[ParsedMessage]) -> str:
        title = next((parsed.title for parsed in messages if parsed.title), "")
        return clean_title(self._instance, title)

    def _identified(
        self, key: str, message: NewMessage, stored: Mapping[tuple[int, str], Message], pk: int
    ) -> tuple[NewMessage, bool]:
        """Return *message*, and whether it is the first one in the file with its id. It gets a
        second id if its conversation has another message by its own: an id is one of a file, and
        files that a program has numbered anew each time have the same ones.
        """
        own = short_id(message.external_id)
        is_first = self._seen.count("said", key, own) == 1
        known = stored.get((pk, own))
        if known is None or not is_first or _is_same(known, message):
            return message, is_first
        return replace(message, external_id=_second_id(message)), is_first

    def _belongs(self, parsed: ParsedMessage, end_user: str) -> bool:
        """True if the message is of the conversation's own end user; if not, it is skipped."""
        theirs = self._instance.canonical_end_user(sanitize(parsed.end_user)[:200])
        if not theirs or theirs == self._instance.canonical_end_user(end_user):
            return True
        self._report.skip(parsed.place, translatable("its end user is not the conversation’s"))
        return False


class MessageWriter(MessageChunks):
    """Stores messages: of each chunk, one transaction for each conversation.

    A conversation counts as complete once another one has begun, or at the end. If it goes on after
    that, it is completed once more.
    """

    def __init__(
        self,
        *args: Any,
        on_complete: Callable[[Conversation], None],
        door: MessageDoor = BY_PEOPLE,
    ) -> None:
        """Store messages as coming through *door*, and call ``on_complete`` with each conversation
        that is complete.
        """
        super().__init__(*args)
        self._on_complete = on_complete
        self._door = door
        #: Conversations with stored messages that have not been declared complete.
        self._open: dict[str, Conversation] = {}

    def _process_chunk(self, waiting: dict[str, list[ParsedMessage]], current: str | None) -> None:
        for external_id, messages in waiting.items():
            conversation = self._conversation(external_id, messages)
            stored = _stored([conversation.pk], messages)
            belonging = [
                self._identified(external_id, parsed.message, stored, conversation.pk)[0]
                for parsed in messages
                if self._belongs(parsed, conversation.end_user)
            ]
            appended = append(
                conversation, belonging, door=self._door, finished=False, history=True
            )
            self._open[external_id] = conversation
            self._report.messages_added += len(appended.added)
            self._report.messages_known += appended.known
            self._on_progress(self._report)
        for external_id in [key for key in self._open if key != current]:
            self._on_complete(self._open.pop(external_id))

    def _conversation(self, external_id: str, waiting: list[ParsedMessage]) -> Conversation:
        defaults: dict[str, Any] = {
            "title": self._title(waiting),
            "end_user": _end_user(waiting),
            "origin": ConversationOrigin.IMPORT,
        }
        dates = (parsed.message.sent_at for parsed in waiting)
        if began := next(filter(None, dates), None):
            defaults["created_at"] = began
        conversation, _ = Conversation.objects.get_or_create(
            instance=self._instance,
            external_id=short_id(external_id),
            defaults=defaults,
        )
        return conversation


#: Cached end users of conversations that are not stored.
_MAX_END_USERS = 10_000


class MessageComparison(MessageChunks):
    """Changes nothing: counts new and known messages, and finds those not read for facts."""

    def __init__(self, *args: Any, on_unread: Callable[[str, NewMessage], None]) -> None:
        """Call ``on_unread`` with each message that reading for facts would have to read, and with
        its conversation's id in the file.
        """
        super().__init__(*args)
        self._on_unread = on_unread
        self._end_users: dict[str, str] = {}

    def _process_chunk(self, waiting: dict[str, list[ParsedMessage]], current: str | None) -> None:
        stored = {
            external_id: (pk, watermark, end_user)
            for external_id, pk, watermark, end_user in Conversation.objects.filter(
                instance=self._instance, external_id__in=[short_id(key) for key in waiting]
            ).values_list("external_id", "pk", "watermark", "end_user")
        }
        known = _stored(
            [pk for pk, _, _ in stored.values()], [p for chunk in waiting.values() for p in chunk]
        )
        for key, messages in waiting.items():
            pk, watermark, end_user = stored.get(
                short_id(key), (0, 0, self._end_user(key, messages))
            )
            for parsed in messages:
                if not self._belongs(parsed, end_user):
                    continue
                message, is_first = self._identified(key, parsed.message, known, pk)
                before = known.get((pk, short_id(message.external_id)))
                if before is None and is_first:
                    self._report.messages_added += 1
                else:
                    self._report.messages_known += 1
                if is_first and (before is None or before.position > watermark):
                    self._on_unread(key, message)
        self._on_progress(self._report)

    def _end_user(self, key: str, messages: list[ParsedMessage]) -> str:
        if key not in self._end_users:
            if len(self._end_users) >= _MAX_END_USERS:
                self._end_users.clear()
            self._end_users[key] = _end_user(messages)
        return self._end_users[key]


def _end_user(messages: list[ParsedMessage]) -> str:
    return sanitize(next((parsed.end_user for parsed in messages if parsed.end_user), ""))[:200]


def _stored(
    conversations: list[int], messages: Iterable[ParsedMessage]
) -> Mapping[tuple[int, str], Message]:
    """Return the messages that *conversations* have by the ids of *messages*, own or second."""
    ids = {
        external_id
        for parsed in messages
        if parsed.message.external_id
        for external_id in (short_id(parsed.message.external_id), _second_id(parsed.message))
    }
    rows = Message.objects.filter(conversation__in=conversations, external_id__in=ids)
    return {
        (row.conversation_id, row.external_id): row
        for row in rows.select_related("muted").defer("search")
    }


def _second_id(message: NewMessage) -> str:
    said = digest(message.role, message.content, message.caption)
    return short_id(f"{message.external_id}:{said}")


def _is_same(stored: Message, message: NewMessage) -> bool:
    """True if *stored* says what *message* does; of a muted one, the text may be gone."""
    if hooks.is_muted(stored):
        return True
    new = message.storable()
    return (stored.role, stored.content, stored.caption) == (new.role, new.content, new.caption)
