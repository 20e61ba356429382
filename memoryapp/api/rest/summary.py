"""The endpoint of the summary of a person."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from conversations.sanitizer import sanitize
from memoryapp.api.auth import instance_named
from memoryapp.api.fields import InstanceId
from memoryapp.api.operations import reads_own
from memoryapp.models import Memory, Summary

router = Router(tags=["Search"])


class SummaryOf(Schema):
    """The person of a summary."""

    instance_id: InstanceId = None
    user_id: str = Field(
        "",
        max_length=200,
        description="ID of the end user. Empty: the user of an instance that serves one person.",
        examples=["ana"],
    )


class SummaryOut(Schema):
    """Summary of a person's memories, in a few sentences of the language model."""

    user_id: str
    enabled: bool = Field(description="Whether the instance writes summaries.")
    text: str = Field(description="Empty if there is none, or if it has just become outdated.")
    written_at: datetime | None
    made_from: int = Field(description="Number of memories that it was written from.")
    newer: int = Field(description="Number of memories stored since.")
    pending: bool = Field(description="Whether a new one is about to be written.")
    error: str = Field(description="Why it could not be written, or empty.")


@router.get("/summary", **reads_own(SummaryOut, "Get the summary of a person"))
def read_summary(request: HttpRequest, params: Query[SummaryOf]) -> dict[str, Any]:
    """Return the summary that is shown to the assistant in each chat. It is written again after
    memories were stored, and disappears at once when one that it was written from is changed or
    deleted.
    """
    instance = instance_named(request, params.instance_id, params)
    end_user = instance.canonical_end_user(sanitize(params.user_id))
    summary = Summary.objects.of(instance, end_user).first() or Summary()
    shown = summary.text if instance.summary_enabled else ""
    memories = Memory.objects.in_instance(instance).filter(end_user=end_user)
    return {
        "user_id": end_user,
        "enabled": instance.summary_enabled,
        "text": shown,
        "written_at": summary.written_at if shown else None,
        "made_from": summary.made_from if shown else 0,
        "newer": memories.filter(pk__gt=summary.newest_memory if shown else 0).count(),
        "pending": instance.summary_enabled and summary.is_coming,
        "error": str(summary.error) if instance.summary_enabled else "",
    }
