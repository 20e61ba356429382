"""Periods in which something held: a view over the statements, so they are never stored.

The statements of a subject and a predicate are taken in the order of the days from which they hold:

- A statement opens a window, or continues the one of the same object.
- If the predicate is single-valued, the next object closes the previous window, on its own day.
- ``ends`` closes the window of its object, if that is open. An end without a known beginning makes
  a window without a beginning.
- Of two statements of the same day, the later one counts, then the one with the higher id. The
  other has a window of no length: it is shown, and holds on no day.
- A statement without a day counts from the day on which it was made; `dated` tells the two apart.
- A predicate is single-valued for a subject if most statements of the highest tier say so. In
  doubt it has many values, and nothing is closed.
- This is done once for each tier, with its statements and those of higher tiers, and gives the
  windows that begin with a statement of that tier. So a lower tier neither closes, begins nor
  prolongs what a higher one has said: it has windows of its own beside it, which the higher one
  closes, and a repetition of what stands is only a further source of that.

So nothing is overwritten, and statements may be added and deleted in any order. A window that a
deleted statement had closed is open again, and a single-valued predicate can never have two open
values.
"""

from collections.abc import Collection
from datetime import date
from typing import ClassVar, Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from instances.models import Instance
from instances.models.content_keys import ContentKey
from instances.tiers import Tier
from memoryapp.models.graph import Entity, Statement
from memoryapp.models.memory import Attributed

#: Every window function is partitioned by the same first four columns: a condition on them is
#: applied to the statements, by their index, before anything is computed. `tiers` is a bit mask.
CREATE_RELATIONS = """
CREATE VIEW memoryapp_relation AS
WITH known AS (
    SELECT s.*, lower(s.value) AS written,
        max(s.tier) OVER same_predicate AS highest,
        bit_or(1 << s.tier) OVER same_predicate AS tiers,
        s.ends AND count(*) FILTER (WHERE NOT s.ends) OVER so_far = 0 AS unbegun
    FROM memoryapp_statement s
    WINDOW
        same_predicate AS (PARTITION BY instance_id, end_user, subject_id, predicate),
        so_far AS (
            PARTITION BY instance_id, end_user, subject_id, predicate, object_id, lower(value)
            ORDER BY since, said_at, id
        )
), said AS (
    SELECT known.*,
        avg(single_valued::int) FILTER (WHERE tier = highest) OVER (
            PARTITION BY instance_id, end_user, subject_id, predicate
        ) > 0.5 AS one_at_a_time
    FROM known
), in_lines AS ( -- What follows each other in time: all objects, or those of one object.
    SELECT said.*, level, tier >= level AS counts,
        CASE WHEN one_at_a_time AND NOT unbegun THEN NULL ELSE object_id END AS line_object,
        CASE WHEN one_at_a_time AND NOT unbegun THEN NULL ELSE written END AS line_written
    FROM said JOIN generate_series(1, 5) AS level
        ON CASE WHEN unbegun THEN level = tier ELSE tiers & (1 << level) <> 0 END
), in_turns AS ( -- An assertion, and what comes before the next one.
    SELECT in_lines.*, count(*) FILTER (WHERE counts AND NOT ends) OVER (
        PARTITION BY instance_id, end_user, subject_id, predicate,
            level, unbegun, line_object, line_written
        ORDER BY since, said_at, id
    ) AS turn
    FROM in_lines
), with_ends AS (
    SELECT in_turns.*,
        min(since) FILTER (WHERE counts AND ends) OVER own_turn AS ended,
        -- Ends, and what lower tiers say of it.
        string_agg(id::text, ' ') FILTER (WHERE (ends OR NOT counts) AND NOT unbegun)
            OVER own_turn AS further
    FROM in_turns
    WINDOW own_turn AS (
        PARTITION BY instance_id, end_user, subject_id, predicate,
            level, unbegun, line_object, line_written, turn, object_id, written
    )
), held AS (
    SELECT with_ends.*,
        coalesce(ended, lead(since) OVER line) AS until,
        (
            lag(id) OVER line IS NULL
            OR lag(object_id) OVER line IS DISTINCT FROM object_id
            OR lag(written) OVER line IS DISTINCT FROM written
            OR (lag(ended) OVER line IS NOT NULL AND NOT unbegun)
            OR lag(tier) OVER line < tier
        )::int AS opens
    FROM with_ends
    WHERE counts AND (NOT ends OR unbegun)
    WINDOW line AS (
        PARTITION BY instance_id, end_user, subject_id, predicate,
            level, unbegun, line_object, line_written
        ORDER BY since, said_at, id
    )
), in_windows AS (
    SELECT held.*, sum(opens) OVER (
        PARTITION BY instance_id, end_user, subject_id, predicate,
            level, unbegun, line_object, line_written
        ORDER BY since, said_at, id
    ) AS number
    FROM held
)
SELECT
    (array_agg(id ORDER BY since, said_at, id))[1] AS id,
    instance_id, end_user, subject_id, predicate, object_id,
    (array_agg(value ORDER BY since DESC, said_at DESC, id DESC))[1] AS value,
    CASE WHEN NOT unbegun THEN min(since) END AS valid_from,
    CASE WHEN unbegun THEN min(since) WHEN bool_and(until IS NOT NULL) THEN max(until) END
        AS valid_to,
    (array_agg(dated ORDER BY since, said_at, id))[1] AS dated,
    bool_or(ended IS NOT NULL) AS ended,
    one_at_a_time AS single_valued,
    max(confidence) AS confidence,
    level::smallint AS tier,
    max(said_at) AS said_at,
    array_agg(id ORDER BY since, said_at, id)
        || string_to_array(string_agg(further, ' '), ' ')::bigint[] AS statements
FROM in_windows
GROUP BY instance_id, end_user, subject_id, predicate,
    level, unbegun, line_object, line_written, number, object_id, written, one_at_a_time
HAVING max(tier) = level;
"""
DROP_RELATIONS = "DROP VIEW memoryapp_relation"


