"""Judged facts as candidates for memories: those that may be stored, and those that may not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils import timezone

from conversations.models import ConversationOrigin, Message, Role
from instances.models import Instance
from instances.tiers import Tier
from instances.translatable import translatable
from memoryapp.extraction.gate import JudgedFact
from memoryapp.llm.answers import Dropped
from memoryapp.models import Origin
from memoryapp.pipeline import Candidate, Unfit, admit
from memoryapp.pipeline.validation import Admitted
from memoryapp.trust.refusals import RefusedCandidate


@dataclass(frozen=True)
class SortedCandidates:
    """Facts of a reading, by what becomes of them."""

    fit: list[Admitted]
    #: What the gate refuses, as people are shown it.
    refused: list[RefusedCandidate]
    #: Why each of the others is not stored.
    dropped: list[Dropped]


def sort_out(
    instance: Instance,
    judged: Sequence[JudgedFact],
    messages: Mapping[int, Message],
    *,
    source_text: str = "",
) -> SortedCandidates:
    """Sort *judged* facts, stated by *messages*, which are given by position. They were learned
    from *source_text*; if it is empty, each from the message that states it.
    """
    passing: list[Candidate] = []
    refused: list[RefusedCandidate] = []
    unfit: list[Unfit] = []
    # A model may answer in another order than that in which people said it.
    for each in sorted(judged, key=lambda each: each.fact.message):
        message = messages[each.fact.message]
        candidate = _candidate(each, message, source_text or message.content)
        if each.refusal is None:
            passing.append(candidate)
            continue
        # It is shown to people: without secrets, and without what they have deleted.
        shown, hidden = admit(instance, [candidate])
        refused += [RefusedCandidate(admitted, each.refusal) for admitted in shown]
        unfit += hidden
    fit, not_admitted = admit(instance, passing)
    positions = {message.pk: position for position, message in messages.items()}
    reasons = [
        (each.candidate, translatable("was refused: %(problem)s", problem=each.problem.text))
        for each in [*not_admitted, *unfit]
    ] + [(each.candidate, each.refusal.words) for each in refused]
    dropped = [Dropped(positions[each.message_id or 0], reason) for each, reason in reasons]
    return SortedCandidates(fit, refused, dropped)


def _candidate(judged: JudgedFact, message: Message, source_text: str) -> Candidate:
    fact = judged.fact
    of_mem0 = message.conversation.origin == ConversationOrigin.MEM0
    return Candidate(
        content=fact.content,
        category=fact.category,
        importance=fact.importance,
        tags=fact.tags,
        valid_until=judged.valid_until,
        # Its reader has looked for one.
        has_no_end=judged.valid_until is None,
        key=judged.key,
        value=judged.value,
        end_user=message.conversation.end_user,
        origin=_origin(judged, message),
        tier=judged.tier,
        confidence=fact.confidence,
        area=fact.area,
        said_at=message.sent_at,
        # In mem0's API, a memory is created when the message was sent that states it.
        created_at=message.sent_at if of_mem0 else None,
        updated_at=timezone.now() if of_mem0 else None,
        conversation_id=message.conversation_id,
        message_id=message.pk,
        metadata=message.metadata,
        source_text=source_text,
    )


def _origin(judged: JudgedFact, message: Message) -> Origin:
    """The origin of a fact. Only the messages decide whether it is a tool's, or the user's wish."""
    if message.role == Role.TOOL:
        return Origin.TOOL_CALL
    source = Origin(judged.fact.source)
    if source is Origin.TOOL_CALL or judged.tier < Tier.USER:
        return Origin.CONVERSATION
    return source
