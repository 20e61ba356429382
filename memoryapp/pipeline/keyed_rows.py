"""Memories with keys: the row that a fact belongs to, and how the fact changes it.
`policy.keyed_facts` decides between two values.
"""

from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from instances.models import Instance
from memoryapp.models import Memory, Origin
from memoryapp.pipeline.candidates import Candidate, Writer
from memoryapp.policy.keyed_facts import KeyedFact, KeyedVerdict, is_single_valued, weigh


def verdict(memory: Memory, candidate: Candidate) -> KeyedVerdict:
    """Decide what *candidate* does to the fact in *memory*."""
    return weigh(_fact(memory), _fact(candidate), today=timezone.localdate())


def changes(memory: Memory, candidate: Candidate, *, taken: bool) -> dict[str, Any]:
    """The changes of key, value and confidence when *candidate* gives *memory* a new text; empty if
    neither has a key. *taken*: another memory has the key of *candidate*.
    """
    if not (memory.key or candidate.key):
        return {}
    changed: dict[str, Any] = {"verified_at": timezone.now()}
    repeats = bool(memory.key) and verdict(memory, candidate).confirms
    if repeats:
        changed["confidence"] = max(memory.confidence or 0, candidate.confidence or 0)
    if candidate.key and not taken:
        changed |= {"key": candidate.key, "value": candidate.value}
    elif not repeats:
        # Another value that may belong to another key.
        changed |= {"key": "", "value": ""}
    return changed


def confirmed(memory: Memory, candidate: Candidate, *, taken: bool) -> dict[str, Any]:
    """The changes when *candidate* states again a fact of which either has a key: it keeps the
    highest confidence, and gets the key of *candidate* if it has none and no other memory has
    *taken* it.
    """
    changed: dict[str, Any] = {
        "verified_at": timezone.now(),
        "confidence": max(memory.confidence or 0, candidate.confidence or 0),
    }
    if candidate.key and not memory.key and not taken:
        changed |= {"key": candidate.key, "value": candidate.value}
    return changed


def key_is_taken(memory: Memory, key: str) -> bool:
    """True if another fact about the same person has this *key*, which has one value at a time. The
    lock of the person keeps others from taking it meanwhile.
    """
    if not is_single_valued(key, memory.instance.single_valued_keys):
        return False
    others = Memory.objects.filter(instance=memory.instance_id, end_user=memory.end_user, key=key)
    return others.exclude(pk=memory.pk).exists()


def clear_taken_ids(instance: Instance, memories: Sequence[Memory]) -> None:
    """Clear the ids by which programs know memories that are to be stored again, where others have
    them meanwhile: external ids, and keys with one value at a time. All facts stay, and a person
    decides between them.
    """
    if not memories:
        return
    others = Memory.objects.filter(instance=instance).exclude(
        pk__in=[memory.pk for memory in memories]
    )
    external_ids = {memory.external_id for memory in memories} - {""}
    taken = set(others.filter(external_id__in=external_ids).values_list("external_id", flat=True))
    single = instance.single_valued_keys
    keys = {memory.key for memory in memories if is_single_valued(memory.key, single)}
    owned = set(others.filter(key__in=keys).values_list("end_user", "key"))
    for memory in memories:
        if memory.external_id in taken:
            memory.external_id = ""
        taken |= {memory.external_id} - {""}
        if memory.key in keys:
            if (memory.end_user, memory.key) in owned:
                memory.key = memory.value = ""
            owned.add((memory.end_user, memory.key))


def as_heard(memory: Memory, candidate: Candidate, writer: Writer) -> dict[str, Any]:
    """The columns of the revision that records a value which does not replace that of *memory*."""
    now = timezone.now()
    return {
        "category": memory.category,
        "importance": candidate.assessed_importance or memory.importance,
        "tags": list(candidate.tags),
        "key": memory.key,
        "value": candidate.value or memory.value,
        "valid_until": candidate.valid_until,
        "expires_at": candidate.expires_at,
        "origin": candidate.origin or Origin.API,
        "tier": candidate.tier,
        "confidence": candidate.confidence,
        "metadata": memory.metadata | dict(candidate.metadata),
        "said_at": candidate.said_at or now,
        "valid_from": now,
        "replaced_at": now,
        "by": writer.by.user,
    }


def _fact(row: Memory | Candidate) -> KeyedFact:
    return KeyedFact(
        row.content,
        row.value,
        row.tier,
        row.said_at or timezone.now(),
        row.valid_until,
        Origin(row.origin or Origin.API).confidence if row.confidence is None else row.confidence,
        row.key,
    )
