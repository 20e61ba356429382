"""The explanation in words why a memory is or is not shown to the assistant for a question."""

from dataclasses import dataclass, field

from instances.models import Agent, Instance
from memoryapp.context.builder import RecalledContext
from memoryapp.models import Memory
from memoryapp.policy.memory_need import Need
from memoryapp.recall import RecallOptions
from memoryapp.recall.explanation import MAX_RANKS, Explained, explain
from memoryapp.recall.query import RecallQuery
from memoryapp.recall.rerank_prompt import CANDIDATES
from memoryapp.web.recall.score_bars import LABELS, ScoreBar, draw, longest, write


@dataclass(frozen=True)
class Why:
    """The explanation for one memory."""

    memory: Memory
    #: The reason in a sentence; then details, the decisive ones first.
    verdict: str
    reasons: list[str] = field(default_factory=list)
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


def why(
    instance: Instance,
    agent: Agent | None,
    memory: Memory,
    question: str,
    end_user: str,
    profile: str,
    context: RecalledContext | None,
) -> Why:
    """Explain which filter, threshold or rank decides about *memory*, and by how much.

    *context* is the result of the question; None without a question.
    """
    # The result of a search in the past has no query: the memory is explained as of today.
    if context is None or not (
        query := context.recalled.query or RecallQuery.prepare(instance, question, profile)
    ):
        return Why(memory, "Ask a question, and see where this memory stands.")
    options = RecallOptions(end_user=end_user, with_messages=instance.turns_enabled)
    explained = explain(query, memory, options)
    hits = context.recalled.hits
    shown = next(
        (hit for hit in context.shown.values() if hit.memory and hit.memory.pk == memory.pk), None
    )
    own = shown or explained.hit
    last = hits[-1] if hits else None
    width = longest(hit.parts for hit in (own, last) if hit)
    off = _switched_off(instance, agent)
    verdict, reasons = _verdict(instance, explained, context, end_user)
    return Why(
        memory,
        f"{off} {verdict}".strip(),
        reasons,
        is_shown=shown is not None,
        explained=explained,
        own=draw(own.parts, width) if own else None,
        last=draw(last.parts, width) if last else None,
        ranks=[(LABELS.get(name, name), rank) for name, rank in (own.ranks if own else {}).items()],
    )


def _switched_off(instance: Instance, agent: Agent | None) -> str:
    if not instance.recall_enabled:
        return f"Recall is off for {instance.name}: nothing is shown to its assistant."
    if agent is not None and not agent.recall_enabled:
        return f"Recall is off for {agent.name}: nothing is shown to this agent."
    return ""


def _verdict(
    instance: Instance, explained: Explained, context: RecalledContext, end_user: str
) -> tuple[str, list[str]]:
    """Return the decisive reason in a sentence, and further details."""
    memory, hits = explained.memory, context.recalled.hits
    if not explained.about_them:
        return (
            f"Kept out by the end user: it is about {_name(memory.end_user)}, and the question was "
            f"asked for {_name(end_user)}. Nobody is shown what is remembered of another.",
            [],
        )
    place = next((n for n, hit in enumerate(hits, 1) if hit.memory == memory), None)
    if place and any(hit.memory == memory for hit in context.shown.values()):
        return f"It is shown, in place {place} of {len(hits)}.", []
    if place:
        return (
            f"It is found in place {place}, but there was no room left for it in the text: what "
            "stands before it takes up all of the tokens.",
            [],
        )
    if explained.place is None:
        among = (
            f"among the first {MAX_RANKS} results"
            if explained.found >= MAX_RANKS
            else "by any list"
        )
        return f"It is not found {among}.", _reasons(explained)
    if explained.hit and not explained.hit.is_relevant:
        return (
            f"It is found in place {explained.place}, but it is too far from the question: "
            f"{_asked(context)}.",
            _reasons(explained),
        )
    found = f"It is found in place {explained.place}, and"
    if explained.place <= CANDIDATES and instance.rerank_enabled and not context.problem:
        return f"{found} the model that reranks has put others before it.", _reasons(explained)
    return f"{found} only {len(hits)} are shown.", _reasons(explained)


def _asked(context: RecalledContext) -> str:
    """What the floor of relevance asks of results, in words."""
    need = context.recalled.query.need if context.recalled.query else Need.OPEN
    return {
        Need.NONE: "a message like this needs no memory at all",
        Need.TASK: "a task that stands by itself is shown only what is clearly about it",
        Need.OPEN: "the question names nobody known, so only what clearly answers it is shown",
        Need.PERSON: "hardly a word or a meaning connects the two",
        Need.NAMED: "no word and no meaning connects the two",
    }[need]


def _name(end_user: str) -> str:
    return f"“{end_user}”" if end_user else "nobody in particular"


def _reasons(explained: Explained) -> list[str]:
    """Return the reasons against it, list by list."""
    reasons = []
    if not explained.has_vector:
        reasons.append(
            "By meaning: it has no vector yet, so only its words can be found. It is filled in as "
            "soon as the embedding provider answers."
        )
    elif explained.similarity is None:
        reasons.append("By meaning: the question has no vector, so meanings were not compared.")
    else:
        similarity = write(explained.similarity, 2)
        short = explained.least_similarity - explained.similarity
        below = (
            f", which is {short:.2f} below the {explained.least_similarity:.2f} from which on a "
            "memory counts as an answer"
        )
        reasons.append(
            "By meaning: its similarity to the question is "
            f"{similarity}{below if short > 0 else ''}."
        )
    if explained.has_words:
        reasons.append("By words: it holds words of the question.")
    else:
        reasons.append(
            "By words: no word of the question stands in it, in any form that search knows in the "
            "languages spoken here."
        )
    return reasons
