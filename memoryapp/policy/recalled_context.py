"""Removes from a message what was added to it for a model: recalled memories and the time. Pure."""

import re

#: Every "<" inside a block is escaped, so the first one ends it.
_BLOCK = re.compile(
    r"<(memory_context|user_summary)\b[^<>]{0,200}>[^<]*</\1\s{0,8}>", re.IGNORECASE
)
#: The line of `memoryapp.assistant.prompt.date_line`.
_CLOCK = re.compile(
    r"^Now it is [A-Z][a-z]{5,8}, \d{4}-\d\d-\d\d \d\d:\d\d \([\w/+-]{1,60}\)\.$", re.MULTILINE
)


def without_recalled(text: str) -> str:
    """Remove blocks of recalled memories, which must not be learned again as new facts, and lines
    with the present time. A tag without its counterpart is ordinary text.
    """
    return _CLOCK.sub("", _BLOCK.sub("", text)).strip()
