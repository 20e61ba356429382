"""What a person sets right in the graph by hand."""

from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from instances.actor import Actor
from instances.models import Instance
from memoryapp.graph.ingestion import (
    NamedEntity,
    StatementIn,
    ingest,
    lock_graph,
)
from memoryapp.models import Activity, Entity, Mention, Relation, Statement, Withdrawn
from memoryapp.models.names import one_line, slug


class EntityNameTaken(ValueError):
    """Another entity has that name."""

    def __init__(self, entity: Entity) -> None:
        super().__init__(f"There is “{entity.name}” already. Merge the two if they are the same.")
        self.entity = entity


class EntitiesNotMergeable(ValueError):
    """Two entities that cannot be one."""


@dataclass(frozen=True)
class MergedEntities:
    """What a merge does."""

    #: How the one that stays will also be called.
    names: list[str]
    #: Statements that will be about it.
    moved: int
    #: Statements that would say of it that it relates to itself; they go.
    dropped: int


def preview_merge(gone: Entity, stays: Entity) -> MergedEntities:
    """Say what `merge_entities` would do."""
    if gone == stays:
        raise EntitiesNotMergeable("These are one and the same already. Choose another one.")
    if (gone.instance_id, gone.end_user) != (stays.instance_id, stays.end_user):
        raise EntitiesNotMergeable("They are of two different people’s memory and stay apart.")
    both = Q(subject=gone, object=stays) | Q(subject=stays, object=gone)
    counts = Statement.objects.filter(Q(subject=gone) | Q(object=gone)).aggregate(
        all=Count("pk"), loops=Count("pk", filter=both)
    )
    known = set(stays.mentions.values_list("slug", flat=True))
    names = {m.slug: m.name for m in gone.mentions.order_by("-pk") if m.slug not in known}
    return MergedEntities(sorted(names.values()), counts["all"] - counts["loops"], counts["loops"])


def merge_entities(gone: Entity, stays: Entity, *, by: Actor) -> MergedEntities:
    """Make *gone* and *stays* one: its names, and all that was said of it, go over to *stays*."""
    with transaction.atomic():
        lock_graph(stays.instance)
        merged = preview_merge(gone, stays)
        # First: what is left of *gone* afterwards goes by itself.
        _move(Mention.objects.filter(entity=gone), "entity", stays)
        Statement.objects.filter(subject=gone, object=stays).delete()
        Statement.objects.filter(subject=stays, object=gone).delete()
        _move(Statement.objects.filter(subject=gone), "subject", stays)
        _move(Statement.objects.filter(object=gone), "object", stays)
        Entity.objects.filter(pk=gone.pk).delete()
        stays.instance.activity.record(by, Activity.Action.ENTITIES_MERGED)
    return merged


def rename_entity(entity: Entity, name: str, kind: str, *, by: Actor) -> None:
    """Call *entity* otherwise, and say what it is; what it was called stays one of its names."""
    name = one_line(name)
    if not slug(name):
        raise ValueError("Write a name with at least one visible character.")
    with transaction.atomic():
        lock_graph(entity.instance)
        others = Entity.objects.filter(
            instance=entity.instance_id, end_user=entity.end_user, slug=slug(name)
        ).exclude(pk=entity.pk)
        if other := others.first():
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
    """Delete what says so, for good: the turns and memories that it was learned from do not bring
    it back. Returns how many statements there were. What they had closed is open again.
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
            relation.instance.activity.record(
                by, Activity.Action.RELATION_WITHDRAWN, count=len(rows)
            )
    return len(rows)


def add_relation(
    instance: Instance,
    end_user: str,
    subject: NamedEntity,
    predicate: str,
    thing: NamedEntity | str,
    *,
    since: date | None,
    until: date | None = None,
    single_valued: bool = False,
    by: Actor,
) -> None:
    """Say by hand that something holds, or held *until* a day."""
    now = timezone.now()
    said = StatementIn(
        subject,
        predicate,
        thing,
        now,
        valid_from=since,
        single_valued=single_valued,
        confidence=100,
    )
    with transaction.atomic():
        statements = [said] if since or not until else []
        if until:
            statements.append(replace(said, valid_from=until, ends=True))
        ingest(instance, end_user, statements, by=by.user.pk if by.user else None)
        instance.activity.record(by, Activity.Action.RELATION_ADDED)


def end_relation(relation: Relation, day: date, *, by: Actor) -> None:
    """Say by hand that *relation* holds no longer from *day* on."""
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
                    by=by.user,
                )
            ],
            ignore_conflicts=True,
        )
        relation.instance.activity.record(by, Activity.Action.RELATION_ADDED)


def _move(rows: QuerySet[Any], column: str, stays: Entity) -> None:
    """Have *rows* point to *stays* in *column*, but for what is said there already."""
    model = rows.model
    once = [field for field in model.ONCE if field != f"{column}_id"]
    taken = set(model.objects.filter(**{column: stays}).values_list(*once))
    double = [row.pk for row in rows if tuple(getattr(row, field) for field in once) in taken]
    # First: what ends something by hand goes with the last that says so.
    rows.exclude(pk__in=double).update(**{column: stays})
    rows.filter(pk__in=double).delete()
