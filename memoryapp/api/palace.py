"""The palace: wings, rooms and drawers, which hold the messages by subject and topic."""

from datetime import datetime
from typing import Any, Literal

from django.http import Http404, HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from conversations.sanitizer import sanitize
from instances.ids import parse_pk
from memoryapp.api.auth import (
    DELETE,
    READ,
    caller_of,
    instance_named,
    visible_row,
)
from memoryapp.api.errors import Refusal, problems
from memoryapp.api.fields import In, InstanceId, Whole
from memoryapp.api.paging import PageIn, PageOut, page_of
from memoryapp.models import Closet, Drawer, Memory, Room, Wing, WingKind
from memoryapp.models.aaak import NotAPointer, parse_pointer
from memoryapp.palace.deletion import delete_drawers
from memoryapp.recall import Hit, RecallOptions, recall

router = Router(tags=["Palace"])

#: Drawers that one request may delete.
MAX_DELETED_AT_ONCE = 1_000


class WingOut(Schema):
    """A subject: a person, a project, a topic or an agent."""

    id: int
    number: int = Field(description="42 for `W-042`; never given again.")
    name: str
    kind: WingKind
    aliases: list[str] = Field(description="Slugs of other names that it goes by.")
    user_id: str = Field(alias="end_user")
    drawers: int = Field(alias="filed")
    last_said_at: datetime | None
    created_at: datetime


class RoomOut(Schema):
    """One conversation, as far as it is about a wing; or the notes there."""

    id: int
    number: int
    wing_id: int
    conversation_id: int | None = Field(description="Null: the room of the notes.")
    title: str
    topics: list[dict[str, Any]] = Field(description="Its closets: `id` and `name`.")
    drawers: int = Field(alias="filed")
    last_said_at: datetime | None

    @staticmethod
    def resolve_title(room: Room) -> str:
        return str(room.conversation) if room.conversation else "Notes"

    @staticmethod
    def resolve_topics(room: Room) -> list[dict[str, Any]]:
        return [{"id": closet.pk, "name": closet.name} for closet in room.closets.all()]


class DrawerOut(Schema):
    """One turn, exactly as it was said; or a note."""

    id: int
    pointer: str = Field(description="Its name for ever.", examples=["§ W-042/R-11/D-007"])
    content: str
    role: str = Field(description="Empty for a note.")
    author: str
    wing_id: int
    wing: str
    room_id: int
    closet_id: int
    topic: str
    conversation_id: int | None
    message_id: int | None = Field(description="Null for a note.")
    user_id: str
    tags: dict[str, list[str]] = Field(
        description="Whom, where, which events, which things and what times it speaks of."
    )
    said_at: datetime
    filed_at: datetime
    score: float | None = Field(None, description="What a search found it worth.")
    ranks: dict[str, int] | None = Field(None, description="List to rank, from 1.")
    parts: dict[str, float] | None = Field(None, description="What makes up the score.")


class WingsIn(PageIn):
    """Which wings, and which page of them."""

    instanceId: InstanceId = None
    q: str = Field("", description="Part of the name.")
    kind: WingKind | None = None
    user_id: str | None = Field(None, description="Only those about this end user.")


class WingsOut(PageOut):
    """One page of wings."""

    items: list[WingOut]


class RoomsIn(PageIn):
    """Which rooms, and which page of them."""

    instanceId: InstanceId = None
    wing_id: int | None = None
    conversation_id: int | None = None


class RoomsOut(PageOut):
    """One page of rooms."""

    items: list[RoomOut]


class DrawersIn(PageIn):
    """Which drawers, and which page of them."""

    instanceId: InstanceId = None
    q: str = Field("", description="A question. Empty: list what there is, latest filed first.")
    wing_id: int | None = None
    room_id: int | None = None
    closet_id: int | None = None
    user_id: str | None = Field(None, description="Only those about this end user.")


class DrawersOut(PageOut):
    """One page of drawers, or the results of a search."""

    items: list[DrawerOut]
    degraded: Literal["embedding_unavailable"] | None = Field(
        None, description="Why a search ran on words alone; null when it did not."
    )


class PointerIn(Schema):
    """A pointer in any notation."""

    instanceId: InstanceId = None
    pointer: str = Field(max_length=1_000, examples=["W-42/R-11/D-7"])


class DrawersToDeleteIn(In):
    """Which drawers."""

    instanceId: InstanceId = None
    ids: list[Whole] = Field(min_length=1, max_length=MAX_DELETED_AT_ONCE, examples=[[1, 2]])


class DeletedDrawersOut(Schema):
    """How many were deleted."""

    deleted: int
    notes: int = Field(description="How many of them were notes, which are gone for good.")


@router.get(
    "/palace/wings",
    auth=READ,
    response={200: WingsOut, **problems()},
    summary="List or find wings",
)
def list_wings(request: HttpRequest, params: Query[WingsIn]) -> dict[str, Any]:
    """In the order in which they were made."""
    wings = Wing.objects.filter(instance=instance_named(request, params.instanceId)).counted()
    if params.q:
        wings = wings.filter(name__icontains=sanitize(params.q))
    if params.kind:
        wings = wings.filter(kind=params.kind)
    if params.user_id is not None:
        wings = wings.filter(end_user=sanitize(params.user_id))
    return page_of(wings, params, order=["number", "id"])


@router.get(
    "/palace/rooms",
    auth=READ,
    response={200: RoomsOut, **problems()},
    summary="List rooms",
)
def list_rooms(request: HttpRequest, params: Query[RoomsIn]) -> dict[str, Any]:
    """With their topics, the latest made first."""
    rooms = Room.objects.filter(instance=instance_named(request, params.instanceId)).counted()
    if params.wing_id is not None:
        rooms = rooms.filter(wing=parse_pk(params.wing_id) or 0)
    if params.conversation_id is not None:
        rooms = rooms.filter(conversation=parse_pk(params.conversation_id) or 0)
    rows = rooms.select_related("conversation").prefetch_related("closets")
    return page_of(rows, params, order=["-id"])


