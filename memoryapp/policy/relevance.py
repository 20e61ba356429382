"""The floor of relevance: whether what a search has found bears on the message. Pure.

A search always finds something, and a rank says nothing about how good it is. So each find has
evidence, in figures that mean the same for every embedding model and every question:

- how far its similarity to the message stands out from that of the other texts of the memory, in
  their standard deviations (a z-score);
- the share of the words of the message that it holds, each by its rarity.

How much is asked depends on how much the message needs memory (`memoryapp.policy.memory_need`): a
question about somebody known is answered with the faintest trace, and a general task only with
what is clearly about the same thing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, log, sqrt
from typing import TypeVar

from memoryapp.policy.memory_need import Need

Item = TypeVar("Item")


@dataclass(frozen=True)
class Background:
    """The similarities between unrelated texts of an embedding model: their mean, and their
    standard deviation.
    """

    mean: float
    spread: float

    def distinction(self, similarity: float) -> float:
        """How many standard deviations *similarity* is above the mean."""
        return (similarity - self.mean) / self.spread


@dataclass(frozen=True)
class Evidence:
    """Evidence for the relevance of a find."""

    #: Standard deviations above the background; None where no vectors could be compared.
    distinction: float | None
    #: The share of the words of the message, by their rarity, 0 to 1.
    covered: float = 0.0

    def strength(self, by_chance: float) -> float:
        """Both as one figure, in standard deviations above the best that is found *by_chance*."""
        meaning = 0.0 if self.distinction is None else self.distinction - by_chance
        return meaning + WORTH_OF_WORDS * self.covered


@dataclass(frozen=True)
class Floor:
    """Minimum that is asked of the finds of a message, as `Evidence.strength`."""

    #: Of the best one: otherwise nothing is relevant.
    best: float
    #: Of each.
    each: float


#: A memory below this cosine is unrelated to the question. Measured with the small built-in
#: embedder on 24 questions and 32 facts: 88% of the facts that answer pass, and 8% of those that do
#: not. At 0.20 it is 88% and 3%, but "what should I not cook?" and "the user is allergic to
#: peanuts" have 0.17: missing such a fact is worse than a weak result at the end of the list.
MIN_SIMILARITY = 0.15
#: The floor of a smaller memory is that of one with so many texts.
MIN_TEXTS = 30
#: What all words of a message are worth, in standard deviations of similarity.
WORTH_OF_WORDS = 2.0
#: Below 0, because the similarities of short messages that have nothing to do with the memory are
#: lower, and vary less, than those between its texts. Measured on LoCoMo and on messages that need
#: no memory; see docs/decisions.md.
FLOORS = {
    Need.NONE: Floor(inf, inf),
    Need.TASK: Floor(-0.5, -1.5),
    Need.OPEN: Floor(-1.3, -2.3),
    Need.PERSON: Floor(-2.5, -3.0),
    Need.NAMED: Floor(-3.4, -3.4),
}


#: The share from which a text holds all words of a question: a sum of fractions.
ALL_WORDS = 0.999
#: The share that makes a match of a text beside one with all words: a word that nearly all texts
#: have is not enough, and one of three that are equally rare is.
ENOUGH_WORDS = 0.3


def best_by_chance(texts: int) -> float:
    """How far the nearest of so many unrelated *texts* stands out, in standard deviations: the
    more there are, the farther. ``√(2 ln n)``, the expected maximum of a normal distribution.
    """
    return sqrt(2 * log(max(MIN_TEXTS, texts)))


def relevant(
    need: Need, finds: Sequence[Evidence], *, texts: int, is_search: bool = False
) -> list[bool]:
    """For each of *finds* among so many *texts*, true if it passes the floor of a message with this
    *need*. What holds all words of a question passes, whatever its vector says: in a language that
    the embedding model does not know, "Haus" is not near a sentence about houses. In a search that
    is no message of a chat, that holds for every need: "hello" may be the name of a project.
    """
    floor, by_chance = FLOORS[need], best_by_chance(texts)
    strengths = [
        inf if find.covered >= 1 and (is_search or need >= Need.OPEN) else find.strength(by_chance)
        for find in finds
    ]
    if not any(strength >= floor.best for strength in strengths):
        return [False] * len(finds)
    return [strength >= floor.each for strength in strengths]


def hold_words(covered: Sequence[float]) -> list[bool]:
    """Finds that match by their words, from the share of the words that each has, by rarity: if one
    holds all words, those with enough of them; otherwise no words were found, and all match.
    """
    if max(covered, default=0.0) < ALL_WORDS:
        return [True] * len(covered)
    return [share >= ENOUGH_WORDS for share in covered]


def share_places(
    ranked: Sequence[Item], limit: int, *, is_due: Callable[[Item], bool]
) -> list[Item]:
    """The *limit* best of *ranked*, in their order, at least half of them due if so many are: a
    memory sums up what was said in many turns, which would crowd it out.
    """
    chosen = list(ranked[:limit])
    missing = (limit + 1) // 2 - sum(map(is_due, chosen))
    further = [item for item in ranked[limit:] if is_due(item)][: max(0, missing)]
    for _ in further:
        last = next(at for at in reversed(range(len(chosen))) if not is_due(chosen[at]))
        del chosen[last]
    return chosen + further
