"""The text of a drawer that is searched and embedded: without secrets and recalled context."""

from instances.models import Instance
from memoryapp.models import Drawer
from memoryapp.policy.recalled_context import without_recalled
from memoryapp.privacy.verbatim import masked

#: Bytes of a text that is embedded: no model reads more than 8,191 tokens, and a token has at
#: least one byte.
MAX_EMBEDDED_BYTES = 8_000


def searchable_text(instance: Instance, *texts: str) -> str:
    """The part of *texts* that search may use: without recalled context, and without secrets.

    If it is unclear where a secret begins and ends, the whole sentence is left out.
    """
    text = "\n".join(filter(None, map(without_recalled, texts)))
    return masked(text, instance.pii_policy, unclear="").strip()


def text_to_embed(instance: Instance, drawer: Drawer) -> str:
    """Return the text of *drawer* to embed; never empty. Load many drawers with their messages."""
    message = drawer.message
    text = searchable_text(instance, message.content, message.caption) if message else drawer.note
    return truncated(text) or "[REDACTED]"


def truncated(text: str) -> str:
    """Cut *text* to the length that every embedding model accepts."""
    return text.encode()[:MAX_EMBEDDED_BYTES].decode(errors="ignore")
