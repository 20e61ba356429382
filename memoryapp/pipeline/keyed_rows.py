"""Memories with keys: the row that a fact belongs to, and how the fact changes it.
`policy.keyed_facts` decides between two values.
"""

from typing import Any

from django.utils import timezone

from instances.models import Instance
from memoryapp.models import Memory, MemoryRevision, Origin
from memoryapp.pipeline.candidates import Candidate, Writer
from memoryapp.policy.dedup import Action, Decision
from memoryapp.policy.keyed_facts import KeyedFact, KeyedVerdict, is_single_valued, weigh


def decision(instance: Instance, candidate: Candidate) -> Decision | None:
    """Decide by the key of *candidate*; None if no memory has it, or if it may have several values.
    The lock of the person keeps others from adding one meanwhile.
    """
    if not is_single_valued(candidate.key, instance.single_valued_keys):
        return None
    existing = Memory.objects.in_instance(instance).filter(
        end_user=candidate.end_user, key=candidate.key
    )
    pk = existing.values_list("pk", flat=True).first()
    return None if pk is None else Decision(Action.DUPLICATE, pk)


def verdict(memory: Memory, candidate: Candidate) -> KeyedVerdict:
    """Decide what *candidate* does to the fact in *memory*."""
    return weigh(_fact(memory), _fact(candidate), today=timezone.localdate())


def changes(memory: Memory, candidate: Candidate) -> dict[str, Any]:
    """The changes of key, value and confidence when *candidate* gives *memory* a new text; empty if
    neither has a key.
    """
    if not (memory.key or candidate.key):
        return {}
    changed: dict[str, Any] = {"verified_at": timezone.now()}
    repeats = bool(memory.key) and verdict(memory, candidate) is not KeyedVerdict.REPLACES
    if repeats:
        changed["confidence"] = max(memory.confidence or 0, candidate.confidence or 0)
    if candidate.key and not key_is_taken(memory, candidate.key):
        changed |= {"key": candidate.key, "value": candidate.value}
    elif not repeats:
        # Another value that may belong to another key.
        changed |= {"key": "", "value": ""}
    return changed


def confirmed(memory: Memory, candidate: Candidate) -> dict[str, Any]:
    """The changes when *candidate* states again a fact of which either has a key: it keeps the
    highest confidence, and gets the key of *candidate* if it has none and the key is free.
    """
    changed: dict[str, Any] = {
        "verified_at": timezone.now(),
        "confidence": max(memory.confidence or 0, candidate.confidence or 0),
    }
    if candidate.key and not memory.key and not key_is_taken(memory, candidate.key):
        changed |= {"key": candidate.key, "value": candidate.value}
    return changed


def key_is_taken(memory: Memory, key: str) -> bool:
    """Whether another fact about the same person has this *key*, which has one value at a time. The
    lock of the person keeps others from taking it meanwhile.
    """
    if not is_single_valued(key, memory.instance.single_valued_keys):
        return False
    others = Memory.objects.filter(instance=memory.instance_id, end_user=memory.end_user, key=key)
    return others.exclude(pk=memory.pk).exists()


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
            "tier": candidate.tier,
            "confidence": candidate.confidence,
            "metadata": memory.metadata | dict(candidate.metadata),
            "valid_from": now,
            "replaced_at": now,
            "by": writer.by.user,
        },
    )
    return revision


def _fact(row: Memory | Candidate) -> KeyedFact:
    return KeyedFact(
        row.content, row.value, row.tier, row.said_at or timezone.now(), row.valid_until
    )
