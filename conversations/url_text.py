"""Text from the URLs of lists: searches and filters."""

from conversations.sanitizer import sanitize

MAX_QUESTION_CHARACTERS = 1_000
MAX_FILTER_CHARACTERS = 200


def question(text: str) -> str:
    """Return *text* as something to search for by words or by meaning."""
    return sanitize(text).strip()[:MAX_QUESTION_CHARACTERS]


def filter_text(text: str) -> str:
    """Return *text* as a name or a word by which rows are filtered."""
    return sanitize(text).strip()[:MAX_FILTER_CHARACTERS]
