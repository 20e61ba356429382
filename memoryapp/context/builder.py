"""The context of a message: what is recalled for it, as text for the model and as a log entry."""

import logging
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum, auto
from typing import Any

from django.urls import reverse

from conversations.models import Conversation, Nature, Role
from instances.models import Agent, Instance, Reach
from instances.models.groups import seen_by
from instances.translatable import sentences, translatable
from memoryapp.context.block import MAX_BLOCK_TOKENS, ContextBlock, block, portrait
from memoryapp.context.placement import nonce_of
from memoryapp.disclosure import told_to_model
from memoryapp.graph.neighbourhood import RelationFact, entities_named_in, relations_of
from memoryapp.models import Answer, Memory, RecallLog, Version
from memoryapp.policy.recalled_context import without_recalled
from memoryapp.privacy.excerpts import shared
from memoryapp.privacy.verbatim import tellable
from memoryapp.providers.configured import assistant_abilities
from memoryapp.recall import (
    Hit,
    RecallOptions,
    RecallResult,
    note_recalled,
    recall,
    recall_and_rerank,
    recall_past,
)
from memoryapp.recall.entries import Entry, EntrySource
from memoryapp.recall.hit_entries import entries_for
from memoryapp.recall.pins import pinned_first, pinned_memories
from memoryapp.summary.generation import summed_up
from memoryapp.suppression.sending import SendingPolicy, policy_for_model

#: Tokens of the block for a slow model.
SLOW_BLOCK_TOKENS = 400
#: Relations included at most for the entities of the question, and those they are chosen from.
MAX_FACTS, MAX_RELATIONS = 8, 60

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class RecalledContext:
    """The result of a question, and the part of it that a model would be shown."""

    recalled: RecallResult
    context: ContextBlock
    #: The summary of the person; see `portrait`.
    portrait: str
    #: The hits and the relations that fit into the block, by the ids that they have there.
    shown: dict[str, Hit]
    facts: dict[str, RelationFact]

    @property
    def text(self) -> str:
        """The text for the model; empty without a portrait and without entries."""
        return "\n\n".join(part for part in (self.portrait, self.context.text) if part)

    @property
    def problem(self) -> str:
        """Why the memory did not take part in full, in words."""
        result = self.recalled
        words_only = (
            translatable("Found by words only: %(problem)s", problem=result.problem)
            if result.problem
            else ""
        )
        if not (words_only or result.rerank_problem):
            return ""
        return sentences(words_only, result.rerank_problem)


@dataclass(frozen=True)
class MessageContext:
    """Context that a model is shown for a message."""

    #: The summary of the user with the ``<memory_context>`` block; empty without either.
    text: str
    #: The ids that an answer may cite, with the addresses of the pages that show them.
    sources: Mapping[str, str] = field(default_factory=dict)
    #: As `RecallLog` stores them: ids, ranks and score parts.
    hits: list[dict[str, Any]] = field(default_factory=list)
    #: Why the memory did not take part, or not in full.
    problem: str = ""
    milliseconds: int = 0

    def note(self, answer: Answer, placement: str) -> None:
        """Log what the model was shown for *answer*, and where."""
        RecallLog.objects.create(
            instance_id=answer.instance_id,
            answer=answer,
            hits=self.hits,
            placement=placement,
            problem=self.problem,
            milliseconds=self.milliseconds,
        )


class Omission(Enum):
    """Why a relevant hit is not among what the model is shown."""

    #: An instruction.
    INSTRUCTION = auto()
    TOOL_RESULT = auto()
    #: The policy of the instance keeps its text back.
    SECRET = auto()
    #: It is about an area that this model may not be sent.
    ELSEWHERE = auto()
    #: The same question, asked before.
    SAME_QUESTION = auto()
    #: What states nothing.
    QUESTION = auto()
    REQUEST = auto()
    SMALL_TALK = auto()
    #: What stands before it fills the block.
    NO_ROOM = auto()


