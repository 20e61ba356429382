"""Endpoints of the notes that a person or a program files in the palace."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Router, Status
from pydantic import Field

from conversations.sanitizer import sanitize
from memoryapp.api.auth import caller_of, instance_named, visible_row
from memoryapp.api.errors import ApiError
from memoryapp.api.fields import In, InstanceId, UserId
from memoryapp.api.idempotency import IdempotencyKey, once
from memoryapp.api.key_requests import require_person
from memoryapp.api.operations import writes
from memoryapp.api.response_headers import set_location, with_headers
from memoryapp.api.rest.palace import DrawerOut, drawer_out, read_drawer, with_place
from memoryapp.models import Drawer, WingKind
from memoryapp.palace.notes import MAX_NOTE_CHARACTERS, NewNote, NoteRefused, add_note, change_note

router = Router(tags=["Palace"])


class NewNoteIn(In):
    """A note and where to file it."""

    instance_id: InstanceId = None
    text: str = Field(max_length=MAX_NOTE_CHARACTERS, examples=["Order twelve frames before May."])
    wing: str = Field(
        max_length=200, description="Name of the wing. The wing is created if it does not exist."
    )
    kind: WingKind = Field(WingKind.TOPIC, description="Kind of the wing, if it is created.")
    topic: str = Field("", max_length=200)
    user_id: UserId = ""


class NoteChangesIn(In):
    """The new text of a note."""

    text: str = Field(max_length=MAX_NOTE_CHARACTERS)


@router.post(
    "/palace/notes",
    **writes({201: DrawerOut}, "Create a note", 409, 410, 413),
    openapi_extra=with_headers({201: ["Location"]}),
)
def file_note(
    request: HttpRequest,
    response: HttpResponse,
    body: NewNoteIn,
    idempotency_key: IdempotencyKey = None,
) -> Status[dict[str, Any]]:
    """File a note in the palace. Depending on the settings of the instance, secrets are redacted,
    or the request is rejected with `pii_rejected`.
    """
    instance = instance_named(request, body.instance_id)
    require_person(request, body.user_id)
    with once(request, instance, idempotency_key) as attempt:
        if not attempt.is_done:
            try:
                add_note(
                    instance,
                    NewNote(
                        body.text,
                        wing=body.wing,
                        topic=body.topic,
                        end_user=sanitize(body.user_id),
                        kind=body.kind,
                    ),
                    by=caller_of(request).actor,
                    in_same_transaction=lambda note: attempt.finish({"id": note.pk}),
                )
            except NoteRefused as error:
                raise ApiError(422, error.code, str(error)) from error
    note = attempt.created(with_place(Drawer.objects.filter(instance=instance)))
    set_location(response, "read_drawer", note.pk)
    return Status(201, drawer_out(instance, note))


@router.patch("/palace/notes/{int:note_id}", **writes(DrawerOut, "Update a note", 413))
def change_a_note(request: HttpRequest, note_id: int, body: NoteChangesIn) -> dict[str, Any]:
    """Change the text of a note. Its pointer does not change. Drawers of messages cannot be
    changed.
    """
    rows = Drawer.objects.filter(message=None).select_related("instance")
    note = visible_row(request, rows.prefetch_related("instance__secrets"), note_id)
    try:
        change_note(note, body.text, by=caller_of(request).actor)
    except NoteRefused as error:
        raise ApiError(422, error.code, str(error)) from error
    except Drawer.DoesNotExist:
        raise Http404 from None
    return read_drawer(request, note_id)
