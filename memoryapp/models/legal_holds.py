"""Legal holds: rows that cannot be deleted until a manager lifts the hold.

Triggers keep them, so that no door can be forgotten: a row under a hold that is to be deleted, or a
text that is to be taken out, fails the whole transaction with the name of the hold, which
`memoryapp.forgetting.holds` turns into `OnHold`. What a hold covers is said once, by the function
`keepsake_hold_on`, which the triggers call as well as what has to pass over rows on hold.
"""

# ruff: noqa: S608 - All names are of this module.

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar, Self, TypeAlias

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Func, Q, Value
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from conversations.models import Conversation
from instances.constraints import allow_values
from instances.models import Instance, User
from instances.models.content_keys import ContentKey, InstanceContent

#: The SQLSTATE of the error with which triggers keep a hold. Its message is the name of the hold.
ON_HOLD = "KS001"


class HoldScope(models.TextChoices):
    """The kinds of things that a hold is on."""

    PERSON = "person", _("a person")
    CONVERSATION = "conversation", _("a conversation")
    PERIOD = "period", _("a period")
    INSTANCE = "instance", _("the whole instance")


class LegalHoldQuerySet(models.QuerySet["LegalHold"]):
    def active(self) -> Self:
        """Holds that have not been lifted."""
        return self.filter(lifted_at=None)

    def on_conversation(self, conversation: Conversation, *, since: datetime) -> Self:
        """Active holds on what was said in *conversation* at a moment or later."""
        told = (conversation.end_user, conversation.shared_with)
        people = [person for person in told if person is not None]
        return self.active().filter(
            Q(scope=HoldScope.INSTANCE)
            | Q(scope=HoldScope.PERSON, end_user__in=people)
            | Q(scope=HoldScope.CONVERSATION, conversation=conversation.pk)
            | Q(scope=HoldScope.PERIOD, ends_at__gt=since),
            instance=conversation.instance_id,
        )


