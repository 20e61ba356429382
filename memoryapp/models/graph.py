"""The temporal knowledge graph: statements about entities, with the day from which they hold.

::

    Entity     a person, a project, a place … of one (instance, end user)
    Mention    a name of an entity, and its source
    Statement  "since that day, subject – predicate – object", and its source
    Relation   a period in which something held: derived, see `models.relations`

The names of an entity come from its mentions alone, so that a name disappears with the last message
that contained it. Triggers do that: see `CREATE_GRAPH_TRIGGERS`.
"""

from collections.abc import Collection
from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from instances.constraints import allow_values
from instances.models import Instance, User
from instances.models.content_keys import ContentKey, InstanceContent, OneToOneContentKey
from instances.tiers import Tier
from memoryapp.models.memory import Attributed, Memory
from memoryapp.models.palace import Drawer
from memoryapp.models.transition_tables import function, gathered

_MENTIONS_GONE = f"PERFORM keepsake_clear_entities({gathered('entity_id', 'gone')}, mine);"
_STATEMENTS_GONE = f"""
PERFORM keepsake_clear_entities(
    {gathered("subject_id", "gone")} || {gathered("object_id", "gone")}, mine
);
SELECT array_agg(subject_id), array_agg(object_id), array_agg(predicate), array_agg(lower(value))
    INTO subjects, objects, predicates, texts FROM gone
    WHERE instance_id = mine AND NOT ends;
-- A manual end repeats the statement that it ends, and is deleted with it.
DELETE FROM memoryapp_statement s
USING unnest(subjects, objects, predicates, texts) AS g (subject_id, object_id, predicate, value)
WHERE s.instance_id = mine AND s.ends AND s.drawer_id IS NULL AND s.memory_id IS NULL
    AND s.subject_id = g.subject_id AND s.predicate = g.predicate
    AND s.object_id IS NOT DISTINCT FROM g.object_id AND lower(s.value) = g.value
    AND NOT EXISTS (
        SELECT FROM memoryapp_statement o
        WHERE o.instance_id = mine AND NOT o.ends
            AND o.subject_id = s.subject_id AND o.predicate = s.predicate
            AND o.object_id IS NOT DISTINCT FROM s.object_id AND lower(o.value) = lower(s.value)
    );
"""  # noqa: S608 - Names of this module.
#: Delete entities and names without a source. The lock is that of the palace, taken by every
#: transaction that adds or deletes: see `models.palace`.
CREATE_GRAPH_TRIGGERS = f"""
CREATE FUNCTION keepsake_clear_entities(entities bigint[], mine bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE unheard bigint[];
BEGIN
    PERFORM 1 FROM memoryapp_palace WHERE instance_id = mine FOR UPDATE;
    SELECT array_agg(e.id) INTO unheard FROM memoryapp_entity e
    WHERE e.instance_id = mine AND e.id = ANY(entities)
        AND NOT EXISTS (
            SELECT FROM memoryapp_statement s WHERE s.instance_id = mine AND s.subject_id = e.id
        )
        AND NOT EXISTS (
            SELECT FROM memoryapp_statement s WHERE s.instance_id = mine AND s.object_id = e.id
        )
        AND NOT EXISTS (
            SELECT FROM memoryapp_mention m WHERE m.instance_id = mine AND m.entity_id = e.id
                AND (m.drawer_id IS NOT NULL OR m.memory_id IS NOT NULL)
        );
    IF unheard IS NOT NULL THEN
        DELETE FROM memoryapp_mention WHERE instance_id = mine AND entity_id = ANY(unheard);
        DELETE FROM memoryapp_entity WHERE instance_id = mine AND id = ANY(unheard);
    END IF;
    UPDATE memoryapp_entity e SET name = known.name, slug = known.slug
    FROM (
        SELECT DISTINCT ON (entity_id) entity_id, name, slug FROM memoryapp_mention
        WHERE instance_id = mine AND entity_id = ANY(entities) ORDER BY entity_id, id
    ) known
    WHERE e.instance_id = mine AND known.entity_id = e.id AND NOT EXISTS (
        SELECT FROM memoryapp_mention m
        WHERE m.instance_id = mine AND m.entity_id = e.id AND m.slug = e.slug
    );
END $$;
{function("keepsake_mentions_gone", ["gone"], _MENTIONS_GONE)}
{
    function(
        "keepsake_statements_gone",
        ["gone"],
        _STATEMENTS_GONE,
        variables="subjects bigint[]; objects bigint[]; predicates text[]; texts text[];",
    )
}
CREATE FUNCTION keepsake_memory_says_otherwise() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM memoryapp_statement WHERE memory_id = OLD.id AND instance_id = OLD.instance_id;
    DELETE FROM memoryapp_mention WHERE memory_id = OLD.id AND instance_id = OLD.instance_id;
    RETURN NULL;
END $$;
CREATE TRIGGER mentions_gone AFTER DELETE ON memoryapp_mention REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION keepsake_mentions_gone();
CREATE TRIGGER statements_gone AFTER DELETE ON memoryapp_statement REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION keepsake_statements_gone();
CREATE TRIGGER memory_says_otherwise AFTER UPDATE ON memoryapp_memory FOR EACH ROW
    WHEN (OLD.content IS DISTINCT FROM NEW.content)
    EXECUTE FUNCTION keepsake_memory_says_otherwise();
"""  # noqa: S608 - Names of this module.
DROP_GRAPH_TRIGGERS = """
DROP FUNCTION keepsake_memory_says_otherwise CASCADE;
DROP FUNCTION keepsake_statements_gone CASCADE;
DROP FUNCTION keepsake_mentions_gone CASCADE;
DROP FUNCTION keepsake_clear_entities;
"""


