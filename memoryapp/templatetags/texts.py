"""Filters and tags that write texts."""

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join, json_script
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from conversations.models import Message
from instances.models import Instance
from instances.translatable import translated
from memoryapp.disclosure import Disclosed, disclosed, excerpt_of
from memoryapp.models import Drawer
from memoryapp.models.muted_messages import with_text
from memoryapp.privacy.excerpts import first_sentence
from memoryapp.privacy.verbatim import PLACEHOLDERS, masked
from memoryapp.recall import Hit
from memoryapp.web.chat.markdown import render
from memoryapp.web.script_texts import SCRIPT_TEXTS

_PLACEHOLDER = re.compile(f"({'|'.join(map(re.escape, sorted(PLACEHOLDERS)))})")

#: Characters of a message that is quoted.
MAX_EXCERPT_CHARACTERS = 1_000

#: Longer messages are rendered each time.
MAX_REMEMBERED_CHARACTERS = 8_000

register = template.Library()
register.filter(first_sentence)
register.filter(translated)


@register.simple_tag
def script_texts() -> SafeString:
    """The texts that scripts show, in the language of the page."""
    return json_script(SCRIPT_TEXTS, "texts")


@register.filter(name="masked")
def masked_for(text: str, instance: Instance) -> str:
    """Mask the secrets in a *text* that is stored word for word in *instance*."""
    return masked(text, instance.pii_policy)


@register.filter
def said(row: Message | Drawer | Hit | None, instance: Instance) -> str:
    """The beginning of what others may read of a message, a drawer or a search hit."""
    if isinstance(row, Hit):
        return row.memory.content if row.memory else said(row.message or row.drawer, instance)
    return excerpt_of(instance, row, MAX_EXCERPT_CHARACTERS)


@register.filter
def whole(row: Message | Drawer, instance: Instance) -> Disclosed:
    """Text that people may read of a message, also if that is muted, or of a drawer."""
    return disclosed(instance, with_text(row) if isinstance(row, Message) else row)


@register.filter
def with_placeholders(text: str) -> SafeString:
    """Set the placeholders in a masked *text* apart from what was said."""
    parts = _PLACEHOLDER.split(text)
    return format_html_join(
        "",
        "{}",
        (
            (format_html('<span class="masked">{}</span>', part) if number % 2 else part,)
            for number, part in enumerate(parts)
        ),
    )


@register.filter
def markdown(text: str) -> SafeString:
    """Render Markdown, with long code folded."""
    short = len(text) <= MAX_REMEMBERED_CHARACTERS
    return (_rendered if short else _render)(text, get_language())


def _render(text: str, language: str) -> SafeString:
    return render(text, fold_code=True)


#: Transcripts are paged through, and polled while they are read.
_rendered = lru_cache(maxsize=500)(_render)


@register.filter
def plainly(value: Any) -> str:
    """Write a value that a program has attached: text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@register.filter
def listed(names: Iterable[Any]) -> SafeString:
    """Join *names* by commas, each in its own writing direction."""
    return format_html_join(", ", "<bdi>{}</bdi>", ((name,) for name in names))


@register.filter
def key_in_words(key: str) -> str:
    """Write the key of a fact with spaces: home_city is "home city"."""
    return key.replace("_", " ")
