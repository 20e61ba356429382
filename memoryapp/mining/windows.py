"""How many messages one run files, and how much of them a model is shown. Pure."""

from collections.abc import Sequence

#: Messages that are filed in one transaction when no model is asked.
MAX_MESSAGES_WITHOUT_MODEL = 500
#: A conversation of so many messages is shown to the model in one call, if it fits.
SHORT = 50
#: Messages of one call in a longer conversation.
WINDOW = 10
#: Characters of messages that one call may carry.
MAX_CHARACTERS = 16_000
#: Characters of a message that the model is shown: enough to tell what it is about.
MAX_MESSAGE_CHARACTERS = 3_000
#: Earlier messages that are shown, and characters of each.
CONTEXT_MESSAGES, MAX_CONTEXT_CHARACTERS = 4, 300
#: Characters of a line besides the message: its number, date and speaker.
_LINE = 60


def fitting(lengths: Sequence[int], *, total: int) -> int:
    """The number of messages, given by their *lengths* in characters, that go into one call, of a
    conversation with *total* messages. The first one always does.
    """
    taken = characters = 0
    for length in lengths[: SHORT if total <= SHORT else WINDOW]:
        characters += min(length, MAX_MESSAGE_CHARACTERS) + _LINE
        if taken and characters > MAX_CHARACTERS:
            break
        taken += 1
    return taken
