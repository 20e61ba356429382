"""Messages as others may read them. They are stored word for word; whatever shows them to a person,
a model or a program shows placeholders for the secrets in them.
"""

import re
from functools import lru_cache
from typing import Any

from memoryapp.text.pii import PIIKind, PIIMode, examine

#: Stands for a sentence that announces a secret and does not show where it is.
UNCLEAR = "[REDACTED:SECRET]"
#: Everything that may stand for a secret.
PLACEHOLDERS = frozenset({UNCLEAR, *(kind.placeholder for kind in PIIKind)})

SENTENCE = re.compile(r"[^.!?。！？\n]*[.!?。！？\n]*")

#: Texts up to this length are remembered, because pages show the same ones again and again.
_MAX_REMEMBERED = 4_000


def masked(text: str, policy: str, *, unclear: str = UNCLEAR) -> str:
    """*text* with placeholders for what is secret, unless the *policy* of its instance is off.

    Where it is not clear which part of a sentence is secret, *unclear* stands for the sentence.
    """
    if policy == PIIMode.OFF or not text:
        return text
    return (_remembered if len(text) <= _MAX_REMEMBERED else _masked)(text, unclear)


def masked_within(value: Any, policy: str) -> Any:
    """Mask each text in a JSON value; names and numbers stay."""
    if isinstance(value, str):
        return masked(value, policy)
    if isinstance(value, list):
        return [masked_within(item, policy) for item in value]
    if isinstance(value, dict):
        return {name: masked_within(item, policy) for name, item in value.items()}
    return value


def _masked(text: str, unclear: str) -> str:
    examined = examine(text)
    if not examined.refusal:
        return examined.text
    return "".join(_sentence(part, unclear) for part in SENTENCE.findall(text))


def _sentence(text: str, unclear: str) -> str:
    examined = examine(text)
    return unclear + " " * text.endswith(" ") if examined.refusal else examined.text


_remembered = lru_cache(maxsize=2_000)(_masked)