class RelationQuerySet(models.QuerySet["Relation"]):
    def as_of(self, day: date) -> Self:
        """Relations that hold on *day*."""
        return self.filter(Q(valid_to=None) | Q(valid_to__gt=day), valid_from__lte=day)

    def about(self, instance: Instance, entities: Collection[int], *, most: int = 200) -> Self:
        """Relations with one of *entities* as subject or object; of the subjects whose object they
        are, the *most* that were mentioned last. This takes one query before.

        PostgreSQL applies a list of subjects to the statements, and computes only their windows. A
        subquery would be applied to the windows of the whole instance.
        """
        naming_them = Statement.objects.filter(instance=instance, object__in=entities)
        latest = naming_them.order_by("-said_at", "-pk").values_list("subject", flat=True)
        return self.filter(
            Q(subject__in=entities) | Q(object__in=entities),
            instance=instance,
            subject__in={*entities, *latest[:most]},
        )


class Relation(Attributed, models.Model):
    """A period in which something held. Read-only."""

    #: The statement that opens it, so the same as long as that exists.
    id = models.BigIntegerField(primary_key=True)
    instance = models.ForeignKey(Instance, on_delete=models.DO_NOTHING, related_name="relations")
    end_user = models.CharField(max_length=200)
    subject = ContentKey(Entity, on_delete=models.DO_NOTHING, related_name="relations")
    predicate = models.CharField(max_length=100)
    object = ContentKey(Entity, on_delete=models.DO_NOTHING, null=True, related_name="+")
    value = models.CharField(max_length=500)
    #: None: the beginning is unknown.
    valid_from = models.DateField(null=True)
    #: The first day on which it no longer holds; None: it still holds.
    valid_to = models.DateField(null=True)
    #: True if `valid_from` was stated, and is not just the day of the first statement.
    dated = models.BooleanField()
    #: True if a statement ended it; otherwise `valid_to` is the day of the next one.
    ended = models.BooleanField()
    single_valued = models.BooleanField()
    confidence = models.PositiveSmallIntegerField()
    #: The highest of those that state it.
    tier = models.PositiveSmallIntegerField(choices=Tier)
    said_at = models.DateTimeField()
    #: The statements it is derived from, and those of lower tiers that repeat it, or say that it
    #: ended.
    statements = ArrayField(models.BigIntegerField())

    objects = RelationQuerySet.as_manager()

    class Meta:
        managed = False
        db_table = "memoryapp_relation"
        ordering: ClassVar = ["predicate", "valid_from", "id"]

    def __str__(self) -> str:
        return f"{self.subject_id} {self.predicate} {self.object_id or self.value}"

    @property
    def is_open(self) -> bool:
        return self.valid_to is None

    @property
    def is_overruled(self) -> bool:
        """True if a later statement of the same day replaces it."""
        return self.valid_from is not None and self.valid_from == self.valid_to

    def holds_on(self, day: date) -> bool:
        begun = self.valid_from is not None and self.valid_from <= day
        return begun and (self.valid_to is None or self.valid_to > day)
