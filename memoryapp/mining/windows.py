"""Which turns one run files: how many at a time, and what was said before them. Pure."""

from collections.abc import Sequence

#: Turns that are filed in one transaction where no model is asked.
MAX_MESSAGES_WITHOUT_MODEL = 500
#: A conversation of so many turns is shown to the model in one call, if it fits.
SHORT = 50
#: Turns of one call in a longer one.
WINDOW = 10
#: Characters of turns that one call may carry.
MAX_CHARACTERS = 16_000
#: Characters of a turn that the model is shown: enough to tell what it is about.
MAX_MESSAGE_CHARACTERS = 3_000
#: Turns before them that are shown, and characters of each.
CONTEXT_MESSAGES, MAX_CONTEXT_CHARACTERS = 4, 300
#: Characters of a line that are not the turn’s own: its number, date and speaker.
_LINE = 60


def fitting(lengths: Sequence[int], *, conversation: int) -> int:
    """How many of the next turns, given by their *lengths* in characters, go into one call; of a
    conversation that has so many turns in all. At least one does, however long it is.
    """
    most = SHORT if conversation <= SHORT else WINDOW
    taken = characters = 0
    for length in lengths[:most]:
        characters += min(length, MAX_MESSAGE_CHARACTERS) + _LINE
        if taken and characters > MAX_CHARACTERS:
            break
        taken += 1
    return taken
