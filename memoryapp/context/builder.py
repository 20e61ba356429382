"""What the memory has to say to a message, for the model and for the books."""

import logging
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.urls import reverse

from conversations.models import Conversation
from instances.models import Agent, Instance
from memoryapp.context.block import ContextBlock, block, portrait
from memoryapp.graph import RelationFact, entities_named_in, relations_of
from memoryapp.models import Answer, RecallLog, Version
from memoryapp.recall import (
    Hit,
    RecallResult,
    note_recalled,
    recall,
    recall_and_rerank,
    recall_past,
)
from memoryapp.recall.entries import Entry, EntrySource
from memoryapp.recall.hit_entries import entries_for, redacted
from memoryapp.recall.scoring import Weights
from memoryapp.summary import summed_up
from memoryapp.text.excerpts import shared

#: Relations of whom the question names that are told at most, and among which they are chosen.
MAX_FACTS, MAX_RELATIONS = 8, 60

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class RecalledContext:
    """What a question brings back, and what of it a model would be shown."""

    recalled: RecallResult
    context: ContextBlock
    #: What is remembered of the person as a whole; see `portrait`.
    portrait: str
    #: The hits that found room in the block, by the ids under which they stand there; and what the
    #: graph knows of those whom the question names, likewise.
    shown: dict[str, Hit]
    facts: dict[str, RelationFact]

    @property
    def text(self) -> str:
        """All that the model is told of it; empty without anything."""
        return "\n\n".join(part for part in (self.portrait, self.context.text) if part)

    @property
    def problem(self) -> str:
        """Why the memory did not take part in full, in words."""
        found = self.recalled
        words_only = f"Found by words only: {found.problem}" if found.problem else ""
        return " ".join(part for part in (words_only, found.rerank_problem) if part)


@dataclass(frozen=True)
class MessageContext:
    """What a model is shown: ``text`` is the summary of the user with the ``<memory_context>``
    block, empty without either.
    """

    text: str
    #: The ids that an answer may cite, with the addresses of what they name.
    sources: Mapping[str, str] = field(default_factory=dict)
    #: As `RecallLog` keeps it: ids, ranks and score parts.
    hits: list[dict[str, Any]] = field(default_factory=list)
    #: Why the memory did not take part, or not in full.
    problem: str = ""
    milliseconds: int = 0

    def note(self, answer: Answer) -> None:
        """Write down what the model was shown for *answer*."""
        RecallLog.objects.create(
            answer=answer, hits=self.hits, problem=self.problem, milliseconds=self.milliseconds
        )


def may_recall(instance: Instance, agent: Agent | None) -> bool:
    """Whether this assistant may look into the memory."""
    return instance.recall_enabled and (agent is None or agent.recall_enabled)


def build_context(
    instance: Instance,
    question: str,
    *,
    end_user: str,
    conversation: Conversation | None = None,
    limit: int | None = None,
    profile: str | None = None,
    weights: Weights | None = None,
    moment: datetime | None = None,
) -> RecalledContext:
    """Ask the memory as before an answer to *question*, said in *conversation*. Nothing is counted
    or written down. For who wants to know what would be: another *limit*, *profile* or
    *weights* than the instance has, or the memories alone as they stood at an earlier *moment*.
    """
    limit = limit or instance.top_k
    if moment is not None:
        among = Version.objects.in_instance(instance).filter(memory__end_user=end_user)
        found = recall_past(instance, question, moment, limit=limit, among=among)
    else:
        ask = recall_and_rerank if instance.rerank_enabled else recall
        found = ask(
            instance,
            question,
            limit=limit,
            end_user=end_user,
            with_messages=instance.turns_enabled,
            current_conversation=conversation,
            profile=profile,
            weights=weights,
        )
    asked = _words(question)
    # Who has asked the same before got an answer; the question itself is none.
    lines = [
        (hit, line)
        for hit, line in entries_for(instance, found.hits)
        if line.source is not EntrySource.TURN or _words(line.text) != asked
    ]
    facts = _facts(instance, question, end_user, moment)
    entries = [*(line for _, line in lines), *(line for _, line in facts)]
    context = block(entries, question=question)
    return RecalledContext(
        found,
        context,
        _portrait(instance, end_user),
        {line.ref: hit for hit, line in lines if line.ref in context.shown},
        {line.ref: fact for fact, line in facts if line.ref in context.shown},
    )