class EntityKind(models.TextChoices):
    """Kind of an entity."""

    PERSON = "person", _("Person")
    PROJECT = "project", _("Project")
    PLACE = "place", _("Place")
    ORGANISATION = "organisation", _("Organisation")
    ITEM = "item", _("Item")
    OTHER = "other", _("Other")


def alike(one: str, other: str) -> bool:
    """True if entities of these kinds may be the same: a person is never a place or a thing, but
    the kinds of things are not used consistently.
    """
    kinds = {one, other}
    return EntityKind.OTHER in kinds or len(kinds & {EntityKind.PERSON}) == 0 or len(kinds) == 1


class EntityQuerySet(models.QuerySet["Entity"]):
    def called(self, slugs: Collection[str]) -> Self:
        """Entities with one of *slugs* among their names."""
        return self.filter(pk__in=Mention.objects.filter(slug__in=slugs).values("entity"))


class Entity(InstanceContent):
    """A person or thing that messages mention."""

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="entities")
    end_user = models.CharField(max_length=200, blank=True)
    kind = models.CharField(max_length=12, choices=EntityKind, default=EntityKind.OTHER)
    name = models.CharField(max_length=200)
    #: In the letters of its own script.
    slug = models.CharField(max_length=200)
    created_at = models.DateTimeField(default=timezone.now)

    objects = EntityQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["slug", "pk"]
        verbose_name_plural = "entities"
        constraints: ClassVar = [
            allow_values("kind", EntityKind, "entity_kind"),
            models.CheckConstraint(condition=~Q(name="") & ~Q(slug=""), name="entity_named"),
            models.UniqueConstraint(fields=["id", "instance"], name="entity_in_instance"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["instance", "end_user", "slug"], name="entity_by_slug"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("entity", args=[self.pk])


#: The fields of mentions, and of statements, that are unique together.
_MENTION_ONCE = ["entity", "slug", "drawer", "memory"]
_STATEMENT_ONCE = [
    *("subject", "predicate", "object", "value"),
    *("since", "ends", "drawer", "memory"),
]
#: A drawer, or a memory, or neither: a person made it.
_ONE_SOURCE = Q(drawer=None) | Q(memory=None)


class Mention(InstanceContent):
    """A name of an entity in a drawer or memory; without either, a person gave it."""

    ONCE: ClassVar = _MENTION_ONCE

    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    entity = ContentKey(Entity, on_delete=models.CASCADE, related_name="mentions", db_index=False)
    name = models.CharField(max_length=200)
    slug = models.CharField(max_length=200)
    drawer = ContentKey(
        Drawer, on_delete=models.CASCADE, null=True, blank=True, related_name="mentions"
    )
    memory = ContentKey(
        Memory, on_delete=models.CASCADE, null=True, blank=True, related_name="mentions"
    )

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(name="") & ~Q(slug=""), name="mention_named"),
            models.CheckConstraint(condition=_ONE_SOURCE, name="mention_one_source"),
            models.UniqueConstraint(
                fields=_MENTION_ONCE, nulls_distinct=False, name="mention_once"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["instance", "slug"], name="mention_by_slug")]

    def __str__(self) -> str:
        return self.name


