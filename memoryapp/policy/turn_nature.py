"""The nature of a message: whether it states something, asks, requests, or is small talk. Pure.

It is known once, when a message is stored: what only asks or acknowledges is no answer to a
question asked later. A statement taken for a question would never be found again, so whatever is
unsure states something, and one clause that does makes a statement of the whole message.
"""

import re
from collections.abc import Iterable, Sequence

from conversations.models import Nature, Role
from conversations.scripts import UNSPACED
from memoryapp.language.turn_words import TurnWords
from memoryapp.language.vocabularies import JOINING, VOCABULARIES
from memoryapp.language.words import is_function_word, languages_of_question, words
from memoryapp.policy.memory_need import is_small_talk
from memoryapp.policy.quotation import own_words
from memoryapp.policy.recalled_context import without_recalled
from memoryapp.policy.request_words import COURTESIES, DAY_WISHES, DAYS, FILLERS, TELLERS
from memoryapp.policy.turn_phrases import ASIDES, EMPTY, OPENINGS, WISHED
from memoryapp.privacy.excerpts import split_sentences

#: Characters of a message that are looked at; a longer one states something somewhere.
MAX_CHARACTERS = 2_000
#: Words up to which a clause without a question mark is a question by its form.
MAX_QUESTION_WORDS = 14
#: Words up to which a whole reply of an assistant that nobody asked says nothing by itself.
MAX_BARE_WORDS = 2
#: Words up to which an assistant's sentence can be empty.
MAX_EMPTY_WORDS = 16
#: Words with which a clause beside a question states something, and characters in scripts without
#: spaces.
MIN_TOLD_WORDS, MIN_TOLD_CHARACTERS = 3, 4

_QUESTION_MARK = re.compile(r"[?？؟][!！]*['\"”’»)\]*_`\s]*$")
_ASKED = re.compile(r"[?？؟](?!\w)")
#: What parts a sentence into clauses: no comma or colon within a number.
_CLAUSES = re.compile(r"[,:](?!\d)|[;()¿¡、，；：]|\s[-–—]\s")
_COLON = re.compile(r"[:：](?!\d)")
_OR = re.compile(rf"\b(?:{'|'.join(sorted(JOINING.choosing))})\b", re.IGNORECASE)
_UNSPACED_QUESTION = re.compile(r"(?:か|吗|嗎|呢|の？)[。.!！]?$")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_WORDS = re.compile(r"[^\W_]+")
#: What follows it tells something: "sorry to hear that …".
_THAT = re.compile(r"\b(?:that|dass|che|que)\b", re.IGNORECASE)
#: With a capital wherever they stand.
_I = frozenset(("I", "Sie", "Ihnen", "Ihr", "Ihre"))
#: Of whom even words of small talk tell something.
_OTHERS = frozenset("he she they".split())
#: What stands before a date or a time.
_WHEN = frozenset("on at am um alle il las el à le".split())
#: With which two words may tell of somebody: "bin schwanger".
_STATING = frozenset[str]().union(*(each.stating for each in VOCABULARIES.values()))
#: What may stand at the beginning of a line.
_MARKUP = "*_\"'“„«-–—>#•… "
#: With which an assistant's sentence says something of somebody or something.
_PREDICATE = re.compile(
    r"\b(?:is|are|was|were|has|have|ist|sind|bist|hast|hat|è|sei|sono|hai|es|eres|son|tienes|est|"
    r"sont|as)\b"
)
#: But not of what was said: "that's a good plan", "have a good trip", "es ist eine gute Idee".
_OF_WHAT_WAS_SAID = re.compile(r"\W*(?:that|this|it|have|what|das|es|questo|è|eso|c|ça|i|ich)\b")
#: Which of the natures in a message counts for all of it, if nothing is stated.
_ORDER = (Nature.REQUEST, Nature.QUESTION, Nature.ACKNOWLEDGEMENT)


