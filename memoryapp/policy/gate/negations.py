"""Negations: the thoughts that a sentence denies, and those that it affirms. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from memoryapp.language.denials import DENYING, DENYING_VERBS, is_denial
from memoryapp.language.vocabularies import JOINING
from memoryapp.policy.gate.words import Token, is_little, is_small, stem

_OF_ONE_THING = frozenset[str]().union(*(each.of_one_thing for each in DENYING))
_BACKWARD = frozenset[str]().union(*(each.backward for each in DENYING))
_YET = frozenset[str]().union(*(each.yet for each in DENYING))
_ENOUGH = frozenset[str]().union(*(each.enough for each in DENYING))
_NEGATIVE_SENSE = DENYING_VERBS.union(*(each.in_sense for each in DENYING))
#: Denials that deny nothing, by what follows them.
_IDLE = {
    "can't": "wait believe get help imagine thank deny stop say beat",
    "cannot": "wait believe help imagine deny",
    "couldn't": "agree be ask have help wait",
    "don't": "worry forget you mention know hesitate they we",
    "never": "forget fails fail gets know mind",
    "not": "only just sure bad so forget",
    # Before a subject, it answers: "no it's my first time".
    "no": "worries problem doubt matter wonder way kidding need i i'm i've it its it's we he she "
    "they you my that's",
    "nothing": "but beats like better",
    "doesn't": "it he she matter hurt",
    "isn't": "it he she that",
    "aren't": "they you we",
    "won't": "you regret believe",
    "non": "stop",
    "wouldn't": "miss trade have",
    "didn't": "you",
    "haven't": "you",
    "why": "not",
    "without": "doubt a",
}
_IDLE_PAIRS = frozenset(
    (first, second) for first, words in _IDLE.items() for second in words.split()
)

#: Thoughts before a denial that names nothing to which it may point.
REACH = 8
#: How many words a denial of one thing denies: "without sugar", "no interest in cars".
_ONE_REACH = 2
_BEING = frozenset("am is are was were be been being get gets got getting".split())
_SHORT_BEING = ("'m", "'s", "'re")
#: Words that deny together: "have yet to go", "decided against it".
_DENYING_PAIRS = frozenset([("yet", "to"), ("decided", "against")])
#: Words between a denial and what it denies.
_DEGREES = frozenset("really even actually quite exactly".split())
#: Words that begin another thought within a clause.
_SPLITTING = frozenset(
    "if when whenever while since until unless whereas wenn falls während obwohl weil quando "
    "mentre perché cuando mientras porque quand pendant parce".split()
)
#: Words that do so if a subject or a denial follows.
CONTINUING = JOINING.adding | JOINING.choosing | JOINING.concluding
_SUBJECTS = frozenset(
    "i we he she it they you my our there this that the i'm i've i'll i'd it's ich wir er sie es "
    "mein meine io noi lui lei yo nosotros él ella je j nous il elle on mon ma".split()
)


@dataclass(frozen=True)
class Thought:
    """The stems of one part of a sentence by what is said of them."""

    affirmed: frozenset[str]
    #: What follows the denial, in order; of a denial that stands behind its verb, all.
    denied: tuple[str, ...]
    #: What stands around a denial that names nothing itself: "I have never been there".
    meant: frozenset[str]
    #: The stems of its words of negative sense, each of which may stand for a denial.
    negative: frozenset[str]
    #: True if it denies, and names nothing.
    empty: bool
    #: True if what it denies may not be planned or begun, as with "not yet".
    firm: bool


@dataclass(frozen=True)
class Polarity:
    """Denied and affirmed thoughts of a text."""

    thoughts: tuple[Thought, ...]
    #: What follows a denial of any kind, in order, without what says little.
    following: tuple[str, ...]
    #: How many denials it has.
    denials: int
    #: True if it has a word of negative sense.
    negative: bool
    #: The stems of verbs that deny what they govern.
    denying: frozenset[str]
    #: True if it answers no.
    answers_no: bool
    #: True if it denies in English what it has denied: "does not have never been". Other languages
    #: deny once with two words.
    twice: bool

    @property
    def denied(self) -> set[str]:
        """The stems that are denied for good."""
        return {one for thought in self.thoughts if thought.firm for one in thought.denied}

    @property
    def affirmed(self) -> set[str]:
        """The stems that are affirmed, or not firmly denied."""
        return {
            one
            for thought in self.thoughts
            for one in (
                thought.affirmed if thought.firm else thought.affirmed.union(thought.denied)
            )
        }


def polarity_of(words: Sequence[Token]) -> Polarity:
    """Read what *words* deny."""
    thoughts: list[Thought] = []
    following: list[str] = []
    denials = 0
    for part in _parts(words):
        at = _denial_in(part)
        thought, followed = _thought(part, at)
        thoughts.append(thought)
        following += followed
        denials += at is not None and is_denial(part[at].bare)
    opening = {word.bare for word in words[:2]}
    return Polarity(
        tuple(_completed(thoughts)),
        tuple(following),
        denials,
        any(word.bare in _NEGATIVE_SENSE for word in words),
        frozenset(stem(word.bare) for word in words if word.bare in DENYING_VERBS),
        bool(opening & {"no", "nope", "nah", "nein", "non"})
        and not any((one.bare, two.bare) in _IDLE_PAIRS for one, two in pairwise(words[:3])),
        any(_denies_twice(part) for part in _parts(words)),
    )


def _denies_twice(part: Sequence[Token]) -> bool:
    """True if one thought denies its verb twice: "no longer has never been"."""
    denials = [word.bare for word in part if _denies_a_verb(word.bare)]
    longer = any((one.bare, two.bare) == ("no", "longer") for one, two in pairwise(part))
    return len(denials) + longer > 1


def _denies_a_verb(word: str) -> bool:
    return word in ("not", "never", "cannot") or word.endswith("n't")


def _completed(thoughts: Sequence[Thought]) -> Iterator[Thought]:
    """The *thoughts*; of a denial that names nothing, with what those beside it name."""
    for at, thought in enumerate(thoughts):
        if thought.empty:
            # "I thought of going to the fair, Laura told me of it, but I have never been there."
            beside = thoughts[max(0, at - REACH) : at + 2]
            named = frozenset[str]().union(*(one.affirmed for one in beside if one is not thought))
            thought = replace(thought, meant=named)
        yield thought


def _parts(words: Sequence[Token]) -> Iterator[list[Token]]:
    """The thoughts of a text: its clauses, and what a conjunction joins in them."""
    part: list[Token] = []
    for at, word in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else None
        then = following.bare if following else ""
        joins = word.bare in CONTINUING and (then in _SUBJECTS or is_denial(then))
        # "As Greg said", but not "as good as".
        if following and word.bare == "as":
            joins = then in _SUBJECTS or following.has_capital
        if part and (word.clause != part[-1].clause or word.bare in _SPLITTING or joins):
            yield part
            part = []
        part.append(word)
    if part:
        yield part


def _denial_in(part: Sequence[Token]) -> int | None:
    """The place of the first word in *part* that denies."""
    for at, word in enumerate(part):
        then = next((each.bare for each in part[at + 1 :] if each.bare not in _DEGREES), "")
        if is_denial(word.bare) and (word.bare, then) not in _IDLE_PAIRS:
            return at
        if (word.bare, then) in _DENYING_PAIRS:
            return at
    return next((at for at, word in enumerate(part) if word.bare in DENYING_VERBS), None)


def _thought(part: Sequence[Token], at: int | None) -> tuple[Thought, list[str]]:
    """Thought that *part* denies, if the word *at* this place does; and of it what follows a
    denial.
    """
    telling = [
        (place, stem(word.bare), word)
        for place, word in enumerate(part)
        if not word.is_number and not is_little(word) and not is_denial(word.bare)
    ]
    negative = frozenset(
        stem(word.bare)
        for place, word in enumerate(part)
        if word.bare in _NEGATIVE_SENSE or _is_over(part, place)
    )
    if at is None:
        affirmed = frozenset(one for _, one, _ in telling)
        return Thought(affirmed, (), frozenset(), negative, False, False), []
    by = part[at].bare
    after = [(one, word) for place, one, word in telling if place > at]
    if after and after[0][1].bare in _ENOUGH:
        after = after[:1]
    elif by in _OF_ONE_THING:
        after = after[:_ONE_REACH]
    if by in _BACKWARD:
        after += [(one, word) for place, one, word in telling if place < at]
    denied = [one for one, _ in after]
    firm = not any(word.bare in _YET for word in part)
    affirmed = frozenset(one for _, one, _ in telling) - set(denied)
    followed = [
        one for one, word in after if is_denial(by) and not (is_small(word) or word.bare in _YET)
    ]
    empty = all(
        is_small(word) or is_denial(word.bare) or word.bare in DENYING_VERBS | _YET for word in part
    )
    return Thought(affirmed, tuple(denied), frozenset(), negative, empty, firm), followed


def _is_over(part: Sequence[Token], at: int) -> bool:
    """True if "used to" at this place tells what is so no more; one is also used to something."""
    if part[at].bare != "used" or at + 1 == len(part) or part[at + 1].bare != "to":
        return False
    return not (at and (part[at - 1].bare in _BEING or part[at - 1].text.endswith(_SHORT_BEING)))
