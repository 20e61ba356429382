"""Highlighting of found words: PostgreSQL inserts marks, which become ``<mark>`` after escaping."""

from collections.abc import Mapping

from django.db.models import Case, TextField, Value, When
from django.db.models.expressions import Combinable
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from conversations.search_functions import CHARACTER_BREAK, PARSER_BREAK

# From Unicode's private use area: no text contains them, and escaping does not change them.
START, STOP = "\ue000", "\ue001"


def shown_text(text: str | Combinable, masked: Mapping[int, str]) -> Case:
    """The expression *text*, but for the rows of these ids their *masked* texts."""
    whens = [When(pk=pk, then=Value(text)) for pk, text in masked.items()]
    return Case(*whens, default=text, output_field=TextField())


def with_marks(text: str) -> SafeString:
    """Escape *text*, turn the marks into ``<mark>``, and remove what `MarkableText` has added."""
    text = text.replace(PARSER_BREAK, "").replace(CHARACTER_BREAK, "").replace(STOP + START, "")
    safe = escape(text).replace(START, "<mark>").replace(STOP, "</mark>")
    return mark_safe(safe)  # noqa: S308  # Escaped in the line above.
