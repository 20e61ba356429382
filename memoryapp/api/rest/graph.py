"""Endpoints of the knowledge graph: entities, and their relations over time."""

from datetime import date, datetime
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from conversations.sanitizer import sanitize
from instances.models import Instance
from memoryapp.api.auth import instance_named, visible_row
from memoryapp.api.fields import Day, InstanceId, TierName
from memoryapp.api.operations import reads
from memoryapp.api.paging import PageIn, PageOut, page_of
from memoryapp.models import Entity, EntityKind, Mention, Relation
from memoryapp.models.names import slug

router = Router(tags=["Graph"])


class EntityOut(Schema):
    """A person or thing mentioned in messages."""

    id: int
    name: str
    kind: EntityKind
    aliases: list[str] = Field(description="Other names of the entity.")
    user_id: str = Field(alias="end_user")
    created_at: datetime

    @staticmethod
    def resolve_aliases(entity: Entity) -> list[str]:
        return [m.name for m in entity.mentions.all() if m.slug != entity.slug]


class EndOut(Schema):
    """One end of a relation."""

    id: int
    name: str
    kind: EntityKind


class RelationOut(Schema):
    """A relation and the period in which it holds."""

    id: int = Field(
        description="ID of the statement that begins the period. It does not change while that "
        "statement exists."
    )
    subject: EndOut
    predicate: str = Field(examples=["works_at"])
    object: EndOut | None = Field(
        description="Entity that is the object, or null if the object is a plain value."
    )
    value: str = Field(
        description="Plain value that is the object. Empty if the object is an entity."
    )
    valid_from: date | None = Field(
        description="First day on which the relation holds, or null if unknown."
    )
    valid_to: date | None = Field(
        description="First day on which the relation no longer holds, or null if it has not ended."
    )
    dated: bool = Field(
        description="Whether `valid_from` was stated. If false, it is the day of the first "
        "statement."
    )
    single_valued: bool = Field(
        description="Whether the subject has only one value of this predicate at a time."
    )
    confidence: int = Field(description="Confidence from 0 to 100.")
    tier: TierName
    said_at: datetime = Field(description="Time of the latest statement.")


class EntityDetailOut(Schema):
    """An entity with its relations."""

    entity: EntityOut
    relations: list[RelationOut] = Field(
        description="Relations of which the entity is the subject or the object. Relations that "
        "have not ended come first, then the most recently stated. Where the entity "
        "is the object, only the 200 most recent subjects are included."
    )


class EntitiesIn(PageIn):
    """Filters and pagination of a list of entities."""

    instance_id: InstanceId = None
    q: str = Field("", description="Only entities with this text in one of their names.")
    kind: EntityKind | None = None
    user_id: str | None = Field(None, description="Only results of this end user.")


class EntitiesOut(PageOut):
    """One page of entities."""

    items: list[EntityOut]


class AsOfIn(Schema):
    """The day for which relations are returned."""

    as_of: Day | None = Field(
        None,
        description="Only relations that hold on this day. Default: all relations.",
        examples=[None],
    )


class RelationsIn(PageIn, AsOfIn):
    """Filters and pagination of a list of relations."""

    instance_id: InstanceId = None
    predicate: str = ""
    user_id: str | None = Field(None, description="Only results of this end user.")


class RelationsOut(PageOut):
    """One page of relations."""

    items: list[RelationOut]


@router.get("/graph/entities", **reads(EntitiesOut, "List or search entities"))
def list_entities(request: HttpRequest, params: Query[EntitiesIn]) -> dict[str, Any]:
    """List the entities of an instance, in order of their first mention."""
    rows = _of(instance_named(request, params.instance_id), params.user_id)
    if params.kind:
        rows = rows.filter(kind=params.kind)
    if q := sanitize(params.q).strip()[:200]:
        named = Mention.objects.filter(slug__contains=slug(q) or q)
        rows = rows.filter(pk__in=named.values("entity"))
    return page_of(_with_names(rows), params, order=["id"])


@router.get("/graph/entities/{int:entity_id}", **reads(EntityDetailOut, "Get an entity"))
def read_entity(request: HttpRequest, entity_id: int, params: Query[AsOfIn]) -> dict[str, Any]:
    """Return an entity with its relations. With `as_of`, only those that hold on that day."""
    rows = _with_names(Entity.objects.select_related("instance"))
    entity = visible_row(request, rows, entity_id)
    relations = Relation.objects.about(entity.instance, [entity.pk])
    if params.as_of:
        relations = relations.as_of(params.as_of)
    ordered = sorted(
        relations.select_related("subject", "object"),
        key=lambda r: (r.is_open, r.said_at, r.pk),
        reverse=True,
    )
    return {"entity": entity, "relations": ordered}


@router.get("/graph/relations", **reads(RelationsOut, "List relations"))
def list_relations(request: HttpRequest, params: Query[RelationsIn]) -> dict[str, Any]:
    """List relations by subject. A page contains the relations of up to `limit` subjects, so it may
    contain more than `limit` relations, or none if filtered. Continue until `next` is null. `total`
    counts subjects.
    """
    instance = instance_named(request, params.instance_id)
    subjects = page_of(
        _of(instance, params.user_id).filter(said_of__isnull=False).distinct(),
        params,
        order=["id"],
    )
    relations = Relation.objects.filter(
        instance=instance, subject__in=[subject.pk for subject in subjects["items"]]
    )
    if params.as_of:
        relations = relations.as_of(params.as_of)
    if params.predicate:
        relations = relations.filter(predicate=sanitize(params.predicate))
    rows = relations.select_related("subject", "object").order_by("subject_id", "id")
    return subjects | {"items": list(rows)}


def _of(instance: Instance, user_id: str | None) -> QuerySet[Entity]:
    rows = Entity.objects.filter(instance=instance)
    return (
        rows
        if user_id is None
        else rows.filter(end_user=instance.canonical_end_user(sanitize(user_id)))
    )


def _with_names(rows: QuerySet[Entity]) -> QuerySet[Entity]:
    # One mention of each name: thousands of messages may mention an entity.
    once = Mention.objects.order_by("entity_id", "slug", "pk").distinct("entity_id", "slug")
    return rows.prefetch_related(Prefetch("mentions", once))
