"""Endpoints of imports: a file of memories or conversations, and what becomes of it."""

from datetime import datetime
from functools import partial
from pathlib import PurePath
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO, Literal, cast

from django.conf import settings
from django.core.files import File
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Schema, Status
from pydantic import Field, Json

from conversations.models import Import
from conversations.sanitizer import sanitize
from conversations.signals import import_waiting
from instances.tiers import Tier
from memoryapp.api.auth import caller_of, instance_named, visible_row
from memoryapp.api.errors import ApiError
from memoryapp.api.fields import InstanceId
from memoryapp.api.key_requests import require_person
from memoryapp.api.operations import reads, writes
from memoryapp.api.response_headers import set_location, with_headers

router = Router(tags=["Imports"])


class ImportIn(Schema):
    """How to import a file."""

    instance_id: InstanceId = None
    filename: str = Field(
        "import",
        max_length=300,
        description="Name of the file. It identifies a conversation that has no ID in the file.",
        examples=["export.zip"],
    )
    kind: Literal["either", "memories", "conversations"] = Field(
        "either",
        description="What is imported from a file that could hold either, such as lines with a "
        "`content` alone, or that holds both. By default, such lines are memories, and of a file "
        "that holds both, the conversations are imported. All other files are recognised.",
    )
    read: bool = Field(
        False,
        description="Whether conversations are read for facts, which may cost calls of the "
        "language model. Otherwise they are only filed.",
    )
    columns: Json[dict[str, str]] = Field(
        default_factory=dict,
        description="Fields of the columns of a file of memories, as a JSON object such as "
        '`{"remark": "content", "rank": ""}`; an empty field leaves a column out. Columns that '
        "are not named are left out. By default, their names and values decide.",
    )
    replace: bool = Field(
        False,
        description="Whether memories of the file replace those that they contradict. Otherwise "
        "they are stored beside them.",
    )


class ImportOut(Schema):
    """An import: its progress, and in the end its report."""

    id: int
    filename: str
    state: Literal[
        "uploaded",
        "checking",
        "ready",
        "queued",
        "running",
        "succeeded",
        "failed",
        "cancelled",
    ] = Field(
        description="`uploaded`, `checking`: what would be imported is counted; `ready`: it waits "
        "for a person, only if it was uploaded in the web interface; `queued`, `running`: it is "
        "imported, and counted anew."
    )
    kind: Literal["either", "memories", "conversations"] = Field(
        description="What is imported; `either` until the file is checked, if none was requested."
    )
    format: str = Field(description="Format of the file, in words. Empty until it is known.")
    percent: int = Field(description="Progress of the state, from 0 to 100.")
    conversations: int
    messages_added: int
    messages_known: int
    memories_new: int
    memories_changed: int
    memories_known: int
    memories_held: int = Field(description="Number of memories that wait for review.")
    skipped_count: int = Field(description="Number of items that were not imported.")
    reasons: dict[str, int] = Field(description="Number of skipped items by reason.")
    skipped: list[str] = Field(description="Skipped items with their places; the first 1,000.")
    error: str = Field(description="Why it failed, or empty.")
    created_at: datetime
    finished_at: datetime | None


@router.post(
    "/imports",
    **writes({202: ImportOut}, "Import a file", 413, 415, 507),
    openapi_extra=with_headers({202: ["Location"]})
    | {
        "requestBody": {
            "required": True,
            "description": "The file itself.",
            "content": {
                "application/octet-stream": {"schema": {"type": "string", "format": "binary"}}
            },
        }
    },
)
def start_import(
    request: HttpRequest, response: HttpResponse, params: Query[ImportIn]
) -> Status[Import]:
    """Import a file of memories or conversations in the background, in any format that the web
    interface takes. Poll the import for its report. Importing a file again adds nothing twice.
    """
    instance = instance_named(request, params.instance_id)
    caller = caller_of(request)
    if caller.tier < Tier.USER:
        # The messages of a file count as those of their roles, also as the user's.
        raise ApiError(
            403, "outranked", "Imports need a key whose statements count as those of the user."
        )
    # A file may say whom each of its rows is about, and may not.
    require_person(request, "")
    if request.content_type == "multipart/form-data":
        raise ApiError(415, "unsupported_format", "Send the file itself as the body, not a form.")
    name = PurePath(sanitize(params.filename)).name or "import"
    try:
        # First to the disk: a transaction does not wait for a slow client.
        with TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR) as body:
            copyfileobj(cast(IO[bytes], request), body)
            if not (size := body.tell()):
                raise ApiError(422, "invalid", "The body is empty. Send the file itself.")
            with transaction.atomic():
                made = Import.objects.create(
                    instance=instance,
                    by=caller.user,
                    filename=name,
                    file=File(body, name="upload"),
                    bytes_total=size,
                    kind=params.kind,
                    keep_apart=not params.replace,
                    columns=params.columns,
                    read=params.read,
                    unattended=True,
                )
                transaction.on_commit(partial(import_waiting.send, sender=Import, import_=made))
    except OSError as error:
        raise ApiError(
            507, "not_stored", f"The file could not be stored: {error.strerror or error}."
        ) from error
    set_location(response, "read_import", made.pk)
    return Status(202, made)


@router.get("/imports/{int:import_id}", **reads(ImportOut, "Get an import"))
def read_import(request: HttpRequest, import_id: int) -> Import:
    """Return the progress of an import, and in the end its report."""
    return visible_row(request, Import.objects.all(), import_id)
