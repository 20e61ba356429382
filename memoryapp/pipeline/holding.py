"""Holds statements until a person has looked at them: what comes from below the user and speaks to
the assistant, or may contradict what a higher tier has said, which `policy.review` decides, and
what is about a sensitive area that waits in the instance.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.functions import MD5, Lower

from instances.models import Instance
from instances.tiers import Tier, TierHandling
from memoryapp.embeddings.background import scale_of_facts
from memoryapp.models import HeldStatement, Memory, Origin
from memoryapp.models.fact_matches import SoughtFact, find_matches
from memoryapp.pipeline import keyed_rows, sensitivity
from memoryapp.pipeline.candidates import Candidate, Outcome, Writer
from memoryapp.pipeline.packed_candidates import packed
from memoryapp.pipeline.plan import Plan
from memoryapp.policy import review
from memoryapp.policy.dedup import Action, Neighbour
from memoryapp.policy.keyed_facts import is_single_valued
from memoryapp.policy.labels import united

#: Memories of higher tiers that a statement is compared with if there are no vectors.
MAX_LATEST = 300


def held_back(instance: Instance, plans: Sequence[Plan], writer: Writer) -> list[Outcome | None]:
    """Hold or ignore candidates of *plans*, which are of one call; return an outcome for each, and
    None for those that may be stored. The caller holds the locks of their people.
    """
    outcomes = _sensitive(instance, plans, writer)
    for tier in (Tier.DOCUMENT, Tier.TOOL, Tier.ASSISTANT):
        numbers = [
            number
            for number, plan in enumerate(plans)
            if plan.candidate.tier == tier
            and not plan.candidate.approved
            and number not in outcomes
        ]
        if numbers:
            held = _held_of_tier(instance, tier, [plans[number] for number in numbers], writer)
            outcomes |= {numbers[place]: outcome for place, outcome in held.items()}
    return [outcomes.get(number) for number in range(len(plans))]


def _sensitive(instance: Instance, plans: Sequence[Plan], writer: Writer) -> dict[int, Outcome]:
    """Hold what is about an area that waits. What a person types does not wait for a person."""
    if writer.origin == Origin.MANUAL:
        return {}
    hold = review.Hold(review.ReviewReason.SENSITIVE)
    return {
        number: hold_statement(instance, plan.candidate, hold, writer, plan.batch)
        for number, plan in enumerate(plans)
        if not plan.candidate.approved and sensitivity.waits(instance, plan.candidate)
    }


def _held_of_tier(
    instance: Instance, tier: Tier, plans: Sequence[Plan], writer: Writer
) -> dict[int, Outcome]:
    handling = instance.handling_of(tier)
    if handling == TierHandling.IGNORE:
        return {
            number: Outcome(_not_stored(plan.candidate), Action.IGNORED)
            for number, plan in enumerate(plans)
        }
    above = _Above.of(instance, tier, plans)
    held = {}
    for number, plan in enumerate(plans):
        candidate = plan.candidate
        if _who_and_what(candidate) in above.texts:
            continue
        hold = review.hold(
            candidate.content,
            candidate.key,
            above.near[number],
            above.with_other_value(candidate),
        )
        if hold is None and handling == TierHandling.HOLD:
            hold = review.Hold(review.ReviewReason.TIER)
        if hold is not None:
            held[number] = hold_statement(instance, candidate, hold, writer, plan.batch)
    return held


@dataclass
class _Above:
    """Statements of higher tiers about the people whom the statements of a tier are about."""

    instance: Instance
    #: Who and which text is remembered, by whatever tier: a repetition changes nothing.
    texts: set[tuple[str, str]]
    #: For each statement, the memories of higher tiers that may be about the same thing.
    near: list[list[Neighbour]]
    #: Memories of higher tiers with a key of the statements, by person and key.
    keyed: dict[tuple[str, str], list[Memory]] = field(default_factory=dict)

    @classmethod
    def of(cls, instance: Instance, tier: Tier, plans: Sequence[Plan]) -> "_Above":
        people = {plan.candidate.end_user for plan in plans}
        persons = Memory.objects.in_instance(instance).filter(end_user__in=people).order_by()
        said = [_who_and_what(plan.candidate) for plan in plans]
        # As the index `memory_same_text` has them.
        hashes = {hashlib.md5(text.encode(), usedforsecurity=False).hexdigest() for _, text in said}
        texts = persons.alias(text_md5=MD5(Lower("content"))).filter(text_md5__in=hashes)
        above = persons.filter(tier__gt=tier)
        found = cls(
            instance,
            {(row.end_user, row.content.lower()) for row in texts.only("end_user", "content")},
            _near(instance, tier, plans, above),
        )
        keys = {plan.candidate.key for plan in plans if plan.candidate.key}
        for memory in above.filter(key__in=keys).defer("search") if keys else ():
            found.keyed.setdefault((memory.end_user, memory.key), []).append(memory)
        return found

    def with_other_value(self, candidate: Candidate) -> list[int]:
        """The ids of memories with the single-valued key of *candidate*, and another value."""
        if not is_single_valued(candidate.key, self.instance.single_valued_keys):
            return []
        return [
            memory.pk
            for memory in self.keyed.get((candidate.end_user, candidate.key), ())
            if not keyed_rows.verdict(memory, candidate).confirms
        ]


def _who_and_what(candidate: Candidate) -> tuple[str, str]:
    return candidate.end_user, candidate.content.lower()


def _near(
    instance: Instance, tier: Tier, plans: Sequence[Plan], above: QuerySet[Memory]
) -> list[list[Neighbour]]:
    if any(plan.vector is None for plan in plans):
        return _near_by_words(tier, plans, above)
    scale = scale_of_facts(instance, plans[0].space)
    matches = find_matches(
        instance,
        [
            SoughtFact(plan.candidate.end_user, plan.candidate.content, vector=plan.vector)
            for plan in plans
        ],
        plans[0].space,
        least=scale.cosine(review.SAME_SUBJECT),
        batch=plans[0].batch,
        above=tier,
    )
    memories = Memory.objects.only("content", "tier").in_bulk(
        {pk for match in matches for pk in match.near}
    )
    return [
        [
            Neighbour(
                pk,
                memories[pk].content,
                scale.similarity(cosine),
                tiers_above=memories[pk].tier - tier,
            )
            for pk, cosine in match.near.items()
            if pk in memories
        ]
        for match in matches
    ]


def _near_by_words(
    tier: Tier, plans: Sequence[Plan], above: QuerySet[Memory]
) -> list[list[Neighbour]]:
    """Without vectors, words alone tell what may be about the same thing."""
    latest: dict[str, list[tuple[Memory, set[str]]]] = {}
    for memory in above.order_by("-pk").only("content", "tier", "end_user")[:MAX_LATEST]:
        known = latest.setdefault(memory.end_user, [])
        known.append((memory, review.topics_of(memory.content)))
    near = []
    for plan in plans:
        topics = review.topics_of(plan.candidate.content)
        near.append(
            [
                Neighbour(
                    memory.pk,
                    memory.content,
                    review.shared_topics(topics, known),
                    tiers_above=memory.tier - tier,
                )
                for memory, known in latest.get(plan.candidate.end_user, ())
            ]
        )
    return near


def hold_statement(
    instance: Instance, candidate: Candidate, hold: review.Hold, writer: Writer, batch: UUID
) -> Outcome:
    """Have an admitted *candidate* wait for a person; ignore it if one has rejected it before."""
    held, is_new = HeldStatement.objects.get_or_create(
        instance=instance,
        digest=_digest_of(candidate, writer.by.via),
        defaults={
            "end_user": candidate.end_user,
            "content": candidate.content,
            "tier": candidate.tier,
            "reason": hold.reason.value,
            "contradicts": list(hold.contradicts),
            "as_memory": packed(candidate),
            "conversation_id": candidate.conversation_id,
            "message_id": candidate.message_id,
            "via": writer.by.via,
            "batch": batch,
        },
    )
    if not is_new and held.rejected_at is None:
        held.as_memory["labels"] = united(held.as_memory["labels"], candidate.labels)
        held.save(update_fields=["as_memory"])
    action = Action.HELD if held.rejected_at is None else Action.IGNORED
    return Outcome(
        _not_stored(candidate),
        action,
        redactions=candidate.redactions,
        contradicts=hold.contradicts,
        held=held,
    )


def _digest_of(candidate: Candidate, via: str) -> str:
    """The hash by which the same statement of the same source is recognised."""
    source = f"conversation {candidate.conversation_id}" if candidate.conversation_id else via
    parts = [candidate.end_user, source, candidate.content.casefold()]
    return hashlib.sha256("\n".join(parts).encode("utf-8", "replace")).hexdigest()


def _not_stored(candidate: Candidate) -> Memory:
    return Memory(content=candidate.content, end_user=candidate.end_user, tier=candidate.tier)
