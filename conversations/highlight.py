"""Highlighting of found words: PostgreSQL inserts marks, which become ``<mark>`` after escaping."""

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from conversations.search import PARSER_BREAK

# From Unicode's private use area: no text contains them, and escaping does not change them.
START, STOP = "\ue000", "\ue001"


def with_marks(text: str) -> SafeString:
    """Escape *text*, turn the marks into ``<mark>``, and remove `PARSER_BREAK`."""
    safe = escape(text).replace(START, "<mark>").replace(STOP, "</mark>").replace(PARSER_BREAK, "")
    return mark_safe(safe)  # noqa: S308  # Escaped in the line above.
