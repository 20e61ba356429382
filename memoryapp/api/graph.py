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
from memoryapp.api.fields import Day, InstanceId
from memoryapp.api.operations import reads
from memoryapp.api.paging import PageIn, PageOut, page_of
from memoryapp.models import Entity, EntityKind, Mention, Relation
from memoryapp.models.names import slug

router = Router(tags=["Graph"])


class EntityOut(Schema):
    """A person or thing that messages mention."""

    id: int
    name: str
    kind: EntityKind
    aliases: list[str] = Field(description="What it is called besides.")
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
    """A relation, and the time in which it held."""

    id: int = Field(
        description="Of the statement that opens it; the same for as long as that stands."
    )
    subject: EndOut
    predicate: str = Field(examples=["works_at"])
    object: EndOut | None = Field(description="Null where it is a value.")
    value: str = Field(description="Empty where it is an entity.")
    valid_from: date | None = Field(description="The first day; null where nobody knows.")
    valid_to: date | None = Field(description="The first day on which it held no longer.")
    dated: bool = Field(
        description="Whether `valid_from` was said; else it is the day of the first that was heard."
    )
    single_valued: bool = Field(description="Whether there is one at a time.")
    confidence: int = Field(description="0 to 100.")
    said_at: datetime = Field(description="When it was said last.")


class EntityDetailOut(Schema):
    """An entity with its relations."""

    entity: EntityOut
    relations: list[RelationOut] = Field(
        description="Those it is an end of: what holds first, then what was said last. Of those "
        "that say something about it, the 200 that did so last."
    )


class EntitiesIn(PageIn):
    """Filters and page of a list of entities."""

    instanceId: InstanceId = None
    q: str = Field("", description="Part of any of its names.")
    kind: EntityKind | None = None
    user_id: str | None = Field(None, description="Only what is of this end user.")


class EntitiesOut(PageOut):
    """One page of entities."""

    items: list[EntityOut]


class AsOfIn(Schema):
    """The day of the graph."""

    asOf: Day | None = Field(
        None, description="Only what held on that day; left out: all there is.", examples=[None]
    )


class RelationsIn(PageIn, AsOfIn):
    """Filters and page of a list of relations."""

    instanceId: InstanceId = None
    predicate: str = ""
    user_id: str | None = Field(None, description="Only what is of this end user.")


class RelationsOut(PageOut):
    """One page of relations."""

    items: list[RelationOut]


@router.get("/graph/entities", **reads(EntitiesOut, "List or find entities"))
def list_entities(request: HttpRequest, params: Query[EntitiesIn]) -> dict[str, Any]:
    """The entities of an instance, in the order of their first mention."""
    rows = _of(instance_named(request, params.instanceId), params.user_id)
    if params.kind:
        rows = rows.filter(kind=params.kind)
    if q := sanitize(params.q).strip()[:200]:
        named = Mention.objects.filter(slug__contains=slug(q) or q)
        rows = rows.filter(pk__in=named.values("entity"))
    return page_of(_with_names(rows), params, order=["id"])


@router.get("/graph/entities/{int:entity_id}", **reads(EntityDetailOut, "Read an entity"))
def read_entity(request: HttpRequest, entity_id: int, params: Query[AsOfIn]) -> dict[str, Any]:
    """An entity with its relations, all or those that held `asOf` a day."""
    rows = _with_names(Entity.objects.select_related("instance"))
    entity = visible_row(request, rows, entity_id)
    relations = Relation.objects.about(entity.instance, [entity.pk])
    if params.asOf:
        relations = relations.as_of(params.asOf)
    ordered = sorted(
        relations.select_related("subject", "object"),
        key=lambda r: (r.is_open, r.said_at, r.pk),
        reverse=True,
    )
    return {"entity": entity, "relations": ordered}


@router.get("/graph/relations", **reads(RelationsOut, "List relations"))
def list_relations(request: HttpRequest, params: Query[RelationsIn]) -> dict[str, Any]:
    """Relations by subject. A page has those of up to `limit` subjects: it may have more relations
    than that, or none with `asOf`. Continue while there is a `next`.
    """
    instance = instance_named(request, params.instanceId)
    subjects = page_of(
        _of(instance, params.user_id).filter(said_of__isnull=False).distinct(),
        params,
        order=["id"],
    )
    relations = Relation.objects.filter(
        instance=instance, subject__in=[subject.pk for subject in subjects["items"]]
    )
    if params.asOf:
        relations = relations.as_of(params.asOf)
    if params.predicate:
        relations = relations.filter(predicate=sanitize(params.predicate))
    rows = relations.select_related("subject", "object").order_by("subject_id", "id")
    return subjects | {"items": list(rows)}


def _of(instance: Instance, user_id: str | None) -> QuerySet[Entity]:
    rows = Entity.objects.filter(instance=instance)
    return rows if user_id is None else rows.filter(end_user=sanitize(user_id))


def _with_names(rows: QuerySet[Entity]) -> QuerySet[Entity]:
    # One mention of each name: thousands of messages may mention an entity.
    once = Mention.objects.order_by("entity_id", "slug", "pk").distinct("entity_id", "slug")
    return rows.prefetch_related(Prefetch("mentions", once))
