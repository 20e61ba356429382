"""The endpoints that propose to share a memory, a conversation or a note with a group, and that
end it.
"""

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Router, Status
from pydantic import Field

from instances.models import Group, Instance
from memoryapp.api.auth import caller_of, visible_row
from memoryapp.api.fields import In
from memoryapp.api.operations import writes, writes_own
from memoryapp.api.rest.conversations import conversation_named
from memoryapp.api.rest.memories import memory_named
from memoryapp.api.rest.memory_changes import unfit
from memoryapp.api.rest.review import HeldOut
from memoryapp.models import Drawer, HeldStatement
from memoryapp.pipeline import Rejected
from memoryapp.trust.sharing import Shareable, propose, propose_to_tell, stop_sharing, wording

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
    "/memories/{memory:memory_id}/share",
    **writes_own({202: HeldOut}, "Propose to share a memory", 422),
)
def share_memory(request: HttpRequest, memory_id: int, body: ShareIn) -> Status[HeldStatement]:
    """Propose to share a memory with a group. A manager decides about it under Review; then it is
    a memory of its own.
    """
    memory = memory_named(request, memory_id)
    group = _group(request, memory.instance, body.group_id)
    try:
        held = propose(memory, group, body.content or wording(memory), by=caller_of(request).actor)
    except Rejected as error:
        raise unfit(error) from error
    return Status(202, held)


class ShareAsItIsIn(In):
    """A group to share a conversation or a note with."""

    group_id: int = Field(description="The ID of the group.")


@router.post(
    "/conversations/{int:conversation_id}/share",
    **writes_own({202: HeldOut}, "Propose to share a conversation", 422),
)
def share_conversation(
    request: HttpRequest, conversation_id: int, body: ShareAsItIsIn
) -> Status[HeldStatement]:
    """Propose to share a conversation with a group. A manager decides about it under Review; then
    the group is told it as it goes on, until that ends.
    """
    return _proposed(request, conversation_named(request, conversation_id), body.group_id)


@router.delete(
    "/conversations/{int:conversation_id}/share",
    **writes_own({204: None}, "Stop sharing a conversation"),
)
def unshare_conversation(request: HttpRequest, conversation_id: int) -> Status[None]:
    """Have the group told the conversation no longer."""
    return _ended(request, conversation_named(request, conversation_id))


@router.post(
    "/palace/notes/{int:note_id}/share", **writes({202: HeldOut}, "Propose to share a note", 422)
)
def share_note(request: HttpRequest, note_id: int, body: ShareAsItIsIn) -> Status[HeldStatement]:
    """Propose to share a note with a group. A manager decides about it under Review."""
    return _proposed(request, _note(request, note_id), body.group_id)


@router.delete("/palace/notes/{int:note_id}/share", **writes({204: None}, "Stop sharing a note"))
def unshare_note(request: HttpRequest, note_id: int) -> Status[None]:
    """Have the group told the note no longer."""
    return _ended(request, _note(request, note_id))


def _group(request: HttpRequest, instance: Instance, group_id: int) -> Group:
    """The group, of which the person of a key must be a member."""
    groups = Group.objects.filter(instance=instance)
    if person := caller_of(request).person:
        groups = groups.of(person)
    return get_object_or_404(groups, pk=group_id)


def _note(request: HttpRequest, note_id: int) -> Drawer:
    rows = Drawer.objects.filter(message=None).select_related("instance").defer("search")
    return visible_row(request, rows, note_id)


def _proposed(request: HttpRequest, row: Shareable, group_id: int) -> Status[HeldStatement]:
    group = _group(request, row.instance, group_id)
    try:
        return Status(202, propose_to_tell(row, group, by=caller_of(request).actor))
    except Rejected as error:
        raise unfit(error) from error


def _ended(request: HttpRequest, row: Shareable) -> Status[None]:
    stop_sharing(row, by=caller_of(request).actor)
    return Status(204, None)
