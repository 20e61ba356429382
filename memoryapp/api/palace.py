"""The palace: what was said, word for word, by subject, conversation and topic."""

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
    WRITE,
    caller_of,
    instance_named,
    visible_row,
)
from memoryapp.api.errors import Refusal, problems
from memoryapp.api.fields import In, InstanceId, UserId, Whole
from memoryapp.api.idempotency import IdempotencyKey, gone, once
from memoryapp.api.paging import PageIn, PageOut, page_of
from memoryapp.models import Closet, Drawer, Memory, Room, Wing, WingKind
from memoryapp.models.aaak import NotAPointer, parse_pointer
from memoryapp.palace import delete_drawers
from memoryapp.palace.notes import MAX_NOTE_CHARACTERS, NoteRefused, add_note, change_note
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
    """A pointer, as somebody has pasted it."""

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


class NewNoteIn(In):
    """A note, and where it belongs."""

    instanceId: InstanceId = None
    text: str = Field(max_length=MAX_NOTE_CHARACTERS, examples=["Order twelve frames before May."])
    wing: str = Field(
        max_length=200, description="A name: of a wing that is there, or of a new one."
    )
    kind: WingKind = Field(WingKind.TOPIC, description="What a new wing is.")
    topic: str = Field("", max_length=200)
    user_id: UserId = ""


class NoteChangesIn(In):
    """What a note is to say."""

    text: str = Field(max_length=MAX_NOTE_CHARACTERS)


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
        page = page_of(_with_place(drawers), params, order=["-id"])
        return {**page, "items": [_told(drawer) for drawer in page["items"]]}
    found = recall(
        instance,
        question,
        RecallOptions(limit=params.size, memories=Memory.objects.none(), drawers=drawers),
    )
    hits = {hit.drawer.pk: hit for hit in found.hits if hit.drawer}
    rows = _with_place(drawers).in_bulk(list(hits))
    return {
        "items": [_told(rows[pk], hit) for pk, hit in hits.items() if pk in rows],
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
    found = _with_place(instance.drawers.by_pointer(params.pointer)).first()
    if found is None:
        raise Http404
    return _told(found)


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
    return _told(visible_row(request, _with_place(Drawer.objects.all()), drawer_id))


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


@router.post(
    "/palace/notes",
    auth=WRITE,
    response={201: DrawerOut, **problems(409, 410, 413)},
    summary="File a note",
)
def file_note(
    request: HttpRequest, body: NewNoteIn, idempotency_key: IdempotencyKey = None
) -> Status[dict[str, Any]]:
    """Put a note beside what was said. Secrets are taken out of it, or it is refused with
    `pii_rejected`, as the instance is set.
    """
    caller = caller_of(request)
    instance = instance_named(request, body.instanceId)
    with once(request, instance, idempotency_key) as attempt:
        if attempt.result is None:
            try:
                add_note(
                    instance,
                    body.text,
                    wing=body.wing,
                    topic=body.topic,
                    end_user=sanitize(body.user_id),
                    kind=body.kind,
                    by=caller.actor,
                    in_same_transaction=lambda note: attempt.finish({"id": note.pk}),
                )
            except NoteRefused as error:
                raise Refusal(422, error.code, str(error)) from error
    done = attempt.result or {}
    filed = _with_place(Drawer.objects.filter(instance=instance, pk=done["id"])).first()
    if filed is None:
        raise gone()
    return Status(201, _told(filed))


@router.patch(
    "/palace/notes/{int:note_id}",
    auth=WRITE,
    response={200: DrawerOut, **problems(413)},
    summary="Change a note",
)
def change_a_note(request: HttpRequest, note_id: int, body: NoteChangesIn) -> dict[str, Any]:
    """Let it say something else; its pointer stays. What was said by somebody is never changed."""
    caller = caller_of(request)
    rows = Drawer.objects.filter(message=None).select_related("instance")
    found = visible_row(request, rows.prefetch_related("instance__secrets"), note_id)
    try:
        change_note(found, body.text, by=caller.actor)
    except NoteRefused as error:
        raise Refusal(422, error.code, str(error)) from error
    except Drawer.DoesNotExist:
        raise Http404 from None
    return read_drawer(request, note_id)


def _with_place(drawers: Any) -> Any:
    """With all that is told of them."""
    return drawers.select_related("message", "closet__room__wing").defer(
        "search", "message__search"
    )


def _told(drawer: Drawer, hit: Hit | None = None) -> dict[str, Any]:
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
