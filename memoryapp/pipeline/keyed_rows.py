"""Memories with keys: the row that a fact belongs to, and how the fact changes it.
`policy.keyed_facts` decides between two values.
"""

from dataclasses import replace
from typing import Any

from django.utils import timezone

from instances.models import Instance
from memoryapp.models import Memory, MemoryRevision, Origin
from memoryapp.pipeline.candidates import Candidate, Writer
from memoryapp.policy.dedup import Action, Decision
from memoryapp.policy.keyed_facts import KeyedFact, KeyedVerdict, weigh


def supported(candidate: Candidate, writer: Writer) -> Candidate:
    """Return *candidate* with its origin and confidence filled in."""
    origin = Origin(candidate.origin or writer.origin)
    confidence = origin.confidence if candidate.confidence is None else candidate.confidence
    return replace(candidate, origin=origin, confidence=confidence)


def decision(instance: Instance, candidate: Candidate) -> Decision | None:
    """Decide by the key of *candidate*; None if no memory has it. The lock of the person keeps
    others from adding one meanwhile.
    """
    if not candidate.key:
        return None
    existing = Memory.objects.in_instance(instance).filter(
        end_user=candidate.end_user, category=candidate.category, key=candidate.key
    )
    pk = existing.values_list("pk", flat=True).first()
    return None if pk is None else Decision(Action.DUPLICATE, pk)


def verdict(memory: Memory, candidate: Candidate) -> KeyedVerdict:
    """Decide what *candidate* does to the fact in *memory*."""
    return weigh(_fact(memory), _fact(candidate), today=timezone.localdate())


def changes(memory: Memory, candidate: Candidate) -> dict[str, Any]:
    """The changes of key, value and support when *candidate* gives *memory* a new text; empty if
    neither has a key.
    """
    if not (memory.key or candidate.key):
        return {}
    changed: dict[str, Any] = {"verified_at": timezone.now()}
    confirmed = bool(memory.key) and verdict(memory, candidate) is not KeyedVerdict.REPLACES
    if confirmed:
        changed["confidence"] = max(memory.confidence or 0, candidate.confidence or 0)
    if candidate.key and not key_is_taken(memory, candidate.key, candidate.category):
        changed |= {"key": candidate.key, "value": candidate.value}
    elif confirmed:
        # A new wording: the key stays, and the category that it belongs to.
        changed["category"] = memory.category
    else:
        # Another value that may belong to another key.
        changed |= {"key": "", "value": ""}
    return changed


def confirm(memory: Memory, candidate: Candidate) -> None:
    """Record that a fact was stated again: it keeps the highest confidence, and gets the key of
    *candidate* if it has none and the key is free.
    """
    memory.verified_at = timezone.now()
    memory.confidence = max(memory.confidence or 0, candidate.confidence or 0)
    if candidate.key and not memory.key and not key_is_taken(memory, candidate.key):
        memory.key, memory.value = candidate.key, candidate.value
    memory.stale_since = None
    memory.save(update_fields=["verified_at", "confidence", "key", "value", "stale_since"])


def key_is_taken(memory: Memory, key: str, category: str = "") -> bool:
    """Whether another fact about the same person has this *key*. The lock of the person keeps
    others from taking it meanwhile.
    """
    others = Memory.objects.filter(
        instance=memory.instance_id,
        end_user=memory.end_user,
        category=category or memory.category,
        key=key,
    )
    return bool(key) and others.exclude(pk=memory.pk).exists()


def record_outweighed(memory: Memory, candidate: Candidate, writer: Writer) -> MemoryRevision:
    """Add a value that does not replace that of *memory* to its history; each sentence once."""
    now = timezone.now()
    revision, _ = MemoryRevision.objects.update_or_create(
        memory=memory,
        reason=MemoryRevision.Reason.HEARD,
        content=candidate.content,
        defaults={
            "category": memory.category,
            "importance": candidate.importance or memory.importance,
            "tags": list(candidate.tags),
            "key": memory.key,
            "value": candidate.value or memory.value,
            "valid_until": candidate.valid_until,
            "origin": candidate.origin or Origin.API,
            "confidence": candidate.confidence,
            "metadata": memory.metadata | dict(candidate.metadata),
            "valid_from": now,
            "replaced_at": now,
            "by": writer.by.user,
        },
    )
    return revision


def _fact(row: Memory | Candidate) -> KeyedFact:
    confidence = row.confidence
    if confidence is None:
        # Old memories have none.
        confidence = Origin(row.origin or Origin.API).confidence
    return KeyedFact(row.content, row.value, confidence, row.valid_until)
