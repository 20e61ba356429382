"""Decides what waits for a person before it is believed. Pure.

What comes from below the user's own words is held if it speaks to the assistant, states a login or
an official number, or disputes what a higher tier has said. Here a doubt is enough: a person looks
at it, and nothing is lost.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from memoryapp.policy.dedup import Neighbour
from memoryapp.policy.fact_signature import FactSignature, fact_signature, has_opposite
from memoryapp.policy.gate.imperatives import is_named
from memoryapp.policy.gate.negations import polarity_of
from memoryapp.policy.gate.requests import addresses_assistant, is_question
from memoryapp.policy.gate.words import is_little, stem, words_of
from memoryapp.policy.injection import frames_a_prompt, sets_a_rule
from memoryapp.policy.normal_form import normalised
from memoryapp.policy.statement_change import single_change
from memoryapp.policy.word_lists import USERS

#: Characters of a statement that are looked at.
MAX_CHARACTERS = 4_000


class ReviewReason(StrEnum):
    """Why a statement waits for review."""

    #: It tells the assistant what to do or to be, asks it something, or sends it somewhere.
    INSTRUCTION = "instruction"
    #: It states a login, or the number by which an office knows a person, which no policy redacts.
    SECRET = "secret"  # noqa: S105 — the name of a reason, not one of them
    #: It may contradict what a higher tier has said.
    CONTRADICTION = "contradiction"
    #: Everything of its tier waits.
    TIER = "tier"
    #: It tells of a sensitive area of a person's life; see `memoryapp.policy.sensitivity`.
    SENSITIVE = "sensitive"
    #: It is to be shared with a group; see `memoryapp.trust.sharing`.
    SHARED = "shared"


@dataclass(frozen=True)
class Hold:
    """Why a statement waits, and the memories that it may contradict."""

    reason: ReviewReason
    contradicts: tuple[int, ...] = ()


def hold(text: str, key: str, above: Sequence[Neighbour], disputed: Collection[int]) -> Hold | None:
    """Return why *text*, which may have a *key*, waits for a person; None if it does not.

    *above* are the nearest memories of higher tiers, *disputed* the ids of those that it
    contradicts for sure.
    """
    found = [near.id for near in above if near.id not in disputed and disputes(text, near)]
    contradicted = (*disputed, *found)
    if speaks_to_assistant(text, key):
        return Hold(ReviewReason.INSTRUCTION, contradicted)
    if states_secret(text):
        return Hold(ReviewReason.SECRET, contradicted)
    return Hold(ReviewReason.CONTRADICTION, contradicted) if contradicted else None


#: Keys that describe the assistant and not a person.
_ASSISTANTS_KEYS = re.compile(
    r"(?:agent|assistant|system|security|identity|permissions?|capabilit\w{1,3}|instructions?|"
    r"prompt|policy|policies|rules?|tools?|admin|override|guardrails?)(?:_|$)"
)
#: Tasks that requests begin with, besides the commands of the gate.
_TASKS = frozenset(
    "develop break build brainstorm outline elaborate discuss design invent illustrate narrate "
    "simplify shorten expand critique justify predict classify categorise categorize teach quiz "
    "mail message phone pay buy wire grant approve accept deny publish refund deploy escalate "
    "roleplay role-play paint sketch code program refactor review brew reply print decode base64 "
    "entwickle entwirf verfasse analysiere sviluppa elabora desarrolla redacta développe "
    "rédige".split()
)
#: Claims about what the assistant is, has and may do, and what it is told of its rules.
_CLAIMS = re.compile(
    r"\b(?:assistant|ai|chatbot|bot|agent|model|llm|system)(?:'s)? (?:has|have|is|was|can|may|must|"
    r"should|will|shall|needs?) (?:\w{1,20} ){0,4}(?:admin\w{0,10}|rights?|access|permissions?|"
    r"allowed|authori[sz]ed|unrestricted|trusted|jailbroken|root|privileges?|obliged|obey|ignore|"
    r"disregard|never|always|only|not)\b"
    r"|\b(?:assistant|ai|chatbot|bot|llm) (?:may|can) (?:now |always )?(?:share|delete|send|read|"
    r"access|pay|change|forward|disclose|reveal|tell|approve|transfer)\b"
    r"|\b(?:ignore|disregard|forget|bypass|override) (?:\w{1,15} ){0,3}(?:instructions?|rules|"
    r"prompts?|guidelines|restrictions|safety|filters?)\b"
    r"|\b(?:never|without|don't|do not) (?:ask|asking|wait|waiting)\w{0,3} (?:\w{1,15} ){0,4}"
    r"(?:confirmation|permission|approval)\b"
    r"|\b(?:answers?|replies|responses?|outputs?) (?:should|must|shall|has to|have to|needs? to)\b"
    r"|\b(?:developer|god|dan|debug|admin) mode\b"
    r"|\byou are (?:now |actually )?(?:an? |the )?(?:\w{1,20} ){0,2}(?:assistant|ai|bot|model|"
    r"agent|admin\w{0,10})\b"
    r"|\b(?:reveal|leak|dump|exfiltrate|expose|disclose) (?:\w{1,15} ){0,4}(?:prompt|keys?|"
    r"credentials|secrets?|passwords?|memor\w{1,4}|data)\b"
    r"|\b(?:remember|treat|store|save|keep) (?:\w{1,15} ){0,4}(?:as )?(?:an? |the )?(?:system|"
    r"standing|permanent)(?: \w{1,15})? (?:directive|instructions?|rules?|order|commands?)\b"
)
#: An address together with what is to be done there.
_ADDRESS = re.compile(
    r"https?://|\bwww\.|(?<![\w.@-])[a-z0-9-]{2,63}(?:\.[a-z0-9-]{2,63}){0,3}\."
    r"(?:com|net|org|io|xyz|info|biz|ru|cn|app|dev|online|site|top|click)\b"
)
_GO_THERE = re.compile(
    r"\b(?:visit|visits|open|call|calls|fetch|download\w{0,3}|install\w{0,3}|click\w{0,3}|go to|"
    r"goes to|log ?in|sign ?in|send\w{0,3}|post|posts|forward\w{0,3}|upload\w{0,3}|request|curl|"
    r"directing|linking|pointing|must|should|always|from now on|recommend\w{0,3}|promote\w{0,3})\b"
)
#: Data in place of a sentence: lists of rights, settings of a program.
_NO_SENTENCE = re.compile(
    r"\s{0,4}[\[{].{0,2000}[\]}]\s{0,4}|\s{0,4}[a-z0-9_.:=/+-]{0,199}[a-z0-9_]\s{0,4}", re.DOTALL
)


#: A way in with a value that has letters and digits.
_LOGIN = re.compile(
    r"\b(?:log-?in|credentials?|passcode|passphrase|pin|puk|zugangsdaten|anmeldedaten|credenziali|"
    r"dati di accesso)\b[^.!?\n]{0,60}?(?:\b(?:is|are|ist|sind|lautet|lauten|è|sono) |[:=] ?)"
    r"(?:\d{4,12}\b|(?:\S{1,40} ){0,2}(?=\S{6})(?:[^\W\d]\S{0,40}?\d|\d\S{0,40}?[^\W\d]))"
)
#: A number by which an office knows a person.
_OFFICIAL_NUMBER = re.compile(
    r"\b(?:passport|identity card|id card|driving licen[cs]e|social security|national insurance|"
    r"tax|reisepass|ausweis|personalausweis|führerschein|steuer|codice fiscale|passaporto|"
    r"carta d'identità|patente)(?:[ -]?(?:number|no\.?|id|nummer)| numero)?\b[^.!?\n\d]{0,40}?"
    r"(?:\b(?:is|ist|lautet|è) |[:=] ?)(?=[a-z\d]{0,9}\d)[a-z\d]{2,20}\d"
    r"|\b(?:sozialversicherungs|ausweis|reisepass|steuer(?:identifikations)?|führerschein)nummer\b"
    r"[^.!?\n\d]{0,40}\d{2}"
)


def states_secret(text: str) -> bool:
    """True if *text* states a secret that is not redacted: a login, an official number."""
    plain = normalised(text[:MAX_CHARACTERS]).casefold()
    return bool(_LOGIN.search(plain) or _OFFICIAL_NUMBER.search(plain))


def speaks_to_assistant(text: str, key: str = "") -> bool:
    """True if *text* instructs or asks the assistant, claims something about what it is or may do,
    sends it to an address, or is no sentence at all.
    """
    plain = normalised(text[:MAX_CHARACTERS]).casefold()
    if key and _ASSISTANTS_KEYS.match(key):
        return True
    if frames_a_prompt(plain) or sets_a_rule(plain):
        return True
    if _CLAIMS.search(plain) or (_ADDRESS.search(plain) and _GO_THERE.search(plain)):
        return True
    if _NO_SENTENCE.fullmatch(plain):
        return True
    # A long text is a mail or a page, whose requests are to its reader.
    if len(plain) > LONG_TEXT:
        return False
    words = words_of(plain)
    return (
        is_question(text)
        or _is_standing_order(plain)
        or addresses_assistant(text)
        or (bool(words) and words[0].bare in _TASKS and not is_named(words, 0))
    )


#: What a note begins with: "Note: …", "For Ana's assistant: …".
_LABELLED = re.compile(r"[^:.!?\n]{1,40}: ?")
#: What makes a note an order for good, or one about the user, and not something to do.
_FOR_GOOD = frozenset(
    "always never every whenever immer nie niemals stets künftig sempre mai ogni siempre nunca "
    "toujours jamais".split()
)


def _is_standing_order(plain: str) -> bool:
    """True if *plain* is a note with an order for good, or one about the user, behind its label."""
    label = _LABELLED.match(plain)
    order = plain[label.end() :] if label else ""
    return not _folded(order).isdisjoint(_FOR_GOOD | USERS) and addresses_assistant(order)


#: Characters from which a text is a document rather than a statement.
LONG_TEXT = 500

#: Words by which something has ended or become something else.
_ENDED = frozenset(
    "longer anymore former formerly previously cancelled canceled dismissed fired quit sold died "
    "dead moved changed renamed replaced raised increased reduced lowered stopped ended expired "
    "mistake mistaken wrong error incorrect false gone nicht mehr keine ehemalig gekündigt "
    "verkauft gestorben umgezogen geändert".split()
)


def disputes(text: str, near: Neighbour) -> bool:
    """True if *text* may contradict *near*, which is about the same thing: it has another value,
    another negation, an opposite word, or says that something has ended.
    """
    old = near.content
    if near.similarity < SAME_SUBJECT or len(text) > LONG_TEXT:
        return False
    if single_change(text, old):
        return True
    ours, theirs = fact_signature(text, old), fact_signature(old, text)
    topics, of_old = topics_of(text), topics_of(old)
    shared = topics & of_old
    about_user = _about_user(text) and _about_user(old)
    if not shared or not (about_user or set(ours.names) & set(theirs.names)):
        return False
    if ours.negations != theirs.negations or has_opposite(text, old):
        return True
    if _denies(text, old) or _ENDED & _folded(text) - _folded(old):
        return True
    things = shared - {stem(name) for name in theirs.names}
    if len(things) >= MIN_SHARED and near.similarity >= SAME_MATTER and _differ(topics, of_old):
        return True
    return any(map(_differ, _values(ours), _values(theirs)))


#: Similarity below which two statements are about different things, and from which they are about
#: the same, if they share so many words besides names.
SAME_SUBJECT = 0.45
SAME_MATTER, MIN_SHARED = 0.6, 2
#: Characters of a name; a shorter one is a code.
MIN_NAME = 3


def _differ(ours: Collection[str], theirs: Collection[str]) -> bool:
    """True if each has something that the other lacks."""
    return bool(set(ours) - set(theirs)) and bool(set(theirs) - set(ours))


def _values(signature: FactSignature) -> tuple[set[str], set[str]]:
    """Names; and numbers with codes such as a blood type."""
    codes = {name for name in signature.names if len(name) < MIN_NAME}
    return set(signature.names) - codes, {
        *codes,
        *signature.numbers,
        *signature.qualifiers,
        *signature.times,
    }


def _denies(text: str, old: str) -> bool:
    """True if one denies a word that the other affirms."""
    ours, theirs = polarity_of(words_of(text)), polarity_of(words_of(old))
    denied = set(ours.denied) & set(theirs.affirmed) | set(ours.affirmed) & set(theirs.denied)
    return bool(denied & topics_of(text))


def topics_of(text: str) -> set[str]:
    """The stems of what *text* is about, but for the user."""
    return {
        stem(word.bare)
        for word in words_of(text)
        if not is_little(word) and not word.is_number and word.bare not in USERS
    }


def shared_topics(ours: set[str], theirs: set[str]) -> float:
    """The share of the topics of the shorter text that both have, 0 to 1."""
    return len(ours & theirs) / max(1, min(len(ours), len(theirs)))


def _about_user(text: str) -> bool:
    return not USERS.isdisjoint(_folded(text))


def _folded(text: str) -> set[str]:
    return {word.bare for word in words_of(text)}