class LegalHold(InstanceContent):
    """A hold on a person, a conversation, a period or a whole instance."""

    Scope: TypeAlias = HoldScope

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="legal_holds")
    #: Its name, such as the number of a case.
    name = models.CharField(max_length=200)
    scope = models.CharField(max_length=20, choices=Scope)
    #: The person of a hold on a person; empty for messages without one.
    end_user = models.CharField(max_length=200, blank=True)
    conversation = ContentKey(
        Conversation, on_delete=models.SET_NULL, null=True, blank=True, related_name="legal_holds"
    )
    #: Of a hold on a period: its first moment, and the first one after it.
    begins_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    set_at = models.DateTimeField(default=timezone.now)
    set_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    #: The name of the person or key that set it, which outlives their account.
    set_by_name = models.CharField(max_length=200)
    lifted_at = models.DateTimeField(null=True, blank=True)
    lifted_by_name = models.CharField(max_length=200, blank=True)

    objects = LegalHoldQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-set_at", "-id"]
        constraints: ClassVar = [
            allow_values("scope", HoldScope, "hold_scope"),
            models.CheckConstraint(
                condition=~Q(scope=HoldScope.PERIOD.value)
                | Q(begins_at__isnull=False, ends_at__gt=models.F("begins_at")),
                name="hold_period",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["instance"], condition=Q(lifted_at=None), name="active_holds")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def last_day(self) -> datetime | None:
        """A moment of the last day of the period."""
        return self.ends_at - timedelta(minutes=1) if self.ends_at else None


@dataclass(frozen=True)
class HoldSubject:
    """The subject of a row, by the names of its columns: whom, when and where it is about."""

    people: tuple[str, ...] = ()
    moments: tuple[str, ...] = ()
    conversation: str = ""
    #: True if the people are those of the conversation.
    through_conversation: bool = False


#: What the rows of a table are about. A memory is also about the conversations of its sources.
_SUBJECTS: Mapping[str, HoldSubject] = {
    "memoryapp_memory": HoldSubject(("end_user", "shared_by"), ("created_at", "said_at")),
    "memoryapp_memorysource": HoldSubject(conversation="conversation_id"),
    "memoryapp_storeddocument": HoldSubject(("end_user",), ("created_at", "updated_at")),
    "conversations_conversation": HoldSubject(("end_user", "shared_with"), ("created_at",), "id"),
    "conversations_message": HoldSubject(
        ("end_user", "shared_with"), ("sent_at",), "conversation_id", through_conversation=True
    ),
    "memoryapp_drawer": HoldSubject(("end_user", "shared_with"), ("said_at",)),
    "memoryapp_activity": HoldSubject(moments=("at",), conversation="conversation_id"),
    "memoryapp_usage": HoldSubject(moments=("at",)),
}


class HoldOn(Func):
    """The `keepsake_hold_on` SQL function: the name of a hold that a row of *model* is under; NULL
    if it is under none.
    """

    function = "keepsake_hold_on"
    output_field = models.TextField()

    def __init__(self, model: type[models.Model]) -> None:
        subject = _SUBJECTS[model._meta.db_table]
        path = "conversation__" if subject.through_conversation else ""
        super().__init__(
            F("instance_id"),
            _array([f"{path}{person}" for person in subject.people], "text", models.TextField()),
            _array(subject.moments, "timestamptz", models.DateTimeField()),
            F(subject.conversation)
            if subject.conversation
            else Value(None, output_field=models.BigIntegerField()),
        )


def _array(columns: Sequence[str], kind: str, of: models.Field[Any, Any]) -> Func:
    """An array of *columns*, whose type is *kind* in SQL."""
    return Func(
        *map(F, columns),
        template=f"ARRAY[%(expressions)s]::{kind}[]",
        output_field=ArrayField(of),
    )


def _refuse(people: str, moments: str, conversation: str) -> str:
    """The statement that fails if the row ``OLD`` is under a hold: *people*, *moments* and
    *conversation* are expressions for whom, when and where it is about.
    """
    about = f"ARRAY[{people}]::text[], ARRAY[{moments}]::timestamptz[]"
    return f"PERFORM keepsake_refuse_on_hold(OLD.instance_id, {about}, {conversation});"


def _kept(table: str) -> str:
    """The statement that fails if the row ``OLD`` of *table* is under a hold."""
    subject = _SUBJECTS[table]
    people = ", ".join(f"OLD.{person}" for person in subject.people)
    if subject.through_conversation:
        people = ", ".join(
            f"(SELECT c.{person} FROM conversations_conversation c"
            " WHERE c.instance_id = OLD.instance_id AND c.id = OLD.conversation_id)"
            for person in subject.people
        )
    moments = ", ".join(f"OLD.{moment}" for moment in subject.moments)
    return _refuse(
        people, moments, f"OLD.{subject.conversation}" if subject.conversation else "NULL"
    )


def _of_memory(memory: str) -> str:
    """The statements that fail if the row is of a *memory* under a hold."""
    own = f"instance_id = OLD.instance_id AND {{column}} = {memory}"
    subject = _SUBJECTS["memoryapp_memory"]
    moments = ", ".join(f"m.{moment}" for moment in subject.moments)
    people = ", ".join(f"m.{person}" for person in subject.people)
    return f"""
    PERFORM keepsake_refuse_on_hold(OLD.instance_id, ARRAY[{people}], ARRAY[{moments}], NULL)
        FROM memoryapp_memory m WHERE m.{own.format(column="id")};
    PERFORM keepsake_refuse_on_hold(OLD.instance_id, NULL, NULL, s.conversation_id)
        FROM memoryapp_memorysource s WHERE s.{own.format(column="memory_id")};
    """


#: The statements that fail where a row is under a hold, by table. The rows that a
#: memory was learned from go before the memory.
_KEPT = {table: _kept(table) for table in _SUBJECTS} | {
    "memoryapp_memoryrevision": _of_memory("OLD.memory_id"),
    # In the bin; its row goes as well when the memory is restored.
    "memoryapp_archivedmemory": f"""
    IF EXISTS (
        SELECT FROM memoryapp_memory m
        WHERE m.instance_id = OLD.instance_id AND m.id = OLD.memory_id
    ) THEN
        RETURN OLD;
    END IF;
    {
        _refuse(
            "OLD.end_user, OLD.rows->'memory'->0->>'shared_by'",
            "OLD.rows->'memory'->0->>'created_at', OLD.rows->'memory'->0->>'said_at'",
            "NULL",
        )
    }
    PERFORM keepsake_refuse_on_hold(OLD.instance_id, NULL, NULL, (s->>'conversation_id')::bigint)
        FROM jsonb_array_elements(OLD.rows->'memorysource') s;
    """,
}
#: Of which rows of a table, where not of all: messages in the palace stay in their conversation.
_ONLY = {"memoryapp_drawer": "OLD.message_id IS NULL"}
#: Columns with a text that is gone where it does not begin as before: it may grow, and come back.
_TEXTS = {"conversations_message": "content", "memoryapp_drawer": "note"}


def _create(table: str) -> str:
    only = f"WHEN ({_ONLY[table]})" if table in _ONLY else ""
    sql = f"""
CREATE FUNCTION keepsake_keep_{table}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    {_KEPT[table].strip()}
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER on_hold BEFORE DELETE ON {table} FOR EACH ROW {only}
    EXECUTE FUNCTION keepsake_keep_{table}();
"""
    if text := _TEXTS.get(table):
        sql += f"""
CREATE TRIGGER text_on_hold BEFORE UPDATE ON {table} FOR EACH ROW
    WHEN (OLD.{text} <> '' AND NOT starts_with(NEW.{text}, OLD.{text}))
    EXECUTE FUNCTION keepsake_keep_{table}();
"""
    return sql


CREATE_HOLD_TRIGGERS = f"""
CREATE FUNCTION keepsake_hold_on(
    mine bigint, people text[], moments timestamptz[], conversation bigint
) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (
        SELECT h.name FROM memoryapp_legalhold h
        WHERE h.instance_id = mine AND h.lifted_at IS NULL AND CASE h.scope
            WHEN 'person' THEN h.end_user = ANY(people)
            WHEN 'conversation' THEN h.conversation_id = conversation
            WHEN 'period' THEN EXISTS (
                SELECT FROM unnest(moments) AS at WHERE at >= h.begins_at AND at < h.ends_at
            )
            ELSE true
        END
        ORDER BY h.id LIMIT 1
    );
END $$;
CREATE FUNCTION keepsake_refuse_on_hold(
    mine bigint, people text[], moments timestamptz[], conversation bigint
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE held text := keepsake_hold_on(mine, people, moments, conversation);
BEGIN
    IF held IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = '{ON_HOLD}', MESSAGE = held;
    END IF;
END $$;
CREATE FUNCTION keepsake_keep_hold() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = '{ON_HOLD}', MESSAGE = OLD.name;
END $$;
CREATE TRIGGER keep_hold BEFORE DELETE ON memoryapp_legalhold FOR EACH ROW
    WHEN (OLD.lifted_at IS NULL) EXECUTE FUNCTION keepsake_keep_hold();
-- Before a conversation goes, Django takes it out of what refers to it.
CREATE TRIGGER keep_conversation BEFORE UPDATE ON memoryapp_legalhold FOR EACH ROW
    WHEN (OLD.lifted_at IS NULL AND OLD.conversation_id IS NOT NULL AND NEW.conversation_id IS NULL)
    EXECUTE FUNCTION keepsake_keep_hold();
{"".join(map(_create, _KEPT))}
"""
DROP_HOLD_TRIGGERS = "".join(
    f"DROP FUNCTION keepsake_{name} CASCADE;"
    for name in ("refuse_on_hold", "hold_on", "keep_hold", *(f"keep_{table}" for table in _KEPT))
)
