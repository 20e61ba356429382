"""Filters of the screens that explain scores."""

from django import template

from memoryapp.web.reasons import against, label_of

register = template.Library()
register.filter("signal", label_of)
register.filter(against)


@register.filter
def lost(part: float) -> float:
    """How much of a score a negative *part* takes away."""
    return -part
