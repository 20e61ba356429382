"""Questions, and commands to an assistant, which are no facts; standing wishes are. Pure."""

import re

from memoryapp.language.denials import is_denial
from memoryapp.language.vocabularies import COMMANDS
from memoryapp.policy.gate.imperatives import is_named
from memoryapp.policy.gate.words import Token, normalised, words_of
from memoryapp.policy.request_words import TASK_VERBS

#: Verbs of requests for one answer.
_REQUESTS = TASK_VERBS | COMMANDS.requests
_POLITELY = re.compile(rf"^(?:{COMMANDS.politely})\s")
_FORMS_OF_ADDRESS = re.compile(rf"\b(?:{COMMANDS.forms_of_address})\b")
_STANDING_PHRASES = re.compile(rf"\b(?:{COMMANDS.standing_phrases})\b")
#: What nobody wishes of a conversation: rules, secrets, addresses, other people's doings.
_NO_MANNERS = re.compile(rf"https?:|www\.|@\w|\.(?:com|net|org|io)\b|\b(?:{COMMANDS.no_manners})\b")
_TO_ASSISTANT = re.compile(rf"\b(?:{COMMANDS.to_assistant})")
_TAGS = re.compile(r"</?(?:system|user|assistant|instructions?|memory|tool)\b|\[/?INST\]|<\|")
_REPORTED_QUESTION = re.compile(rf"(?:{COMMANDS.reported_question})", re.IGNORECASE)
#: Stands behind an article as well, before the verb of a command: "in the future".
_AFTER_ARTICLE = frozenset({"future"})


def is_question(text: str) -> bool:
    """True if *text* asks, or reports a question, instead of stating something."""
    plain = normalised(text).strip().rstrip("\"'”»)] ")
    if _REPORTED_QUESTION.match(plain):
        return True
    if plain.endswith(("?", "？", "؟", ";;")) or plain.startswith("¿"):
        return True
    words = words_of(plain)[:3]
    if len(words) < 2:
        return False
    first, second = words[0].bare, words[1].bare
    if first in COMMANDS.auxiliaries and second in COMMANDS.subjects:
        return True
    return first in COMMANDS.question_words and second in COMMANDS.auxiliaries | COMMANDS.asked


def is_request(text: str) -> bool:
    """True if a person asks for one answer with *text*. What they want noted, or never want, is no
    such request: that tells what is so, or what they like.
    """
    words = words_of(text)
    verb = _verb(words)
    return (
        verb in _REQUESTS
        and not _has_subject(words, verb)
        and not any(is_denial(word.bare) for word in words)
    )


def is_standing_wish(text: str) -> bool:
    """True if *text* asks, in whatever form, how the speaker wants to be spoken to from now on."""
    plain = normalised(text).casefold()
    words = words_of(_POLITELY.sub("", plain))
    return _is_standing_wish(plain, words, _verb(words))


def is_command(text: str) -> bool:
    """True if *text* tells an assistant what to do, once or about its rules. How a person wants to
    be spoken to, always, is no command: that is a preference.
    """
    plain = normalised(text).casefold()
    words = words_of(plain)
    if not words:
        return False
    if _TAGS.search(plain):
        return True
    if told := _TO_ASSISTANT.search(plain):
        verb = _verb(words_of(plain[told.end() :])) or _verb(words)
    else:
        verb = _verb(words)
        if verb not in COMMANDS.commands or _has_subject(words, verb):
            return False
    return not _is_standing_wish(plain, words, verb)


def addresses_assistant(text: str) -> bool:
    """True if *text* seems to tell an assistant what to do or how to be: commands, and standing
    wishes too.
    """
    plain = normalised(text).casefold()
    if _TAGS.search(plain) or _TO_ASSISTANT.search(plain) or _FORMS_OF_ADDRESS.search(plain):
        return True
    words = words_of(_POLITELY.sub("", plain))
    verb = _verb(words)
    return verb in COMMANDS.commands | COMMANDS.manners and not _has_subject(words, verb)


def _verb(words: list[Token]) -> str:
    """The first word that a command may be about."""
    for word, following in zip(words, [*words[1:], None], strict=False):
        # "The order was shipped" is no order, but "in the future" stands before one.
        if word.bare == "the" and not (following and following.bare in _AFTER_ARTICLE):
            return ""
        if word.bare not in COMMANDS.fillers:
            return word.bare
    return ""


def _has_subject(words: list[Token], verb: str) -> bool:
    """True if what looks like a command is what the sentence is about."""
    return is_named(words, next(place for place, word in enumerate(words) if word.bare == verb))


def _is_standing_wish(plain: str, words: list[Token], verb: str) -> bool:
    if _NO_MANNERS.search(plain):
        return False
    if _FORMS_OF_ADDRESS.search(plain):
        return True
    said = {word.bare for word in words}
    standing = bool(said & COMMANDS.standing) or bool(_STANDING_PHRASES.search(plain))
    return (standing and verb in COMMANDS.manners) or (
        bool(said & COMMANDS.style) and verb in COMMANDS.talk
    )
