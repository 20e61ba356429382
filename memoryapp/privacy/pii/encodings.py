"""Finds texts that are written in Base64 in another text."""

import base64
import binascii
import re
from collections.abc import Iterator

from memoryapp.privacy.pii.normalisation import Span

_BASE64 = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{16,2000}={0,2}(?![\w+/=-])")
_LONG_WORD = re.compile(r"\S{16}")
_STANDARD = str.maketrans("-_", "+/")


def base64_texts(text: str) -> Iterator[tuple[Span, str]]:
    """The places of texts in Base64, with what they say."""
    for match in _BASE64.finditer(text) if _LONG_WORD.search(text) else ():
        token = match[0].rstrip("=").translate(_STANDARD)
        try:
            raw = base64.b64decode(token + "=" * (-len(token) % 4), validate=True)
        except binascii.Error:
            continue
        if raw.isascii() and (decoded := raw.decode()).isprintable():
            yield match.span(), decoded
