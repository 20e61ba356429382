"""Words of denial in a language: "not", "no longer", "stopped smoking". Pure."""

import re
from dataclasses import dataclass

#: The words between the two parts of an ending ("do not … anymore"), which tell what has ended.
BETWEEN = r"(?P<kept>[^,;.]{0,200}?)"


@dataclass(frozen=True)
class DenialWords:
    """Words in small letters. Patterns ignore case, for texts with straight apostrophes."""

    #: All words of denial: "not", "never", "nobody", "without".
    denials: frozenset[str]
    #: Of these, those that deny a single thing and not the whole sentence: "no", "without".
    of_one_thing: frozenset[str]
    #: Verbs that deny what they govern: "I quit smoking".
    verbs: frozenset[str]
    #: Further words that deny in sense: a denial may stand for them, and they for a denial.
    in_sense: frozenset[str]
    #: Make a denial that of a moment: "not yet".
    yet: frozenset[str]
    #: Limit what is denied: "not enough to get a raise" denies no raise.
    enough: frozenset[str]
    #: The denials without which a sentence affirms, with the auxiliary verb that only they need,
    #: and words behind them with which they deny a limit ("not only"), as regular expressions.
    plain: str
    limits: str
    #: Stress a denial, wherever they stand beside it: "definitely", "at all".
    stress: str
    #: Begins what is so instead, behind a denial: "but a doctor".
    instead: re.Pattern[str]
    #: Denies the statement behind it, which has the order of words of a clause then: "it is not
    #: true that". Asking to forget is one, too.
    untrue: re.Pattern[str]
    #: Denies that somebody ever was something, and the verb with which they are it: "never was".
    never: re.Pattern[str]
    am: str
    #: The forms that a denial may change: of "be" ("is was been"), and of "have".
    forms: tuple[str, str]
    #: Tell that something holds no more, and not an amount, such as "not any more than three".
    no_longer: tuple[re.Pattern[str], ...]
    #: Verbs of stopping, which change the form of the verb beside them.
    stopping: re.Pattern[str]
    #: The endings in which a noun for one and for several differ, behind what a stem leaves off.
    plurals: frozenset[tuple[str, str]] = frozenset()
    #: Denials that deny what stands before them as well: "Fisch mag ich nicht".
    backward: frozenset[str] = frozenset()


def ending(text: str) -> re.Pattern[str]:
    """A pattern of the words around a denial."""
    return re.compile(text, re.IGNORECASE)
