"""How a language tells who speaks: labels before a colon, and verbs of saying. Pure."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class SpeechWords:
    """Words in small letters. Patterns ignore case."""

    #: Labels of the one who shows the text: "Me: …".
    mine: frozenset[str]
    #: Pronouns that make a verb of saying the author's own: "I told my sister: …".
    subjects: frozenset[str]
    #: Labels for a part in a talk: "Interviewer: …", "Speaker 1: …".
    parts: frozenset[str]
    #: Words before a colon that are no names: "Address: …", "Hobbies: …".
    headings: frozenset[str]
    #: Words without a meaning of their own that are given names as well: "Will: …".
    names: frozenset[str]
    #: Stands before the time at which somebody wrote: "Kim at 14:02: …".
    at: str
    #: Of the headings, those of what need not be so: "Goal: …".
    unreal: frozenset[str]
    #: Introduces what the author tells of themselves: "What you should know: …".
    introduces: re.Pattern[str]
    #: Tells that what somebody said is not so: "but he's wrong".
    disputed: re.Pattern[str]
    #: Another person says: "told", "has written".
    says: re.Pattern[str]
    #: What another person wrote: "message from Kim", "Kim's answer".
    messages: re.Pattern[str]


def frozen(text: str) -> frozenset[str]:
    """Return the words of *text*."""
    return frozenset(text.split())
