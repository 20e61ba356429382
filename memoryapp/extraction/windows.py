"""How many messages one call reads, and an estimate of the calls for a whole file. Pure."""

from collections import deque
from dataclasses import dataclass, field

from memoryapp.extraction.prompt import SYSTEM
from memoryapp.extraction.transcript import MAX_CHARACTERS, MAX_CONTEXT_CHARACTERS

#: Messages of one call: the new ones and earlier ones.
WINDOW = 15
#: New messages of one call in a backlog.
MAX_NEW_MESSAGES = 20
#: Earlier messages that are always shown.
MIN_CONTEXT_MESSAGES = 5
#: Characters of a line besides the message: its number, date and speaker.
_LINE = 80
#: Average bytes per token of English text; other scripts have more bytes per character.
_BYTES_PER_TOKEN = 4
#: New messages, and characters of them, that the built-in reader takes at once: it makes no call.
MAX_NEW_MESSAGES_BUILTIN = 250
MAX_CHARACTERS_BUILTIN = 400_000


class MessageWindow:
    """Counts the new messages that fit one call, or one reading of the built-in reader."""

    def __init__(self, room: int = MAX_CHARACTERS, most: int = MAX_NEW_MESSAGES) -> None:
        self.taken = 0
        self.most = most
        self._room = room

    def halved(self, times: int) -> "MessageWindow":
        """A new window of half the size, so many *times*."""
        return MessageWindow(self._room >> times, self.most >> times)

    def take(self, characters: int) -> bool:
        """Add the next message, if it still fits; the first one always does."""
        room = self._room - characters - _LINE
        if self.taken and (room < 0 or self.taken >= self.most):
            return False
        self.taken += 1
        self._room = room
        return True


def context_for(new: int) -> int:
    """The number of earlier messages that are shown with so many *new* ones."""
    return max(MIN_CONTEXT_MESSAGES, WINDOW - new)


@dataclass
class _Reading:
    """The state of one conversation in an estimate."""

    window: MessageWindow = field(default_factory=MessageWindow)
    #: Bytes of the new messages, and whether any of them may hold a fact.
    size: int = 0
    matters: bool = False
    #: Bytes of the latest messages.
    before: deque[int] = field(default_factory=lambda: deque(maxlen=WINDOW))


class CallEstimate:
    """Estimates calls and prompt tokens: `add` every unread message in the order of its
    conversation, then `end`.
    """

    #: Conversations that are counted at the same time; in an export they come one by one.
    _MAX_OPEN = 1_000

    def __init__(self) -> None:
        self.calls = 0
        self.prompt_tokens = 0
        self._open: dict[str, _Reading] = {}

    def add(self, conversation: str, text: str, *, from_people: bool) -> None:
        """Add one message; *from_people* if facts may be learned from it."""
        if conversation not in self._open and len(self._open) >= self._MAX_OPEN:
            self._close(next(iter(self._open)))
        reading = self._open.setdefault(conversation, _Reading())
        if not reading.window.take(len(text)):
            self._call(reading)
            reading.window.take(len(text))
        size = len(text.encode("utf-8", "replace"))
        reading.size += min(size, MAX_CHARACTERS) + _LINE
        reading.matters = reading.matters or from_people
        reading.before.append(min(size, MAX_CONTEXT_CHARACTERS) + _LINE)

    def end(self) -> None:
        """Count the calls for the last messages."""
        for conversation in list(self._open):
            self._close(conversation)

    def _close(self, conversation: str) -> None:
        self._call(self._open.pop(conversation))

    def _call(self, reading: _Reading) -> None:
        new = reading.window.taken
        if reading.matters:
            earlier = list(reading.before)[: -new or None][-context_for(new) :]
            read = min(reading.size + sum(earlier), MAX_CHARACTERS)
            self.calls += 1
            self.prompt_tokens += (len(SYSTEM) + read) // _BYTES_PER_TOKEN
        reading.window, reading.size, reading.matters = MessageWindow(), 0, False
