"""How what was found is told to a model: an id that it can cite, a date, one line."""

from memoryapp.models import Memory
from memoryapp.recall.context import Entry
from memoryapp.recall.recalling import Hit


def memory_ref(memory: Memory) -> str:
    """The id by which a model can cite *memory*."""
    return f"m{memory.pk}"


def memory_entry(memory: Memory) -> Entry:
    """The line that tells of *memory*."""
    kind = f"{memory.category} {memory.key}".strip()
    on = memory.updated_at.date()
    return Entry(memory_ref(memory), memory.content, on, kind, memory.valid_until)


def ref(hit: Hit) -> str:
    """The id by which a model can cite *hit*: m for memories, s for what was said."""
    return memory_ref(hit.memory) if hit.memory else f"s{hit.said.pk}"


def entry(hit: Hit) -> Entry:
    """The line that tells of *hit*."""
    if hit.memory:
        return memory_entry(hit.memory)
    message = hit.said
    return Entry(ref(hit), message.content, message.sent_at.date(), f"said by {message.role}")
