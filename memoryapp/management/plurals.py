"""Counts in the output of commands."""


def counted(count: int, what: str) -> str:
    """Format how many there are: "1 turn", "2,000 turns"."""
    return f"{count:,} {what if count == 1 else what + 's'}"