@router.get(
    "/palace/drawers",
    auth=READ,
    response={200: DrawersOut, **problems()},
    summary="List or search drawers",
)
def list_drawers(request: HttpRequest, params: Query[DrawersIn]) -> dict[str, Any]:
    """Without `q`: the latest filed first, in pages. With it: what answers it among the drawers
    that are meant, best first.
    """
    instance = instance_named(request, params.instanceId)
    drawers = Drawer.objects.filter(instance=instance)
    if params.closet_id is not None:
        drawers = drawers.filter(closet=parse_pk(params.closet_id) or 0)
    if params.room_id is not None:
        drawers = drawers.filter(closet__room=parse_pk(params.room_id) or 0)
    if params.wing_id is not None:
        drawers = drawers.filter(closet__room__wing=parse_pk(params.wing_id) or 0)
    if params.user_id is not None:
        drawers = drawers.filter(end_user=sanitize(params.user_id))
    question = sanitize(params.q).strip()
    if not question:
        page = page_of(with_place(drawers), params, order=["-id"])
        return {**page, "items": [drawer_out(drawer) for drawer in page["items"]]}
    found = recall(
        instance,
        question,
        RecallOptions(limit=params.size, memories=Memory.objects.none(), drawers=drawers),
    )
    hits = {hit.drawer.pk: hit for hit in found.hits if hit.drawer}
    rows = with_place(drawers).in_bulk(list(hits))
    return {
        "items": [drawer_out(rows[pk], hit) for pk, hit in hits.items() if pk in rows],
        "limit": params.size,
        "degraded": found.degraded,
    }


@router.get(
    "/palace/drawers/by-pointer",
    auth=READ,
    response={200: DrawerOut, **problems()},
    summary="Find the drawer that a pointer names",
)
def drawer_by_pointer(request: HttpRequest, params: Query[PointerIn]) -> dict[str, Any]:
    """However it is written: without the section sign, in lower case, without leading zeros."""
    instance = instance_named(request, params.instanceId)
    try:
        parse_pointer(params.pointer)
    except NotAPointer as error:
        raise Refusal(400, "invalid_pointer", str(error)) from error
    found = with_place(instance.drawers.by_pointer(params.pointer)).first()
    if found is None:
        raise Http404
    return drawer_out(found)


@router.post(
    "/palace/drawers/delete",
    auth=DELETE,
    response={200: DeletedDrawersOut, **problems(413)},
    summary="Delete several drawers",
)
def delete_several_drawers(request: HttpRequest, body: DrawersToDeleteIn) -> dict[str, int]:
    """Delete those of `ids` that the instance has. Their messages stay, and are not filed again."""
    caller = caller_of(request)
    instance = instance_named(request, body.instanceId)
    possible = [pk for pk in body.ids if parse_pk(pk)]
    chosen = Drawer.objects.filter(instance=instance, pk__in=possible)
    pruned = delete_drawers(instance, chosen, by=caller.actor)
    return {"deleted": pruned.count, "notes": pruned.notes}


@router.get(
    "/palace/drawers/{int:drawer_id}",
    auth=READ,
    response={200: DrawerOut, **problems()},
    summary="Read a drawer",
)
def read_drawer(request: HttpRequest, drawer_id: int) -> dict[str, Any]:
    """What was said, where it is filed, and what it speaks of."""
    return drawer_out(visible_row(request, with_place(Drawer.objects.all()), drawer_id))


@router.delete(
    "/palace/drawers/{int:drawer_id}",
    auth=DELETE,
    response={204: None, **problems()},
    summary="Delete a drawer",
)
def delete_drawer(request: HttpRequest, drawer_id: int) -> Status[None]:
    """Its message stays in the conversation, and is not filed again; a note is gone for good."""
    caller = caller_of(request)
    found = visible_row(request, Drawer.objects.select_related("instance"), drawer_id)
    chosen = Drawer.objects.filter(pk=found.pk)
    if not delete_drawers(found.instance, chosen, by=caller.actor).count:
        raise Http404
    return Status(204, None)


def with_place(drawers: Any) -> Any:
    """Load *drawers* with the rows that `drawer_out` reads."""
    return drawers.select_related("message", "closet__room__wing").defer(
        "search", "message__search"
    )


def drawer_out(drawer: Drawer, hit: Hit | None = None) -> dict[str, Any]:
    """The fields of a `DrawerOut`, with those of the *hit* that found it."""
    closet: Closet = drawer.closet
    message = drawer.message
    tags = drawer.tags
    return {
        "id": drawer.pk,
        "pointer": str(drawer),
        "content": drawer.content,
        "role": message.role if message else "",
        "author": message.author if message else "",
        "wing_id": closet.room.wing_id,
        "wing": closet.room.wing.name,
        "room_id": closet.room_id,
        "closet_id": closet.pk,
        "topic": closet.name,
        "conversation_id": message.conversation_id if message else None,
        "message_id": drawer.message_id,
        "user_id": drawer.end_user,
        "tags": {
            "people": tags.people,
            "places": tags.places,
            "events": tags.events,
            "items": tags.items,
            "times": tags.times,
        },
        "said_at": drawer.said_at,
        "filed_at": drawer.filed_at,
        "score": hit.score if hit else None,
        "ranks": hit.ranks if hit else None,
        "parts": hit.parts if hit else None,
    }
