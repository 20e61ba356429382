"""Counts with their nouns, in singular or plural."""


def counted(count: int, noun: str, plural: str = "") -> str:
    """Format a count: "1 turn", "2,000 turns"; *plural* is for nouns that do not just add an s."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def memories(count: int) -> str:
    return counted(count, "memory", "memories")
