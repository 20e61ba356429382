"""Finds the memories that may be the same fact as a new one, for all facts of a call together."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from instances.models import Instance
from memoryapp.embeddings.background import scale_of_facts
from memoryapp.models import Memory
from memoryapp.models.fact_matches import FactMatches, SoughtFact, find_matches
from memoryapp.models.prepared_statements import lock_rows
from memoryapp.pipeline.candidates import Candidate
from memoryapp.pipeline.plan import Plan
from memoryapp.policy.dedup import Neighbour, nearest_that_counts
from memoryapp.policy.keyed_facts import is_single_valued


def matches_of(
    instance: Instance, plans: Sequence[Plan], *, least: float = 1.0
) -> list[FactMatches]:
    """Return the stored memories that the facts of *plans*, which come from one call, may be about:
    by meaning, down to the similarity that counts for `decide` or to *least* if that is lower, and
    by id, key and equal text, which work without vectors. Similarities are on the common scale.
    """
    if not plans:
        return []
    scale = scale_of_facts(instance, plans[0].space)
    least = min(least, nearest_that_counts(instance.dedup_exact, instance.dedup_update))
    matches = find_matches(
        instance,
        [
            SoughtFact(
                plan.candidate.end_user,
                plan.candidate.content,
                plan.candidate.external_id,
                plan.candidate.key,
                plan.candidate.value,
                is_single_valued(plan.candidate.key, instance.single_valued_keys),
                plan.vector,
            )
            for plan in plans
        ],
        plans[0].space,
        least=scale.cosine(least),
        batch=plans[0].batch,
    )
    for match in matches:
        match.near = {pk: scale.similarity(cosine) for pk, cosine in match.near.items()}
    return matches


@dataclass(frozen=True)
class KnownMemories:
    """The memories that the facts of one call may be about."""

    #: For each fact, the ids of those that it may be.
    matches: Sequence[FactMatches]
    memories: dict[int, Memory]


def known_memories(
    instance: Instance, plans: Sequence[Plan], *, lock: bool = True
) -> KnownMemories:
    """Load the stored memories that the facts of *plans*, which come from one call, may be about.
    They are locked, because an assessment changes rows without the locks of the people.
    """
    matches = matches_of(instance, plans)
    ids = {
        plan.judgement.existing_id
        for plan in plans
        if plan.judgement and plan.judgement.existing_id
    }.union(*(match.ids() for match in matches))
    memories: dict[int, Memory] = {}
    if ids and lock:
        memories = lock_rows(Memory, instance.pk, ids, without="search")
    elif ids:
        memories = Memory.objects.defer("search").in_bulk(ids)
    for memory in memories.values():
        memory.instance = instance
    return KnownMemories(matches, memories)


def look_up(instance: Instance, plans: Sequence[Plan]) -> None:
    """Fill in the neighbours of those *plans* that lack them."""
    # A model is asked about more distant ones than `decide`.
    least = instance.dedup_merge if instance.merge_with_model else 1.0
    waiting = [plan for plan in plans if plan.near is None]
    matches = matches_of(instance, waiting, least=least)
    memories = (
        Memory.objects.in_instance(instance)
        .only("content", "said_at", "batch", "tier")
        .in_bulk({pk for match in matches for pk in match.near})
        if waiting
        else {}
    )
    for plan, match in zip(waiting, matches, strict=True):
        plan.near = [
            as_neighbour(pk, memories[pk], similarity, plan)
            for pk, similarity in match.near.items()
            if pk in memories
        ]


def as_neighbour(
    pk: int,
    memory: Memory,
    similarity: float,
    plan: Plan,
    *,
    same_list: bool = False,
    same_message: bool = False,
) -> Neighbour:
    """Return *memory*, known as *pk*, as a neighbour of the fact of *plan*, from the *same_list* or
    an earlier reading of the *same_message*.
    """
    said_at = plan.candidate.said_at or timezone.now()
    return Neighbour(
        pk,
        memory.content,
        similarity,
        # Messages that come together have one time, and are read in their order.
        earlier=memory.said_at < said_at or (memory.said_at == said_at and not same_message),
        same_list=same_list,
        tiers_above=memory.tier - plan.candidate.tier,
    )


def is_comparable(memory: Memory, candidate: Candidate) -> bool:
    """True if *memory* may state the fact of *candidate*, as in `find_matches`."""
    if candidate.external_id and memory.external_id:
        return False
    if not (candidate.key and memory.key):
        return True
    same_value = memory.value.upper() == candidate.value.upper()
    return memory.key == candidate.key and same_value
