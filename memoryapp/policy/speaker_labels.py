"""Labels of the lines of a message that tell who speaks in them: a pasted chat. Pure.

A line that begins with a name is said by that person: ``[10:32] Kim: …``, ``Kim 10:32 AM`` above
the line, ``<Kim> …``, ``Speaker 1: …``, and ``Kim: …``, ``[Kim] …``, ``Kim → …``, ``Kim - …`` or
``Kim`` above the line where something shows that the word is a name. The words behind it are theirs
up to the next label, or the blank line behind the last one. "Address: …" and "Monday: …" are no
names. Takes time linear in the length of the message.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import compress

from memoryapp.language.vocabularies import FUNCTION_WORDS, VOCABULARIES
from memoryapp.language.words import is_function_word, words
from memoryapp.policy.word_lists import USERS

#: Characters of a line in which a label is looked for.
MAX_LINE_CHARACTERS = 400
#: Words of a name.
MAX_NAME_WORDS = 4
#: Words at the beginning of a line in which it has to speak of somebody.
_MAX_WORDS_BEFORE, _MAX_BEGINNING = 8, 120

_SPEECH = [known.speech for known in VOCABULARIES.values()]
_MINE = frozenset[str]().union(*(each.mine for each in _SPEECH))
_PARTS = frozenset[str]().union(*(each.parts for each in _SPEECH))
_TIMES = frozenset[str]().union(
    *(
        {*known.times.weekdays, *known.times.months, *known.times.days}
        for known in VOCABULARIES.values()
    )
)
#: Words before a colon that are no names.
HEADINGS = _TIMES.union(*(each.headings for each in _SPEECH)) - _PARTS
#: The words of people who talk about themselves, and with each other, in each language.
_TALKING_IN = {
    name: known.first_person | known.second_person | known.own_verbs | known.stating
    for name, known in VOCABULARIES.items()
}
_TALKING = frozenset(("u", "ihr")).union(*_TALKING_IN.values())
#: Names that are words of a language as well.
_NAMES = frozenset[str]().union(*(each.names for each in _SPEECH))
_DATE = r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}"
_TIME = r"\d{1,2}(?:[:.]|h)\d{2}(?:[:.]\d{2}(?:[.,]\d{1,3})?)?(?:\s?[ap]\.?\s?m\b\.?)?(?: uhr)?"
_MOMENT = rf"(?:{_DATE}|{_TIME})(?:(?:,?\s|,|T)(?:{_DATE}|{_TIME}))?"
_NAME = r"[^\W\d_][^\n:：<>\[\](){}|/]{0,39}|\+\d[\d ()-]{6,20}"
_MARKS = r"[\s>*_•~@-]{0,8}"
#: ``[10:32] Kim: …``, ``12.03.24, 10:32 - Kim: …``, ``10:32 <Kim> …``.
_TIMED = re.compile(
    rf"{_MARKS}[\[(]?{_MOMENT}[\])]?\s?[-–—]?\s?[*_~@]{{0,3}}"
    rf"(?:<(?P<nick>[^<>\n]{{1,40}})>|\[(?P<boxed>[^\[\]\n]{{1,40}})\]|"
    rf"(?P<name>{_NAME})[*_ ]{{0,3}}[:：])(?!\d)[*_]{{0,2}}",
    re.IGNORECASE,
)
#: ``[10:32] Kim`` alone on its line.
_TIME_ABOVE = re.compile(
    rf"{_MARKS}[\[(]{_MOMENT}[\])]\s?[*_]{{0,3}}(?P<name>{_NAME})$", re.IGNORECASE
)
#: Today and yesterday.
_DAYS = frozenset(
    word
    for known in VOCABULARIES.values()
    for word, distance in known.times.days.items()
    if distance in (0, -1) and " " not in word
)
#: ``Kim 10:32 AM`` and ``Kim — Today at 10:32`` alone on their line, ``Kim (10:32): …``.
_NAMED = re.compile(
    rf"{_MARKS}(?P<name>[^\W\d_][\w.'’ -]{{0,39}}?)[*_]{{0,3}}\s{{0,3}}"
    r"(?:[,–—•·|-]\s{0,2}(?:[^\W\d_]{2,12},?\s(?:[^\W\d_]{1,4}\s){0,2})?|"
    rf"(?:{'|'.join(each.at for each in _SPEECH)}|@)\s|"
    rf"(?:{'|'.join(sorted(_DAYS))}),?\s(?:[^\W\d_]{{1,4}}\s){{0,2}})?"
    rf"[\[(]?{_MOMENT}[\])]?\s?(?:[:：][*_]{{0,2}}(?P<said>\s?\S)|[:：]?\s{{0,4}}$)",
    re.IGNORECASE,
)
#: ``<Kim> …``.
_NICK = re.compile(rf"{_MARKS}<(?P<nick>[^<>/\n]{{1,40}})>\s?(?=\S)")
#: ``Kim: …``.
_LABEL = re.compile(
    rf"{_MARKS}[\[(]?(?P<name>[^\W\d_][\w.'’& -]{{0,39}}?)(?:,?\s[(]?\d{{1,3}}[)]?)?"
    r"[*_\])]{0,3}\s?[:：][*_]{0,2}(?=\s|$)"
)
#: ``[Kim] …``, ``Kim → …``.
_MARKED = re.compile(
    rf"{_MARKS}(?:\[(?P<marked>[^\W\d_][\w.'’ -]{{0,39}})\]|"
    r"(?P<name>[^\W\d_][\w.'’-]{0,39})\s?(?:→|⇒|➜|➔|»|>{1,2}|[=-]>))\s(?=\S)"
)
#: ``Kim - …``.
_DASHED = re.compile(rf"{_MARKS}(?P<name>[^\W\d_][\w.'’ ]{{0,39}}?)\s[-–—]\s(?=\S)")
#: ``Kim`` alone on its line.
_ALONE = re.compile(r"[*_]{0,3}(?P<name>[^\W\d_][\w.'’ -]{0,29})[*_]{0,3}\s{0,4}$")
#: ``10:32 AM`` alone on the line below a name.
_TIME_BELOW = re.compile(rf"{_MARKS}[\[(]?{_MOMENT}[\])]?\s{{0,4}}$", re.IGNORECASE)
#: No label is in it.
PLAIN = re.compile(r"[^\n:：<>\[→⇒➜➔»]*")
BLANK = re.compile(r"\n[ \t]{0,20}\r?\n")
_NUMBER = re.compile(r"[\s_#-]{0,2}\d{1,3}$")
#: Endings of nouns that are no names.
_NOUN = re.compile(
    r"[^\W\d_]{4,30}(?:tion|sion|ness|ship|ment|ung|heit|keit|schaft|zione|ción|ção|miento|mento|"
    r"idad|dade|ità)s?",
    re.IGNORECASE,
)
_PARTICLES = frozenset("von van de da di del della der den du la le al bin y e el dos das".split())
_TAGS = frozenset("a b i u p s br hr li ul ol em strong code pre div span html body table".split())


class _Evidence(IntEnum):
    """How surely a label is the name of a speaker."""

    #: A name before a dash, or alone above its line: only if another person has a line, too.
    BARE = -1
    #: Only if other lines have labels, too, or the line itself speaks.
    WEAK = 0
    #: A time, or a word for a part in a talk, stands there.
    STRONG = 1


@dataclass(frozen=True)
class _Label:
    """The label of a line."""

    start: int
    #: Where the words begin.
    end: int
    #: In small letters.
    name: str
    evidence: _Evidence
    has_capital: bool = True


def labelled(text: str, author: str) -> Iterator[tuple[int, int]]:
    """Return where others than the *author* of *text* speak in labelled lines, and the labels of
    the author's own.
    """
    labels = _speakers(text, author)
    for at, label in enumerate(labels):
        is_last = at == len(labels) - 1
        blank = BLANK.search(text, label.end + 1) if is_last else None
        end = labels[at + 1].start if not is_last else blank.start() if blank else len(text)
        yield label.start, label.end if _is_own(label.name, author) else end


def _speakers(text: str, author: str) -> list[_Label]:
    """The labels of *text*, if they show that people speak."""
    labels, said = list[_Label](), list[str]()
    lines = list(lines_of(text))
    for at, (start, line) in enumerate(lines):
        following = lines[at + 1][1] if at + 1 < len(lines) else ""
        if at and _TIME_BELOW.match(line) and following.strip():
            above, name = lines[at - 1]
            if name.strip() and name[:1].isupper() and _is_name(name, is_timed=True):
                end = start + len(line)
                labels.append(_Label(above, end, _plain(name), _Evidence.STRONG))
                said.append(following)
                continue
        is_first = not at or not lines[at - 1][1].strip()
        label = _label_of(line, start, following) or _bare_label(
            line, start, following, is_first=is_first
        )
        if label:
            labels.append(label)
            said.append(line[label.end - start :] or following)
    if not _is_talk_of_two(labels, said):
        kept = [label.evidence is not _Evidence.BARE for label in labels]
        labels, said = list(compress(labels, kept)), list(compress(said, kept))
    if all(label.evidence is not _Evidence.WEAK for label in labels):
        return labels
    talking = list(map(talks, said))
    is_talk = any(label.evidence is _Evidence.STRONG for label in labels) or (
        len(labels) > 1
        and (any(talking) or any(each.rstrip().endswith(("?", "!")) for each in said))
    )
    if len(labels) > 1 and any(_is_own(label.name, author) for label in labels):
        return labels
    if is_talk:
        return labels
    # "User: …" alone is how a client labels what its user says.
    return [
        label
        for label, talk in zip(labels, talking, strict=True)
        if talk and label.has_capital and label.name not in USERS
    ]


def _bare_label(line: str, start: int, following: str, *, is_first: bool) -> _Label | None:
    """The name that stands before a dash in *line*, or alone on it above the *following* one, where
    it is the first of its paragraph.
    """
    found = _DASHED.match(line)
    if not found and is_first and following.strip():
        found = _ALONE.match(line)
    if not found or not found["name"][0].isupper() or not _is_name(found["name"], is_timed=False):
        return None
    return _Label(start, start + found.end(), _plain(found["name"]), _Evidence.BARE)


def _is_talk_of_two(labels: list[_Label], said: list[str]) -> bool:
    """True if the bare labels are of people, by what these say."""
    bare = [
        (label.name, text)
        for label, text in zip(labels, said, strict=True)
        if label.evidence is _Evidence.BARE
    ]
    return len({name for name, _ in bare}) > 1 and any(talks(text) for _, text in bare)


def talks(text: str) -> bool:
    """True if *text* begins as people talk about themselves, and with each other."""
    return not _TALKING.isdisjoint(words(text[:_MAX_BEGINNING])[:_MAX_WORDS_BEFORE])


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """The lines of *text* with where they begin; a long one is cut."""
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, line[:MAX_LINE_CHARACTERS].rstrip("\r\n")
        start += len(line)


def _label_of(line: str, start: int, following: str) -> _Label | None:
    """The label that begins *line*; one alone on its line is for the *following* one."""
    if PLAIN.fullmatch(line):
        return None
    for pattern in (_TIMED, _TIME_ABOVE, _NAMED, _NICK):
        if found := pattern.match(line):
            groups = found.groupdict()
            name = groups.get("nick") or groups.get("boxed") or groups.get("name") or ""
            is_above = found.end() == len(line.rstrip()) and not groups.get("said")
            if pattern is _NICK and (name.casefold() in _TAGS or "</" in line):
                continue
            if not _is_name(name, is_timed=True) or (is_above and not following.strip()):
                continue
            end = found.start("said") if groups.get("said") else found.end()
            return _Label(start, start + end, _plain(name), _Evidence.STRONG)
    if found := _LABEL.match(line) or _MARKED.match(line):
        name = (found.groupdict().get("marked") or found["name"]).strip()
        if _is_name(name, is_timed=False, said=line[found.end() :].strip() or following):
            number = _NUMBER.search(name)
            is_part = _plain(name[: number.start()] if number else name) in _PARTS
            strong = is_part and (bool(number) or len(_plain(name)) > 1)
            evidence = _Evidence.STRONG if strong and number else _Evidence.WEAK
            return _Label(start, start + found.end(), _plain(name), evidence, name[0].isupper())
    return None


def _is_name(name: str, *, is_timed: bool, said: str = "") -> bool:
    """True if *name* may be one: no heading, no time, no sentence, and no little word of the
    language of what is *said* behind it.
    """
    number = _NUMBER.search(name)
    found = (name[: number.start()] if number else name).split()
    folded = [each.strip(".,'’&*_").casefold() for each in found]
    if not found:
        return is_timed or bool(number)
    if len(found) > MAX_NAME_WORDS or not HEADINGS.isdisjoint(folded):
        return False
    if len(found) == 1:
        word = folded[0]
        if word in _MINE or word in _PARTS:
            return True
        return not _is_little(word, said) and not _NOUN.fullmatch(word)
    return all(
        each[0].isupper() or not each[0].isalpha() or part in _PARTICLES or part in _PARTS
        for each, part in zip(found, folded, strict=True)
    ) and not _NOUN.fullmatch(folded[-1])


def _is_little(word: str, said: str) -> bool:
    """True if *word* is a little word, as far as what is *said* tells the language, and no name."""
    if word in _NAMES or not is_function_word(word):
        return False
    spoken = set(words(said[:_MAX_BEGINNING])[:_MAX_WORDS_BEFORE])
    told = [name for name, talking in _TALKING_IN.items() if not talking.isdisjoint(spoken)]
    return not told or any(word in FUNCTION_WORDS[name] for name in told)


def _plain(name: str) -> str:
    return " ".join(name.strip(" *_~@").casefold().split())


def _is_own(name: str, author: str) -> bool:
    """True if *name* is a word for oneself, or the name of the *author* or the first of it."""
    own = _plain(author)
    return name in _MINE or bool(own and (name == own or name in (own.split()[0],)))
