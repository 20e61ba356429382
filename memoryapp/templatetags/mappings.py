"""Filters that look things up in mappings."""

from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()


@register.filter
def without(values: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return *values* without that of *name*."""
    return {each: value for each, value in values.items() if each != name}


@register.filter
def get(mapping: dict[Any, Any], key: Any) -> Any:
    """Look up *key*, which a template cannot do with a variable."""
    return mapping.get(key)
