"""Corrections of the graph by a person."""

from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from instances.actor import Actor
from instances.models import Instance
from instances.tiers import Tier
from memoryapp.graph.ingestion import NamedEntity, StatementIn, ingest, lock_graph
from memoryapp.models import Activity, Entity, Mention, Relation, Statement, Withdrawn
from memoryapp.models.names import clean_name, slug


class EntityNameTaken(ValueError):
    """Another entity has that name."""

    def __init__(self, entity: Entity) -> None:
        super().__init__(
            _("“%(name)s” exists already. If both are the same, merge them.")
            % {"name": entity.name}
        )
        self.entity = entity


class EntitiesNotMergeable(ValueError):
    """Two entities that cannot be one."""


@dataclass(frozen=True)
class MergedEntities:
    """The effect of a merge."""

    #: Further names of the entity that stays.
    names: list[str]
    #: Statements that will be about the entity that stays.
    moved: int
    #: Statements that would relate it to itself; they are deleted.
    dropped: int


def preview_merge(gone: Entity, stays: Entity) -> MergedEntities:
    """Say what `merge_entities` would do."""
    if gone == stays:
        raise EntitiesNotMergeable(_("An entity cannot be merged with itself. Choose another one."))
    if (gone.instance_id, gone.end_user) != (stays.instance_id, stays.end_user):
        raise EntitiesNotMergeable(
            _("They belong to the memories of two different people and cannot be merged.")
        )
    both = Q(subject=gone, object=stays) | Q(subject=stays, object=gone)
    counts = Statement.objects.filter(Q(subject=gone) | Q(object=gone)).aggregate(
        all=Count("pk"), loops=Count("pk", filter=both)
    )
    known = set(stays.mentions.values_list("slug", flat=True))
    names = {m.slug: m.name for m in gone.mentions.order_by("-pk") if m.slug not in known}
    return MergedEntities(sorted(names.values()), counts["all"] - counts["loops"], counts["loops"])


def merge_entities(gone: Entity, stays: Entity, *, by: Actor) -> MergedEntities:
    """Merge *gone* into *stays*, with its names and statements."""
    with transaction.atomic():
        lock_graph(stays.instance)
        merged = preview_merge(gone, stays)
        # First: a trigger deletes what is left of *gone* afterwards.
        _move(Mention.objects.filter(entity=gone), "entity", stays)
        Statement.objects.filter(subject=gone, object=stays).delete()
        Statement.objects.filter(subject=stays, object=gone).delete()
        _move(Statement.objects.filter(subject=gone), "subject", stays)
        _move(Statement.objects.filter(object=gone), "object", stays)
        gone.row().delete()
        stays.instance.activity.record(by, Activity.Action.ENTITIES_MERGED)
    return merged


def rename_entity(entity: Entity, name: str, kind: str, *, by: Actor) -> None:
    """Change name and kind of *entity*; its former name stays one of its names."""
    name = clean_name(name)
    if not slug(name):
        raise ValueError(_("Enter a name with at least one visible character."))
    with transaction.atomic():
        lock_graph(entity.instance)
        same_name = Entity.objects.filter(
            instance=entity.instance_id, end_user=entity.end_user, slug=slug(name)
        )
        if other := same_name.exclude(pk=entity.pk).first():
            raise EntityNameTaken(other)
        Mention.objects.update_or_create(
            instance=entity.instance,
            entity=entity,
            slug=slug(name),
            drawer=None,
            memory=None,
            defaults={"name": name},
        )
        entity.name, entity.slug, entity.kind = name, slug(name), kind
        entity.save(update_fields=["name", "slug", "kind"])
        entity.instance.activity.record(by, Activity.Action.ENTITY_RENAMED)


def withdraw_relation(relation: Relation, *, by: Actor) -> int:
    """Delete the statements of *relation* and return their number. The messages and memories that
    they come from are not learned from again. Relations that they had closed are open again.
    """
    with transaction.atomic():
        lock_graph(relation.instance)
        wrong = Statement.objects.filter(
            instance=relation.instance_id, pk__in=relation.statements
        ).order_by("pk")
        rows = list(wrong.select_for_update(of=("self",)))
        for source in ("drawer", "memory"):
            ids = {pk for row in rows if (pk := getattr(row, f"{source}_id"))}
            Withdrawn.objects.bulk_create(
                (Withdrawn(instance=relation.instance, **{f"{source}_id": pk}) for pk in ids),
                ignore_conflicts=True,
            )
        wrong.delete()
        if rows:
            record = relation.instance.activity.record
            record(by, Activity.Action.RELATION_WITHDRAWN, count=len(rows))
    return len(rows)


@dataclass(frozen=True)
class NewRelation:
    """A relation that a person adds."""

    subject: NamedEntity
    predicate: str
    object: NamedEntity | str
    since: date | None
    #: The day from which it no longer holds.
    until: date | None = None
    single_valued: bool = False


def add_relation(instance: Instance, end_user: str, relation: NewRelation, *, by: Actor) -> None:
    """Store statements by which *relation* holds, in the graph of (instance, end_user)."""
    begin = StatementIn(
        relation.subject,
        relation.predicate,
        relation.object,
        timezone.now(),
        valid_from=relation.since,
        single_valued=relation.single_valued,
        confidence=100,
        tier=Tier.PERSON,
    )
    until = relation.until
    with transaction.atomic():
        statements = [begin] if relation.since or not until else []
        if until:
            statements.append(replace(begin, valid_from=until, ends=True))
        ingest(instance, end_user, statements, by=by.user.pk if by.user else None)
        instance.activity.record(by, Activity.Action.RELATION_ADDED)


def end_relation(relation: Relation, day: date, *, by: Actor) -> None:
    """Store that *relation* no longer holds from *day* on."""
    with transaction.atomic():
        lock_graph(relation.instance)
        Statement.objects.bulk_create(
            [
                Statement(
                    instance_id=relation.instance_id,
                    end_user=relation.end_user,
                    subject_id=relation.subject_id,
                    predicate=relation.predicate,
                    object_id=relation.object_id,
                    value=relation.value,
                    since=day,
                    dated=True,
                    ends=True,
                    single_valued=relation.single_valued,
                    confidence=100,
                    tier=Tier.PERSON,
                    by=by.user,
                )
            ],
            ignore_conflicts=True,
        )
        relation.instance.activity.record(by, Activity.Action.RELATION_ADDED)


def _move(rows: QuerySet[Any], column: str, stays: Entity) -> None:
    """Let *column* of *rows* point to *stays*; delete rows that it has already."""
    model = rows.model
    once = [field for field in model.ONCE if field != column]
    taken = set(model.objects.filter(**{column: stays}).values_list(*once))
    double = [pk for pk, *values in rows.values_list("pk", *once) if tuple(values) in taken]
    # First: a trigger deletes a manual end together with the last statement that it ends.
    rows.exclude(pk__in=double).update(**{column: stays})
    rows.filter(pk__in=double).delete()
