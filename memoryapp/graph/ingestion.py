"""Add statements and mentions to the graph."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from django.db import transaction

from instances.models import Instance
from instances.tiers import Tier
from memoryapp.graph.predicates import is_single_valued, predicate
from memoryapp.language.shortening import one_line
from memoryapp.models import Entity, EntityKind, Mention, Palace, Statement, Withdrawn
from memoryapp.models.graph import alike
from memoryapp.models.names import clean_name, slug, slugs

#: The longest value.
MAX_VALUE_CHARACTERS = 500


@dataclass(frozen=True)
class NamedEntity:
    """An entity as a text names it."""

    name: str
    kind: str = EntityKind.OTHER
    #: Other names that the text gives it.
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class StatementIn:
    """One statement, and the drawer or memory that it comes from; without either, a person's."""

    subject: NamedEntity
    predicate: str
    #: Another entity; or a value, such as "12 May 1990" or "three".
    object: NamedEntity | str
    said_at: datetime
    #: The day from which it holds; None if unknown. Years before 1000 or after 2200 are ignored.
    valid_from: date | None = None
    #: True if it no longer holds from that day on.
    ends: bool = False
    #: True if there is one object at a time, for predicates that are not known.
    single_valued: bool = False
    confidence: int = 70
    #: How far it is believed, by where it comes from.
    tier: Tier = Tier.DOCUMENT
    drawer_id: int | None = None
    memory_id: int | None = None


@dataclass(frozen=True)
class EntityMention:
    """An entity that a drawer or memory names."""

    named: NamedEntity
    drawer_id: int | None = None
    memory_id: int | None = None


def lock_graph(instance: Instance) -> None:
    """Lock the graph and the palace of *instance* until the transaction ends, so that only one
    transaction at a time looks up names and creates or deletes them.
    """
    Palace.objects.hold(instance.pk)


def ingest(
    instance: Instance,
    end_user: str,
    statements: Iterable[StatementIn],
    mentions: Iterable[EntityMention] = (),
    *,
    by: int | None = None,
) -> int:
    """Add *statements* and *mentions* to the graph of (instance, end_user), in the caller's
    transaction; return how many statements there were to add. What the same source has added
    already is not added again.

    The caller makes sure that names and values contain no secret, and that a memory given by
    ``memory_id`` is not deleted meanwhile. *by* is the id of the person who makes the statements,
    if they come from no source.
    """
    with transaction.atomic():
        lock_graph(instance)
        statements, mentions = list(statements), list(mentions)
        barred = _barred(instance, [*statements, *mentions])
        accepted = [statement for statement in statements if not _sources(statement) & barred]
        mentions = [mention for mention in mentions if not _sources(mention) & barred]
        mentions += [
            EntityMention(named, statement.drawer_id, statement.memory_id)
            for statement in accepted
            for named in (statement.subject, statement.object)
            if isinstance(named, NamedEntity)
        ]
        entities = _Entities(instance, end_user, [mention.named for mention in mentions])
        for mention in mentions:
            entities.find_or_make(mention.named)
        entities.save()
        Mention.objects.bulk_create(
            (
                Mention(
                    instance=instance,
                    entity=entity,
                    name=name,
                    slug=slug(name),
                    drawer_id=mention.drawer_id,
                    memory_id=mention.memory_id,
                )
                for mention in mentions
                if (entity := entities.find(mention.named)) is not None
                for name in entities.names_of(mention.named, entity)
            ),
            ignore_conflicts=True,
        )
        rows = [_statement(instance, end_user, each, entities, by) for each in accepted]
        stored = Statement.objects.bulk_create(filter(None, rows), ignore_conflicts=True)
        return len(stored)


def _statement(
    instance: Instance, end_user: str, given: StatementIn, entities: "_Entities", by: int | None
) -> Statement | None:
    """The row for the statement *given*; None if it has no subject, predicate or object."""
    name, day = predicate(given.predicate), given.valid_from
    if day and not 1000 <= day.year <= 2200:
        day = None
    subject, thing, value = entities.find(given.subject), None, ""
    if isinstance(given.object, NamedEntity):
        thing = entities.find(given.object)
    else:
        value = one_line(given.object.replace("\x00", ""))[:MAX_VALUE_CHARACTERS].strip()
    if not name or subject is None or subject == thing or (thing is None and not value):
        return None
    return Statement(
        instance=instance,
        end_user=end_user,
        subject=subject,
        predicate=name,
        object=thing,
        value=value,
        since=day or instance.date_of(given.said_at),
        dated=day is not None,
        ends=given.ends,
        single_valued=is_single_valued(name, given.single_valued),
        confidence=min(100, max(0, given.confidence)),
        tier=given.tier,
        said_at=given.said_at,
        drawer_id=given.drawer_id,
        memory_id=given.memory_id,
        by_id=by,
    )


