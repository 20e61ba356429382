"""Events for webhooks: the outbox that triggers fill, and the log of what was sent.

A row is written in the transaction of the change that it tells of, by triggers, so that no way of
changing memories can leave it out. It holds ids only: what is sent is read when it is sent, and no
copy of a text outlives a deletion.
"""

from datetime import datetime, timedelta
from typing import ClassVar, Self, TypeAlias
from uuid import uuid4

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from instances.constraints import allow_values
from instances.models import Instance, Webhook
from instances.models.content_keys import ContentKey, InstanceContent
from instances.models.fields import TranslatableTextField
from memoryapp.models.prepared_statements import prepared
from memoryapp.models.transition_tables import function

#: Rows that one statement may change before they share an event, and the most in one event.
MAX_SINGLE_EVENTS = 20
MAX_IDS = 500
#: Days for which an event stays in the log.
LOG_DAYS = 14
#: Rows that one statement deletes.
_CHUNK = 1_000


class DeliveryEvent(models.TextChoices):
    """Type of the event that is delivered: `instances.models.WebhookEvent`, and the test button."""

    LEARNED = "memory.learned", _("Memory learned")
    CHANGED = "memory.changed", _("Memory changed")
    FORGOTTEN = "memory.forgotten", _("Memory forgotten")
    HELD = "statement.held", _("Statement held for review")
    TEST = "webhook.test", _("Test")


class DeliveryState(models.TextChoices):
    """State of a delivery."""

    WAITING = "waiting", _("waiting")
    DELIVERED = "delivered", _("delivered")
    FAILED = "failed", _("failed")
    #: What it was to tell of had gone before it was sent.
    OBSOLETE = "obsolete", _("not needed any more")


class WebhookDeliveryQuerySet(models.QuerySet["WebhookDelivery"]):
    def waiting(self) -> Self:
        return self.filter(state=DeliveryState.WAITING)

    def due(self, now: datetime) -> Self:
        """Deliveries to send now."""
        return self.waiting().filter(due_at__lte=now)

    def give_up(self) -> int:
        """Give up those that wait; return how many."""
        return self.waiting().update(state=DeliveryState.FAILED)

    def delete_old(self) -> int:
        """Delete what has been in the log for `LOG_DAYS`; return how many."""
        begin = timezone.now() - timedelta(days=LOG_DAYS)
        old = self.filter(created_at__lt=begin).order_by()
        deleted = 0
        while ids := list(old.values_list("pk", flat=True)[:_CHUNK]):
            deleted += self.model.objects.filter(pk__in=ids).delete()[0]
        return deleted


def has_webhooks(instance: Instance) -> bool:
    """True if *instance* has any webhook. Most have none, and this takes a tenth of the time of
    `webhooks_due` after each change.
    """
    with prepared() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM instances_webhook WHERE instance_id = %s)", [instance.pk]
        )
        return bool(cursor.fetchone()[0])


def webhooks_due(instance: Instance | None = None) -> QuerySet[Webhook]:
    """The webhooks, of *instance* or of all, with something to send now."""
    rows, due = Webhook.objects.ready(), WebhookDelivery.objects.due(timezone.now())
    if instance is not None:
        rows, due = rows.filter(instance=instance), due.filter(instance=instance)
    return rows.filter(pk__in=due.order_by().values("webhook"))


