"""Icons. They are cached: a page shows some thirty of a few kinds, and drawing one takes as long as
rendering half a row.
"""

from functools import cache

from django import template
from django.utils.safestring import SafeString
from lucide.templatetags.lucide import lucide as draw

register = template.Library()


@register.simple_tag
@cache
def lucide(name: str, *, size: int = 24) -> SafeString:
    """Draw the icon *name* of Lucide, *size* pixels wide."""
    return SafeString(draw(name, size=size, aria_hidden="true"))
