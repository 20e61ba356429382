"""Filters that tell of memories in words."""

from urllib.parse import parse_qsl

from django import template

from memoryapp.recall import Hit
from memoryapp.web.memory import words
from memoryapp.web.memory.listing import filters_in_words
from memoryapp.web.reasons import reasons

register = template.Library()
register.filter(words.category_name)
register.filter(words.provenance)
register.filter(words.refused_because)
register.filter(words.valid_end)
register.filter(words.has_expired)


@register.filter(name="reasons")
def reasons_of(hit: Hit, question: str) -> list[str]:
    """Say why *hit* was found for *question*."""
    return reasons(hit, question)


@register.filter
def filter_words(query: str) -> str:
    """Write the conditions of a saved filter in words, such as "search: boats, category: fact"."""
    return ", ".join(filters_in_words(dict(parse_qsl(query))).values())