Source = tuple[str, int]


def _sources(item: StatementIn | EntityMention) -> set[Source]:
    pairs = (("drawer", item.drawer_id), ("memory", item.memory_id))
    return {(name, pk) for name, pk in pairs if pk is not None}


def _barred(instance: Instance, items: Sequence[StatementIn | EntityMention]) -> set[Source]:
    """The sources of *items* from which nothing is learned any more."""
    rows = Withdrawn.objects.filter(instance=instance)
    drawers = rows.filter(drawer__in={item.drawer_id for item in items if item.drawer_id})
    memories = rows.filter(memory__in={item.memory_id for item in items if item.memory_id})
    return {
        *(("drawer", pk) for pk in drawers.values_list("drawer", flat=True) if pk),
        *(("memory", pk) for pk in memories.values_list("memory", flat=True) if pk),
    }


@dataclass
class _Entities:
    """The entities of one person that some names may mean, and new ones."""

    instance: Instance
    end_user: str
    named: Sequence[NamedEntity]
    #: The entities with each slug among their names; first the one whose main name it is.
    called: dict[str, list[Entity]] = field(default_factory=dict)
    made: list[Entity] = field(default_factory=list)

    def __post_init__(self) -> None:
        wanted = {
            key
            for named in self.named
            for name in (named.name, *named.aliases)
            for key in slugs(name)
        }
        rows = Mention.objects.filter(
            instance=self.instance, slug__in=wanted, entity__end_user=self.end_user
        ).select_related("entity")
        known: dict[int, Entity] = {}
        for mention in rows.order_by("entity_id", "pk"):
            self._note(mention.slug, known.setdefault(mention.entity_id, mention.entity))
        for key, entities in self.called.items():
            entities.sort(key=lambda entity: (entity.slug != key, entity.pk))

    def find(self, named: NamedEntity) -> Entity | None:
        """The entity that *named* means: by its name, then by another spelling, then by an alias if
        only one entity has it.
        """
        own, *others = slugs(named.name) or [""]
        if same := self._like(own, named):
            return same[0]
        for keys in (others, [key for alias in named.aliases for key in slugs(alias)]):
            matches = {id(e): e for key in keys for e in self._like(key, named)}
            if len(matches) == 1:
                return next(iter(matches.values()))
        return None

    def find_or_make(self, named: NamedEntity) -> None:
        """Create the entity of *named* unless `find` finds it, if it has a name at all."""
        kind = named.kind if named.kind in EntityKind.values else EntityKind.OTHER
        entity = self.find(named)
        if entity is None:
            name = clean_name(named.name)
            if not slug(name):
                return
            own = {"instance": self.instance, "end_user": self.end_user}
            entity = Entity(**own, kind=kind, name=name, slug=slug(name))
            self.made.append(entity)
        elif entity.kind == EntityKind.OTHER != kind:
            # Its kind was not known so far.
            entity.kind = kind
            if entity.pk:
                entity.save(update_fields=["kind"])
        for name in self.names_of(named, entity):
            self._note(slug(name), entity)

    def names_of(self, named: NamedEntity, entity: Entity) -> list[str]:
        """The names that *named* gives *entity*, without those of another entity."""
        names = dict.fromkeys(
            name for each in (named.name, *named.aliases) if slug(name := clean_name(each))
        )
        return [
            name
            for name in names
            if not any(
                other is not entity and alike(other.kind, named.kind)
                for other in self.called.get(slug(name), [])
            )
        ]

    def save(self) -> None:
        Entity.objects.bulk_create(self.made)

    def _like(self, key: str, named: NamedEntity) -> list[Entity]:
        return [e for e in self.called.get(key, []) if alike(e.kind, named.kind)]

    def _note(self, key: str, entity: Entity) -> None:
        entities = self.called.setdefault(key, [])
        if entity not in entities:
            entities.append(entity)
