"""Endpoints of the palace: wings, rooms and drawers, which file the messages by subject."""

from datetime import datetime
from typing import Any, Literal

from django.http import Http404, HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import Field

from conversations.sanitizer import sanitize
from instances.ids import parse_pk
from instances.models import Instance
from memoryapp.api.auth import caller_of, instance_named, visible_row
from memoryapp.api.errors import ApiError
from memoryapp.api.fields import In, InstanceId, Whole
from memoryapp.api.not_found import named
from memoryapp.api.operations import deletes, reads
from memoryapp.api.paging import PageIn, PageOut, page_of, with_ids
from memoryapp.api.schemas import MAX_FOUND_CHARACTERS, score_fields
from memoryapp.disclosure import MAX_LISTED_CHARACTERS, disclosed, weight, with_beginnings
from memoryapp.models import Closet, Drawer, Memory, Room, Wing, WingKind
from memoryapp.models.aaak import KINDS, NotAPointer, parse_pointer
from memoryapp.palace.deletion import delete_drawers
from memoryapp.recall import Hit, RecallOptions, recall

router = Router(tags=["Palace"])

#: Drawers that one request may delete.
MAX_DELETED_AT_ONCE = 1_000


class WingOut(Schema):
    """A wing: a person, project, topic or agent that messages are about."""

    id: int
    number: int = Field(
        description="Number of the wing, such as 42 for `W-042`. Numbers are never reused."
    )
    name: str
    kind: WingKind
    aliases: list[str] = Field(description="Slugs of other names of the wing.")
    user_id: str = Field(alias="end_user")
    drawers: int = Field(alias="filed")
    last_said_at: datetime | None
    created_at: datetime


class RoomOut(Schema):
    """A room: the part of a conversation that is about a wing, or the notes of the wing."""

    id: int
    number: int
    wing_id: int
    conversation_id: int | None = Field(
        description="ID of the conversation, or null for the room of notes."
    )
    title: str
    topics: list[dict[str, Any]] = Field(
        description="Closets of the room, each with `id` and `name`."
    )
    drawers: int = Field(alias="filed")
    last_said_at: datetime | None

    @staticmethod
    def resolve_title(room: Room) -> str:
        return str(room.conversation) if room.conversation else "Notes"

    @staticmethod
    def resolve_topics(room: Room) -> list[dict[str, Any]]:
        return [{"id": closet.pk, "name": closet.name} for closet in room.closets.all()]


class DrawerOut(Schema):
    """A drawer: a verbatim message, or a note."""

    id: int
    pointer: str = Field(
        description="Permanent pointer of the drawer.", examples=["§ W-042/R-11/D-007"]
    )
    content: str
    truncated: bool = Field(
        description="Whether `content` is only the beginning, which lists show of a long text. "
        "`GET /api/palace/drawers/{id}` returns all of it."
    )
    role: str = Field(description="Role of the author of the message. Empty for a note.")
    author: str
    wing_id: int
    wing: str
    room_id: int
    closet_id: int
    topic: str
    conversation_id: int | None
    message_id: int | None = Field(description="ID of the message, or null for a note.")
    user_id: str
    shared_with: str | None = Field(
        description="Of a note, the ID of the group that is told it, or null."
    )
    tags: dict[str, list[str]] = Field(
        description="People, places, events, things and times mentioned in the text."
    )
    said_at: datetime
    filed_at: datetime
    score: float | None = Field(
        None, description="Relevance score, or null without a search. Higher is better."
    )
    ranks: dict[str, int] | None = Field(
        None, description="Rank in each list that contains the result, starting at 1."
    )
    parts: dict[str, float] | None = Field(None, description="Components of the score.")


class WingsIn(PageIn):
    """Filters and pagination of a list of wings."""

    instance_id: InstanceId = None
    q: str = Field("", description="Only wings with this text in their name.")
    kind: WingKind | None = None
    user_id: str | None = Field(None, description="Only results about this end user.")


