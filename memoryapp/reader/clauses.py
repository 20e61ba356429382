"""The clauses of a sentence: those that are statements on their own, and their tenses. Pure."""

from bisect import bisect_right
from collections.abc import Sequence

from memoryapp.language.calendar_days import TenseAt
from memoryapp.language.denials import is_denial
from memoryapp.language.vocabularies import FUNCTION_WORDS, VOCABULARIES
from memoryapp.reader.languages.language import Language
from memoryapp.reader.opening_moment import without_moment
from memoryapp.reader.pronouns import begins_with_pronoun, without_pronoun
from memoryapp.reader.sentences import without_opener
from memoryapp.reader.statement import (
    MAX_DESCRIBING,
    MAX_NAMES,
    cased_words_of,
    split_words,
    words_of,
)

#: Words of the shortest clause that stands on its own; "I'm" counts as two.
MIN_WORDS = 3
#: Little words between the relative and the verb: "ya no me reconoce".
_MAX_PARTICLES = 3
#: Words of the first of two subjects: "sometimes my wife Ann".
_MAX_SUBJECT = 4


def independent(sentence: str, language: Language) -> list[str]:
    """The clauses of *sentence* that are coordinated, each with its own subject and verb. Only the
    sentence if there are none, or if one leans on another, but for what is now.
    """
    text = without_opener(sentence, language)
    leans = language.dependent.search(text)
    clauses, at, part = list[str](), 0, 0
    for joint in language.joint.finditer(text):
        before, after = text[at : joint.start()], text[joint.end() :]
        # "I live with my brother, he is a cook". Joined verbs of one subject are one clause.
        after = without_pronoun(after, before, language, is_spoken=joint[0] != ", ")
        # "… and my wife and I": the second of two subjects.
        part = max(part, text.rfind(", ", at, joint.start()) + 1)
        is_second = part > at and len(words_of(text[part : joint.start()])) <= _MAX_SUBJECT
        is_second = is_second and _has_pronoun(after, language)
        part = joint.end()
        former = language.formerly.match(before)
        first = before[former.end() :] if former else _without_lead(before, language)
        is_first = is_clause(first, language, drops=not clauses)
        if is_second or not (is_first or _owns_subject(before, language)):
            continue
        now = VOCABULARIES[language.name].questions.now.match(after)
        # "I take lessons with a man who is called Manu" leans on nothing.
        others = language.dependent.search(language.asking.relative.sub(" ", after))
        if leans and ((now is None and leans.start() < joint.end()) or others):
            continue
        told = after[now.end() :].lstrip(" ,") if now else _without_lead(after, language)
        # Behind a comma or "now", a verb may stand without its pronoun, where the language drops
        # it.
        is_relative = after != text[joint.end() :]
        is_own = is_relative and begins_with_pronoun(text[joint.end() :], language)
        if is_own or is_clause(told, language, drops=bool(now) or joint[0] == ", "):
            clauses.append(before)
            at = part
            if is_relative:
                return [*clauses, *independent(after, language)]
    return [*clauses, text[at:]] if clauses else [sentence]


def _without_lead(clause: str, language: Language) -> str:
    """*clause* without what leads to its subject, but for a moment, which may be that of further
    clauses: "In 2019 I moved and my sister married".
    """
    led = language.leading.match(clause)
    is_timed = without_moment(clause, language.times) != clause
    if led is None or is_timed or any(letter.isdigit() for letter in led[0]):
        return clause
    return clause[led.end() :]


def is_clause(text: str, language: Language, *, drops: bool = False) -> bool:
    """True if *text* begins with a subject and has a verb of it. The first clause may drop its
    pronoun, where the language does; a further one may have the subject of the first then.
    """
    cased = cased_words_of(text)
    words = [word.lower() for word in cased]
    first = next((word for word in words if not is_denial(word)), "")
    # A verb without its pronoun is two words: "sono daltonico".
    begins = drops and first in language.subjects - language.owners - language.pronouns
    if len(split_words(words)) + begins < MIN_WORDS:
        return False
    if _has_pronoun(text, language):
        return True
    if drops and first in language.subjects and first not in language.owners:
        return True
    for at, word in enumerate(words[: language.owner_within]):
        if word in language.owners:
            return _is_verb_near(cased[at + 1 :], words[at + 1 :], language, words[0])
    return False


def begins_clause(text: str, language: Language) -> bool:
    """True if *text* is a first clause, maybe behind a moment, where the verb may come before its
    subject: "gestern hatte meine Tante". The moment may be that of further clauses as well.
    """
    told = without_moment(text, language.times)
    if is_clause(told, language, drops=True) or _owns_subject(told, language):
        return True
    if language.concerning.match(told):
        return True
    if led := language.leading.match(told):
        told = told[led.end() :]
        if is_clause(told, language, drops=True):
            return True
    words = split_words(words_of(told))
    return told != text and len(words) >= MIN_WORDS and words[1] in language.subjects


def _owns_subject(text: str, language: Language) -> bool:
    """True if *text* begins with a thing of the author and its verb: "my landlord sells"."""
    cased = cased_words_of(text)[: language.owner_within + MAX_DESCRIBING + 1]
    words = [word.lower() for word in cased]
    owner = next((at for at, word in enumerate(words) if word in language.owners), None)
    if owner is None or owner >= language.owner_within:
        return False
    return any(
        words[at] == cased[at]
        and (language.agrees(words[at - 1], words[at]) or words[at] in language.copulas)
        for at in range(owner + 2, len(words))
    )


def _has_pronoun(text: str, language: Language) -> bool:
    """True if *text* begins with a pronoun that is its subject."""
    first = words_of(text[:20])[:1]
    return bool(first) and first[0].partition("'")[0] in language.pronouns


def _is_verb_near(
    cased: Sequence[str], words: Sequence[str], language: Language, first: str
) -> bool:
    """True if the noun behind a possessive is followed by its verb, "sister Paula lives", or by
    that of the *first* word: "none of my sisters lives".
    """
    for at, word in enumerate(words[: MAX_DESCRIBING + 1]):
        if at and word in language.copulas:
            return True
        if word not in language.kin:
            continue
        verb = at + 1
        while verb < len(words) and verb - at <= MAX_NAMES and cased[verb][0].isupper():
            verb += 1
        # A denial may be the verb, "won't", or stand before it.
        for found in words[verb : verb + 1 + _MAX_PARTICLES]:
            forms = (found, found.rpartition("'")[2])
            if any(language.agrees(subject, form) for subject in (word, first) for form in forms):
                return True
            if not _is_particle(found, language):
                break
    return False


def _is_particle(word: str, language: Language) -> bool:
    """True if *word* may stand between a subject and its verb: "ya no me", "non mi"."""
    is_little = word in FUNCTION_WORDS[language.name]
    return is_denial(word) or (is_little and not language.dependent.fullmatch(word))


def tenses(text: str, language: Language) -> TenseAt:
    """The tense at each place of *text*: that of its clause, or else that of the whole."""
    cuts = [cut.end() for cut in language.clause.finditer(text)]
    whole = _tense(text, language)
    now = VOCABULARIES[language.name].questions.now
    pieces = [
        # "I swapped shifts, so now I'm off on Friday".
        _tense(piece, language)
        or (0 if now.search(piece) or language.present.search(piece) else whole)
        for piece in (text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True))
    ]
    return lambda at: pieces[bisect_right(cuts, at)]


def _tense(text: str, language: Language) -> int:
    if language.future.search(text):
        return 1
    return -1 if language.past.search(text) else 0