def nature_of(text: str, *, role: str, language: str = "english", before: str = "") -> Nature:
    """The nature of a message with this *text*, said by *role* in this *language*, after the text
    *before*: "Tomorrow." states something where "When is the exam?" was asked.
    """
    if role not in (Role.USER, Role.ASSISTANT) or len(text) > MAX_CHARACTERS:
        return Nature.STATEMENT
    own = own_words(without_recalled(text)).replace("’", "'")
    sentences = [each for line in own.splitlines() for each in split_sentences(line) if words(each)]
    if not sentences:
        # Only signs and pictures, or only what is quoted.
        return Nature.STATEMENT if words(text) else Nature.ACKNOWLEDGEMENT
    nature = _first(_nature_of_sentence(sentence, role, language) for sentence in sentences)
    if nature is Nature.ACKNOWLEDGEMENT and _may_answer(own) and asks_for_answer(before):
        return Nature.STATEMENT
    if nature is Nature.STATEMENT and role == Role.ASSISTANT and _is_bare(own):
        return Nature.STATEMENT if asks_for_answer(before) else Nature.ACKNOWLEDGEMENT
    return nature


def _first(natures: Iterable[Nature | None]) -> Nature:
    """The one of *natures* that counts for all: a statement if one is, or if none does anything."""
    found = set[Nature | None]()
    for nature in natures:
        if nature is Nature.STATEMENT:
            return nature
        found.add(nature)
    return next((nature for nature in _ORDER if nature in found), Nature.STATEMENT)


def asks_for_answer(before: str, *, language: str = "english") -> bool:
    """True if the text *before* a reply asked for an answer."""
    asked = (Nature.QUESTION, Nature.REQUEST)
    return (
        bool(_ASKED.search(before)) or nature_of(before, role=Role.USER, language=language) in asked
    )


def _may_answer(text: str) -> bool:
    """True if small talk may be an answer: "in the evening", "thanks, Kim", and not "yes" or "as an
    AI, I don't know".
    """
    if any(each.turns.not_known.match(text) for each in VOCABULARIES.values()):
        return False
    return not DAYS.isdisjoint(words(text)) or _names(text)


def _is_bare(text: str) -> bool:
    """True if an assistant's *text* is a word or two without a name or a number."""
    if len(words(text)) > MAX_BARE_WORDS or _UNSPACED.search(text):
        return False
    return not (
        _names(text)
        or any(letter.isdigit() for letter in text)
        or _PREDICATE.search(text.casefold())
        or not DAYS.isdisjoint(words(text))
    )


def _is_address(sentence: str) -> bool:
    """True if *sentence* greets or thanks somebody by name: "Hello Kim!", "Thanks, Kim."."""
    found = _WORDS.findall(sentence)
    return (
        len(found) > 1
        and found[-1].istitle()
        and found[0].casefold() in COURTESIES
        and all(word.casefold() in FILLERS for word in found[:-1])
    )


def _is_more_than_a_tag(clause: str) -> bool:
    """True if a *clause* of small talk asks something: "how are you?" does, and not "right?"."""
    return not FILLERS.issuperset(words(clause))


def _nature_of_sentence(sentence: str, role: str, language: str) -> Nature:
    if is_small_talk(sentence) or _is_address(sentence):
        asks = _QUESTION_MARK.search(sentence) and _is_more_than_a_tag(sentence)
        return Nature.QUESTION if asks else Nature.ACKNOWLEDGEMENT
    if role == Role.ASSISTANT:
        return _nature_of_reply(sentence, language)
    if _UNSPACED.search(sentence):
        return _nature_of_unspaced(sentence)
    known = _words_of(sentence, language)
    natures = _natures_of_clauses(sentence, language, known)
    nature = _first(natures)
    if nature is Nature.REQUEST and _is_detailed(sentence):
        return Nature.STATEMENT
    return Nature.STATEMENT if any(each.beside.search(sentence) for each in known) else nature


