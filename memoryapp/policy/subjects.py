"""Tells whether two sentences are about different people, or the relatives of one. Pure."""

import re
from functools import lru_cache

from memoryapp.policy.fact_signature import has_no_case, people_of, subject_of, words_of
from memoryapp.policy.normal_form import normalised
from memoryapp.policy.word_lists import ARTICLES, COMPANY, KIN, PLACING, USERS

_RELATIVES = "|".join(KIN)
#: Ana's younger sister, Ana's sister's dog; the sister of Ana. No word is longer than 60 letters.
_CHAIN = re.compile(
    r"(?<![^\W\d_])(?P<owner>[^\W\d_]{1,60}+)'s?"
    r"(?P<kin>(?: (?!(?:\w{1,60}ing|and|is|has|was|her|his|their|the|an?)\b)"
    rf"[\w-]{{1,60}}+){{0,2}}? (?:{_RELATIVES})\b(?:'s? (?:\w{{1,60}}+ )?(?:{_RELATIVES})\b)*)"
    rf"|\b(?P<kin2>{_RELATIVES}) of (?:the )?(?P<owner2>[^\W\d_]{{1,60}})",
    re.IGNORECASE,
)


def about_someone_else(one: str, other: str) -> bool:
    """True if the two are about different people.

    "Ana moved to Lyon" and "Ben moved to Lyon" are two facts; "The user's manager is Ana" and
    "The user's manager is Ben" are two versions of one. In languages that put the subject first,
    word order tells them apart: the differing person opens the sentence, or the same words follow
    them. People are names, the user, and relatives such as "sister". At the end of a sentence, a
    person counts who took part ("painted by Ana", "went with Ana"), or if no other is named.

    "Ana is a nurse" and "Ana's sister is a nurse" are about two people as well. In scripts without
    capitals, the texts must differ within their first two characters.
    """
    ours, theirs = words_of(one), words_of(other)
    our_people, their_people = people_of(one), people_of(other)
    ours_only, theirs_only = (
        set(our_people) - set(their_people),
        set(their_people) - set(our_people),
    )
    if _about_a_relative(one, other):
        return True
    if not (ours_only and theirs_only):
        return False
    if all(has_no_case(name) for name in ours_only | theirs_only):
        return "".join(ours)[:2] != "".join(theirs)[:2]
    our_subject, their_subject = subject_of(ours), subject_of(theirs)
    if our_subject and their_subject and our_subject != their_subject:
        return True
    shared_tail = 0
    for mine, yours in zip(reversed(ours), reversed(theirs), strict=False):
        if mine.casefold() != yours.casefold():
            break
        shared_tail += 1
    if shared_tail >= 2:
        return True
    before = [
        words[-2 - shared_tail].casefold()
        for words in (ours, theirs)
        if len(words) >= 2 + shared_tail
    ]
    if any(word in COMPANY for word in before):
        return True
    shared = set(our_people) & set(their_people)
    return not shared and not any(word in PLACING for word in before)


def _about_a_relative(one: str, other: str) -> bool:
    """True if one text is about a person and the other about a relative of theirs, or both about
    different relatives. The first relative in each text counts.
    """
    ours, theirs = _relatives(one)[:1], _relatives(other)[:1]
    our_people, their_people = people_of(one), people_of(other)
    owners = {owner for owner, _ in ours + theirs}
    return (
        ours != theirs
        and len(owners) == 1
        and owners <= set(our_people) & set(their_people)
        # "Ana has a brother" is about the same people as "Ana's brother".
        and sorted(our_people) != sorted(their_people)
    )


def opens_with_relative(text: str) -> bool:
    """True if *text* begins with a person's relative, as "Ana's sister lives in Rome" does."""
    text = normalised(text)
    first, _, rest = text.partition(" ")
    if first.casefold() not in ARTICLES:
        return _CHAIN.match(text) is not None
    noun = "".join(words_of(rest)[:1]).casefold()
    return noun in KIN or _CHAIN.match(rest) is not None


@lru_cache(maxsize=2_048)
def _relatives(text: str) -> list[tuple[str, list[str]]]:
    """The relatives in *text*, each as an owner and a chain of relations."""
    relatives = []
    for match in _CHAIN.finditer(normalised(text)):
        owner = (match["owner"] or match["owner2"]).casefold()
        words = re.findall(r"\w+", (match["kin"] or match["kin2"]).casefold())
        kin = [KIN[word] for word in words if word in KIN]
        relatives.append(("user" if owner in USERS else owner, kin))
    return relatives
