"""The visible text of a page, without markup and extra whitespace."""

import re
from html import unescape

from django.utils.html import strip_tags


def text_of(html: str) -> str:
    """Return the text of *html*."""
    return unescape(" ".join(strip_tags(html).split()))


def definitions(html: str) -> dict[str, str]:
    """Return the texts of the description lists, by their terms."""
    pairs = re.findall(r"<dt[^>]*>(.*?)</dt>\s*<dd[^>]*>(.*?)</dd>", html, re.DOTALL)
    return {text_of(term): text_of(text) for term, text in pairs}
