"""Which turns one run files: how many at a time, and what was said before them. Pure."""

from collections.abc import Sequence

#: Turns that are filed in one transaction where no model is asked.
MOST_WITHOUT_MODEL = 500
#: A conversation of so many turns is shown to the model in one call, if it fits.
SHORT = 50
#: Turns of one call in a longer one.
WINDOW = 10
#: Characters of turns that one call may carry.
MOST_CHARACTERS = 16_000
#: Turns before them that are shown.
CONTEXT = 4


def fitting(lengths: Sequence[int], *, conversation: int) -> int:
    """How many of the next turns, given by their *lengths* in characters, go into one call; of a
    conversation that has so many turns in all. At least one does, however long it is.
    """
    most = SHORT if conversation <= SHORT else WINDOW
    taken = room = 0
    for length in lengths[:most]:
        room += length
        if taken and room > MOST_CHARACTERS:
            break
        taken += 1
    return taken
