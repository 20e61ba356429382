"""Scores memories and messages ("turns") by a weighted sum of named signals. Pure.

A score is the logarithm of odds: what has 1 more than another is about *e* times as likely to hold
the answer. So the weights are those of a conditional logit model (McFadden 1974), fitted on five
data sets together and rounded; see docs/decisions.md. An instance may have weights of its own.
"""

from collections.abc import Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, fields, replace
from datetime import date
from math import exp, log, sqrt
from statistics import fmean
from typing import TypeVar

from memoryapp.recall.dates import nearness
from memoryapp.recall.fusion import Fused
from memoryapp.recall.query_analysis import AnalysedQuery

Item = TypeVar("Item", bound=Hashable)

#: The standard deviation of cosines that the weights were measured with.
SPREAD = 0.125
#: Sessions among the candidates from which on sessions are scored.
MIN_SESSIONS = 8
#: Best turns of a session that make up its score.
BEST_OF_SESSION = 3
#: The difference from which a result is left out beside one that is nearer to the question: it is
#: about 150 times less likely to hold the answer. With 3, one question of LoCoMo in forty loses
#: something that answers it.
CLEARLY_WEAKER = 5.0
#: The difference to the best result up to which a memory takes the place of a turn above it.
#: Without such a bound, memories that fit nothing in particular take the places of what answers.
NEARLY_AS_LIKELY = 1.5
#: The share of the evidence of a turn with which a memory of it takes its place, and with which it
#: stands before it.
NEARLY_ALL, HALF = 0.7, 0.5
#: The signals of how near a result is to the question. The others tell how far it is believed, or
#: how old it is: whoever contradicts what is believed more stands beside it.
RELEVANCE = ("meaning", "words", "said", "answers", "following", "date", "health")
#: The importance that does not change the score.
DEFAULT_IMPORTANCE = 5
#: Days in which recency falls to about a third.
RECENCY_DAYS = 30
#: What a source is worth, as a share of its weight: what a person entered, and what an assistant, a
#: tool or a document says. The user's own words are in between.
ENTERED, NOT_THEIR_OWN = 1.0, -0.3


@dataclass(frozen=True)
class Weights:
    """How much each signal adds to the score."""

    #: A spread of cosine similarity to the question.
    meaning: float = 1.0
    #: All words of the question, each by its rarity; a share of them counts as that share.
    words: float = 2.5
    #: What the turn that a memory was learned from has more of both than the memory, of each 1.
    said: float = 0.9
    #: What the question that a turn answers has more of both than the turn, of each 1.
    answers: float = 1.0
    #: Said by the person or the side of the chat that the question asks for.
    speaker: float = 1.9
    #: Entered by a person; a third of it is lost by what is not the user's own words.
    source: float = 1.5
    #: A spread of the similarity of the next turn.
    following: float = 0.25
    #: One standard deviation among sessions of the score of its session.
    session: float = 0.4
    #: Said on a day that the question names.
    date: float = 3.8
    #: Any memory, if turns are results as well.
    kept: float = 0.2
    #: Each point of importance above 5, or below it; what a file or a program says lifts nothing.
    importance: float = 0.05
    #: Created or said today, if the question asks for what is newest.
    recency: float = 2.3
    #: The logarithm of how often a preference was stated.
    preference: float = 0.2
    #: A memory of health, if the question is about food, drink or medicine.
    health: float = 0.5
    #: What an expired or stale memory loses.
    expired: float = 1.0
    stale: float = 0.5

    @classmethod
    def of(cls, own: Mapping[str, float]) -> "Weights":
        """The default weights, overridden by an instance's *own*, by name."""
        return replace(WEIGHTS, **{name: own[name] for name in NAMES if name in own})


#: The default weights.
WEIGHTS = Weights()
NAMES = [each.name for each in fields(Weights)]


