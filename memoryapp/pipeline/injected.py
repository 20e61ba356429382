"""What recall put into a message, and nobody said. Pure."""

import re

_RECALLED = re.compile(
    r"<(memory_context|user_summary)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE
)


def without_recalled(text: str) -> str:
    """Take out what recall put in: a memory must not be learned again as if it had been said.

    A block that was never closed is taken out to the end of the text.
    """
    return _RECALLED.sub("", text).strip()
