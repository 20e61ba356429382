"""Takes parts out of a text, from one mark to another. Pure."""

import re


def without_spans(text: str, begins: re.Pattern[str], ends: re.Pattern[str]) -> str:
    """Return *text* without what stands from a match of *begins* to the next one of *ends*, both
    included. A beginning without an end is ordinary text. Takes linear time.
    """
    parts: list[str] = []
    at = 0
    while (begin := begins.search(text, at)) and (end := ends.search(text, begin.end())):
        parts.append(text[at : begin.start()])
        at = end.end()
    return "".join([*parts, text[at:]])