@dataclass(slots=True)
class Traits:
    """The properties of a memory or a turn that bear on the question."""

    day: date | None = None
    #: True if it states something: questions, requests and small talk do not.
    states: bool = True
    #: Cosine similarity to the question; None without a vector.
    cosine: float | None = None
    #: The share of the question's words that it holds, each by its rarity.
    words: float = 0.0
    #: Of a memory: the turns among the candidates that it was learned from.
    turns: "list[Traits]" = field(default_factory=list)
    #: Who said it, or the turn that it was learned from.
    author: str = ""
    role: str = ""
    #: What its source is worth, from -1 to 1.
    source: float = 0.0
    #: Of a turn: the question among the candidates that it answers.
    asked: "Traits | None" = None
    #: Of a turn: its session, and the similarity of the next turn.
    session: Hashable = None
    following: float | None = None
    #: Of a memory.
    importance: int | None = None
    #: True if it lifts a result: Keepsake or a person on a screen gave it, not a file or a program.
    importance_counts: bool = True
    is_preference: bool = False
    times_heard: int = 1
    #: Tells what may harm somebody; known only if the question is about food, drink or medicine.
    is_health: bool = False
    #: Past the last day on which it holds; not recalled within the instance's window.
    is_expired: bool = False
    is_stale: bool = False

    def learned_from(self, turn: "Traits") -> None:
        """Take over traits of *turn*, of which this is a memory."""
        self.turns.append(turn)
        self.author = self.author or turn.author
        self.role = self.role or turn.role


@dataclass(frozen=True)
class Scale:
    """The scale of similarities of an embedding model."""

    spread: float = SPREAD
    #: The similarity above which the next turn counts.
    least: float = 0.15


def weigh(
    query: AnalysedQuery,
    candidates: Mapping[Item, Traits],
    ranks: Mapping[Item, Mapping[str, int]],
    *,
    scale: Scale,
    today: date,
    turns_compete: bool,
    weights: Weights = WEIGHTS,
) -> list[Fused[Item]]:
    """Rank *candidates*, best first; ties keep their order. *ranks* in the lists (from 0) are
    passed on. Without ``turns_compete``, memories are the only results.
    """
    ranked = [
        Fused(
            item,
            dict(ranks.get(item, ())),
            _parts(query, traits, scale, today, turns_compete, weights),
        )
        for item, traits in candidates.items()
    ]
    _add_session_scores(ranked, candidates, weights.session)
    return sorted(ranked, key=lambda entry: -entry.score)


def not_clearly_weaker(
    ranked: Sequence[Fused[Item]], passing: AbstractSet[Item], traits: Mapping[Item, Traits]
) -> frozenset[Item]:
    """Items of *passing* that are not clearly weaker than the best of them: places are not filled
    for their own sake. What has no vector yet is kept: its similarity is unknown.
    """
    worth = {entry.item: relevance(entry.parts) for entry in ranked if entry.item in passing}
    best = max(worth.values(), default=0.0)
    return frozenset(
        item
        for item, each in worth.items()
        if each >= best - CLEARLY_WEAKER or traits[item].cosine is None
    )


def relevance(parts: Mapping[str, float]) -> float:
    """The part of a score that tells how near a result is to the question, whoever says it."""
    return sum(parts.get(name, 0.0) for name in RELEVANCE)


def says_the_same(
    memory: Traits,
    turn: Traits,
    scale: Scale,
    weights: Weights = WEIGHTS,
    *,
    share: float = NEARLY_ALL,
) -> bool:
    """True if *memory* has this *share* of the evidence of the *turn* that it was learned from, by
    default about as much, so that it replaces it. A turn may say more than one thing, and the
    answer may be another.
    """
    return _evidence(memory, scale, weights) >= share * _evidence(turn, scale, weights)


def _evidence(traits: Traits, scale: Scale, weights: Weights) -> float:
    """Evidence by meaning and by words for *traits* alone."""
    return weights.meaning * (traits.cosine or 0) / scale.spread + weights.words * traits.words


