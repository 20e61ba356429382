"""Turns hits into entries for a model."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from django.db.models import prefetch_related_objects
from django.utils import timezone

from conversations.models import Message, Role
from instances.models import Instance
from instances.models.groups import group_names
from instances.tiers import Tier
from memoryapp.disclosure import told_to_model
from memoryapp.language.speakers import speaker
from memoryapp.models import Contradiction, Drawer, Memory
from memoryapp.policy.quotation import quoted_words
from memoryapp.recall.entries import Entry, EntrySource
from memoryapp.recall.results import Hit
from memoryapp.suppression.sending import SendingPolicy

#: Roles whose messages are shown to a model; instructions and tool results are not.
SPEAKERS = (Role.USER, Role.ASSISTANT)
#: Memories that an entry names as those that it may contradict.
MAX_DISPUTED = 2


def memory_ref(memory: Memory) -> str:
    """The id by which a model can cite *memory*."""
    return f"m{memory.pk}"


def memory_entries(
    instance: Instance,
    memories: Sequence[Memory],
    policy: SendingPolicy,
    *,
    today: date | None = None,
    groups: Mapping[str, str] | None = None,
) -> list[Entry]:
    """The entries for those of *memories* that *policy* allows: each tells where it comes from, who
    shares it, what it may contradict, and whether it is over on the day that is taken for *today*.
    *groups* are the names of groups as `group_names` returns them, where they are known already.
    """
    memories = list(filter(policy.allows_memory, memories))
    disputed = Contradiction.objects.by_memory(memories)
    shared = group_names(instance) if groups is None else groups
    today = today or timezone.localdate()
    return [
        _memory_entry(memory, today, disputed.get(memory.pk, ()), shared.get(memory.end_user))
        for memory in memories
    ]


def _memory_entry(
    memory: Memory, today: date, disputed: Iterable[Memory], group: str | None
) -> Entry:
    kind = f"{memory.category} {memory.key}".strip()
    others = [f"{memory_ref(other)} of {other.said_at.date().isoformat()}" for other in disputed]
    kinds = [kind, memory.provenance]
    kinds += [_shared(group)] if group else []
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
    instance: Instance, hits: Iterable[Hit], policy: SendingPolicy, *, today: date | None = None
) -> list[tuple[Hit, Entry]]:
    """The *hits* that a model may be shown, each with its entry, as of *today*.

    A message that the PII policy of *instance* refuses is left out, and so is what *policy* keeps
    from this model.
    """
    hits, groups = list(hits), group_names(instance)
    memories = [hit.memory for hit in hits if hit.memory]
    of_memories = {
        line.ref: line
        for line in memory_entries(instance, memories, policy, today=today, groups=groups)
    }
    messages = [hit.message for hit in hits if hit.message and not hit.memory]
    prefetch_related_objects(messages, "conversation")
    withheld = policy.withheld_messages([message.pk for message in messages])
    pairs = (
        (hit, of_memories.get(ref(hit)))
        if hit.memory
        else (hit, _turn_entry(instance, hit, groups, policy, withheld))
        for hit in hits
    )
    return [(hit, line) for hit, line in pairs if line is not None]


def _turn_entry(
    instance: Instance,
    hit: Hit,
    groups: Mapping[str, str],
    policy: SendingPolicy,
    withheld: Collection[int],
) -> Entry | None:
    if hit.message and hit.message.pk in withheld:
        return None
    people = (hit.shared_with, hit.end_user)
    shared = next((groups[each] for each in people if each is not None and each in groups), None)
    line = _other_entry(instance, hit, shared)
    # People write notes.
    tier = hit.message.tier if hit.message else Tier.PERSON
    return line if line and policy.allows_of_all(line.text, people, tier=tier) else None


def _shared(group: str) -> str:
    """The words for an entry that need not be about the person who asks."""
    return f"shared by {group}"


def _shared_with(group: str) -> str:
    """The same for what is another person’s, and a group is told."""
    return f"shared with {group}"


def _owner(hit: Hit) -> str:
    """Label of the person whose conversation or note is shared, who need not be the one who asks:
    always with a name.
    """
    name = hit.message.author if hit.message else ""
    return speaker("user", name or hit.end_user or "without a name")


def _other_entry(instance: Instance, hit: Hit, group: str | None) -> Entry | None:
    """The entry for *hit*, which is no memory and may be shared by a *group*; None if a model may
    not be shown it.
    """
    how = _shared if hit.shared_with is None else _shared_with
    shared = f", {how(group)}" if group else ""
    if hit.message is None:
        kind = f"note of {_owner(hit)}" if hit.shared_with is not None else "note"
        return _turn(instance, hit, hit.filed, hit.filed.said_at.date(), f"{kind}{shared}")
    message = hit.message
    if message.role not in SPEAKERS:
        return None
    by_another = hit.shared_with is not None and message.role == Role.USER
    said_by = _owner(hit) if by_another else speaker(str(message.role), message.author)
    said_by = f"said by {said_by}"
    if message.tier < Tier.of_role(message.role):
        said_by += f", {message.tier.in_words}"
    said_by += shared
    entry = _turn(instance, hit, message, message.sent_at.date(), said_by)
    if entry and message.role == Role.USER and quoted_words(entry.text):
        return replace(entry, kind=f"{entry.kind}, with quoted text")
    return entry


def _turn(instance: Instance, hit: Hit, row: Message | Drawer, on: date, kind: str) -> Entry | None:
    text = told_to_model(instance, row)
    return Entry(ref(hit), text, on, kind, source=EntrySource.TURN) if text else None
