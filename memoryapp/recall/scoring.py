"""What a memory or a turn is worth as an answer: a sum of few signals, each told by its name.

The unit is one `SPREAD` of cosine similarity, the usual distance between two texts that have
nothing to do with each other. Weights are round on purpose: measured on LoCoMo and on chats of a
user with an assistant, the results hardly change within a third of each; see docs/decisions.md. An
instance may have others. Pure.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from math import exp, log, sqrt
from statistics import fmean
from typing import TypeVar

from memoryapp.recall.dates import nearness
from memoryapp.recall.decay import DecayPenalty
from memoryapp.recall.fusion import Fused
from memoryapp.recall.query_analysis import AnalysedQuery

Item = TypeVar("Item", bound=Hashable)

#: The standard deviation of cosines that the weights were measured with.
SPREAD = 0.125
#: Sessions among what was found, from which on it is told which of them is about the question.
ENOUGH_SESSIONS = 8
#: Turns that speak for their session.
BEST_OF_SESSION = 3
#: The importance that counts neither for a memory nor against it.
DEFAULT_IMPORTANCE = 5
#: Days in which what counts for the present loses all but a third.
FADES_IN = 30


@dataclass(frozen=True)
class Weights:
    """How much each signal is worth, in spreads of cosine similarity."""

    #: A spread of cosine similarity to the question.
    meaning: float = 1.0
    #: All words of the question, each by its rarity; a share of them, that share.
    words: float = 4.0
    #: Said by whom the question names, or by the side of the chat that it asks for.
    speaker: float = 1.0
    #: The turn after it is about the question: a spread of that one's similarity.
    following: float = 0.2
    #: Its session has the best turns: one standard deviation among sessions.
    session: float = 0.3
    #: Said on a day that the question names.
    date: float = 1.5
    #: A memory, where turns are results as well: somebody found it worth keeping.
    kept: float = 1.0
    #: The words of the turn that a memory was learned from.
    said: float = 1.0
    #: Each point of importance above 5, or below it.
    importance: float = 0.05
    #: Made or said today, when the question is about the present.
    recency: float = 1.0
    #: A preference, for each time that it was said again: the logarithm of their number.
    preference: float = 0.2
    #: The share of its score that a memory loses: past its last day, or long not asked for.
    expired: float = 0.05
    stale: float = 0.02

    @classmethod
    def of(cls, own: Mapping[str, float]) -> "Weights":
        """The measured weights, overridden by those that are set for the instance, by name."""
        return replace(WEIGHTS, **{name: own[name] for name in NAMES if name in own})

    @property
    def losses(self) -> dict[DecayPenalty, float]:
        """What is lost for fading."""
        return {DecayPenalty.EXPIRED: self.expired, DecayPenalty.STALE: self.stale}


#: As measured.
WEIGHTS = Weights()
NAMES = [field.name for field in fields(Weights)]


@dataclass
class Traits:
    """What is known of a memory or a turn, as far as it bears on the question."""

    day: date | None = None
    #: Cosine similarity to the question; None without a vector.
    cosine: float | None = None
    #: The share of the question's words that it holds, each by its rarity.
    words: float = 0.0
    #: Of a memory: the best share among the turns that it was learned from.
    said: float = 0.0
    #: Who said it, or what it was learned from.
    author: str = ""
    role: str = ""
    #: Of a turn: in which session it was said, and the similarity of the turn that follows.
    session: Hashable = None
    following: float | None = None
    #: Of a memory.
    importance: int | None = None
    is_preference: bool = False
    times_heard: int = 1

    def learned_from(self, turn: "Traits") -> None:
        """Take over from *turn*, of which this is a memory, what bears on the question."""
        self.said = max(self.said, turn.words)
        self.author = self.author or turn.author
        self.role = self.role or turn.role


@dataclass(frozen=True)
class Scale:
    """What similarities are measured in: of the model that made the vectors."""

    spread: float = SPREAD
    #: A turn that follows counts for what it has beyond this.
    least: float = 0.15


def weigh(
    asked: AnalysedQuery,
    found: Mapping[Item, Traits],
    ranks: Mapping[Item, Mapping[str, int]],
    *,
    scale: Scale,
    today: date,
    turns_compete: bool,
    weights: Weights = WEIGHTS,
) -> list[Fused[Item]]:
    """Rank what was *found*, best first; ties keep the order in which it was found.

    ``ranks`` are those in the lists (from 0), for who wants to know. Without ``turns_compete``,
    memories are the only results.
    """
    ranked = [
        Fused(
            item,
            dict(ranks.get(item, {})),
            _parts(asked, traits, scale, today, turns_compete, weights),
        )
        for item, traits in found.items()
    ]
    _prefer_sessions(ranked, found, weights.session)
    return sorted(ranked, key=lambda entry: -entry.score)


def says_the_same(memory: Traits, turn: Traits, scale: Scale, weights: Weights = WEIGHTS) -> bool:
    """Whether a memory answers about as well as the turn that it was learned from, so that the two
    are one result. A turn says more than one thing at times, and another of them may be the answer.
    """

    def worth(traits: Traits) -> float:
        return weights.meaning * (traits.cosine or 0) / scale.spread + weights.words * traits.words

    return worth(memory) >= 0.7 * worth(turn)


def _parts(
    asked: AnalysedQuery,
    traits: Traits,
    scale: Scale,
    today: date,
    turns_compete: bool,
    weights: Weights,
) -> dict[str, float]:
    parts: dict[str, float] = {}
    # Asked one by one, because there are many of them and most signals are silent.
    if traits.cosine is not None and traits.cosine > 0:
        parts["meaning"] = weights.meaning * traits.cosine / scale.spread
    if traits.words:
        parts["words"] = weights.words * traits.words
    if traits.said:
        parts["said"] = weights.said * traits.said
    if traits.importance is not None and turns_compete:
        parts["kept"] = weights.kept
    if _was_asked_for(asked, traits):
        parts["speaker"] = weights.speaker
    if traits.following is not None and traits.following > scale.least:
        parts["following"] = weights.following * (traits.following - scale.least) / scale.spread
    if traits.importance is not None and traits.importance != DEFAULT_IMPORTANCE:
        parts["importance"] = weights.importance * (traits.importance - DEFAULT_IMPORTANCE)
    if traits.is_preference and traits.times_heard > 1:
        parts["preference"] = weights.preference * log(traits.times_heard)
    if traits.day is not None and asked.dates:
        parts["date"] = weights.date * nearness(asked.dates, traits.day)
    if traits.day is not None and asked.about_now:
        age = max(0, (today - traits.day).days)
        parts["recency"] = weights.recency * exp(-age / FADES_IN)
    return {name: part for name, part in parts.items() if part}


def _was_asked_for(asked: AnalysedQuery, traits: Traits) -> bool:
    if asked.speakers:
        return traits.author in asked.speakers
    return bool(asked.role) and traits.role == asked.role


def _prefer_sessions(
    ranked: list[Fused[Item]], found: Mapping[Item, Traits], weight: float
) -> None:
    """Let turns profit from the best turns of their session: it is what the session is about."""
    scores: dict[Hashable, list[float]] = {}
    for entry in ranked:
        if (session := found[entry.item].session) is not None:
            scores.setdefault(session, []).append(entry.score)
    if len(scores) < ENOUGH_SESSIONS:
        return
    worth = {
        session: fmean(sorted(of_turns, reverse=True)[:BEST_OF_SESSION])
        for session, of_turns in scores.items()
    }
    usual = fmean(worth.values())
    # `statistics.pstdev` reckons with fractions, which takes longer than to weigh all turns.
    spread = sqrt(fmean((each - usual) ** 2 for each in worth.values()))
    for entry in ranked:
        above = worth.get(found[entry.item].session, usual) - usual
        # What rounding leaves of no difference at all is none.
        if above > 1e-9:
            entry.parts["session"] = weight * above / spread
