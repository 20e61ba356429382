"""Puts a text on one line, and cuts it to a length. Pure."""

ELLIPSIS = "…"


def one_line(text: str) -> str:
    """Return *text* without line breaks, which would let it pose as another line of a prompt, and
    without repeated spaces.
    """
    return " ".join(text.split())


def shortened(text: str, limit: int, *, ending: str = ELLIPSIS) -> str:
    """Cut *text* to at most *limit* characters, with *ending* for what is missing."""
    return text if len(text) <= limit else text[: limit - len(ending)].rstrip() + ending


def without_middle(text: str, limit: int) -> str:
    """Cut the middle out of *text*, and say so, so that it has at most *limit* characters."""
    if len(text) <= limit:
        return text
    room = limit - len(f" [… {len(text):,} characters left out …] ")
    if room < 2:
        return text[:limit]
    half = room // 2
    missing = len(text) - 2 * half
    return f"{text[:half]} [… {missing:,} characters left out …] {text[-half:]}"
