"""The text of a drawer that is searched and embedded: without secrets and recalled context."""

import re

from instances.models import Instance
from memoryapp.models import Drawer
from memoryapp.text import pii
from memoryapp.text.recalled_context import without_recalled

#: Bytes of a text that becomes a vector: no model reads more than 8,191 tokens, and a token has at
#: least one byte.
MAX_EMBEDDED_BYTES = 8_000

_SENTENCE = re.compile(r"[^.!?。！？\n]*[.!?。！？\n]*")


def searchable_text(instance: Instance, *texts: str) -> str:
    """What may be made of *texts* for finding them: what was really said there, without secrets.

    Where it is not clear where a secret begins and ends, the sentence that speaks of it is left
    out.
    """
    policy = pii.PIIMode.OFF if instance.pii_policy == pii.PIIMode.OFF else pii.PIIMode.REDACT
    said = "\n".join(filter(None, map(without_recalled, texts)))
    examined = pii.examine(said, policy)
    if not examined.refusal:
        return examined.text
    parts = (pii.examine(sentence, policy) for sentence in _SENTENCE.findall(said))
    return "".join(part.text for part in parts if not part.refusal).strip()


def text_to_embed(instance: Instance, drawer: Drawer) -> str:
    """Return the text that the vector of *drawer* is made of; never empty. Load it with its
    message where there are many.
    """
    message = drawer.message
    text = searchable_text(instance, message.content, message.caption) if message else drawer.note
    return truncated(text) or "[REDACTED]"


def truncated(text: str) -> str:
    """Cut *text* to what every embedding model takes."""
    return text.encode()[:MAX_EMBEDDED_BYTES].decode(errors="ignore")
