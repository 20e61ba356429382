"""Words of a question, and what they tell: now, whose words, whose sister. Pure.

The rules for a question about a named person put it into that person's mouth as far as a rule
without a dictionary can: nouns keep their form, and verbs stay in the third person, as in "What
does I paint?". Of German nouns only endings and words for relatives tell the gender.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class QuestionWords:
    """Words to look for in the questions of one language."""

    #: Asks for what is newest. "Today" does not: it is the day of the question, and any day may
    #: have the answer.
    now: re.Pattern[str]
    #: The one who asks speaks of themselves.
    first_person: re.Pattern[str]
    #: Asks for what the assistant has said or done.
    assistant_said: re.Pattern[str]
    #: Asks what was asked or said in a conversation: questions, too, may be the answer.
    talk: re.Pattern[str]
    #: Asks about food, drink or medicine: allergies and the like matter then.
    intake: re.Pattern[str]
    #: How a question about a person becomes one of that person: regular expressions, in which
    #: ``NAME`` stands for the name, and replacements. The first that fits a place counts.
    rephrasing: tuple[tuple[str, str], ...]
    #: What may be joined to a name, as a regular expression.
    name_ending: str = ""
