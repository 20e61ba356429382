"""Turns hits into entries for a model."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from django.utils import timezone

from conversations.models import Message, Role
from instances.models import Instance
from instances.tiers import Tier
from memoryapp.disclosure import told_to_model
from memoryapp.language.speakers import speaker
from memoryapp.models import Contradiction, Drawer, Memory
from memoryapp.policy.quotation import quoted_words
from memoryapp.recall.entries import Entry, EntrySource
from memoryapp.recall.results import Hit
from memoryapp.suppression.sensitivity import may_be_sent

#: Roles whose messages are shown to a model; instructions and tool results are not.
SPEAKERS = (Role.USER, Role.ASSISTANT)
#: Memories that an entry names as those that it may contradict.
MAX_DISPUTED = 2


def memory_ref(memory: Memory) -> str:
    """The id by which a model can cite *memory*."""
    return f"m{memory.pk}"


def memory_entries(memories: Sequence[Memory], *, today: date | None = None) -> list[Entry]:
    """The entries for *memories*: each tells where it comes from, what it may contradict, and
    whether it is over on the day that is taken for *today*.
    """
    disputed = Contradiction.objects.by_memory(memories)
    today = today or timezone.localdate()
    return [_memory_entry(memory, today, disputed.get(memory.pk, ())) for memory in memories]


def _memory_entry(memory: Memory, today: date, disputed: Iterable[Memory]) -> Entry:
    kind = f"{memory.category} {memory.key}".strip()
    others = [f"{memory_ref(other)} of {other.said_at.date().isoformat()}" for other in disputed]
    kinds = [kind, memory.provenance]
    kinds += ["pinned"] if memory.pinned else []
    kinds += [f"may contradict {' and '.join(others[:MAX_DISPUTED])}"] if others else []
    on = memory.said_at.date()
    return Entry(
        memory_ref(memory),
        memory.content,
        on,
        ", ".join(kinds),
        memory.valid_until,
        has_ended=memory.is_expired(today),
    )


def ref(hit: Hit) -> str:
    """The id by which a model can cite *hit*: m… for a memory, the pointer of a drawer, s… for a
    message that is not filed.
    """
    if hit.memory:
        return memory_ref(hit.memory)
    return str(hit.drawer) if hit.drawer else f"s{hit.said.pk}"


def entries_for(
    instance: Instance, hits: Iterable[Hit], *, today: date | None = None
) -> list[tuple[Hit, Entry]]:
    """The *hits* that a model may be shown, each with its entry, as of *today*.

    A message that the PII policy of *instance* refuses is left out, and so is what is about a
    sensitive area that its model may not be sent.
    """
    hits = list(hits)
    of_memories = {
        line.ref: line
        for line in memory_entries([hit.memory for hit in hits if hit.memory], today=today)
    }
    pairs = (
        (hit, of_memories[ref(hit)] if hit.memory else _other_entry(instance, hit)) for hit in hits
    )
    return [
        (hit, line) for hit, line in pairs if line is not None and may_be_sent(instance, line.text)
    ]


def _other_entry(instance: Instance, hit: Hit) -> Entry | None:
    """The entry for *hit*, which is no memory; None if a model may not be shown it."""
    if hit.message is None:
        return _turn(instance, hit, hit.filed, hit.filed.said_at.date(), "note")
    message = hit.message
    if message.role not in SPEAKERS:
        return None
    said_by = f"said by {speaker(str(message.role), message.author)}"
    if message.tier < Tier.of_role(message.role):
        said_by += f", {message.tier.in_words}"
    entry = _turn(instance, hit, message, message.sent_at.date(), said_by)
    if entry and message.role == Role.USER and quoted_words(entry.text):
        return replace(entry, kind=f"{entry.kind}, with quoted text")
    return entry


def _turn(instance: Instance, hit: Hit, row: Message | Drawer, on: date, kind: str) -> Entry | None:
    text = told_to_model(instance, row)
    return Entry(ref(hit), text, on, kind, source=EntrySource.TURN) if text else None