class Statement(Attributed, InstanceContent):
    """A statement about a subject: that something holds since a day, or no longer holds."""

    ONCE: ClassVar = _STATEMENT_ONCE

    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    end_user = models.CharField(max_length=200, blank=True)
    subject = ContentKey(Entity, on_delete=models.CASCADE, related_name="said_of", db_index=False)
    #: For example ``works_at``; see `memoryapp.graph.predicates`.
    predicate = models.CharField(max_length=100)
    #: The object: another entity, or a value such as a date or a number.
    object = ContentKey(
        Entity, on_delete=models.CASCADE, null=True, blank=True, related_name="named_in"
    )
    value = models.CharField(max_length=500, blank=True)
    #: The day from which it holds; without a date, the day of the message.
    since = models.DateField()
    dated = models.BooleanField(default=False)
    #: True if it no longer holds from `since` on.
    ends = models.BooleanField(default=False)
    #: True if the subject has one object at a time.
    single_valued = models.BooleanField(default=False)
    #: 0 to 100.
    confidence = models.PositiveSmallIntegerField(default=70)
    #: How far it is believed, by where it comes from; see `models.relations`.
    tier = models.PositiveSmallIntegerField(choices=Tier, default=Tier.DOCUMENT)
    said_at = models.DateTimeField(default=timezone.now)
    drawer = ContentKey(
        Drawer, on_delete=models.CASCADE, null=True, blank=True, related_name="statements"
    )
    memory = ContentKey(
        Memory, on_delete=models.CASCADE, null=True, blank=True, related_name="statements"
    )
    #: The person who made it, if it has no source.
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(object=None) & ~Q(value="") | Q(object__isnull=False, value=""),
                name="statement_object_or_value",
            ),
            models.CheckConstraint(condition=~Q(predicate=""), name="statement_predicate"),
            models.CheckConstraint(condition=_ONE_SOURCE, name="statement_one_source"),
            models.CheckConstraint(condition=Q(confidence__lte=100), name="statement_confidence"),
            allow_values("tier", Tier, "statement_tier"),
            models.UniqueConstraint(
                fields=_STATEMENT_ONCE, nulls_distinct=False, name="statement_once"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["instance", "subject", "predicate"], name="statement_windows"),
        ]

    def __str__(self) -> str:
        return f"{self.subject_id} {self.predicate} {self.object_id or self.value}"


class Withdrawn(InstanceContent):
    """A drawer or memory of which a person deleted a statement: nothing more is learned from it."""

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="+")
    drawer = OneToOneContentKey(
        Drawer, on_delete=models.CASCADE, null=True, blank=True, related_name="withdrawn"
    )
    memory = OneToOneContentKey(
        Memory, on_delete=models.CASCADE, null=True, blank=True, related_name="withdrawn"
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "withdrawn"
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(drawer=None, memory__isnull=False)
                | Q(drawer__isnull=False, memory=None),
                name="withdrawn_one_source",
            ),
        ]

    def __str__(self) -> str:
        return f"drawer {self.drawer_id}" if self.drawer_id else f"memory {self.memory_id}"
