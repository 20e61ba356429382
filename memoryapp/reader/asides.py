"""The statements and standing wishes beside a request or a question in one sentence. Pure."""

import re
from collections.abc import Iterator
from itertools import takewhile

from memoryapp.policy.speech import is_own_introduction
from memoryapp.reader.clauses import begins_clause, is_clause
from memoryapp.reader.languages.language import Language
from memoryapp.reader.notes import with_subject
from memoryapp.reader.pronouns import without_pronoun
from memoryapp.reader.sentences import has_question_mark, quotes, wishes, without_opener
from memoryapp.reader.statement import MAX_DESCRIBING, MAX_NAMES, cased_words_of

_ENDS = " ,;:-–—"
#: Speech in single marks: another may say "I" in it.
_SPEECH = re.compile(r"(?<!\w)['‘]\w")


def stated(sentence: str, language: Language) -> list[str]:
    """The statements of *sentence* without what it asks: "I'm allergic to nuts, is pesto safe?".
    Only the sentence if it does not do both, or if it supposes.
    """
    told = _without_reason(sentence, language)
    parts = [
        piece
        for part in language.asking.cut.split(sentence)
        for piece in _before_request(part, language)
    ]
    if len(parts) == 1 and told == sentence and not language.asking.relative.search(sentence):
        return [sentence]
    is_spoken = quotes(sentence) or _SPEECH.search(sentence)
    if len(parts) > 1 and wishes(parts[0], language) and begins_clause(parts[1], language):
        # "Keep your answers short, I read them on the bus".
        return [parts[0].rstrip(_ENDS) + ".", *stated(sentence[len(parts[0]) :].strip(), language)]
    is_wish = wishes(sentence, language)
    if is_spoken or is_wish or language.conditional.search(sentence):
        return [sentence]
    main, of_relative = _of_relative(sentence, language)
    if of_relative:
        beside = [] if _asks(sentence, language) else stated(main, language)
        return [*beside, of_relative]
    if len(parts) == 1:
        # "As" and "since" alone may tell of a time: "Since I moved I sleep badly".
        is_reason = " " in sentence[: -len(told)].strip() and begins_clause(told, language)
        return [told if is_reason else sentence]
    asks = [
        _asks(part, language) and not _goes_on(before, part)
        for before, part in zip(["", *parts], parts, strict=False)
    ]
    if told != sentence and not begins_clause(parts[1], language):
        # "As I am colour-blind, avoid red": the reason of a request, however it asks.
        asks[1] = True
    if not any(asks) and not any(wishes(part, language) for part in parts[1:]):
        return [sentence]
    if found := list(_statements(parts, asks, language)):
        return found
    # "Next week I have my exam, give me ten questions": its subject does not come first.
    before = list(takewhile(lambda part: not language.asking.begins.match(part), parts))
    if len(before) == len(parts) or any(asks[: len(before)]) or not before:
        return [sentence]
    return [" ".join(before).rstrip(_ENDS + ".!") + "."]


def _before_request(part: str, language: Language) -> list[str]:
    """The statement that a request in the same *part* follows, and that: "I'm retired and I need".
    Only the part if there are not both.
    """
    request = language.request.search(part)
    cuts = language.clause.finditer(part, 0, request.start() + 1) if request else ()
    at = max((cut.start() for cut in cuts), default=0)
    if not at or not begins_clause(without_opener(part[:at], language), language):
        return [part]
    return [part[:at], part[at:].lstrip(_ENDS)]


def introduced(sentence: str, language: Language) -> str:
    """Text that *sentence* has behind the colon that its author introduces it with: "I told him:
    …", "Allergies: …"; the whole of it otherwise.
    """
    before, colon, behind = sentence.partition(": ")
    if not colon or language.reminder.match(sentence) or wishes(behind, language):
        return sentence
    if not is_own_introduction(before):
        return sentence
    return behind if begins_clause(without_opener(behind, language), language) else sentence


def _without_reason(text: str, language: Language) -> str:
    """*text* without the word that makes it the reason of something."""
    reason = language.asking.reason.match(text)
    return text[reason.end() :].strip() if reason else text


def _of_relative(sentence: str, language: Language) -> tuple[str, str]:
    """*sentence* without what it tells of a relative whom it names, and that, as a sentence: "a
    gift for my dad, who turns 70". It and an empty string if it tells nothing of one.
    """
    link = language.asking.relative.search(sentence)
    # Without a comma, it tells which one is meant: "I met my friend who is a nurse".
    if not link or not (link[0].startswith(",") or _asks(sentence, language)):
        return sentence, ""
    before = cased_words_of(sentence[: link.start()])
    named = len(before)
    while named and before[named - 1][0].isupper():
        named -= 1
    near = range(max(0, named - MAX_DESCRIBING - 2), named)
    owner = next((at for at in near if before[at].lower() in language.owners), None)
    if owner is None or before[named - 1].lower() not in language.kin:
        return sentence, ""
    told = " ".join([*before[owner:], sentence[link.end() :]])
    told = language.asking.further.sub(r"\g<link> ", told)
    if not is_clause(told, language):
        return sentence, ""
    told, *rest = re.split(r"[?]|,(?= )", told, maxsplit=1)
    main = (sentence[: link.start()] + "".join(rest)).rstrip(_ENDS + ".!") + "."
    return main, told.rstrip(_ENDS + ".!") + "."


def _asks(part: str, language: Language) -> bool:
    if wishes(part, language):
        return False
    told = without_opener(part, language)
    return bool(
        has_question_mark(part)
        # "Come" asks how, and "come insegnante" tells what somebody is.
        or language.question.match(with_subject(told, language))
        or language.request.search(told)
        or language.asking.begins.match(told)
    )


def _goes_on(before: str, part: str) -> bool:
    """True if *part* is the verb of a subject with a name: "my boss, Tom, is …"."""
    names = cased_words_of(before) if before.endswith(",") else []
    is_named = 0 < len(names) <= MAX_NAMES and all(name[0].isupper() for name in names)
    return is_named and not has_question_mark(part)


def _statements(parts: list[str], asks: list[bool], language: Language) -> Iterator[str]:
    """Each stretch of *parts* that begins with a clause of its own, and asks nothing."""
    stretch: list[str] = []
    for at, (part, is_request) in enumerate(zip([*parts, ""], [*asks, True], strict=True)):
        if is_request or wishes(part, language):
            if stretch:
                yield " ".join(stretch).rstrip(_ENDS + ".!") + "."
            stretch = [] if is_request else [part]
        elif stretch:
            stretch.append(part)
        else:
            told = without_opener(part, language)
            noted = with_subject(told, language)
            if noted == told:
                noted = with_subject(_without_reason(told, language) or told, language)
            told = noted
            told = without_pronoun(told, " ".join(parts[:at]), language)
            if begins_clause(told, language):
                stretch.append(told)
