"""Sentences of what an author notes without a subject, a verb or an apostrophe. Pure."""

import re
from collections.abc import Iterator, Sequence

from memoryapp.reader.languages.accents import with_accents
from memoryapp.reader.languages.language import Language
from memoryapp.reader.languages.notes import Rule, Spelling
from memoryapp.reader.sentences import has_question_mark, without_opener
from memoryapp.reader.statement import split_words, words_of

#: Words of a note that tells what somebody is, behind their name.
_MAX_PART = 9
#: Words within which a sentence tells that it has a subject of its own.
_MAX_BEFORE = 6
_END = " .!"
#: An age behind a name.
_AGED = re.compile(r", \d\d(?!\d)")


def completed(sentence: str, language: Language, *, opens: bool = True) -> list[str]:
    """The sentences that *sentence*, in full spelling, stands for: "I'm Ana, 34, nurse from Lyon"
    for three. Only the sentence if it is none of a note. A name without more is the author's only
    where it *opens* a message: behind another sentence, it may be that of whom the sentence names.
    """
    told = without_opener(sentence, language)
    introduced = language.notes.name.match(told)
    if introduced and _is_of_author(introduced, language, opens=opens):
        return list(_introduced(told, introduced.end(), introduced.groupdict(), language))
    return [with_subject(sentence, language)]


def _is_of_author(introduced: re.Match[str], language: Language, *, opens: bool) -> bool:
    """True if the name that was *introduced* is the author's: that of "Name: Ana, 34" is, that of
    "Name: Sirocco, like the wind" may be of anything.
    """
    if introduced["alone"]:
        return opens
    is_label = ":" in introduced[0] and language.first_person.isdisjoint(words_of(introduced[0]))
    rest = introduced.string[introduced.end() :].strip(_END)
    return not is_label or not rest or bool(_AGED.match(rest))


def with_subject(sentence: str, language: Language) -> str:
    """*sentence*, with its subject and verb if it is a note without."""
    if has_question_mark(sentence):
        return sentence
    told = without_opener(sentence, language)
    reason = language.asking.reason.match(told)
    clause = language.clause.split(told[reason.end() :] if reason else told, maxsplit=1)[0]
    first = split_words(words_of(clause)[:_MAX_BEFORE])
    is_owned = first[:1] and first[0] in language.owners
    if is_owned or not (language.subjects - language.owners).isdisjoint(first):
        return sentence
    # Of "ITV", no letter is small.
    begins = told[:1] if told[:2].isupper() else told[:1].lower()
    return _made(begins + told[1:], language.notes.completions) or sentence


def spelled(sentence: str, language: Language) -> str:
    """*sentence* in full spelling, with its clauses in the usual order."""
    if language.notes.accents:
        sentence = with_accents(sentence, language.notes.accents)
    sentence = _respelled(sentence, language.notes.order)
    told = without_opener(sentence, language)
    opener = sentence[: len(sentence) - len(told)]
    return opener + _respelled(told, language.notes.spelling)


def _respelled(text: str, spellings: Sequence[Spelling]) -> str:
    small = text.lower()
    for spelling in spellings:
        if spelling.small.search(small):
            text = spelling.pattern.sub(spelling.whole, text)
            small = text.lower()
    return text


def _made(text: str, rules: Sequence[Rule]) -> str:
    """*text* as a sentence by the first of *rules* that it begins with; empty if there is none."""
    for rule in rules:
        if found := rule.pattern.match(text):
            made = found.expand(rule.whole)
            if rule.is_noun:
                before, noun = made.split(found[1], 1)
                made = before + found[1][0].upper() + found[1][1:] + noun
            return made + text[found.end() :]
    return ""


def _introduced(
    text: str, end: int, named: dict[str, str | None], language: Language
) -> Iterator[str]:
    """Sentences that *text* tells behind the name that ends at *end*."""
    notes = language.notes
    name = notes.named.format(named.get("name") or named.get("alone"))
    if text[end:].strip(_END) and text[end] != ",":
        yield name + text[end:]
        return
    yield f"{name}."
    parts = [without_opener(part.strip(), language) for part in text[end:].split(",")]
    while parts and _is_part(parts[0], language):
        part = parts.pop(0).rstrip(_END)
        if part.isdecimal():
            yield notes.aged.format(part) + "."
        elif part:
            yield (_made(part, notes.being) or part) + "."
    rest = ", ".join(parts).strip(" ,")
    if rest.strip(_END):
        yield rest


def _is_part(part: str, language: Language) -> bool:
    words = split_words(words_of(part))
    return len(words) <= _MAX_PART and language.first_person.isdisjoint(words)
