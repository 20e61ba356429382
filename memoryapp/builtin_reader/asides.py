"""The statements and standing wishes beside a request or a question in one sentence. Pure."""

import re
from collections.abc import Iterator

from memoryapp.builtin_reader.clauses import begins_clause
from memoryapp.builtin_reader.languages.language import Language
from memoryapp.builtin_reader.notes import with_subject
from memoryapp.builtin_reader.sentences import quotes, without_opener
from memoryapp.policy.speech import is_own_introduction

_ENDS = " ,;:-–—"
#: Speech in single marks: another may say "I" in it.
_SPEECH = re.compile(r"(?<!\w)['‘]\w")


def stated(sentence: str, language: Language) -> list[str]:
    """The statements of *sentence* without what it asks: "I'm allergic to nuts, is pesto safe?".
    Only the sentence if it does not do both, or if it supposes.
    """
    parts = language.asking.cut.split(sentence)
    is_spoken = quotes(sentence) or _SPEECH.search(sentence)
    is_wish = _wishes(sentence, language)
    if len(parts) == 1 or is_spoken or is_wish or language.conditional.search(sentence):
        return [sentence]
    asks = [_asks(part, language) for part in parts]
    if not any(asks) and not any(_wishes(part, language) for part in parts[1:]):
        return [sentence]
    found = list(_statements(parts, asks, language))
    return found or [sentence]


def introduced(sentence: str, language: Language) -> str:
    """What *sentence* says behind the colon that its author introduces it with: "I told him: …",
    "Allergies: …"; the whole of it otherwise.
    """
    before, colon, behind = sentence.partition(": ")
    if not colon or language.reminder.match(sentence) or _wishes(behind, language):
        return sentence
    if not is_own_introduction(before):
        return sentence
    return behind if begins_clause(without_opener(behind, language), language) else sentence


def _asks(part: str, language: Language) -> bool:
    if _wishes(part, language):
        return False
    told = without_opener(part, language)
    return bool(
        part.rstrip(_ENDS).endswith(("?", "？"))
        or language.question.match(told)
        or language.request.search(told)
        or language.asking.begins.match(told)
    )


def _wishes(part: str, language: Language) -> bool:
    """True if *part* tells how the author always wants to be answered."""
    return bool(language.standing_wish.match(part)) and not part.endswith("?")


def _statements(parts: list[str], asks: list[bool], language: Language) -> Iterator[str]:
    """Each stretch of *parts* that begins with a clause of its own, and asks nothing."""
    stretch: list[str] = []
    for part, is_request in zip([*parts, ""], [*asks, True], strict=True):
        if is_request or _wishes(part, language):
            if stretch:
                yield " ".join(stretch).rstrip(_ENDS + ".!") + "."
            stretch = [] if is_request else [part]
        elif stretch:
            stretch.append(part)
        else:
            told = without_opener(part, language)
            reason = language.asking.reason.match(told)
            told = told[reason.end() :].strip() if reason else told
            told = with_subject(told, language)
            if begins_clause(told, language):
                stretch.append(told)
