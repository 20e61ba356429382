"""Endpoints of pins: memories that the assistant is always told. They are for managers who are
signed in: a program or a model could otherwise decide what every later answer begins with.
"""

from django.http import HttpRequest, HttpResponse
from ninja import Router

from memoryapp.api.auth import caller_of
from memoryapp.api.conditional import set_entity_tag
from memoryapp.api.errors import ApiError
from memoryapp.api.operations import writes
from memoryapp.api.response_headers import with_headers
from memoryapp.api.rest.memories import memory_named
from memoryapp.api.rest.review import refuse_programs
from memoryapp.api.schemas import MemoryDetailOut
from memoryapp.models import Memory
from memoryapp.pipeline import Rejected, set_pinned

router = Router(tags=["Memories"])


@router.put(
    "/memories/{memory:memory_id}/pin",
    **writes(MemoryDetailOut, "Pin a memory", 409),
    openapi_extra=with_headers({200: ["ETag"]}),
)
def pin_memory(request: HttpRequest, response: HttpResponse, memory_id: int) -> Memory:
    """Have the assistant told the memory with each message, whatever the message is. Only for
    managers who are signed in.
    """
    return _set(request, response, memory_id, pinned=True)


@router.delete(
    "/memories/{memory:memory_id}/pin",
    **writes(MemoryDetailOut, "Unpin a memory"),
    openapi_extra=with_headers({200: ["ETag"]}),
)
def unpin_memory(request: HttpRequest, response: HttpResponse, memory_id: int) -> Memory:
    """Have the assistant told the memory only where it answers. Only for managers who are signed
    in.
    """
    return _set(request, response, memory_id, pinned=False)


def _set(request: HttpRequest, response: HttpResponse, memory_id: int, *, pinned: bool) -> Memory:
    memory = memory_named(request, memory_id, manages=True)
    refuse_programs(request)
    try:
        set_pinned(memory, pinned, by=caller_of(request).actor)
    except Rejected as error:
        raise ApiError(409, error.code, str(error)) from error
    return set_entity_tag(response, memory)
