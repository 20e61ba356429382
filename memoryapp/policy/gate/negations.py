"""What a sentence denies and what it affirms. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from memoryapp.policy.gate.words import Word, is_little, is_small, stem

_DENIALS = frozenset(
    "no not never none nobody nothing neither nor cannot without nowhere "
    "nicht kein keine keinen keinem keiner keines nie niemals niemand nichts ohne "
    "non nessun nessuno nessuna niente senza nunca jamás ningún ninguno ninguna nadie nada "
    "ne n pas jamais aucun aucune rien personne sans".split()
)
#: Denials of one thing, and not of what the sentence tells.
_WEAK = frozenset(
    "no kein keine keinen keiner nessun nessuna ningún ninguna aucun aucune without "
    "nothing nobody nowhere ohne nichts senza niente sin nada sans".split()
)
_YET = frozenset("yet noch ancora todavía aún encore".split())
#: Words that deny in sense; a denial may stand for them, and they for a denial.
_NEGATIVE_SENSE = frozenset(
    "stop stops stopped stopping quit quits quitting avoid avoids avoided avoiding fail fails "
    "failed failing failure lack lacks lacked lacking hardly barely rarely seldom scarcely refuse "
    "refuses refused unable hate hates hated dislike dislikes disliked unfortunately instead "
    "rather except prevent prevents unlike nope nah "
    "nay impossible unfortunate former formerly "
    "aufgehört aufhören vermeidet kaum selten leider vergessen smesso evita raramente purtroppo "
    "dejado evita rara apenas arrêté évite rarement malheureusement nein".split()
)
#: Denials that deny nothing, by what follows them.
_IDLE = {
    "can't": "wait believe get help imagine thank deny stop say beat",
    "cannot": "wait believe help imagine deny",
    "couldn't": "agree be ask have help wait",
    "don't": "worry forget you mention know hesitate they we",
    "never": "forget fails fail gets know mind",
    "not": "only just sure bad so forget",
    "no": "worries problem doubt matter wonder way kidding need",
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


@dataclass(frozen=True)
class Polarity:
    """The stems that a text denies and affirms; both hold what it does once so, once otherwise."""

    denied: frozenset[str]
    #: What follows a denial of any kind, in order.
    following: tuple[str, ...]
    affirmed: frozenset[str]
    #: The first word after each denial of what the sentence tells.
    denied_first: tuple[str, ...]
    #: The stems of clauses with a denial, or with a word of negative sense, anywhere.
    around: frozenset[str]
    #: How many denials it has.
    denials: int
    #: Whether it has a word of negative sense.
    negative: bool
    #: Whether it answers no.
    answers_no: bool


def polarity_of(words: Sequence[Word]) -> Polarity:
    """Read what *words* deny: what follows a denial in its clause."""
    denying: dict[int, int] = {}
    negative: set[int] = set()
    denials = 0
    for at, word in enumerate(words):
        then = words[at + 1].bare if at + 1 < len(words) else ""
        if is_denial(word.bare) and (word.bare, then) not in _IDLE_PAIRS:
            denials += 1
            denying.setdefault(word.clause, at)
        if word.bare in _NEGATIVE_SENSE:
            negative.add(word.clause)
    denied, affirmed, around = set[str](), set[str](), set[str]()
    following: list[str] = []
    firsts: dict[int, str] = {}
    # What has not happened yet may be planned, or begun.
    still_open = {word.clause for word in words if word.bare in _YET}
    for at, word in enumerate(words):
        if word.is_number or is_little(word) or is_denial(word.bare):
            continue
        one = stem(word.bare)
        first = denying.get(word.clause)
        after = first is not None and at > first
        firmly = after and word.clause not in still_open and words[first or 0].bare not in _WEAK
        (denied if firmly else affirmed).add(one)
        if after and not is_small(word):
            following.append(one)
        if firmly:
            firsts.setdefault(word.clause, one)
        if first is not None or word.clause in negative:
            around.add(one)
    opening = {word.bare for word in words[:2]}
    return Polarity(
        frozenset(denied),
        tuple(following),
        frozenset(affirmed),
        tuple(firsts.values()),
        frozenset(around),
        denials,
        bool(negative),
        bool(opening & {"no", "nope", "nah", "not", "nein", "non"}),
    )


def is_denial(word: str) -> bool:
    """Whether *word*, in small letters, denies."""
    return word in _DENIALS or word.endswith("n't")
