"""English: from what a person says of themselves to a sentence about them. Pure."""

import re

from memoryapp.builtin_reader.languages.english_verbs import BASES, PAST_FORMS
from memoryapp.builtin_reader.languages.language import Narrated

_TOKEN = re.compile(r"[^\W_]+(?:'[^\W\d_]+)*|\s+|[^\w\s]|_")
_SUBJECTS = frozenset("i we".split())
_ADVERBS = frozenset(
    "also always almost already actually again both certainly currently definitely even ever "
    "finally first generally honestly just lately mainly maybe mostly never not now normally "
    "occasionally often once only originally personally probably rarely really recently regularly "
    "seldom simply sometimes soon still then though too truly typically usually absolutely "
    "totally kinda sorta all together yesterday today each myself mean guess no longer".split()
)
_NO_ADVERBS = frozenset("fly rely apply reply supply multiply ally rally bully".split())
_SPECIAL = {
    "am": "is", "are": "is", "were": "was", "have": "has", "do": "does", "don't": "doesn't",
    "haven't": "hasn't", "aren't": "isn't", "weren't": "wasn't", "go": "goes", "ain't": "isn't",
}  # fmt: skip
_UNCHANGED = frozenset(
    "was had did can could will would shall should may might must didn't wasn't hadn't can't "
    "couldn't won't wouldn't shouldn't mustn't used cannot is has does".split()
)
#: Verb forms that end a search for coordinated ones: "I like to swim and run".
_CONTRACTED = {"'m": "is", "'ve": "has", "'ll": "will", "'re": "is"}
_LINKS = frozenset("and or but then".split())
#: In "-ed", but no past form.
_BASES_IN_ED = frozenset(
    "need feed speed bleed breed succeed proceed exceed heed embed seed".split()
)
_OBJECTS = frozenset("me us".split())
_OWN = frozenset("my our".split())
_MINE = frozenset("mine ours".split())
_SELVES = frozenset("myself ourselves".split())
_LIKING = frozenset("like love prefer rather hate be".split())


def narrate(text: str, person: Narrated) -> str | None:
    """Tell *text*, said in the first person, of *person*; None if a form is not known."""
    return _Narration(text, person).told()


def third_person(verb: str) -> str:
    """The third person of a *verb* in the first: has, goes, tries, lives; past forms stay."""
    if verb in _SPECIAL:
        return _SPECIAL[verb]
    if verb in _UNCHANGED or is_past(verb):
        return verb
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def is_past(verb: str) -> bool:
    """Whether *verb* is a past form, and no base form as well."""
    if verb in PAST_FORMS:
        return True
    return verb.endswith("ed") and len(verb) > 3 and verb not in _BASES_IN_ED


class _Narration:
    """Goes through a sentence once."""

    def __init__(self, text: str, person: Narrated) -> None:
        self.tokens = _TOKEN.findall(text)
        self.person = person
        self.parts: list[str] = []
        #: Whether the person is named, and is the subject of what is being told.
        self.named = self.is_subject = False
        #: Whether it is so together with others, so that verbs are in the plural.
        self.together = False
        #: Whether verbs behind "and" are in the third person as well.
        self.inflects = False
        self.sure = True

    def told(self) -> str | None:
        at = 0
        while at < len(self.tokens):
            at = self._step(at)
        text = "".join(self.parts)
        return text if self.sure and self.named else None

    def _step(self, at: int) -> int:
        token = self.tokens[at]
        word = token.lower()
        subject, _, rest = word.partition("'")
        if subject in _SUBJECTS and (not rest or f"'{rest}" in _CONTRACTED or rest == "d"):
            return self._subject(at, f"'{rest}" if rest else "")
        if word in _OWN:
            self.parts.append("their" if self.named else self._name("'s"))
            self.named = True
        elif word in _MINE:
            self.parts.append(self._name("'s"))
        elif word in _OBJECTS:
            self.parts.append(self._name())
        elif word in _SELVES:
            self.parts.append("themselves")
        elif self.inflects and word in BASES and self._is_coordinated(at):
            self.parts.append(third_person(word))
        else:
            if word == "to":
                self.inflects = False
            self.parts.append(token)
        return at + 1

    def _name(self, ending: str = "") -> str:
        self.named = True
        if self.person.name:
            return self.person.name + ending
        begins = not "".join(self.parts).strip()
        return ("The user" if begins else "the user") + ending

    def _before(self, at: int) -> str:
        """The word or mark before this place."""
        while at and self.tokens[at - 1].isspace():
            at -= 1
        return self.tokens[at - 1].lower() if at else ""

    def _after(self, at: int) -> int:
        """The place of the next token that is no space."""
        while at < len(self.tokens) and self.tokens[at].isspace():
            at += 1
        return at

    def _subject(self, at: int, contraction: str) -> int:
        before = self._before(at)
        if before == "and" and not self.is_subject:
            # "My wife and I went": together, in the plural.
            if contraction or not self.parts or len("".join(self.parts).split()) < 2:
                self.sure = False
            self.parts.append(self._name())
            self.is_subject = self.together = True
            self.inflects = False
            following = self._after(at + 1)
            if following < len(self.tokens) and self.tokens[following].lower() == "am":
                self.sure = False
            return at + 1
        drops = before in _LINKS and self.is_subject and not self.together
        if drops:
            while self.parts and self.parts[-1].isspace():
                self.parts.pop()
        else:
            self.parts.append(self._name())
        self.is_subject, self.together = True, False
        self.inflects = False
        if contraction:
            self.parts.append(" " + self._contracted(contraction, at + 1))
            return at + 1
        return self._verb(at + 1)

    def _contracted(self, contraction: str, at: int) -> str:
        if contraction != "'d":
            return _CONTRACTED[contraction]
        following = self._after(at)
        while following < len(self.tokens) and self.tokens[following].lower() in _ADVERBS:
            following = self._after(following + 1)
        verb = self.tokens[following].lower() if following < len(self.tokens) else ""
        return "would" if verb in _LIKING or not is_past(verb) else "had"

    def _verb(self, at: int) -> int:
        """Tell the verb after the subject, behind its adverbs."""
        while at < len(self.tokens):
            token = self.tokens[at]
            word = token.lower()
            if token.isspace() or self._is_adverb(word):
                self.parts.append(token)
                at += 1
                continue
            break
        if at >= len(self.tokens) or not word[0].isalpha() or word.endswith("ing"):
            self.sure = False
            return at
        if (
            word not in _SPECIAL
            and word not in _UNCHANGED
            and word not in BASES
            and not is_past(word)
        ):
            self.sure = False
        told = third_person(word)
        if word == "do" and self._before_not(at):
            told = "does"
        self.parts.append(told)
        self.inflects = told != word and word not in ("am", "are", "were", "do", "don't", "have")
        return at + 1

    def _before_not(self, at: int) -> bool:
        following = self._after(at + 1)
        return following < len(self.tokens) and self.tokens[following].lower() == "not"

    def _is_adverb(self, word: str) -> bool:
        return word in _ADVERBS or (word.endswith("ly") and word not in _NO_ADVERBS)

    def _is_coordinated(self, at: int) -> bool:
        """Whether the word here follows "and", maybe with adverbs in between."""
        before = at
        while before:
            before -= 1
            word = self.tokens[before].lower()
            if word.isspace() or self._is_adverb(word):
                continue
            return word in _LINKS
        return False