def _is_detailed(request: str) -> bool:
    """True if a *request* tells who or when with a number: "invite Kim for 8", "on May 3"."""
    found = words(request)
    return any(word.isdigit() for word in found) and (
        _names(request) or not _WHEN.isdisjoint(found)
    )


def _names(sentence: str) -> bool:
    """True if a word of *sentence* behind the first has a capital."""
    return any(word[:1].isupper() and word not in _I for word in _WORDS.findall(sentence)[1:])


def _nature_of_reply(sentence: str, language: str) -> Nature:
    """The nature of an assistant's *sentence*, which asks only with a question mark."""
    if _is_empty(sentence, language):
        return Nature.ACKNOWLEDGEMENT
    if not _QUESTION_MARK.search(sentence):
        return Nature.STATEMENT
    *before, _ = _clauses_of(sentence) or [""]
    known = _words_of(sentence, language)
    told = (
        _tells(clause) and not _asks(clause, known, marked=True) and not _is_empty(clause, language)
        for clause in before
    )
    return Nature.STATEMENT if any(told) else Nature.QUESTION


def _nature_of_unspaced(sentence: str) -> Nature:
    """The nature of a *sentence* in a script without spaces, of whose words nothing is known."""
    if not _QUESTION_MARK.search(sentence) and not _UNSPACED_QUESTION.search(sentence):
        return Nature.STATEMENT
    *before, _ = _clauses_of(sentence) or [""]
    tells = any(_tells(clause) and not _UNSPACED_QUESTION.search(clause) for clause in before)
    return Nature.STATEMENT if tells else Nature.QUESTION


def _words_of(sentence: str, language: str) -> list[TurnWords]:
    """Words of the languages that *sentence* may be in."""
    languages = languages_of_question(sentence, language)
    return [VOCABULARIES[each].turns for each in languages if each in VOCABULARIES]


def _clauses_of(sentence: str) -> list[str]:
    """The clauses of *sentence*, without what opens them: "ok, so where …"."""
    clauses = (_without_opening(clause) for clause in _CLAUSES.split(sentence))
    return [clause for clause in clauses if words(clause)]


def _without_opening(clause: str) -> str:
    for word in _WORDS.finditer(clause):
        if word.group().casefold() not in OPENINGS:
            return clause[word.start() :].strip()
    return clause.strip(_MARKUP)


def _natures_of_clauses(
    sentence: str, language: str, known: Sequence[TurnWords]
) -> list[Nature | None]:
    """Nature of each clause; None for one that does nothing, such as a name that is called."""
    marked = bool(_QUESTION_MARK.search(sentence))
    exclaimed = sentence.rstrip().endswith(("!", "！"))
    sentence, is_indirect = _joined(_without_opening(sentence), known)
    clauses = _clauses_of(sentence)
    natures: list[Nature | None] = []
    for at, clause in enumerate(clauses):
        is_last = at == len(clauses) - 1
        if is_small_talk(clause) and not (marked and is_last and _is_more_than_a_tag(clause)):
            natures.append(None)
        elif is_indirect and at == 0:
            natures.append(Nature.QUESTION)
        elif marked and is_last:
            natures.append(_nature_of_asked(clause, natures, known))
        elif not exclaimed and _asks(clause, known, marked=marked):
            natures.append(Nature.QUESTION)
        elif any(each.requests.match(clause) for each in known):
            natures.append(Nature.REQUEST)
        else:
            natures.append(Nature.STATEMENT if _tells(clause) else None)
    colon = _COLON.search(sentence)
    if colon and words(sentence[colon.end() :]) and not marked:
        # "What the doctor said: …". But a text behind a colon may be what a task works on.
        if any(each.reads.match(sentence) for each in known):
            return [Nature.REQUEST]
        if natures[-1:] != [Nature.QUESTION]:
            return [Nature.STATEMENT]
    return natures


def _joined(sentence: str, known: Sequence[TurnWords]) -> tuple[str, bool]:
    """*sentence* without the comma in "Tell me, where …", and whether it has that form."""
    for each in known:
        if asking := each.asks_indirectly.match(sentence):
            return asking.group().replace(",", "") + sentence[asking.end() :], True
    return sentence, False


