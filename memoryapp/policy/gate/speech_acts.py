"""The speech acts of a message: what it tells, and what it only asks. Pure.

Nothing is known from a question. In "I moved to Riga, where should I eat with my wife Anna?", the
first clause tells, the second one asks, and "my wife Anna" is taken for granted.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

from memoryapp.language.vocabularies import VOCABULARIES
from memoryapp.policy.gate.negations import CONTINUING
from memoryapp.policy.gate.requests import is_question, is_request, is_standing_wish
from memoryapp.policy.gate.words import MAX_TEXT, Token, is_little, words_of
from memoryapp.policy.request_words import FILLERS, QUESTION_OPENINGS
from memoryapp.privacy.excerpts import split_sentences

#: Words after "my" that are taken for granted: "my old friend Jonas".
OWNED_WORDS = 3

FIRST_PERSON = frozenset[str]().union(*(each.first_person for each in VOCABULARIES.values()))
MY = frozenset[str]().union(*(each.possessives for each in VOCABULARIES.values()))
#: Verbs of the first person that need no pronoun.
OWN_VERBS = frozenset(
    "ho sono abbiamo siamo vivo lavoro he soy tengo estoy somos tenemos trabajo ai".split()
)
#: With what a clause that asks begins, besides the words that begin any question.
_ASKING = (QUESTION_OPENINGS - OWN_VERBS) | frozenset(
    "if whether ob se si can't shouldn't don't doesn't isn't aren't didn't won't kannst könntest "
    "könnt können könnten würdest wirst weißt darfst soll sollte muss musst hast puoi potresti sai "
    "pensi credi puedes podrías sabes debo peux pourrais pouvez sais dois puis".split()
)
_SUBJECTS = frozenset("i you he she we they ich du er wir ihr man tu je vous nous il on".split())
_RELATIVE_PRONOUNS = frozenset("who which whose che qui que quien der die das".split())
#: What follows these verbs is so: "Did you know that I moved?"
_FACTIVE = frozenset(
    "know knew remember forget believe weißt wusstest erinnerst vergiss sai sapevi ricordi ricorda "
    "sabes sabías recuerdas recuerda sais savais souviens rappelle rappelles".split()
)
_THAT = frozenset("that dass daß che que".split())
_BETWEEN = frozenset("du dich dir dran tu vous te ti toi sie".split())


@dataclass
class SpeechActs:
    """The words of a message by what it does with them."""

    told: list[Token] = field(default_factory=list)
    asked: list[Token] = field(default_factory=list)
    #: Of what it asks: what the speaker has, which is so whatever the answer.
    owned: list[Token] = field(default_factory=list)

    @property
    def tells(self) -> bool:
        """True if it says anything but greetings and questions."""
        return any(not is_little(word) and word.bare not in FILLERS for word in self.told)


def speech_acts_of(text: str) -> SpeechActs:
    """Read what *text* tells and what it asks."""
    found = SpeechActs()
    for line in text[:MAX_TEXT].splitlines():
        for sentence in split_sentences(line):
            words = words_of(sentence)
            if is_standing_wish(sentence):
                found.told += words
            elif is_question(sentence):
                _divide(words, found, asking_clause=-1)
            elif is_request(sentence):
                _divide(words, found, asking_clause=0)
            else:
                found.told += words
    return found


def _divide(words: Sequence[Token], found: SpeechActs, *, asking_clause: int) -> None:
    """Divide the *words* of a question or a request. If none of its clauses begins like a question,
    the *asking_clause* asks: "I live in Riga?", "Suggest a wine, I like them dry."
    """
    so = _granted(words)
    found.told += so
    granted = {id(word) for word in so}
    rest = (word for word in words if id(word) not in granted)
    clauses = [list(each) for _, each in itertools.groupby(rest, key=lambda word: word.clause)]
    asking = _asking(clauses)
    if clauses and (asking_clause == 0 or not any(asking)):
        asking[asking_clause] = True
    first = asking.index(True) if True in asking else len(clauses)
    # "My mom, Wendy, told me of it, got any tips?": all that stands before the question tells.
    told = any(_is_about_speaker(clause) for clause in clauses[:first])
    for place, (clause, asks) in enumerate(zip(clauses, asking, strict=True)):
        if place >= first:
            told = not asks and (told or _is_about_speaker(clause))
        if told:
            found.told += clause
        else:
            found.asked += clause
            found.owned += _owned(clause)


def _asking(clauses: Sequence[Sequence[Token]]) -> list[bool]:
    """For each of *clauses*, true if it asks. Before the last that does, one that begins like a
    question may only describe, and so does the verb behind it: "Jo, who's 80, is well, and what can
    I send her?"
    """
    asking = [_opens_question(clause) for clause in clauses]
    last = max((place for place, asks in enumerate(asking) if asks), default=0)
    described = False
    for place in range(1, last):
        describes = asking[place] and clauses[place][0].bare in _RELATIVE_PRONOUNS
        if describes or described:
            asking[place] = False
        described = describes
    return asking


def _opens_question(clause: Sequence[Token]) -> bool:
    opening = [word.bare for word in clause[:3]]
    if opening[0] in CONTINUING:
        opening = opening[1:]
    first, second = [*opening, "", ""][:2]
    if first in _SUBJECTS or first in MY:
        return False
    return first in _ASKING or second in _SUBJECTS


def _is_about_speaker(clause: Sequence[Token]) -> bool:
    """True if *clause* tells something of who speaks, and does not only name what they have."""
    if not any(
        word.bare in FIRST_PERSON or word.bare in OWN_VERBS or word.text.casefold().startswith("j'")
        for word in clause
    ):
        return False
    owned = {id(word) for word in _owned(clause)}
    return any(not is_little(word) and id(word) not in owned for word in clause)


def _granted(words: Sequence[Token]) -> list[Token]:
    """The clause of a question that is so whatever the answer, if it has one."""
    for at, word in enumerate(words):
        if word.bare not in _FACTIVE:
            continue
        then = at + 1
        while then < len(words) and words[then].bare in _BETWEEN:
            then += 1
        if then < len(words) and (words[then].bare in _THAT or words[then].bare in ("i", "we")):
            return [each for each in words[then:] if each.clause == words[then].clause]
    return []


def _owned(clause: Sequence[Token]) -> list[Token]:
    """The words after "my"."""
    return [
        word
        for at, word in enumerate(clause)
        if any(before.bare in MY for before in clause[max(0, at - OWNED_WORDS) : at])
    ]
