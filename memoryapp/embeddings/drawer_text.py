"""The text of a drawer that is searched and embedded: without secrets and recalled context."""

import re

from instances.models import Instance
from memoryapp.models import Drawer
from memoryapp.text import pii
from memoryapp.text.recalled_context import without_recalled

#: Bytes of a text that is embedded: no model reads more than 8,191 tokens, and a token has at
#: least one byte.
MAX_EMBEDDED_BYTES = 8_000

_SENTENCE = re.compile(r"[^.!?。！？\n]*[.!?。！？\n]*")


def searchable_text(instance: Instance, *texts: str) -> str:
    """The part of *texts* that search may use: without recalled context, and without secrets.

    If it is unclear where a secret begins and ends, the whole sentence is left out.
    """
    policy = pii.PIIMode.OFF if instance.pii_policy == pii.PIIMode.OFF else pii.PIIMode.REDACT
    text = "\n".join(filter(None, map(without_recalled, texts)))
    examined = pii.examine(text, policy)
    if not examined.refusal:
        return examined.text
    parts = (pii.examine(sentence, policy) for sentence in _SENTENCE.findall(text))
    return "".join(part.text for part in parts if not part.refusal).strip()


def text_to_embed(instance: Instance, drawer: Drawer) -> str:
    """Return the text of *drawer* to embed; never empty. Load many drawers with their messages."""
    message = drawer.message
    text = searchable_text(instance, message.content, message.caption) if message else drawer.note
    return truncated(text) or "[REDACTED]"


def truncated(text: str) -> str:
    """Cut *text* to the length that every embedding model accepts."""
    return text.encode()[:MAX_EMBEDDED_BYTES].decode(errors="ignore")
