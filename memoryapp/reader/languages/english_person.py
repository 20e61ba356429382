"""English: from what a person says of themselves to a sentence about them. Pure."""

import re

from memoryapp.reader.languages.english_verbs import (
    AS_PAST,
    BASES,
    NOUNS_TOO,
    PAST_FORMS,
)
from memoryapp.reader.languages.language import Narrated

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
#: Behind these, further verbs stay as they are: "I can swim and run".
_BARE_AFTER = frozenset(
    "do don't did didn't can can't cannot could couldn't will won't would wouldn't shall should "
    "shouldn't may might must mustn't".split()
)
_CONTRACTED = {"'m": "is", "'ve": "has", "'ll": "will", "'re": "is"}
_LINKS = frozenset("and or but then".split())
#: What stands before a subject of two: "and my wife and I".
_BEFORE_SUBJECT = _LINKS | frozenset(", ; that because when while so where since".split())
_DETERMINERS = frozenset(
    "a an the my our his her their this these some any every each all no two three four".split()
)
#: Behind a word that may be a noun: most tell that it is a verb, and the others with these verbs.
_VERBAL = frozenset("to at as for with from near every daily".split())
_PREPOSITIONS = _VERBAL | frozenset("in on of by about over under during".split())
_WITH_PREPOSITION = frozenset("work study travel volunteer focus".split())
#: Adverbs of what is over.
_BEFORE_PAST = frozenset("recently just finally already once".split())
#: These begin a clause with a subject of its own.
_SUBORDINATORS = frozenset("because while when who whose which that where although though".split())
#: In "-ed", but no past form.
_BASES_IN_ED = frozenset(
    "need feed speed bleed breed succeed proceed exceed heed embed seed".split()
)
#: Words of a verb with its auxiliary or adverb: "have booked".
_MAX_VERB = 2
#: Words up to the second of two subjects: "my best friend from school and I".
_MAX_FIRST = 8
_OBJECTS = frozenset("me us".split())
#: "Neither of us" are several, of whom the person is one.
_OF_ALL = frozenset("neither both each all one none some most two three half any".split())
_OWN = frozenset("my our".split())
_MINE = frozenset("mine ours".split())
_SELVES = frozenset("myself ourselves".split())
#: Behind these, "to work" is a place.
_MOVING = frozenset(
    "walk cycle commute drive run ride go walking cycling commuting driving going bus train tram "
    "bike car tube metro".split()
)
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
    """True if *verb* is a past form, and no base form as well."""
    if verb in PAST_FORMS:
        return True
    return verb.endswith("ed") and len(verb) > 3 and verb not in _BASES_IN_ED


