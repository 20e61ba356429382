"""Separates what a model thinks from what it answers. Pure."""

import re

_NAME = (
    r"(?:(?:antml|seed|ant):)?"
    r"(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflection|analysis|scratchpad)"
)
_MARK = re.compile(
    rf"(?P<open><{_NAME}(?:\s[^<>]{{0,100}})?>|\[THINK\]|◁think▷|<\|(?:begin_of_thought|think)\|>"
    r"|<\|channel\|?>(?:analysis|thought|commentary)\s?(?:<\|message\|>)?)"
    rf"|(?P<close></{_NAME}\s?>|\[/THINK\]|◁/think▷|<\|(?:end_of_thought|/think)\|>|<channel\|>"
    r"|<\|channel\|>final[^<]{0,60}<\|message\|>)",
    re.IGNORECASE,
)


def separate(text: str) -> tuple[str, str]:
    """Return *text* without the thinking, and the thinking that does not end, if any.

    What comes before an end without a beginning is thinking, too.
    """
    kept: list[str] = []
    at, begun = 0, False
    for mark in _MARK.finditer(text):
        if mark["open"]:
            if not begun:
                kept.append(text[at : mark.start()])
                at = mark.end()
            begun = True
        else:
            if not begun:
                kept.clear()
            begun, at = False, mark.end()
    if begun:
        return "".join(kept), text[at:]
    return "".join([*kept, text[at:]]), ""