class WingsOut(PageOut):
    """One page of wings."""

    items: list[WingOut]


class RoomsIn(PageIn):
    """Filters and pagination of a list of rooms."""

    instance_id: InstanceId = None
    wing_id: int | None = None
    conversation_id: int | None = None


class RoomsOut(PageOut):
    """One page of rooms."""

    items: list[RoomOut]


class DrawersIn(PageIn):
    """Filters and pagination of a list of drawers."""

    instance_id: InstanceId = None
    q: str = Field(
        "", description="Search query. Empty: list all drawers, most recently filed first."
    )
    wing_id: int | None = None
    room_id: int | None = None
    closet_id: int | None = None
    user_id: str | None = Field(None, description="Only results about this end user.")


class DrawersOut(PageOut):
    """One page of drawers, or the results of a search."""

    items: list[DrawerOut]
    degraded: Literal["embedding_unavailable"] | None = Field(
        None, description="Why the search matched words only, or null."
    )


class PointerIn(Schema):
    """A pointer in any notation."""

    instance_id: InstanceId = None
    pointer: str = Field(max_length=1_000, examples=["W-42/R-11/D-7"])


class DrawersToDeleteIn(In):
    """IDs of the drawers to delete."""

    instance_id: InstanceId = None
    ids: list[Whole] = Field(min_length=1, max_length=MAX_DELETED_AT_ONCE, examples=[[1, 2]])


class DeletedDrawersOut(Schema):
    """The result of a deletion."""

    deleted: int
    notes: int = Field(
        description="Number of deleted drawers that were notes. Notes cannot be recovered."
    )


@router.get("/palace/wings", **reads(WingsOut, "List or search wings"))
def list_wings(request: HttpRequest, params: Query[WingsIn]) -> dict[str, Any]:
    """List the wings of an instance, oldest first."""
    instance = instance_named(request, params.instance_id)
    wings = Wing.objects.filter(instance=instance).counted()
    if params.q:
        wings = wings.filter(name__icontains=sanitize(params.q))
    if params.kind:
        wings = wings.filter(kind=params.kind)
    if params.user_id is not None:
        wings = wings.filter(end_user=instance.canonical_end_user(sanitize(params.user_id)))
    return page_of(wings, params, order=["number", "id"])


@router.get("/palace/rooms", **reads(RoomsOut, "List rooms"))
def list_rooms(request: HttpRequest, params: Query[RoomsIn]) -> dict[str, Any]:
    """List the rooms of an instance with their topics, newest first."""
    rooms = Room.objects.filter(instance=instance_named(request, params.instance_id)).counted()
    rooms = with_ids(rooms, wing=params.wing_id, conversation=params.conversation_id)
    rows = rooms.select_related("conversation").prefetch_related("closets")
    return page_of(rows, params, order=["-id"])


@router.get("/palace/drawers", **reads(DrawersOut, "List or search drawers"))
def list_drawers(request: HttpRequest, params: Query[DrawersIn]) -> dict[str, Any]:
    """List drawers, most recently filed first, in pages. With `q`, return the results of a search
    among the drawers that match the filters, best first.
    """
    instance = instance_named(request, params.instance_id)
    drawers = with_ids(
        Drawer.objects.filter(instance=instance),
        closet=params.closet_id,
        closet__room=params.room_id,
        closet__room__wing=params.wing_id,
    )
    if params.user_id is not None:
        drawers = drawers.filter(end_user=instance.canonical_end_user(sanitize(params.user_id)))
    question = sanitize(params.q).strip()
    if not question:
        rows = with_beginnings(with_place(drawers))
        page = page_of(rows, params, order=["-id"], weight=weight)
        items = [drawer_out(instance, row, most=MAX_LISTED_CHARACTERS) for row in page["items"]]
        return {**page, "items": items}
    result = recall(
        instance,
        question,
        RecallOptions(limit=params.size, memories=Memory.objects.none(), drawers=drawers),
    )
    hits = {hit.drawer.pk: hit for hit in result.hits if hit.drawer}
    found = with_beginnings(with_place(drawers), most=MAX_FOUND_CHARACTERS).in_bulk(list(hits))
    return {
        "items": [
            drawer_out(instance, found[pk], hit, most=MAX_FOUND_CHARACTERS)
            for pk, hit in hits.items()
            if pk in found
        ],
        "limit": params.size,
        "degraded": result.degraded,
    }


