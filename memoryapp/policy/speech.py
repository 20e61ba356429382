"""Finds who speaks in a message: a pasted chat, or speech behind a colon, is said by others. Pure.

Takes time linear in the length of the message.
"""

import re
from collections.abc import Iterator

from memoryapp.language.vocabularies import FACTS, VOCABULARIES
from memoryapp.language.words import is_function_word, words
from memoryapp.policy.speaker_labels import BLANK, HEADINGS, PLAIN, labelled, lines_of, talks
from memoryapp.policy.word_lists import KIN

#: Colons of a line that are looked at.
MAX_COLONS = 6

_SPEECH = [known.speech for known in VOCABULARIES.values()]
_SUBJECTS = frozenset[str]().union(*(each.subjects for each in _SPEECH))
_SAYS = re.compile("|".join(each.says.pattern for each in _SPEECH), re.IGNORECASE)
_UNREAL = frozenset[str]().union(*(each.unreal for each in _SPEECH))
#: With which a clause about its author begins, and words up to it.
_OWN_SUBJECTS = _SUBJECTS.union(
    *(known.possessives | known.own_verbs for known in VOCABULARIES.values())
)
_MAX_LINK = 2
#: Whose relatives, and the pronouns of one person, before a verb: "my sister keeps writing: …".
_OWNERS = frozenset[str]().union(*(known.possessives for known in VOCABULARIES.values()))
_SPEAKERS = KIN.keys() - FACTS.pets
_THIRD = frozenset[str]().union(*(known.third_person for known in VOCABULARIES.values()))
#: Verbs with which a sentence tells of somebody, and brings no speech.
_TELLING = frozenset(
    form
    for known in VOCABULARIES.values()
    for group in known.denials.forms
    for form in group.split()
)

#: Words of a sentence that only tells that somebody speaks.
_MAX_INTRODUCTION = 6
_COLON = re.compile(r"[:：](?!\d|//)")
_SENTENCE = re.compile(r"[.!?…]\s|,")
_STOP = re.compile(r"[.!?…][\"'”’»)]?\s")
_UNQUOTED = re.compile(r"\n[ \t]{0,20}[^\s>]")


def spans_of_others(text: str, author: str = "") -> list[tuple[int, int]]:
    """Return where others than the *author* of *text* speak in it, as (start, end), and the labels
    of the author's own lines; they may overlap.
    """
    if PLAIN.fullmatch(text):
        return []
    return [*labelled(text, author), *_behind_colons(text)]


def without_others(text: str, author: str = "") -> str:
    """Return *text* without what others than its *author* say in it."""
    kept, at = list[str](), 0
    for start, end in sorted(spans_of_others(text, author)):
        kept.append(text[at : max(at, start)])
        at = max(at, end)
    return "\n".join([*kept, text[at:]]).strip() if kept else text


def reports(text: str) -> bool:
    """True if *text*, a sentence, tells what another person says of its author: "Kim says I …"."""
    found = words(text)
    if not _SUBJECTS.isdisjoint(found[:2]) or _OWN_SUBJECTS.isdisjoint(found[2:]):
        return False
    if not (said := _SAYS.search(text)):
        return False
    before, behind = words(text[: said.start()]), words(text[said.end() :])[:_MAX_LINK]
    return bool(before) and (_SUBJECTS.isdisjoint(before) and not _OWN_SUBJECTS.isdisjoint(behind))


def only_introduces(text: str) -> bool:
    """True if *text*, a sentence, ends where another's words would begin: "My sister says."."""
    if text.endswith(":"):
        return True
    found = text.rstrip(" .!…").split()
    if len(found) > _MAX_INTRODUCTION or not _SUBJECTS.isdisjoint(map(str.casefold, found)):
        return False
    last = " ".join(found[-2:])
    said = _SAYS.search(last)
    return bool(said and said.end() == len(last))


def is_disputed(text: str) -> bool:
    """True if *text* tells that what somebody said is not so."""
    return any(each.disputed.search(text) for each in _SPEECH)


def is_own_introduction(text: str) -> bool:
    """True if *text*, before a colon, tells that its author says what follows, or is the heading of
    what is so: "I told my boss: …", "Allergies: …".
    """
    found = words(text)
    if not HEADINGS.isdisjoint(found) and all(
        word in HEADINGS or is_function_word(word) for word in found
    ):
        return _UNREAL.isdisjoint(found)
    is_own = not _SUBJECTS.isdisjoint(found)
    return any(
        each.introduces.search(text) or (is_own and each.says.search(text)) for each in _SPEECH
    )


def _behind_colons(text: str) -> Iterator[tuple[int, int]]:
    """Places of what others say behind a colon: "My sister told me: …". Up to the end of the line,
    or of the paragraph below it.
    """
    ended = 0
    for start, line in lines_of(text):
        before = 0
        if start < ended:
            continue
        for colon in list(_COLON.finditer(line))[:MAX_COLONS]:
            if _is_said_by_other(line[before : colon.start()], line[colon.end() :]):
                ended = _end_of_speech(text, start + colon.end())
                yield start + colon.end(), ended
                break
            before = colon.end()


def _end_of_speech(text: str, start: int) -> int:
    """Where the speech that begins at *start* ends."""
    line = text.find("\n", start)
    if line < 0:
        return _where_it_is_left(text, start, len(text))
    if text[start:line].strip():
        return _where_it_is_left(text, start, line)
    while line + 1 < len(text) and text[line + 1].isspace():
        line += 1
    # Of a quotation, the line behind it is not part.
    pattern = _UNQUOTED if text[line + 1 : line + 2] == ">" else BLANK
    ends = pattern.search(text, line + 1)
    return ends.start() if ends else len(text)


def _where_it_is_left(text: str, start: int, end: int) -> int:
    """Where speech on one line ends with a sentence that leaves fiction: "Back to reality: …"."""
    for found in _STOP.finditer(text, start, end):
        if any(known.fiction.leaves.match(text, found.end()) for known in VOCABULARIES.values()):
            return found.end()
    return end


def _is_said_by_other(before: str, behind: str) -> bool:
    """True if the words *before* a colon tell that another person says what stands *behind* it."""
    *_, clause = _SENTENCE.split(before.replace("’", "'"))
    found = words(clause)
    if not found or not _SUBJECTS.isdisjoint(found):
        return False
    return (_brings_words(found) and talks(behind)) or any(
        ((said := each.says.search(clause)) and said.start() > 0) or each.messages.search(clause)
        for each in _SPEECH
    )


def _brings_words(clause: list[str]) -> bool:
    """True if a person is the subject of *clause*, and the verb is none that tells of them: "my
    sister keeps at it".
    """
    verb = 1 if clause[0] in _THIRD else 0
    if owner := next((at for at, word in enumerate(clause[:2], 1) if word in _OWNERS), 0):
        # "My little sister".
        verb = next(
            (at + 1 for at in (owner, owner + 1) if _SPEAKERS.intersection(clause[at : at + 1])), 0
        )
    return 0 < verb < len(clause) and clause[verb] not in _TELLING