_STATE_NOTHING = {
    Nature.QUESTION: Omission.QUESTION,
    Nature.REQUEST: Omission.REQUEST,
    Nature.ACKNOWLEDGEMENT: Omission.SMALL_TALK,
}


def stated_nothing(hit: Hit) -> Omission | None:
    """Return what *hit* does instead of stating something; None if it does state something."""
    message = hit.message if hit.memory is None else None
    return _STATE_NOTHING.get(Nature(message.nature)) if message else None


def omission(instance: Instance, question: str, hit: Hit) -> Omission:
    """Return why a relevant *hit* for *question* is not shown to the model."""
    role = hit.message.role if hit.message and not hit.memory else ""
    if role == Role.SYSTEM:
        return Omission.INSTRUCTION
    if role == Role.TOOL:
        return Omission.TOOL_RESULT
    lines = entries_for(instance, [hit], policy_for_model(instance))
    if not lines:
        is_tellable = hit.memory or told_to_model(instance, hit.message or hit.filed)
        return Omission.ELSEWHERE if is_tellable else Omission.SECRET
    return Omission.SAME_QUESTION if _repeats(lines[0][1], question) else Omission.NO_ROOM


def _repeats(line: Entry, question: str) -> bool:
    """True if *line* is an earlier message with the same *question*, which is no answer."""
    return line.source is EntrySource.TURN and _words(line.text) == _words(question)


def may_recall(instance: Instance, agent: Agent | None) -> bool:
    """True if this assistant may recall from the memory."""
    return instance.recall_enabled and (agent is None or agent.recall_enabled)


def build_context(
    instance: Instance,
    question: str,
    *,
    end_user: str,
    agent: Agent | None = None,
    options: RecallOptions | None = None,
    moment: datetime | None = None,
    pins: Sequence[Memory] | None = None,
) -> RecalledContext:
    """Recall what answers *question*, asked by *end_user* of the *agent*, and write it as a model
    is shown it, behind the *pins*: by default, what is pinned. Nothing is counted or logged. With a
    *moment*, only memories are searched, as they were then, and none counts as pinned.
    """
    end_user = instance.canonical_end_user(end_user)
    options = options or RecallOptions(limit=instance.top_k)
    people = seen_by(instance, end_user, agent=agent, reach=options.reach)
    options = replace(
        options,
        end_user=end_user,
        agent=agent,
        with_messages=instance.turns_enabled,
    )
    if moment is not None:
        among = Version.objects.in_instance(instance).filter(memory__end_user__in=people)
        result = recall_past(instance, question, moment, limit=options.limit, among=among)
    else:
        search = recall_and_rerank if instance.rerank_enabled else recall
        result = search(instance, question, options)
        pinned = pinned_memories(instance, people) if pins is None else pins
        result = pinned_first(result, pinned)
    nonce = nonce_of(instance, end_user, options.current_conversation)
    policy = policy_for_model(instance)
    lines = [
        (hit, line)
        for hit, line in entries_for(
            instance, result.hits, policy, today=instance.date_of(moment) if moment else None
        )
        if not _repeats(line, question)
    ]
    facts = _facts(instance, question, people, moment, policy)
    entries = [*(line for _, line in lines), *(line for _, line in facts)]
    budget = SLOW_BLOCK_TOKENS if assistant_abilities(instance).is_slow else MAX_BLOCK_TOKENS
    context = block(entries, nonce=nonce, question=question, budget=budget)
    return RecalledContext(
        result,
        context,
        _portrait(instance, end_user, nonce) if end_user in people else "",
        {line.ref: hit for hit, line in lines if line.ref in context.shown},
        {line.ref: fact for fact, line in facts if line.ref in context.shown},
    )