def context_for_message(
    instance: Instance, message: str, *, end_user: str, conversation: Conversation | None
) -> MessageContext:
    """Ask the memory about *message*, said in *conversation*; a failure is told, never raised."""
    began = time.monotonic()
    try:
        found = build_context(instance, message, end_user=end_user, conversation=conversation)
        note_recalled(list(found.shown.values()))
    except Exception as error:
        logger.exception("recall in instance %s failed", instance.pk)
        return MessageContext(
            _portrait(instance, end_user),
            problem=f"The memory could not be asked ({type(error).__name__}).",
            milliseconds=_since(began),
        )
    return MessageContext(
        found.text,
        {ref: address_of(hit) for ref, hit in found.shown.items()}
        | {ref: fact_address(fact.subject_id) for ref, fact in found.facts.items()},
        [_logged(ref, hit) for ref, hit in found.shown.items()]
        + [_logged_fact(ref, fact) for ref, fact in found.facts.items()],
        found.problem,
        _since(began),
    )


def _facts(
    instance: Instance, question: str, end_user: str, moment: datetime | None
) -> list[tuple[RelationFact, Entry]]:
    """What the graph knows of those whom *question* names, each with the line that tells of it."""
    named = entities_named_in(instance, end_user, question)
    as_of = instance.date_of(moment) if moment else None
    known = (
        relations_of(instance, end_user, named, as_of=as_of, limit=MAX_RELATIONS) if named else []
    )
    # Those that say more of what was asked first; of equals, what holds and was said last.
    found = sorted(known, key=lambda fact: -shared(fact.sentence, question))[:MAX_FACTS]
    lines = ((fact, fact_entry(instance, fact)) for fact in found)
    return [(fact, line) for fact, line in lines if line is not None]


def fact_entry(instance: Instance, fact: RelationFact) -> Entry | None:
    """The line that tells of *fact*; None where the policy of *instance* forbids to."""
    text = redacted(instance, fact.sentence)
    on = fact.valid_from or instance.date_of(fact.said_at)
    return Entry(f"r{fact.id}", text, on, "relation", source=EntrySource.RELATION) if text else None


def addresses(memory_ids: Iterable[int]) -> dict[str, str]:
    """The ids of memories as they are cited, with the addresses of these."""
    return {f"m{pk}": reverse("memory", args=[pk]) for pk in memory_ids}


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _since(began: float) -> int:
    return round((time.monotonic() - began) * 1000)


def _portrait(instance: Instance, end_user: str) -> str:
    try:
        return portrait(summed_up(instance, end_user))
    except Exception:
        logger.exception("the summary in instance %s could not be read", instance.pk)
        return ""


def address_of(hit: Hit) -> str:
    """Where what was found can be seen: the memory, the drawer, or the turn in its transcript."""
    return (hit.memory or hit.drawer or hit.said).get_absolute_url()


def fact_address(entity_id: int) -> str:
    """Where the relations of an entity are shown, with their evidence."""
    return reverse("entity", args=[entity_id])


def _logged_fact(ref: str, fact: RelationFact) -> dict[str, Any]:
    ids = {"relation": fact.id, "entity": fact.subject_id}
    return {"ref": ref, **ids, "ranks": {}, "parts": {}, "similarity": None}


def _source(hit: Hit) -> dict[str, int]:
    if hit.memory:
        return {"memory": hit.memory.pk}
    return {"message": hit.message.pk} if hit.message else {"note": hit.filed.pk}


def _logged(ref: str, hit: Hit) -> dict[str, Any]:
    return {
        "ref": ref,
        **_source(hit),
        "ranks": hit.ranks,
        "parts": {name: round(part, 6) for name, part in hit.parts.items()},
        "similarity": None if hit.similarity is None else round(hit.similarity, 4),
    }
