"""Removes context blocks that recall put into a message. Pure."""

import re

#: In a block of recall every "<" is escaped, so the first one ends it.
_RECALLED = re.compile(
    r"<(memory_context|user_summary)\b[^<>]{0,200}>[^<]*</\1\s{0,8}>", re.IGNORECASE
)


def without_recalled(text: str) -> str:
    """Take out what recall put in: a memory must not be learned again as if it had been said.

    A tag without its counterpart is text like any other: it hides nothing.
    """
    return _RECALLED.sub("", text).strip()
