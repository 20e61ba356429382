"""Turns hits into entries for a model: an id that it can cite, a date, one line."""

from collections.abc import Iterable
from datetime import date

from conversations.models import Role
from instances.models import Instance
from memoryapp.models import Memory
from memoryapp.recall.entries import Entry, EntrySource
from memoryapp.recall.results import Hit
from memoryapp.text.pii import PIIMode, examine, says_more

#: Roles whose messages are shown to a model; instructions and tool results are not.
SPEAKERS = (Role.USER, Role.ASSISTANT)


def memory_ref(memory: Memory) -> str:
    """The id by which a model can cite *memory*."""
    return f"m{memory.pk}"


def memory_entry(memory: Memory) -> Entry:
    """The line that tells of *memory*."""
    kind = f"{memory.category} {memory.key}".strip()
    on = memory.updated_at.date()
    return Entry(memory_ref(memory), memory.content, on, kind, memory.valid_until)


def ref(hit: Hit) -> str:
    """The id by which a model can cite *hit*: m for a memory, the pointer of what is filed in the
    palace, s for a turn that is not.
    """
    if hit.memory:
        return memory_ref(hit.memory)
    return str(hit.drawer) if hit.drawer else f"s{hit.said.pk}"


def entries_for(instance: Instance, hits: Iterable[Hit]) -> list[tuple[Hit, Entry]]:
    """Those of *hits* of which a model may be told, each with its line.

    A turn passes the policy of *instance* on its way out, as a memory did on its way in: it was
    kept as it was said. Where the policy refuses a text, the model is not told of the turn.
    """
    found = ((hit, entry(instance, hit)) for hit in hits)
    return [(hit, line) for hit, line in found if line is not None]


def entry(instance: Instance, hit: Hit) -> Entry | None:
    """The line that tells of *hit*, if there is one that may."""
    if hit.memory:
        return memory_entry(hit.memory)
    if hit.message is None:
        return _turn(instance, hit, hit.filed.note, hit.filed.said_at.date(), "note")
    message = hit.message
    if message.role not in SPEAKERS:
        return None
    pictured = f"shows a picture: {message.caption}" if message.caption.strip() else ""
    text = " · ".join(part for part in (message.content.strip(), pictured) if part)
    said_by = f"said by {message.author or message.role}"
    return _turn(instance, hit, text, message.sent_at.date(), said_by)


def _turn(instance: Instance, hit: Hit, text: str, on: date, kind: str) -> Entry | None:
    text = redacted(instance, text)
    return Entry(ref(hit), text, on, kind, source=EntrySource.TURN) if text else None


def redacted(instance: Instance, text: str) -> str:
    """What a model may be told of a *text* that was kept as it was said, by the policy of
    *instance*; empty where that is nothing.
    """
    examined = examine(text, PIIMode(instance.pii_policy))
    if examined.refusal or (examined.findings and not says_more(examined.text)):
        return ""
    return examined.text
