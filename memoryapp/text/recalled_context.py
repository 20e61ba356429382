"""Removes context blocks that recall put into a message. Pure."""

import re

#: Every "<" inside a block is escaped, so the first one ends it.
_RECALLED = re.compile(
    r"<(memory_context|user_summary)\b[^<>]{0,200}>[^<]*</\1\s{0,8}>", re.IGNORECASE
)


def without_recalled(text: str) -> str:
    """Remove blocks of recalled memories, which must not be learned again as new facts. A tag
    without its counterpart is ordinary text.
    """
    return _RECALLED.sub("", text).strip()
