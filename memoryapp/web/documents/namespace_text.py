"""Namespaces in addresses and on screens, as one text."""

from collections.abc import Sequence
from urllib.parse import unquote

from conversations.sanitizer import sanitize
from memoryapp.models.stored_documents import MAX_NAMESPACE_BYTES, MAX_NAMESPACE_PARTS


def written(namespace: Sequence[str]) -> str:
    """Write *namespace* as a path. A slash within a part is escaped."""
    return "/".join(part.replace("%", "%25").replace("/", "%2F") for part in namespace)


def read(text: str) -> tuple[str, ...]:
    """Return the namespace that `written` wrote; of any other text, what comes near."""
    # Each character may be escaped, by twelve others at most.
    parts = sanitize(text)[: 12 * MAX_NAMESPACE_BYTES].split("/")
    return tuple(sanitize(unquote(part)) for part in parts if part)[:MAX_NAMESPACE_PARTS]
