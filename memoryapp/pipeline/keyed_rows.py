"""Facts with keys in the store: which row one belongs to, and what hearing of it again does to that
row. `policy.keyed_facts` decides between two values; here are the rows.
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
    """Return *candidate* with who says so, and how sure that is."""
    origin = Origin(candidate.origin or writer.origin)
    sure = origin.confidence if candidate.confidence is None else candidate.confidence
    return replace(candidate, origin=origin, confidence=sure)


def decision(instance: Instance, candidate: Candidate) -> Decision | None:
    """The memory that has the key of *candidate*; None: there is none. Under the lock of that
    person, nobody else makes one meanwhile.
    """
    if not candidate.key:
        return None
    existing = Memory.objects.in_instance(instance).filter(
        end_user=candidate.end_user, category=candidate.category, key=candidate.key
    )
    pk = existing.values_list("pk", flat=True).first()
    return None if pk is None else Decision(Action.DUPLICATE, pk)


def verdict(memory: Memory, candidate: Candidate) -> KeyedVerdict:
    """What *candidate* does to the fact that *memory* is."""
    return weigh(_fact(memory), _fact(candidate), today=timezone.localdate())


def changes(memory: Memory, candidate: Candidate) -> dict[str, Any]:
    """What becomes of key, value and support when *candidate* gives *memory* its new text; nothing
    where neither is a fact with a key.
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
        # A new wording: the key stays, and the category under which it is known.
        changed["category"] = memory.category
    else:
        # Another value, without a statement that it belongs to this key.
        changed |= {"key": "", "value": ""}
    return changed


def confirm(memory: Memory, candidate: Candidate) -> None:
    """Note that a fact has been heard again; the best support that it ever had is its own. One that
    had no key so far gets the one that it was heard with, if that is free.
    """
    memory.verified_at = timezone.now()
    memory.confidence = max(memory.confidence or 0, candidate.confidence or 0)
    if candidate.key and not memory.key and not key_is_taken(memory, candidate.key):
        memory.key, memory.value = candidate.key, candidate.value
    memory.stale_since = None
    memory.save(update_fields=["verified_at", "confidence", "key", "value", "stale_since"])


def key_is_taken(memory: Memory, key: str, category: str = "") -> bool:
    """Whether another fact about the same person has this *key* already. Under the lock of that
    person, nobody else takes it meanwhile.
    """
    others = Memory.objects.filter(
        instance=memory.instance_id,
        end_user=memory.end_user,
        category=category or memory.category,
        key=key,
    )
    return bool(key) and others.exclude(pk=memory.pk).exists()


def note_heard(memory: Memory, candidate: Candidate, writer: Writer) -> MemoryRevision:
    """Keep in the history of *memory* what was said otherwise; the same sentence once."""
    now = timezone.now()
    heard, _ = MemoryRevision.objects.update_or_create(
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
    return heard


def _fact(said: Memory | Candidate) -> KeyedFact:
    # A memory may have been written before its source was asked how sure it is.
    sure = Origin(said.origin or Origin.API).confidence
    return KeyedFact(
        said.content,
        said.value,
        sure if said.confidence is None else said.confidence,
        said.valid_until,
    )
