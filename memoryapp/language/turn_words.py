"""Words from which the nature of a turn is read in a language: how it asks, requests and tells.
Pure.

All are regular expressions that ignore case, for texts with straight apostrophes. Those that are
made with `words` fit the beginning of a clause. They are closed classes of words: question words,
auxiliaries, pronouns. A form that may also begin a statement is left out: a question taken for a
statement is only noise, but a statement taken for a question is lost.
"""

import re
from dataclasses import dataclass

_I = re.IGNORECASE


@dataclass(frozen=True)
class TurnWords:
    """Words to look for in the turns of one language."""

    #: Asks by its form, without a question mark.
    asks: re.Pattern[str]
    #: Asks, too, where a question mark stands at the end.
    asks_if_marked: re.Pattern[str]
    #: Asks for what a question word behind it names: "tell me where …". Ends with that word.
    asks_indirectly: re.Pattern[str]
    #: A question word and what follows it within a clause: "I'm vegan what can I order?".
    asks_within: re.Pattern[str]
    #: Verbs that show a clause to be two if they stand in it twice ("Come si chiama … è …"), and
    #: that something is told before a question word: "I'm vegan what …".
    verbs: re.Pattern[str]
    #: Begins a clause about what was named in the clause before: "…, who is vegan".
    relative: re.Pattern[str]
    #: Requests something; ``reads`` requests something of the text behind a colon.
    requests: re.Pattern[str]
    reads: re.Pattern[str]
    #: Tells something beside what it asks, anywhere: "for my daughter", "because …", "did you know
    #: that …".
    beside: re.Pattern[str]
    #: Tells that something is not as it was: "no longer", "moved to", "the new one".
    changes: re.Pattern[str]
    #: An assistant tells that it does not know.
    not_known: re.Pattern[str]
    #: An assistant comments on what was said, or offers its help.
    comments: re.Pattern[str]


def words(text: str) -> re.Pattern[str]:
    """Any of the alternatives in *text*, whole, at the place where it is matched."""
    return re.compile(rf"(?:{text})(?!\w)", _I)


def anywhere(text: str) -> re.Pattern[str]:
    """Any of the alternatives in *text*, whole."""
    return re.compile(rf"(?<!\w)(?:{text})(?!\w)", _I)
