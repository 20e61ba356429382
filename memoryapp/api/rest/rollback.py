"""Endpoints that take back what a source has stored and changed. They are for managers who are
signed in: a program could hide with them what another has stored.
"""

from datetime import datetime
from typing import Any, Literal

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from conversations.models import Conversation
from conversations.sanitizer import sanitize
from instances.ids import parse_pk
from instances.models import User
from memoryapp.api.auth import instance_named
from memoryapp.api.errors import ApiError
from memoryapp.api.fields import In, InstanceId, Moment
from memoryapp.api.not_found import named
from memoryapp.api.operations import reads, writes
from memoryapp.api.paging import PageIn, PageOut, page_of
from memoryapp.api.rest.review import refuse_programs
from memoryapp.models import Memory, MemoryRevision
from memoryapp.trust.change_source import ChangeSource
from memoryapp.trust.influence import influence_of
from memoryapp.trust.rollback import RollbackEffect, effect_of, take_back

router = Router(tags=["Memories"])


class SourceFields(Schema):
    """A source: what is all that is given."""

    instance_id: InstanceId = None
    key: str = Field(
        "", max_length=100, description="First characters of an API key, as screens show them."
    )
    conversation_id: int | None = Field(None, description="ID of a conversation.")
    import_id: int | None = Field(None, description="ID of an import.")
    tool: str = Field(
        "", max_length=200, description="Name of a tool whose results were learned from."
    )
    since: Moment | None = Field(None, description="Only what was said at this time or later.")
    until: Moment | None = Field(None, description="Only what was said before this time.")


class RollbackIn(SourceFields, PageIn):
    """A source, and a page of what it has done."""


class TakeBackIn(SourceFields, In):
    """The source to take back."""


class EffectOut(Schema):
    """Counts of memories, and of statements that wait for review."""

    removed: int = Field(description="Memories that go to the bin: only this source stated them.")
    restored: int = Field(description="Memories that say again what they said before.")
    staying: int = Field(description="Memories that stay, since others have changed or said them.")
    waiting: int = Field(description="Statements that wait for review, which go as well.")
    conversations: int = Field(description="Conversations of an import that are deleted.")
    readings: int = Field(description="Conversations of an import whose reading stops.")


class InfluenceOut(Schema):
    """Influence of the source."""

    recalls: int
    answers: int
    summaries: int
    contradictions: int
    merged: int
    relations: int
    entities: int


class AffectedMemoryOut(Schema):
    """A memory that the source has stored or changed."""

    id: int
    content: str
    fate: Literal["removed", "restored", "stays"]
    before: str | None = Field(description="What it will say again, or null.")
    created_at: datetime


class RollbackOut(PageOut):
    """Effect that taking back a source would have, and a page of its memories."""

    effect: EffectOut
    influence: InfluenceOut
    items: list[AffectedMemoryOut]


@router.get("/rollback", **reads(RollbackOut, "Preview the rollback of a source", 422))
def preview_rollback(request: HttpRequest, params: Query[RollbackIn]) -> dict[str, Any]:
    """Return what a source has stored and changed, newest first, and what that has led to. Only for
    managers who are signed in.
    """
    source, _ = _source(request, params)
    effect = effect_of(source)
    rows = Memory.objects.filter(pk__in=effect.touched).defer("search")
    page = page_of(rows, params, order=["-id"])
    return page | {
        "effect": _counts(effect),
        "influence": vars(influence_of(source, effect)),
        "items": _affected(page["items"], effect),
    }


@router.post("/rollback", **writes(EffectOut, "Take back a source", 409, 422))
def take_back_source(request: HttpRequest, body: TakeBackIn) -> dict[str, int]:
    """Take back what a source has stored and changed. What goes can be restored from the bin for 30
    days. Only for managers who are signed in.
    """
    source, user = _source(request, body)
    if source.import_ and not source.import_.is_over:
        raise ApiError(409, "import_not_over", "The import is not over. Cancel it, or wait.")
    effect, _ = take_back(source, by=user)
    return _counts(effect)


def _source(request: HttpRequest, given: SourceFields) -> tuple[ChangeSource, User]:
    instance = instance_named(request, given.instance_id, manages=True)
    user = refuse_programs(request)
    key = instance.api_keys.filter(prefix=sanitize(given.key)[:9]).first()
    if given.key and key is None:
        raise ApiError(404, "not_found", f"The instance has no {named('key', given.key[:9])}.")
    conversations = Conversation.objects.filter(instance=instance)
    source = ChangeSource(
        instance,
        key=key if given.key else None,
        conversation=_row(conversations, "conversation", given.conversation_id),
        import_=_row(instance.imports.all(), "import", given.import_id),
        tool=sanitize(given.tool),
        since=given.since,
        until=given.until,
    )
    if source.is_empty:
        raise ApiError(422, "no_source", "Give a key, a conversation, an import, a tool or a time.")
    return source, user


def _row(rows: Any, noun: str, pk: int | None) -> Any:
    row = None if pk is None else rows.filter(pk=parse_pk(pk) or 0).first()
    if pk is not None and row is None:
        raise ApiError(404, "not_found", f"The instance has no {named(noun, pk)}.")
    return row


def _counts(effect: RollbackEffect) -> dict[str, int]:
    return {
        "removed": len(effect.stored),
        "restored": len(effect.changed),
        "staying": len(effect.staying),
        "waiting": effect.waiting,
        "conversations": len(effect.removal.conversations),
        "readings": len(effect.removal.runs),
    }


def _affected(page: list[Memory], effect: RollbackEffect) -> list[dict[str, Any]]:
    staying = set(effect.staying)
    former = [effect.changed[memory.pk][-1] for memory in page if memory.pk in effect.changed]
    texts = {
        each.memory_id: each.content
        for each in MemoryRevision.objects.filter(pk__in=former).only("memory_id", "content")
    }
    return [
        {
            "id": memory.pk,
            "content": memory.content,
            "fate": "restored"
            if memory.pk in texts
            else "stays"
            if memory.pk in staying
            else "removed",
            "before": texts.get(memory.pk),
            "created_at": memory.created_at,
        }
        for memory in page
    ]
