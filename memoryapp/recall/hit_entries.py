"""Turns hits into entries for a model."""

from collections.abc import Iterable
from datetime import date

from conversations.models import Role
from instances.models import Instance
from memoryapp.models import Memory
from memoryapp.recall.entries import Entry, EntrySource
from memoryapp.recall.results import Hit
from memoryapp.text.pii import PIIMode, examine, says_more
from memoryapp.text.speakers import speaker

#: Roles whose messages are shown to a model; instructions and tool results are not.
SPEAKERS = (Role.USER, Role.ASSISTANT)


def memory_ref(memory: Memory) -> str:
    """The id by which a model can cite *memory*."""
    return f"m{memory.pk}"


def memory_entry(memory: Memory) -> Entry:
    """The entry for *memory*."""
    kind = f"{memory.category} {memory.key}".strip()
    on = memory.updated_at.date()
    return Entry(memory_ref(memory), memory.content, on, kind, memory.valid_until)


def ref(hit: Hit) -> str:
    """The id by which a model can cite *hit*: m… for a memory, the pointer of a drawer, s… for a
    message that is not filed.
    """
    if hit.memory:
        return memory_ref(hit.memory)
    return str(hit.drawer) if hit.drawer else f"s{hit.said.pk}"


def entries_for(instance: Instance, hits: Iterable[Hit]) -> list[tuple[Hit, Entry]]:
    """The *hits* that a model may be shown, each with its entry.

    Messages are stored verbatim, so the PII policy of *instance* is applied to them here. A message
    that it refuses is left out.
    """
    pairs = ((hit, entry(instance, hit)) for hit in hits)
    return [(hit, line) for hit, line in pairs if line is not None]


def entry(instance: Instance, hit: Hit) -> Entry | None:
    """The entry for *hit*; None if a model may not be shown it."""
    if hit.memory:
        return memory_entry(hit.memory)
    if hit.message is None:
        return _turn(instance, hit, hit.filed.note, hit.filed.said_at.date(), "note")
    message = hit.message
    if message.role not in SPEAKERS:
        return None
    pictured = f"shows a picture: {message.caption}" if message.caption.strip() else ""
    text = " · ".join(part for part in (message.content.strip(), pictured) if part)
    said_by = speaker(str(message.role), message.author)
    return _turn(instance, hit, text, message.sent_at.date(), f"said by {said_by}")


def _turn(instance: Instance, hit: Hit, text: str, on: date, kind: str) -> Entry | None:
    text = redacted(instance, text)
    return Entry(ref(hit), text, on, kind, source=EntrySource.TURN) if text else None


def redacted(instance: Instance, text: str) -> str:
    """Apply the PII policy of *instance* to a *text* that was stored verbatim; empty if nothing is
    left.
    """
    examined = examine(text, PIIMode(instance.pii_policy))
    if examined.refusal or (examined.findings and not says_more(examined.text)):
        return ""
    return examined.text