class _Narration:
    """Goes through a sentence once."""

    def __init__(self, text: str, person: Narrated) -> None:
        self.tokens = _TOKEN.findall(text)
        self.person = person
        self.parts: list[str] = []
        #: True if the person is named, and is the subject of what is being told.
        self.named = self.is_subject = False
        #: True if it is so together with others, so that verbs are in the plural.
        self.together = False
        #: True if verbs behind "and" are in the third person as well, and whether that is less
        #: sure, since the first verb is none that has objects only: "I have a car and bike".
        self.inflects = self.doubts = False
        #: True if that verb is of the past.
        self.is_past = False
        self.sure = True
        #: Where the person was last the subject.
        self.subject_at = 0

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
            told = "".join(self.parts).lower().split()
            is_of_all = self.named and told[-1:] == ["of"] and told[-2:-1] and told[-2] in _OF_ALL
            own = "themselves" if self._acts_on(at) else self._name()
            self.parts.append("them" if is_of_all else own)
        elif word in _SELVES:
            self.parts.append("themselves")
        elif self.inflects and word in BASES and self._is_coordinated(at):
            self.parts.append(third_person(word))
        else:
            infinitive = word == "to" and self._word(self._after(at + 1)) in BASES
            infinitive = infinitive and not self._goes_to_work(at)
            if infinitive or word in _SUBORDINATORS:
                self.inflects = False
            self.parts.append(token)
        return at + 1

    def _acts_on(self, at: int) -> bool:
        """True if the object here is that of the person's own verb: "I've booked us a week"."""
        if not self.is_subject:
            return False
        between = [each for each in self.tokens[self.subject_at + 1 : at] if not each.isspace()]
        return 0 < len(between) <= _MAX_VERB and all(each[0].isalpha() for each in between)

    def _goes_to_work(self, at: int) -> bool:
        """True if "to" here leads to a place: "I walk to work"."""
        is_moving = self._before(at) in _MOVING or "".join(self.parts).split()[-1] in _MOVING
        return is_moving and self._word(self._after(at + 1)) == "work"

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

    def _word(self, at: int) -> str:
        return self.tokens[at].lower() if at < len(self.tokens) else ""

    def _is_second(self, at: int) -> bool:
        """True if the subject here is the second of two: "… and my wife and I"."""
        words = [each for each in self.tokens[max(0, at - 14) : at] if not each.isspace()]
        for length in (2, 3):
            owner = len(words) - 1 - length
            if owner >= 0 and words[owner].lower() in _OWN:
                before = words[owner - 1].lower()
                return owner == 0 or before in _BEFORE_SUBJECT or self._is_adverb(before)
        return False

    def _subject(self, at: int, contraction: str) -> int:
        before = self._before(at)
        told = "".join(self.parts).split()
        is_first = not self.is_subject and not self._has_verb() and len(told) <= _MAX_FIRST
        if before == "and" and (is_first or self._is_second(at)):
            # "My wife and I went": together, in the plural.
            if contraction or len(told) < 2:
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
        self.is_subject, self.together, self.subject_at = True, False, at
        self.inflects = False
        if contraction:
            self.parts.append(" " + self._contracted(contraction, at + 1))
            self.inflects = self.doubts = contraction in ("'m", "'re", "'ve")
            self.is_past = False
            return at + 1
        return self._verb(at + 1)

    def _has_verb(self) -> bool:
        """True if what is told so far has the verb of another subject."""
        return not _THIRD.isdisjoint("".join(self.parts).lower().split())

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
        if (
            at >= len(self.tokens)
            or not word[0].isalpha()
            or (word.endswith("ing") and word not in BASES)
        ):
            self.sure = False
            return at
        if (
            word not in _SPECIAL
            and word not in _UNCHANGED
            and word not in BASES
            and not is_past(word)
        ):
            self.sure = False
        told = word if self._is_over(word, at) else third_person(word)
        if word == "do" and self._before_not(at):
            told = "does"
        self.parts.append(told)
        self.inflects = word not in _BARE_AFTER
        self.doubts = told == word or word in _SPECIAL
        self.is_past = is_past(word)
        return at + 1

    def _is_over(self, verb: str, at: int) -> bool:
        """True if a *verb* whose form is the same in the past is of the past: "recently read"."""
        return verb in AS_PAST and (
            self.person.is_past
            or self._before(at) in _BEFORE_PAST
            or any(is_past(token.lower()) for token in self.tokens)
        )

    def _before_not(self, at: int) -> bool:
        following = self._after(at + 1)
        return following < len(self.tokens) and self.tokens[following].lower() == "not"

    def _is_adverb(self, word: str) -> bool:
        return word in _ADVERBS or (word.endswith("ly") and word not in _NO_ADVERBS)

    def _is_coordinated(self, at: int) -> bool:
        """True if the word here is a verb that follows "and", maybe with adverbs in between."""
        before = at
        while before:
            before -= 1
            word = self.tokens[before].lower()
            if word.isspace() or self._is_adverb(word):
                continue
            if word == ",":
                return self._has_object(at)
            return word in _LINKS and (not self.doubts or self._is_verb(at))
        return False

    def _is_verb(self, at: int) -> bool:
        """True if the word here is a verb, and no second noun."""
        word, following = self.tokens[at].lower(), self._word(self._after(at + 1))
        if word in AS_PAST:
            return False
        if word not in NOUNS_TOO or self._has_object(at) or following in _VERBAL:
            return True
        # "I saw how counselling and support groups help".
        is_noun = self.is_past or following in _LINKS | _PREPOSITIONS
        return following[:1].isalpha() and not is_noun

    def _has_object(self, at: int) -> bool:
        """True if what follows is an object, or goes with a verb."""
        word, following = self.tokens[at].lower(), self._word(self._after(at + 1))
        if word in AS_PAST:
            return False
        with_preposition = word in _WITH_PREPOSITION or word not in NOUNS_TOO
        return following in _DETERMINERS or (with_preposition and following in _PREPOSITIONS)


_THIRD = (
    frozenset(third_person(verb) for verb in BASES) | _UNCHANGED | {"won't", "doesn't", "isn't"}
)
_PLURAL = BASES | {"are", "have", "do", "aren't", "don't", "haven't"}


def agrees(noun: str, verb: str) -> bool:
    """True if *noun* may be the subject of *verb*."""
    if verb in _PLURAL and verb not in AS_PAST:
        return noun.endswith("s") or noun == "children"
    return verb in _THIRD or verb in AS_PAST or is_past(verb)