@router.get("/palace/drawers/by-pointer", **reads(DrawerOut, "Get a drawer by pointer"))
def drawer_by_pointer(request: HttpRequest, params: Query[PointerIn]) -> dict[str, Any]:
    """Return the drawer with this pointer. The section sign and leading zeros are optional, and
    case is ignored.
    """
    instance = instance_named(request, params.instance_id)
    try:
        parse_pointer(params.pointer)
    except NotAPointer as error:
        raise ApiError(400, "invalid_pointer", str(error)) from error
    drawer = with_place(instance.drawers.by_pointer(params.pointer)).first()
    if drawer is None:
        raise ApiError(404, "not_found", f"The instance has no {named('drawer', params.pointer)}.")
    return drawer_out(instance, drawer)


@router.post("/palace/drawers/delete", **deletes(DeletedDrawersOut, "Delete several drawers", 413))
def delete_several_drawers(request: HttpRequest, body: DrawersToDeleteIn) -> dict[str, int]:
    """Delete the given drawers. Their messages stay in the conversations and are not filed again;
    notes are deleted permanently. IDs that do not exist in the instance are ignored.
    """
    instance = instance_named(request, body.instance_id)
    possible = [pk for pk in body.ids if parse_pk(pk)]
    chosen = Drawer.objects.filter(instance=instance, pk__in=possible)
    deleted = delete_drawers(instance, chosen, by=caller_of(request).actor)
    return {"deleted": deleted.count, "notes": deleted.notes}


@router.get("/palace/drawers/{int:drawer_id}", **reads(DrawerOut, "Get a drawer"))
def read_drawer(request: HttpRequest, drawer_id: int) -> dict[str, Any]:
    """Return a drawer with its text, place and tags."""
    drawers = with_place(Drawer.objects.select_related("instance"))
    drawer = visible_row(request, drawers, drawer_id)
    return drawer_out(drawer.instance, drawer)


@router.delete("/palace/drawers/{int:drawer_id}", **deletes({204: None}, "Delete a drawer"))
def delete_drawer(request: HttpRequest, drawer_id: int) -> Status[None]:
    """Delete a drawer. Its message stays in the conversation and is not filed again; a note is
    deleted permanently.
    """
    drawer = visible_row(request, Drawer.objects.select_related("instance"), drawer_id)
    chosen = drawer.row()
    if not delete_drawers(drawer.instance, chosen, by=caller_of(request).actor).count:
        raise Http404
    return Status(204, None)


def with_place(drawers: Any) -> Any:
    """Load *drawers* with the rows that `drawer_out` reads."""
    return drawers.select_related("message", "closet__room__wing").defer(
        "search", "message__search"
    )


def drawer_out(
    instance: Instance, drawer: Drawer, hit: Hit | None = None, *, most: int | None = None
) -> dict[str, Any]:
    """Return the fields of a `DrawerOut`, with those of the search *hit*; with *most*, that many
    characters of the text at most.
    """
    shown = disclosed(instance, drawer, most=most)
    closet: Closet = drawer.closet
    message = drawer.message
    return {
        "id": drawer.pk,
        "pointer": str(drawer),
        "content": shown.content,
        "truncated": shown.is_cut,
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
        "shared_with": drawer.shared_with,
        "tags": {kind: getattr(drawer.tags, kind) for kind in KINDS.values()},
        "said_at": drawer.said_at,
        "filed_at": drawer.filed_at,
        **score_fields(hit),
    }
