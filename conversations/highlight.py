"""Found words on the screen: PostgreSQL sets the marks, the escaping leaves them alone."""

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from conversations.search import PARSER_BREAK

# From Unicode's private use area: they mean nothing in any text, and no escaping touches them.
START, STOP = "\ue000", "\ue001"


def with_marks(text: str) -> SafeString:
    """Escape *text*, turn the marks into ``<mark>``, and take out what stops the parser."""
    safe = escape(text).replace(START, "<mark>").replace(STOP, "</mark>").replace(PARSER_BREAK, "")
    return mark_safe(safe)  # noqa: S308  # Escaped in the line above.
