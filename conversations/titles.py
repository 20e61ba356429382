"""Titles of conversations. Everybody in an instance sees them in lists: they hold no secrets."""

from conversations.hooks import masked
from conversations.sanitizer import sanitize
from instances.models import Instance

MAX_CHARACTERS = 300
#: Characters of a title that is made of the first words of a message, and of that message.
MAX_MADE, MAX_READ = 60, 1_000


def clean_title(instance: Instance, text: str) -> str:
    """Return *text*, which a person, a program or a file gives, as a title."""
    return _line(masked(instance, text[:MAX_READ]))[:MAX_CHARACTERS]


def title_of(instance: Instance, message: str) -> str:
    """Return the first words of *message* as a title."""
    line = _line(masked(instance, message[:MAX_READ]))
    if len(line) <= MAX_MADE:
        return line
    cut = line[: MAX_MADE - 1]
    words, space, _ = cut.rpartition(" ")
    # A text without spaces, such as Japanese, is cut within a word.
    if space and len(words) > MAX_MADE // 2:
        cut = words
    return cut.rstrip(".,;:!?") + "…"


def _line(text: str) -> str:
    return " ".join(sanitize(text).split())
