"""Storing what the formats read, in chunks, whatever order the conversations come in."""

from collections.abc import Callable
from typing import Any

from conversations import turns
from conversations.importers.reading import Said
from conversations.importers.report import Report
from conversations.importers.tally import Tally
from conversations.models import Conversation, ConversationOrigin
from conversations.turns import Turn
from instances.models import Instance

#: Messages that wait to be stored together.
CHUNK_MESSAGES = 500
#: Characters that wait to be stored together.
CHUNK_CHARACTERS = 4_000_000


class Filing:
    """Takes messages in and stores them, a chunk in one transaction a conversation.

    A conversation is taken for complete when another one has begun, or at the end: then it may be
    read for facts. If it goes on later all the same, it is completed once more.
    """

    def __init__(
        self,
        instance: Instance,
        report: Report,
        on_progress: Callable[[Report], None],
        tally: Tally,
    ) -> None:
        """Count in *report*, and tell ``on_progress`` after each chunk."""
        self._instance = instance
        self._report = report
        self._on_progress = on_progress
        self._tally = tally
        self._waiting: dict[str, list[Said]] = {}
        self._messages = 0
        self._characters = 0
        #: Conversations with stored messages that have not been declared complete.
        self._open: dict[str, Conversation] = {}

    def add(self, said: Said) -> None:
        """Take one message in."""
        self._waiting.setdefault(said.conversation, []).append(said)
        self._messages += 1
        self._characters += len(said.turn.content) + len(said.turn.caption)
        if self._messages >= CHUNK_MESSAGES or self._characters >= CHUNK_CHARACTERS:
            self._store(current=said.conversation)

    def end(self) -> None:
        """Store what still waits: no more will come."""
        self._store(current=None)

    def _store(self, *, current: str | None) -> None:
        for external_id, waiting in self._waiting.items():
            conversation = self._conversation(external_id, waiting)
            appended = turns.append(
                conversation, self._belonging(conversation, waiting), finished=False
            )
            self._open[external_id] = conversation
            if self._tally.count("conversation", external_id) == 1:
                self._report.conversations += 1
            self._report.messages_added += len(appended.added)
            self._report.messages_known += appended.known
            self._on_progress(self._report)
        self._waiting.clear()
        self._messages = self._characters = 0
        for external_id in [key for key in self._open if key != current]:
            turns.finish(self._open.pop(external_id))

    def _conversation(self, external_id: str, waiting: list[Said]) -> Conversation:
        end_user = turns.clean(next((s.end_user for s in waiting if s.end_user), ""))[:200]
        defaults: dict[str, Any] = {
            "title": turns.clean(next((s.title for s in waiting if s.title), ""))[:300],
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

    def _belonging(self, conversation: Conversation, waiting: list[Said]) -> list[Turn]:
        """Leave out what belongs to somebody else than the conversation does."""
        belonging = []
        for said in waiting:
            if said.end_user and turns.clean(said.end_user)[:200] != conversation.end_user:
                self._report.skip(said.place, "its end user is not the conversation’s.")
            else:
                belonging.append(said.turn)
        return belonging
