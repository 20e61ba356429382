"""Detects passwords after the word for them in any other language.

A statement about a password cannot be told from a password there, so only what looks like a secret
is one: "salasanani on kissa" stays, "salasanani on Kissa77" does not.
"""

import re
from collections.abc import Iterable, Iterator

from memoryapp.privacy.pii.normalisation import Span
from memoryapp.privacy.pii.secret_shapes import (
    QUOTED,
    TOKEN,
    bare,
    clause_end,
    first_secret,
    looks_secret,
)
from memoryapp.privacy.pii.secret_words import (
    COPULAS,
    FOR_PASSWORDS_ELSEWHERE,
    FOR_PASSWORDS_UNSPACED,
)

#: The word with its ending, and what may stand before the secret: two or three words ("of mine",
#: "for the wifi"), and a sign or a form of "is".
_WORD = re.compile(
    rf"(?<!\w)(?:{FOR_PASSWORDS_ELSEWHERE})[^\s:=,.;!?\ue000]{{0,8}}"
    rf"(?P<link>(?: [^\s:=,.;!?\ue000]{{1,15}}){{0,4}}?(?: ?(?:->|=>|[:=])+| (?:{COPULAS})(?= )))?"
    r" ?",
    re.IGNORECASE,
)
_UNSPACED = re.compile(
    rf"(?:{FOR_PASSWORDS_UNSPACED})[^\x00-\x7f\ue000]{{0,12}} ?(?:[:=]|->)? ?"
    r"[\"'「『]?(?P<secret>[!-~]{4,64})"
)
#: hunter2 is my password, where the verb comes first or last.
_BEFORE = re.compile(
    rf"(?<!\S)(?P<secret>[^\s\ue000]{{5,100}})(?: [^\s:=,.;!?\ue000]{{1,12}})?"
    rf" (?:{FOR_PASSWORDS_ELSEWHERE})",
    re.IGNORECASE,
)


def passwords(text: str) -> Iterable[Span]:
    """Passwords after or before a word for them."""
    for match in _WORD.finditer(text):
        yield from _after(text, match.end(), linked=bool(match["link"]))
    for match in _UNSPACED.finditer(text):
        start, end = bare(match["secret"], match.start("secret"))
        if looks_secret(text[start:end]):
            yield start, end
    for match in _BEFORE.finditer(text):
        start, end = bare(match["secret"], match.start("secret"))
        if looks_secret(text[start:end], mixed=True):
            yield start, end


def _after(text: str, start: int, *, linked: bool) -> Iterator[Span]:
    quoted = QUOTED.match(text, start) if linked else None
    if quoted:
        yield quoted.span("secret")
        return
    token = TOKEN.match(text, start)
    if token is None:
        return
    span = bare(token[0], start)
    is_all = text[start - 2 : start].strip() in (":", "=") and span[1] >= clause_end(text, start)
    if looks_secret(text[slice(*span)]) or (is_all and span[1] - span[0] >= 4):
        yield span
    else:
        yield from first_secret(text, start, within=4)