def _parts(
    query: AnalysedQuery,
    traits: Traits,
    scale: Scale,
    today: date,
    turns_compete: bool,
    weights: Weights,
) -> dict[str, float]:
    parts: dict[str, float] = {}
    # Each signal is checked first, for speed: there are many rows, and most signals are zero.
    if traits.cosine is not None and traits.cosine > 0:
        parts["meaning"] = weights.meaning * traits.cosine / scale.spread
    if traits.words:
        parts["words"] = weights.words * traits.words
    if traits.turns or traits.asked:
        parts |= _parts_of_turns(traits, scale, weights)
    if traits.source:
        parts["source"] = weights.source * traits.source
    if traits.importance is not None and turns_compete:
        parts["kept"] = weights.kept
    if _matches_speaker(query, traits):
        parts["speaker"] = weights.speaker
    if traits.following is not None and traits.following > scale.least:
        parts["following"] = weights.following * (traits.following - scale.least) / scale.spread
    if traits.importance is not None and traits.importance != DEFAULT_IMPORTANCE:
        above = traits.importance - DEFAULT_IMPORTANCE
        parts["importance"] = weights.importance * (
            above if traits.importance_counts else min(0, above)
        )
    if traits.is_preference and traits.times_heard > 1:
        parts["preference"] = weights.preference * log(traits.times_heard)
    if traits.day is not None and (query.dates or query.about_now):
        parts |= _parts_of_day(query, traits.day, today, weights)
    if traits.is_health or traits.is_expired or traits.is_stale:
        parts |= _parts_of_state(traits, weights)
    return {name: part for name, part in parts.items() if part}


def _parts_of_turns(traits: Traits, scale: Scale, weights: Weights) -> dict[str, float]:
    """The parts for the turn of a memory, and for the question that a turn answers."""
    own, parts = _evidence(traits, scale, weights), {}
    if traits.turns:
        # Of several memories of a turn, the one that is itself about the question stays first.
        said = max(_evidence(turn, scale, weights) for turn in traits.turns)
        parts["said"] = weights.said * max(0.0, said - own)
    if traits.asked:
        asked = _evidence(traits.asked, scale, weights)
        parts["answers"] = weights.answers * max(0.0, asked - own)
    return parts


def _parts_of_state(traits: Traits, weights: Weights) -> dict[str, float]:
    parts = {"health": weights.health} if traits.is_health else {}
    if traits.is_expired:
        return parts | {"expired": -weights.expired}
    return parts | ({"stale": -weights.stale} if traits.is_stale else {})


def _parts_of_day(
    query: AnalysedQuery, day: date, today: date, weights: Weights
) -> dict[str, float]:
    parts: dict[str, float] = {}
    if query.dates:
        parts["date"] = weights.date * nearness(query.dates, day)
    if query.about_now:
        parts["recency"] = weights.recency * exp(-max(0, (today - day).days) / RECENCY_DAYS)
    return parts


def _matches_speaker(query: AnalysedQuery, traits: Traits) -> bool:
    if query.speakers:
        return traits.author in query.speakers
    return bool(query.role) and traits.role == query.role


def _add_session_scores(
    ranked: list[Fused[Item]], candidates: Mapping[Item, Traits], weight: float
) -> None:
    """Add the score of its session to each turn: the mean of the best turns of the session."""
    scores: dict[Hashable, list[float]] = {}
    for entry in ranked:
        if (session := candidates[entry.item].session) is not None:
            scores.setdefault(session, []).append(entry.score)
    if len(scores) < MIN_SESSIONS:
        return
    worth = {
        session: fmean(sorted(of_turns, reverse=True)[:BEST_OF_SESSION])
        for session, of_turns in scores.items()
    }
    usual = fmean(worth.values())
    # `statistics.pstdev` uses fractions, which takes longer than scoring all turns.
    spread = sqrt(fmean((each - usual) ** 2 for each in worth.values()))
    for entry in ranked:
        above = worth.get(candidates[entry.item].session, usual) - usual
        # Smaller differences are rounding errors.
        if above > 1e-9:
            entry.parts["session"] = weight * above / spread
