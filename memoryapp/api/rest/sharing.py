"""The endpoint that proposes to share a memory with a group."""

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Router, Status
from pydantic import Field

from instances.models import Group
from memoryapp.api.auth import caller_of
from memoryapp.api.fields import In
from memoryapp.api.operations import writes_own
from memoryapp.api.rest.memories import memory_named
from memoryapp.api.rest.memory_changes import unfit
from memoryapp.api.rest.review import HeldOut
from memoryapp.models import HeldStatement
from memoryapp.pipeline import Rejected
from memoryapp.trust.sharing import propose, wording

router = Router(tags=["Groups"])


class ShareIn(In):
    """A group to share a memory with."""

    group_id: int = Field(description="The ID of the group.")
    content: str = Field(
        "",
        max_length=4_000,
        description="The words in which others are told it; empty: its own, naming the person.",
    )


@router.post(
    "/memories/{int:memory_id}/share",
    **writes_own({202: HeldOut}, "Propose to share a memory", 422),
)
def share_memory(request: HttpRequest, memory_id: int, body: ShareIn) -> Status[HeldStatement]:
    """Propose to share a memory with a group. A manager decides about it under Review; then it is
    a memory of its own.
    """
    memory = memory_named(request, memory_id)
    groups = Group.objects.filter(instance=memory.instance)
    if person := caller_of(request).person:
        groups = groups.of(person)
    group = get_object_or_404(groups, pk=body.group_id)
    try:
        held = propose(memory, group, body.content or wording(memory), by=caller_of(request).actor)
    except Rejected as error:
        raise unfit(error) from error
    return Status(202, held)