def _nature_of_asked(
    clause: str, before: Sequence[Nature | None], known: Sequence[TurnWords]
) -> Nature:
    """The nature of a *clause* that a question mark ends, after others."""
    if any(each.requests.match(clause) for each in known):
        return Nature.REQUEST
    asks = _asks(clause, known, marked=True)
    # "What can I cook for Kim, who is vegan?", "What can I cook, I'm vegan?"
    adds = not asks or any(each.relative.match(clause) for each in known)
    if Nature.QUESTION in before and adds and _tells(clause) and not _OR.search(clause):
        return Nature.STATEMENT
    return Nature.STATEMENT if not asks and _tells_within(clause, known) else Nature.QUESTION


def _tells_within(clause: str, known: Sequence[TurnWords]) -> bool:
    """True if *clause* tells something before it asks: "I'm vegan what can I order?"."""
    for each in known:
        asking = each.asks_within.search(clause)
        told = clause[: asking.start()] if asking else ""
        found = words(told)
        if len(found) >= MIN_TOLD_WORDS and (found[0] in TELLERS or not is_function_word(found[0])):
            return True
        if len(found) > 1 and each.verbs.search(told):
            return True
    return False


def _asks(clause: str, known: Sequence[TurnWords], *, marked: bool) -> bool:
    """True if *clause* has the form of a question."""
    if len(words(clause)) > MAX_QUESTION_WORDS and not marked:
        return False
    for each in known:
        if each.asks.match(clause) and (marked or len(each.verbs.findall(clause)) <= 1):
            return True
        if marked and each.asks_if_marked.match(clause):
            return True
    return False


def _tells(clause: str) -> bool:
    """True if *clause* is long enough to state something by itself."""
    found = words(clause)
    if _UNSPACED.search(clause):
        return len("".join(found)) >= MIN_TOLD_CHARACTERS
    if all(word in FILLERS or word in ASIDES or is_function_word(word) for word in found):
        return False
    if len(found) >= MIN_TOLD_WORDS:
        return True
    return len(found) == MIN_TOLD_WORDS - 1 and (
        found[0] in _STATING or not (found[0] in FILLERS or is_function_word(found[0]))
    )


def _is_empty(sentence: str, language: str) -> bool:
    """True if an assistant's *sentence* says nothing: assent, good wishes, or that it does not
    know.
    """
    if is_small_talk(sentence):
        return True
    found = words(sentence)
    if len(found) > MAX_EMPTY_WORDS or any(word.isdigit() for word in found):
        return False
    for each in _words_of(sentence, language):
        said = sentence.lstrip(_MARKUP)
        if nothing := each.not_known.match(said) or each.comments.match(said):
            about, *further = _CLAUSES.split(said[nothing.end() :])
            if each is not VOCABULARIES["german"].turns and _names(about):
                return False
            clauses = (*further, *_THAT.split(about)[1:])
            return not any(_tells(each) for each in clauses if not each.endswith("?"))
    found = words(_without_address(sentence))
    if not all(
        word in EMPTY or word in WISHED or word in FILLERS or is_function_word(word)
        for word in found
    ):
        return False
    # "Your trip is today" has only words of wishes, too, and "you go tomorrow" of small talk.
    if not _OTHERS.isdisjoint(found) or (
        not DAYS.isdisjoint(found) and DAY_WISHES.isdisjoint(found)
    ):
        return False
    wishes = any(word in WISHED or word in DAYS for word in found)
    folded = sentence.casefold()
    return not wishes or bool(_OF_WHAT_WAS_SAID.match(folded)) or not _PREDICATE.search(folded)


def _without_address(sentence: str) -> str:
    """*sentence* without the name that it calls: "…, Kim."."""
    before, comma, name = sentence.rpartition(",")
    return before if comma and name.strip(" .!").istitle() and len(name.split()) == 1 else sentence
