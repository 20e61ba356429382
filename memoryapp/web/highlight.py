"""Highlighting of the words that a question found."""

from collections.abc import Mapping
from typing import Any

from django.contrib.postgres.search import SearchHeadline
from django.db.models import F, QuerySet
from django.db.models.expressions import Combinable
from django.utils.safestring import SafeString

from conversations.highlight import START, STOP, shown_text, with_marks
from conversations.search import MarkableText, TextQuery
from instances.models import Instance


def marked(
    instance: Instance,
    question: str,
    rows: QuerySet[Any],
    text: str | Combinable,
    *,
    masked: Mapping[int, str] | None = None,
    language: str | Combinable = "language",
) -> dict[int, SafeString]:
    """Return the whole *text* of each of *rows* by id, or the *masked* one, escaped, with words of
    *question* in ``<mark>``; nothing if the question has no words to search for. *text* and
    *language* are columns or expressions.
    """
    query = TextQuery.parse(question, instance_id=instance.pk, languages=instance.search_languages)
    if query is None:
        return {}
    headline = SearchHeadline(
        MarkableText(shown_text(text, masked) if masked else text),
        query.marked_by,
        config=F(language) if isinstance(language, str) else language,
        start_sel=START,
        stop_sel=STOP,
        highlight_all=True,
    )
    texts = rows.annotate(marked_text=headline).values_list("pk", "marked_text")
    return {pk: with_marks(text) for pk, text in texts}
