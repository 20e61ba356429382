"""Names in a text, and whether a source has them. Pure."""

import unicodedata
from collections.abc import Iterable, Sequence

from memoryapp.language.denials import DENIALS
from memoryapp.language.vocabularies import ALL_FUNCTION_WORDS, NARRATION
from memoryapp.policy.fact_signature import NEGATING
from memoryapp.policy.gate.month_dates import MONTHS
from memoryapp.policy.gate.numerals import value_of
from memoryapp.policy.gate.times import WEEKDAYS
from memoryapp.policy.gate.words import Token
from memoryapp.policy.word_lists import OPENERS, USERS

#: Small letters of a name that make it the same: Mel for Melanie.
MIN_SHORT_NAME = 3
#: Letters of a name that may be a longer form of another.
MAX_NAME = 30
#: Letters from which a slip is forgiven.
MIN_FOR_SLIP = 5
_NO_NAMES = (
    ALL_FUNCTION_WORDS
    | NARRATION.narration
    | DENIALS
    | NEGATING
    | OPENERS
    | USERS
    | frozenset(
        "i ok okay tv am pm yes assistant assistent asistente assistente sie ihre ihr".split()
    )
    # What a sentence may begin with although no message has the word.
    | frozenset(
        "home work life family dinner lunch breakfast music food sleep exercise health money time "
        "people parents kids children friends school sport sports art reading today currently "
        "recently dear diet allergy birthday favourite favorite".split()
    )
)
#: Words before a name in German, where all nouns have capitals.
_BEFORE_NAMES = frozenset("in bei nach aus von mit heißt namens und an für".split())
_NO_NAME_ENDINGS = tuple(
    "ing tion ness ment ship hood ism ity ally ntly usly tely ably arly".split()
)
_VERBS = frozenset(
    "is was has had have does did will would can could may might wants likes loves works lives "
    "ist war hat hatte wohnt arbeitet mag lebt will kann è era ha aveva vive lavora ama abita "
    "es era tiene vive trabaja ama quiere est était a avait vit travaille aime habite".split()
)


def names_of(words: Sequence[Token], language: str) -> list[Token]:
    """The names among *words*: what has a capital that the place does not ask for."""
    names = []
    for at, word in enumerate(words):
        if not word.has_capital or word.bare in _NO_NAMES or word.bare in MONTHS:
            continue
        if word.bare in WEEKDAYS or value_of(word.bare) is not None:
            continue
        if language == "german" and not word.opens:
            before = words[at - 1]
            if not (
                before.bare in _BEFORE_NAMES or (before in names and before.clause == word.clause)
            ):
                continue
        if word.opens and not _is_subject(words, at, language):
            continue
        names.append(word)
    return names


def _is_subject(words: Sequence[Token], at: int, language: str) -> bool:
    """True if the first word of a sentence is a name, by what follows it."""
    word = words[at]
    if word.text.casefold().endswith(("'s", "s'")) or sum(c.isupper() for c in word.text) > 1:
        return True
    following = words[at + 1] if at + 1 < len(words) else None
    if following is None or following.clause != word.clause:
        return False
    if language in ("english", ""):
        return len(word.bare) > 2 and not word.bare.endswith(_NO_NAME_ENDINGS)
    return following.bare in _VERBS or (following.has_capital and language != "german")


class Names:
    """The words of a source, to look names up in."""

    def __init__(self, words: Iterable[Token]) -> None:
        self._forms: set[str] = set()
        #: Those with a capital, and their beginnings.
        self._names: set[str] = set()
        self._beginnings: set[str] = set()
        #: Initials of names in a row, and what is written as initials.
        self._initials: set[str] = set()
        self._short: set[str] = set()
        run = ""
        for word in words:
            form = plain(word.bare)
            self._forms.add(form)
            if sum(character.isupper() for character in word.text) > 1:
                self._short.add(form)
            if word.has_capital and form not in _NO_NAMES:
                self._names.add(form)
                self._beginnings |= {
                    form[:n] for n in range(MIN_SHORT_NAME, min(len(form), MAX_NAME))
                }
                run = (run + form[0])[-6:]
                self._initials |= {run[-length:] for length in range(2, len(run) + 1)}
            elif word.bare not in ("of", "the", "and", "de", "di", "der", "du"):
                run = ""

    def has(self, word: Token) -> bool:
        """True if the source has this name: as it is, inflected, shortened, or with a slip."""
        form = plain(word.bare)
        if form in self._forms or form in self._beginnings:
            return True
        # NYC for New York City, GoT for Game of Thrones
        initials = {form, form.replace("o", "")} if sum(map(str.isupper, word.text)) > 1 else set()
        if initials & self._initials:
            return True
        # Inflected, or longer than what the source says: Jonathan for Jon.
        if any(form[: len(form) - n] in self._forms for n in (1, 2) if len(form) - n >= 4):
            return True
        if any(form[:n] in self._names for n in range(MIN_SHORT_NAME, min(len(form), MAX_NAME))):
            return True
        return len(form) >= MIN_FOR_SLIP and any(
            abs(len(known) - len(form)) <= 1 and known[:2] == form[:2] and _one_slip(form, known)
            for known in self._forms
        )

    def is_name(self, word: Token) -> bool:
        """True if *word* is a name of the source, however it is written."""
        return plain(word.bare) in self._names

    def has_initials(self, words: Sequence[Token], name: Token) -> bool:
        """True if the source has the initials of the title that *name* is part of: GoT for Game of
        Thrones.
        """
        at = words.index(name)
        first = last = at
        while first and _is_of_title(words[first - 1]):
            first -= 1
        while last + 1 < len(words) and _is_of_title(words[last + 1]):
            last += 1
        initials = plain("".join(word.text[0] for word in words[first : last + 1]))
        return last > first and initials in self._short


def _is_of_title(word: Token) -> bool:
    return word.has_capital or word.bare in ("of", "the")


def plain(word: str) -> str:
    """*word* without accents and full stops."""
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in decomposed if c.isalnum() and not unicodedata.combining(c)) or word


def _one_slip(one: str, other: str) -> bool:
    """True if one letter is changed, left out or put in."""
    shared = 0
    while shared < min(len(one), len(other)) and one[shared] == other[shared]:
        shared += 1
    return (
        one[shared + 1 :] == other[shared + 1 :]
        or one[shared:] == other[shared + 1 :]
        or one[shared + 1 :] == other[shared:]
    )