class WebhookDelivery(InstanceContent):
    """One event for one webhook."""

    Event: TypeAlias = DeliveryEvent
    State: TypeAlias = DeliveryState

    #: That it is the webhook's, the triggers and the views see to.
    instance = models.ForeignKey(
        Instance,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        db_index=False,
        related_name="+",
    )
    #: It is deleted after its webhook, since the memories of an instance still make events while
    #: that is being deleted: see `memoryapp.receivers`. The database does not check it: a change of
    #: a memory would wait for the deletion of a webhook, or fail. What one leaves behind is never
    #: sent, and is deleted when it is old.
    webhook = ContentKey(
        Webhook, on_delete=models.CASCADE, db_constraint=False, related_name="deliveries"
    )
    #: The id of the event for the receiver, the same at each attempt.
    uid = models.UUIDField(default=uuid4, unique=True)
    event = models.CharField(max_length=30, choices=DeliveryEvent)
    #: The memories or statements that it tells of, by their ids.
    ids = ArrayField(models.BigIntegerField(), default=list, blank=True)
    #: The people whom forgotten memories were about, in the order of the ids.
    end_users = ArrayField(models.CharField(max_length=200), default=list, blank=True)
    state = models.CharField(max_length=20, choices=DeliveryState, default=DeliveryState.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    #: When to try next.
    due_at = models.DateTimeField(default=timezone.now)
    #: The last attempt: when it was, the HTTP status, how long it took, and what went wrong.
    tried_at = models.DateTimeField(null=True, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    duration_ms = models.PositiveIntegerField(null=True, blank=True)
    error = TranslatableTextField(blank=True)

    objects = WebhookDeliveryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "webhook deliveries"
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            allow_values("event", DeliveryEvent, "delivery_event"),
            allow_values("state", DeliveryState, "delivery_state"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["webhook", "-id"], name="delivery_list"),
            models.Index(
                fields=["instance", "webhook", "due_at"],
                condition=Q(state="waiting"),
                name="delivery_waiting",
            ),
            models.Index(fields=["created_at"], name="delivery_age"),
        ]

    def __str__(self) -> str:
        return f"{self.event} for webhook {self.webhook_id}"

    @property
    def message_id(self) -> str:
        """The id that the receiver sees."""
        return f"evt_{self.uid.hex}"

    @property
    def is_batch(self) -> bool:
        """True if it tells of several rows, by their ids only."""
        return len(self.ids) > 1

    @property
    def memory_id(self) -> int | None:
        """The one memory that it tells of, if that may still be there."""
        known = self.event in (DeliveryEvent.LEARNED, DeliveryEvent.CHANGED)
        return self.ids[0] if known and len(self.ids) == 1 else None

    def begin_again(self) -> None:
        """Let it wait again, as if it had never been tried."""
        self.state, self.attempts, self.due_at = DeliveryState.WAITING, 0, timezone.now()
        self.save(update_fields=["state", "attempts", "due_at"])


_WANTING = """
SELECT id FROM instances_webhook
WHERE instance_id = mine AND enabled AND paused_at IS NULL AND TG_ARGV[0] = ANY (events)
"""
# Events of one statement are written in the order of the ids.
_ANNOUNCE = f"""
INSERT INTO memoryapp_webhookdelivery (
    instance_id, webhook_id, uid, event, ids, end_users, state, attempts, created_at, due_at, error
)
SELECT mine, w.id, gen_random_uuid(), TG_ARGV[0], e.ids, %(people)s, 'waiting', 0, now(), now(), ''
FROM (
    SELECT array_agg(id ORDER BY id) AS ids, array_agg(end_user ORDER BY id) AS people FROM (
        SELECT id, end_user, CASE
            WHEN count(*) OVER () <= {MAX_SINGLE_EVENTS} THEN row_number() OVER by_id
            ELSE (row_number() OVER by_id - 1) / {MAX_IDS}
        END AS part
        FROM unnest(changed, people) AS told (id, end_user)
        WINDOW by_id AS (ORDER BY id)
    ) AS numbered
    GROUP BY part
) AS e
CROSS JOIN unnest(webhooks) AS w (id)
ORDER BY e.ids[1], w.id;
"""  # noqa: S608 - Numbers of this module.


def _function(name: str, *tables: str, rows: str = "", people: str = "ARRAY[]::varchar[]") -> str:
    """A trigger function that announces the rows of the transition *tables*, or those of the table
    expression *rows* over them. Nothing is counted as long as no webhook wants to know.
    """
    body = f"""
webhooks := ARRAY({_WANTING});
IF webhooks <> '{{}}' THEN
    SELECT array_agg(id), array_agg(end_user) INTO changed, people
        FROM {rows or tables[0]} WHERE instance_id = mine;
    IF changed IS NOT NULL THEN
        {_ANNOUNCE % {"people": people}}
    END IF;
END IF;
"""  # noqa: S608 - Names of this module.
    return function(
        name, tables, body, variables="webhooks bigint[]; changed bigint[]; people text[];"
    )


#: What a receiver is told of when it changes. Statistics, and what follows from the text, are not.
TOLD_COLUMNS = (
    *("content", "category", "importance", "tags", "end_user", "key", "value", "valid_until"),
    *("expires_at", "tier", "external_id", "metadata", "pinned_at"),
)


def _changed_rows() -> str:
    before, after = (", ".join(f"{row}.{name}" for name in TOLD_COLUMNS) for row in ("b", "a"))
    return f"""(
        SELECT a.instance_id, a.id, a.end_user FROM was b JOIN became a USING (instance_id, id)
        WHERE ({before}) IS DISTINCT FROM ({after})
    ) AS changed"""  # noqa: S608 - Names of columns.


CREATE_WEBHOOK_TRIGGERS = f"""
{_function("keepsake_announce_new", "arrived")}
{_function("keepsake_announce_changed", "became", "was", rows=_changed_rows())}
{_function("keepsake_announce_gone", "gone", people="e.people")}
CREATE TRIGGER announce_new AFTER INSERT ON memoryapp_memory REFERENCING NEW TABLE AS arrived
    FOR EACH STATEMENT EXECUTE FUNCTION keepsake_announce_new('memory.learned');
CREATE TRIGGER announce_changed AFTER UPDATE ON memoryapp_memory
    REFERENCING OLD TABLE AS was NEW TABLE AS became
    FOR EACH STATEMENT EXECUTE FUNCTION keepsake_announce_changed('memory.changed');
CREATE TRIGGER announce_gone AFTER DELETE ON memoryapp_memory REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION keepsake_announce_gone('memory.forgotten');
CREATE TRIGGER announce_new AFTER INSERT ON memoryapp_heldstatement
    REFERENCING NEW TABLE AS arrived
    FOR EACH STATEMENT EXECUTE FUNCTION keepsake_announce_new('statement.held');
"""
DROP_WEBHOOK_TRIGGERS = """
DROP FUNCTION keepsake_announce_new CASCADE;
DROP FUNCTION keepsake_announce_changed CASCADE;
DROP FUNCTION keepsake_announce_gone CASCADE;
"""