def context_for_message(
    instance: Instance,
    message: str,
    *,
    end_user: str,
    conversation: Conversation | None,
    agent: Agent | None = None,
    reach: Reach = Reach.ALL,
    only_clear: bool = False,
    pins: Sequence[Memory] | None = None,
) -> MessageContext:
    """The context for a *message* of *conversation*, counted as recalled; *only_clear*, what is
    clearly about the same thing; *agent* and *pins* as in `build_context`, within *reach*. Never
    raises: a failure is reported as the problem.
    """
    began = time.monotonic()
    options = RecallOptions(
        limit=instance.top_k,
        reach=reach,
        current_conversation=conversation,
        is_message=True,
        only_clear=only_clear,
    )
    try:
        question = without_recalled(message)
        context = build_context(
            instance, question, end_user=end_user, agent=agent, options=options, pins=pins
        )
        note_recalled(instance, list(context.shown.values()))
    except Exception as error:
        logger.exception("recall in instance %s failed", instance.pk)
        return MessageContext(
            _portrait(instance, end_user, nonce_of(instance, end_user, conversation)),
            problem=translatable(
                "The memory could not be searched (%(kind)s).", kind=type(error).__name__
            ),
            milliseconds=_since(began),
        )
    return MessageContext(
        context.text,
        {ref: address_of(hit) for ref, hit in context.shown.items()}
        | {ref: fact_address(fact.subject_id) for ref, fact in context.facts.items()},
        [_logged(ref, hit) for ref, hit in context.shown.items()]
        + [_logged_fact(ref, fact) for ref, fact in context.facts.items()],
        context.problem,
        _since(began),
    )


def _facts(
    instance: Instance,
    question: str,
    people: Sequence[str],
    moment: datetime | None,
    policy: SendingPolicy,
) -> list[tuple[RelationFact, Entry]]:
    """The relations of the entities that *question* names, each with its entry."""
    named = entities_named_in(instance, people, question)
    as_of = instance.date_of(moment) if moment else None
    facts = relations_of(instance, people, named, as_of=as_of, limit=MAX_RELATIONS)
    # Those that share the most words with the question first; of equals, open and new ones.
    facts = sorted(facts, key=lambda fact: -shared(fact.sentence, question))[:MAX_FACTS]
    lines = ((fact, fact_entry(instance, fact)) for fact in facts)
    withheld = policy.withheld_statements({each for fact in facts for each in fact.statements})
    return [
        (fact, line)
        for fact, line in lines
        if line is not None
        and withheld.isdisjoint(fact.statements)
        and policy.allows(line.text, end_user=fact.end_user, tier=fact.tier)
    ]


def fact_entry(instance: Instance, fact: RelationFact) -> Entry | None:
    """The entry for *fact*; None where the PII policy of *instance* refuses its text."""
    text = tellable(fact.sentence, instance.pii_policy)
    on = fact.valid_from or instance.date_of(fact.said_at)
    kind = f"relation, {fact.provenance}"
    return Entry(f"r{fact.id}", text, on, kind, source=EntrySource.RELATION) if text else None


def addresses(memory_ids: Iterable[int]) -> dict[str, str]:
    """The ids of memories as they are cited, with the addresses of their pages."""
    return {f"m{pk}": reverse("memory", args=[pk]) for pk in memory_ids}


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _since(began: float) -> int:
    return round((time.monotonic() - began) * 1000)


def _portrait(instance: Instance, end_user: str, nonce: str) -> str:
    policy = policy_for_model(instance)
    try:
        summary = summed_up(instance, end_user)
        return portrait(summary, nonce=nonce) if policy.allows_text(summary) else ""
    except Exception:
        logger.exception("the summary in instance %s could not be read", instance.pk)
        return ""


def address_of(hit: Hit) -> str:
    """The page of a hit: the memory, the drawer, or the message in its transcript."""
    return (hit.memory or hit.drawer or hit.said).get_absolute_url()


def fact_address(entity_id: int) -> str:
    """The page of an entity with its relations and their evidence."""
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
