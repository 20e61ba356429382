"""The explanation in words why a memory is or is not shown to the assistant for a question."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import floor
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from instances.models import Agent, Instance, RecallProfile
from memoryapp.context.builder import RecalledContext
from memoryapp.models import Memory
from memoryapp.pipeline.pins import is_pinnable
from memoryapp.policy.memory_need import Need
from memoryapp.privacy.excerpts import shared_words
from memoryapp.recall import Hit, RecallOptions
from memoryapp.recall.explanation import MAX_RANKS, Explained, explain
from memoryapp.recall.pins import is_pinned
from memoryapp.recall.query import RecallQuery
from memoryapp.recall.rerank_prompt import CANDIDATES
from memoryapp.recall.scoring import CLEARLY_WEAKER, DEFAULT_IMPORTANCE, Weights, relevance
from memoryapp.web.reasons import MAX_WORDS, places
from memoryapp.web.recall.listing import MAX_RESULTS, RecallRequest
from memoryapp.web.recall.score_bars import ScoreBar, draw, longest, write


class Suggestion(NamedTuple):
    """Suggestion that would help a memory to be shown, and the address where that is tried."""

    text: str
    address: str


@dataclass(frozen=True)
class Helps:
    """Changes that would help a memory to be shown."""

    #: Trial at an address, which changes nothing.
    trials: Sequence[Suggestion] = ()
    #: True if a text with more words of the question would help, or a pin.
    edit: bool = False
    pin: bool = False

    def __bool__(self) -> bool:
        return bool(self.trials) or self.edit or self.pin


@dataclass(frozen=True)
class MemoryTrial:
    """A change of a memory that is tried; nothing is stored."""

    #: What is tried, and the rank without it, in words.
    text: str
    #: The importance that it would have.
    importance: str


@dataclass(frozen=True)
class Why:
    """The explanation for one memory."""

    memory: Memory
    #: The reason in a sentence; then details, the decisive ones first.
    verdict: str
    reasons: list[str] = field(default_factory=list)
    helps: Helps = Helps()
    trial: MemoryTrial | None = None
    #: True if another importance would move it.
    has_rank: bool = False
    is_shown: bool = False
    explained: Explained | None = None
    #: Its score, and that of the last result, as bars of the same scale.
    own: ScoreBar | None = None
    last: ScoreBar | None = None
    #: The rank in each list that has it, and the lists that do not have it.
    ranks: list[tuple[str, int]] = field(default_factory=list)

    @property
    def missing(self) -> str:
        """The missing part of the score; empty if the score is not the reason."""
        if self.own is None or self.last is None or self.own.score >= self.last.score:
            return ""
        return write(self.last.score - self.own.score, 4 if self.last.score < 1 else 2)


def why(state: RecallRequest, memory: Memory, context: RecalledContext | None) -> Why:
    """Explain which filter, threshold or rank decides about *memory*, and by how much.

    *context* is the result of the question of *state*; None without a question.
    """
    instance, question, end_user = state.instance, state.q, state.user
    # The result of a search in the past has no query: the memory is explained as of today.
    if context is None or not (
        query := context.recalled.query
        or RecallQuery.prepare(instance, question, state.profile_as_set, end_user=end_user)
    ):
        return Why(
            memory,
            _("Ask a question above to see whether the assistant is shown this memory, and why."),
        )
    options = RecallOptions(
        end_user=end_user, agent=state.agent, with_messages=instance.turns_enabled
    )
    explained = untried = explain(query, memory, options)
    if state.importance:
        explained = explain(query, memory, replace(options, importances=state.tried_importances))
    # What is pinned is told besides.
    hits = [hit for hit in context.recalled.hits if not is_pinned(hit)]
    shown = next(
        (hit for hit in context.shown.values() if hit.memory and hit.memory.pk == memory.pk), None
    )
    own = shown if shown and shown.score else explained.hit
    last = hits[-1] if hits else None
    width = longest(hit.parts for hit in (own, last) if hit)
    off = _switched_off(instance, state.agent)
    verdict, reasons = _verdict(instance, explained, context, hits, question, end_user)
    needs_none = bool(off) or query.need <= Need.TASK
    return Why(
        memory,
        f"{off} {verdict}".strip(),
        reasons,
        helps=Helps() if shown or state.is_trial or needs_none else _helps(state, explained, hits),
        trial=_trial(state, untried, explained) if state.is_trial else None,
        has_rank=not needs_none and query.is_weighted and _is_ranked(untried),
        is_shown=shown is not None,
        explained=explained,
        own=draw(own.parts, width) if own else None,
        last=draw(last.parts, width) if last else None,
        ranks=places(own.ranks) if own else [],
    )


def _is_ranked(explained: Explained) -> bool:
    """True if signals such as the importance decide about its rank."""
    return explained.about_them and explained.hit is not None and explained.hit.is_relevant


def _trial(state: RecallRequest, untried: Explained, tried: Explained) -> MemoryTrial:
    """Say what *state* tries, and the rank with it and without it."""
    text = _("Tried, not saved: importance %(tried)s instead of %(own)s.")
    text %= {"tried": state.importance, "own": untried.memory.importance}
    if untried.place is None:
        rank = _("Without it: not found.")
    elif tried.place is None:
        rank = _("Without it: place %(before)s.")
    else:
        rank = _("Place %(now)s; without it %(before)s.")
    rank %= {"before": untried.place, "now": tried.place}
    return MemoryTrial(f"{text} {rank}", state.importance)


def _switched_off(instance: Instance, agent: Agent | None) -> str:
    if not instance.recall_enabled:
        text = _("Recall is off for %(name)s: its assistant is shown nothing.")
        return text % {"name": instance.name}
    if agent is not None and not agent.recall_enabled:
        return _("Recall is off for the agent %(name)s: it is shown nothing.") % {
            "name": agent.name
        }
    return ""


def _verdict(
    instance: Instance,
    explained: Explained,
    context: RecalledContext,
    hits: Sequence[Hit],
    question: str,
    end_user: str,
) -> tuple[str, list[str]]:
    """Return the decisive reason in a sentence, and further details; *hits* are without pins."""
    memory = explained.memory
    if not explained.about_them:
        return _of_another(memory.end_user, end_user), []
    told = next((hit for hit in context.shown.values() if hit.memory == memory), None)
    if told and is_pinned(told):
        return _("It is pinned: the assistant is always told it."), []
    place = next((n for n, hit in enumerate(hits, 1) if hit.memory == memory), None)
    numbers = {"place": place or explained.place, "number": len(hits)}
    if place and told:
        return _("The assistant is shown this. Place %(place)s of %(number)s.") % numbers, []
    if place:
        text = _("Ranked %(place)s. The results above it fill the space.")
        return text % numbers, []
    if explained.place is None:
        if explained.found >= MAX_RANKS:
            text = _("It is not among the first %(number)s results.") % {"number": MAX_RANKS}
        else:
            text = _("It was not found for this question.")
        return text, _reasons(explained)
    if explained.hit and not explained.hit.is_relevant:
        return too_weak(context, question, explained.hit), _reasons(explained)
    if explained.place <= CANDIDATES and instance.rerank_enabled and not context.problem:
        text = _("Ranked %(place)s. The reranking model put others first.")
    elif explained.place <= len(hits):
        # Among more candidates it stands above some of those shown.
        text = _("It is not near enough to be compared: only the nearest are.")
    else:
        text = ngettext(
            "Ranked %(place)s. The assistant sees only the first.",
            "Ranked %(place)s. The assistant sees the first %(number)s.",
            len(hits),
        )
    return text % numbers, _reasons(explained)


def _helps(state: RecallRequest, explained: Explained, hits: Sequence[Hit]) -> Helps:
    """Changes that would help the memory to be shown; one that changes nothing comes first."""
    memory = explained.memory
    if not explained.about_them:
        about = memory.end_user
        text = _("Ask for “%(person)s”.") if about else _("Ask for no one in particular.")
        return Helps([_tried(state, text % {"person": about}, user=about)])
    found, place = [], explained.place
    is_told = any(hit.memory == memory for hit in hits)
    if not is_told and place and len(hits) < place <= MAX_RESULTS and _is_ranked(explained):
        text = _("Show %(number)s results.") % {"number": place}
        found.append(_tried(state, text, limit=str(place)))
    if not is_told and (importance := _importance_needed(state, explained, hits)):
        text = _("Importance %(number)s instead of %(own)s.")
        numbers = {"number": importance, "own": memory.importance}
        found.append(_tried(state, text % numbers, importance=str(importance)))
    return Helps(found, edit=not is_told, pin=is_pinnable(memory))


def _tried(state: RecallRequest, text: str, **changes: str) -> Suggestion:
    return Suggestion(text, f"{state.path}?{state.query(**changes)}#why")


def _importance_needed(
    state: RecallRequest, explained: Explained, hits: Sequence[Hit]
) -> int | None:
    """The least importance with which the score of *explained* is that of the last of *hits*; None
    if none is enough, or its score is high enough already.
    """
    weight = Weights.of(state.instance.recall_weights).importance
    own = explained.hit
    if not (hits and own and weight and _is_ranked(explained)):
        return None
    if state.profile_as_set == RecallProfile.RRF:
        return None
    missing = hits[-1].score - own.score
    needed = DEFAULT_IMPORTANCE + (own.parts.get("importance", 0.0) + missing) / weight
    least = floor(needed) + 1
    return least if missing >= 0 and explained.memory.importance < least <= 10 else None


def _of_another(about: str, asked_for: str) -> str:
    if about and asked_for:
        text = _("It is about “%(person)s”, and you asked for “%(other)s”.")
    elif about:
        text = _("It is about “%(person)s”, and you asked for no one in particular.")
    else:
        text = _("It is about no one in particular, and you asked for “%(other)s”.")
    return text % {"person": about, "other": asked_for}


def too_weak(context: RecalledContext, question: str, hit: Hit) -> str:
    """Say why a *hit* that is not relevant enough is not shown to the model for *question*."""
    own = relevance(hit.parts)
    best = max((relevance(each.parts) for each in context.recalled.hits), default=own)
    if own < best - CLEARLY_WEAKER:
        return _("The assistant is not shown it: the best result fits the question far better.")
    need = context.recalled.query.need if context.recalled.query else Need.OPEN
    if need is Need.NONE:
        return _("The assistant is not shown it: a message like this needs no memory.")
    return f"{_distance(shared_words(hit.content, question))} {_demand(need)}".strip()


def _distance(shared: Sequence[str]) -> str:
    """Say how near a text is that shares these words with the question."""
    if not shared:
        return _(
            "The assistant is not shown it: it shares no word with the question, and its meaning "
            "is not close enough."
        )
    words = ", ".join(f"“{word}”" for word in shared[:MAX_WORDS])
    return ngettext(
        "The assistant is not shown it: it shares the word %(words)s with the question, but its "
        "meaning is not close enough.",
        "The assistant is not shown it: it shares the words %(words)s with the question, but its "
        "meaning is not close enough.",
        min(len(shared), MAX_WORDS),
    ) % {"words": words}


def _demand(need: Need) -> str:
    """Say why the question asks for a close match, if it does."""
    return {
        Need.TASK: _(
            "The question reads like one that needs no memory, so only clear matches are shown."
        ),
        Need.OPEN: _("The question names no known person, so only clear matches are shown."),
    }.get(need, "")


def _reasons(explained: Explained) -> list[str]:
    """Return the reasons against it, list by list."""
    reasons = []
    if not explained.has_vector:
        reasons.append(
            _(
                "Meaning: not compared, since it has no vector yet. That is added as soon as the "
                "embedding provider answers."
            )
        )
    elif explained.similarity is None:
        reasons.append(_("Meaning: not compared, since the question has no vector."))
    elif explained.similarity < explained.least_similarity:
        text = _("Meaning: similarity %(similarity)s; at least %(least)s is needed.")
        least = write(explained.least_similarity, 2)
        reasons.append(text % {"similarity": write(explained.similarity, 2), "least": least})
    else:
        text = _("Meaning: similarity %(similarity)s.")
        reasons.append(text % {"similarity": write(explained.similarity, 2)})
    if explained.has_words:
        reasons.append(_("Words: it contains words of the question."))
    else:
        reasons.append(_("Words: it contains no word of the question."))
    return reasons
