"""Notes of the palace: texts that a person or a program files beside what was said."""

from typing import Any

from django.http import Http404, HttpRequest
from ninja import Router, Status
from pydantic import Field

from conversations.sanitizer import sanitize
from memoryapp.api.auth import WRITE, caller_of, instance_named, visible_row
from memoryapp.api.errors import Refusal, problems
from memoryapp.api.fields import In, InstanceId, UserId
from memoryapp.api.idempotency import IdempotencyKey, gone, once
from memoryapp.api.palace import DrawerOut, drawer_out, read_drawer, with_place
from memoryapp.models import Drawer, WingKind
from memoryapp.palace.notes import MAX_NOTE_CHARACTERS, NewNote, NoteRefused, add_note, change_note

router = Router(tags=["Palace"])


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
                    NewNote(
                        body.text,
                        wing=body.wing,
                        topic=body.topic,
                        end_user=sanitize(body.user_id),
                        kind=body.kind,
                    ),
                    by=caller.actor,
                    in_same_transaction=lambda note: attempt.finish({"id": note.pk}),
                )
            except NoteRefused as error:
                raise Refusal(422, error.code, str(error)) from error
    done = attempt.result or {}
    filed = with_place(Drawer.objects.filter(instance=instance, pk=done["id"])).first()
    if filed is None:
        raise gone()
    return Status(201, drawer_out(filed))


@router.patch(
    "/palace/notes/{int:note_id}",
    auth=WRITE,
    response={200: DrawerOut, **problems(413)},
    summary="Change a note",
)
def change_a_note(request: HttpRequest, note_id: int, body: NoteChangesIn) -> dict[str, Any]:
    """Change the text of a note. Its pointer stays. Messages cannot be changed."""
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
