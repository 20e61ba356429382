"""The ids of memories in mem0's API: those of the system they came from, or Keepsake's."""

from django.db.models import Q
from django.http import Http404, HttpRequest

from conversations.sanitizer import sanitize
from instances.ids import parse_pk
from memoryapp.api.auth import caller_of, instance_named
from memoryapp.models import Memory
from memoryapp.models.memory import MemoryQuerySet


def id_of(memory: Memory) -> str:
    """Return the id of *memory* in responses."""
    return memory.external_id or str(memory.pk)


def known_as(memory_id: str) -> Q:
    """Return the condition for the memory with that id."""
    text = sanitize(memory_id).strip()
    # A memory with an external id is not found by its number, which may be the id of another one.
    by_number = Q(pk=parse_pk(text) or 0, external_id="")
    return by_number | Q(external_id=text) if text else by_number


def memories_of(request: HttpRequest) -> MemoryQuerySet:
    """Return the memories that the key of the request may see."""
    memories = Memory.objects.in_instance(instance_named(request, None))
    person = caller_of(request).person
    return memories.filter(end_user=person) if person else memories


def memory_named(request: HttpRequest, memory_id: str) -> Memory:
    """Return the memory with that id in the instance of the key; else raise `Http404`."""
    rows = memories_of(request).filter(known_as(memory_id))
    memory = rows.select_related("instance").defer("search").first()
    if memory is None:
        raise Http404
    return memory
